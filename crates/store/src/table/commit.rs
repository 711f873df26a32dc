//! The commit of an analysis or a comparison: counter and entry together, or neither.

mod parts;
pub(super) mod queues;
mod retry_action;

use aws_sdk_dynamodb::types::AttributeValue;
use engine::{DecidingReason, Outcome, Verdict};

use super::Store;
use super::accounts::Account;
use super::analyses::summary;
use super::backoff::Backoff;
use super::day::outdated;
use super::finding::packed;
use super::idempotency::StoredAnswer;
use super::item::Item;
use super::key::Row;
use super::transact::{Reasons, Tried};
use crate::analysis::{ComparedWith, Entry, StoredFinding, Summary, format_size};
use crate::deadline::Deadline;
use crate::document_key::DocumentKey;
use crate::error::{Cause, Error};
use crate::file_hash::FileHash;
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::{AnalysisId, UploadId, UserId};
use crate::quota::{Day, Quota, timestamp};
use crate::reference::Reference;
use queues::{CommitGuard, LastCommit};
use retry_action::{Freshness, Rejection, RetryAction, action_after, freshness_after};

/// An entry that is about to be stored.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// The cleaned name.
    pub filename: String,
    /// The earlier file of a comparison.
    pub compared_with: Option<ComparedWith>,
    /// The caller's reference.
    pub reference: Option<Reference>,
    /// Bytes.
    pub file_size: u64,
    /// What was found.
    pub finding: StoredFinding,
    /// The verdict of an analysis, for the list.
    pub verdict: Option<Verdict>,
    /// The signal that decided the verdict, for the list.
    pub reason: Option<DecidingReason>,
    /// The file's hash, if known: the key under which analyses of the same file are found.
    pub file: Option<FileHash>,
    /// The document's key, if its identifier is usable: the key under which its other versions are found.
    pub document: Option<DocumentKey>,
    /// The keys of the stored answer, for repeats: none, one or two.
    pub keys: Vec<RequestKey>,
    /// The staged uploads, whose tickets the commit closes.
    pub uploads: Vec<UploadId>,
    /// The fingerprint that a repeat must have.
    pub fingerprint: Fingerprint,
}

/// How a commit ended.
#[derive(Clone, Debug)]
pub enum Committed {
    /// The entry is stored and counted.
    Stored(Recorded),
    /// A request with the same key was first: nothing is stored; this is its answer.
    Answered(StoredAnswer),
}

/// An entry that is stored.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The complete entry.
    pub entry: Entry,
    /// The quota after the commit.
    pub quota: Quota,
    /// Transactions sent: 1 without contention.
    pub tries: u32,
}

/// Positions of the transaction's items, and so of their cancellation reasons.
const ACCOUNT: usize = 0;
const ANALYSIS: usize = 1;
/// First of the items that store the answer; there may be none.
const REQUESTS: usize = 2;

/// One user's commit: the items to store, and the last known state of the table.
struct Commit<'a> {
    store: &'a Store,
    user: UserId,
    new: NewEntry,
    /// Its finding, as stored.
    finding: AttributeValue,
    /// Its number may change; the random part stays, so that an earlier attempt whose answer was lost is recognized.
    id: AnalysisId,
    /// The counters as last seen.
    quota: Quota,
    /// The days whose counts are removed with the next commit.
    outdated: Vec<Day>,
    /// The account's newest number as last seen.
    analyses: u64,
    freshness: Freshness,
    /// Transactions sent so far.
    tries: u32,
}

