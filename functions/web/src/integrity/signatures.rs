//! Signatures as cards: what each claims, whether it fits, what it covers, permits, and what came after.

use std::borrow::Cow;

use maud::{Markup, html};

use super::words;
use super::{CertificateView, Report, SignatureView, mark};
use crate::dates;

pub(super) fn cards(report: &Report) -> Markup {
    html! { div.signatures { @for signature in &report.signatures { (card(report, signature)) } } }
}

fn card(report: &Report, signature: &SignatureView) -> Markup {
    html! {
        section.card.signature {
            div.status {
                (mark::signature(&signature.status))
                div {
                    h3 { (words::signature_kind(&signature.kind)) ": " (words::label(&signature.status).to_lowercase()) }
                    p.small { (words::status_meaning(&signature.status, signature.reason.as_deref())) "." }
                }
            }
            @if signature.after.as_deref() == Some("forbidden") {
                p.however.bad { "Something was done after it that it does not permit." }
            }
            dl { @for (label, value) in facts(report, signature) { dt { (label) } dd { bdi { (value) } } } }
            @if let Some(claim) = claim(signature) { p.small.muted { (claim) } }
        }
    }
}

/// What is known of a signature, line by line.
pub(super) fn facts<'s>(report: &Report, signature: &'s SignatureView) -> Vec<(&'static str, Cow<'s, str>)> {
    let text = |text: &'s Option<String>| text.as_deref().map(Cow::Borrowed);
    let moment = |moment: &'s Option<String>| moment.as_deref().map(|moment| Cow::Owned(dates::readable(moment)));
    let after = match signature.after.as_deref() {
        Some("nothing") if signature.kind == "timestamp" => None,
        Some(after) => Some(words::after(after)),
        None => Some(Cow::Borrowed("Could not be looked at")),
    };
    let certificate = signature.certificate.as_ref();
    let facts = [
        ("Signer, as claimed", text(&signature.signer)),
        ("Issuer, as claimed", text(&signature.issuer)),
        ("Certificate's number", certificate.and_then(|it| text(&it.serial))),
        ("Certificate good", certificate.and_then(validity)),
        ("Certificate's SHA-256", certificate.and_then(|it| text(&it.sha256))),
        ("Signed, by the signer's clock", moment(&signature.claimed_at)),
        ("Time-stamped", moment(&signature.timestamped_at)),
        ("Covers", Some(Cow::Owned(covers(report, signature)))),
        ("Permits", Some(Cow::Owned(words::permits(signature.permits)))),
        ("Done after it", after),
        ("Field", text(&signature.field)),
        ("Algorithm", text(&signature.algorithm)),
        ("Format", text(&signature.sub_filter)),
    ];
    facts.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

/// From when until when, as far as the certificate tells.
fn validity<'c>(certificate: &CertificateView) -> Option<Cow<'c, str>> {
    let told = |prefix: &str, at: &Option<String>| {
        at.as_deref().map(|at| format!("{prefix} {}", dates::readable(at))).unwrap_or_default()
    };
    let told = [told("from", &certificate.valid_from), told("until", &certificate.valid_until)].join(" ");
    Some(told.trim().to_owned()).filter(|told| !told.is_empty()).map(Cow::Owned)
}

fn covers(report: &Report, signature: &SignatureView) -> String {
    let last = report.revisions.last().map_or(signature.revision, |last| last.number);
    let later = last.saturating_sub(signature.revision);
    match signature.covers.as_str() {
        "file" => "The whole file".to_owned(),
        "revision" if later == 1 => format!("Everything up to save {}, not the one after it", signature.revision),
        "revision" => format!("Everything up to save {}, not the {later} after it", signature.revision),
        "part" => format!("Only a part of save {}", signature.revision),
        other => format!("{}, save {}", words::label(other), signature.revision),
    }
}

/// What the certificate is worth.
pub(super) fn claim(signature: &SignatureView) -> Option<&'static str> {
    match signature.self_signed {
        Some(true) => Some("The certificate vouches for itself: anybody can make one in any name."),
        Some(false) => Some("Names are those in the certificate. Whether its issuer can be trusted was not checked."),
        None => None,
    }
}
