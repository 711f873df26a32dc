//! The saves one by one in words, which is also the picture's text.

use maud::{Markup, html};

use super::allowance::{Allowance, allowance};
use super::{Report, RevisionView, versions, words};
use crate::dates;

/// More of them are folded away.
const OPEN: usize = 8;

/// The list of saves, oldest first.
pub(super) fn list(report: &Report) -> Markup {
    let list = html! {
        ol.saves start=[report.revisions.first().map(|first| first.number)] {
            @for revision in &report.revisions {
                li data-end=[versions::end(report, revision)] { (row(report, revision)) }
            }
        }
    };
    html! {
        @if report.revisions.len() > OPEN {
            details.saves-all { summary { "All " (report.revisions.len()) " saves in words" } (list) }
        } @else { (list) }
    }
}

fn row(report: &Report, revision: &RevisionView) -> Markup {
    html! {
        b { "Save " (revision.number) }
        " · " (when(revision))
        @if let Some(producer) = &revision.producer { " · " bdi { (producer) } }
        p { (deed(report, revision)) }
    }
}

/// When it was saved, if that save says so.
pub(super) fn when(revision: &RevisionView) -> String {
    match (&revision.saved_at, &revision.producer) {
        (Some(saved_at), _) => dates::readable(saved_at),
        (None, Some(_)) => "does not say when".to_owned(),
        (None, None) => "does not say when, or with what".to_owned(),
    }
}

/// What a save did, in a sentence or two.
pub(super) fn deed(report: &Report, revision: &RevisionView) -> String {
    let is_oldest = revision.number <= 1;
    let pages = if revision.pages.is_empty() { String::new() } else { format!(" on {}", told_pages(&revision.pages)) };
    let signers: Vec<&str> = report.signatures.iter().filter(|it| it.revision == revision.number).map(signer).collect();
    let what = match (revision.changes.is_empty(), is_oldest) {
        (true, true) => "The oldest state that is in the file.".to_owned(),
        (true, false) => "Changed nothing that counts.".to_owned(),
        _ => format!("Changed {}{pages}{}.", words::changes(&revision.changes), told_outcome(report, revision)),
    };
    let signed = match signers.as_slice() {
        [] if revision.signed => " Signed.".to_owned(),
        [] => String::new(),
        signers => format!(" Signed: {}.", signers.join(", ")),
    };
    format!("{what}{signed} {}; ends at byte {}.", words::label(&told_objects(revision)), grouped(revision.end))
}

/// What the signatures before it say of a save.
fn told_outcome(report: &Report, revision: &RevisionView) -> &'static str {
    match allowance(report, revision) {
        _ if revision.changes.iter().all(|change| change == "signatures") => "",
        Allowance::Plain => "",
        Allowance::Permitted => ", as the signatures before it permit",
        Allowance::Forbidden => ", against a signature before it",
    }
}

fn signer(signature: &super::SignatureView) -> &str {
    signature.signer.as_deref().or(signature.field.as_deref()).unwrap_or("somebody")
}

/// `12 objects`, or what became of them in a later save.
pub(super) fn told_objects(revision: &RevisionView) -> String {
    let objects = &revision.objects;
    if revision.number <= 1 && objects.changed == 0 && objects.removed == 0 {
        return words::count(objects.added as usize, "object");
    }
    let told = [(objects.added, "added"), (objects.changed, "changed"), (objects.removed, "removed")];
    let told: Vec<String> =
        told.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    if told.is_empty() { "no objects touched".to_owned() } else { format!("objects: {}", told.join(", ")) }
}

/// `page 2`, `pages 1, 3, 4`.
pub(super) fn told_pages(pages: &[u32]) -> String {
    let numbers: Vec<String> = pages.iter().map(u32::to_string).collect();
    format!("page{} {}", if pages.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

/// `10,840`
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut told = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{grouped, told_pages};

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((told_pages(&[2]).as_str(), told_pages(&[1, 3]).as_str()), ("page 2", "pages 1, 3"));
    }
}
