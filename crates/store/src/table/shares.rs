//! Links to analyses: creation, end, use. The link is an attribute of its analysis, so that it is deleted with it; an
//! index item by the secret's hash points to the analysis.

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
use super::retry::{RefusalOutcome, RetriedTransaction};
use super::transact::Reasons;
use super::{Rows, Store};
use crate::analysis::Entry;
use crate::deadline::Deadline;
use crate::error::{Attempts, Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::quota::timestamp;
use crate::secret::{SecretHash, ShareSecret};

/// Active links per account.
pub const MAX_SHARES: usize = 100;
/// Invalid secrets per network and window: the same limit as of failed log-ins.
const MAX_GUESSES: u64 = 50;
/// Positions of the transactions' items, and so of their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

const TOO_MANY_LINKS: &str =
    "cannot be shared: 100 links are active, which is the most. End one that is no longer needed";

/// A link, as stored in the row of its analysis.
#[derive(Clone, Debug)]
pub struct Share {
    /// SHA-256 of its secret.
    pub(super) hash: SecretHash,
    /// Creation time: ISO 8601, UTC.
    pub since: String,
    /// Expiry, epoch seconds.
    ends: Option<u64>,
    /// Whether an earlier version created it while the account's address was unconfirmed.
    unconfirmed: bool,
    /// Whether it shows words that the file's pages hide or no longer show.
    pub with_hidden_words: bool,
}

/// A link to be created.
#[derive(Clone, Debug)]
pub struct NewShare {
    /// SHA-256 of its secret.
    pub hash: SecretHash,
    /// Now.
    pub since: DateTime<Utc>,
    /// Expiry.
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

    /// Expiry: ISO 8601, UTC.
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

    /// The links in the analyses' rows that ended together with all links of the account.
    pub(super) fn ended_shares(&self, account: &Account) -> Result<Vec<(AnalysisId, Share)>, Error> {
        let shared = self.iter().map(|item| Ok(Share::read(item)?.map(|share| (item, share))));
        let shared = shared.filter_map(Result::transpose).collect::<Result<Vec<_>, Error>>()?.into_iter();
        let shared = shared.map(|(item, share)| Ok((summary(item)?.id, share))).collect::<Result<Vec<_>, Error>>()?;
        Ok(shared.into_iter().filter(|(id, share)| share.is_outdated(id.number(), account)).collect())
    }
}

/// The change of an analysis' link, from the last known state of the table.
struct LinkChange<'a> {
    user: UserId,
    id: AnalysisId,
    share: Option<Share>,
    account: Account,
    /// The new link; `None` removes it.
    new: Option<&'a NewShare>,
}

impl LinkChange<'_> {
    /// The account's links with a `new` one, unless they are at the limit; expired ones are dropped.
    fn counted(&self, new: &NewShare) -> Result<BTreeMap<u64, u64>, Error> {
        let mut links = self.account.shares.clone();
        links.insert(self.id.number(), new.ends_at.map_or(0, |end| end.timestamp().unsigned_abs()));
        if links.len() > MAX_SHARES {
            links.retain(|_, end| *end == 0 || is_to_come(*end, new.since));
        }
        if links.len() > MAX_SHARES { Err(Error::Invalid(FieldErrors::one("id", TOO_MANY_LINKS))) } else { Ok(links) }
    }
}

impl RetriedTransaction for LinkChange<'_> {
    type End = ();

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, ()), Error> {
        let items = match self.new {
            Some(new) => store.sharing(self, new, &self.counted(new)?)?,
            None => store.unsharing(self, self.share.as_ref().ok_or(Error::NotFound)?)?,
        };
        Ok((items, ()))
    }

    fn apply_refusal(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<RefusalOutcome<()>, Error> {
        if reasons.refused(ANALYSIS) {
            let there = reasons.found(ANALYSIS).filter(|item| summary(item).is_ok_and(|row| row.id == self.id));
            self.share = Share::read(&there.ok_or(Error::NotFound)?)?;
            // set by an earlier attempt
            let is_ours = match (&self.share, self.new) {
                (Some(share), Some(new)) => share.hash == new.hash,
                (None, None) => answer_lost,
                _ => false,
            };
            if is_ours {
                return Ok(RefusalOutcome::End(()));
            }
        }
        if reasons.refused(ACCOUNT) {
            let account = Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
            if account.token_generation != self.account.token_generation {
                // the request may have been authenticated by a token that has ended since
                return Err(Error::Unauthenticated);
            }
            self.account = account;
        }
        Ok(if reasons.refused(ANALYSIS) || reasons.refused(ACCOUNT) {
            RefusalOutcome::Changed
        } else {
            RefusalOutcome::Nothing
        })
    }
}

impl Store {
    /// Creates a link to the analysis, which replaces an existing one. `account` and `share` are as authentication read
    /// them.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the analysis does not exist; [`Error::Invalid`] at [`MAX_SHARES`];
    /// [`Error::Unauthenticated`] if the account was closed meanwhile; [`Error::Unavailable`].
    pub async fn share_analysis(
        &self,
        (user, account): (UserId, &Account),
        (id, share): (AnalysisId, Option<Share>),
        new: &NewShare,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let change = LinkChange { user, id, share, account: account.clone(), new: Some(new) };
        self.run_transaction(Some(user), change, deadline).await
    }

    /// Ends the link to an analysis, also one that replaced it concurrently.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the analysis does not exist or has no link any more; [`Error::Unauthenticated`] if the
    /// account was closed meanwhile; [`Error::Unavailable`].
    pub async fn end_share(
        &self,
        (user, account): (UserId, &Account),
        (id, share): (AnalysisId, Share),
        deadline: Deadline,
    ) -> Result<(), Error> {
        let change = LinkChange { user, id, share: Some(share), account: account.clone(), new: None };
        self.run_transaction(Some(user), change, deadline).await
    }

    /// The analysis of a link, and the link. An invalid secret counts as a guess from `address`, if known; beyond the
    /// limit only invalid secrets are refused, so that valid links keep working.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such link, it has ended, or its analysis or account is deleted or closed;
    /// [`Error::TooMany`] after too many guesses; [`Error::Unavailable`].
    pub async fn shared_analysis(
        &self,
        secret: &ShareSecret,
        address: Option<IpAddr>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<(Entry, Share), Error> {
        let guesses = address.map(network).map(|network| {
            Counter::new(WINDOW, MAX_GUESSES, now, |window| network_key(&network, &format!("SHARE#{window}")))
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

    /// The analysis that the index item names, if its account is open and it still has this link.
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
