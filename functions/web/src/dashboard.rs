//! `/dashboard`: today's quota, the place to drop PDFs, and the analyses so far.

use lambda_http::http::header::CONTENT_SECURITY_POLICY;
use maud::{Markup, html};
use shared::analysis::Summary;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::ids::AnalysisId;
use shared::listing::{Filter, Listing, Walk};
use shared::page::Meta;
use shared::quota::{Quota, timestamp};
use shared::verdict::{VERDICTS, name};
use uuid::Uuid;

use crate::app::App;
use crate::assets::DASHBOARD_STYLE;
use crate::assets::HASHER;
use crate::dates::instant;
use crate::deletion::{self, SELECTION};
use crate::headers::policy_with_uploads_to;
use crate::integrity::{mark, words};
use crate::layout::{self, Nav, alert, confirm_first, csrf};
use crate::session::{self, Session};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    let listing = Listing::parse(call.query())?;
    page_with(app, call, &session, listing, None).await
}

/// The dashboard, with what went wrong on the way to it.
pub(crate) async fn page_with(
    app: &App,
    call: &Call,
    session: &Session,
    listing: Listing,
    message: Option<&str>,
) -> Result<Reply, Error> {
    let caller = &session.caller;
    let numbering = &caller.account.numbering;
    let total = numbering.total();
    let list = match listing {
        Listing::Page(page) => {
            let analyses = app.store.analyses(caller.user, page, numbering, call.deadline()).await?;
            list(session, &analyses, &listing, (page.meta(total), None))
        }
        Listing::Walk(walk) => {
            let (newest, wanted) = (walk.newest(numbering.given()), (walk.per_page(), walk.filter()));
            let found = app.store.walk(caller.user, numbering, newest, wanted, call.deadline()).await?;
            list(session, &found.analyses, &listing, (walk.meta(found.passed, total), found.last))
        }
    };
    let bucket = app.uploads.origin().await?;
    let content = html! {
        div.head {
            div {
                h1 { "Dashboard" }
                p.lead { "Hello, " (caller.account.name) "." }
            }
            (usage(&caller.quota))
        }
        @if let Some(message) = message { (alert(message)) }
        (upload(session))
        (list)
    };
    let reply = layout::styled("Dashboard", Nav::Session(session, "/dashboard"), &DASHBOARD_STYLE, &content);
    Ok(reply.header(CONTENT_SECURITY_POLICY, policy_with_uploads_to(bucket)))
}

fn usage(quota: &Quota) -> Markup {
    let resets = timestamp(quota.resets_at());
    html! {
        section.usage aria-labelledby="usage-title" {
            h2 #usage-title { "Today" }
            p.figure { strong #left { (quota.remaining()) } " of " span #limit { (quota.limit) } " analyses left" }
            progress #used max=(quota.limit.max(1)) value=(quota.used.min(quota.limit)) aria-label="Analyses used today" {}
            p.small.muted { "Starts anew at " (instant(&resets)) }
        }
    }
}

fn upload(session: &Session) -> Markup {
    let exhausted = session.caller.quota.remaining() == 0;
    html! {
        section.upload aria-labelledby="upload-title" {
            h2.visually-hidden #upload-title { "Analyse PDFs" }
            @if session.caller.account.waiting {
                (confirm_first("has no analyses"))
            } @else if exhausted {
                div.drop.closed {
                    p.big { "Today's analyses are used up." }
                    p.muted { "You can go on after " (instant(&timestamp(session.caller.quota.resets_at()))) "." }
                }
            } @else {
                form #drop.drop method="post" action="/dashboard/analyses" enctype="multipart/form-data" data-hasher=(HASHER.path) {
                    (csrf(session))
                    input type="hidden" name="nonce" value=(Uuid::new_v4());
                    p.big.with-script { "Drop PDFs here" }
                    p.muted.with-script { "or" }
                    input #file type="file" name="file" accept="application/pdf,.pdf" required aria-describedby="file-hint";
                    label.button for="file" { "Choose PDFs" }
                    button.button.without-script type="submit" { "Analyse" }
                    p.small.muted #file-hint {
                        span.with-script { "Up to 100 MB each. The file is deleted after its analysis." }
                        span.without-script { "One PDF at a time, up to 4 MB. The file is not kept." }
                    }
                }
            }
            ul.uploads #uploads {}
            p.visually-hidden #announcer role="status" {}
            template #upload-row {
                li {
                    div.line { span.name {} span.state {} }
                    progress max="1" value="0" {}
                }
            }
        }
    }
}

