//! The use case of the service: admit, extract, commit. The API and the console both call it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::to_raw_value;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::analysis::Analysis;
use crate::auth::Caller;
use crate::error::{Cause, Error};
use crate::http::{Call, Reply, Success};
use crate::journal::Outcome;
use crate::quota::Quota;
use crate::store::commit::{Committed, NewAnalysis};
use crate::store::requests::StoredAnswer;
use crate::store::{Deadline, Rows, Store};
use crate::submission::{Claim, Input, Submission};
use crate::tally::Tally;
use crate::uploads::Uploads;
use engine::{Failure, Memory, Metadata, Options, Reason, Source};

/// Most extractions at work in one process: each may take up to 48 MB.
const AT_ONCE: usize = 8;
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
}

/// The envelope of an analysis that was just made.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnalyzedAnswer<'a> {
    /// `true`.
    #[schema(inline)]
    success: Success,
    data: &'a Analysis,
    /// Analyses still allowed today.
    remaining_checks: u64,
}

impl Analyzed {
    /// The answer in its envelope.
    ///
    /// # Errors
    /// [`Error::Internal`] if the analysis has no JSON form.
    pub fn reply(&self) -> Result<Reply, Error> {
        Reply::envelope(&AnalyzedAnswer { success: Success, data: &self.analysis, remaining_checks: self.remaining })
    }
}

/// Analyses submissions and stores what it finds.
#[derive(Clone, Debug)]
pub struct Analyzer {
    store: Store,
    uploads: Uploads,
    permits: Arc<Semaphore>,
}

impl Analyzer {
    /// An analyzer that reads staged files from `uploads` and stores in `store`.
    #[must_use]
    pub fn new(store: Store, uploads: Uploads) -> Self {
        Self { store, uploads, permits: Arc::new(Semaphore::new(at_once())) }
    }

    /// Whether the caller may analyse at all today.
    ///
    /// # Errors
    /// [`Error::DailyLimitExceeded`], [`Error::RateLimited`].
    pub fn admit(caller: &Caller) -> Result<(), Error> {
        if caller.quota.remaining() == 0 {
            return Err(Error::DailyLimitExceeded);
        }
        if caller.quota.failures_exhausted() {
            return Err(Error::RateLimited);
        }
        Ok(())
    }

    /// Answers a claim whose caller is known and whose possible stored answer was read with the
    /// caller: a repeat gets the first answer, anything else is admitted and analysed.
    ///
    /// # Errors
    /// Those of [`Claim::check`], [`Claim::submission`], [`Analyzer::admit`],
    /// [`Analyzer::analyze`] and [`Analyzer::replay`].
    pub async fn answer(
        &self,
        call: &mut Call,
        caller: &Caller,
        claim: Claim,
        found: &Rows,
    ) -> Result<Analyzed, Error> {
        let claim = claim.check()?;
        let (outcome, analyzed) = match found.stored_answer(&claim.requests(), call.now)? {
            Some(first) => {
                let repeat = claim.submission(call)?;
                (Outcome::Repeated, Box::pin(self.replay(caller, first, &repeat, call.deadline())).await?)
            }
            None => {
                Self::admit(caller)?;
                let submission = claim.submission(call)?;
                // on the heap: it is large, and so would be every future around it
                (Outcome::Stored, Box::pin(self.analyze(caller, submission, call.deadline())).await?)
            }
        };
        call.analysis = Some(outcome);
        call.quota = Some(analyzed.quota);
        Ok(analyzed)
    }

    /// Extracts the metadata of the submitted file, then stores and counts the analysis
    /// together. A file that cannot be read is counted as failed and nothing else changes.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such staged file; [`Error::AnalysisFailed`]; those of
    /// [`Store::record`]; [`Error::IdempotencyKeyReused`]; [`Error::Unavailable`].
    pub async fn analyze(
        &self,
        caller: &Caller,
        submission: Submission,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        let result = self.analyze_once(caller, &submission, deadline).await;
        if let Err(Error::NotFound | Error::Unavailable(_)) = result
            && let Some(first) = self.first_answer(caller, &submission, deadline).await?
        {
            // the same request, sent twice at once, was faster and took the staged file away; or
            // the answer to our own commit was lost
            return self.replay(caller, first, &submission, deadline).await;
        }
        if is_final(&result) {
            self.discard(caller, &submission).await;
        }
        result
    }

