//! The answer in one sentence, derived from the deciding signals.

mod clean;

use super::disclosure::Disclosure;
use super::event::{Event, EventKind, Subject};
use super::report::{
    AnchorSource, Covers, DecidingReason, PublicTexts, RevocationStatus, Signal, Signature, SignatureKind,
    SignatureReason, SignatureStatus, Strength, Trust, TrustStatus, Verdict,
};
use super::revision::History;
use super::signal::SignalId;
use pdf_content::hidden::report::ExaminedContent;
use pdf_content::hidden::{Cover, HiddenText, PageFindings};
use pdf_syntax::text::is_unseen;

/// Maximum characters of a name and of a catalog key, and maximum actions listed.
const MAX_NAME_CHARS: usize = 64;
const MAX_KEY_CHARS: usize = 32;
const MAX_ACTIONS: usize = 4;

/// The deciding reason without the signature's name, for lists and agents.
const COVERS_ANOTHER: &str = "A later signature covers another one";

/// Phrases that only the account whose anchors were used may see.
const YOU_TRUST: &str = "; you trust its issuer, ";
const TRUSTED_BY_YOU: &str = " (you trust the issuer, ";
/// The neutral form of such a phrase.
pub const AS_TRUSTED: &str = "As signed; you trust its issuer";

/// The input of the sentence.
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
        Verdict::UnchangedSinceSigning => unchanged(input),
        Verdict::PermittedChangesSinceSigning => {
            format!(
                "Since it was signed{}, only changes that the signature permits were made{}.",
                signer(input),
                actions(input)
            )
        }
        Verdict::Undetermined => {
            let text = undetermined(input);
            // the quoted text may be hidden by now
            return Sentence { is_public: !text.contains('\u{201c}'), text };
        }
    };
    text.into()
}

impl SummaryInput<'_> {
    fn signal(&self, id: SignalId) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.id == id)
    }

    /// The text change that reports the same event on the same page; otherwise the event itself.
    fn in_words<'e>(&'e self, event: &'e Event) -> &'e Event {
        let all = || self.history.since.iter().flat_map(|since| &since.events).chain(&self.history.events);
        // covering another signature is more specific than the new signature's own appearance
        let is_covering =
            |other: &&Event| other.covered.is_some() && other.revision == event.revision && other.field == event.field;
        if let Some(covering) = Some(event).filter(is_covering).or_else(|| all().find(is_covering)) {
            return covering;
        }
        let is_same = |other: &&Event| {
            matches!(other.subject, Subject::Text { .. })
                && (other.revision, other.kind) == (event.revision, event.kind)
                && (event.page.is_none() || other.page == event.page)
        };
        all().find(is_same).unwrap_or(event)
    }

    /// A sentence that begins with the description of an event.
    fn of_event(&self, event: &Event, rest: &str) -> Sentence {
        let event = self.in_words(event);
        Sentence {
            text: format!("{}{rest}.", description(event)),
            is_public: quoted(event) <= self.disclosure.of(event),
        }
    }

    /// An opening with the meanings of the two strongest signals.
    fn texts(&self, opening: &str) -> String {
        let deciding = self.because.iter().filter_map(|&id| self.signal(id)).take(2);
        joined(opening, deciding.map(|signal| signal.summary.as_str()))
    }
}

/// The deciding reason: overprinted text if there is any, then pages that are images, then the first deciding signal;
/// for a violated signature, the violation.
pub(crate) fn reason(input: &SummaryInput) -> Option<DecidingReason> {
    // in the same order as the sentence
    let retyped = input.because.iter().find(|id| **id == SignalId::TextRetyped);
    let unread = input.because.iter().find(|id| **id == SignalId::PagesAreImages);
    let signal = *retyped.or(unread).or(input.because.first())?;
    let phrase = match (signal, input.forbidden) {
        (SignalId::ForbiddenChangeAfterSigning, Some(event)) => {
            let event = input.in_words(event);
            let (change, _) = event.kind.signal();
            match event.covered {
                Some(_) => COVERS_ANOTHER.to_owned(),
                None => format!("{} after it was signed", change.phrase()),
            }
        }
        (SignalId::SignatureIntact, _) => {
            match input.signatures.iter().find_map(|signature| signature.trust.as_ref()) {
                Some(Trust { status: TrustStatus::Trusted, anchor: Some(anchor), revocation, .. }) => {
                    let trusted = match anchor.source {
                        AnchorSource::Account => AS_TRUSTED,
                        AnchorSource::Operator => "As signed; its issuer is trusted here",
                    };
                    let is_checked = *revocation == RevocationStatus::Good;
                    format!("{trusted}{}", if is_checked { "" } else { "; revocation not checked" })
                }
                Some(_) => "As signed, by an untrusted signer".to_owned(),
                None => signal.phrase().to_owned(),
            }
        }
        _ => signal.phrase().to_owned(),
    };
    Some(DecidingReason { signal, phrase })
}

