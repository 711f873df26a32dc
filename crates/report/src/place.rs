//! The place of evidence and its two sides, in words.

use std::borrow::Cow;
use std::ops::Range;

use engine::{Evidence, Sides, SignalId};

use crate::difference::TextDifference;
use crate::{dates, words};

/// Names in PDFs, and their common names.
const NAMES: [(&str, &str); 38] = [
    ("content stream", "What the page draws"),
    ("Form XObject", "A drawing on the page"),
    ("Contents", "The page's drawings"),
    ("Resources", "The page's fonts and pictures"),
    ("MediaBox", "The page's size"),
    ("CropBox", "The part of the page that shows"),
    ("Rotate", "The page's rotation"),
    ("Kids", "The order of pages"),
    ("Annots", "The page's annotations"),
    ("Text", "Note"),
    ("FreeText", "Text box"),
    ("Popup", "Window of a note"),
    ("Highlight", "Highlighting"),
    ("Underline", "Underlining"),
    ("StrikeOut", "Crossing out"),
    ("Square", "Rectangle"),
    ("Circle", "Ellipse"),
    ("Ink", "Freehand drawing"),
    ("Stamp", "Stamp"),
    ("Link", "Link"),
    ("Redact", "Redaction"),
    ("FileAttachment", "Attached file"),
    ("AcroForm", "The form"),
    ("XFA", "The form (XFA)"),
    ("EmbeddedFiles", "Attached files"),
    ("JavaScript", "Scripts"),
    ("OpenAction", "What happens on opening"),
    ("AA", "What happens by itself"),
    ("OCProperties", "Layers"),
    ("Outlines", "Bookmarks"),
    ("PageLabels", "Labels of pages"),
    ("PageMode", "What is shown on opening"),
    ("StructTreeRoot", "Tags for accessibility"),
    ("Encrypt", "Encryption"),
    ("DSS", "Data for validating signatures"),
    ("ID", "The file's identifier"),
    ("xmpMM:History", "The history in XMP"),
    ("xmpMM:DerivedFrom", "The document it was made from, in XMP"),
];

/// The common name of a place, and its name in the file if that differs.
#[must_use]
pub fn named(place: &str) -> (String, Option<&str>) {
    match place {
        "text" => return ("Words on the page".to_owned(), None),
        "text moved" => return ("Words that only moved".to_owned(), None),
        place if place.starts_with("under ") => return (words::label(place), None),
        _ => {}
    }
    if let Some((_, words)) = NAMES.iter().find(|(name, _)| *name == place) {
        return ((*words).to_owned(), Some(place));
    }
    for (layer, words) in [("Info", "document information"), ("XMP", "XMP")] {
        if let Some(key) = place.strip_prefix(layer).and_then(|rest| rest.strip_prefix(' ')) {
            return (format!("{} in the {words}", property(key.trim_start_matches('/'))), None);
        }
    }
    if let Some(field) = place.strip_suffix(" appearance") {
        return (format!("Look of “{field}”"), None);
    }
    match place.rsplit_once(" /") {
        Some((field, "V")) => (format!("Value of “{field}”"), None),
        Some((field, "AS")) => (format!("State of “{field}”"), None),
        _ => (place.to_owned(), None),
    }
}

/// A property of the metadata.
fn property(key: &str) -> String {
    match key {
        "CreationDate" | "CreateDate" => "Date of creation".to_owned(),
        "ModDate" | "ModifyDate" => "Date of change".to_owned(),
        "CreatorTool" => "Creating program".to_owned(),
        other => words::label(other),
    }
}

/// One side of a piece of evidence: its label, its text, and the ranges that differ from the other side.
#[derive(Debug)]
pub struct EvidenceSide<'e> {
    /// Its label.
    pub label: &'static str,
    /// Its text; `None` if the text was added or removed.
    pub text: Option<Cow<'e, str>>,
    /// Whether its text is withheld from this reader.
    pub is_withheld: bool,
    /// The ranges that differ from the other side, in bytes.
    pub changed: Vec<Range<usize>>,
}

