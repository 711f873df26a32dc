//! What the standard has as equal, and some readers as something else: copies of objects that their numbers distinguish,
//! integers as reals, names and numbers as references; and appearances that gain states.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const CONTENT: u32 = 500;
const GROUP: u32 = 501;
const COPY: u32 = 502;
const NOTE: u32 = 503;
const APPEARANCES: u32 = 504;
const LOOK: u32 = 505;
const OTHER: u32 = 506;

const UNCHANGED: Verdict = Verdict::UnchangedSinceSigning;

fn integrity(document: &SignedPdf, changes: &Pdf) -> Integrity {
    metadata(&document.clone().updated(changes).file).integrity
}

fn page(entries: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /Contents {CONTENT} 0 R /Annots [{NOTE} 0 R] \
         /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> \
         /Properties << /L {GROUP} 0 R >> >> {entries} >>"
    )
}

const A4: &str = "/MediaBox [0 0 595 842]";

/// A certified document that permits no changes, with this annotation and this form.
fn signed(note: &str, catalog: &str, fields: &str) -> SignedPdf {
    signed_with(note, catalog, fields, "<< /Type /OCG /Name (Layer) >>")
}

fn signed_with(note: &str, catalog: &str, fields: &str, layer: &str) -> SignedPdf {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 90 90]";
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(A4))
        .with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (Total) Tj /OC /L BDC (1,250.00) Tj EMC ET")
        .with(GROUP, layer)
        .with(520, "/OCG")
        .with(NOTE, note)
        .with(APPEARANCES, format!("<< /D {LOOK} 0 R >>"))
        .with(LOOK, stream(form, b"q Q"))
        .with(OTHER, stream(form, b"9 9 50 50 re f"));
    let mut document = SignedPdf::new(&pdf);
    catalog.clone_into(&mut document.catalog);
    fields.clone_into(&mut document.fields);
    document.signed(&Signing::by(Key::Ed25519).certifying(1))
}

fn stamp(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Stamp /Rect [72 500 172 600] /F 4 {entries} >>")
}

/// Layers are distinguished by their objects (8.11.2), also those that do not say that they are layers.
#[test]
fn a_copy_of_a_layer_is_another_layer() {
    let layers = |off: u32| format!("/OCProperties << /OCGs [{GROUP} 0 R {off} 0 R] /D << /OFF [{off} 0 R] >> >>");
    for layer in
        ["/Type /OCG /Name (Layer)", "/Name (Layer)", "/Type 520 0 R /Name (Layer)", "/Type /Font /Name (Layer)", ""]
    {
        let layer = format!("<< {layer} >>");
        let document = signed_with(&stamp(""), &layers(GROUP), "", &layer);
        let mut later = document.clone();
        later.catalog = layers(COPY);
        let answer = integrity(&document, &later.with_catalog(Pdf::changes().with(COPY, layer.as_str())));
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{layer} {} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn a_number_or_a_name_that_some_readers_take_for_none_is_inconclusive() {
    let document = signed(&stamp(""), "", "");
    let rewritten = |page: String, note: String| Pdf::changes().with(FIRST_PAGE, page).with(NOTE, note);
    for (page, note, expected) in [
        (page(A4), stamp(""), UNCHANGED),
        // numbers that may be either
        (page("/MediaBox [0.0 0.0 595.0 842.0]"), stamp(""), UNCHANGED),
        (page(A4), stamp("").replace("/F 4", "/F 4.0"), Verdict::Undetermined),
        (page(A4), stamp("").replace("/Stamp", &format!("{COPY} 0 R")), Verdict::Undetermined),
    ] {
        let answer = integrity(&document, &rewritten(page.clone(), note.clone()).with(COPY, "/Stamp"));
        assert_eq!(answer.verdict, expected, "{page} {note}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// A resource may have the name of an entry whose numbers may be either.
#[test]
fn the_numbers_of_a_color_space_are_integers_whatever_its_name() {
    for family in ["/Indexed", "520 0 R"] {
        let page = |highest: &str| {
            let space = format!("/ColorSpace << /C [{family} /DeviceGray {highest} <00FF>] >>");
            format!("<< /Type /Page /Parent {PAGES} 0 R {A4} /Resources << {space} >> >>")
        };
        let pdf = Pdf::new(1).with(FIRST_PAGE, page("1")).with(520, "/Indexed");
        let document = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519).certifying(1));
        for highest in ["1", "1.0"] {
            let answer = integrity(&document, &Pdf::changes().with(FIRST_PAGE, page(highest)));
            assert_eq!(answer.verdict == UNCHANGED, highest == "1", "{family} {highest}: {}", answer.summary);
        }
    }
}

/// Its coordinates may be either.
#[test]
fn the_page_number_of_a_destination_is_an_integer() {
    let page = |target: &str| {
        let link = format!("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /F 4 /Dest [{target}] >>");
        format!("<< /Type /Page /Parent {PAGES} 0 R {A4} /Annots [{link}] >>")
    };
    let document = SignedPdf::new(&Pdf::new(1).with(FIRST_PAGE, page("0 /XYZ 0 792 0")));
    let document = document.signed(&Signing::by(Key::Ed25519).certifying(1));
    for (target, is_same) in [("0 /XYZ 0.0 792.0 0", true), ("0.0 /XYZ 0 792 0", false)] {
        let answer = integrity(&document, &Pdf::changes().with(FIRST_PAGE, page(target)));
        assert_eq!(answer.verdict == UNCHANGED, is_same, "{target}: {}", answer.summary);
    }
}

/// A state is no private entry, whatever its name, and no resource.
#[test]
fn an_appearance_that_gains_a_state_is_not_unchanged() {
    let document = signed(&stamp(&format!("/AP {APPEARANCES} 0 R")), "", "");
    for gained in
        [format!("<< /D {LOOK} 0 R /N {OTHER} 0 R >>"), format!("<< /D {LOOK} 0 R /N << /Yes_1 {OTHER} 0 R >> >>")]
    {
        let answer = integrity(&document, &Pdf::changes().with(APPEARANCES, &gained));
        assert_ne!(answer.verdict, UNCHANGED, "{gained}: {} {:#?}", answer.summary, answer.signals);
        assert_ne!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{gained}: {}", answer.summary);
    }
}

/// Some viewers draw a button without `/AS` as if it had no state.
#[test]
fn a_button_whose_state_off_is_drawn_keeps_its_state() {
    let button = |state: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agree) /Rect [72 500 172 600] /F 4 {state} \
             /AP << /N << /Yes {LOOK} 0 R /Off {OTHER} 0 R >> >> >>"
        )
    };
    let document = signed(&button("/AS /Off"), "", &format!("{NOTE} 0 R"));
    let answer = integrity(&document, &Pdf::changes().with(NOTE, button("")));
    assert_eq!(answer.verdict, Verdict::Undetermined, "{} {:#?}", answer.summary, answer.signals);
}
