//! `/`: what this is, shown by an example, and the way in.

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::registration::Policy;

use crate::app::App;
use crate::layout::{self, Nav};
use crate::session;

pub(crate) async fn home(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let content = html! {
        section.hero {
            div {
                h1 { "Know what is in a " em { "PDF" } "." }
                p.lead {
                    "Send a file, get its metadata back: pages, author, dates, whether it was changed after it was "
                    "made, encryption, signatures, PDF/A claims. In a fraction of a second, as clean JSON."
                }
                p.actions {
                    @if session.is_some() { a.button href="/dashboard" { "To your dashboard" } }
                    @else if app.registration == Policy::Closed { a.button href="/login" { "Log in" } }
                    @else { a.button href="/register" { "Create a free account" } }
                    a href="/docs" { "Read the docs" }
                }
                p.small.muted { (app.daily_limit) " analyses a day. Up to 100 MB each. No credit card." }
            }
            (example())
        }
        section.reasons {
            div {
                h2 { "Reads what others give up on" }
                p { "Linearized, encrypted, incrementally updated and damaged files, through an engine that fetches kilobytes of a 100 MB file." }
            }
            div {
                h2 { "Exact to the last check" }
                p { "An analysis is stored and counted together or not at all. What fails is not charged, and a repeat is never charged twice." }
            }
            div {
                h2 { "Yours alone" }
                p { "Files are deleted after their analysis. Results belong to the account that made them; delete it and everything is gone." }
            }
        }
    };
    Ok(layout::page("", Nav::of(session.as_ref(), "/"), &content))
}

/// An answer as the API gives it, shortened.
fn example() -> Markup {
    let key = |name: &str| html! { span.k { "\"" (name) "\"" } ": " };
    let string = |text: &str| html! { span.s { "\"" (text) "\"" } };
    html! {
        figure.example {
            pre tabindex="0" role="region" aria-label="Example of a call and its answer" { code {
                span.p { "$ " } "curl -F file=@offer.pdf …/pdf/analyze\n\n"
                "{\n"
                "  " (key("filename")) (string("offer.pdf")) ",\n"
                "  " (key("file_size_formatted")) (string("1.24 MB")) ",\n"
                "  " (key("metadata")) "{\n"
                "    " (key("basic")) "{ " (key("pages")) span.n { "12" } ", " (key("pdf_version")) (string("1.7")) " },\n"
                "    " (key("document")) "{\n"
                "      " (key("title")) (string("Offer 2026-114")) ",\n"
                "      " (key("author")) (string("Ada Lovelace")) "\n"
                "    },\n"
                "    " (key("dates")) "{\n"
                "      " (key("created")) "{ " (key("iso8601")) (string("2026-11-02T09:14:00+01:00")) " },\n"
                "      " (key("modified")) "{ " (key("iso8601")) (string("2026-11-19T17:40:22+01:00")) " },\n"
                "      " (key("was_modified")) span.n { "true" } "\n"
                "    }\n"
                "  },\n"
                "  " (key("remaining_checks")) span.n { "49" } "\n"
                "}"
            } }
        }
    }
}