/// The labels of a change.
pub const BEFORE: &str = "Before";
/// See [`BEFORE`].
pub const NOW: &str = "Now";

/// Both sides. An empty side is shown only to mark an addition or removal.
#[must_use]
pub fn sides<'e>(signal: Option<SignalId>, evidence: &'e Evidence) -> Vec<EvidenceSide<'e>> {
    let is_change = is_change(signal, evidence);
    let labels = if is_change { (BEFORE, NOW) } else { labels(signal, evidence) };
    let [before, after] = [&evidence.before, &evidence.after].map(|text| text.as_deref().map(readable));
    let difference = match (&before, &after) {
        (Some(before), Some(after)) if is_change => TextDifference::between(before, after),
        _ => TextDifference::default(),
    };
    let (lacks_before, lacks_after) = (evidence.lacks_before(), evidence.lacks_after());
    let has_any = before.is_some() || after.is_some() || lacks_before || lacks_after;
    let sides = [
        EvidenceSide { label: labels.0, text: before, is_withheld: lacks_before, changed: difference.before },
        EvidenceSide { label: labels.1, text: after, is_withheld: lacks_after, changed: difference.after },
    ];
    sides.into_iter().filter(|side| side.text.is_some() || side.is_withheld || (is_change && has_any)).collect()
}

impl EvidenceSide<'_> {
    /// The displayed text.
    #[must_use]
    pub fn shown(&self) -> &str {
        match &self.text {
            Some(text) => text,
            None if self.is_withheld => "Hidden by whoever shared this report",
            None => "nothing",
        }
    }
}

/// Whether the two sides are before and after.
#[must_use]
pub fn is_change(signal: Option<SignalId>, evidence: &Evidence) -> bool {
    evidence.revision.is_some() && signal.is_none_or(|signal| signal.sides() == Sides::Change)
}

fn labels(signal: Option<SignalId>, evidence: &Evidence) -> (&'static str, &'static str) {
    let names = |word: &str| evidence.place.as_deref().is_some_and(|place| place.ends_with(word));
    match (signal, signal.map(SignalId::sides)) {
        (Some(SignalId::SignatureBroken), _) if names("digest") => ("Digest that was signed", "Digest of the file"),
        (Some(SignalId::SignatureBroken), _) if names("range") => ("The signature", "What is wrong"),
        (Some(SignalId::SignatureRemoved), _) => ("What it says", ""),
        (Some(SignalId::DateImpossible), _) if evidence.before.is_none() => ("", "Date"),
        (_, Some(Sides::Named(one, other))) => (one, other),
        (_, Some(Sides::Change) | None) => ("On one side", "On the other"),
    }
}

/// A date in readable form; other text is unchanged.
fn readable(text: &str) -> Cow<'_, str> {
    dates::of_pdf(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether people understand the place: words on pages, annotations, field values, and metadata. Others are drawings
/// and syntax.
#[must_use]
pub fn is_for_people(evidence: &Evidence) -> bool {
    let Some(place) = evidence.place.as_deref() else { return false };
    let is_annotation = evidence.before.iter().chain(&evidence.after).any(|text| note_of(text).is_some());
    matches!(place, "text" | "text moved")
        || ["Info ", "XMP "].iter().any(|layer| place.starts_with(layer))
        || place.ends_with(" /V")
        || place.ends_with("appearance and value")
        || is_annotation
}

/// The text of an annotation in the engine's description: kind, place, and texts.
#[must_use]
pub fn note_of(shown: &str) -> Option<&str> {
    let (head, rest) = shown.split_once(", /Contents: ")?;
    let end = [", /T: ", ", /M: "].iter().filter_map(|key| rest.find(key)).min().unwrap_or(rest.len());
    head.contains(" at [").then(|| rest.get(..end)).flatten()
}

/// Further coordinates: `page 2`, `save 3`, `object 14`.
#[must_use]
pub fn coordinates(evidence: &Evidence) -> Vec<String> {
    let known = [("page", evidence.page), ("save", evidence.revision), ("object", evidence.object)];
    known.into_iter().filter_map(|(name, number)| Some(format!("{name} {}", number?))).collect()
}
