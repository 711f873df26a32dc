//! The commit of an analysis or a comparison: counter and entry together, or neither.

mod next;
mod parts;
pub(super) mod queues;

use engine::{DecidingReason, Outcome, Verdict};

use super::Store;
use super::accounts::Account;
use super::analyses::summary;
use super::backoff::Backoff;
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
use crate::quota::{Quota, timestamp};
use crate::reference::Reference;
use next::{Freshness, NextStep, Rejection, known, next};
use queues::{LastCommit, Turn};

/// An entry that is about to be stored.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// The cleaned name.
    pub filename: String,
    /// What it was compared with, if it was.
    pub compared_with: Option<ComparedWith>,
    /// What the caller calls the case that it belongs to.
    pub reference: Option<Reference>,
    /// Bytes.
    pub file_size: u64,
    /// What was found.
    pub finding: StoredFinding,
    /// What an analysis says of changes, for the list.
    pub verdict: Option<Verdict>,
    /// What decided above all, for the list.
    pub reason: Option<DecidingReason>,
    /// The hash of its file, if it is known: what leads there from others of the same file.
    pub file: Option<FileHash>,
    /// The document it is a version of, if that can be told: what leads there from others.
    pub document: Option<DocumentKey>,
    /// Under which keys the answer is kept for repeats: none, one or two.
    pub keys: Vec<RequestKey>,
    /// The staged uploads that it is of: their tickets are no longer open.
    pub uploads: Vec<UploadId>,
    /// What a repeat has to be about.
    pub fingerprint: Fingerprint,
}

/// How a commit ended.
#[derive(Clone, Debug)]
pub enum Committed {
    /// The entry is stored and counted.
    Stored(Recorded),
    /// A request with the same key was first: nothing is stored, this is its answer.
    Answered(StoredAnswer),
}

/// An entry that is stored.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// All of it.
    pub entry: Entry,
    /// The quota as it left it.
    pub quota: Quota,
    /// Transactions that it took: 1 without contention.
    pub tries: u32,
}

/// Where the transaction's parts are, and so their cancellation reasons.
const ACCOUNT: usize = 0;
const DAY: usize = 1;
const ANALYSIS: usize = 2;
/// The first of those that keep the answer; there may be none.
const REQUESTS: usize = 4;

/// One user's commit: what it stores and what it believes the table to hold.
struct Commit<'a> {
    store: &'a Store,
    user: UserId,
    new: NewEntry,
    /// Its number may change, the random part stays, so that an earlier try whose answer was lost is recognised.
    id: AnalysisId,
    /// The counters as last seen.
    quota: Quota,
    /// The account's newest number as last seen.
    analyses: u64,
    known: Freshness,
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
        let turn = self.queues.turn(user, deadline).await?;
        let mut commit = Commit { store: self, user, new, id, quota, analyses, known: Freshness::Fresh, tries: 0 };
        commit.catch_up(turn.left());
        commit.carry_out(turn, deadline).await
    }
}

impl<'a> Commit<'a> {
    /// Sends the transaction until it is known how it ends, in the account's turn.
    async fn carry_out(&mut self, mut turn: Turn<'a>, deadline: Deadline) -> Result<Committed, Error> {
        let mut backoff = Backoff::until(deadline);
        loop {
            let (next, cause) = self.attempt(&mut turn, deadline).await?;
            match next {
                NextStep::Stored => return Ok(self.stored()),
                NextStep::Answered(first) => return Ok(Committed::Answered(first)),
                NextStep::Failed => return Err(Error::Internal(cause)),
                NextStep::AtOnce => continue,
                NextStep::AfterPause | NextStep::AfterReading => {}
            }
            // others of this process go first
            drop(turn);
            backoff.wait(|| cause).await?;
            turn = self.store.queues.turn(self.user, deadline).await?;
            if next == NextStep::AfterReading
                && let Some(committed) = self.read_again(deadline).await?
            {
                return Ok(committed);
            }
        }
    }

    /// Sends the transaction once; what is next, and why.
    async fn attempt(&mut self, turn: &mut Turn<'a>, deadline: Deadline) -> Result<(NextStep, Cause), Error> {
        if self.quota.remaining() < self.new.finding.checks() {
            return Err(Error::DailyLimitExceeded { remaining: self.quota.remaining() });
        }
        self.tries += 1;
        match self.store.transact(self.items()?, deadline).await {
            Ok(Tried::Stored) => {
                turn.leave(self.left());
                Ok((NextStep::Stored, Cause::text("stored")))
            }
            Ok(Tried::Refused(reasons)) => Ok((self.refused(&reasons)?, reasons.cause())),
            Ok(Tried::Unknown(cause)) => {
                self.known = Freshness::InDoubt;
                Ok((NextStep::AfterPause, cause))
            }
            Err(error) => {
                // nobody has answered until the deadline
                if matches!(error, Error::Unavailable(_)) {
                    self.known = Freshness::InDoubt;
                }
                Err(error)
            }
        }
    }

