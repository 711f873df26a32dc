//! Updates as certain programs write them, where only that program does: PDFBox, Poppler, LaTeX, WeasyPrint,
//! LibreOffice, Okular. Each with the forgery nearest to it.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, Form, PAGES, Pdf, stream};
use samples::section::{Row, Section};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const CONTENT: u32 = 500;
const BUTTONS: [u32; 2] = [510, 511];
const GROUP: u32 = 512;
const MARK: u32 = 513;
const RESOURCES: u32 = 520;
const FONTS: u32 = 521;
const TEXT_FONT: u32 = 522;
const NOTE: u32 = 900;
const FONT: u32 = 901;

const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const UNCHANGED: Verdict = Verdict::UnchangedSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;
const CHANGED: Verdict = Verdict::ChangedSinceSigning;
const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

fn integrity(file: &[u8]) -> Integrity {
    metadata(file).integrity
}

fn page(annotations: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R \
         /Resources {RESOURCES} 0 R /Annots [{annotations}] >>"
    )
}

/// A page with this content and these annotations, and the resources that the form has as well.
fn document(content: &str, annotations: &str) -> Pdf {
    Pdf::new(1)
        .with(FIRST_PAGE, page(annotations))
        .with_stream(CONTENT, "", content.as_bytes())
        .with(RESOURCES, format!("<< /Font {FONTS} 0 R >>"))
        .with(FONTS, format!("<< /F {TEXT_FONT} 0 R >>"))
        .with(TEXT_FONT, HELVETICA)
}

const TOTAL: &str = "/Heading#201 << /MCID 0 >> BDC BT /F 12 Tf 72 700 Td (Total 1,250.00 EUR) Tj ET EMC";

fn signed(pdf: &Pdf, fields: &str, level: u8) -> SignedPdf {
    let mut document = SignedPdf::new(pdf);
    document.fields = fields.to_owned();
    document.signed(&Signing::by(Key::Ed25519).certifying(level))
}

/// An end of the form's fields, and resources that it shares with the page.
fn shared_resources() -> String {
    format!("] /DR {RESOURCES} 0 R /X [")
}

/// PDFBox 2 writes a new note twice, with an entry for each.
#[test]
fn equal_copies_of_a_new_object_are_read_alike() {
    let note = |place: u32| {
        format!(
            "<< /Type /Annot /Subtype /Text /F 4 /Rect [{place} 20 {} 40] /Contents (seen) /Name /Note >>",
            place + 20
        )
    };
    let twice = |copy: &str| {
        let section = Section::default()
            .loose(format!("{NOTE} 0 obj\n{copy}\nendobj\n"))
            .with(FIRST_PAGE, page(&format!("{NOTE} 0 R")))
            .with(NOTE, note(400))
            .row(NOTE, Row::Loose(0, 0));
        let signed = signed(&document(TOTAL, ""), "", 3);
        // the catalog stays
        let trailer = format!("/Root {} 0 R", samples::pdf::CATALOG);
        integrity(&Section { trailer, ..section }.write(signed.file, Form::Table))
    };
    let honest = twice(&note(400));
    assert_eq!(honest.verdict, PERMITTED, "{} {:#?}", honest.summary, honest.signals);
    let forged = twice(&note(401));
    assert_eq!(forged.verdict, UNKNOWN, "{} {:#?}", forged.summary, forged.signals);
}

