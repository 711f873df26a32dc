//! What kinds of content a document has.

use engine::{Features, Form};
use samples::pdf::Pdf;

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
