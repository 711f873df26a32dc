//! `/docs/{name}`: a call of the API, the metadata, or a whole client.

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};

use super::fields::fields;
use super::model::{CLIENT, Document, METADATA};
use super::{call, samples};
use crate::app::App;
use crate::layout::{self, Nav};
use crate::session;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let api = Document::read()?;
    let name = call.parameter("name");
    let (title, content) = match (name, api.call(name)) {
        (CLIENT, _) => ("A whole client", client()),
        (METADATA, _) => ("Metadata", metadata(api)),
        (_, Some(documented)) => (documented.operation.summary.as_str(), call::reference(api, documented)),
        _ => return Err(Error::NotFound),
    };
    let content = html! {
        article.prose.reference {
            p.crumb { a href="/docs" { "Documentation" } }
            h1 { (title) }
            (content)
        }
    };
    Ok(layout::page(title, Nav::of(session.as_ref(), ""), &content))
}

fn client() -> Markup {
    html! {
        p.lead { "Chooses the way by the file's size, shows errors in the API's words, waits as " code { "Retry-After" } " says, and repeats what is safe to repeat." }
        (samples::show(CLIENT))
    }
}

fn metadata(api: &Document) -> Markup {
    html! {
        p.lead { code { "data.metadata" } " of an analysis. Every key is always there; a value that the PDF does not have is " code { "null" } ". Sections are those of ISO 32000-1." }
        @if let Some(schema) = api.schema("Metadata") { dl.fields { (fields(api, schema, "", true)) } }
    }
}