/// Poppler repeats the entry of its font.
#[test]
fn an_entry_that_is_repeated_exactly_is_read_alike() {
    let signed = signed(&document(TOTAL, ""), &shared_resources(), 3);
    let own = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>";
    let note = "<< /Type /Annot /Subtype /Text /F 4 /Rect [400 20 420 40] /Contents (seen) >>";
    for (repeated, expected) in [(FONT, PERMITTED), (FONTS, UNKNOWN)] {
        let fonts = format!("<< /F {TEXT_FONT} 0 R /popplerfont {FONT} 0 R /popplerfont {repeated} 0 R >>");
        let changes = Pdf::changes().with(FONTS, fonts).with(FONT, own).with(NOTE, note);
        let answer = integrity(&signed.clone().updated(&changes.with(FIRST_PAGE, page(&format!("{NOTE} 0 R")))).file);
        assert_eq!(answer.verdict, expected, "{repeated}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// LibreOffice's forms have the resources of the page, and tags whose names have escapes.
#[test]
fn a_new_name_changes_nothing_where_no_content_uses_it() {
    let missing = |name: &str| format!("{TOTAL} BT /{name} 12 Tf 72 680 Td (1) Tj ET");
    let own = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>";
    let note = "<< /Type /Annot /Subtype /Text /F 4 /Rect [400 20 420 40] /Contents (seen) >>";
    for (content, expected) in [
        (TOTAL.to_owned(), PERMITTED),
        (missing("Other"), PERMITTED),
        (missing("Own"), CHANGED),
        (missing("O#77n"), CHANGED),
    ] {
        let fonts = format!("<< /F {TEXT_FONT} 0 R /Own {FONT} 0 R >>");
        let changes = Pdf::changes().with(FONTS, fonts).with(FONT, own).with(NOTE, note);
        let signed = signed(&document(&content, ""), &shared_resources(), 3);
        let answer = integrity(&signed.updated(&changes.with(FIRST_PAGE, page(&format!("{NOTE} 0 R")))).file);
        assert_eq!(answer.verdict, expected, "{content}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// iText and PDFBox give their visible signatures' appearance a name in the form's resources, which LibreOffice's pages share.
#[test]
fn a_name_may_lead_elsewhere_where_no_content_uses_it() {
    let form = |entries: &str, content: &str| {
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {entries}"), content.as_bytes())
    };
    let own = format!("/Resources << /XObject << /FRM {GROUP} 0 R >> >>");
    let resources = |frame: u32| format!("<< /Font {FONTS} 0 R /XObject << /FRM {frame} 0 R /Y {MARK} 0 R >> >>");
    for (content, inner, expected) in [
        (TOTAL.to_owned(), form(&own, "/FRM Do"), UNCHANGED),
        // which the form does not have
        (TOTAL.to_owned(), form("/Resources << >>", "/FRM Do"), Verdict::Undetermined),
        (format!("{TOTAL} /FRM Do"), form("/Resources << >>", ""), CHANGED),
        (format!("{TOTAL} /F#52M Do"), form("/Resources << >>", ""), CHANGED),
        // without resources of its own, readers use those of the page
        (format!("{TOTAL} /Y Do"), form("", "/FRM Do"), CHANGED),
    ] {
        let base = document(&content, "")
            .with(RESOURCES, resources(GROUP))
            .with(GROUP, form("/Resources << >>", ""))
            .with(MARK, inner);
        let changes =
            Pdf::changes().with(RESOURCES, resources(NOTE)).with(NOTE, form("/Resources << >>", "0 0 9 9 re f"));
        let answer = integrity(&signed(&base, &shared_resources(), 2).updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{content}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// jsPDF writes links directly into a page's list, and other programs write the list again.
#[test]
fn an_annotation_that_stands_in_its_list_may_be_written_again() {
    let link = |place: &str, target: &str| {
        let action = format!("/A << /S /URI /URI (https://example.org/{target}) >>");
        format!("<< /Type /Annot /Subtype /Link /Rect [{place}] /Border [0 0 0] {action} >>")
    };
    let note = "<< /Type /Annot /Subtype /Text /F 4 /Rect [400 20 420 40] /Contents (seen) >>";
    let [signed_place, other] = ["56.6929133858267775 711.19 89.50 728.5", "200 600 230 612"];
    let list = |first: &str| format!("{first} {}", link(other, "b"));
    let reference = format!("{FONT} 0 R");
    for (first, object, expected) in [
        (link("56.6929 711.19 89.5 728.5", "a"), None, PERMITTED),
        (reference.clone(), Some(link(signed_place, "a")), PERMITTED),
        (link("56.6929 711.19 89.5 728.5", "c"), None, CHANGED),
        (reference, Some(link(signed_place, "c")), CHANGED),
        (link("56.6929 300 89.5 328.5", "a"), None, CHANGED),
        (link("56.6929 711.19 89.5 728.5", "a").repeat(2), None, CHANGED),
        (String::new(), None, UNKNOWN),
    ] {
        let signed = signed(&document(TOTAL, &list(&link(signed_place, "a"))), "", 3);
        let annotations = format!("{} {NOTE} 0 R", list(&first));
        let mut changes = Pdf::changes().with(FIRST_PAGE, page(&annotations)).with(NOTE, note);
        if let Some(object) = object {
            changes = changes.with(FONT, object);
        }
        let answer = integrity(&signed.updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{first}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// LaTeX lists only the first of several buttons with one name, WeasyPrint the kids beside their parent.
#[test]
fn a_button_is_chosen_wherever_the_form_lists_it() {
    let button = |index: usize, on: &str, entries: &str| {
        let left = 72 + 100 * index;
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 49152 /T (Way) /F 4 /Rect [{left} 600 {} 612] \
             /MK << /BC [1 0 0] >> /AP << /N << /{on} {MARK} 0 R >> >> {entries} >>",
            left + 12
        )
    };
    let disc = "12 6 m 12 9.3 9.3 12 6 12 c 2.7 12 0 9.3 0 6 c 0 2.7 2.7 0 6 0 c 9.3 0 12 2.7 12 6 c f";
    let look = stream("/Type /XObject /Subtype /Form /BBox [0 0 12 12]", disc.as_bytes());
    let [first, second] = BUTTONS;
    let base = document(TOTAL, &format!("{first} 0 R {second} 0 R")).with(MARK, look);
    // several fields with one name
    let alone = |value: &str, state: &str| format!("/V /{value} /AS /{state}");
    let latex = base.clone().with(first, button(0, "a", &alone("a", "a")));
    let latex = signed(&latex.with(second, button(1, "c", &alone("a", "Off"))), &format!("{first} 0 R"), 2);
    let parent = format!("/Parent {GROUP} 0 R");
    let kid = |index: usize, state: &str| button(index, &index.to_string(), &format!("{parent} /AS /{state}"));
    let group = |value: &str| {
        format!("<< /FT /Btn /Ff 49152 /T (Way) /V /{value} /Opt [(a) (b)] /Kids [{first} 0 R {second} 0 R] >>")
    };
    let listed = format!("{GROUP} 0 R {first} 0 R {second} 0 R");
    let weasyprint = base.with(GROUP, group("Off")).with(first, kid(0, "Off")).with(second, kid(1, "Off"));
    let weasyprint = signed(&weasyprint, &listed, 2);
    let chosen = |value: &str, state: &str| {
        let off = button(0, "a", &alone("Off", "Off"));
        let alone = Pdf::changes().with(first, off).with(second, button(1, "c", &alone(value, state)));
        let (value, state) = (value.replace('c', "1"), state.replace('c', "1"));
        let kids = Pdf::changes().with(GROUP, group(&value)).with(second, kid(1, &state));
        [latex.clone().updated(&alone).file, weasyprint.clone().updated(&kids).file]
    };
    for file in chosen("c", "c") {
        let honest = integrity(&file);
        assert_eq!(honest.verdict, PERMITTED, "{} {:#?}", honest.summary, honest.signals);
    }
    for file in [chosen("Off", "c"), chosen("c", "Off")].concat() {
        let forged = integrity(&file);
        assert_ne!(forged.verdict, PERMITTED, "{} {:#?}", forged.summary, forged.signals);
    }
}

/// Okular writes a note in a font that it gives the form.
#[test]
fn a_font_for_a_new_note_is_no_font_of_a_field() {
    let embedded = "<< /Type /Font /Subtype /TrueType /BaseFont /Own /FirstChar 65 /LastChar 65 /Widgets [500] >>";
    let field = |entries: &str| {
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /F 4 /Rect [72 600 172 620] {entries} >>")
    };
    let note = "<< /Type /Annot /Subtype /FreeText /F 4 /Rect [400 20 480 40] /Contents (seen) \
        /DA (0 g /popplerfont 9 Tf) /IT /FreeText >>";
    for (entries, expected) in
        [("/V (Ann) /DA (0 g /Helv 9 Tf)", PERMITTED), ("/V (Ann) /DA (0 g /popplerfont 9 Tf)", UNKNOWN)]
    {
        let [button, _] = BUTTONS;
        let pdf = document(TOTAL, &format!("{button} 0 R")).with(button, field(entries));
        let with_fonts = |fonts: &str| format!("{button} 0 R] /DR << /Font << {fonts} >> >> /X [");
        let mut document = SignedPdf::new(&pdf);
        document.fields = with_fonts(&format!("/Helv {HELVETICA}"));
        let mut signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        signed.fields = with_fonts(&format!("/Helv {HELVETICA} /popplerfont {FONT} 0 R"));
        let changes = Pdf::changes().with(FONT, embedded).with(NOTE, note);
        let changes = changes.with(FIRST_PAGE, page(&format!("{button} 0 R {NOTE} 0 R")));
        let answer = integrity(&signed.clone().updated(&signed.with_catalog(changes)).file);
        assert_eq!(answer.verdict, expected, "{entries}: {} {:#?}", answer.summary, answer.signals);
    }
}
