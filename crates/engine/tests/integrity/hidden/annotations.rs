//! What annotations and fields hide, and those that no page shows.

use engine::{HiddenKind, SignalId, Verdict};
use samples::pdf::Pdf;
use samples::texts::page;

use super::{HELVETICA, LINE, analyzed, described, reported};
use crate::support::signal;

#[test]
fn viewers_draw_annotations_without_an_appearance() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let noted = |notes: &[&str]| {
        let references: String = (0..notes.len()).map(|at| format!("{} 0 R ", 40 + at)).collect();
        let pdf = described(page(&format!("/Annots [{references}]"), helvetica, LINE));
        let rectangle = "/Type /Annot /Rect [44 97 88 109]";
        let add = |pdf: Pdf, (at, note): (usize, &&str)| pdf.with(40 + at as u32, format!("<< {rectangle} {note} >>"));
        analyzed(&notes.iter().enumerate().fold(pdf, add))
    };
    let covered = [(HiddenKind::Covered, "1,250.00".to_owned())];
    for note in [
        "/Subtype /Highlight /C [0 0 0] /QuadPoints [44 109 88 109 44 97 88 97]",
        "/Subtype /Square /C [0 0 0] /IC [0 0 0]",
        "/Subtype /Line /C [0 0 0] /L [44 103 88 103] /BS << /W 12 >>",
        "/Subtype /Ink /C [0 0 0] /InkList [[50 103 82 103]] /BS << /W 12 >>",
        "/Subtype /Polygon /IC [1 0 0] /Vertices [44 97 88 97 88 109 44 109]",
        "/Subtype /PolyLine /C [0 0 0] /Vertices [44 103 88 103] /Border [0 0 12]",
    ] {
        let metadata = noted(&[note]);
        assert_eq!(reported(&metadata.hidden.items), covered, "{note}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{note}");
    }
    for note in [
        "/Subtype /Highlight /C [1 1 0] /QuadPoints [44 109 88 109 44 97 88 97]",
        "/Subtype /Square /C [1 0 0]",
        "/Subtype /Line /C [1 0 0] /L [44 98 88 98]",
        "/Subtype /Link /Border [0 0 1]",
        "/Subtype /Ink /C [0 0 1] /InkList [[44 97 60 109 88 97]]",
        "/Subtype /Square /IC [1 1 1] /CA 0.3",
    ] {
        assert_eq!(reported(&noted(&[note]).hidden.items), [], "{note}");
    }
    let text = "/Subtype /FreeText /Contents (9,250.00) /DA (/Helv 10 Tf 0 g)";
    for notes in [
        &["/Subtype /FreeText /Contents (9,250.00) /DA (/Helv 10 Tf 0 g) /C [1 1 1]"][..],
        &["/Subtype /Ink /C [1 1 1] /InkList [[50 103 82 103]] /BS << /W 12 >>", text],
    ] {
        let metadata = noted(notes);
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{notes:?}");
        assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange, "{notes:?}");
    }
}

