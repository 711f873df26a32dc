//! The commit of an analysis: counter and analysis together, or neither. Analyses of the account that wait for their turn
//! are taken along.

mod member;
mod parts;
pub(super) mod queues;
mod room;

use std::mem;
use std::sync::Arc;

use engine::Verdict;
use serde_json::value::RawValue;

use super::Store;
use super::accounts::Account;
use super::analyses::summary;
use super::backoff::Backoff;
use super::idempotency::StoredAnswer;
use super::item::Item;
use super::key::Row;
use super::transact::{Reasons, Tried};
use crate::analysis::Summary;
use crate::deadline::Deadline;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::file_hash::FileHash;
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::{UploadId, UserId};
use crate::quota::Quota;
use member::Member;
use queues::{Entered, LastCommit, Turn, Waiting};
use room::Room;

/// An analysis that is about to be stored.
#[derive(Clone, Debug)]
pub struct NewAnalysis {
    /// The cleaned name.
    pub filename: String,
    /// Bytes.
    pub file_size: u64,
    /// The metadata, as it will be answered for ever.
    pub metadata: Box<RawValue>,
    /// What it says of changes, for the list.
    pub verdict: Verdict,
    /// The hash of its file, if it is known: what leads there from others of the same file.
    pub file: Option<FileHash>,
    /// The document it is a version of, if that can be told: what leads there from others.
    pub document: Option<DocumentKey>,
    /// What else there was of both, as it will be answered for ever.
    pub seen: Box<RawValue>,
    /// Under which keys the answer is kept for repeats: none, one or two.
    pub keys: Vec<RequestKey>,
    /// The staged upload that it is of: its ticket is no longer open.
    pub upload: Option<UploadId>,
    /// What a repeat has to be about.
    pub fingerprint: Fingerprint,
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
    /// This request's analysis. Its number follows `analyses`.
    own: Member,
    /// Those that are taken along, with the numbers after it. They part when the table refuses: what it has
    /// refused is for each to find out.
    others: Vec<Waiting>,
    /// The counters as last seen.
    quota: Quota,
    /// The account's newest number as last seen.
    analyses: u64,
    /// Whether a try with these very numbers may be stored, or be on its way to the table just now. Until
    /// that is known they stay, and so do the others: with other numbers, the same analysis could be stored and
    /// counted twice.
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
        new: NewAnalysis,
        deadline: Deadline,
    ) -> Result<Committed, Error> {
        let analyses = account.numbering.given();
        let own = Member::new(Arc::new(new), quota, analyses + 1);
        let turn = match self.queues.enter(user, &own, deadline).await? {
            Entered::Turn(turn) => turn,
            Entered::TakenAlong(recorded) => return Ok(Committed::Stored(recorded)),
        };
        let others = Vec::new();
        let mut commit = Commit { store: self, user, own, others, quota, analyses, in_doubt: false, tries: 0 };
        commit.catch_up(turn.left());
        let mut room = Room::beside(&commit.own, &commit.quota);
        commit.others = turn.take_along(user, |member| room.takes(member));
        commit.number(commit.analyses);
        let ended = commit.carry_out(turn, deadline).await;
        commit.part();
        ended
    }
}

