//! `/`: introduction with an example report, registration and log-in.

mod sample;

use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::admission::Admission;
use crate::app::App;
use crate::assets::{HOME_STYLE, REPORT_STYLE};
use crate::layout::{self, Nav};
use crate::session;

pub(crate) async fn home(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    let content = html! {
        section.hero {
            h1 { "Was this PDF " em { "changed" } "?" }
            p.lead {
                "Send a PDF, and see what was done to it after it was made, or after somebody signed it: which words stood "
                "there before, when they were changed, and with which software."
            }
            p.actions {
                @if session.is_some() { a.button href="/dashboard" { "To your dashboard" } }
                @else if let Admission::Closed = app.admission { a.button href="/login" { "Log in" } }
                @else { a.button href="/register" { "Create a free account" } }
                a href="/docs" { "Read the docs" }
            }
            p.small.muted { (app.daily_limit) " analyses a day. Up to 100 MB each. No credit card." }
            p.small.muted {
                "Files are not kept: each is deleted after analysis, and results are yours alone. "
                a href="/docs/privacy" { "What is kept" }
            }
        }
        (sample::report())
        section.for-programs aria-labelledby="for-programs" {
            div {
                h2 #for-programs { "The same for programs" }
                p {
                    "One request, one answer in JSON: the verdict with its evidence, and what else the file says of itself, "
                    "from its pages, author and dates to encryption, signatures and PDF/A claims."
                }
                p { a href="/docs/analyze-pdf" { "The call, with a sample" } }
            }
            (sample::answer())
        }
        (reasons())
    };
    Ok(layout::styled("", Nav::of(session.as_ref(), "/"), &[&HOME_STYLE, &REPORT_STYLE], &content))
}

fn reasons() -> Markup {
    html! {
        section.reasons {
            div {
                h2 { "Evidence, not a score" }
                p { "Every verdict comes with what shows it, so that you can check it, and with what it does not say." }
            }
            div {
                h2 { "Reads what others give up on" }
                p { "Linearized, encrypted, incrementally updated and damaged files, through an engine that fetches kilobytes of a 100 MB file." }
            }
            div {
                h2 { "Exact to the last check" }
                p { "An analysis is stored and counted together or not at all. What fails is not charged, and a repeat is never charged twice." }
            }
        }
    }
}
