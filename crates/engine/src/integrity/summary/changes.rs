//! Sentences for changes that later revisions prove: what was changed, in which save, and whether after signing.

use super::names::software;
use super::numbers::{cardinal, ordinal};
use super::{Sentence, SummaryInput};
use crate::integrity::clause::{is_plain_key, named};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{PublicTexts, Signature, SignatureReason, SignatureStatus, Strength};
use crate::integrity::revision::History;

impl SummaryInput<'_> {
    /// The text change that reports the same event on the same page; otherwise the event itself.
    pub(super) fn in_words<'e>(&'e self, event: &'e Event) -> &'e Event {
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
        let found = all().find(is_same).unwrap_or(event);
        // a font without the letters of a value shows dots
        let is_wordless = |text: &String| !text.chars().any(char::is_alphanumeric);
        let is_value = |other: &&Event| {
            let is_own = (other.revision, other.object) == (found.revision, found.object);
            is_own && value(other).is_some()
        };
        let value = || all().find(is_value);
        found.after.as_ref().filter(|text| is_wordless(text)).and_then(|_| value()).unwrap_or(found)
    }

    /// A sentence that begins with the description of an event.
    fn of_event(&self, event: &Event, rest: &str) -> Sentence {
        let event = self.in_words(event);
        Sentence {
            text: format!("{}{rest}.", description(event)),
            is_public: quoted(event) <= self.disclosure.of(event),
        }
    }
}

/// The change, its revision, date and program: `Page 2 was changed in the second of three saves, on 19 November 2026,
/// with …`.
pub(super) fn changed(input: &SummaryInput) -> Sentence {
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
pub(super) fn changed_since_signing(input: &SummaryInput) -> Sentence {
    let broken = |signature: &&Signature| signature.status == SignatureStatus::Broken;
    if let Some(signature) = input.signatures.iter().find(broken) {
        if signature.reason == Some(SignatureReason::Certificate) {
            let name = signature.signer.as_deref().map_or_else(|| "an unnamed signer".to_owned(), named);
            return format!("A signature does not match: the signer's certificate was replaced with that of {name}.")
                .into();
        }
        let of = signature.signer.as_ref().map_or_else(String::new, |signer| format!(" of {}", named(signer)));
        let what = match signature.reason {
            Some(SignatureReason::Value) => "the signature or signed content was changed",
            Some(SignatureReason::Range) => "the bytes that it signs are not all bytes but its own value",
            _ => "signed content was changed",
        };
        return format!("The signature{of} does not match the file: {what}.").into();
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
    let with = with.map_or(String::new(), |producer| format!(", with {}", software(producer)));
    format!(" in the {} of {} saves{when}{with}", ordinal(number), cardinal(*total))
}

fn description(event: &Event) -> String {
    if let Some(words) = words(event).or_else(|| value(event)) {
        return words;
    }
    if let Some(field) = &event.covered {
        return format!("A signature was added whose appearance covers {}", named(field));
    }
    let text = match (event.kind, event.page) {
        (EventKind::Content, Some(page)) => return format!("Page {page} was {}", page_change(event)),
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
            Subject::Encryption => "The encryption of the file was changed",
            Subject::Tags => "Text that screen readers read aloud was changed",
            Subject::Annotation(Some(kind)) if is_plain_key(kind) => {
                return format!("An annotation of kind {kind}, or where it leads, was changed");
            }
            _ => "The document was changed",
        },
        (EventKind::Tags | EventKind::Tagging, _) => "Document tags were changed",
        (EventKind::Signature | EventKind::VisibleSignature | EventKind::SignatureField, _) => "A signature was added",
        (EventKind::Validation | EventKind::TimeStamp, _) => "Validation data was added",
        (EventKind::Ambiguous, _) => "Something was changed that cannot be read here",
    };
    text.to_owned()
}

/// What became of a page.
fn page_change(event: &Event) -> &'static str {
    match &event.subject {
        Subject::PageEntry(key) if key == "Rotate" => "rotated",
        Subject::PageEntry(key) if key == "MediaBox" || key == "CropBox" => "resized or cropped",
        _ => "changed",
    }
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

/// `In the form, '1,250.00' became '9,250.00'`, if the event is that of a field's value.
fn value(event: &Event) -> Option<String> {
    let is_value = event.kind == EventKind::Value
        && event.before != event.after
        && matches!(&event.subject, Subject::Field(_, Some(key)) if key == "V");
    // the states of buttons are names
    let is_text = |text: &String| is_value && !text.starts_with('/') && !text.trim().is_empty();
    let text = |value: &Option<String>| value.clone().filter(is_text);
    let done = match (text(&event.before), text(&event.after)) {
        (Some(before), Some(after)) => format!("'{before}' became '{after}'"),
        (None, Some(after)) => format!("'{after}' was entered"),
        (Some(before), None) => format!("'{before}' was removed"),
        (None, None) => return None,
    };
    Some(format!("In the form, {done}"))
}

/// The texts of an event that its sentence quotes.
fn quoted(event: &Event) -> PublicTexts {
    match (&event.subject, &event.before) {
        _ if value(event).is_some() => PublicTexts::Both,
        (Subject::Text { .. }, Some(_)) => PublicTexts::Both,
        (Subject::Text { .. }, None) => PublicTexts::Now,
        _ => PublicTexts::None,
    }
}
