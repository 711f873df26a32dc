//! `/tokens`: lists, creates and revokes the account's API tokens.

mod page;

use lambda_http::http::StatusCode;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::ids::TokenId;
use shared::inputs::token::TokenRequest;
use shared::store::Row;
use shared::use_cases::create_token::create_token;

use self::page::TokenForm;
use crate::app::App;
use crate::forms::text;
use crate::session::{self, Session};

pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    list_with(app, call, &session, TokenForm::default()).await
}

pub(crate) async fn create(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, fields) = session::posted(&app.store, call, &[]).await?;
    let entered = text(&fields, "name");
    let refused = |errors: FieldErrors| TokenForm { name: entered.to_owned(), errors };
    let request = match TokenRequest::read(&fields) {
        Ok(request) => request,
        Err(Error::Invalid(errors)) => return list_with(app, call, &session, refused(errors)).await,
        Err(error) => return Err(error),
    };
    // the form has the id of the token that it creates, so that a reload creates no second one
    let id = TokenId::parse(text(&fields, "id")).unwrap_or_else(|| TokenId::new(call.now));
    let reason = match create_token(&app.store, &session.caller, id, &request, call.deadline()).await {
        Ok((record, token)) => return Ok(page::created(&session, &record, &token, &app.mailer.origin(call))),
        Err(Error::IdempotencyKeyReused) => return Ok(page::created_before(&session)),
        Err(Error::TokenLimitReached) => "cannot be taken: 100 tokens are the most, revoke one first",
        Err(Error::Unconfirmed(_)) => "cannot be taken: confirm your e-mail address first",
        Err(error) => return Err(error),
    };
    list_with(app, call, &session, refused(FieldErrors::one("name", reason))).await
}

pub(crate) async fn revoke(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let id = TokenId::parse(call.id());
    let rows: Vec<_> = id.map(Row::Token).into_iter().collect();
    let (session, found, _) = session::posted(&app.store, call, &rows).await?;
    let id = id.ok_or(Error::NotFound)?;
    let Session { caller, .. } = &session;
    let token = found.token(id)?.filter(|token| !token.is_outdated(&caller.account)).ok_or(Error::NotFound)?;
    app.store.revoke_token(caller.user, &caller.account, &token, call.deadline()).await?;
    Ok(Reply::see_other("/tokens"))
}

/// `POST /tokens/end`: revokes all tokens.
pub(crate) async fn end_all(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, _) = session::posted(&app.store, call, &[]).await?;
    app.store.end_all_tokens(session.caller.user, call.deadline()).await?;
    Ok(Reply::see_other("/tokens"))
}

async fn list_with(app: &App, call: &Call, session: &Session, draft: TokenForm) -> Result<Reply, Error> {
    let tokens = app.store.tokens(session.caller.user, call.deadline()).await?.of(&session.caller.account)?;
    let good = draft.errors.is_empty();
    let status = if good { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(page::list(session, &tokens, TokenId::new(call.now), &draft).status(status))
}
