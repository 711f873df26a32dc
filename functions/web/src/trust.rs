//! `/trust`: the issuers that the account trusts: preview, addition, removal.

mod page;

use lambda_http::http::StatusCode;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::inputs::trust::TrustRequest;
use shared::store::Row;

use self::page::TrustForm;
use crate::app::App;
use crate::forms::text;
use crate::session;

pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found) = session::current_with(&app.store, call, &[Row::Trust]).await?;
    Ok(page::list(&session, &found.issuers()?.records(), &TrustForm::default()))
}

/// `POST /trust`: shows the certificates, and stores them after confirmation.
pub(crate) async fn add(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields) = session::posted(&app.store, call, &[Row::Trust]).await?;
    let (pem, name) = (text(&fields, "pem"), text(&fields, "name"));
    let again = |errors: FieldErrors| -> Result<Reply, Error> {
        let form = TrustForm { pem: pem.to_owned(), name: name.to_owned(), errors };
        Ok(page::list(&session, &found.issuers()?.records(), &form).status(StatusCode::UNPROCESSABLE_ENTITY))
    };
    let request = match TrustRequest::read(&fields) {
        Ok(request) => request,
        Err(Error::Invalid(errors)) => return again(errors),
        Err(error) => return Err(error),
    };
    if text(&fields, "confirmed").is_empty() {
        return Ok(page::preview(&session, &request, pem));
    }
    let TrustRequest { pem, name } = &request;
    let user = session.caller.user;
    match app.store.trust(user, pem, name.as_deref(), call.now, call.deadline()).await {
        Ok(_) => Ok(Reply::see_other("/trust")),
        Err(Error::Invalid(errors)) => again(errors),
        Err(error) => Err(error),
    }
}

pub(crate) async fn remove(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, _) = session::posted(&app.store, call, &[]).await?;
    app.store.distrust(session.caller.user, call.id(), call.deadline()).await?;
    Ok(Reply::see_other("/trust"))
}