impl<'a> Commit<'a> {
    /// Sends the transaction until it is known how it ends, in the account's turn.
    async fn carry_out(&mut self, mut turn: Turn<'a>, deadline: Deadline) -> Result<Committed, Error> {
        let mut backoff = Backoff::until(deadline);
        let mut outrun = false;
        loop {
            if self.quota.remaining() == 0 {
                return Err(Error::DailyLimitExceeded);
            }
            self.tries += 1;
            let sent = self.store.transact(self.items()?, deadline).await;
            // nobody has answered until the deadline
            self.in_doubt |= matches!(sent, Err(Error::Unavailable(_)));
            let cause = match sent? {
                Tried::Stored => {
                    turn.leave(self.left());
                    return Ok(self.stored());
                }
                Tried::Refused(reasons) => {
                    if let Some(committed) = self.ended(&reasons)? {
                        return Ok(committed);
                    }
                    let stale = self.learn(&reasons)?;
                    let parted = self.part();
                    if !stale && !parted && !reasons.passing() && !self.in_doubt {
                        return Err(Error::Internal(reasons.cause()));
                    }
                    let at_once = (stale && !outrun) || (parted && !reasons.passing());
                    if at_once && !self.in_doubt {
                        // what the table holds came with the refusal: try again at once, without a read
                        outrun |= stale;
                        continue;
                    }
                    // a crowd on one account: spread out, then look again. Others of this process go first
                    drop(turn);
                    backoff.wait(|| reasons.cause()).await?;
                    turn = self.store.queues.turn(self.user, deadline).await?;
                    if let Some(committed) = self.read_again(deadline).await? {
                        return Ok(committed);
                    }
                    self.part();
                    continue;
                }
                // the same numbers again: either they are still free or the analysis there is ours
                Tried::Unknown(cause) => cause,
            };
            self.in_doubt = true;
            drop(turn);
            backoff.wait(|| cause).await?;
            turn = self.store.queues.turn(self.user, deadline).await?;
        }
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

    /// The analyses that it stores.
    fn count(&self) -> u64 {
        1 + self.others.len() as u64
    }

    /// What a commit that is stored leaves.
    fn left(&self) -> LastCommit {
        LastCommit {
            user: self.user,
            analyses: self.analyses + self.count(),
            day: self.quota.day(),
            used: self.quota.used + self.count(),
        }
    }

    /// Lets the others go on alone, unless what became of them is not known; whether there were any.
    fn part(&mut self) -> bool {
        if self.in_doubt || self.others.is_empty() {
            return false;
        }
        for other in mem::take(&mut self.others) {
            other.ends_alone();
        }
        true
    }

    /// How the commit ended, if the refusal says so: an earlier try of it is stored after all,
    /// or a request with the same key was first.
    fn ended(&mut self, reasons: &Reasons) -> Result<Option<Committed>, Error> {
        if self.is_ours(reasons.found(ANALYSIS).as_ref())? {
            return Ok(Some(self.stored()));
        }
        let keys = self.own.new.keys.iter().zip(REQUESTS..);
        let mut first = keys.filter_map(|(key, index)| Some(StoredAnswer::read(*key, &reasons.found(index)?)));
        // an answer of this very number may be our own, before its analysis can be read
        let may_be_ours = self.in_doubt && !reasons.refused(ANALYSIS);
        let first = first.next().transpose()?.filter(|first| !may_be_ours || first.number != self.own.id.number());
        // where another's answer is kept, no try of this commit is stored or will be
        self.in_doubt &= first.is_none();
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
        let tried = Row::Analysis(self.own.id.number());
        let requests = self.own.new.keys.iter().map(|key| Row::Request(*key));
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
        if let Some(first) = rows.stored_answer(&self.own.new.keys, self.quota.now)? {
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

    /// Makes them the analyses after the first `analyses`.
    fn number(&mut self, analyses: u64) {
        self.analyses = analyses;
        let members = std::iter::once(&mut self.own).chain(self.others.iter_mut().map(|other| &mut other.member));
        for (member, number) in members.zip(analyses + 1..) {
            member.id = member.id.renumbered(number);
        }
    }

    fn is_ours(&self, analysis: Option<&Item>) -> Result<bool, Error> {
        analysis.map_or(Ok(false), |item| Ok(summary(item)?.id == self.own.id))
    }

    /// What this request is told, once the others are told that they are stored as well.
    fn stored(&mut self) -> Committed {
        let recorded = |member: &Member, quota: Quota, place: u64| {
            let quota = Quota { limit: self.quota.limit, used: self.quota.used + place, ..quota };
            Recorded { summary: member.summary(), quota, tries: self.tries }
        };
        for (other, place) in mem::take(&mut self.others).into_iter().zip(2..) {
            let answer = recorded(&other.member, other.member.quota, place);
            other.ends_stored(answer);
        }
        Committed::Stored(recorded(&self.own, self.quota, 1))
    }
}
