//! `/docs`: entry page of the API's guides and calls.

mod guides;
pub(crate) mod openapi;
pub(crate) mod page;
mod samples;
mod shelves;

use maud::html;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use self::guides::{EVERY_CALL, SHELVES};
use self::samples::{CLIENT, code};
use crate::analyses::examples;
use crate::app::App;
use crate::layout::Nav;
use crate::session;

pub(crate) async fn overview(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let base = base(call);
    let [check_files, build_with_it] = &SHELVES;
    let content = html! {
        article.prose.guide {
            h1 { "Documentation" }
            p.lead { "The API speaks JSON over HTTP at " code { (base) } ". Version " (env!("CARGO_PKG_VERSION")) "." }
            h2 { "Check files" }
            p { "Drop a PDF on the " a href="/dashboard" { "dashboard" } " and read the report. Three copies of one invoice show what it looks like:" }
            (examples::list())
            (guides::list(check_files))
            h2 { "Build with it" }
            p { "Create " a href="/register" { "an account" } " and " a href="/tokens" { "a token" } ", and send a file:" }
            (code(&format!("export API={base}\nexport TOKEN=pdfa_…\n\ncurl -sS -H \"Authorization: Bearer $TOKEN\" -F file=@invoice-forged.pdf $API/pdf/analyze |\n  jq -r '.data.metadata.integrity | .verdict, .summary'")))
            (code("changed_since_signing\nOn page 1, 'Total 1,250.00 EUR' became 'Total 4,250.00 EUR' in …"))
            (guides::list(build_with_it))
            p.small.muted { "Guides run files of " code { "docs/examples" } ": the sample on the page of each call." }
            h2 { "Calls" }
            p {
                "More than single calls: " a href={ "/docs/" (CLIENT) } { "a complete client" } " in four languages (uploads by size, errors, waiting, retries), and "
                a href={ (BASE_PATH) "/openapi.json" } { "openapi.json" } " for programs."
            }
            (EVERY_CALL.content())
            h2 { "Analysis ids" }
            p { "An id is unguessable, and only its owner can read the analysis. Its first digits are the owner's running number." }
        }
    };
    Ok(shelves::page("Documentation", Nav::of(session.as_ref(), "/docs"), "/docs", &content))
}

/// The base address that the samples need.
fn base(call: &Call) -> String {
    format!("{}{BASE_PATH}", call.origin().unwrap_or_default())
}
