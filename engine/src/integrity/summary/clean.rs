//! Sentences of files in which nothing shows a change: who wrote them again, and what of their pages stays in the dark.

use super::{Grounds, joined, software};
use crate::hidden::report::{ExaminedContent, HiddenKind};
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::text::date;

/// `The file was written again by qpdf after “Billing 4.2” had made it. Nothing shows …`
pub(super) fn saved_again(told: &Grounds) -> String {
    let first = |id: SignalId| told.because.contains(&id).then(|| told.signal(id)?.evidence.first()).flatten();
    let writer = first(SignalId::WriterMismatch).map(by_writer);
    let done = writer
        .or_else(|| first(SignalId::EditingSoftware).and_then(by_editor))
        .or_else(|| first(SignalId::ModifiedLater).and_then(by_dates))
        .unwrap_or_else(|| {
            let meanings = told.because.iter().filter_map(|&id| told.signal(id)).take(2);
            joined("It seems that the file was written again", meanings.map(|signal| signal.summary.as_str()))
        });
    format!("{done} Nothing shows that what it says was changed; that is no proof.{}", remarks(told))
}

/// `Nothing in the file shows …`
pub(super) fn no_signs(told: &Grounds) -> String {
    format!("Nothing in the file shows that it was changed after it was made; that is no proof.{}", remarks(told))
}

fn by_writer(evidence: &Evidence) -> String {
    let writer = evidence.after.as_deref().unwrap_or("another program");
    let maker = evidence.before.as_deref().map_or_else(|| "another one".to_owned(), software);
    format!("The file was written again by {writer} after {maker} had made it.")
}

fn by_editor(evidence: &Evidence) -> Option<String> {
    Some(format!("The file was written again by {}.", software(evidence.after.as_ref()?)))
}

fn by_dates(evidence: &Evidence) -> Option<String> {
    let day = |text: &Option<String>| Some(date::parse(text.as_ref()?)?.format("%-d %B %Y").to_string());
    let (made, saved) = (day(&evidence.before)?, day(&evidence.after)?);
    Some(format!("By its own dates, the file was saved again on {saved}, after it was made on {made}."))
}

/// What was not examined, and what can be copied though it is covered.
fn remarks(told: &Grounds) -> String {
    let examined = match told.content {
        _ if told.looked.image_only == Some(true) => {
            " Its pages are pictures, and nothing in a picture can be examined."
        }
        ExaminedContent::All => "",
        ExaminedContent::Part => " Not all of what its pages show was read.",
        ExaminedContent::None => " What its pages show was not read.",
    };
    let mut covered = told.looked.findings.iter().filter(|finding| finding.kind == HiddenKind::Covered);
    let is_weighed = told.signal(SignalId::TextCovered).is_some_and(|signal| signal.strength >= Strength::Strong);
    let covered = covered.next().filter(|_| !is_weighed).map_or_else(String::new, |finding| {
        format!(
            " Words under {} on page {} can still be copied.",
            finding.veil.map_or("an area", |veil| veil.name()),
            finding.page
        )
    });
    format!("{examined}{covered}")
}
