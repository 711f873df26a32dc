//! `/docs/{name}`: a guide, a call of the API, or a whole client.

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};

use super::model::{ApiDocument, CLIENT};
use super::{call, guides, samples, shelves};
use crate::analyses::examples;
use crate::app::App;
use crate::layout::Nav;
use crate::session;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let name = call.parameter("name");
    if let Some(page) = examples::page(name, Nav::of(session.as_ref(), "")) {
        return Ok(page);
    }
    let api = ApiDocument::read()?;
    let (title, kind, content) = match guides::guide(name) {
        Some(guide) => (guide.title(), "guide", guide.content()),
        None => of_the_api(api, name)?,
    };
    let content = html! { article.prose.(kind) { h1 { (title) } (content) } };
    Ok(shelves::page(title, Nav::of(session.as_ref(), ""), (api, &format!("/docs/{name}")), &content))
}

fn of_the_api<'a>(api: &'a ApiDocument, name: &str) -> Result<(&'a str, &'static str, Markup), Error> {
    let (title, content) = match (name, api.call(name)) {
        (CLIENT, _) => ("A whole client", client()),
        (_, Some(documented)) => (documented.operation.summary.as_str(), call::reference(api, documented)),
        _ => return Err(Error::NotFound),
    };
    Ok((title, "reference", content))
}

fn client() -> Markup {
    html! {
        p.lead { "Chooses the way by the file's size, shows errors in the API's words, waits as " code { "Retry-After" } " says, and repeats what is safe to repeat." }
        (samples::show(CLIENT))
    }
}