impl Store {
    /// Stores `new` as the user's next analysis and counts it, in one transaction. `account`
    /// and `quota` are what authentication read: without contention nothing is read again,
    /// and the remaining count is exact in any case.
    ///
    /// # Errors
    /// [`Error::DailyLimitExceeded`]; [`Error::Unauthenticated`] if the account was closed
    /// meanwhile; [`Error::Unavailable`] when the table does not answer until `deadline`.
    pub async fn record(
        &self,
        user: UserId,
        account: &Account,
        quota: Quota,
        new: NewEntry,
        deadline: Deadline,
    ) -> Result<Committed, Error> {
        let analyses = account.numbering.given();
        let id = AnalysisId::new(analyses + 1);
        let outdated = outdated(&account.usage, quota.now).collect();
        let finding = packed(&new.finding)?;
        let guard = self.queues.lock(user, deadline).await?;
        let freshness = Freshness::Fresh;
        let mut commit = Commit { store: self, user, new, finding, id, quota, outdated, analyses, freshness, tries: 0 };
        commit.catch_up(guard.last());
        commit.run(guard, deadline).await
    }
}

impl<'a> Commit<'a> {
    /// Retries the transaction until its outcome is known, under the account's commit lock.
    async fn run(&mut self, mut guard: CommitGuard<'a>, deadline: Deadline) -> Result<Committed, Error> {
        let mut backoff = Backoff::until(deadline);
        loop {
            let (action, cause) = self.attempt(&mut guard, deadline).await?;
            match action {
                RetryAction::Stored => return Ok(self.stored()),
                RetryAction::Answered(first) => return Ok(Committed::Answered(first)),
                RetryAction::Failed => return Err(Error::Internal(cause)),
                RetryAction::AtOnce => continue,
                RetryAction::AfterPause | RetryAction::AfterReading => {}
            }
            // other commits of this process go first
            drop(guard);
            backoff.wait(|| cause).await?;
            guard = self.store.queues.lock(self.user, deadline).await?;
            if action == RetryAction::AfterReading
                && let Some(committed) = self.read_again(deadline).await?
            {
                return Ok(committed);
            }
        }
    }

    /// Sends the transaction once; returns the next action and its cause.
    async fn attempt(
        &mut self,
        guard: &mut CommitGuard<'a>,
        deadline: Deadline,
    ) -> Result<(RetryAction, Cause), Error> {
        if self.quota.remaining() < self.new.finding.checks() {
            return Err(Error::DailyLimitExceeded { remaining: self.quota.remaining() });
        }
        self.tries += 1;
        match self.store.transact(self.items()?, deadline).await {
            Ok(Tried::Stored) => {
                guard.publish(self.last_commit());
                Ok((RetryAction::Stored, Cause::text("stored")))
            }
            Ok(Tried::Refused(reasons)) => Ok((self.refused(&reasons)?, reasons.cause())),
            Ok(Tried::Unknown(cause)) => {
                self.freshness = Freshness::InDoubt;
                Ok((RetryAction::AfterPause, cause))
            }
            Err(error) => {
                // no answer until the deadline
                if matches!(error, Error::Unavailable(_)) {
                    self.freshness = Freshness::InDoubt;
                }
                Err(error)
            }
        }
    }