/// A part of the list; `last` is the last analysis looked at by a walk that can go on.
fn list(
    session: &Session,
    analyses: &[Summary],
    listing: &Listing,
    (meta, last): (Meta, Option<AnalysisId>),
) -> Markup {
    let is_page = matches!(listing, Listing::Page(_));
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { "Analyses " span.count #total { (meta.total) } }
            @if meta.total > 0 { (filter(listing)) }
            p.empty #empty hidden[meta.total > 0] { "Nothing here yet. Your first PDF takes about a second." }
            @if analyses.is_empty() && meta.total > 0 {
                p.empty { @if is_page { "There is nothing on this page." } @else { "None of those that were looked at." } }
            }
            ul.rows #analyses data-first-page[is_page && meta.current_page == 1] {
                @for analysis in analyses {
                    (row(&analysis.id.to_string(), &analysis.filename, analysis.verdict.map(name), &analysis.file_size_formatted, &instant(&analysis.analyzed_at)))
                }
            }
            template #analysis-row { (row("", "", None, "", &html! { time {} })) }
            template #verdict-marks { @for verdict in VERDICTS { (marked(name(verdict))) } }
            (deletion::selection(session, analyses.is_empty()))
            @match listing {
                Listing::Page(_) => @if meta.last_page > 1 { (pages(meta)) },
                Listing::Walk(walk) => (onward(walk, last)),
            }
        }
    }
}

/// Links to all analyses and to those of each verdict.
fn filter(listing: &Listing) -> Markup {
    let asked = match listing {
        Listing::Page(_) => Filter::All,
        Listing::Walk(walk) => walk.filter(),
    };
    html! {
        nav.filter aria-label="Verdicts" {
            a href="/dashboard" aria-current=[(asked == Filter::All).then_some("true")] { "All" }
            @for verdict in VERDICTS {
                a href={ "/dashboard?verdict=" (name(verdict)) } aria-current=[(asked == Filter::Verdict(verdict)).then_some("true")] {
                    (words::verdict(name(verdict)))
                }
            }
        }
    }
}

fn row(id: &str, filename: &str, verdict: Option<&str>, size: &str, when: &Markup) -> Markup {
    // the one that scripts copy is nobody's yet
    let path = if id.is_empty() { String::new() } else { format!("/analyses/{id}") };
    html! {
        li {
            input type="checkbox" name=(id) form=(SELECTION) aria-label={ "Select " (filename) };
            a href=(path) { (filename) }
            span.verdict-of { @if let Some(verdict) = verdict { (marked(verdict)) } }
            span.size { (size) }
            span.when { (when) }
        }
    }
}

/// A verdict as a word with its mark.
fn marked(verdict: &str) -> Markup {
    html! { span.marked data-verdict=(verdict) { (mark::verdict(verdict)) (words::verdict(verdict)) } }
}

/// How a walk goes on to older analyses, and back to its start.
fn onward(walk: &Walk, last: Option<AnalysisId>) -> Markup {
    let rest = walk.query();
    html! {
        nav.pages aria-label="Pages" {
            a rel="first" href={ "/dashboard?" (rest) } { "← Newest" }
            @if let Some(id) = last { a rel="next" href={ "/dashboard?before=" (id) "&" (rest) } { "Older →" } }
        }
    }
}

fn pages(meta: Meta) -> Markup {
    let link = |page: u64| format!("/dashboard?page={page}&per_page={}", meta.per_page);
    html! {
        nav.pages aria-label="Pages" {
            @if meta.current_page > 1 {
                a rel="prev" href=(link((meta.current_page - 1).min(meta.last_page))) { "← Newer" }
            } @else { span {} }
            span.muted { "Page " (meta.current_page) " of " (meta.last_page) }
            @if meta.current_page < meta.last_page {
                a rel="next" href=(link(meta.current_page + 1)) { "Older →" }
            } @else { span {} }
        }
    }
}
