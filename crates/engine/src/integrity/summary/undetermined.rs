//! Sentences for files of which it is inconclusive whether they were changed.

use super::{Sentence, SummaryInput, joined};
use crate::integrity::clause::named;
use crate::integrity::event::Event;
use crate::integrity::report::{Covers, Signature, SignatureReason};
use crate::integrity::signal::SignalId;

/// Why the answer is inconclusive.
pub(super) fn undetermined(input: &SummaryInput) -> Sentence {
    const OPENING: &str = "It is inconclusive whether the file was changed";
    let since = input.history.since.iter().flat_map(|since| &since.events);
    if let Some(what) = since.chain(&input.history.events).find_map(Event::inconclusive) {
        // the quoted text may be hidden by now
        return Sentence { is_public: !what.has_quotation(), text: format!("{OPENING}: {what}.") };
    }
    if let Some(reason) = input.history.indeterminate.first() {
        return Sentence { is_public: !reason.has_quotation(), text: format!("{OPENING}: {reason}.") };
    }
    let has_several = |signature: &&Signature| signature.reason == Some(SignatureReason::SeveralSigners);
    if let Some(signature) = input.signatures.iter().find(has_several) {
        let field =
            signature.field.as_ref().map_or_else(String::new, |field| format!(" of the field {}", named(field)));
        let text = format!("{OPENING}: the value{field} contains several signatures, of which PDF permits one.");
        return Sentence { text, is_public: signature.field.is_none() };
    }
    let reasons = input.because.iter().filter(|id| **id != SignalId::SignatureIntact);
    let reasons: Vec<&str> = reasons.filter_map(|&id| input.signal(id)).map(|signal| signal.summary.as_str()).collect();
    if !reasons.is_empty() {
        return joined(OPENING, reasons.into_iter().take(2)).into();
    }
    let is_partly = input.signatures.iter().any(|signature| signature.covers == Covers::Part);
    let reason = match (input.signatures.is_empty(), is_partly) {
        (true, _) => "not every save could be examined completely",
        (false, true) => "a signature covers only part of it",
        (false, false) => "not everything saved since signing could be examined",
    };
    format!("{OPENING}: {reason}.").into()
}