    /// Refreshes the counters from the cancellation reasons, unless an earlier attempt of this commit may be in
    /// progress.
    fn refused(&mut self, reasons: &Reasons) -> Result<RetryAction, Error> {
        let rejection = self.rejection(reasons)?;
        let action = action_after(&rejection, self.freshness);
        self.freshness = freshness_after(&rejection, self.freshness);
        if self.freshness == Freshness::InDoubt || matches!(action, RetryAction::Stored | RetryAction::Answered(_)) {
            return Ok(action);
        }
        if reasons.refused(ACCOUNT) {
            self.take_account(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
        }
        Ok(action)
    }

    fn rejection(&self, reasons: &Reasons) -> Result<Rejection, Error> {
        let taken = reasons.refused(ANALYSIS);
        let keys = self.new.keys.iter().zip(REQUESTS..);
        let mut answers = keys.filter_map(|(key, index)| Some(StoredAnswer::read(*key, &reasons.found(index)?)));
        // an answer with this number may be our own, readable before its analysis
        let may_be_ours = self.freshness == Freshness::InDoubt && !taken;
        let answer = answers.next().transpose()?;
        Ok(Rejection {
            ours: self.is_ours(reasons.found(ANALYSIS).as_ref())?,
            answer: answer.filter(|first| !may_be_ours || first.number != self.id.number()),
            taken,
            stale: reasons.refused(ACCOUNT),
            passing: reasons.passing(),
        })
    }

    /// Adopts the counters of the process's last commit if they are newer. An exhausted quota is not adopted: the table
    /// may have the answer to this request.
    fn catch_up(&mut self, last: Option<&LastCommit>) {
        let newer = |last: &&LastCommit| last.user == self.user && last.analyses > self.analyses;
        let Some(last) = last.filter(newer) else { return };
        let used = if last.day == self.quota.day() { last.used } else { self.quota.used };
        if used < self.quota.limit {
            self.quota.used = used;
            self.number(last.analyses);
        }
    }

    /// The counters after this commit.
    fn last_commit(&self) -> LastCommit {
        let Quota { used, .. } = self.quota_after();
        LastCommit { user: self.user, analyses: self.analyses + 1, day: self.quota.day(), used }
    }

    /// Reads the counters again. Returns a result if an earlier attempt was stored or a request with the same key was
    /// first.
    async fn read_again(&mut self, deadline: Deadline) -> Result<Option<Committed>, Error> {
        let day = self.quota.day();
        let tried = Row::Analysis(self.id.number());
        let requests = self.new.keys.iter().map(|key| Row::Request(*key));
        let wanted: Vec<_> = [Row::Account, Row::Day(day), tried].into_iter().chain(requests).collect();
        let rows = self.store.read(self.user, &wanted, deadline).await?;
        if self.is_ours(rows.get(tried))? {
            return Ok(Some(self.stored()));
        }
        if self.freshness == Freshness::InDoubt {
            if rows.get(tried).is_none() {
                return Ok(None);
            }
            // another commit has the number
            self.freshness = Freshness::Stale;
        }
        if let Some(first) = rows.stored_answer(&self.new.keys, self.quota.now)? {
            return Ok(Some(Committed::Answered(first)));
        }
        self.take_account(rows.account()?)?;
        (_, self.quota.failed) = rows.counts(day)?;
        Ok(None)
    }

    fn take_account(&mut self, account: Option<Account>) -> Result<(), Error> {
        let account = Account::open(account)?;
        self.quota.limit = account.daily_limit;
        self.quota.used = account.usage.get(&self.quota.day()).copied().unwrap_or_default();
        self.outdated = outdated(&account.usage, self.quota.now).collect();
        self.number(account.numbering.given());
        Ok(())
    }

    /// Gives the entry the number after `analyses`.
    fn number(&mut self, analyses: u64) {
        self.analyses = analyses;
        self.id = self.id.renumbered(analyses + 1);
    }

    fn is_ours(&self, analysis: Option<&Item>) -> Result<bool, Error> {
        analysis.map_or(Ok(false), |item| Ok(summary(item)?.id == self.id))
    }

    /// The result of a stored commit.
    fn stored(&self) -> Committed {
        let entry = self.summary().with(self.new.finding.clone());
        Committed::Stored(Recorded { entry, quota: self.quota_after(), tries: self.tries })
    }

    fn quota_after(&self) -> Quota {
        Quota { used: self.quota.used + self.new.finding.checks(), ..self.quota }
    }

    /// The row, as stored.
    fn summary(&self) -> Summary {
        Summary {
            id: self.id,
            filename: self.new.filename.clone(),
            compared_with: self.new.compared_with.clone(),
            reference: self.new.reference.clone(),
            file_size: self.new.file_size,
            file_size_formatted: format_size(self.new.file_size),
            verdict: self.new.verdict,
            outcome: self.new.verdict.map(|verdict| Outcome::of_reason(verdict, self.new.reason.as_ref())),
            reason: self.new.reason.clone(),
            analyzed_at: timestamp(self.quota.now),
        }
    }
}
