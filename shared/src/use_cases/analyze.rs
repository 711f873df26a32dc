//! The use case of the service: extract, commit, or give a first answer again. The API and the console both call it.

mod identity;
mod opened_file;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::value::to_raw_value;

use crate::analysis::Analysis;
use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::fit::fitted;
use crate::inputs::submission::{Submission, Upload};
use crate::journal::AnalysisOutcome;
use crate::platform::Platform;
use crate::quota::Quota;
use crate::store::Store;
use crate::store::commit::{Committed, NewAnalysis};
use crate::store::idempotency::StoredAnswer;
use crate::tally::Tally;
use crate::uploads::Uploads;
use crate::worker::Worker;
use engine::{Anchor, Failure, Metadata, Options, Reason, Source, Verdict};
use identity::{Lookup, identify};
use opened_file::OpenedFile;

/// The most of a processor's time that a file may take: ten times what the most intricate ones do.
const PROCESSOR_TIME: Duration = Duration::from_secs(5);
/// What an extraction leaves of a request's time for the commit.
const COMMIT: Duration = Duration::from_secs(5);

/// A stored analysis, and what its answer says of the quota.
#[derive(Clone, Debug)]
pub struct Analyzed {
    /// What the caller gets.
    pub analysis: Analysis,
    /// `remaining_checks`: what was left right after this analysis was stored.
    pub remaining: u64,
    /// Today's quota now.
    pub quota: Quota,
    /// Whether it was stored now, or repeats a first answer.
    pub outcome: AnalysisOutcome,
    /// The verdict of one that was stored now.
    pub verdict: Option<Verdict>,
}

/// What a request says of an extraction.
struct ExtractOptions {
    password: Option<String>,
    now: DateTime<Utc>,
    anchors: Vec<Anchor>,
}

impl ExtractOptions {
    fn of(submission: &Submission, now: DateTime<Utc>, anchors: Vec<Anchor>) -> Self {
        Self { password: submission.password.clone(), now, anchors }
    }
}

/// Analyses submissions and stores what it finds.
#[derive(Clone, Debug)]
pub struct Analyzer {
    /// Where analyses are stored.
    pub store: Store,
    /// Where staged files are.
    pub uploads: Uploads,
    worker: Worker,
    /// The issuers that whoever runs the service trusts.
    anchors: Arc<[Anchor]>,
}

impl Analyzer {
    /// An analyzer on the platform's table and bucket; the engine is at work when its process has room for it.
    #[must_use]
    pub fn new(platform: &Platform) -> Self {
        let uploads = Uploads::new(&platform.s3, platform.config.upload_bucket.as_str());
        Self {
            store: platform.store(),
            uploads,
            worker: platform.process.extractions.clone(),
            anchors: platform.process.anchors.clone(),
        }
    }

    /// Answers a submission of a caller who was admitted: a repeat gets the `first` answer, anything else is analysed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such staged file; [`Error::AnalysisFailed`]; those of
    /// [`Store::record`]; [`Error::IdempotencyKeyReused`]; [`Error::Unavailable`].
    pub async fn answer(
        &self,
        caller: &Caller,
        submission: Submission,
        first: Option<StoredAnswer>,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        // on the heap: they are large, and so would be every future around them
        match first {
            Some(first) => Box::pin(self.replay(caller, first, &submission, deadline)).await,
            None => Box::pin(self.analyze(caller, &submission, deadline)).await,
        }
    }

    /// Extracts the metadata of the submitted file, then stores and counts the analysis
    /// together. A file that cannot be read is counted as failed and nothing else changes.
    async fn analyze(&self, caller: &Caller, submission: &Submission, deadline: Deadline) -> Result<Analyzed, Error> {
        let result = self.analyze_once(caller, submission, deadline).await;
        if let Err(Error::NotFound | Error::Unavailable(_) | Error::DailyLimitExceeded) = result
            && let Some(first) = self.first_answer(caller, submission, deadline).await?
        {
            // the same request, sent twice at once, was faster and took the staged file or the day's
            // last analysis away; or the answer to our own commit was lost
            return self.replay(caller, first, submission, deadline).await;
        }
        if is_final(&result) {
            self.discard(caller, submission).await;
        }
        result
    }

