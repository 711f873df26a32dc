//! Links to analyses: made, ended, opened. The link is an attribute of its analysis, so that it ends with it; an item
//! of its own leads there from the secret's hash.

mod parts;

pub(super) use parts::with_link;

use std::collections::BTreeMap;
use std::net::IpAddr;

use aws_sdk_dynamodb::types::TransactWriteItem;
use chrono::{DateTime, Utc};

use super::accounts::Account;
use super::analyses::summary;
use super::counters::Counter;
use super::item::Item;
use super::key::{Row, network_key, share_key};
use super::logins::{WINDOW, network};
use super::transact::Reasons;
use super::work::{Learnt, Work};
use super::{Rows, Store};
use crate::analysis::Entry;
use crate::deadline::Deadline;
use crate::error::{Attempts, Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::quota::timestamp;
use crate::secret::{SecretHash, ShareSecret};

/// Links that an account may have at once.
pub const MAX_SHARES: usize = 100;
/// Secrets that lead nowhere, from one network in a window: as many as failed log-ins from an address.
const GUESSES: u64 = 50;
/// Where the transactions' parts are, and so their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

const TOO_MANY: &str = "cannot be shared: 100 links are active, which is the most. End one that is no longer needed";

/// A link, as the row of its analysis has it.
#[derive(Clone, Debug)]
pub struct Share {
    /// SHA-256 of its secret.
    pub(super) hash: SecretHash,
    /// When it was made: ISO 8601, UTC.
    pub since: String,
    /// When it ends by itself, epoch seconds.
    ends: Option<u64>,
    /// Whether an earlier version made it while nobody had confirmed the account's address.
    unconfirmed: bool,
    /// Whether it shows words that the file's pages hide or no longer show.
    pub with_hidden_words: bool,
}

/// A link that is about to be made.
#[derive(Clone, Debug)]
pub struct NewShare {
    /// SHA-256 of its secret.
    pub hash: SecretHash,
    /// Now.
    pub since: DateTime<Utc>,
    /// When it ends by itself.
    pub ends_at: Option<DateTime<Utc>>,
    /// Whether it shows words that the file's pages hide or no longer show.
    pub with_hidden_words: bool,
}

impl Share {
    /// The link in an analysis' row, also one that has ended.
    pub(super) fn read(item: &Item) -> Result<Option<Self>, Error> {
        if !item.has("share_sha256") {
            return Ok(None);
        }
        let hash = item.hash("share_sha256", SecretHash::from_slice)?;
        let ends = item.has("share_ends").then(|| item.number("share_ends")).transpose()?;
        let unconfirmed = item.is_true("share_unconfirmed");
        let with_hidden_words = item.is_true("share_words");
        Ok(Some(Self { hash, since: timestamp(item.instant("shared_at")?), ends, unconfirmed, with_hidden_words }))
    }

    /// When it ends by itself: ISO 8601, UTC.
    #[must_use]
    pub fn ends_at(&self) -> Option<String> {
        let end = i64::try_from(self.ends?).ok()?;
        DateTime::from_timestamp(end, 0).map(timestamp)
    }

    /// Whether it was ended with all links of its account.
    fn is_outdated(&self, number: u64, account: &Account) -> bool {
        !account.shares.contains_key(&number) || (self.unconfirmed && !account.unconfirmed)
    }
}

fn is_to_come(end: u64, now: DateTime<Utc>) -> bool {
    i64::try_from(end).is_ok_and(|end| end > now.timestamp())
}

impl Rows {
    /// The link to this analysis, if its row was read and it has one, also one that has ended.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn stored_share(&self, id: AnalysisId) -> Result<Option<Share>, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(None), Share::read)
    }

    /// The link to this analysis, if its row and its account's were read and it has one that has not ended.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn share(&self, id: AnalysisId, now: DateTime<Utc>) -> Result<Option<Share>, Error> {
        let Some(account) = self.account()? else { return Ok(None) };
        let share = self.stored_share(id)?.filter(|share| share.ends.is_none_or(|end| is_to_come(end, now)));
        Ok(share.filter(|share| !share.is_outdated(id.number(), &account)))
    }

    /// The links among the analyses' rows that were ended with all of the account.
    pub(super) fn ended_shares(&self, account: &Account) -> Result<Vec<(AnalysisId, Share)>, Error> {
        let shared = self.iter().map(|item| Ok(Share::read(item)?.map(|share| (item, share))));
        let shared = shared.filter_map(Result::transpose).collect::<Result<Vec<_>, Error>>()?.into_iter();
        let shared = shared.map(|(item, share)| Ok((summary(item)?.id, share))).collect::<Result<Vec<_>, Error>>()?;
        Ok(shared.into_iter().filter(|(id, share)| share.is_outdated(id.number(), account)).collect())
    }
}

/// The change of an analysis' link, and what it believes the table to hold.
struct LinkChange<'a> {
    user: UserId,
    id: AnalysisId,
    share: Option<Share>,
    account: Account,
    /// The link that it gets; none if it is to have none.
    new: Option<&'a NewShare>,
}

