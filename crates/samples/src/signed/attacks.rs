//! Published attacks on signed PDFs, written anew from their descriptions: universal signature forgery, incremental saving
//! and signature wrapping (Mladenov, Mainka and others, 2018), shadow attacks (Mainka, Mladenov, Rohlmann, 2021), evil
//! annotations and sneaky signatures (Rohlmann and others, 2021).

use super::key::Key;
use super::pdf::{SignedPdf, Signing, byte_range, contents, field_number, set_byte_range, value_number};
use crate::pdf::{FIRST_PAGE, PAGES, Pdf, stream};

/// Object numbers of what a page shows.
const CONTENT: u32 = 500;
const COVER: u32 = 501;
const NOTE: u32 = 502;
const APPEARANCE: u32 = 503;
const OTHER_PAGES: u32 = 504;
const OTHER_PAGE: u32 = 505;
const OTHER_CONTENT: u32 = 506;

/// How far a file is from what was signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The signature itself does not fit.
    Broken,
    /// No signature is left that could be checked.
    Gone,
    /// The signature fits its revision, and a later one does what is forbidden.
    Forbidden,
    /// The signature fits, and what was done is permitted by the letter; but the file is not as it was signed.
    ByTheLetter,
}

/// An attack.
#[derive(Debug)]
pub struct Attack {
    /// Its name, and which of its variants.
    pub name: &'static str,
    /// What it does to the file.
    pub effect: Effect,
    /// The file.
    pub file: Vec<u8>,
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Attack> {
    let attack = |name, effect, file| Attack { name, effect, file };
    vec![
        attack("universal forgery: no range", Effect::Broken, renamed("/ByteRange", "/BiteRange")),
        attack("universal forgery: no value", Effect::Broken, renamed("/Contents <", "/Kontents <")),
        attack("universal forgery: a range of nothing", Effect::Broken, with_range("0 0 0 0")),
        attack("universal forgery: a negative range", Effect::Broken, with_range("0 -1 -1 -1")),
        attack("universal forgery: zeros for a value", Effect::Gone, zeroed()),
        attack("incremental saving", Effect::Forbidden, saved()),
        attack("incremental saving without cross-reference", Effect::Broken, saved_without_xref()),
        attack("incremental saving without any end", Effect::ByTheLetter, saved_without_end()),
        attack("incremental saving with the signature copied", Effect::Broken, saved_with_copy()),
        attack("signature wrapping", Effect::Broken, wrapped()),
        attack("shadow: hide", Effect::Forbidden, hidden()),
        attack("shadow: replace", Effect::Forbidden, replaced()),
        attack("shadow: hide and replace", Effect::Forbidden, hidden_and_replaced()),
        attack("evil annotation", Effect::ByTheLetter, annotated()),
        attack("sneaky signature", Effect::ByTheLetter, signed_over()),
    ]
}

/// A contract over 100, whose page draws its text and a cover, which shows nothing.
fn contract() -> Pdf {
    let page = format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R \
         /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> \
         /XObject << /Cover {COVER} 0 R >> >> >>"
    );
    Pdf::new(1)
        .info("/Title (Contract)")
        .with(FIRST_PAGE, page)
        .with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (You pay 100) Tj ET /Cover Do")
        .with_stream(COVER, "/Type /XObject /Subtype /Form /BBox [0 0 595 842]", b"")
}

fn signed() -> SignedPdf {
    SignedPdf::new(&contract()).signed(&Signing::by(Key::P256))
}

/// The contract signed, with this name in place of another.
fn renamed(old: &str, new: &str) -> Vec<u8> {
    let mut file = signed().file;
    let at = file.windows(old.len()).position(|window| window == old.as_bytes()).expect("it is there");
    file[at..at + old.len()].copy_from_slice(new.as_bytes());
    file
}

fn with_range(numbers: &str) -> Vec<u8> {
    let mut file = signed().file;
    set_byte_range(&mut file, 0, numbers);
    file
}

fn zeroed() -> Vec<u8> {
    let mut file = signed().file;
    let hole = contents(&file, 0);
    file[hole.start + 1..hole.end - 1].fill(b'0');
    file
}

/// What an attacker wants the page to show.
fn evil() -> Pdf {
    Pdf::changes().with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (You pay 999) Tj ET")
}

fn saved() -> Vec<u8> {
    signed().updated(&evil()).file
}

/// Objects behind the end, which readers find that repair the file.
fn saved_without_xref() -> Vec<u8> {
    let mut file = signed().file;
    let text = stream("", b"BT /F 12 Tf 72 700 Td (You pay 999) Tj ET");
    file.extend_from_slice(format!("{CONTENT} 0 obj\n").as_bytes());
    file.extend_from_slice(&text);
    file.extend_from_slice(b"\nendobj\n");
    // the cross-reference of old leads to it no more
    let wrong = b"startxref\n9999999\n%%EOF\n";
    file.extend_from_slice(wrong);
    // what was signed no longer ends with a revision of its own
    let end = file.len() - wrong.len();
    let hole = contents(&file, 0);
    let numbers = byte_range(&hole, end);
    set_byte_range(&mut file, 0, &numbers);
    file
}

/// Objects behind the end, for readers that look for objects anyway.
fn saved_without_end() -> Vec<u8> {
    let mut file = signed().file;
    file.extend_from_slice(format!("{CONTENT} 0 obj\n").as_bytes());
    file.extend_from_slice(&stream("", b"BT /F 12 Tf 72 700 Td (You pay 999) Tj ET"));
    file.extend_from_slice(b"\nendobj\n");
    file
}

