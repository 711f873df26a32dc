//! `/docs/{name}`: a guide, a call of the API, or a whole client.

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
        _ if name == CLIENT => ("A whole client", client()),
        _ => return Err(Error::NotFound),
    };
    let content = html! { article.prose.guide { h1 { (title) } (content) } };
    Ok(shelves::page(title, Nav::of(session.as_ref(), ""), &format!("/docs/{name}"), &content))
}

fn client() -> Markup {
    html! {
        p.lead { "Chooses the way by the file's size, shows errors in the API's words, waits as " code { "Retry-After" } " says, and repeats what is safe to repeat." }
        (samples::show(CLIENT))
    }
}
