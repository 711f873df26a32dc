//! Text in layers (optional content) that are off.

use engine::{ExaminedContent, HiddenKind, SignalId, Verdict};
use samples::texts::page;

use super::{LINE, OTHER, PATCH, analyzed, described, reported, sheet};
use crate::support::signal;

#[test]
fn text_of_no_layer_in_place_of_text_in_a_layer_that_is_off_is_an_edit() {
    let off = "/OC /Off BDC";
    let other = "BT /F 10 Tf 20 100 Td (Total 9,250.00 EUR) Tj ET";
    let [head, foot] = [140, 60].map(|y| format!("BT /F 10 Tf 20 {y} Td (Invoice 2026-7) Tj ET"));
    for content in [
        // within its line, of which the rest stays
        format!("BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td {off} (1,250.00) Tj EMC ET {foot} {OTHER}"),
        format!("BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td {off} (1,250.00) Tj EMC 0 0 Td (9,250.00) Tj ET"),
        format!("{off} BT /F 10 Tf 46 100 Td (1,250.00) Tj ET EMC BT /F 10 Tf 88 100 Td (EUR) Tj ET {OTHER}"),
        // the complete line, among others
        format!("{head} {off} {LINE} EMC {foot} {other}"),
        format!("{head} {off} /Span BMC {LINE} EMC EMC {foot} {other}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        let integrity = &metadata.integrity;
        assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{content}: {:?}", metadata.hidden);
        assert!(reported(&metadata.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into())), "{content}");
        let evidence = &signal(integrity, SignalId::TextRetyped).evidence[0];
        assert_eq!(evidence.place.as_deref(), Some("in a layer that is off"), "{content}");
        assert!(integrity.summary.ends_with("the original text is in a layer that is off."), "{}", integrity.summary);
    }
}

#[test]
fn a_membership_is_off_by_its_policy_or_expression() {
    let resources = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /Properties << /M 36 0 R >>";
    let content = format!(
        "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td /OC /M BDC (1,250.00) Tj EMC ET \
         BT /F 10 Tf 20 60 Td (Thanks) Tj ET {OTHER}"
    );
    for (membership, expected) in [
        ("/OCGs 32 0 R /P /AllOff", Verdict::SignsOfChange),
        ("/VE [/Not 32 0 R]", Verdict::SignsOfChange),
        ("/VE [/And 32 0 R [/Not [/Or 32 0 R]]]", Verdict::SignsOfChange),
        ("/OCGs 32 0 R /P /AllOn", Verdict::NoSigns),
        ("/OCGs 32 0 R /P /AllOn /VE [/Or 32 0 R]", Verdict::NoSigns),
        // MuPDF goes by the policy
        ("/OCGs 32 0 R /P /AllOff /VE [/Or 32 0 R]", Verdict::SignsOfChange),
    ] {
        let pdf = described(page("", resources, &content))
            .with(32, "<< /Type /OCG /Name (Notes) >>")
            .with(36, format!("<< /Type /OCMD {membership} >>"))
            .catalog("/OCProperties << /OCGs [32 0 R] /D << /ON [32 0 R] >> >>");
        let found = analyzed(&pdf);
        let is_reported = reported(&found.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into()));
        assert_eq!(is_reported, expected == Verdict::SignsOfChange, "{membership} {:?}", found.hidden);
    }
}

/// Text in layers neither takes away nor adds to what other invisible text shows.
#[test]
fn text_in_layers_leaves_other_invisible_text_as_it_is() {
    let line = "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td 3 Tr (1,250.00) Tj 0 Tr 42 0 Td (EUR) Tj ET";
    let drawing = "BT /F 10 Tf 120 100 Td (A4) Tj ET";
    for layers in [
        format!("/OC /Off BDC {drawing} EMC /OC /On BDC {} EMC", drawing.replace("A4", "B5")),
        format!("/OC /Off BDC {} EMC", drawing.replace("(A4) Tj", &"(A4) Tj 0 0.1 Td ".repeat(2_100))),
    ] {
        let metadata = analyzed(&sheet(&format!("{line} {layers} {OTHER}")));
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{:?}", metadata.hidden);
        assert!(reported(&metadata.hidden.items).contains(&(HiddenKind::Retyped, "1,250.00".into())));
        assert_eq!(metadata.integrity.examined.content, ExaminedContent::All);
    }
}

