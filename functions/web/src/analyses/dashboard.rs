//! `/dashboard`: today's quota, the drop area for PDFs, and the list of analyses.

mod csv;
mod list;

use lambda_http::http::header::CONTENT_SECURITY_POLICY;
use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::ids::UploadId;
use shared::listing::{EntryKind, Listing};
use shared::quota::{Quota, timestamp};
use shared::reference;
use uuid::Uuid;

use crate::app::App;
use crate::assets::{DASHBOARD_SCRIPT, DASHBOARD_STYLE, HASHER};
use crate::dates::instant;
use crate::headers::policy_with_uploads_to;
use crate::layout::{self, Nav, alert, confirm_first, csrf};
use crate::session::{self, Session};

/// The query parameter that exports a list as CSV.
const CSV: &str = "csv=1";

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    let listing = Listing::parse(call.query(), EntryKind::All)?;
    if call.query().split('&').any(|part| part == CSV) {
        return csv::reply(app, call, &session, &listing).await;
    }
    page(app, call, &session, listing, None).await
}

/// The newest analyses, with the error of the last request.
pub(super) async fn refused(app: &App, call: &Call, session: &Session, message: &str) -> Result<Reply, Error> {
    page(app, call, session, Listing::parse("", EntryKind::All)?, Some(message)).await
}

async fn page(
    app: &App,
    call: &Call,
    session: &Session,
    listing: Listing,
    message: Option<&str>,
) -> Result<Reply, Error> {
    let analyses = analyses(app, call, session, listing).await?;
    let bucket = app.uploads.bucket_origin().await?;
    let content = html! {
        div.head {
            div {
                h1 { "Dashboard" }
                p.lead { "Hello, " (session.caller.account.name) "." }
            }
            (usage(&session.caller.quota))
        }
        @if let Some(message) = message { (alert(message)) }
        (upload(session, asked_upload(call)))
        (analyses)
    };
    let assets = [&*DASHBOARD_STYLE, &*DASHBOARD_SCRIPT];
    let reply = layout::styled("Dashboard", Nav::Session(session, "/dashboard"), &assets, &content);
    Ok(match bucket {
        Some(bucket) => reply.header(CONTENT_SECURITY_POLICY, policy_with_uploads_to(bucket)),
        None => reply,
    })
}

/// The requested analyses.
async fn analyses(app: &App, call: &Call, session: &Session, listing: Listing) -> Result<Markup, Error> {
    let caller = &session.caller;
    Ok(match &listing {
        Listing::Page(asked) => {
            let listed = app.store.page(caller.user, &caller.account, *asked, call.deadline()).await?;
            list::part(session, &listed.entries, &listing, (asked.page().meta(listed.total), None))
        }
        Listing::Walk(walk) => {
            let found = app.store.walk(caller.user, &caller.account, walk, call.deadline()).await?;
            list::part(session, &found.entries, &listing, (walk.meta(found.passed, found.total), found.last))
        }
    })
}

fn usage(quota: &Quota) -> Markup {
    let resets = timestamp(quota.resets_at());
    html! {
        section.usage aria-labelledby="usage-title" {
            h2 #usage-title { "Today" }
            p.figure { strong #left { (quota.remaining()) } " of " span #limit { (quota.limit) } " analyses left" }
            progress #used max=(quota.limit.max(1)) value=(quota.used.min(quota.limit)) aria-label="Analyses used today" {}
            p.small.muted { "Resets on " (instant(&resets)) }
        }
    }
}

/// The upload that an agent of the account requested, if its page was opened.
fn asked_upload(call: &Call) -> Option<UploadId> {
    let asked = call.query().split('&').find_map(|part| part.strip_prefix("upload="));
    asked.and_then(UploadId::parse)
}

/// The form for files; `asked` is an upload that an agent requested.
fn upload(session: &Session, asked: Option<UploadId>) -> Markup {
    let exhausted = session.caller.quota.remaining() == 0;
    html! {
        section.upload aria-labelledby="upload-title" {
            h2.visually-hidden #upload-title { "Analyze PDFs" }
            @if session.caller.account.waiting {
                (confirm_first("has no analyses"))
            } @else if exhausted {
                div.drop.closed {
                    p.big { "You've used today's analyses." }
                    p.muted { "More from " (instant(&timestamp(session.caller.quota.resets_at()))) "." }
                }
            } @else {
                @if asked.is_some() {
                    p.notice.with-script #asked { "An agent of yours asks for a PDF. Drop it here: it is uploaded, and the agent analyzes it." }
                }
                (form(session, asked))
            }
            p.visually-hidden #announcer role="status" {}
            div.batch.with-script #batch hidden {
                p #batch-text {}
                progress #batch-bar max="1" value="0" aria-label="Files done" {}
                p.actions {
                    button.button.slim #go-on type="button" hidden {}
                    button.button.quiet.slim #try-all type="button" hidden { "Try all again" }
                    button.link-like #drop-rest type="button" hidden { "Remove those that are waiting" }
                }
            }
        }
    }
}

fn form(session: &Session, asked: Option<UploadId>) -> Markup {
    html! {
        form #drop.drop method="post" action="/dashboard/analyses" enctype="multipart/form-data" data-hasher=(HASHER.path) data-upload=[asked] data-resets=(timestamp(session.caller.quota.resets_at())) {
            (csrf(session))
            input type="hidden" name="nonce" value=(Uuid::new_v4());
            div.place {
                p.big.with-script { "Drop PDFs or a folder here" }
                p.muted.with-script { "or" }
                input #file type="file" name="file" accept="application/pdf,.pdf" required aria-label="PDF" aria-describedby="file-hint";
                label.button for="file" { "Choose PDFs" }
                p.small.muted #file-hint {
                    span.with-script { "Up to 100 MB each. Files are deleted after analysis." }
                    span.without-script { "One PDF at a time, up to 4 MB. The file is not kept." }
                }
            }
            div.beside {
                div.field {
                    label for="reference" { "Reference " span.muted { "(optional)" } }
                    input #reference name="reference" maxlength=(reference::MAX_CHARACTERS) autocomplete="off" aria-describedby="reference-hint";
                    p.hint #reference-hint { "For example a claim number, so you can find the right invoice.pdf later." }
                }
                div.field.without-script {
                    label for="password" { "Password of the PDF " span.muted { "(if it is locked)" } }
                    input #password type="password" name="password" autocomplete="off";
                }
                button.button.without-script type="submit" { "Analyze" }
            }
        }
    }
}
