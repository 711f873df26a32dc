//! Browser sessions: the cookie, and whose request it is.

use lambda_http::http::header::SET_COOKIE;
use shared::auth::Caller;
use shared::error::{Cause, Error};
use shared::http::{Call, Fields, Reply};
use shared::ids::{SessionId, UserId};
use shared::quota::Day;
use shared::secret::{Csrf, SessionToken};
use shared::store::sessions::LIFETIME;
use shared::store::{Row, Rows};

use crate::{App, origin};

/// Where a page's script puts the CSRF token.
const CSRF_HEADER: &str = "x-csrf-token";

/// A session that is alive, and its account.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) caller: Caller,
    pub(crate) id: SessionId,
    pub(crate) csrf: Csrf,
}

impl App {
    /// The session of the request's cookie, if it is alive.
    pub(crate) async fn visitor(&self, call: &mut Call) -> Result<Option<Session>, Error> {
        match self.session(call).await {
            Ok(session) => Ok(Some(session)),
            Err(Error::Unauthenticated) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The session, which has to be there.
    pub(crate) async fn session(&self, call: &mut Call) -> Result<Session, Error> {
        let (session, _) = self.session_with(call, &[]).await?;
        Ok(session)
    }

    /// The session, and in the same round trip `rows` of its account.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] without a session that is alive, of an open account.
    pub(crate) async fn session_with(&self, call: &mut Call, rows: &[Row]) -> Result<(Session, Rows), Error> {
        let (session, found) = self.any_session_with(call, rows).await?;
        if session.caller.account.closed {
            return Err(Error::Unauthenticated);
        }
        Ok((session, found))
    }

    /// The same, also of an account that is being deleted.
    pub(crate) async fn any_session_with(&self, call: &mut Call, rows: &[Row]) -> Result<(Session, Rows), Error> {
        let token = call.cookie(cookie_name(call)).and_then(SessionToken::parse).ok_or(Error::Unauthenticated)?;
        let wanted = [&[Row::Account, Row::Session(token.id), Row::Day(Day::of(call.now))], rows].concat();
        let found = self.store.read(token.user, &wanted, call.deadline()).await?;

        let stored = found.session(token.id, call.now)?.filter(|stored| stored.hash.is_of(token.secret()));
        let account = found.account()?.filter(|account| !account.closed || account.deleting);
        let (Some(stored), Some(account)) = (stored, account) else { return Err(Error::Unauthenticated) };
        if stored.generation != account.generation {
            return Err(Error::Unauthenticated);
        }
        let caller = Caller::new(call, token.user, account, &found)?;
        Ok((Session { caller, id: token.id, csrf: stored.csrf }, found))
    }

    /// A form that one of the session's own pages posted, and `rows` read along.
    ///
    /// # Errors
    /// [`Error::Forbidden`] if it comes from elsewhere, [`Error::Unauthenticated`].
    pub(crate) async fn posted(&self, call: &mut Call, rows: &[Row]) -> Result<(Session, Rows, Fields), Error> {
        origin::check(call)?;
        let (session, found) = self.session_with(call, rows).await?;
        let fields = Fields::form(call)?;
        session.check(fields.text("csrf"))?;
        Ok((session, found, fields))
    }

    /// A form that one of the console's pages posted, with or without a session.
    ///
    /// # Errors
    /// [`Error::Forbidden`] if it comes from elsewhere.
    pub(crate) async fn posted_by_anybody(&self, call: &mut Call) -> Result<(Option<Session>, Fields), Error> {
        origin::check(call)?;
        let session = self.visitor(call).await?;
        let fields = Fields::form(call)?;
        if let Some(session) = &session {
            session.check(fields.text("csrf"))?;
        }
        Ok((session, fields))
    }

    /// Begins a session and goes on to `path` with its cookie.
    pub(crate) async fn begin_session(
        &self,
        call: &Call,
        user: UserId,
        generation: u64,
        path: &str,
    ) -> Result<Reply, Error> {
        let failed = |error| Error::Internal(Cause::of(&error));
        let (token, csrf) = (SessionToken::new(user).map_err(failed)?, Csrf::random().map_err(failed)?);
        self.store.create_session(&token, &csrf, generation, call.now, call.deadline()).await?;
        Ok(Reply::see_other(path).header(SET_COOKIE, cookie(call, &token.reveal(), LIFETIME.num_seconds())))
    }
}

impl Session {
    /// # Errors
    /// [`Error::Forbidden`] unless `sent` is the session's CSRF token.
    pub(crate) fn check(&self, sent: Option<&str>) -> Result<(), Error> {
        if sent.is_some_and(|sent| self.csrf.is(sent)) { Ok(()) } else { Err(Error::Forbidden) }
    }

    /// Checks the token that a script sends.
    pub(crate) fn check_header(&self, call: &Call) -> Result<(), Error> {
        self.check(call.header(CSRF_HEADER))
    }
}

/// The header that takes the cookie away.
pub(crate) fn forget(call: &Call, reply: Reply) -> Reply {
    reply.header(SET_COOKIE, cookie(call, "", 0))
}

/// Over HTTPS the prefix makes the browser refuse a cookie that another host set.
fn cookie_name(call: &Call) -> &'static str {
    if call.is_https() { "__Host-session" } else { "session" }
}

fn cookie(call: &Call, value: &str, seconds: i64) -> String {
    let secure = if call.is_https() { "; Secure" } else { "" };
    format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", cookie_name(call))
}