    /// Gives the first answer to a repeated request again, and charges nothing.
    ///
    /// # Errors
    /// [`Error::IdempotencyKeyReused`] if the repeat is about something else; [`Error::Unavailable`].
    pub async fn replay(
        &self,
        caller: &Caller,
        first: StoredAnswer,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        if submission.fingerprint != Some(first.fingerprint) {
            return Err(Error::IdempotencyKeyReused);
        }
        let analysis = self.store.replay(caller.user, first, deadline).await?;
        self.discard(caller, submission).await;
        Ok(Analyzed { analysis, remaining: first.remaining, quota: caller.quota })
    }

    async fn analyze_once(
        &self,
        caller: &Caller,
        submission: &Submission,
        deadline: Deadline,
    ) -> Result<Analyzed, Error> {
        let (filename, source): (String, Box<dyn Source + Send>) = match &submission.input {
            Input::Direct { filename, file } => (filename.clone(), Box::new(Memory(file.clone()))),
            Input::Staged(upload) => {
                let file = self.uploads.open(caller.user, *upload, deadline).await?.ok_or(Error::NotFound)?;
                (file.filename().to_owned(), Box::new(file))
            }
        };
        let file_size = source.len();
        let extracted = self.extract(source, submission.password.clone(), deadline).await;
        if let Err(Error::AnalysisFailed(_)) = &extracted {
            self.store.count_failure(caller.user, caller.quota.day(), deadline).await;
        }
        let metadata = to_raw_value(&extracted?).map_err(|error| Error::Internal(Cause::of(&error)))?;
        let new = NewAnalysis {
            filename: &filename,
            file_size,
            metadata: &metadata,
            requests: &submission.requests,
            fingerprint: submission.fingerprint,
        };
        match self.store.record(caller.user, &caller.account, caller.quota, new, deadline).await? {
            Committed::Stored(recorded) => Ok(Analyzed {
                analysis: recorded.summary.with_metadata(metadata),
                remaining: recorded.quota.remaining(),
                quota: recorded.quota,
            }),
            Committed::Answered(first) => self.replay(caller, first, submission, deadline).await,
        }
    }

    /// Runs the engine on a thread of its own; so many at once that memory and cores suffice.
    async fn extract(
        &self,
        source: Box<dyn Source + Send>,
        password: Option<String>,
        deadline: Deadline,
    ) -> Result<Metadata, Error> {
        let place = self.permits.clone().acquire_owned();
        let permit = deadline.limit(place).await?.map_err(|error| Error::Internal(Cause::of(&error)))?;
        let tally = Tally::current();
        let work = tokio::task::spawn_blocking(move || {
            let until = deadline.instant().into_std().checked_sub(COMMIT);
            let options = Options { password: password.as_deref(), deadline: until, ..Options::default() };
            let (extracted, stats) = tally.clone().during_sync(|| engine::analyze_measured(&*source, &options));
            tally.read(stats.bytes_read);
            // given back here, so that a request that was given up still holds its place while it works
            drop(permit);
            extracted
        });
        match work.await.map_err(|error| Error::Internal(Cause::of(&error)))? {
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
        if submission.requests.is_empty() {
            return Ok(None);
        }
        self.store.answer_to(caller.user, &submission.requests, caller.quota.now, deadline).await
    }

    /// Deletes the staged file, if the submission is one.
    async fn discard(&self, caller: &Caller, submission: &Submission) {
        if let Input::Staged(upload) = submission.input {
            self.uploads.delete(caller.user, upload).await;
        }
    }
}

/// As many extractions as there are cores, each of which one may take; two at least, because one
/// may wait for a staged file. With more, everything else in the process would wait for a core.
fn at_once() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, AT_ONCE))
}

/// Whether a staged file has done its service: another password or a later try cannot help.
fn is_final(result: &Result<Analyzed, Error>) -> bool {
    match result {
        Ok(_) => true,
        Err(Error::AnalysisFailed(reason)) => !matches!(reason, Reason::PasswordRequired | Reason::WrongPassword),
        Err(_) => false,
    }
}