    /// Takes what came with a refusal, unless the numbers may be stale because this very commit is being stored.
    fn refused(&mut self, reasons: &Reasons) -> Result<NextStep, Error> {
        let grounds = self.grounds(reasons)?;
        let next = next(&grounds, self.known);
        self.known = known(&grounds, self.known);
        if self.known == Freshness::InDoubt || matches!(next, NextStep::Stored | NextStep::Answered(_)) {
            return Ok(next);
        }
        if reasons.refused(ACCOUNT) {
            self.take_account(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
        }
        if reasons.refused(DAY) {
            self.quota.used = reasons.found(DAY).map_or(Ok(0), |day| day.number("used"))?;
        }
        Ok(next)
    }

    fn grounds(&self, reasons: &Reasons) -> Result<Rejection, Error> {
        let taken = reasons.refused(ANALYSIS);
        let keys = self.new.keys.iter().zip(REQUESTS..);
        let mut answers = keys.filter_map(|(key, index)| Some(StoredAnswer::read(*key, &reasons.found(index)?)));
        // an answer of this very number may be our own, before its analysis can be read
        let may_be_ours = self.known == Freshness::InDoubt && !taken;
        let answer = answers.next().transpose()?;
        Ok(Rejection {
            ours: self.is_ours(reasons.found(ANALYSIS).as_ref())?,
            answer: answer.filter(|first| !may_be_ours || first.number != self.id.number()),
            taken,
            stale: reasons.refused(ACCOUNT) || reasons.refused(DAY),
            passing: reasons.passing(),
        })
    }

    /// Takes the numbers that an earlier commit of the process left, if they are newer than those last
    /// seen. That nothing is left of the day the table has to say: it may hold the answer to this request.
    fn catch_up(&mut self, left: Option<&LastCommit>) {
        let newer = |left: &&LastCommit| left.user == self.user && left.analyses > self.analyses;
        let Some(left) = left.filter(newer) else { return };
        let used = if left.day == self.quota.day() { left.used } else { self.quota.used };
        if used < self.quota.limit {
            self.quota.used = used;
            self.number(left.analyses);
        }
    }

    /// What a commit that is stored leaves.
    fn left(&self) -> LastCommit {
        let Quota { used, .. } = self.quota_after();
        LastCommit { user: self.user, analyses: self.analyses + 1, day: self.quota.day(), used }
    }

    /// Reads the numbers anew; also how the commit ended, if an earlier try of it turns out to be stored or
    /// a request with the same key was first.
    async fn read_again(&mut self, deadline: Deadline) -> Result<Option<Committed>, Error> {
        let day = self.quota.day();
        let tried = Row::Analysis(self.id.number());
        let requests = self.new.keys.iter().map(|key| Row::Request(*key));
        let wanted: Vec<_> = [Row::Account, Row::Day(day), tried].into_iter().chain(requests).collect();
        let rows = self.store.read(self.user, &wanted, deadline).await?;
        if self.is_ours(rows.get(tried))? {
            return Ok(Some(self.stored()));
        }
        if self.known == Freshness::InDoubt {
            if rows.get(tried).is_none() {
                return Ok(None);
            }
            // the analysis there is another one's
            self.known = Freshness::Stale;
        }
        if let Some(first) = rows.stored_answer(&self.new.keys, self.quota.now)? {
            return Ok(Some(Committed::Answered(first)));
        }
        self.take_account(rows.account()?)?;
        (self.quota.used, self.quota.failed) = rows.counts(day)?;
        Ok(None)
    }

    fn take_account(&mut self, account: Option<Account>) -> Result<(), Error> {
        let account = Account::open(account)?;
        self.quota.limit = account.daily_limit;
        self.number(account.numbering.given());
        Ok(())
    }

    /// Makes it the analysis after the first `analyses`.
    fn number(&mut self, analyses: u64) {
        self.analyses = analyses;
        self.id = self.id.renumbered(analyses + 1);
    }

    fn is_ours(&self, analysis: Option<&Item>) -> Result<bool, Error> {
        analysis.map_or(Ok(false), |item| Ok(summary(item)?.id == self.id))
    }

    /// What the request is told.
    fn stored(&self) -> Committed {
        let entry = self.summary().with(self.new.finding.clone());
        Committed::Stored(Recorded { entry, quota: self.quota_after(), tries: self.tries })
    }

    fn quota_after(&self) -> Quota {
        Quota { used: self.quota.used + self.new.finding.checks(), ..self.quota }
    }

    /// The row, as it is stored.
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
