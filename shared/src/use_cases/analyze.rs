//! Analyzes a file or compares two and commits the result, or repeats the first answer. Used by the API and the
//! console.

mod compare;
mod identity;
mod opened_file;

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::to_raw_value;

use crate::analysis::{Entry, StoredFinding};
use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UploadId;
use crate::inputs::submission::{InputFile, Submission, Upload};
use crate::journal::AnalysisOutcome;
use crate::platform::Platform;
use crate::quota::Quota;
use crate::request_cost::RequestCost;
use crate::size_limit::limit_metadata;
use crate::store::Store;
use crate::store::commit::{Committed, NewEntry};
use crate::store::idempotency::StoredAnswer;
use crate::uploads::Uploads;
use crate::worker::Worker;
use engine::{Anchor, Failure, Metadata, Options, Reason, Side, Source, Verdict};
use identity::{Lookup, identify};
use opened_file::OpenedFile;

/// Limit of CPU time per analysis or comparison: ten times the maximum of real files.
pub const PROCESSOR_TIME: Duration = Duration::from_secs(5);
/// Time after which a running analysis is counted as failed until it ends. If the function is stopped for lack of time
/// or memory, the count stays: otherwise such attempts would be free.
const FAILURE_COUNTED_AFTER: Duration = Duration::from_secs(2);
/// Time reserved for the commit.
const COMMIT_TIME: Duration = Duration::from_secs(5);

/// A stored entry, and the quota for its answer.
#[derive(Clone, Debug)]
pub struct Analyzed {
    /// The entry.
    pub entry: Entry,
    /// `remaining_checks`: the quota left right after it was stored.
    pub remaining: u64,
    /// Today's quota now.
    pub quota: Quota,
    /// Whether it was stored now or repeats a first answer.
    pub outcome: AnalysisOutcome,
    /// The verdict of an analysis that was stored now.
    pub verdict: Option<Verdict>,
}

/// Analyzes submissions and stores the results.
#[derive(Clone, Debug)]
pub struct Analyzer {
    /// The store of analyses.
    pub store: Store,
    /// The staged files.
    pub uploads: Uploads,
    worker: Worker,
    /// The issuers that the operator trusts.
    anchors: Arc<[Anchor]>,
}

impl Analyzer {
    /// An analyzer on the platform's table and bucket; the engine runs in the process's worker.
    #[must_use]
    pub fn new(platform: &Platform) -> Self {
        let uploads = platform.uploads();
        Self {
            store: platform.store(),
            uploads,
            worker: platform.process.extractions.clone(),
            anchors: platform.process.anchors.clone(),
        }
    }

    /// Answers an admitted submission: a repeat gets the `first` answer, other submissions are analyzed or compared.
    ///
    /// # Errors
    /// [`Error::UploadNotFound`]; [`Error::AnalysisFailed`], [`Error::ComparisonFailed`];
    /// those of [`Store::record`]; [`Error::IdempotencyKeyReused`]; [`Error::Unavailable`].
    pub async fn answer(
        &self,
        caller: &Caller,
        submission: Submission,
        first: Option<StoredAnswer>,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        // boxed: the futures are large, and would be part of every future around them
        match first {
            Some(first) => Box::pin(self.replay(caller, first, &submission, deadline)).await,
            None => Box::pin(self.analyze(caller, &submission, deadline)).await,
        }
    }

    /// Analyzes the submitted files, then stores and counts the result in one transaction. An unreadable file is only
    /// counted as failed.
    async fn analyze(&self, caller: &Caller, submission: &Submission, deadline: Deadline) -> Result<Analyzed, Error> {
        let result = self.analyze_once(caller, submission, deadline).await;
        if let Err(Error::UploadNotFound | Error::Unavailable(_) | Error::DailyLimitExceeded { .. }) = result
            && let Some(first) = self.first_answer(caller, submission, deadline).await?
        {
            // a concurrent repeat was faster and used the staged file or the day's last analysis; or the answer to this
            // request's own commit was lost
            return self.replay(caller, first, submission, deadline).await;
        }
        match &result {
            Ok(_) => self.discard(caller, &submission.uploads()).await,
            Err(error) => self.discard(caller, hopeless(submission, error).as_slice()).await,
        }
        result
    }