/// States that the file is unchanged since signing, and the trust in the signer.
fn unchanged(input: &SummaryInput) -> String {
    let mut signers = input
        .signatures
        .iter()
        .filter(|signature| signature.status == SignatureStatus::Intact && signature.kind != SignatureKind::Timestamp);
    let distrusted = signers.clone().filter_map(|signature| signature.trust.as_ref());
    let distrusted = distrusted.into_iter().find(|trust| trust.status != TrustStatus::Trusted);
    if let Some(distrusted) = distrusted {
        let opening = format!("The file is unchanged since it was signed{}; the signer is not trusted", signer(input));
        return joined(&opening, [distrusted.because.as_str()].into_iter());
    }
    if let Some(Signature { signer: Some(name), trust: Some(Trust { anchor: Some(anchor), .. }), .. }) = signers.next()
    {
        let issuer = named(&anchor.name);
        let trust = match anchor.source {
            AnchorSource::Account => format!("{YOU_TRUST}{issuer}"),
            AnchorSource::Operator => format!("; its issuer, {issuer}, is trusted here"),
        };
        return format!("The file is unchanged since {} signed it{trust}.", named(name));
    }
    format!(
        "The file is unchanged since it was signed{}; the identity of the signer is not verified here.",
        signer(input)
    )
}

/// The same sentence for readers other than the account whose anchors were used.
#[must_use]
pub fn for_others(summary: &str) -> String {
    summary
        .replace(YOU_TRUST, "; whoever shared it trusts its issuer, ")
        .replace(TRUSTED_BY_YOU, " (whoever shared it trusts the issuer, ")
}

/// ` by “A” (self-signed certificate)`: the first signer. A time-stamp has no signer to name.
fn signer(input: &SummaryInput) -> String {
    let is_intact = |signature: &&Signature| signature.status == SignatureStatus::Intact;
    let mut intact = input.signatures.iter().filter(is_intact);
    let Some(first) = intact.clone().find(|signature| signature.kind != SignatureKind::Timestamp) else {
        let stamp = intact.next().and_then(|stamp| stamp.signer.as_deref());
        return stamp.map_or_else(String::new, |name| format!(", with a time-stamp by {}", named(name)));
    };
    first.signer.as_ref().map_or_else(String::new, |name| format!(" by {}{}", named(name), issuer(first)))
}

/// ` (self-signed certificate)`, or the issuer as the certificate names it, which is not verified.
fn issuer(signature: &Signature) -> String {
    let trusted = signature.trust.as_ref().and_then(|trust| trust.anchor.as_ref().filter(|_| trust.is_trusted()));
    match &signature.issuer {
        _ if let Some(anchor) = trusted => match anchor.source {
            AnchorSource::Account => format!("{TRUSTED_BY_YOU}{})", named(&anchor.name)),
            AnchorSource::Operator => format!(" (its issuer, {}, is trusted here)", named(&anchor.name)),
        },
        _ if signature.self_signed == Some(true) => " (self-signed certificate)".to_owned(),
        Some(issuer) if signature.issuer_verified == Some(true) => {
            format!(" (certificate issued by {})", named(issuer))
        }
        Some(issuer) => format!(" (certificate naming {} as its issuer)", named(issuer)),
        None => String::new(),
    }
}

