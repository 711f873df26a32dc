//! An update may tag what comes with it; signed content stays where the signed structure tree has it.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const CONTENT: u32 = 500;
const RESOURCES: u32 = 501;
const ROOT: u32 = 510;
const DOCUMENT: u32 = 511;
const PARAGRAPH: u32 = 512;
const NUMBERS: u32 = 513;
const NOTE: u32 = 520;
const ELEMENT: u32 = 900;
const OTHER: u32 = 901;

const WORDS: &[u8] =
    b"BT /F 12 Tf /P << /MCID 0 >> BDC 72 700 Td (Ann pays) Tj EMC /P << /MCID 1 >> BDC 0 -20 Td (1,250.00) Tj EMC ET";

fn page(annotations: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R /Resources {RESOURCES} 0 R \
         /StructParents 0 /Annots [{annotations}] >>"
    )
}

fn document(kids: &str) -> String {
    format!("<< /Type /StructElem /S /Document /P {ROOT} 0 R /K {kids} >>")
}

fn numbers(more: &str) -> String {
    format!("<< /Nums [0 [{PARAGRAPH} 0 R {PARAGRAPH} 0 R] {more}] >>")
}

fn element(kids: &str) -> String {
    format!("<< /Type /StructElem /S /Annot /P {DOCUMENT} 0 R /Pg {FIRST_PAGE} 0 R /K {kids} >>")
}

fn note(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Text /Rect [500 20 520 40] /F 2 /Contents (Seen) {entries} >>")
}

fn integrity(changes: &Pdf) -> Integrity {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(""))
        .with_stream(CONTENT, "", WORDS)
        .with(RESOURCES, "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>")
        .with(
            ROOT,
            format!("<< /Type /StructTreeRoot /K {DOCUMENT} 0 R /ParentTree {NUMBERS} 0 R /ParentTreeNextKey 1 >>"),
        )
        .with(DOCUMENT, document(&format!("[{PARAGRAPH} 0 R]")))
        .with(PARAGRAPH, format!("<< /Type /StructElem /S /P /P {DOCUMENT} 0 R /Pg {FIRST_PAGE} 0 R /K [0 1] >>"))
        .with(NUMBERS, numbers(""));
    let mut signed = SignedPdf::new(&pdf);
    signed.catalog = format!("/StructTreeRoot {ROOT} 0 R /MarkInfo << /Marked true >>");
    metadata(&signed.signed(&Signing::by(Key::Ed25519).certifying(3)).updated(changes).file).integrity
}

/// An update that adds a note and tags it by an element with these kids.
fn tagging(kids: &str) -> Pdf {
    Pdf::changes()
        .with(FIRST_PAGE, page(&format!("{NOTE} 0 R")))
        .with(NOTE, note("/StructParent 1"))
        .with(DOCUMENT, document(&format!("[{PARAGRAPH} 0 R {ELEMENT} 0 R]")))
        .with(ELEMENT, element(kids))
        .with(NUMBERS, numbers(&format!("1 {ELEMENT} 0 R")))
}

#[test]
fn what_comes_with_an_update_may_be_tagged() {
    let reference = format!("<< /Type /OBJR /Pg {FIRST_PAGE} 0 R /Obj {NOTE} 0 R >>");
    let cases = [
        ("an annotation", tagging(&reference)),
        ("in an array", tagging(&format!("[{reference}]"))),
        ("by an object", tagging(&format!("[{OTHER} 0 R]")).with(OTHER, &reference)),
        ("by an element within another", tagging(&format!("{OTHER} 0 R")).with(OTHER, element(&reference))),
        ("by an element without content", tagging("[]")),
        ("below the root", tagging(&reference).with(DOCUMENT, document(&format!("[{ELEMENT} 0 R {PARAGRAPH} 0 R]")))),
    ];
    for (name, changes) in cases {
        let answer = integrity(&changes);
        assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{name}: {}", answer.summary);
    }
}

#[test]
fn signed_content_is_not_listed_again() {
    let marked = format!("<< /Type /MCR /Pg {FIRST_PAGE} 0 R /MCID 1 >>");
    let cases = [
        ("marked content", tagging("[1 0]")),
        ("one of both", tagging("1")),
        ("a reference to marked content", tagging(&marked)),
        ("the same as an object", tagging(&format!("[{OTHER} 0 R]")).with(OTHER, &marked)),
        ("a signed element", tagging(&format!("[{PARAGRAPH} 0 R]"))),
        ("by an element within another", tagging(&format!("{OTHER} 0 R")).with(OTHER, element("[1]"))),
        (
            "twice by its parent",
            tagging("[]").with(DOCUMENT, document(&format!("[{PARAGRAPH} 0 R {ELEMENT} 0 R {PARAGRAPH} 0 R]"))),
        ),
        (
            "more of it by its own element",
            tagging("[]").with(
                PARAGRAPH,
                format!("<< /Type /StructElem /S /P /P {DOCUMENT} 0 R /Pg {FIRST_PAGE} 0 R /K [0 1 0] >>"),
            ),
        ),
        (
            "content of the page as that of another element",
            tagging("[]").with(NUMBERS, format!("<< /Nums [0 [{PARAGRAPH} 0 R {PARAGRAPH} 0 R] 0 [{ELEMENT} 0 R]] >>")),
        ),
    ];
    for (name, changes) in cases {
        let answer = integrity(&changes);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{name}: {}", answer.summary);
    }
}

#[test]
fn words_read_aloud_in_place_of_signed_content_are_a_change() {
    let paragraph =
        |words: &str| format!("<< /Type /StructElem /S /P /P {DOCUMENT} 0 R /Pg {FIRST_PAGE} 0 R /K [0 1] {words} >>");
    // an element needs no type
    let added = |kids: &str, words: &str| {
        let element = format!("<< /S /Span /P {DOCUMENT} 0 R /Pg {FIRST_PAGE} 0 R /K {kids} {words} >>");
        tagging("[]").with(ELEMENT, element)
    };
    let reference = format!("<< /Type /OBJR /Pg {FIRST_PAGE} 0 R /Obj {NOTE} 0 R >>");
    let marked = format!("[<< /Type /MCR /Pg {FIRST_PAGE} 0 R /MCID 1 >>]");
    let changed = Verdict::ChangedSinceSigning;
    let cases = [
        (tagging("[]").with(PARAGRAPH, paragraph("/ActualText (Ann pays 9,250.00)")), changed),
        (tagging("[]").with(PARAGRAPH, paragraph("/Alt (Bob pays)")), changed),
        (added("1", "/ActualText (9,250.00)"), changed),
        (added(&marked, "/E (9,250.00)"), changed),
        // nothing is said
        (added("1", "/ActualText ()"), Verdict::Undetermined),
        // a description of what comes with the update
        (added(&reference, "/Alt (A note)"), Verdict::Undetermined),
    ];
    for (changes, expected) in cases {
        let answer = integrity(&changes);
        assert_eq!(answer.verdict, expected, "{}", answer.summary);
        let names = answer.summary.starts_with("Text that screen readers read aloud was changed");
        assert_eq!(names, expected == changed, "{}", answer.summary);
    }
}
