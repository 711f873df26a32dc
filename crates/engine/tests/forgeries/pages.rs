//! The page tree, and what pages come to show without being written themselves (ISO 32000-1, 7.7.3 and 12.5).

use samples::pdf::{FIRST_PAGE, Form, PAGES, stream};
use samples::section::Section;

use crate::structural::Made;
use crate::subject::{Subject, find, number_at};
use crate::values::{Shape, anatomy, replaced};

const SECOND_PAGE: u32 = FIRST_PAGE + 1;

/// Covers what is there.
pub(crate) const PAINT: &[u8] = b"q 0.8 g 0 0 500 800 re f Q";

/// The file with each of these updates, in a form of its own.
fn written(subject: &Subject, updates: impl IntoIterator<Item = (String, Section)>) -> Made {
    let updates = updates.into_iter().zip(Form::ALL.into_iter().cycle());
    let write = |((what, section), form): ((String, Section), Form)| {
        (format!("{what} [{form:?}]"), section.write(subject.build.file.clone(), form))
    };
    updates.map(write).collect()
}

/// An object with something in place of something else, once each for all that fit.
fn with(subject: &Subject, number: u32, old: &str, new: &str) -> Option<Vec<u8>> {
    let text = subject.text(number);
    find(text, old.as_bytes()).map(|at| replaced(text, &(at..at + old.len()), new.as_bytes()))
}

fn nodes(subject: &Subject) -> Vec<u32> {
    let is_node = |text: &[u8]| find(text, b"/Type /Pages").is_some() && !text.ends_with(b"endstream");
    subject.objects.iter().filter(|(_, (_, text))| is_node(text)).map(|(number, _)| *number).collect()
}

pub(crate) fn kids(subject: &Subject) -> Made {
    let inline = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 300 300] /Resources << >> >>");
    let missing = format!("{} 0 R", subject.build.unused());
    let kids = [&inline[..], "null", &missing, "4 0 R", "5 0 R", "<< >>", "1 0 R", "2 0 R"];
    let updates = nodes(subject).into_iter().flat_map(|node| {
        kids.iter().flat_map(move |kid| {
            let first = with(subject, node, "/Kids [", &format!("/Kids [{kid} "));
            let last = with(subject, node, "] /Count", &format!(" {kid}] /Count"));
            let counted =
                first.clone().map(|text| String::from_utf8_lossy(&text).replace("/Count 2", "/Count 3").into_bytes());
            let ways = [("first", first), ("last", last), ("first and counted", counted)];
            ways.into_iter().filter_map(move |(what, text)| {
                Some((format!("{kid} {what} in {node}"), subject.section().with(node, text?)))
            })
        })
    });
    written(subject, updates)
}

pub(crate) fn fewer_kids(subject: &Subject) -> Made {
    let updates = nodes(subject).into_iter().flat_map(|node| {
        let text = String::from_utf8_lossy(subject.text(node)).into_owned();
        let (head, rest) = text.split_once("/Kids [").expect("kids");
        let (kids, tail) = rest.split_once(']').expect("kids");
        let references: Vec<&str> = kids.split_inclusive(" R").collect();
        let turned: String = references.iter().rev().copied().collect();
        let first = references[..references.len() - 1].concat();
        let last = references[1..].concat();
        let ways = [turned, first, last].into_iter().filter(|new| new != kids);
        let ways: Vec<_> = ways.map(|kids| (kids.clone(), format!("{head}/Kids [{kids}]{tail}"))).collect();
        ways.into_iter().map(move |(kids, text)| (format!("[{kids}] in {node}"), subject.section().with(node, text)))
    });
    written(subject, updates)
}