/// A name in quotation marks: shortened, on one line, without bidirectional controls and without characters that would
/// end the quotation.
fn named(name: &str) -> String {
    let mut letters = name.chars().filter(|letter| !is_unseen(*letter)).map(|letter| match letter {
        letter if is_quotation_mark(letter) => '\'',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    });
    let mut shown: String = letters.by_ref().take(MAX_NAME_CHARS).collect();
    // two of them resemble a double quotation mark
    while shown.contains("''") {
        shown = shown.replace("''", "'");
    }
    if letters.next().is_some() {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    format!("\u{201c}{shown}\u{201d}")
}

/// The name of a program without the licenses and build numbers that some add after a semicolon.
fn software(name: &str) -> String {
    named(name.split(';').next().unwrap_or_default().trim())
}

/// Whether a character is or resembles a quotation mark.
fn is_quotation_mark(letter: char) -> bool {
    matches!(letter, '"' | '«' | '»' | '`' | '´' | '\u{2ba}' | '\u{2dd}' | '\u{2ee}' | '\u{2018}'..='\u{201f}')
        || matches!(letter, '\u{2032}'..='\u{2037}' | '\u{275b}'..='\u{275e}' | '\u{2e42}' | '\u{300c}'..='\u{300f}')
        || matches!(letter, '\u{301d}'..='\u{301f}' | '\u{ff02}' | '\u{1f676}'..='\u{1f678}')
}

/// `: form fields were filled in; “B” signed on page 2`: the actions, each kind once.
fn actions(input: &SummaryInput) -> String {
    let mut phrases: Vec<String> = Vec::new();
    for phrase in input.permitted.iter().filter_map(|event| permitted(input, event)) {
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    let is_more = phrases.len() > MAX_ACTIONS;
    phrases.truncate(MAX_ACTIONS);
    if is_more {
        phrases.push("and more".to_owned());
    }
    if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) }
}

/// The phrase for a permitted event; `None` if another event reports it.
fn permitted(input: &SummaryInput, event: &Event) -> Option<String> {
    let page = event.page.map_or_else(String::new, |page| format!(" on page {page}"));
    Some(match event.kind {
        EventKind::Signature | EventKind::VisibleSignature => {
            let own = input.signatures.iter().find(|signature| signature.field == event.field)?;
            let name = own.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            let visibly = if event.kind == EventKind::VisibleSignature { " visibly" } else { "" };
            let covered =
                event.covered.as_ref().map_or_else(String::new, |field| format!("; it covers {}", named(field)));
            format!("{name}{} signed{visibly}{page}{covered}", issuer(own))
        }
        EventKind::Value => format!("form fields{page} were filled in"),
        EventKind::Redrawn => format!("form fields{page} were drawn again with the same values"),
        EventKind::Appearance => format!("the appearance of form fields{page} was changed"),
        EventKind::Annotation => format!("annotations{page} were added or changed"),
        EventKind::SignatureField => "a field for a signature was added".to_owned(),
        EventKind::Metadata => "metadata was changed".to_owned(),
        _ => return None,
    })
}

/// Why the answer is inconclusive.
fn undetermined(input: &SummaryInput) -> String {
    const OPENING: &str = "It is inconclusive whether the file was changed";
    let since = input.history.since.iter().flat_map(|since| &since.events);
    if let Some(what) = since.chain(&input.history.events).find_map(Event::inconclusive) {
        return format!("{OPENING}: {what}.");
    }
    if let Some(reason) = input.history.indeterminate.first() {
        return format!("{OPENING}: {reason}.");
    }
    let has_several = |signature: &&Signature| signature.reason == Some(SignatureReason::SeveralSigners);
    if let Some(signature) = input.signatures.iter().find(has_several) {
        let field =
            signature.field.as_ref().map_or_else(String::new, |field| format!(" of the field {}", named(field)));
        return format!("{OPENING}: the signature{field} has several signers, of whom PDF permits one.");
    }
    let reasons = input.because.iter().filter(|id| **id != SignalId::SignatureIntact);
    let reasons: Vec<&str> = reasons.filter_map(|&id| input.signal(id)).map(|signal| signal.summary.as_str()).collect();
    if !reasons.is_empty() {
        return joined(OPENING, reasons.into_iter().take(2));
    }
    let is_partly = input.signatures.iter().any(|signature| signature.covers == Covers::Part);
    let reason = match (input.signatures.is_empty(), is_partly) {
        (true, _) => "not every save could be examined completely",
        (false, true) => "a signature covers only part of it",
        (false, false) => "not everything saved since signing could be examined",
    };
    format!("{OPENING}: {reason}.")
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
    Some(match now.is_empty() {
        true => format!("On page {page}, the line '{before}' is not shown: {clause}."),
        false => format!("On page {page}, '{before}' now reads '{now}': {clause}."),
    })
}

