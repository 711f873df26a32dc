//! Facts of a report as sentences and as label-value pairs: revisions, signatures, changes.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset};
use engine::{After, Change, Covers, Revision, Signature, SignatureKind, SignerCertificate};

use crate::allowance::{Allowance, allowance};
use crate::dates::readable;
use crate::model::{Known, Report};
use crate::words;

/// All changes of later revisions, and those since the newest signature.
#[must_use]
pub fn all_changes(report: &Report) -> String {
    let saves = report.revisions.last().map_or(0, |last| last.number as usize);
    let changes = match (saves, report.changes.is_empty()) {
        (0 | 1, true) => "Saved once: no earlier state is in the file.".to_owned(),
        (_, true) => format!("Saved {saves} times; no later save changed anything that counts."),
        _ => format!("Saved {}; later saves changed: {}.", times(saves), words::changes(&report.changes)),
    };
    let since = report.changed_after_signing.as_ref().map(|since| match since.as_slice() {
        [] => " Since the newest signature: nothing.".to_owned(),
        since => format!(" Since the newest signature: {}.", words::changes(since)),
    });
    format!("{changes}{}", since.unwrap_or_default())
}

fn times(saves: usize) -> String {
    if saves == 1 { "once".to_owned() } else { format!("{saves} times") }
}

/// The date of a revision, otherwise the time of its signature.
#[must_use]
pub fn when(report: &Report, revision: &Revision) -> String {
    let mut signatures = report.signatures.iter().filter(|it| it.revision == revision.number);
    let signed_at = signatures.find_map(|signature| signature.timestamped_at.or(signature.claimed_at));
    match (&revision.saved_at, signed_at, &revision.producer) {
        (Some(saved_at), ..) => readable(saved_at),
        (None, Some(signed_at), _) => format!("{}, by its signature", readable(&signed_at)),
        (None, None, Some(_)) => "date not recorded".to_owned(),
        (None, None, None) => "date and software not recorded".to_owned(),
    }
}

/// The changes of a revision, in a sentence or two.
#[must_use]
pub fn describe_revision(report: &Report, revision: &Revision) -> String {
    let is_oldest = revision.number <= 1;
    let pages = if revision.pages.is_empty() { String::new() } else { format!(" on {}", pages(&revision.pages)) };
    let signers: Vec<&str> = report.signatures.iter().filter(|it| it.revision == revision.number).map(signer).collect();
    let changes: Vec<Known<Change>> = revision.changes.iter().map(|change| Known(Some(*change))).collect();
    let what = match (changes.is_empty(), is_oldest) {
        (true, true) => "The oldest version in the file.".to_owned(),
        (true, false) => "No significant change.".to_owned(),
        _ => format!("Changed {}{pages}{}.", words::changes(&changes), outcome(report, revision)),
    };
    let signed = match signers.as_slice() {
        [] if revision.signed => " Signed.".to_owned(),
        [] => String::new(),
        signers => format!(" Signed: {}.", signers.join(", ")),
    };
    format!("{what}{signed} {}; ends at byte {}.", words::label(&objects(revision)), grouped(revision.end))
}

/// Whether earlier signatures permit the changes of a revision.
fn outcome(report: &Report, revision: &Revision) -> &'static str {
    match allowance(report, revision) {
        _ if revision.changes.iter().all(|change| *change == Change::Signatures) => "",
        Allowance::Plain => "",
        Allowance::Permitted => ", as earlier signatures permit",
        Allowance::Forbidden => ", which an earlier signature does not permit",
    }
}

fn signer(signature: &Signature) -> &str {
    signature.signer.as_deref().or(signature.field.as_deref()).unwrap_or("somebody")
}

/// `12 objects`, or the numbers of added, changed and removed ones.
fn objects(revision: &Revision) -> String {
    let objects = &revision.objects;
    if revision.number <= 1 && objects.changed == 0 && objects.removed == 0 {
        return words::count(objects.added as usize, "object");
    }
    let counts = [(objects.added, "added"), (objects.changed, "changed"), (objects.removed, "removed")];
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, what)| format!("{number} {what}")).collect();
    if counts.is_empty() { "no objects touched".to_owned() } else { format!("objects: {}", counts.join(", ")) }
}

