//! Browser sessions: the cookie, and authentication.

use lambda_http::http::header::SET_COOKIE;
use shared::auth::{self, Caller};
use shared::deadline::Deadline;
use shared::error::Error;
use shared::http::{Call, Fields, Reply};
use shared::ids::{SessionId, UserId};
use shared::quota::Day;
use shared::secret::{Csrf, SessionToken};
use shared::store::sessions::LIFETIME;
use shared::store::{Row, Rows, Store};

use crate::origin;

/// The header in which a page's script sends the token of the session.
pub(crate) const CSRF_HEADER: &str = "x-csrf-token";

/// A valid session and its account.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) caller: Caller,
    pub(crate) id: SessionId,
    pub(crate) csrf: Csrf,
}

/// Accounts whose sessions are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AccountScope {
    Open,
    /// Also those that are being deleted, to continue the deletion.
    OpenOrDeleting,
}

impl Session {
    /// # Errors
    /// [`Error::Forbidden`] unless `sent` is the session's CSRF token.
    pub(crate) fn check(&self, sent: Option<&str>) -> Result<(), Error> {
        if sent.is_some_and(|sent| self.csrf.is(sent)) { Ok(()) } else { Err(Error::Forbidden) }
    }

    /// Checks the CSRF token that a script sends.
    pub(crate) fn check_header(&self, call: &Call) -> Result<(), Error> {
        self.check(call.header(CSRF_HEADER))
    }
}

/// The session of the request's cookie, if it is valid.
pub(crate) async fn visitor(store: &Store, call: &mut Call) -> Result<Option<Session>, Error> {
    match current(store, call).await {
        Ok(session) => Ok(Some(session)),
        Err(Error::Unauthenticated) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The session of the request.
///
/// # Errors
/// [`Error::Unauthenticated`] without a valid session of an open account; [`Error::Unavailable`].
pub async fn owner(store: &Store, call: &mut Call) -> Result<UserId, Error> {
    Ok(current(store, call).await?.caller.user)
}

/// The required session.
pub(crate) async fn current(store: &Store, call: &mut Call) -> Result<Session, Error> {
    let (session, _) = current_with(store, call, &[]).await?;
    Ok(session)
}

/// The session, and in the same round trip `rows` of its account.
///
/// # Errors
/// [`Error::Unauthenticated`] without a valid session of an open account.
pub(crate) async fn current_with(store: &Store, call: &mut Call, rows: &[Row]) -> Result<(Session, Rows), Error> {
    read(store, call, AccountScope::Open, rows).await
}

/// A form posted by one of the session's own pages; reads `rows` in the same round trip.
///
/// # Errors
/// [`Error::Forbidden`] if another page posted it, [`Error::Unauthenticated`].
pub(crate) async fn posted(store: &Store, call: &mut Call, rows: &[Row]) -> Result<(Session, Rows, Fields), Error> {
    posted_of(store, call, AccountScope::Open, rows).await
}

/// The same, also of an account that is being deleted.
pub(crate) async fn posted_while_deleting(store: &Store, call: &mut Call) -> Result<(Session, Rows, Fields), Error> {
    posted_of(store, call, AccountScope::OpenOrDeleting, &[]).await
}

/// A form posted by one of the console's pages, with or without a session.
///
/// # Errors
/// [`Error::Forbidden`] if it comes from elsewhere.
pub(crate) async fn posted_by_anybody(store: &Store, call: &mut Call) -> Result<(Option<Session>, Fields), Error> {
    origin::check(call)?;
    let session = visitor(store, call).await?;
    let fields = Fields::form(call)?;
    if let Some(session) = &session {
        session.check(fields.text("csrf"))?;
    }
    Ok((session, fields))
}

/// Begins a session, ends the sessions `ended`, and redirects to `path` with its cookie.
pub(crate) async fn begin(
    store: &Store,
    call: &Call,
    user: UserId,
    generation: u64,
    ended: &[SessionId],
    path: &str,
) -> Result<Reply, Error> {
    let (token, csrf) = (SessionToken::new(user).map_err(Error::internal)?, Csrf::random().map_err(Error::internal)?);
    store.create_session(&token, &csrf, generation, ended, call.now, call.deadline()).await?;
    Ok(Reply::see_other(path).header(SET_COOKIE, cookie(call, &token.reveal(), LIFETIME.num_seconds())))
}

/// Ends the session that the same browser had before.
pub(crate) async fn end_previous(store: &Store, session: Option<Session>, deadline: Deadline) -> Result<(), Error> {
    match session {
        Some(session) => store.delete_session(session.caller.user, session.id, deadline).await,
        None => Ok(()),
    }
}

/// The header that removes the cookie.
pub(crate) fn forget(call: &Call, reply: Reply) -> Reply {
    reply.header(SET_COOKIE, cookie(call, "", 0))
}

async fn posted_of(
    store: &Store,
    call: &mut Call,
    accounts: AccountScope,
    rows: &[Row],
) -> Result<(Session, Rows, Fields), Error> {
    origin::check(call)?;
    let (session, found) = read(store, call, accounts, rows).await?;
    let fields = Fields::form(call)?;
    session.check(fields.text("csrf"))?;
    Ok((session, found, fields))
}

/// The cookie's session and `rows` of its account, in one round trip.
async fn read(store: &Store, call: &mut Call, accounts: AccountScope, rows: &[Row]) -> Result<(Session, Rows), Error> {
    let token = call.cookie(cookie_name(call)).and_then(SessionToken::parse).ok_or(Error::Unauthenticated)?;
    let wanted = [&[Row::Account, Row::Session(token.id), Row::Day(Day::of(call.now))], rows].concat();
    let found = auth::read(store, call, token.user, &wanted).await?;

    let stored = found.session(token.id, call.now)?.filter(|stored| stored.hash.is_of(token.secret()));
    let account = found.account()?.filter(|account| !account.closed || account.deleting);
    let (Some(stored), Some(account)) = (stored, account) else { return Err(Error::Unauthenticated) };
    if stored.generation != account.generation {
        return Err(Error::Unauthenticated);
    }
    let caller = Caller::new(call, token.user, account, &found)?;
    if caller.account.closed && accounts == AccountScope::Open {
        return Err(Error::Unauthenticated);
    }
    Ok((Session { caller, id: token.id, csrf: stored.csrf }, found))
}

/// Over HTTPS the prefix makes the browser refuse a cookie that another host set.
fn cookie_name(call: &Call) -> &'static str {
    if call.is_https() { "__Host-session" } else { "session" }
}

fn cookie(call: &Call, value: &str, seconds: i64) -> String {
    let secure = if call.is_https() { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", cookie_name(call))
}
