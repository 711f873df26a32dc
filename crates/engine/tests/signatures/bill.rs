//! A bill with signed words, values and pictures, and what is said after paint was added to it.

use engine::Verdict;
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing, field_number};

use crate::support::metadata;

pub(crate) const CONTENT: u32 = 500;
pub(crate) const FIELD: u32 = 510;
pub(crate) const VALUE: u32 = 511;
pub(crate) const BOX: u32 = 512;
pub(crate) const MARK: u32 = 513;
pub(crate) const PICTURE: u32 = 520;
pub(crate) const NEW: u32 = 900;

pub(crate) const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
pub(crate) const CHANGED: Verdict = Verdict::ChangedSinceSigning;
pub(crate) const UNKNOWN: Verdict = Verdict::Undetermined;

pub(crate) const FONT: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

pub(crate) fn page(annotations: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R \
         /Resources << {FONT} /XObject << /Im {PICTURE} 0 R >> >> /Annots [{FIELD} 0 R {BOX} 0 R {annotations}] >>"
    )
}

pub(crate) fn look([width, height]: [u32; 2], content: &str) -> Vec<u8> {
    let dictionary = format!("/Type /XObject /Subtype /Form /BBox [0 0 {width} {height}] /Resources << {FONT} >>");
    stream(&dictionary, content.as_bytes())
}

pub(crate) fn field(number: u32, entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /F 4 /T (F{number}) /P {FIRST_PAGE} 0 R {entries} >>")
}

/// A bill whose amount is at 172 to 219 by 700, a value and an empty box, and these further annotations.
pub(crate) fn bill(annotations: &str, others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(annotations))
        .with_stream(CONTENT, "", BILL.as_bytes())
        .with(FIELD, field(FIELD, &format!("/FT /Tx /V (1,250) /Rect [72 500 172 520] /AP << /N {VALUE} 0 R >>")))
        .with(VALUE, look([100, 20], "/Tx BMC BT /F 12 Tf 2 5 Td (1,250) Tj ET EMC"))
        .with(BOX, field(BOX, &format!("/FT /Btn /Rect [163 698 172 712] /AS /Off /AP << /N << /On {MARK} 0 R >> >>")))
        .with_stream(
            PICTURE,
            "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
            b"x",
        );
    let mut document = SignedPdf::new(&others(pdf));
    document.fields = format!("{FIELD} 0 R {BOX} 0 R");
    document
}

pub(crate) fn verdict(file: &[u8]) -> (Verdict, String) {
    let found = metadata(file).integrity;
    (found.verdict, found.summary)
}

pub(crate) const BILL: &str =
    "BT /F 12 Tf 72 700 Td (Total) Tj 100 0 Td (1,250.00) Tj ET q 60 0 0 14 172 640 cm /Im Do Q";

/// The verdict after a note with this rectangle, content and entries was added.
pub(crate) fn noted(rectangle: [u32; 4], content: &str, entries: &str) -> (Verdict, String) {
    noted_on(BILL, rectangle, content, entries)
}

/// The same on a page with other content.
pub(crate) fn noted_on(
    printed: &str,
    [left, bottom, width, height]: [u32; 4],
    content: &str,
    entries: &str,
) -> (Verdict, String) {
    let rectangle = format!("/Rect [{left} {bottom} {} {}]", left + width, bottom + height);
    let flags = if entries.contains("/F ") { "" } else { "/F 4" };
    let note = format!("<< /Type /Annot {flags} {rectangle} {entries} /AP << /N {} 0 R >> >>", NEW + 1);
    added(printed, &note, |changes| changes.with(NEW + 1, look([width, height], content)))
}

/// The verdict after this annotation was added to a page with this content.
pub(crate) fn added(printed: &str, annotation: &str, others: impl FnOnce(Pdf) -> Pdf) -> (Verdict, String) {
    let document = bill("", |pdf| pdf.with_stream(CONTENT, "", printed.as_bytes()).with(MARK, look([9, 14], "")));
    let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
    let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("{NEW} 0 R"))).with(NEW, annotation);
    verdict(&signed.updated(&others(changes)).file)
}

/// The verdict after a standing signature field over the amount was signed with this appearance, on a page with this
/// content.
pub(crate) fn signed_over(printed: &str, content: &str) -> (Verdict, String) {
    let (standing, rectangle) = (field_number(1), [160, 690, 260, 720]);
    let empty = "<< /Type /Annot /Subtype /Widget /F 132 /T (Second) /FT /Sig /Rect [160 690 260 720] >>";
    let mut document = bill(&format!("{standing} 0 R"), |pdf| {
        pdf.with(standing, empty).with(MARK, look([9, 14], "")).with_stream(CONTENT, "", printed.as_bytes())
    });
    let fields = document.fields.clone();
    document.fields = format!("{standing} 0 R {fields}");
    let mut signed = document.signed(&Signing::by(Key::Ed25519));
    signed.fields = fields;
    let again = Signing {
        rectangle,
        field_entries: format!("/AP << /N {NEW} 0 R >>"),
        changes: Pdf::changes().with(NEW, look([100, 30], content)),
        ..Signing::by(Key::Ed25519).field("Second")
    };
    verdict(&signed.signed(&again).file)
}

/// The same for a field that had this appearance, with these entries and without an appearance since.
pub(crate) fn signed_bare(appearance: &str, field_entries: &str) -> (Verdict, String) {
    let (standing, rectangle) = (field_number(1), [160, 690, 260, 720]);
    let looks = format!("/Rect [160 690 260 720] /AP << /N {NEW} 0 R >>");
    let empty = format!("<< /Type /Annot /Subtype /Widget /F 132 /T (Second) /FT /Sig {looks} >>");
    let mut document = bill(&format!("{standing} 0 R"), |pdf| {
        pdf.with(standing, empty).with(MARK, look([9, 14], "")).with(NEW, look([100, 30], appearance))
    });
    let fields = document.fields.clone();
    document.fields = format!("{standing} 0 R {fields}");
    let mut signed = document.signed(&Signing::by(Key::Ed25519));
    signed.fields = fields;
    let field_entries = field_entries.to_owned();
    let again = Signing { rectangle, field_entries, ..Signing::by(Key::Ed25519).field("Second") };
    verdict(&signed.signed(&again).file)
}

/// What a second signature's new appearance does at this place.
pub(crate) fn signed_anew(printed: &str, rectangle: [u32; 4], content: &str) -> (Verdict, String) {
    let document = bill("", |pdf| pdf.with_stream(CONTENT, "", printed.as_bytes()).with(MARK, look([9, 14], "")));
    let signed = document.signed(&Signing::by(Key::Ed25519));
    let [left, bottom, width, height] = rectangle;
    let again = Signing {
        rectangle: [left, bottom, left + width, bottom + height],
        field_entries: format!("/P {FIRST_PAGE} 0 R /AP << /N {NEW} 0 R >>"),
        changes: Pdf::changes()
            .with(NEW, look([width, height], content))
            .with(FIRST_PAGE, page(&format!("{} 0 R", field_number(1)))),
        ..Signing::by(Key::Ed25519).field("Second")
    };
    verdict(&signed.signed(&again).file)
}
