//! Who is calling: bearer token (RFC 6750) to account, in one round trip.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::{Error, Restricted};
use crate::http::{Call, Reply};
use crate::ids::UserId;
use crate::quota::{Day, Quota};
use crate::secret::ApiToken;
use crate::store::accounts::Account;
use crate::store::idempotency::StoredAnswer;
use crate::store::tokens::StoredToken;
use crate::store::{Row, Rows, Store};

/// An authenticated account, as one strongly consistent read found it.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account's id: the only partition that this request may touch.
    pub user: UserId,
    /// The account.
    pub account: Account,
    /// Today's quota.
    pub quota: Quota,
    /// The bearer token; `None` in a session.
    pub token: Option<StoredToken>,
}

impl Caller {
    /// The account's owner, with today's quota from the items `found` with the account. Both are recorded in the call.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn new(call: &mut Call, user: UserId, account: Account, found: &Rows) -> Result<Self, Error> {
        let (used, failed) = found.counts(Day::of(call.now))?;
        let quota = Quota { limit: account.daily_limit, used, failed, now: call.now };
        call.quota = Some(quota);
        call.user = Some(user);
        Ok(Self { user, account, quota, token: None })
    }

    /// Checks that the caller may still use this number of `checks` today. A repeat, which has a `first` answer, costs
    /// nothing and is always allowed.
    ///
    /// # Errors
    /// [`Error::Unconfirmed`], [`Error::DailyLimitExceeded`], [`Error::RateLimited`].
    pub fn admit(&self, first: Option<&StoredAnswer>, checks: u64) -> Result<(), Error> {
        if first.is_some() {
            return Ok(());
        }
        if self.account.waiting {
            return Err(Error::Unconfirmed(Restricted::Analysis));
        }
        if self.quota.remaining() < checks {
            return Err(Error::DailyLimitExceeded { remaining: self.quota.remaining() });
        }
        if self.quota.failures_exhausted() {
            return Err(Error::RateLimited);
        }
        Ok(())
    }
}

/// The caller.
///
/// # Errors
/// [`Error::Unauthenticated`] for a missing, malformed, unknown, revoked or expired token or a closed
/// account; [`Error::Unavailable`].
pub async fn caller(store: &Store, call: &mut Call) -> Result<Caller, Error> {
    let (caller, _) = caller_with(store, call, &[]).await?;
    Ok(caller)
}

/// The caller, and in the same round trip `rows` of the caller's own.
///
/// # Errors
/// As [`caller`].
pub async fn caller_with(store: &Store, call: &mut Call, rows: &[Row]) -> Result<(Caller, Rows), Error> {
    let token = token(call)?;
    let mut wanted = vec![Row::Account, Row::Token(token.id), Row::Day(Day::of(call.now))];
    wanted.extend(rows.iter().filter(|row| **row != Row::Token(token.id)));
    let found = read(store, call, token.user, &wanted).await?;

    let stored = found.token(token.id)?.filter(|stored| stored.hash.is_of(token.secret()));
    let account = Account::open(found.account()?)?;
    let stored = stored.ok_or(Error::Unauthenticated)?;
    if stored.has_ended(&account, call.now) {
        if !stored.is_outdated(&account) {
            store.remove_ended_token(token.user, &stored, call.deadline()).await;
        }
        return Err(Error::Unauthenticated);
    }
    if stored.is_stale(call.now) {
        store.touch_token(token.user, token.id, call.now).await;
    }

    let caller = Caller::new(call, token.user, account, &found)?;
    Ok((Caller { token: Some(stored), ..caller }, found))
}

/// Extension of a request whose sender the platform identifies before it reads the body: what that read of the table
/// found is used by the function, too.
#[derive(Clone, Debug, Default)]
pub struct SenderRows(Arc<Mutex<SenderRead>>);

/// The read of the sender.
#[derive(Debug, Default)]
enum SenderRead {
    /// It has not been made yet.
    #[default]
    Pending,
    Found {
        user: UserId,
        wanted: Vec<Row>,
        rows: Rows,
        at: Instant,
    },
    /// The function has used it, or could not.
    Used,
}

/// Maximum age of a sender's rows that were read before the body: the token may be revoked while a large body arrives.
const SENDER_READ_USE: Duration = Duration::from_secs(5);