#[test]
fn viewers_draw_fields_without_an_appearance() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let shown = |content: &str, field: &str| {
        let field = format!("<< /Type /Annot /Subtype /Widget /T (Sum) /Rect [44 97 88 109] /F 4 {field} >>");
        let pdf = described(page("/Annots [40 0 R]", helvetica, content));
        let metadata = analyzed(&pdf.with(40, field).catalog("/AcroForm << /Fields [40 0 R] /DA (/Helv 10 Tf 0 g) >>"));
        (reported(&metadata.hidden.items), metadata.integrity.verdict)
    };
    let ground = "/MK << /BG [1 1 1] >>";
    let amount = |kind: HiddenKind| vec![(kind, "1,250.00".to_owned())];
    for field in [
        format!("/FT /Tx /V (9,250.00) {ground}"),
        format!("/FT /Tx /V (9,250.00) /DA (/Helv 0 Tf 0 g) {ground}"),
        format!("/FT /Ch /Ff 131072 /V (9,250.00) /Opt [(9,250.00)] {ground}"),
        format!("/FT /Ch /Ff 131072 /V (a) /Opt [[(a) (9,250.00)]] {ground}"),
        format!("/FT /Ch /Opt [(1,250.00) (9,250.00)] /TI 1 {ground}"),
        format!("/FT /Tx /Ff 16777216 /MaxLen 8 /V (9,250.00) {ground}"),
        format!("/FT /Tx /Ff 4096 /V (9,250.00) {ground}"),
        "/FT /Btn /Ff 65536 /MK << /BG [1 1 1] /CA (9,250.00) >>".to_owned(),
    ] {
        assert_eq!(shown(LINE, &field), (amount(HiddenKind::Retyped), Verdict::SignsOfChange), "{field}");
    }
    // another text than an amount, or none: words of a form under its field
    for field in [
        format!("/FT /Tx {ground}"),
        format!("/FT /Tx /V (Ann) {ground}"),
        format!("/FT /Tx /Ff 8192 /V (9,250.00) {ground}"),
        "/FT /Tx /MK << /BC [1 1 1] >> /BS << /W 12 >>".to_owned(),
    ] {
        let (found, verdict) = shown(LINE, &field);
        assert_eq!(found.first().map(|(kind, _)| *kind), Some(HiddenKind::Covered), "{field}");
        assert_eq!(verdict, Verdict::NoSigns, "{field}");
    }
    let dots = LINE.replace("1,250.00 EUR", "................");
    for (content, field) in [
        (LINE, "/FT /Tx".to_owned()),
        (LINE, "/FT /Btn /MK << /CA (4) >>".to_owned()),
        (LINE, "/FT /Tx /MK << /BC [0 0 0] >>".to_owned()),
        (dots.as_str(), format!("/FT /Tx /V (9,250.00) {ground}")),
    ] {
        assert_eq!(shown(content, &field), (Vec::new(), Verdict::NoSigns), "{field}");
    }
}

/// A page with these annotations.
fn annotated(content: &str, annotations: &str) -> Pdf {
    let font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    described(page(&format!("/Annots [{annotations}]"), font, content)).with_stream(
        61,
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 100 16] {HELVETICA}"),
        b"BT /F 10 Tf 2 4 Td (1,250.00) Tj ET",
    )
}