    /// Returns the first answer to a repeated request without charge.
    async fn replay(
        &self,
        caller: &Caller,
        first: StoredAnswer,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        if submission.fingerprint != first.fingerprint {
            return Err(Error::IdempotencyKeyReused);
        }
        self.keep_under_all(caller, first, submission, deadline).await?;
        let entry = self.store.replay(caller.user, first, deadline).await?;
        self.discard(caller, &submission.uploads()).await;
        let (remaining, quota) = (first.remaining, caller.quota);
        Ok(Analyzed { entry, remaining, quota, outcome: AnalysisOutcome::Repeated, verdict: None })
    }

    /// A repeat finds its first answer by the first of its keys that has one. A key before that is new: the answer is
    /// stored under it, too.
    async fn keep_under_all(
        &self,
        caller: &Caller,
        first: StoredAnswer,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<(), Error> {
        for key in submission.keys.iter().take_while(|key| **key != first.key) {
            if !self.store.keep_answer(caller.user, *key, first, caller.quota.now, deadline).await? {
                return Err(Error::IdempotencyKeyReused);
            }
        }
        Ok(())
    }

    async fn analyze_once(
        &self,
        caller: &Caller,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        let found = match &submission.compared_with {
            None => self.examine(caller, submission, deadline).await,
            Some(before) => self.compare(caller, submission, before, deadline).await,
        };
        if let Err(error @ (Error::AnalysisFailed(_) | Error::ComparisonFailed(..))) = &found {
            let closed = closed(submission, error);
            self.store.count_failure(caller.user, caller.quota.day(), &closed, deadline).await;
        }
        let new = found?;
        let verdict = new.verdict;
        match self.store.record(caller.user, &caller.account, caller.quota, new, deadline).await? {
            Committed::Stored(recorded) => Ok(Analyzed {
                entry: recorded.entry,
                remaining: recorded.quota.remaining(),
                quota: recorded.quota,
                outcome: AnalysisOutcome::Stored,
                verdict,
            }),
            Committed::Answered(first) => self.replay(caller, first, submission, deadline).await,
        }
    }

    /// The analysis of one file.
    async fn examine(&self, caller: &Caller, submission: &Submission, deadline: Deadline) -> Result<NewEntry, Error> {
        let file = self.open(caller, &submission.file, deadline).await?;
        let mut anchors = self.store.anchors(caller.user, &caller.account, deadline).await?;
        anchors.extend_from_slice(&self.anchors);
        let source = file.source();
        let file_size = source.len();
        let lookup = Lookup { store: &self.store, user: caller.user, deadline };
        let reading = self.extract(caller, source, submission.file.password.clone(), anchors, deadline);
        let (mut extracted, identity) = identify(lookup, &file, reading).await?;
        let filename = file.filename().to_owned();
        // including the parts of a staged file that are in memory
        drop(file);
        extracted.file = identity.hashed.map(|hashed| hashed.digest()).unwrap_or_default();
        let (verdict, reason) = (extracted.integrity.verdict, extracted.integrity.reason.clone());
        let finding = StoredFinding::Analysis {
            metadata: limit_metadata(extracted).map_err(Error::internal)?,
            seen: Some(to_raw_value(&identity.seen).map_err(Error::internal)?),
        };
        Ok(NewEntry {
            filename,
            compared_with: None,
            reference: submission.reference.clone(),
            file_size,
            finding,
            verdict: Some(verdict),
            reason,
            file: identity.hashed.map(|hashed| hashed.hash),
            document: identity.document,
            keys: submission.keys.clone(),
            uploads: submission.uploads(),
            fingerprint: submission.fingerprint,
        })
    }

    /// Opens a submitted file.
    async fn open(&self, caller: &Caller, file: &InputFile, deadline: Deadline) -> Result<OpenedFile, Error> {
        match &file.input {
            Upload::Direct { filename, file, hash } => {
                Ok(OpenedFile::Direct { filename: filename.clone(), file: file.clone(), hash: *hash })
            }
            Upload::Staged(upload) => {
                let file = self.uploads.open(caller.user, *upload, caller.quota.now, deadline).await?;
                Ok(OpenedFile::Staged(file.ok_or(Error::UploadNotFound)?))
            }
        }
    }

    async fn extract(
        &self,
        caller: &Caller,
        source: Box<dyn Source + Send>,
        password: Option<String>,
        anchors: Vec<Anchor>,
        deadline: Deadline,
    ) -> Result<Metadata, Error> {
        let work = move |options: &Options| {
            engine::analyze(&*source, &Options { password: password.as_deref(), anchors: &anchors, ..*options })
        };
        match self.run(caller, work, deadline).await? {
            Ok(metadata) => Ok(metadata),
            Err(Failure::Rejected(reason)) => Err(Error::AnalysisFailed(reason)),
            Err(Failure::Source(error)) => Err(Error::Unavailable(Cause::of(&error))),
        }
    }

    /// Runs the engine in the worker. Time spent waiting for the worker, the table or the bucket does not count against
    /// the file.
    async fn run<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce(&Options) -> T + Send + 'static,
        deadline: Deadline,
    ) -> Result<T, Error> {
        let cost = RequestCost::current();
        let (end, now) = (deadline, caller.quota.now);
        let deadline = deadline.earlier(COMMIT_TIME);
        let work = move || {
            let options = Options {
                deadline: Some(deadline.instant().into_std()),
                processor_time: Some(PROCESSOR_TIME),
                now: Some(now),
                ..Options::default()
            };
            cost.during_sync(|| work(&options))
        };
        let mut work = Box::pin(self.worker.run(caller.user, deadline, work));
        if let Ok(done) = tokio::time::timeout(FAILURE_COUNTED_AFTER, &mut work).await {
            return done;
        }
        let day = caller.quota.day();
        let (done, is_counted) = tokio::join!(work, self.store.count_failure(caller.user, day, &[], end));
        if is_counted {
            self.store.take_back_failure(caller.user, day, end).await;
        }
        done
    }

