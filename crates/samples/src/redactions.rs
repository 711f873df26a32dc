//! Redactions that fail: a page that shows a secret, and the same page with the secret hidden or taken away, in every way that
//! is met. A total on it is exchanged at the same time, as an honest correction would be.

use crate::pdf::{Pdf, stream};
use crate::texts::{FREE, page};

/// What nobody but the file's owner is to be shown.
pub const SECRET: &str = "SECRET4711";
/// What a page shows at first, and what then stands in its place.
pub const REPLACED: [&str; 2] = ["Total 100.00 EUR", "Total 900.00 EUR"];

const HELVETICA: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
const BOX: &str = "18 96 200 14 re f";
const ANNOTATION: u32 = FREE;
const LOOK: u32 = FREE + 1;
const LAYER: u32 = FREE + 2;
const FIELD: u32 = FREE + 3;

/// A secret before and after it was hidden.
#[derive(Debug, Clone)]
pub struct Redaction {
    /// How it was hidden.
    pub name: &'static str,
    /// The page that shows it.
    pub shown: Pdf,
    /// The page that hides it, or has it no more.
    pub hidden: Pdf,
    /// Whether it is not among all that the file has once it was saved as one.
    pub is_gone: bool,
}

/// All of them.
#[must_use]
pub fn redactions() -> Vec<Redaction> {
    redactions_of(SECRET)
}

/// All of them, of this secret of ten letters and digits.
#[must_use]
pub fn redactions_of(secret: &str) -> Vec<Redaction> {
    let line = format!("({secret})");
    let around = format!("(Account {secret} of Ada)");
    let mut all: Vec<Redaction> = [
        ("black box", format!("{} 0 g {BOX}", text(&line))),
        ("black box over a part", format!("{} 0 g 58 96 72 14 re f", text(&around))),
        ("white box", format!("{} 1 g {BOX} 0 g", text(&line))),
        ("black box that lets light through", format!("{} /Half gs 0 g {BOX}", text(&line))),
        ("image", format!("{} q 200 0 0 14 18 96 cm /Image Do Q", text(&line))),
        ("retyped", format!("{} 1 g {BOX} 0 g {}", text(&line), text("(Nothing at all)"))),
        ("retyped on black", format!("{} 0 g {BOX} 1 g {} 0 g", text(&line), text("(REDACTED)"))),
        ("written with nothing", text(&format!("3 Tr {line}"))),
        ("white on white", format!("1 g {} 0 g", text(&line))),
        ("nearly white on white", format!("0.99 g {} 0 g", text(&line))),
        ("transparent", format!("/Clear gs {} /Opaque gs", text(&line))),
        ("tiny", format!("BT /F 0.5 Tf 20 100 Td {line} Tj ET")),
        ("beside the page", format!("BT /F 10 Tf 2000 100 Td {line} Tj ET")),
        ("clipped away", format!("q 300 10 5 5 re W n {} Q", text(&line))),
        ("in a layer that is off", format!("/OC /Layer BDC {} EMC", text(&line))),
    ]
    .into_iter()
    .map(|(name, drawn)| Redaction { name, shown: sheet(0, &text(&around)), hidden: sheet(1, &drawn), is_gone: false })
    .collect();
    for (name, drawn) in [
        ("word removed", text("(Account of Ada)")),
        ("word removed and the next one exchanged", text("(Account of Bob)")),
        ("line removed", String::new()),
        ("crossed out by signs", text("(Account XXXXXXXXXX of Ada)")),
    ] {
        let shown = sheet(0, &text(&around));
        all.push(Redaction { name, shown, hidden: sheet(1, &drawn), is_gone: true });
    }
    all.extend(annotations(secret, &around));
    all
}

/// Those that rest on annotations and form fields.
fn annotations(secret: &str, around: &str) -> Vec<Redaction> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 14] /Resources << ";
    let look = |drawn: &str| stream(&format!("{form} {HELVETICA} >>"), drawn.as_bytes());
    let annotation =
        |entries: &str| format!("<< /Type /Annot /Rect [18 96 218 110] /AP << /N {LOOK} 0 R >> {entries} >>");
    let drawn = format!("BT /F 10 Tf 2 4 Td ({secret}) Tj ET");
    let with = |pdf: Pdf, entries: &str, drawn: &str| {
        let mut pdf = pdf.with(ANNOTATION, annotation(entries));
        pdf.set_whole(LOOK, &look(drawn));
        pdf
    };
    let note = |flags: u32, text: &str| format!("/Subtype /FreeText /F {flags} /Contents ({text})");
    let field = |flags: u32, value: &str| format!("/Subtype /Widget /FT /Tx /T (number) /F {flags} /V ({value})");
    let case = |name, shown, hidden, is_gone| Redaction { name, shown, hidden, is_gone };
    let (page, later) = (sheet(0, &text(around)), sheet(1, &text(around)));
    let (bare, bare_later) = (sheet(0, ""), sheet(1, ""));
    vec![
        case("square over it", page.clone(), with(later.clone(), "/Subtype /Square", "0 g 0 0 200 14 re f"), false),
        case("mark that was never carried out", page, with(later, "/Subtype /Redact", ""), false),
        case(
            "note that was hidden",
            with(bare.clone(), &note(4, secret), &drawn),
            with(bare_later.clone(), &note(6, secret), &drawn),
            true,
        ),
        case(
            "note whose look alone was changed",
            with(bare.clone(), &note(4, secret), &drawn),
            with(bare_later.clone(), &note(4, secret), ""),
            true,
        ),
        case(
            "hidden note",
            with(bare.clone(), &note(6, "Nothing"), ""),
            with(bare_later.clone(), &note(6, secret), &drawn),
            true,
        ),
        case(
            "field that was hidden",
            with(bare.clone(), &field(4, secret), &drawn),
            with(bare_later.clone(), &field(6, secret), &drawn),
            true,
        ),
        case(
            "hidden field",
            with(bare.clone(), &field(6, "1"), ""),
            with(bare_later.clone(), &field(6, secret), &drawn),
            true,
        ),
        case(
            "hidden field that was emptied",
            with(bare, &field(6, secret), &drawn),
            with(bare_later, &field(6, ""), ""),
            true,
        ),
    ]
}

/// A line of the page, by the operators that show it.
fn text(shown: &str) -> String {
    format!("BT /F 10 Tf 20 100 Td {shown} Tj ET")
}

/// The page with one of the totals, and with this drawn below it.
fn sheet(total: usize, drawn: &str) -> Pdf {
    let resources = format!(
        "{HELVETICA} /ExtGState << /Half << /ca 0.9 >> /Clear << /ca 0 >> /Opaque << /ca 1 >> >> /Properties << /Layer {LAYER} 0 R >> /XObject << /Image {FIELD} 0 R >>"
    );
    let content = format!("BT /F 10 Tf 20 150 Td ({}) Tj ET {drawn}", REPLACED[total]);
    page(&format!("/Annots [{ANNOTATION} 0 R]"), &resources, &content)
        .with(ANNOTATION, "<< /Type /Annot /Subtype /Link /Rect [0 0 1 1] >>")
        .with(LAYER, "<< /Type /OCG /Name (Layer) >>")
        .with_stream(FIELD, "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", &[0])
        .catalog(&format!(
            "/OCProperties << /OCGs [{LAYER} 0 R] /D << /OFF [{LAYER} 0 R] >> >> /AcroForm << /Fields [{ANNOTATION} 0 R] >>"
        ))
}