/// `page 2`, `pages 1, 3, 4`.
#[must_use]
pub fn pages(pages: &[u32]) -> String {
    let numbers: Vec<String> = pages.iter().map(u32::to_string).collect();
    format!("page{} {}", if pages.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

/// `10,840`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The facts about a signature, line by line.
#[must_use]
pub fn facts<'s>(report: &Report, signature: &'s Signature) -> Vec<(&'static str, Cow<'s, str>)> {
    let text = |text: &'s Option<String>| text.as_deref().map(Cow::Borrowed);
    let moment = |moment: &Option<DateTime<FixedOffset>>| moment.as_ref().map(|moment| Cow::Owned(readable(moment)));
    let after = match signature.after {
        Some(After::Nothing) if signature.kind == SignatureKind::Timestamp => None,
        Some(after) => Some(Cow::Borrowed(words::after(after))),
        None => Some(Cow::Borrowed("Could not be examined")),
    };
    let certificate = signature.certificate.as_ref();
    let is_proved = signature.issuer_verified == Some(true) && signature.self_signed == Some(false);
    let trust = signature.trust.as_ref();
    let facts = [
        ("Signer, as claimed", text(&signature.signer)),
        ("Trust", trust.map(|trust| Cow::Borrowed(words::trust(trust)))),
        ("Trusted issuer", trust.and_then(|trust| Some(Cow::Borrowed(trust.anchor.as_ref()?.name.as_str())))),
        (if is_proved { "Issuer" } else { "Issuer, as claimed" }, text(&signature.issuer)),
        ("Certificate's number (hexadecimal)", certificate.map(|it| Cow::Borrowed(it.serial.as_str()))),
        ("Certificate valid", certificate.and_then(validity)),
        ("Certificate's SHA-256", certificate.map(|it| Cow::Borrowed(it.sha256.as_str()))),
        ("Signed, by the signer's clock", moment(&signature.claimed_at)),
        ("Time-stamped", moment(&signature.timestamped_at)),
        ("Time-stamped by, as claimed", text(&signature.signed_at.authority)),
        ("Chain", trust.map(|trust| Cow::Owned(trust.chain.join(" \u{2190} ")))),
        ("Revocation", trust.map(|trust| Cow::Borrowed(words::revocation(trust.revocation)))),
        ("PAdES level", signature.level.map(|level| Cow::Borrowed(words::level(level)))),
        ("Covers", Some(Cow::Owned(covers(report, signature)))),
        ("Permits", Some(Cow::Owned(words::permits(signature.permits)))),
        ("After it", after),
        ("Field", text(&signature.field)),
        ("Algorithm", text(&signature.algorithm)),
        ("Format", text(&signature.sub_filter)),
    ];
    facts.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

/// The validity period of the certificate.
fn validity(certificate: &SignerCertificate) -> Option<Cow<'static, str>> {
    let part = |prefix: &str, at: &DateTime<FixedOffset>| format!("{prefix} {}", readable(at));
    let from = certificate.valid_from.as_ref().map(|at| part("from", at));
    let until = certificate.valid_until.as_ref().map(|at| part("until", at));
    let parts: Vec<String> = from.into_iter().chain(until).collect();
    (!parts.is_empty()).then(|| parts.join(" ").into())
}

fn covers(report: &Report, signature: &Signature) -> String {
    let last = report.revisions.last().map_or(signature.revision, |last| last.number);
    let later = last.saturating_sub(signature.revision);
    match signature.covers {
        Covers::File => "The whole file".to_owned(),
        Covers::Revision if later == 1 => {
            format!("Everything up to revision {}, not the one after it", signature.revision)
        }
        Covers::Revision => format!("Everything up to revision {}, not the {later} after it", signature.revision),
        Covers::Part => format!("Only part of revision {}", signature.revision),
    }
}

/// The trust in the certificate.
#[must_use]
pub fn trust_note(signature: &Signature) -> Option<&str> {
    if let Some(trust) = &signature.trust {
        return Some(&trust.because);
    }
    match signature.self_signed {
        Some(true) => Some("Self-signed: anyone can create such a certificate in any name."),
        Some(false) => Some("Names are those in the certificate; their identity isn't verified here."),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{grouped, pages};

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((pages(&[2]).as_str(), pages(&[1, 3]).as_str()), ("page 2", "pages 1, 3"));
    }
}
