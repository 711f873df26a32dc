//! `/docs`: the way in to the API, its guides and all its calls.

mod call;
mod fields;
mod guides;
mod markdown;
pub(crate) mod model;
pub(crate) mod openapi;
pub(crate) mod page;
mod samples;

use maud::html;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use self::model::{ApiDocument, CLIENT};
use self::samples::code;
use crate::app::App;
use crate::assets::DOCS_STYLE;
use crate::layout::{self, Nav};
use crate::session;

pub(crate) async fn overview(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let api = ApiDocument::read()?;
    let base = base(call);
    let content = html! {
        article.prose.reference {
            h1 { "Documentation" }
            p.lead { "The API speaks JSON over HTTP at " code { (base) } ". Version " (api.info.version) "." }
            h2 { "First call" }
            ol {
                li { a href="/register" { "Create an account" } " and " a href="/tokens" { "a token" } "." }
                li { "Tell the samples about it, here and on every page:" }
            }
            (code("First call", &format!("export API={base}\nexport TOKEN=pdfa_…\n\ncurl -H \"Authorization: Bearer $TOKEN\" -F file=@document.pdf $API/pdf/analyze")))
            p { "The answer holds the stored analysis and what is left of today's quota in " code { "remaining_checks" } "." }
            h2 { "Guides" }
            (guides::list())
            p.small.muted { "Where a guide runs a file of " code { "docs/examples" } ", that is the sample on the page of its call." }
            h2 { "Calls" }
            @for tag in &api.tags {
                h3 { (tag.description) }
                dl.calls {
                    @for call in api.calls(&tag.name) {
                        dt { a href={ "/docs/" (call.page()) } { code { (call.method.to_uppercase()) " " (call.path) } } }
                        dd { (call.operation.summary) }
                    }
                }
            }
            h3 { "Beyond single calls" }
            dl.calls {
                dt { a href={ "/docs/" (CLIENT) } { "A whole client" } }
                dd { "Uploads by size, errors, waiting and trying again: in four languages." }
                dt { a href={ (BASE_PATH) "/openapi.json" } { "openapi.json" } }
                dd { "All of this for programs: OpenAPI 3.1." }
            }
            h2 { "What holds for every call" }
            (markdown::blocks(&api.info.description))
            h2 { "Analysis ids" }
            p { "An id is unguessable, and only its owner can read the analysis. Its first digits are the owner's running number." }
        }
    };
    Ok(layout::styled("Documentation", Nav::of(session.as_ref(), "/docs"), &[&DOCS_STYLE], &content))
}

/// The base address that the samples need.
fn base(call: &Call) -> String {
    format!("{}{BASE_PATH}", call.origin().unwrap_or_default())
}