/// The change, its revision, date and program: `Page 2 was changed in the second of three saves, on 19 November 2026,
/// with …`.
fn changed(input: &SummaryInput) -> Sentence {
    let conclusive = input.signals.iter().filter(|signal| signal.strength == Strength::Conclusive);
    let decisive = conclusive.filter_map(|signal| {
        let is_it = |event: &&Event| event.kind.signal() == (signal.id, Strength::Conclusive);
        input.history.events.iter().find(is_it)
    });
    match decisive.into_iter().next() {
        Some(event) => input.of_event(event, &revision_phrase(input, event.revision)),
        None => input.texts("The file was changed").into(),
    }
}

/// The same for a violated signature, or the signature that does not match.
fn changed_since_signing(input: &SummaryInput) -> Sentence {
    let broken = |signature: &&Signature| signature.status == SignatureStatus::Broken;
    if let Some(signature) = input.signatures.iter().find(broken) {
        if signature.reason == Some(SignatureReason::Certificate) {
            let name = signature.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            return format!("A signature does not match: the signer's certificate was replaced with that of {name}.")
                .into();
        }
        let of = signature.signer.as_ref().map_or_else(String::new, |signer| format!(" of {}", named(signer)));
        let what = if signature.reason == Some(SignatureReason::Value) { "the signature or " } else { "" };
        return format!("The signature{of} does not match the file: {what}signed content was changed.").into();
    }
    let Some(event) = input.forbidden else { return input.texts("The file was changed since it was signed").into() };
    let phrase = revision_phrase(input, event.revision);
    input.of_event(event, &format!("{phrase}, after it was signed, which the signature does not permit"))
}

