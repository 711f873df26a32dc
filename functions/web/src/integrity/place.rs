//! Where evidence lies, and what its two sides are, in words.

use std::borrow::Cow;
use std::ops::Range;

use super::difference::TextDifference;
use super::{EvidenceView, SignalView, words};
use crate::dates;

/// Names that PDFs give things, and what people call them.
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

/// A place: what people call it, and its name in the file where that is another.
pub(super) fn named(place: &str) -> (String, Option<&str>) {
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

/// One side of a piece of evidence: what it is called, what is there, if anything, and where that is not as on the other.
pub(super) struct Side<'e> {
    pub(super) label: &'static str,
    pub(super) text: Option<Cow<'e, str>>,
    pub(super) changed: Vec<Range<usize>>,
}

/// Both sides. A side without anything is told only where it says that something came or went.
pub(super) fn sides<'e>(signal: &SignalView, evidence: &'e EvidenceView) -> Vec<Side<'e>> {
    let labels = labels(signal, evidence);
    let [before, after] = [&evidence.before, &evidence.after].map(|text| text.as_deref().map(readable));
    let difference = match (&before, &after) {
        (Some(before), Some(after)) if labels == CHANGE => TextDifference::between(before, after),
        _ => TextDifference::default(),
    };
    let has_any = before.is_some() || after.is_some();
    let sides = [
        Side { label: labels.0, text: before, changed: difference.before },
        Side { label: labels.1, text: after, changed: difference.after },
    ];
    sides.into_iter().filter(|side| side.text.is_some() || (labels == CHANGE && has_any)).collect()
}

/// Whether its two sides are what was there and what is there.
pub(super) fn is_change(signal: &SignalView, evidence: &EvidenceView) -> bool {
    labels(signal, evidence) == CHANGE
}

/// What was there, and what is there.
const CHANGE: (&str, &str) = (BEFORE, "Now");
pub(super) const BEFORE: &str = "Before";
/// What cannot be seen.
pub(super) const BENEATH: &str = "Beneath";

fn labels(signal: &SignalView, evidence: &EvidenceView) -> (&'static str, &'static str) {
    let names = |word: &str| evidence.place.as_deref().is_some_and(|place| place.ends_with(word));
    match signal.id.as_str() {
        "signature_broken" if names("digest") => ("Digest that was signed", "Digest of the file"),
        "signature_broken" if names("range") => ("The signature", "What is wrong"),
        "signature_broken" | "signature_unchecked" => ("Kind", "Algorithm"),
        "weak_algorithm" => ("", "What is weak"),
        "signature_intact" => ("Name in the certificate", "Algorithm"),
        "signature_added" | "validation_data_added" => ("", "Kind"),
        "signature_removed" if evidence.revision.is_none() => ("What it says", ""),
        "modified_later" | "date_impossible" => {
            ("Created", if evidence.before.is_some() { "Modified" } else { "Date" })
        }
        "info_xmp_contradict" => ("The document information says", "XMP says"),
        "object_dated_later" => ("Newest date of the document", "Date of this"),
        "edit_history" => ("Created", "Entry"),
        "id_changed" => ("First part, kept for good", "Second part, new with each save"),
        "editing_software" => ("", "It names"),
        "editing_marks" => ("", "As left by"),
        "writer_mismatch" => ("The file names", "Such files are written by"),
        "date_before_software" => ("The software", "Date in the file"),
        "history_cut" => ("What is there", ""),
        "text_retyped" => (BENEATH, "Upon it"),
        "text_covered" | "text_invisible" | "redaction_unapplied" => (BENEATH, ""),
        "line_mixed" => ("The line", "Of another look"),
        "bytes_after_end" => ("", "First bytes"),
        _ if evidence.revision.is_some() => CHANGE,
        _ => ("On one side", "On the other"),
    }
}

/// A date as people read it, anything else as it is.
fn readable(text: &str) -> Cow<'_, str> {
    dates::of_pdf(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Where else: `page 2`, `save 3`, `object 14`, and what other rules may say.
pub(super) fn coordinates(evidence: &EvidenceView) -> Vec<String> {
    let known = [("page", evidence.page), ("save", evidence.revision), ("object", evidence.object)];
    let known = known.into_iter().filter_map(|(name, number)| Some(format!("{name} {}", number?)));
    let others = evidence.others.iter().filter(|(_, value)| !value.is_null());
    let others = others.map(|(name, value)| {
        format!("{}: {}", name.replace('_', " "), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    });
    known.chain(others).collect()
}
