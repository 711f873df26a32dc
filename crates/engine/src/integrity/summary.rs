//! The answer in one sentence, derived from the deciding signals.

mod changes;
mod clean;
mod names;
mod numbers;
mod permitted;
mod reason;
mod signer;
mod undetermined;

use super::disclosure::Disclosure;
use super::event::Event;
use super::report::{Signal, Signature, Verdict};
use super::revision::History;
use super::signal::SignalId;
use changes::{changed, changed_since_signing};
use pdf_content::hidden::report::ExaminedContent;
use pdf_content::hidden::{Cover, HiddenText, PageFindings};
use permitted::actions;
pub(crate) use reason::reason;
pub(crate) use signer::Reader;
pub use signer::{is_trusted_by_account, rebuilt_for_others};
use undetermined::undetermined;

/// The input of the sentence.
#[derive(Clone, Copy)]
pub(crate) struct SummaryInput<'t> {
    pub(crate) verdict: Verdict,
    pub(crate) because: &'t [SignalId],
    pub(crate) signals: &'t [Signal],
    pub(crate) signatures: &'t [Signature],
    pub(crate) history: &'t History,
    pub(crate) looked: &'t PageFindings,
    /// How much page content was read.
    pub(crate) content: ExaminedContent,
    pub(crate) disclosure: &'t Disclosure<'t>,
    /// The first event that a signature does not permit.
    pub(crate) forbidden: Option<&'t Event>,
    /// Events that all signatures permit, in order.
    pub(crate) permitted: &'t [&'t Event],
    pub(crate) reader: Reader,
}

/// The answer in one sentence.
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// Whether its quotations may be shown to everyone.
    pub(crate) is_public: bool,
}

impl From<String> for Sentence {
    /// A sentence without quotations of page text.
    fn from(text: String) -> Self {
        Self { text, is_public: true }
    }
}

/// One sentence.
pub(crate) fn sentence(input: &SummaryInput) -> Sentence {
    let text = match input.verdict {
        Verdict::Changed => return changed(input),
        Verdict::ChangedSinceSigning => return changed_since_signing(input),
        Verdict::SignsOfChange => match retyped(input) {
            Some(text) => return Sentence { text, is_public: false },
            None => input.texts("Signs of modification found"),
        },
        Verdict::SavedAgain => clean::saved_again(input),
        Verdict::NoSigns => clean::no_signs(input),
        Verdict::UnchangedSinceSigning => signer::unchanged(input.signatures, input.reader),
        Verdict::PermittedChangesSinceSigning => signer::permitted(input.signatures, input.reader, &actions(input)),
        Verdict::Undetermined => return undetermined(input),
    };
    text.into()
}

/// The sentence for readers other than the account whose issuers were trusted; `None` if it is the same.
pub(crate) fn for_others(input: &SummaryInput, own: &Sentence) -> Option<String> {
    let is_other = signer::lead_to_issuers_of_account(input.signatures);
    let other = is_other.then(|| sentence(&SummaryInput { reader: Reader::Other, ..*input }).text);
    other.filter(|other| *other != own.text)
}

impl SummaryInput<'_> {
    fn signal(&self, id: SignalId) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.id == id)
    }

    /// An opening with the meanings of the two strongest signals.
    fn texts(&self, opening: &str) -> String {
        let deciding = self.because.iter().filter_map(|&id| self.signal(id)).take(2);
        joined(opening, deciding.map(|signal| dated_later(signal).unwrap_or(&signal.summary)))
    }
}

/// What is dated later than the document, if the signal says that something is.
fn dated_later(signal: &Signal) -> Option<&'static str> {
    let first = signal.evidence.first().filter(|_| signal.id == SignalId::ObjectDatedLater)?;
    Some(match first.place.as_deref()? {
        "annotation /M" => "An annotation on page 1 is dated later than the document itself.",
        place if place.starts_with("page /") => "Page 1 is dated later than the document itself.",
        _ => return None,
    })
}

/// Overprinted or erased text: `On page 1, 'Balance 412.07' now reads 'Balance 4,412.07': a white area covers the original text.`
fn retyped(input: &SummaryInput) -> Option<String> {
    let findings = &input.looked.findings;
    let HiddenText { page, change: Some(change), cover: Some(cover), .. } =
        findings.iter().find(|finding| finding.change.is_some())?
    else {
        return None;
    };
    let (before, now, clause) = (&change.before, &change.now, cover.clause());
    if *cover == Cover::Viewers {
        return Some(format!("On page {page}, some viewers show '{before}', and others '{now}'."));
    }
    if *cover == Cover::Glyphs {
        return Some(format!("Page {page} shows '{now}', and copying or searching it gives '{before}'."));
    }
    if *cover == Cover::Print {
        return Some(format!("On page {page}, the screen shows '{before}', and print '{now}' in its place."));
    }
    Some(match now.is_empty() {
        true => format!("On page {page}, the line '{before}' is not shown: {clause}."),
        false => format!("On page {page}, '{before}' now reads '{now}': {clause}."),
    })
}

/// An opening followed by the meanings of signals in one sentence.
pub fn joined<'s>(opening: &str, meanings: impl Iterator<Item = &'s str>) -> String {
    let within = |sentence: &str| {
        let mut letters = sentence.trim_end_matches('.').chars();
        letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
    };
    let meanings: Vec<String> = meanings.map(within).collect();
    if meanings.is_empty() { format!("{opening}.") } else { format!("{opening}: {}.", meanings.join("; ")) }
}
