//! What kinds of content a document has.

use bytes::Bytes;
use engine::{ExaminedFeatures, Features, Form, Memory, Options, analyze};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};

use crate::support::open;

fn features(catalog: &str) -> Features {
    features_of(&Pdf::new(1), catalog)
}

fn features_of(pdf: &Pdf, catalog: &str) -> Features {
    open(&pdf.clone().catalog(catalog).classic()).features
}

#[test]
fn a_plain_document_has_none() {
    let expected = Features {
        tagged: false,
        signatures: false,
        signature_fields: false,
        javascript: false,
        attachments: false,
        outlines: false,
        layers: false,
        form: Form::None,
        image_only: Some(false),
        examined: ExaminedFeatures::All,
    };
    assert_eq!(features(""), expected);
    let empty = "/MarkInfo << /Marked false >> /Names << /JavaScript << /Names [] >> /EmbeddedFiles << /Kids [] >> >> \
                 /AcroForm << /Fields [] >> /OCProperties << /OCGs [] >> /Outlines << /Count 0 >> /AF [] \
                 /OpenAction [4 0 R /Fit]";
    assert_eq!(features(empty), expected);
}

#[test]
fn each_feature_is_found_where_the_catalog_keeps_it() {
    assert!(features("/MarkInfo << /Marked true >>").tagged);
    assert!(features("/Names << /JavaScript << /Names [(a) 9 0 R] >> >>").javascript);
    assert!(features("/OpenAction << /S /JavaScript /JS (x) >>").javascript);
    assert!(features("/AA << /WC << /S /JavaScript >> >>").javascript);
    assert!(features("/Names << /EmbeddedFiles << /Names [(a) 9 0 R] >> >>").attachments);
    assert!(features("/AF [9 0 R]").attachments);
    assert!(features("/Outlines << /First 9 0 R >>").outlines);
    assert!(features("/OCProperties << /OCGs [9 0 R] >>").layers);
    assert_eq!(features("/AcroForm << /Fields [9 0 R] >>").form, Form::AcroForm);
    assert_eq!(features("/AcroForm << /Fields [] /XFA [(a) 9 0 R] >>").form, Form::Xfa);
}

#[test]
fn features_may_be_behind_references() {
    let pdf = Pdf::new(1).with(20, "<< /JavaScript 21 0 R >>").with(21, "<< /Names 22 0 R >>").with(22, "[(a) 9 0 R]");
    assert!(features_of(&pdf, "/Names 20 0 R").javascript);
}

#[test]
fn names_may_be_anywhere_in_their_tree() {
    let pdf = Pdf::new(1).with(20, "<< /Kids [21 0 R 22 0 R] >>").with(21, "<< /Limits [(a) (a)] /Names [] >>");
    let tree = |leaf: &str| pdf.clone().with(22, "<< /Kids [23 0 R 20 0 R] >>").with(23, leaf);
    for (key, is_script) in [("JavaScript", true), ("EmbeddedFiles", false)] {
        let names = format!("/Names << /{key} 20 0 R >>");
        let full = features_of(&tree("<< /Names [(a) 9 0 R] >>"), &names);
        assert_eq!((full.javascript, full.attachments), (is_script, !is_script));
        let empty = features_of(&tree("<< /Names [] >>"), &names);
        assert!(!empty.javascript && !empty.attachments);
        // a tree that leads back to itself has too many nodes
        assert_eq!(empty.examined, ExaminedFeatures::Part);
    }
}