    async fn first_answer(
        &self,
        caller: &Caller,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<Option<StoredAnswer>, Error> {
        if submission.keys.is_empty() {
            return Ok(None);
        }
        self.store.answer_to(caller.user, &submission.keys, caller.quota.now, deadline).await
    }

    /// Deletes staged files.
    async fn discard(&self, caller: &Caller, uploads: &[UploadId]) {
        for upload in uploads {
            self.uploads.delete(caller.user, *upload).await;
        }
    }
}

/// The staged file, if it would fail again with any later request, also with another password.
fn hopeless(submission: &Submission, error: &Error) -> Option<UploadId> {
    let file = match error {
        error if waits_for_a_password(error) => return None,
        Error::AnalysisFailed(_) | Error::ComparisonFailed(Side::After, _) => &submission.file,
        Error::ComparisonFailed(Side::Before, _) => submission.compared_with.as_ref()?,
        _ => return None,
    };
    file.upload()
}

/// The staged files whose tickets end with a failed analysis. Those that wait for a password stay stored, but are not
/// counted as open: a few locked files would refuse all others.
fn closed(submission: &Submission, error: &Error) -> Vec<UploadId> {
    if waits_for_a_password(error) { submission.uploads() } else { hopeless(submission, error).into_iter().collect() }
}

fn waits_for_a_password(error: &Error) -> bool {
    let (Error::AnalysisFailed(reason) | Error::ComparisonFailed(_, reason)) = error else { return false };
    matches!(reason, Reason::PasswordRequired | Reason::WrongPassword)
}
