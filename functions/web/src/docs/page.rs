//! `/docs/{name}`: a guide, a call of the API, or a complete client.

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};

use super::samples::{self, CLIENT};
use super::{guides, shelves};
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
    let (title, content) = match (guides::guide(name), guides::call(name)) {
        (Some(guide), _) => (guide.title(), guide.content()),
        (_, Some(documented)) => (documented.title(), documented.content_with_samples()),
        _ if name == CLIENT => ("A complete client", client()),
        _ => return Err(Error::NotFound),
    };
    let content = html! { article.prose.guide { h1 { (title) } (content) } };
    Ok(shelves::page(title, Nav::of(session.as_ref(), ""), &format!("/docs/{name}"), &content))
}

fn client() -> Markup {
    html! {
        p.lead { "Sends a file directly or staged, by its size; reports errors in the API's words; waits as long as " code { "Retry-After" } " says; and repeats what is safe to repeat." }
        (samples::show(CLIENT))
    }
}