#[test]
fn a_document_is_signed_where_a_field_is() {
    let signed = |features: Features| (features.signatures, features.signature_fields);
    for flags in ["/SigFlags 1", "/SigFlags 3", "/SigFlags 2", "/SigFlags 3 /XFA [(a) 9 0 R]"] {
        assert_eq!(signed(features(&format!("/AcroForm << /Fields [] {flags} >>"))), (false, false), "{flags}");
    }
    let form = "/AcroForm << /SigFlags 3 /Fields [20 0 R] >>";
    let field = |text: &str| Pdf::new(1).with(20, "<< /T (a) /Kids [21 0 R 20 0 R] >>").with(21, text);
    for (text, expected) in [
        ("<< /FT /Sig /V << /Type /Sig >> >>", (true, true)),
        ("<< /FT /Sig >>", (false, true)),
        ("<< /FT /Sig /V null >>", (false, true)),
        ("<< /FT /Sig /V 99 0 R >>", (false, true)),
        ("<< /FT /Tx /V (Sig) >>", (false, false)),
    ] {
        assert_eq!(signed(features_of(&field(text), form)), expected, "{text}");
    }
    // a certification without a field
    let certified = Pdf::new(1).with(22, "<< /Type /Sig >>");
    assert_eq!(signed(features_of(&certified, "/Perms << /DocMDP 22 0 R >>")), (true, false));
    assert_eq!(signed(features_of(&certified, "/Perms << /UR3 22 0 R >>")), (false, false));
}

/// A document of one page with these entries.
fn page(entries: &str) -> Pdf {
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] {entries} >>");
    Pdf::new(1).with(FIRST_PAGE, page)
}

#[test]
fn scripts_are_found_wherever_an_event_leads_to_one() {
    const SCRIPT: &str = "<< /S /JavaScript /JS (app.alert(1)) >>";
    let field = |entries: &str| {
        let form = format!("/AcroForm << /Fields [<< /T (a) /FT /Tx /Kids [<< /Subtype /Widget {entries} >>] >>] >>");
        Pdf::new(1).catalog(&form)
    };
    let annotation = |entries: &str| page(&format!("/Annots [<< /Subtype /Link /Rect [0 0 9 9] {entries} >>]"));
    let on_opening = |action: &str| Pdf::new(1).catalog(&format!("/OpenAction {action}"));
    for (name, pdf) in [
        ("page", page(&format!("/AA << /O {SCRIPT} >>"))),
        ("page, elsewhere", page("/AA 30 0 R").with(30, "<< /C 31 0 R >>").with(31, SCRIPT)),
        ("annotation", annotation(&format!("/A {SCRIPT}"))),
        ("annotation, elsewhere", annotation("/A 30 0 R").with(30, SCRIPT)),
        ("annotation's events", annotation(&format!("/AA << /E {SCRIPT} >>"))),
        ("widget that no form leads to", page(&format!("/Annots [<< /Subtype /Widget /AA << /U {SCRIPT} >> >>]"))),
        ("field", field(&format!("/A {SCRIPT}"))),
        ("field's format", field("/AA << /F 30 0 R >>").with(30, SCRIPT)),
        ("next", on_opening(&format!("<< /S /GoTo /D [4 0 R /Fit] /Next {SCRIPT} >>"))),
        ("next of several", on_opening("<< /S /Named /N /NextPage /Next [30 0 R 31 0 R] >>").with(30, SCRIPT)),
        (
            "next of next",
            on_opening("30 0 R")
                .with(30, "<< /S /URI /Next 31 0 R >>")
                .with(31, "<< /S /Named /Next [32 0 R] >>")
                .with(32, SCRIPT),
        ),
        ("rendition", annotation("/A << /S /Rendition /OP 0 /JS (x) >>")),
        ("type, elsewhere", on_opening("<< /S 30 0 R >>").with(30, "/JavaScript")),
    ] {
        assert!(open(&pdf.classic()).features.javascript, "{name}");
        assert!(open(&pdf.compressed()).features.javascript, "{name}");
    }
    for (name, pdf) in [
        ("catalog", Pdf::new(1).catalog("/AA << /WC << /S /SubmitForm /F (x) >> >>")),
        ("form", field("/A << /S /SubmitForm /F (https://example.org) >>")),
        ("destination", on_opening("[4 0 R /Fit]")),
        ("circle", on_opening("30 0 R").with(30, "<< /S /GoTo /Next 30 0 R >>")),
        ("address", annotation("/A << /S /URI /URI (javascript:alert) >>")),
        ("missing", annotation("/A 99 0 R /AA 98 0 R")),
    ] {
        let features = open(&pdf.classic()).features;
        assert!(!features.javascript, "{name}");
        assert_eq!(features.examined, ExaminedFeatures::All, "{name}");
    }
}