#[test]
fn a_stamp_that_no_page_shows_is_a_sign_of_change() {
    let stamp = |entries: &str| {
        let stamp = format!("<< /Type /Annot /Subtype /Stamp /Contents (REJECTED) {entries} >>");
        let look = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 16] {HELVETICA}");
        annotated(LINE, "60 0 R")
            .with(60, stamp)
            .with_stream(62, &look, b"BT /F 10 Tf 2 4 Td (REJECTED) Tj ET")
            .with_stream(63, &look, b"q Q")
    };
    for (name, entries, expected) in [
        ("shown", "/F 4 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("hidden", "/F 2 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        ("not viewed", "/F 32 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        ("printed only", "/F 36 /Rect [20 20 120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("emptied", "/F 4 /Rect [20 20 120 36] /AP << /N 63 0 R >>", Verdict::SignsOfChange),
        ("shrunk", "/F 4 /Rect [20 20 20 20] /AP << /N 62 0 R >>", Verdict::SignsOfChange),
        // drawn by viewers, and placed for a larger page
        ("no appearance", "/F 4 /Rect [20 20 120 36]", Verdict::NoSigns),
        ("partly", "/F 4 /Rect [390 20 490 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
        ("beside the page", "/F 4 /Rect [2000 20 2120 36] /AP << /N 62 0 R >>", Verdict::NoSigns),
    ] {
        let integrity = analyzed(&stamp(entries)).integrity;
        assert_eq!(integrity.verdict, expected, "{name}");
        // its appearance says it as well
        if matches!(name, "hidden" | "not viewed") {
            let silent = stamp(entries).with(60, format!("<< /Type /Annot /Subtype /Stamp {entries} >>"));
            assert_eq!(analyzed(&silent).integrity.verdict, expected, "{name}");
        }
        if expected == Verdict::SignsOfChange {
            let evidence = &signal(&integrity, SignalId::TextInvisible).evidence;
            assert!(evidence.iter().all(|evidence| evidence.before.as_deref() == Some("REJECTED")), "{name}");
        }
    }
    // its words are on the page
    let flattened = "BT /F 10 Tf 20 24 Td (REJECTED) Tj ET";
    let kept = "<< /Type /Annot /Subtype /Stamp /Contents (REJECTED) /F 2 /Rect [20 20 120 36] >>";
    assert_eq!(analyzed(&annotated(flattened, "60 0 R").with(60, kept)).integrity.verdict, Verdict::NoSigns);
}

#[test]
fn an_annotation_that_only_some_show_or_that_is_only_printed_over_a_number_is_a_sign_of_change() {
    let look = format!("/Type /XObject /Subtype /Form /BBox [0 0 60 16] {HELVETICA}");
    let over = |entries: &str, content: &[u8]| {
        let annotation = format!("<< /Type /Annot /Rect [44 96 104 112] /AP << /N 62 0 R >> {entries} >>");
        analyzed(&annotated(LINE, "60 0 R").with(60, annotation).with_stream(62, &look, content)).integrity
    };
    let (patch, number) =
        (b"1 g 0 0 42 16 re f 0 g BT /F 10 Tf 1 4 Td (9,250.00) Tj ET", b"BT /F 10 Tf 1 4 Td (9,250.00) Tj ET");
    // Poppler draws the window of a note that has an appearance
    let popup = over("/Subtype /Popup", patch);
    assert_eq!((popup.verdict, &popup.because[..]), (Verdict::SignsOfChange, &[SignalId::TextRetyped][..]));
    // NoView and Print
    for content in [&patch[..], number] {
        let printed = over("/Subtype /Stamp /F 36", content);
        assert_eq!(printed.verdict, Verdict::SignsOfChange);
        let [evidence] = &signal(&printed, SignalId::TextRetyped).evidence[..] else { panic!("one place") };
        assert_eq!(evidence.place.as_deref(), Some("not printed"));
        assert!(printed.summary.contains("and print '"), "{}", printed.summary);
    }
    // the same text, a watermark over it
    for content in [&b"BT /F 10 Tf 1 4 Td (1,250.00) Tj ET"[..], b"0.9 g BT /F 10 Tf 1 4 Td (COPY) Tj ET"] {
        for entries in ["/Subtype /Popup", "/Subtype /Stamp /F 36"] {
            assert_eq!(over(entries, content).verdict, Verdict::NoSigns, "{entries}");
        }
    }
}

#[test]
fn an_appearance_that_only_some_viewers_take_for_the_state_is_a_sign_of_change_over_a_number() {
    let look = format!("/Type /XObject /Subtype /Form /BBox [0 0 60 16] {HELVETICA}");
    let over = |entries: &str, content: &str| {
        let annotation = format!("<< /Type /Annot /Rect [44 96 104 112] /F 4 {entries} >>");
        let pdf = annotated(LINE, "60 0 R").with(60, annotation).with_stream(62, &look, content.as_bytes());
        analyzed(&pdf.with_stream(63, &look, b"").catalog("/AcroForm << /Fields [60 0 R] >>")).integrity
    };
    let patch = "1 g 0 0 42 16 re f 0 g BT /F 10 Tf 1 4 Td (9,250.00) Tj ET";
    for entries in [
        // Poppler takes the only state
        "/Subtype /Stamp /AP << /N << /On 62 0 R >> >>",
        "/Subtype /Square /AP << /N << /On 62 0 R >> >>",
        "/Subtype /Widget /FT /Btn /T (b) /AP << /N << /Yes 62 0 R >> >>",
        // PDFium takes a text for a name, and a value
        "/Subtype /Stamp /AS (On) /AP << /N << /On 62 0 R >> >>",
        "/Subtype /Stamp /V /Yes /AP << /N << /Yes 62 0 R /Off 63 0 R >> >>",
        "/Subtype /Stamp /AS 1 /AP << /N << /1 62 0 R /Off 63 0 R >> >>",
        "/Subtype /Stamp /AS true /AP << /N << /true 62 0 R /Off 63 0 R >> >>",
        // MuPDF takes none
        "/Subtype /Stamp /AP << /N << /Off 62 0 R /On 63 0 R >> >>",
    ] {
        let found = over(entries, patch);
        assert_eq!(
            (found.verdict, &found.because[..]),
            (Verdict::SignsOfChange, &[SignalId::TextRetyped][..]),
            "{entries}"
        );
    }
    for (entries, content) in [
        // no viewer takes any state
        ("/Subtype /Stamp /AS /Other /AP << /N << /On 62 0 R >> >>", patch),
        ("/Subtype /Stamp /AP << /N << /A 62 0 R /B 62 0 R >> >>", patch),
        ("/Subtype /Widget /FT /Btn /T (b) /V /Yes /AP << /N << /Yes 62 0 R /Off 63 0 R >> >>", patch),
        // marks that Poppler draws in empty boxes
        ("/Subtype /Widget /FT /Btn /T (b) /AP << /N << /Yes 62 0 R >> >>", "BT /F 10 Tf 60 4 Td (X) Tj ET"),
        ("/Subtype /Widget /FT /Btn /T (b) /AP << /N << /Yes 62 0 R /Off 63 0 R >> >>", "BT /F 10 Tf 1 4 Td (X) Tj ET"),
        ("/Subtype /Stamp /AP << /N << /On 62 0 R >> >>", "BT /F 10 Tf 1 4 Td (1,250.00) Tj ET"),
    ] {
        assert_eq!(over(entries, content).verdict, Verdict::NoSigns, "{entries}");
    }
}

#[test]
fn a_field_whose_place_shows_another_value_is_a_sign_of_change() {
    let form = |shown: &str, value: &str, entries: &str, annotations: &str| {
        let content = format!("BT /F 10 Tf 20 100 Td (Total) Tj ET BT /F 10 Tf 62 99 Td ({shown}) Tj ET");
        let field = format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /V ({value}) {entries} >>");
        annotated(&content, annotations).catalog("/AcroForm << /Fields [60 0 R] >>").with(60, field)
    };
    let place = "/Rect [60 95 160 111]";
    let look = "/AP << /N 61 0 R >>";
    for (name, shown, value, entries, annotations, expected) in [
        ("hidden", "9,250.00", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::SignsOfChange),
        ("unlisted", "9,250.00", "1,250.00", format!("{place} {look} /F 4"), "", Verdict::SignsOfChange),
        ("moved", "9,250.00", "1,250.00", format!("/Rect [2000 95 2100 111] {look}"), "60 0 R", Verdict::SignsOfChange),
        // flattened honestly
        ("the same", "1,250.00", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("formatted", "1,250.00", "1250", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("another order", "05.01.2025", "2025-01-05", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
        ("a label", "Total", "1,250.00", format!("{place} {look} /F 2"), "60 0 R", Verdict::NoSigns),
    ] {
        let integrity = analyzed(&form(shown, value, &entries, annotations)).integrity;
        assert_eq!(integrity.verdict, expected, "{name}");
        if expected == Verdict::SignsOfChange {
            let [evidence] = &signal(&integrity, SignalId::TextRetyped).evidence[..] else { panic!("{name}") };
            let words = (evidence.before.as_deref(), evidence.after.as_deref());
            assert_eq!(words, (Some("1,250.00"), Some("9,250.00")), "{name}");
        }
    }
}

#[test]
fn a_signatures_appearance_without_a_signature_is_a_sign_of_change() {
    let look = |text: &str| {
        let field = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /F 4 /Rect [20 20 220 36] /AP << /N 62 0 R >> >>";
        let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 200 16] {HELVETICA}");
        let content = format!("BT /F 10 Tf 2 4 Td ({text}) Tj ET");
        let pdf = annotated(LINE, "60 0 R").catalog("/AcroForm << /Fields [60 0 R] >>").with(60, field);
        analyzed(&pdf.with_stream(62, &form, content.as_bytes())).integrity
    };
    let signed = look("Digitally signed by A. Date: 2026-11-27 06:57:21");
    assert_eq!((signed.verdict, &signed.because[..]), (Verdict::SignsOfChange, &[SignalId::SignatureRemoved][..]));
    assert_eq!(look("Sign here").verdict, Verdict::NoSigns);
}