#[test]
fn layers_that_offer_versions_of_a_page_are_no_edits() {
    let [off, on] = ["/OC /Off BDC", "/OC /On BDC"];
    let old = format!("{off} BT /F 10 Tf 46 100 Td (1,250.00) Tj ET EMC");
    let label = "BT /F 10 Tf 20 100 Td (Total) Tj ET";
    let line = |y: u32, text: &str| format!("BT /F 10 Tf 20 {y} Td ({text}) Tj ET");
    let pages = |texts: [&str; 4]| {
        let lines = (1_u32..).zip(texts).map(|(row, text)| line(180 - 20 * row, text));
        lines.collect::<Vec<_>>().join(" ")
    };
    let english = pages(["Invoice", "Amount", "Due on Monday", "Thanks"]);
    let german = pages(["Rechnung", "Betrag", "Zahlbar am Montag", "Danke"]);
    let [head, foot] = [line(140, "Page 1"), line(60, "Page 2")];
    for content in [
        // versions that are both in layers, also where a nested layer or a common base is on
        format!("{label} {old} {on} {OTHER} EMC {foot}"),
        format!("{label} {old} {on} /Span BMC {OTHER} EMC EMC {foot}"),
        format!(
            "{head} {off} {} EMC {on} {} EMC {foot} {off} {} EMC {head} {}",
            line(100, "Betrag"),
            line(100, "Amount"),
            line(80, "Rechnung"),
            line(80, "Invoice"),
        ),
        // a translation or recognized text of a page
        format!("{head} {off} {german} EMC {foot} {english}"),
        format!("{off} {} EMC {LINE}", LINE.replace("Total", "Tota1")),
        // the same text
        format!("{label} {old} {foot} {}", OTHER.replace("9,250.00", "1,250.00")),
        format!("{head} {off} {} EMC {foot} {}", line(100, "TOTAL"), line(100, "Total")),
        // a watermark under the text, and one on another line
        format!("{head} {off} BT /F 18 Tf 20 99 Td (DRAFT) Tj ET EMC {foot} {LINE}"),
        format!("{head} {off} BT /F 10 Tf 20 105 Td (DRAFT) Tj ET EMC {foot} {LINE}"),
        // notes across the text, which replace no word of it
        format!("{head} {off} BT /F 10 Tf 52 100 Td (see the sketch of the annex) Tj ET EMC {foot} {LINE}"),
        // a correction laid over the text, and a layer with its own background
        format!("{head} {LINE} {off} {OTHER} EMC {foot}"),
        format!("{label} {off} 1 g {PATCH} {} EMC {foot} {OTHER}", OTHER.replace("9,250.00", "1,250.00")),
        // a template's sample, with what a program filled in later
        format!("{head} {foot} {off} {} EMC {}", line(100, "John Sample"), line(100, "Ann Example")),
        // for printing only
        format!("{head} {off} {} EMC {foot}", line(100, "Uncontrolled copy")),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}: {:?}", metadata.hidden);
        let found = reported(&metadata.hidden.items);
        assert!(!found.is_empty(), "{content}");
        assert!(found.iter().all(|(kind, _)| *kind == HiddenKind::HiddenLayer), "{content}: {found:?}");
    }
}

#[test]
fn the_layer_of_a_form_xobject_and_what_annotations_show_are_known() {
    let resources = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 38 0 R >> \
        /Properties << /Off 32 0 R >>";
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 400 200] \
        /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let verdict = |layer: &str, annotation: &str, after: &str| {
        let content = format!(
            "BT /F 10 Tf 20 100 Td (Total) Tj 26 0 Td /OC /Off BDC (1,250.00) Tj EMC ET \
             BT /F 10 Tf 20 60 Td (Thanks) Tj ET {after}"
        );
        let pdf = described(page("/Annots [40 0 R]", resources, &content))
            .with(32, "<< /Type /OCG /Name (Notes) >>")
            .with(36, "<< /Type /OCG /Name (Drawing) >>")
            .with_stream(38, &format!("{form} {layer}"), OTHER.as_bytes())
            .with(40, format!("<< /Type /Annot /Rect [0 0 400 200] {annotation} >>"))
            .catalog("/OCProperties << /OCGs [32 0 R 36 0 R] /D << /OFF [32 0 R] >> >>");
        analyzed(&pdf).integrity.verdict
    };
    assert_eq!(verdict("", "/Subtype /Link", "/X Do"), Verdict::SignsOfChange);
    assert_eq!(verdict("/OC 36 0 R", "/Subtype /Link", "/X Do"), Verdict::NoSigns);
    assert_eq!(verdict("", "/Subtype /FreeText /AP << /N 38 0 R >>", ""), Verdict::NoSigns);
    assert_eq!(verdict("", "/Subtype /Widget /FT /Tx /V (9,250.00) /AP << /N 38 0 R >>", ""), Verdict::NoSigns);
}
