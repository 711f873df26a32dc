//! The verdict: badge, name, sentence and limits.

use maud::{Markup, html};
use report::{Report, words};

use super::badge;

pub(crate) fn outcome(report: &Report) -> Markup {
    html! {
        section class={ "outcome " (words::verdict_tone(report.shown_verdict()).class()) } aria-labelledby="outcome-title" {
            (badge::verdict(report.shown_verdict()))
            div {
                p.kicker { "Was it changed after it was made?" }
                h2 #outcome-title { (words::verdict(report.shown_verdict())) }
                p.told { bdi { (report.summary) } @if report.is_truncated { " " (words::TRUNCATED) } }
                p.small {
                    (words::verdict_meaning(report.verdict)) " "
                    a.unprinted href="/docs/verdicts" { "How to read a report" }
                }
            }
        }
    }
}