    /// Gives the first answer to a repeated request again, and charges nothing.
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
        let analysis = self.store.replay(caller.user, first, deadline).await?;
        self.discard(caller, submission).await;
        let (remaining, quota) = (first.remaining, caller.quota);
        Ok(Analyzed { analysis, remaining, quota, outcome: AnalysisOutcome::Repeated, verdict: None })
    }

    /// A repeat found its first answer by the first of its keys that has one. The key before that, if there is
    /// one, came with it for the first time: from now on it is used, too.
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
        let file = self.open(caller, submission, deadline).await?;
        let mut anchors = self.store.anchors(caller.user, &caller.account, deadline).await?;
        anchors.extend_from_slice(&self.anchors);
        let (source, options) = (file.source(), ExtractOptions::of(submission, caller.quota.now, anchors));
        let file_size = source.len();
        let lookup = Lookup { store: &self.store, user: caller.user, deadline };
        let read = identify(lookup, &file, self.extract(source, options, deadline)).await;
        let upload = submission.upload();
        if let Err(Error::AnalysisFailed(reason)) = &read {
            let gone = upload.filter(|_| is_hopeless(*reason));
            self.store.count_failure(caller.user, caller.quota.day(), gone, deadline).await;
        }
        let (mut extracted, identity) = read?;
        let filename = file.filename().to_owned();
        // with what of a staged file is in memory
        drop(file);
        extracted.file = identity.hashed.map(|hashed| hashed.digest()).unwrap_or_default();
        let (verdict, reason) = (extracted.integrity.verdict, extracted.integrity.reason.clone());
        let metadata = fitted(extracted).map_err(Error::internal)?;
        let seen = to_raw_value(&identity.seen).map_err(Error::internal)?;
        let new = NewAnalysis {
            filename,
            reference: submission.reference.clone(),
            file_size,
            metadata: metadata.clone(),
            verdict,
            reason,
            file: identity.hashed.map(|hashed| hashed.hash),
            document: identity.document,
            seen: seen.clone(),
            keys: submission.keys.clone(),
            upload,
            fingerprint: submission.fingerprint,
        };
        match self.store.record(caller.user, &caller.account, caller.quota, new, deadline).await? {
            Committed::Stored(recorded) => Ok(Analyzed {
                analysis: recorded.summary.with_metadata(metadata, Some(seen)),
                remaining: recorded.quota.remaining(),
                quota: recorded.quota,
                outcome: AnalysisOutcome::Stored,
                verdict: Some(verdict),
            }),
            Committed::Answered(first) => self.replay(caller, first, submission, deadline).await,
        }
    }

    /// The file that is submitted.
    async fn open(&self, caller: &Caller, submission: &Submission, deadline: Deadline) -> Result<OpenedFile, Error> {
        match &submission.input {
            Upload::Direct { filename, file, hash } => {
                Ok(OpenedFile::Direct { filename: filename.clone(), file: file.clone(), hash: *hash })
            }
            Upload::Staged(upload) => {
                let file = self.uploads.open(caller.user, *upload, caller.quota.now, deadline).await?;
                Ok(OpenedFile::Staged(file.ok_or(Error::NotFound)?))
            }
        }
    }

    /// Runs the engine on a thread of its own; so many at once that memory and cores suffice. Whatever keeps it
    /// waiting, for its turn, the table or the bucket, is not the file's fault.
    async fn extract(
        &self,
        source: Box<dyn Source + Send>,
        asked: ExtractOptions,
        deadline: Deadline,
    ) -> Result<Metadata, Error> {
        let tally = Tally::current();
        let deadline = deadline.earlier(COMMIT);
        let work = move || {
            let ExtractOptions { password, now, anchors } = &asked;
            let options = Options {
                password: password.as_deref(),
                deadline: Some(deadline.instant().into_std()),
                processor_time: Some(PROCESSOR_TIME),
                now: Some(*now),
                skip_content: false,
                anchors,
            };
            let (extracted, stats) = tally.clone().during_sync(|| engine::analyze_measured(&*source, &options));
            tally.read(stats.bytes_read);
            extracted
        };
        match self.worker.run(deadline, work).await? {
            Ok(metadata) => Ok(metadata),
            Err(Failure::Rejected(reason)) => Err(Error::AnalysisFailed(reason)),
            Err(Failure::Source(error)) => Err(Error::Unavailable(Cause::of(&error))),
        }
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

    /// Deletes the staged file, if the submission is one.
    async fn discard(&self, caller: &Caller, submission: &Submission) {
        if let Some(upload) = submission.upload() {
            self.uploads.delete(caller.user, upload).await;
        }
    }
}

/// Whether a staged file has done its service: another password or a later try cannot help.
fn is_final(result: &Result<Analyzed, Error>) -> bool {
    match result {
        Ok(_) => true,
        Err(Error::AnalysisFailed(reason)) => is_hopeless(*reason),
        Err(_) => false,
    }
}

/// Whether the same file fails again, whatever password comes with it.
fn is_hopeless(reason: Reason) -> bool {
    !matches!(reason, Reason::PasswordRequired | Reason::WrongPassword)
}
