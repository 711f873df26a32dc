//! Signatures as cards: signer, status and later changes; the rest is collapsed.

use std::borrow::Cow;

use engine::{After, Signature, SignatureStatus};
use maud::{Markup, html};
use report::sentences::{facts, trust_note};
use report::{Report, words};

use super::badge;

/// Facts that are not collapsed.
const UNCOLLAPSED: [&str; 7] = [
    "Signer, as claimed",
    "Trust",
    "Trusted issuer",
    "Signed, by the signer's clock",
    "Time-stamped",
    "Covers",
    "After it",
];

/// All signatures; empty if there are none.
pub(crate) fn signatures(report: &Report) -> Markup {
    html! {
        @if !report.signatures.is_empty() {
            section.card {
                h2 { "Signatures" span.count { (report.signatures.len()) } }
                div.signatures { @for signature in &report.signatures { (card(report, signature)) } }
            }
        }
    }
}

fn card(report: &Report, signature: &Signature) -> Markup {
    let (open, folded): (Vec<_>, Vec<_>) =
        facts(report, signature).into_iter().partition(|(label, _)| UNCOLLAPSED.contains(label));
    html! {
        div.signature {
            div.status {
                (badge::signature(signature))
                div {
                    h3 { (words::signature_kind(signature.kind)) ": " (headline(signature)) }
                    p.small { (words::status_meaning(signature.status, signature.reason)) "." }
                }
            }
            div {
                (lines(&open))
                details.folded data-examiner { summary { "Certificate and format" } (lines(&folded)) }
            }
            @if let Some(note) = trust_note(signature) {
                p.small.muted {
                    (note) " "
                    a.unprinted href="/docs/trust" { "Whose signature is it?" }
                }
            }
        }
    }
}

pub(super) fn headline(signature: &Signature) -> &'static str {
    match (signature.status, signature.after) {
        (SignatureStatus::Intact, Some(After::Forbidden)) => "intact, but the file was changed afterwards",
        (status, _) => words::status(status),
    }
}

fn lines(facts: &[(&'static str, Cow<'_, str>)]) -> Markup {
    html! { dl { @for (label, value) in facts { dt { (label) } dd { bdi { (value) } } } } }
}
