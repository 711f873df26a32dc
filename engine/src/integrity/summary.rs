//! The answer in one sentence for a person, made of the signals that decided.

mod clean;

use super::event::{Event, EventKind, Subject};
use super::publicity::Publicity;
use super::report::{
    AnchorSource, Covers, DecidingReason, PublicTexts, RevocationStatus, Signal, Signature, SignatureKind,
    SignatureReason, SignatureStatus, Strength, Trust, TrustStatus, Verdict,
};
use super::revision::History;
use super::signal::SignalId;
use crate::hidden::report::ExaminedContent;
use crate::hidden::{HiddenText, PageFindings};
use crate::text::is_unseen;

/// Characters of a name that are shown, and of a catalog's key; and things done that are told.
const NAME: usize = 64;
const KEY: usize = 32;
const DONE: usize = 4;

/// The phrase of a reason that names no signature, as lists and agents show it.
const COVERS_ANOTHER: &str = "A later signature covers another one";

/// How sentences begin that only the account is told whose issuers were trusted.
const YOU_TRUST: &str = "; you trust its issuer, ";
const TRUSTED_BY_YOU: &str = " (you trust the issuer, ";
/// The phrase of a reason of which the same holds.
pub const AS_TRUSTED: &str = "As signed; you trust its issuer";

/// What the sentence is made of.
pub(crate) struct Grounds<'t> {
    pub(crate) verdict: Verdict,
    pub(crate) because: &'t [SignalId],
    pub(crate) signals: &'t [Signal],
    pub(crate) signatures: &'t [Signature],
    pub(crate) history: &'t History,
    pub(crate) looked: &'t PageFindings,
    /// How much was read of what pages show.
    pub(crate) content: ExaminedContent,
    pub(crate) publicity: &'t Publicity<'t>,
    /// The first thing that a signature does not permit.
    pub(crate) forbidden: Option<&'t Event>,
    /// What was done that all signatures permit, in order.
    pub(crate) permitted: &'t [&'t Event],
}

/// The answer in one sentence.
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// Whether what it quotes may be shown to everybody.
    pub(crate) is_public: bool,
}

impl From<String> for Sentence {
    /// One that quotes nothing that a page shows or hides.
    fn from(text: String) -> Self {
        Self { text, is_public: true }
    }
}

/// One sentence.
pub(crate) fn sentence(told: &Grounds) -> Sentence {
    let text = match told.verdict {
        Verdict::Changed => return changed(told),
        Verdict::ChangedSinceSigning => return changed_since_signing(told),
        Verdict::SignsOfChange => match retyped(told) {
            Some(text) => return Sentence { text, is_public: false },
            None => told.texts("Signs of modification found"),
        },
        Verdict::SavedAgain => clean::saved_again(told),
        Verdict::NoSigns => clean::no_signs(told),
        Verdict::UnchangedSinceSigning => unchanged(told),
        Verdict::PermittedChangesSinceSigning => {
            format!(
                "Since it was signed{}, only changes that the signature permits were made{}.",
                signer(told),
                done(told)
            )
        }
        Verdict::Undetermined => {
            let text = undetermined(told);
            // what is quoted may be hidden by now
            return Sentence { is_public: !text.contains('\u{201c}'), text };
        }
    };
    text.into()
}

impl Grounds<'_> {
    fn signal(&self, id: SignalId) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.id == id)
    }

    /// What says the same in words, of the same page if it is on one; else the event itself.
    fn in_words<'e>(&'e self, event: &'e Event) -> &'e Event {
        let all = || self.history.since.iter().flat_map(|since| &since.events).chain(&self.history.events);
        // that a signature covers another one says more than what its own appearance shows
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

    /// A sentence that begins with what an event did.
    fn of_event(&self, event: &Event, rest: &str) -> Sentence {
        let event = self.in_words(event);
        Sentence { text: format!("{}{rest}.", what(event)), is_public: quoted(event) <= self.publicity.of(event) }
    }

    /// An opening, and what the two weightiest signals mean.
    fn texts(&self, opening: &str) -> String {
        let deciding = self.because.iter().filter_map(|&id| self.signal(id)).take(2);
        joined(opening, deciding.map(|signal| signal.summary.as_str()))
    }
}