#[test]
fn attachments_may_belong_to_pages_and_annotations() {
    let file = Pdf::new(1)
        .with_stream(31, "/Type /EmbeddedFile", b"x")
        .with(30, "<< /Type /Filespec /F (a) /EF << /F 31 0 R >> >>");
    let with = |entries: &str| {
        let text = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] {entries} >>");
        open(&file.clone().with(FIRST_PAGE, text).classic()).features.attachments
    };
    assert!(with("/AF [30 0 R]"));
    assert!(with("/Annots [<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS 30 0 R >>]"));
    assert!(with("/Annots [<< /Subtype /Text /Rect [0 0 9 9] /AF [30 0 R] >>]"));
    assert!(!with("/AF []"));
    assert!(!with("/Annots [<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS (elsewhere.txt) >>]"));
    assert!(!with("/Annots [<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (elsewhere.txt) >> >>]"));
}

#[test]
fn what_was_not_searched_is_said() {
    let examined = |pages: u32, catalog: &str, skip_content: bool| {
        let options = Options { skip_content, ..Options::default() };
        let file = Pdf::new(pages).catalog(catalog).classic();
        analyze(&Memory(Bytes::from(file)), &options).unwrap().features.examined
    };
    assert_eq!(examined(500, "", false), ExaminedFeatures::All);
    assert_eq!(examined(501, "", false), ExaminedFeatures::Part);
    assert_eq!(examined(1, "", true), ExaminedFeatures::Part);
    let both = "/OpenAction << /S /JavaScript /JS (x) >> /AF [9 0 R]";
    assert_eq!(examined(501, both, true), ExaminedFeatures::All);
}

#[test]
fn twenty_thousand_fields_are_looked_at() {
    let form = |before: usize| format!("/AcroForm << /Fields [{} 21 0 R] >>", "<< /FT /Tx >> ".repeat(before));
    let pdf = Pdf::new(1).with(21, "<< /FT /Sig /V << >> >>");
    assert!(features_of(&pdf, &form(19_999)).signatures);
    assert!(!features_of(&pdf, &form(20_000)).signatures);
}

/// A page of 200 by 100 points that draws this, with an image `Im` and a font `F` at hand.
fn drawing(content: &str) -> Pdf {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 20 0 R /Resources \
                << /XObject << /Im 21 0 R >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let image = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    Pdf::new(1).with(FIRST_PAGE, page).with_stream(20, "", content.as_bytes()).with_stream(21, image, b"\x80")
}

#[test]
fn pages_of_pictures_alone_are_told_from_those_with_words() {
    let picture = "q 200 0 0 100 0 0 cm /Im Do Q";
    let words = |mode: u8| format!("BT {mode} Tr /F 12 Tf 20 50 Td (Total 9) Tj ET");
    for (content, expected) in [
        (picture.to_owned(), true),
        // what a text recognition adds is not seen, on top or beneath
        (format!("{picture} {}", words(3)), true),
        (format!("{} {picture}", words(0)), true),
        (format!("{picture} {}", words(0)), false),
        (words(0), false),
        (String::new(), false),
    ] {
        let features = open(&drawing(&content).classic()).features;
        assert_eq!(features.image_only, Some(expected), "{content}");
    }
}

#[test]
fn of_pages_that_were_not_looked_at_nothing_is_said() {
    let options = Options { skip_content: true, ..Options::default() };
    let metadata = analyze(&Memory(Bytes::from(drawing("").classic())), &options).unwrap();
    assert_eq!(metadata.features.image_only, None);
    assert!(metadata.integrity.summary.ends_with("Its page content was not read."), "{}", metadata.integrity.summary);
}
