//! Sentences for files without signs of a change: the program that rewrote them, and unexamined parts.

use super::names::software;
use super::{SummaryInput, joined};
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use pdf_content::hidden::report::{ExaminedContent, HiddenKind};
use pdf_syntax::text::date;

/// `The file was saved again by qpdf after “Billing 4.2” created it. No sign …`
pub(super) fn saved_again(input: &SummaryInput) -> String {
    let first = |id: SignalId| input.because.contains(&id).then(|| input.signal(id)?.evidence.first()).flatten();
    let writer = first(SignalId::WriterMismatch).map(by_writer);
    let done = writer
        .or_else(|| first(SignalId::EditingSoftware).and_then(by_editor))
        .or_else(|| first(SignalId::ModifiedLater).and_then(by_dates))
        .unwrap_or_else(|| {
            // what was not examined is a remark
            let found = input.because.iter().filter(|&&id| id != SignalId::PagesAreImages);
            let meanings = found.filter_map(|&id| input.signal(id)).take(2);
            joined("The file seems to have been saved again", meanings.map(|signal| signal.summary.as_str()))
        });
    format!(
        "{done} No sign of another change was found; a change made before that save would leave no trace.{}",
        remarks(input)
    )
}

/// `No sign of a change …`
pub(super) fn no_signs(input: &SummaryInput) -> String {
    format!(
        "No sign of a change was found; a change made before the file was last saved in full would leave no trace.{}",
        remarks(input)
    )
}

fn by_writer(evidence: &Evidence) -> String {
    // several write the same first line
    let writer = match evidence.after.as_deref() {
        Some(writers) if writers.contains(" or ") => format!("another program, such as {writers},"),
        writer => writer.unwrap_or("another program").to_owned(),
    };
    let maker = evidence.before.as_deref().map_or_else(|| "another one".to_owned(), software);
    format!("The file was saved again by {writer} after {maker} created it.")
}

fn by_editor(evidence: &Evidence) -> Option<String> {
    Some(format!("The file was saved again by {}.", software(evidence.after.as_ref()?)))
}

fn by_dates(evidence: &Evidence) -> Option<String> {
    let day = |text: &Option<String>| Some(date::parse(text.as_ref()?)?.format("%-d %B %Y").to_string());
    let (made, saved) = (day(&evidence.before)?, day(&evidence.after)?);
    Some(format!("By its own dates, the file was saved again on {saved}, after it was created on {made}."))
}

/// Sentences about unexamined parts, and covered text that can still be copied.
fn remarks(input: &SummaryInput) -> String {
    let examined = match input.content {
        _ if input.looked.image_only == Some(true) => " Its pages are images, whose content is not examined.",
        ExaminedContent::All => "",
        ExaminedContent::Part => " Its page content was read in part.",
        ExaminedContent::None => " Its page content was not read.",
    };
    let mut covered = input.looked.findings.iter().filter(|finding| finding.kind == HiddenKind::Covered);
    let is_weighed = input.signal(SignalId::TextCovered).is_some_and(|signal| signal.strength >= Strength::Strong);
    let covered = covered.next().filter(|_| !is_weighed).map_or_else(String::new, |finding| {
        format!(
            " Words under {} on page {} can still be copied.",
            finding.cover.map_or("an area", |cover| cover.name()),
            finding.page
        )
    });
    format!("{examined}{covered}")
}
