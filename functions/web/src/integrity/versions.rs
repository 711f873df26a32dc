//! The earlier versions that a file holds: each is the file up to where a save ends. The browser takes them from the person's
//! disk; nothing is sent.

use maud::{Markup, html};

use super::{Report, RevisionView};

/// How to get at earlier versions of a file of so many bytes; nothing if it holds none.
pub(super) fn section(report: &Report, size: u64) -> Markup {
    let earlier = report.revisions.iter().filter(|revision| is_earlier(report, revision));
    html! {
        @if let Some(oldest) = earlier.min_by_key(|revision| revision.number) {
            div.versions #versions data-size=(size) {
                p.small.muted {
                    "Each earlier version is still in the file: it is the file up to the byte at which that save ends. "
                    span.with-script { "Your browser cuts it out of the copy on your disk; nothing is sent." }
                    span.without-script {
                        "Where you have the file, "
                        code { "head -c " (oldest.end) " file.pdf > version-" (oldest.number) ".pdf" }
                        " writes version " (oldest.number) "."
                    }
                }
                input.visually-hidden #original type="file" accept="application/pdf,.pdf" tabindex="-1" aria-label="The file that was analysed" hidden;
                p.small #version-state role="status" {}
            }
        }
    }
}

/// Where an earlier version ends, of which the script makes a button beside its save.
pub(super) fn end(report: &Report, revision: &RevisionView) -> Option<u64> {
    is_earlier(report, revision).then_some(revision.end)
}

/// Whether another one came after it, so that it is not the file itself.
fn is_earlier(report: &Report, revision: &RevisionView) -> bool {
    revision.end > 0 && report.revisions.last().is_some_and(|last| revision.number < last.number)
}