/// ` in the second of three saves, on 19 November 2026, with …`; empty for data outside of all revisions.
fn revision_phrase(input: &SummaryInput, number: u32) -> String {
    let History { revisions, total, .. } = input.history;
    if number > *total {
        return String::new();
    }
    let revision = revisions.iter().find(|revision| revision.number == number);
    let when = revision.and_then(|revision| revision.saved_at);
    let when = when.map_or(String::new(), |when| format!(", on {}", when.format("%-d %B %Y")));
    let with = revision.and_then(|revision| revision.producer.as_deref());
    // licenses and build numbers follow after a semicolon
    let with = with.and_then(|producer| producer.split(';').next());
    let with = with.map_or(String::new(), |producer| format!(", with {}", software(producer)));
    format!(" in the {} of {} saves{when}{with}", ordinal(number), cardinal(*total))
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

fn description(event: &Event) -> String {
    if let Some(words) = words(event) {
        return words;
    }
    if let Some(field) = &event.covered {
        return format!("A signature was added whose appearance covers {}", named(field));
    }
    let text = match (event.kind, event.page) {
        (EventKind::Content, Some(page)) => return format!("Page {page} was changed"),
        (EventKind::Annotation, Some(page)) => return format!("Annotations on page {page} were changed"),
        (EventKind::Content, None) => "Page content was changed",
        (EventKind::Annotation, None) => "Annotations were changed",
        (EventKind::Pages, _) => "Pages were added, removed or reordered",
        (EventKind::Value | EventKind::Field | EventKind::FormResource, _) => "The form was changed",
        (EventKind::Redrawn | EventKind::Appearance, _) => {
            "The appearance of a form field was changed, but not its value"
        }
        (EventKind::Metadata, _) => "Metadata was changed",
        (EventKind::Unsigned, _) => "A signature was removed or changed",
        (EventKind::Document | EventKind::View, _) => match &event.subject {
            Subject::Catalog("EmbeddedFiles") => "Attachments were changed",
            Subject::Catalog("JavaScript") => "A script was changed",
            Subject::Catalog("OCProperties") => "Layers were changed",
            Subject::Catalog("Outlines") => "Bookmarks were changed",
            Subject::Catalog(key) if is_plain_key(key) => return format!("The document's {key} was changed"),
            Subject::Tags => "Text that screen readers read aloud was changed",
            Subject::Annotation(Some(kind)) if is_plain_key(kind) => {
                return format!("An annotation of kind {kind}, or where it leads, was changed");
            }
            _ => "The document was changed",
        },
        (EventKind::Tags | EventKind::Tagging, _) => "Document tags were changed",
        (EventKind::Signature | EventKind::VisibleSignature | EventKind::SignatureField, _) => "A signature was added",
        (EventKind::Validation | EventKind::TimeStamp, _) => "Validation data was added",
        (EventKind::Unexplained, _) => match &event.subject {
            Subject::Bytes { .. } => "Objects were added that nothing in the file refers to",
            Subject::Encryption => "The encryption of the file was changed",
            _ => "Something was changed that readers may interpret differently",
        },
        (EventKind::Ambiguous, _) => "Something was changed that cannot be read here",
    };
    text.to_owned()
}

/// `On page 1, 'Total 1,250.00 EUR' became 'Total 9,250.00 EUR'`, if the event is a text change.
fn words(event: &Event) -> Option<String> {
    let Subject::Text { is_moved } = event.subject else { return None };
    let done = match (&event.before, &event.after) {
        (Some(text), Some(_)) if is_moved => format!("'{text}' was moved"),
        (Some(before), Some(after)) => format!("'{before}' became '{after}'"),
        (None, Some(text)) => format!("'{text}' was added"),
        (Some(text), None) => format!("'{text}' was removed"),
        (None, None) => return None,
    };
    Some(format!("On page {}, {done}", event.page?))
}

/// The texts of an event that its sentence quotes.
fn quoted(event: &Event) -> PublicTexts {
    match (&event.subject, &event.before) {
        (Subject::Text { .. }, Some(_)) => PublicTexts::Both,
        (Subject::Text { .. }, None) => PublicTexts::Now,
        _ => PublicTexts::None,
    }
}

/// Whether a key is one word, as all standard keys are: other keys may contain anything.
fn is_plain_key(key: &str) -> bool {
    key.len() <= MAX_KEY_CHARS && key.chars().all(|letter| letter.is_ascii_alphanumeric())
}

fn ordinal(number: u32) -> String {
    const WORDS: [&str; 11] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    let ending = match (number % 10, number % 100) {
        (1..=3, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    word.map_or_else(|| format!("{number}{ending}"), |word| (*word).to_owned())
}

fn cardinal(number: u32) -> String {
    const WORDS: [&str; 11] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
    let word = number.checked_sub(1).and_then(|index| WORDS.get(index as usize));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{named, ordinal};

    #[test]
    fn a_name_cannot_leave_its_quotation_marks() {
        for (name, shown) in [
            ("Billing 4.2", "\u{201c}Billing 4.2\u{201d}"),
            ("O'Brien", "\u{201c}O'Brien\u{201d}"),
            ("Bank\u{201d} signed it; its issuer, \u{201c}X", "\u{201c}Bank' signed it; its issuer, 'X\u{201d}"),
            ("A\"B\u{ab}C\u{2033}D", "\u{201c}A'B'C'D\u{201d}"),
            ("A'' signed, ''B", "\u{201c}A' signed, 'B\u{201d}"),
            ("A\nB\u{202e}C\u{200b}D\u{e0041}", "\u{201c}ABCD\u{201d}"),
        ] {
            assert_eq!(named(name), shown);
        }
        assert_eq!(named(&"x".repeat(65)), format!("\u{201c}{}\u{2026}\u{201d}", "x".repeat(64)));
        assert_eq!(named(&"x".repeat(64)), format!("\u{201c}{}\u{201d}", "x".repeat(64)));
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let numbers = [1, 11, 12, 13, 20, 21, 22, 23, 24, 101, 111, 112, 113, 122].map(ordinal);
        let expected = [
            "first", "eleventh", "12th", "13th", "20th", "21st", "22nd", "23rd", "24th", "101st", "111th", "112th",
            "113th", "122nd",
        ];
        assert_eq!(numbers, expected);
    }
}