/// The signature's objects come again in the update, so that readers take it for the newest.
fn saved_with_copy() -> Vec<u8> {
    let signed = signed();
    let start = format!("{} 0 obj\n", value_number(0));
    let at = signed.file.windows(start.len()).rposition(|window| window == start.as_bytes()).expect("it is there");
    let text = &signed.file[at + start.len()..];
    let end = text.windows(7).position(|window| window == b"\nendobj").expect("it ends");
    let copy = evil().with(value_number(0), &text[..end]);
    signed.updated(&copy).file
}

/// The end that was signed comes later than it stood, and new objects in its place. The last of two ranges counts.
fn wrapped() -> Vec<u8> {
    let file = signed().file;
    let hole = contents(&file, 0);
    let (head, tail) = (&file[..hole.end], &file[hole.end..]);
    let second = " /ByteRange [0 0000000000 0000000000 0000000000] >>\nendobj\n";
    let mut wrapped = evil().update([head, second.as_bytes(), b"startxref\n0\n%%EOF\n"].concat());
    let prev = super::super::pdf::start_of_xref(&file);
    let zero = b"/Prev 0";
    let at = wrapped.windows(zero.len()).rposition(|window| window == zero).expect("it has one");
    wrapped.splice(at..at + zero.len(), format!("/Prev {}", prev + wrapped.len()).bytes());
    let moved = wrapped.len();
    wrapped.extend_from_slice(tail);
    let numbers = format!("0 {:010} {moved:010} {:010}", hole.start, tail.len());
    set_byte_range(&mut wrapped, hole.end, &numbers);
    wrapped
}

/// A cover over the text was signed along, and goes.
fn hidden() -> Vec<u8> {
    let entries = "/Type /XObject /Subtype /Form /BBox [0 0 595 842]";
    let covered = contract().with_stream(COVER, entries, b"1 g 0 0 595 842 re f");
    let signed = SignedPdf::new(&covered).signed(&Signing::by(Key::P256));
    signed.updated(&Pdf::changes().with_stream(COVER, entries, b"")).file
}

/// A filled field was signed along, and gets another look, while its value stays.
fn replaced() -> Vec<u8> {
    let entries = "/Type /XObject /Subtype /Form /BBox [0 0 100 20]";
    let field = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Amount) /V (100) /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R \
         /AP << /N {APPEARANCE} 0 R >> >>"
    );
    let mut document =
        SignedPdf::new(&contract().with(NOTE, field).with_stream(APPEARANCE, entries, b"BT (100) Tj ET"));
    document.fields = format!("{NOTE} 0 R");
    let document = document.signed(&Signing::by(Key::P256));
    document.updated(&Pdf::changes().with_stream(APPEARANCE, entries, b"BT (999) Tj ET")).file
}

/// Other pages were signed along that nothing led to, until now.
fn hidden_and_replaced() -> Vec<u8> {
    let prepared = contract()
        .with(OTHER_PAGES, format!("<< /Type /Pages /Kids [{OTHER_PAGE} 0 R] /Count 1 >>"))
        .with(
            OTHER_PAGE,
            format!(
                "<< /Type /Page /Parent {OTHER_PAGES} 0 R /MediaBox [0 0 595 842] /Contents {OTHER_CONTENT} 0 R >>"
            ),
        )
        .with_stream(OTHER_CONTENT, "", b"BT /F 12 Tf 72 700 Td (You pay 999) Tj ET");
    let signed = SignedPdf::new(&prepared).signed(&Signing::by(Key::P256));
    let form = format!("/AcroForm << /Fields [{} 0 R] /SigFlags 3 >>", field_number(0));
    let switch = format!("<< /Type /Catalog /Pages {OTHER_PAGES} 0 R {form} >>");
    signed.updated(&Pdf::changes().with(crate::pdf::CATALOG, switch)).file
}

/// A page of the contract that also has this annotation.
fn page_with(number: u32) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R /Annots [{number} 0 R] \
         /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> \
         /XObject << /Cover {COVER} 0 R >> >> >>"
    )
}

/// A certification permits annotations; one of them covers the text.
fn annotated() -> Vec<u8> {
    let note = format!(
        "<< /Type /Annot /Subtype /FreeText /Rect [60 690 300 720] /F 132 /P {FIRST_PAGE} 0 R /Contents (You pay 999) \
         /DA (/F 12 Tf) /AP << /N {APPEARANCE} 0 R >> >>"
    );
    let changes = Pdf::changes().with(FIRST_PAGE, page_with(NOTE)).with(NOTE, note).with_stream(
        APPEARANCE,
        "/Type /XObject /Subtype /Form /BBox [0 0 240 30]",
        b"1 g 0 0 240 30 re f 0 g BT /F 12 Tf 12 10 Td (You pay 999) Tj ET",
    );
    SignedPdf::new(&contract()).signed(&Signing::by(Key::P256).certifying(3)).updated(&changes).file
}

/// A certification permits signing; the look of a second signature covers the text.
fn signed_over() -> Vec<u8> {
    let changes = Pdf::changes().with(FIRST_PAGE, page_with(field_number(1))).with_stream(
        APPEARANCE,
        "/Type /XObject /Subtype /Form /BBox [0 0 240 30]",
        b"1 g 0 0 240 30 re f 0 g BT /F 12 Tf 12 10 Td (You pay 999) Tj ET",
    );
    let entries = format!("/Rect [60 690 300 720] /P {FIRST_PAGE} 0 R /AP << /N {APPEARANCE} 0 R >>");
    let second = Signing { changes, field_entries: entries, ..Signing::by(Key::Ed25519).field("Second") };
    SignedPdf::new(&contract()).signed(&Signing::by(Key::P256).certifying(2)).signed(&second).file
}