/// What decided above all, the first of those that did or what was retyped; of what a signature does not permit, what that
/// was. Where pages are images, that they are comes before what software says.
pub(crate) fn reason(told: &Grounds) -> Option<DecidingReason> {
    // the sentence begins with that as well
    let retyped = told.because.iter().find(|id| **id == SignalId::TextRetyped);
    let unread = told.because.iter().find(|id| **id == SignalId::PagesAreImages);
    let signal = *retyped.or(unread).or(told.because.first())?;
    let phrase = match (signal, told.forbidden) {
        (SignalId::ForbiddenChangeAfterSigning, Some(event)) => {
            let event = told.in_words(event);
            let (change, _) = event.kind.signal();
            match event.covered {
                Some(_) => COVERS_ANOTHER.to_owned(),
                None => format!("{} after it was signed", change.phrase()),
            }
        }
        (SignalId::SignatureIntact, _) => match told.signatures.iter().find_map(|signature| signature.trust.as_ref()) {
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
        },
        _ => signal.phrase().to_owned(),
    };
    Some(DecidingReason { signal, phrase })
}

/// That nothing was done since, and what is known of who signed.
fn unchanged(told: &Grounds) -> String {
    let mut signers = told
        .signatures
        .iter()
        .filter(|signature| signature.status == SignatureStatus::Intact && signature.kind != SignatureKind::Timestamp);
    let doubt = signers.clone().filter_map(|signature| signature.trust.as_ref());
    let doubt = doubt.into_iter().find(|trust| trust.status != TrustStatus::Trusted);
    if let Some(doubt) = doubt {
        let opening = format!("The file is unchanged since it was signed{}; the signer is not trusted", signer(told));
        return joined(&opening, [doubt.because.as_str()].into_iter());
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
        signer(told)
    )
}

/// The same sentence for others than the account whose issuers were trusted.
#[must_use]
pub fn for_others(summary: &str) -> String {
    summary
        .replace(YOU_TRUST, "; whoever shared it trusts its issuer, ")
        .replace(TRUSTED_BY_YOU, " (whoever shared it trusts the issuer, ")
}

/// ` by “A” (self-signed certificate)`: the first who signed. A time-stamp signs for nobody.
fn signer(told: &Grounds) -> String {
    let is_intact = |signature: &&Signature| signature.status == SignatureStatus::Intact;
    let mut intact = told.signatures.iter().filter(is_intact);
    let Some(first) = intact.clone().find(|signature| signature.kind != SignatureKind::Timestamp) else {
        let stamp = intact.next().and_then(|stamp| stamp.signer.as_deref());
        return stamp.map_or_else(String::new, |name| format!(", with a time-stamp by {}", named(name)));
    };
    first.signer.as_ref().map_or_else(String::new, |name| format!(" by {}{}", named(name), issuer(first)))
}

/// ` (self-signed certificate)`, or who it says has issued it, which nobody has checked.
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