/// What pages inherit, at every node that it is inherited from.
pub(crate) fn node(subject: &Subject) -> Made {
    let entries = [
        "/Rotate 180",
        "/MediaBox [0 0 100 100]",
        "/CropBox [10 10 100 100]",
        "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Symbol >> >> >>",
    ];
    let has = |number: u32, key: &str| find(subject.text(number), key.as_bytes()).is_some();
    let updates = nodes(subject).into_iter().flat_map(|node| {
        entries.into_iter().filter_map(move |entry| {
            let key = entry.split_inclusive(' ').next().expect("a key");
            let text = with(subject, node, "/Kids [", &format!("{entry} /Kids [")).expect("kids");
            let counts = !has(node, key) && !has(FIRST_PAGE, key);
            counts.then(|| (format!("{entry} in {node}"), subject.section().with(node, text)))
        })
    });
    written(subject, updates)
}

pub(crate) fn missing(subject: &Subject) -> Made {
    // what only another missing object leads to is reached with that one alone
    let is_reached = |number: &u32| subject.having(&format!("{number} 0 R")).is_some();
    let reached = subject.build.missing.iter().filter(|(number, _)| is_reached(number));
    let each = reached.flat_map(|(number, text)| {
        Form::ALL.into_iter().map(move |_| (format!("object {number}"), subject.section().with(*number, text)))
    });
    let all =
        subject.build.missing.iter().fold(subject.section(), |section, (number, text)| section.with(*number, text));
    let all = (!subject.build.missing.is_empty()).then(|| ("all".to_owned(), all));
    written(subject, each.chain(all))
}

/// The content draws `/Ghost`, which the resources come to know.
pub(crate) fn ghost(subject: &Subject) -> Made {
    let number = subject.build.unused();
    let updates = (subject.having("/Ghost Do").is_some()).then(|| {
        let owner = subject.having("/XObject << /Later").expect("resources");
        let text = with(subject, owner, "/XObject << ", &format!("/XObject << /Ghost {number} 0 R ")).expect("forms");
        let section = subject.section().with(owner, text);
        Form::ALL.map(|_| ("".to_owned(), section.clone().with(number, stream(FORM, PAINT))))
    });
    written(subject, updates.into_iter().flatten())
}

/// A form that covers a page.
pub(crate) const FORM: &str = "/Type /XObject /Subtype /Form /BBox [0 0 500 800]";

/// The first page with another annotation.
pub(crate) fn annotated(subject: &Subject, number: u32) -> Vec<u8> {
    with(subject, FIRST_PAGE, "/Annots [", &format!("/Annots [{number} 0 R ")).expect("annotations")
}

pub(crate) fn note(subject: &Subject) -> Made {
    let number = subject.build.unused();
    let section = |page: u32, text: Vec<u8>, subtype: &str| {
        let note = format!(
            "<< /Type /Annot /Subtype /{subtype} /Rect [20 20 520 820] /F 4 /Contents (Void) /AP << /N {} 0 R >> >>",
            number + 1
        );
        let section = subject.section().with(page, text).with(number, note);
        (format!("{subtype} on {page}"), section.with(number + 1, stream(FORM, PAINT)))
    };
    let second = with(subject, SECOND_PAGE, "/Type /Page ", &format!("/Type /Page /Annots [{number} 0 R] "));
    let subtypes = ["Stamp", "FreeText", "Redact", "Watermark"];
    let first = subtypes.map(|subtype| section(FIRST_PAGE, annotated(subject, number), subtype));
    let second = second.map(|text| section(SECOND_PAGE, text, "Square"));
    written(subject, first.into_iter().chain(second))
}

pub(crate) fn taken_off(subject: &Subject) -> Made {
    let text = subject.text(FIRST_PAGE);
    let values = anatomy(text).values;
    let listed = values.iter().filter(|value| value.path == "Annots" && value.shape == Shape::Reference);
    let updates = listed.filter_map(|value| {
        let number = number_at(&text[value.span.clone()]);
        // what is not there, or not to be seen, goes unnoticed
        let shows = find(subject.objects.get(&number)?.1.as_slice(), b"/Rect [0 0 0 0]").is_none();
        let section = subject.section().with(FIRST_PAGE, replaced(text, &value.span, b""));
        shows.then(|| (format!("{:?} {number}", subject.kind(number)), section))
    });
    written(subject, updates)
}
