//! Who is calling: bearer token (RFC 6750) to account, in one round trip.

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
    let found = store.read(token.user, &wanted, call.deadline()).await?;

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

/// Answers a method that the path does not allow, to authenticated callers.
///
/// # Errors
/// Always: those of [`caller`], otherwise [`Error::MethodNotAllowed`] with `allowed` for `Allow`.
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
    use super::bearer;

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
