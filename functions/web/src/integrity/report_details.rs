//! Details of a report: the revision history and all evidence for examiners.

use engine::Revision;
use maud::{Markup, html};
use report::sentences::{all_changes, describe_revision, when};
use report::{Report, words};

use super::{evidence, timeline};

/// Longer histories are collapsed.
const MAX_UNCOLLAPSED: usize = 8;

/// The revisions, as a picture and as a list; empty if none is known.
pub(crate) fn revision_history(report: &Report) -> Markup {
    let list = html! {
        ol.saves start=[report.revisions.first().map(|first| first.number)] {
            @for revision in &report.revisions { (save(report, revision)) }
        }
    };
    html! {
        @if !report.revisions.is_empty() {
            section.card {
                h2 { "File history" }
                p.small.muted { (all_changes(report)) }
                @if report.revisions.len() > 1 {
                    div.picture { (timeline::picture(report)) (timeline::legend(report)) }
                }
                @if report.revisions.len() > MAX_UNCOLLAPSED {
                    details.folded data-examiner { summary { "All " (report.revisions.len()) " revisions in words" } (list) }
                } @else { (list) }
            }
        }
    }
}

/// A revision; an earlier one can be extracted from the file.
fn save(report: &Report, revision: &Revision) -> Markup {
    let is_earlier = revision.end > 0 && report.revisions.last().is_some_and(|last| revision.number < last.number);
    html! {
        li data-version=(revision.number) data-end=[is_earlier.then_some(revision.end)] {
            b { "Revision " (revision.number) }
            " · " (when(report, revision))
            @if let Some(producer) = &revision.producer { " · " bdi { (words::program(producer)) } }
            p { (describe_revision(report, revision)) }
        }
    }
}

/// All signals with all their places, the strongest first; empty if there are none.
pub(crate) fn technical(report: &Report) -> Markup {
    html! {
        @if !report.signals.is_empty() {
            details.folded.card data-examiner {
                summary { "Technical evidence" span.count { (words::count(report.signals.len(), "signal")) } }
                ul.signals {
                    @for signal in report.deciding() { (evidence::signal(report, signal)) }
                    @for signal in report.others() { (evidence::signal(report, signal)) }
                }
            }
        }
    }
}