impl LinkChange<'_> {
    /// The account's links with a `new` one, if it has room for that: those that have ended by themselves make it.
    fn counted(&self, new: &NewShare) -> Result<BTreeMap<u64, u64>, Error> {
        let mut links = self.account.shares.clone();
        links.insert(self.id.number(), new.ends_at.map_or(0, |end| end.timestamp().unsigned_abs()));
        if links.len() > MAX_SHARES {
            links.retain(|_, end| *end == 0 || is_to_come(*end, new.since));
        }
        if links.len() > MAX_SHARES { Err(Error::Invalid(FieldErrors::one("id", TOO_MANY))) } else { Ok(links) }
    }
}

impl Work for LinkChange<'_> {
    type End = ();

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, ()), Error> {
        let items = match self.new {
            Some(new) => store.sharing(self, new, &self.counted(new)?)?,
            None => store.unsharing(self, self.share.as_ref().ok_or(Error::NotFound)?)?,
        };
        Ok((items, ()))
    }

    fn learn(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<Learnt<()>, Error> {
        if reasons.refused(ANALYSIS) {
            let there = reasons.found(ANALYSIS).filter(|item| summary(item).is_ok_and(|row| row.id == self.id));
            self.share = Share::read(&there.ok_or(Error::NotFound)?)?;
            // whether an earlier try has left it so
            let is_ours = match (&self.share, self.new) {
                (Some(share), Some(new)) => share.hash == new.hash,
                (None, None) => answer_lost,
                _ => false,
            };
            if is_ours {
                return Ok(Learnt::End(()));
            }
        }
        if reasons.refused(ACCOUNT) {
            let account = Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
            if account.token_generation != self.account.token_generation {
                // who asked for this may have come by a token that has ended meanwhile
                return Err(Error::Unauthenticated);
            }
            self.account = account;
        }
        Ok(if reasons.refused(ANALYSIS) || reasons.refused(ACCOUNT) { Learnt::News } else { Learnt::Nothing })
    }
}

impl Store {
    /// Gives the analysis a link; one that it has ends with that. `account` and `share` are what authentication read.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the analysis is not there; [`Error::Invalid`] at [`MAX_SHARES`];
    /// [`Error::Unauthenticated`] if the account was closed meanwhile; [`Error::Unavailable`].
    pub async fn share_analysis(
        &self,
        (user, account): (UserId, &Account),
        (id, share): (AnalysisId, Option<Share>),
        new: &NewShare,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let change = LinkChange { user, id, share, account: account.clone(), new: Some(new) };
        self.carry_out(Some(user), change, deadline).await
    }

    /// Ends the link to an analysis, which has one. If another one was made meanwhile, that is ended.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the analysis is not there or has none any more; [`Error::Unauthenticated`] if the account
    /// was closed meanwhile; [`Error::Unavailable`].
    pub async fn end_share(
        &self,
        (user, account): (UserId, &Account),
        (id, share): (AnalysisId, Share),
        deadline: Deadline,
    ) -> Result<(), Error> {
        let change = LinkChange { user, id, share: Some(share), account: account.clone(), new: None };
        self.carry_out(Some(user), change, deadline).await
    }

    /// The analysis that a link leads to, and that link. A secret that leads nowhere counts as a guess from `address`, if there
    /// is one, and beyond the limit only those are refused: a link that is good leads where it does from everywhere.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such link, it has ended, or its analysis or account is gone or closed;
    /// [`Error::TooMany`] after too many guesses; [`Error::Unavailable`].
    pub async fn shared_analysis(
        &self,
        secret: &ShareSecret,
        address: Option<IpAddr>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<(Entry, Share), Error> {
        let guesses = address.map(network).map(|network| {
            Counter::new(WINDOW, GUESSES, now, |window| network_key(&network, &format!("SHARE#{window}")))
        });
        let hash = secret.hash();
        let keys = guesses.iter().map(|guesses| guesses.key().clone()).chain([share_key(&hash)]);
        let found = self.read_keys(keys.collect(), deadline).await?;
        let lead = found.iter().find(|item| item.is_at(&share_key(&hash)));
        if let Some(lead) = lead
            && let Some(shared) = self.led_to(lead, &hash, now, deadline).await?
        {
            return Ok(shared);
        }
        if let Some(guesses) = guesses {
            if guesses.is_full(&found)? {
                return Err(guesses.refusal(Attempts::Links));
            }
            self.count_in(&[guesses], Attempts::Links, deadline).await?;
        }
        Err(Error::NotFound)
    }

    /// The analysis that `lead` names, if its account is open and it still has this link.
    async fn led_to(
        &self,
        lead: &Item,
        hash: &SecretHash,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<Option<(Entry, Share)>, Error> {
        let user = lead.id("user", UserId::parse)?;
        let number = lead.number("number")?;
        let rows = [Row::Account, Row::Analysis(number), Row::Metadata(number)];
        let found = self.read(user, &rows, deadline).await?;
        if found.account()?.is_none_or(|account| account.closed) {
            return Ok(None);
        }
        let Some(entry) = found.entry_numbered(number)? else { return Ok(None) };
        let share = found.share(entry.id(), now)?.filter(|share| share.hash == *hash);
        Ok(share.map(|share| (entry.for_others(), share)))
    }
}
