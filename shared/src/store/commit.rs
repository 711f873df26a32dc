//! The commit of an analysis: counter and analysis together, or neither.

mod parts;

use engine::Verdict;
use serde_json::value::RawValue;

use super::Store;
use super::accounts::Account;
use super::analyses::summary;
use super::backoff::Backoff;
use super::idempotency::StoredAnswer;
use super::item::Item;
use super::key::Row;
use super::queues::LastCommit;
use super::transact::{Outcome, Reasons};
use crate::analysis::{Summary, format_size};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::{AnalysisId, UploadId, UserId};
use crate::quota::{Quota, timestamp};

/// An analysis that is about to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewAnalysis<'a> {
    /// The cleaned name.
    pub filename: &'a str,
    /// Bytes.
    pub file_size: u64,
    /// The metadata, as it will be answered for ever.
    pub metadata: &'a RawValue,
    /// What it says of changes, for the list.
    pub verdict: Verdict,
    /// Under which keys the answer is kept for repeats: none, one or two.
    pub keys: &'a [RequestKey],
    /// The staged upload that it is of: its ticket is no longer open.
    pub upload: Option<UploadId>,
    /// What a repeat has to be about.
    pub fingerprint: Option<Fingerprint>,
}

/// How a commit ended.
#[derive(Clone, Debug)]
pub enum Committed {
    /// The analysis is stored and counted.
    Stored(Recorded),
    /// A request with the same key was first: nothing is stored, this is its answer.
    Answered(StoredAnswer),
}

/// An analysis that is stored.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The stored row.
    pub summary: Summary,
    /// The quota as this analysis left it.
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
    new: NewAnalysis<'a>,
    /// The counters as last seen.
    quota: Quota,
    /// The account's newest number as last seen.
    analyses: u64,
    /// The id of this request's analysis; its number follows `analyses`, its random part stays,
    /// so that an earlier try whose answer was lost is recognised.
    id: AnalysisId,
    /// Whether a try with these very numbers may be stored, or be on its way to the table just now. Until
    /// that is known they stay: with others, the same analysis could be stored and counted twice.
    in_doubt: bool,
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
        new: NewAnalysis<'_>,
        deadline: Deadline,
    ) -> Result<Committed, Error> {
        let mut turn = self.queues.turn(user, deadline).await?;
        let analyses = account.numbering.given();
        let mut commit = Commit {
            store: self,
            user,
            new,
            quota,
            analyses,
            id: AnalysisId::new(analyses + 1),
            in_doubt: false,
            tries: 0,
        };
        commit.catch_up(turn.as_ref());
        let mut backoff = Backoff::until(deadline);
        let mut outrun = false;
        loop {
            if commit.quota.remaining() == 0 {
                return Err(Error::DailyLimitExceeded);
            }
            commit.tries += 1;
            let cause = match self.transact(commit.items()?, deadline).await? {
                Outcome::Done => {
                    *turn = Some(commit.left());
                    return Ok(commit.stored());
                }
                Outcome::Cancelled(reasons) => {
                    if let Some(committed) = commit.ended(&reasons)? {
                        return Ok(committed);
                    }
                    let stale = commit.learn(&reasons)?;
                    if !stale && !reasons.passing() && !commit.in_doubt {
                        return Err(Error::Internal(reasons.cause()));
                    }
                    if stale && !outrun && !commit.in_doubt {
                        // what the table holds came with the refusal: try again at once, without a read
                        outrun = true;
                        continue;
                    }
                    // a crowd on one account: spread out, then look again. Others of this process go first
                    drop(turn);
                    backoff.wait(|| reasons.cause()).await?;
                    turn = self.queues.turn(user, deadline).await?;
                    if let Some(committed) = commit.read_again(deadline).await? {
                        return Ok(committed);
                    }
                    continue;
                }
                // the same numbers again: either they are still free or the analysis there is ours
                Outcome::InProgress => Cause::text("transaction in progress"),
                Outcome::Unknown(cause) => cause,
            };
            commit.in_doubt = true;
            drop(turn);
            backoff.wait(|| cause).await?;
            turn = self.queues.turn(user, deadline).await?;
        }
    }
}

impl Commit<'_> {
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
        LastCommit { user: self.user, analyses: self.analyses + 1, day: self.quota.day(), used: self.quota.used + 1 }
    }

    /// How the commit ended, if the refusal says so: an earlier try of it is stored after all,
    /// or a request with the same key was first.
    fn ended(&self, reasons: &Reasons) -> Result<Option<Committed>, Error> {
        if self.is_ours(reasons.found(ANALYSIS).as_ref())? {
            return Ok(Some(self.stored()));
        }
        let keys = self.new.keys.iter().zip(REQUESTS..);
        let mut first = keys.filter_map(|(key, index)| Some(StoredAnswer::read(*key, &reasons.found(index)?)));
        // an answer of this very number may be our own, before its analysis can be read
        let may_be_ours = self.in_doubt && !reasons.refused(ANALYSIS);
        let first = first.next().transpose()?.filter(|first| !may_be_ours || first.number != self.id.number());
        Ok(first.map(Committed::Answered))
    }

    /// Takes stale numbers from the items that came with the refusal, unless they may be stale because this very
    /// commit is being stored; `false` if none was stale.
    fn learn(&mut self, reasons: &Reasons) -> Result<bool, Error> {
        let stale = reasons.refused(ACCOUNT) || reasons.refused(DAY);
        // the analysis there is another one's
        self.in_doubt &= !reasons.refused(ANALYSIS);
        if self.in_doubt {
            return Ok(stale);
        }
        if reasons.refused(ACCOUNT) {
            let account = reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?;
            self.take_account(account)?;
        }
        if reasons.refused(DAY) {
            let day = reasons.found(DAY);
            self.quota.used = day.map_or(Ok(0), |day| day.number("used"))?;
        }
        Ok(stale)
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
        // the analysis there is another one's
        self.in_doubt &= rows.get(tried).is_none();
        if self.in_doubt {
            return Ok(None);
        }
        if let Some(first) = rows.stored_answer(self.new.keys, self.quota.now)? {
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

    fn stored(&self) -> Committed {
        let summary = Summary {
            id: self.id,
            filename: self.new.filename.to_owned(),
            file_size: self.new.file_size,
            file_size_formatted: format_size(self.new.file_size),
            verdict: Some(self.new.verdict),
            analyzed_at: timestamp(self.quota.now),
        };
        Committed::Stored(Recorded {
            summary,
            quota: Quota { used: self.quota.used + 1, ..self.quota },
            tries: self.tries,
        })
    }
}
