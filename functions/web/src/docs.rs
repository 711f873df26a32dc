//! `/docs`: the way in to the API, its guides and all its calls.

mod call;
mod fields;
mod guides;
mod markdown;
pub(crate) mod model;
pub(crate) mod openapi;
pub(crate) mod page;
mod samples;
mod shelves;

use maud::html;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use self::guides::SHELVES;
use self::model::{ApiDocument, CLIENT};
use self::samples::code;
use crate::analyses::examples;
use crate::app::App;
use crate::layout::Nav;
use crate::session;

pub(crate) async fn overview(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let api = ApiDocument::read()?;
    let base = base(call);
    let [check_files, build_with_it] = &SHELVES;
    let content = html! {
        article.prose.reference {
            h1 { "Documentation" }
            p.lead { "The API speaks JSON over HTTP at " code { (base) } ". Version " (api.info.version) "." }
            h2 { "Check files" }
            p { "For whoever has a PDF to judge: drop it on the " a href="/dashboard" { "dashboard" } ". Three copies of one invoice show what a report says:" }
            (examples::list())
            (guides::list(check_files))
            h2 { "Build with it" }
            p { "For programs. " a href="/register" { "Create an account" } " and " a href="/tokens" { "a token" } ", and ask:" }
            (code(&format!("export API={base}\nexport TOKEN=pdfa_…\n\ncurl -sS -H \"Authorization: Bearer $TOKEN\" -F file=@invoice-forged.pdf $API/pdf/analyze |\n  jq -r '.data.metadata.integrity | .verdict, .summary'")))
            (code("changed_since_signing\nOn page 1, 'Total 1,250.00 EUR' became 'Total 4,250.00 EUR' in …"))
            (guides::list(build_with_it))
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
    Ok(shelves::page("Documentation", Nav::of(session.as_ref(), "/docs"), (api, "/docs"), &content))
}

/// The base address that the samples need.
fn base(call: &Call) -> String {
    format!("{}{BASE_PATH}", call.origin().unwrap_or_default())
}
