//! The answer in one sentence for a person, made of the signals that decided.

use super::report::{Evidence, Revision, Signal, Signature, SignatureReason, SignatureStatus, Strength, Verdict};
use super::signal::SignalId;
use super::verdict::newest_covering;

/// What the sentence is made of.
pub(crate) struct Told<'t> {
    pub(crate) verdict: Verdict,
    pub(crate) because: &'t [SignalId],
    pub(crate) signals: &'t [Signal],
    pub(crate) signatures: &'t [Signature],
    pub(crate) revisions: &'t [Revision],
    /// How many revisions there are in all.
    pub(crate) total: u32,
}

/// One sentence.
pub(crate) fn sentence(told: &Told) -> String {
    match told.verdict {
        Verdict::Changed => changed(told),
        Verdict::SignsOfChange => told.texts("It bears signs of a change"),
        Verdict::NoSigns => {
            "Nothing in the file shows that it was changed after it was made; that is no proof.".to_owned()
        }
        Verdict::UnchangedSinceSigning => {
            format!("The file is as it was signed{}; who that is, nobody vouches for here.", signer(told))
        }
        Verdict::PermittedChangesSinceSigning => {
            format!("Since it was signed{} only what the signature permits was done.", signer(told))
        }
        Verdict::ChangedSinceSigning => changed_since_signing(told),
        Verdict::Undetermined => told.texts("Whether the file was changed cannot be told"),
    }
}

impl Told<'_> {
    fn signal(&self, id: SignalId) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.id == id)
    }

    /// What a later revision did of which this, the evidence of another signal, is the place.
    fn deed(&self, place: &Evidence) -> Option<&Signal> {
        let is_deed = |signal: &&Signal| match signal.id {
            SignalId::PageContentChanged
            | SignalId::PagesChanged
            | SignalId::AnnotationsChanged
            | SignalId::FormChanged
            | SignalId::MetadataChanged
            | SignalId::SignatureRemoved
            | SignalId::DocumentChanged => signal.evidence.contains(place),
            _ => false,
        };
        self.signals.iter().find(is_deed)
    }

    /// An opening, and what the two weightiest signals mean.
    fn texts(&self, opening: &str) -> String {
        let told: Vec<String> = self
            .because
            .iter()
            .filter_map(|&id| self.signal(id))
            .take(2)
            .map(|signal| within(signal.summary.trim_end_matches('.')))
            .collect();
        if told.is_empty() { format!("{opening}.") } else { format!("{opening}: {}.", told.join("; ")) }
    }
}

/// ` by A, as a certificate of B says`.
fn signer(told: &Told) -> String {
    let Some(signature) = newest_covering(told.signatures) else { return String::new() };
    match (&signature.signer, &signature.issuer) {
        (Some(signer), _) if signature.self_signed == Some(true) => {
            format!(" by {signer}, as a certificate says that vouches for itself")
        }
        (Some(signer), Some(issuer)) => format!(" by {signer}, as a certificate by {issuer} says"),
        (Some(signer), None) => format!(" by {signer}"),
        _ => String::new(),
    }
}

/// Who did what, when and with what: `Page 2 was changed in the second of three saves, on 19 November 2026, with …`.
fn changed(told: &Told) -> String {
    let conclusive = |signal: &&Signal| signal.strength == Strength::Conclusive;
    let Some(signal) = told.signals.iter().find(conclusive) else { return told.texts("The file was changed") };
    let place = signal.evidence.first();
    format!("{}{}.", what(signal, place), place.map_or_else(String::new, |place| save(told, place)))
}

/// The same of what a signature does not permit, or which signature does not fit.
fn changed_since_signing(told: &Told) -> String {
    let broken = |signature: &&Signature| signature.status == SignatureStatus::Broken;
    if let Some(signature) = told.signatures.iter().find(broken) {
        let of = signature.signer.as_ref().map_or_else(String::new, |signer| format!(" of {signer}"));
        let what = if signature.reason == Some(SignatureReason::Value) { "it or " } else { "" };
        return format!("The signature{of} does not fit the file: {what}what was signed has been changed since.");
    }
    let forbidden = told.signal(SignalId::ForbiddenChangeAfterSigning).and_then(|signal| signal.evidence.first());
    let Some((place, deed)) = forbidden.and_then(|place| Some((place, told.deed(place)?))) else {
        return told.texts("The file is not as it was signed");
    };
    let done = what(deed, Some(place));
    format!("{done}{}, after it was signed, which the signature does not permit.", save(told, place))
}

/// ` in the second of three saves, on 19 November 2026, with …`.
fn save(told: &Told, place: &Evidence) -> String {
    let Some(number) = place.revision else { return String::new() };
    let revision = told.revisions.iter().find(|revision| revision.number == number);
    let when = revision.and_then(|revision| revision.saved_at);
    let when = when.map_or(String::new(), |when| format!(", on {}", when.format("%-d %B %Y")));
    let producer = revision.and_then(|revision| revision.producer.as_deref());
    // a producer that stayed the same does not tell who changed it
    let before = number.checked_sub(1).and_then(|before| told.revisions.iter().find(|it| it.number == before));
    let is_new = before.is_some_and(|before| before.producer.as_deref() != producer);
    let with = producer.filter(|_| is_new).map_or(String::new(), |producer| format!(", with {producer}"));
    format!(" in the {} of {} saves{when}{with}", ordinal(number), cardinal(told.total))
}

/// A sentence within another one.
fn within(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn what(signal: &Signal, place: Option<&Evidence>) -> String {
    let page = place.and_then(|place| place.page);
    let text = match (signal.id, page) {
        (SignalId::PageContentChanged, Some(page)) => return format!("Page {page} was changed"),
        (SignalId::AnnotationsChanged, Some(page)) => return format!("Annotations on page {page} were changed"),
        (SignalId::PageContentChanged, None) => "What pages show was changed",
        (SignalId::AnnotationsChanged, None) => "Annotations were changed",
        (SignalId::PagesChanged, _) => "Pages were added, removed or reordered",
        (SignalId::FormChanged, _) => "The form was changed",
        (SignalId::MetadataChanged, _) => "What the document says about itself was changed",
        (SignalId::SignatureRemoved, _) => "A signature was removed",
        (SignalId::DocumentChanged, _) => match place.and_then(|place| place.place.as_deref()) {
            Some(key) => return format!("The document's {key} was changed"),
            None => "The document was changed",
        },
        _ => signal.summary.trim_end_matches('.'),
    };
    text.to_owned()
}

fn ordinal(number: u32) -> String {
    const WORDS: [&str; 11] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    word.map_or_else(|| format!("{number}th"), |word| (*word).to_owned())
}

fn cardinal(number: u32) -> String {
    const WORDS: [&str; 11] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}