impl SenderRows {
    /// Takes the rows that were read, if they are complete and recent. They are used once.
    fn take(&self, user: UserId, wanted: &[Row]) -> Option<Rows> {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*read, SenderRead::Pending) {
            return None;
        }
        match std::mem::replace(&mut *read, SenderRead::Used) {
            SenderRead::Found { user: sender, wanted: found, rows, at } => {
                let covers = sender == user && wanted.iter().all(|row| found.contains(row));
                (covers && at.elapsed() <= SENDER_READ_USE).then_some(rows)
            }
            SenderRead::Pending | SenderRead::Used => None,
        }
    }

    /// Keeps the rows of the first read.
    fn keep(&self, user: UserId, wanted: &[Row], rows: &Rows, at: Instant) {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*read, SenderRead::Pending) {
            *read = SenderRead::Found { user, wanted: wanted.to_vec(), rows: rows.clone(), at };
        }
    }
}

/// The rows that authenticate a call, and others of the same account: from the table or, if the platform has just read
/// them, from there.
///
/// # Errors
/// [`Error::Unavailable`] when the table does not answer.
pub async fn read(store: &Store, call: &Call, user: UserId, wanted: &[Row]) -> Result<Rows, Error> {
    let sender: Option<SenderRows> = call.extension();
    if let Some(rows) = sender.as_ref().and_then(|sender| sender.take(user, wanted)) {
        return Ok(rows);
    }
    let at = Instant::now();
    let rows = store.read(user, wanted, call.deadline()).await?;
    if let Some(sender) = sender {
        sender.keep(user, wanted, &rows, at);
    }
    Ok(rows)
}

/// Answers a method that the path does not allow, to authenticated callers.
///
/// # Errors
/// Always: the errors of [`caller`], otherwise [`Error::MethodNotAllowed`] with `allowed` for `Allow`.
pub async fn refuse_method(store: &Store, call: &mut Call, allowed: &'static str) -> Result<Reply, Error> {
    caller(store, call).await?;
    Err(Error::MethodNotAllowed(allowed))
}

/// The token that the request carries, not yet checked against the table: `Bearer` in any case, one or more spaces, one
/// token.
///
/// # Errors
/// [`Error::Unauthenticated`] unless it is present and well-formed.
pub fn token(call: &Call) -> Result<ApiToken, Error> {
    call.header("authorization").and_then(bearer).and_then(ApiToken::parse).ok_or(Error::Unauthenticated)
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, rest) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| rest.trim_start_matches(' '))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, advance};

    use super::{SenderRows, bearer};
    use crate::ids::UserId;
    use crate::store::{Row, Rows};

    #[tokio::test(start_paused = true)]
    async fn what_was_read_of_a_sender_is_used_once_and_soon_and_for_no_other() {
        let (ada, bob) = (UserId::random(), UserId::random());
        let found = || {
            let sender = SenderRows::default();
            assert!(sender.take(ada, &[]).is_none(), "nothing was read yet");
            sender.keep(ada, &[Row::Account, Row::Trust], &Rows::default(), Instant::now());
            sender
        };
        let sender = found();
        assert!(sender.take(ada, &[Row::Account]).is_some());
        assert!(sender.take(ada, &[Row::Account]).is_none(), "it was used");
        sender.keep(ada, &[Row::Account], &Rows::default(), Instant::now());
        assert!(sender.take(ada, &[Row::Account]).is_none(), "a later read is not the sender's");
        assert!(found().take(bob, &[Row::Account]).is_none());
        assert!(found().take(ada, &[Row::Account, Row::Analysis(1)]).is_none(), "a row was not read");
        let sender = found();
        advance(Duration::from_secs(6)).await;
        assert!(sender.take(ada, &[Row::Account]).is_none(), "a token may have been revoked");
    }

    #[test]
    fn the_scheme_is_read_in_any_case_with_one_or_more_spaces() {
        for good in ["Bearer t", "bearer t", "BEARER   t"] {
            assert_eq!(bearer(good), Some("t"), "{good}");
        }
        for bad in ["", "t", "Bearer", "Bearert", "Basic t", "Bearer\tt"] {
            assert_eq!(bearer(bad), None, "{bad}");
        }
        assert_eq!(bearer("Bearer t u"), Some("t u"));
    }
}
