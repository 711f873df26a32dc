//! The same value, direct or by reference, is one spelling: what an update may write in place it may write as an object.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const EXTENSIONS: u32 = 600;
const FIELD: u32 = 910;
const WIDGET: u32 = 911;
const KIDS: u32 = 912;

const UNKNOWN: Verdict = Verdict::Undetermined;

fn integrity(document: SignedPdf, changes: &Pdf) -> Integrity {
    let changes = document.with_catalog(changes.clone());
    metadata(&document.updated(&changes).file).integrity
}

/// As pyHanko adds the extension of a further signature.
#[test]
fn developer_extensions_may_be_an_object() {
    let iso = "<< /ISO_ [<< /Type /DeveloperExtensions /BaseVersion /2.0 /ExtensionLevel 32002 >>] >>";
    for (catalog, value, expected) in [
        ("/Extensions << >>", "", Verdict::UnchangedSinceSigning),
        ("/Extensions 600 0 R", iso, Verdict::UnchangedSinceSigning),
        // the same object has another use
        ("/Extensions 600 0 R /OutputIntents 600 0 R", iso, UNKNOWN),
        ("/Extensions 600 0 R", "[1]", UNKNOWN),
    ] {
        let mut document = SignedPdf::new(&Pdf::new(1).with(EXTENSIONS, "<< >>"));
        document.catalog = catalog.to_owned();
        let mut document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        document.catalog = catalog.replacen("<< >>", iso, 1);
        let changes = if value.is_empty() { Pdf::changes() } else { Pdf::changes().with(EXTENSIONS, value) };
        let answer = integrity(document, &changes);
        assert_eq!(answer.verdict, expected, "{catalog} {value}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// A new signature field with a widget of its own, whose list is an object.
#[test]
fn the_kids_of_a_new_signature_field_may_be_an_object() {
    let page = |annotations: &str| {
        format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{annotations}] >>")
    };
    let direct = format!("[{WIDGET} 0 R]");
    let reference = format!("{KIDS} 0 R");
    let widget = format!("<< /Type /Annot /Subtype /Widget /F 4 /Rect [0 0 0 0] /P {FIRST_PAGE} 0 R >>");
    for (kids, list, widget, is_clean) in [
        (&direct, None, widget.clone(), true),
        (&reference, Some(direct.clone()), widget.clone(), true),
        (&reference, Some(format!("<< /Kids {direct} >>")), widget.clone(), false),
        (&reference, Some(format!("[{WIDGET} 0 R {FIRST_PAGE} 0 R]")), widget.clone(), false),
        (&reference, Some(direct.clone()), widget.replace("/F 4", "/F 4 /A << /S /JavaScript /JS (1) >>"), false),
    ] {
        let document = SignedPdf::new(&Pdf::new(1).with(FIRST_PAGE, page("")));
        let mut document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        document.fields = format!("{FIELD} 0 R");
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page(&format!("{WIDGET} 0 R")))
            .with(FIELD, format!("<< /FT /Sig /T (Later) /Kids {kids} >>"))
            .with(WIDGET, widget);
        let changes = match &list {
            Some(list) => changes.with(KIDS, list.as_str()),
            None => changes,
        };
        let answer = integrity(document, &changes);
        let found = matches!(answer.verdict, Verdict::UnchangedSinceSigning | Verdict::PermittedChangesSinceSigning);
        assert_eq!(found, is_clean, "{kids} {list:?}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Some viewers do not take an annotation for what an object of its own says it is.
#[test]
fn the_type_of_an_annotation_is_a_direct_name() {
    let page = |annotations: &str| {
        format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{annotations}] >>")
    };
    for (subtype, expected) in [("/Text", Verdict::PermittedChangesSinceSigning), ("600 0 R", UNKNOWN)] {
        let note = format!("<< /Type /Annot /Subtype {subtype} /Rect [0 0 20 20] /Contents (Late) /F 4 >>");
        let pdf = Pdf::new(1).with(FIRST_PAGE, page(&format!("{WIDGET} 0 R"))).with(WIDGET, note).with(600, "/Link");
        let document = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519).certifying(3));
        let answer = integrity(document, &Pdf::changes().with(FIRST_PAGE, page("")));
        assert_eq!(answer.verdict, expected, "{subtype}: {} {:#?}", answer.summary, answer.signals);
    }
}