/// A name in quotation marks, as its owner chose it: short, on one line, without what makes a line read otherwise than it is
/// written, and without marks that would end the quotation.
fn named(name: &str) -> String {
    let mut letters = name.chars().filter(|letter| !is_unseen(*letter)).map(|letter| match letter {
        letter if is_quotation_mark(letter) => '\'',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    });
    let mut shown: String = letters.by_ref().take(NAME).collect();
    // two of them look like one of the others
    while shown.contains("''") {
        shown = shown.replace("''", "'");
    }
    if letters.next().is_some() {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    format!("\u{201c}{shown}\u{201d}")
}

/// The name of a program: some add licenses and build numbers behind a semicolon.
fn software(name: &str) -> String {
    named(name.split(';').next().unwrap_or_default().trim())
}

/// Whether a character is a quotation mark, or looks like one.
fn is_quotation_mark(letter: char) -> bool {
    matches!(letter, '"' | '«' | '»' | '`' | '´' | '\u{2ba}' | '\u{2dd}' | '\u{2ee}' | '\u{2018}'..='\u{201f}')
        || matches!(letter, '\u{2032}'..='\u{2037}' | '\u{275b}'..='\u{275e}' | '\u{2e42}' | '\u{300c}'..='\u{300f}')
        || matches!(letter, '\u{301d}'..='\u{301f}' | '\u{ff02}' | '\u{1f676}'..='\u{1f678}')
}

/// `: form fields were filled in; “B” signed on page 2`: what was done, each kind of it once.
fn done(told: &Grounds) -> String {
    let mut phrases: Vec<String> = Vec::new();
    for phrase in told.permitted.iter().filter_map(|event| permitted(told, event)) {
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    let is_more = phrases.len() > DONE;
    phrases.truncate(DONE);
    if is_more {
        phrases.push("and more".to_owned());
    }
    if phrases.is_empty() { String::new() } else { format!(": {}", phrases.join("; ")) }
}

/// What something that a signature permits comes to; none if that is told with something else.
fn permitted(told: &Grounds, event: &Event) -> Option<String> {
    let page = event.page.map_or_else(String::new, |page| format!(" on page {page}"));
    Some(match event.kind {
        EventKind::Signature | EventKind::VisibleSignature => {
            let own = told.signatures.iter().find(|signature| signature.field == event.field)?;
            let name = own.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            let look = if event.kind == EventKind::VisibleSignature { " visibly" } else { "" };
            let covered =
                event.covered.as_ref().map_or_else(String::new, |field| format!("; it covers {}", named(field)));
            format!("{name}{} signed{look}{page}{covered}", issuer(own))
        }
        EventKind::Value => format!("form fields{page} were filled in"),
        EventKind::Appearance => format!("the appearance of form fields{page} was changed"),
        EventKind::Annotation => format!("annotations{page} were added or changed"),
        EventKind::SignatureField => "a field for a signature was added".to_owned(),
        EventKind::Metadata => "metadata was changed".to_owned(),
        _ => return None,
    })
}

/// What stands in the way of an answer, and nothing that speaks for one.
fn undetermined(told: &Grounds) -> String {
    const OPENING: &str = "It is inconclusive whether the file was changed";
    let since = told.history.since.iter().flat_map(|since| &since.events);
    if let Some(what) = since.chain(&told.history.events).find_map(Event::inconclusive) {
        return format!("{OPENING}: {what}.");
    }
    if let Some(reason) = told.history.indeterminate.first() {
        return format!("{OPENING}: {reason}.");
    }
    let reasons = told.because.iter().filter(|id| **id != SignalId::SignatureIntact);
    let reasons: Vec<&str> = reasons.filter_map(|&id| told.signal(id)).map(|signal| signal.summary.as_str()).collect();
    if !reasons.is_empty() {
        return joined(OPENING, reasons.into_iter().take(2));
    }
    let is_partly = told.signatures.iter().any(|signature| signature.covers == Covers::Part);
    let reason = match (told.signatures.is_empty(), is_partly) {
        (true, _) => "not every save could be examined completely",
        (false, true) => "a signature covers only part of it",
        (false, false) => "not everything saved since signing could be examined",
    };
    format!("{OPENING}: {reason}.")
}

/// What was painted over: `On page 1, 'Balance 412.07' now reads 'Balance 4,412.07': a white area covers the original text.`
fn retyped(told: &Grounds) -> Option<String> {
    let findings = &told.looked.findings;
    let HiddenText { page, change: Some(change), veil: Some(veil), .. } =
        findings.iter().find(|finding| finding.change.is_some())?
    else {
        return None;
    };
    let (before, now, clause) = (&change.before, &change.now, veil.clause());
    Some(format!("On page {page}, '{before}' now reads '{now}': {clause}."))
}

/// What was done, when and with what: `Page 2 was changed in the second of three saves, on 19 November 2026, with …`.
fn changed(told: &Grounds) -> Sentence {
    let conclusive = told.signals.iter().filter(|signal| signal.strength == Strength::Conclusive);
    let decisive = conclusive.filter_map(|signal| {
        let is_it = |event: &&Event| event.kind.signal() == (signal.id, Strength::Conclusive);
        told.history.events.iter().find(is_it)
    });
    match decisive.into_iter().next() {
        Some(event) => told.of_event(event, &save(told, event.revision)),
        None => told.texts("The file was changed").into(),
    }
}

/// The same of what a signature does not permit, or which signature does not match.
fn changed_since_signing(told: &Grounds) -> Sentence {
    let broken = |signature: &&Signature| signature.status == SignatureStatus::Broken;
    if let Some(signature) = told.signatures.iter().find(broken) {
        if signature.reason == Some(SignatureReason::Certificate) {
            let name = signature.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            return format!("A signature does not match: the signer's certificate was replaced with that of {name}.")
                .into();
        }
        let of = signature.signer.as_ref().map_or_else(String::new, |signer| format!(" of {}", named(signer)));
        let what = if signature.reason == Some(SignatureReason::Value) { "the signature or " } else { "" };
        return format!("The signature{of} does not match the file: {what}signed content was changed.").into();
    }
    let Some(event) = told.forbidden else { return told.texts("The file was changed since it was signed").into() };
    let save = save(told, event.revision);
    told.of_event(event, &format!("{save}, after it was signed, which the signature does not permit"))
}

/// ` in the second of three saves, on 19 November 2026, with …`; nothing of what stands outside of all saves.
fn save(told: &Grounds, number: u32) -> String {
    let History { revisions, total, .. } = told.history;
    if number > *total {
        return String::new();
    }
    let revision = revisions.iter().find(|revision| revision.number == number);
    let when = revision.and_then(|revision| revision.saved_at);
    let when = when.map_or(String::new(), |when| format!(", on {}", when.format("%-d %B %Y")));
    let with = revision.and_then(|revision| revision.producer.as_deref());
    // versions and licences follow behind a semicolon
    let with = with.and_then(|producer| producer.split(';').next());
    let with = with.map_or(String::new(), |producer| format!(", with {}", software(producer)));
    format!(" in the {} of {} saves{when}{with}", ordinal(number), cardinal(*total))
}

/// An opening, and within its sentence those that say what signals mean.
pub fn joined<'s>(opening: &str, meanings: impl Iterator<Item = &'s str>) -> String {
    let within = |sentence: &str| {
        let mut letters = sentence.trim_end_matches('.').chars();
        letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
    };
    let meanings: Vec<String> = meanings.map(within).collect();
    if meanings.is_empty() { format!("{opening}.") } else { format!("{opening}: {}.", meanings.join("; ")) }
}

fn what(event: &Event) -> String {
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
        (EventKind::Appearance, _) => "The appearance of a form field was changed, but not its value",
        (EventKind::Metadata, _) => "Metadata was changed",
        (EventKind::Unsigned, _) => "A signature was removed or changed",
        (EventKind::Document | EventKind::View, _) => match &event.subject {
            Subject::Catalog(key) if is_plain_key(key) => return format!("The document's {key} was changed"),
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

/// `On page 1, 'Total 1,250.00 EUR' became 'Total 9,250.00 EUR'`, if it is told in words.
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

/// Whether a key is a word, as all those of the standard are: others may say anything.
fn is_plain_key(key: &str) -> bool {
    key.len() <= KEY && key.chars().all(|letter| letter.is_ascii_alphanumeric())
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
