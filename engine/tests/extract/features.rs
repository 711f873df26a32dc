//! What kinds of content a document has.

use bytes::Bytes;
use engine::{Features, Form, Memory, Options, analyze};
use samples::pdf::{FIRST_PAGE, Pdf};

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
        javascript: false,
        attachments: false,
        outlines: false,
        layers: false,
        form: Form::None,
        image_only: Some(false),
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
    assert!(features("/Names << /EmbeddedFiles << /Kids [9 0 R] >> >>").attachments);
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
fn signatures_are_flagged_or_found_among_the_fields() {
    assert!(features("/AcroForm << /SigFlags 3 >>").signatures);
    assert!(!features("/AcroForm << /SigFlags 2 >>").signatures);
    let form = "/AcroForm << /Fields [20 0 R] >>";
    let field = |text: &str| Pdf::new(1).with(20, "<< /T (a) /Kids [21 0 R 20 0 R] >>").with(21, text);
    assert!(features_of(&field("<< /FT /Sig /V << /Type /Sig >> >>"), form).signatures);
    assert!(!features_of(&field("<< /FT /Sig >>"), form).signatures);
    assert!(!features_of(&field("<< /FT /Tx /V (Sig) >>"), form).signatures);
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
    assert!(
        metadata.integrity.summary.ends_with("What its pages show was not read."),
        "{}",
        metadata.integrity.summary
    );
}
