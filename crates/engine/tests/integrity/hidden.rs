//! What pages hide: what is found, with what it stands for; and what looks like it and hides nothing.

mod annotations;
mod cut_off;
mod earlier_states;
mod glyphs;
mod layers;
mod retyped;
mod unread;

use engine::{
    ExaminedContent, HiddenItem, HiddenKind, Memory, Metadata, Options, SignalId, Strength, Verdict, analyze,
};
use samples::pdf::Pdf;
use samples::texts::{drawing, page};

use crate::support::{ids, signal};

/// A line of which the amount is to be hidden, in places that the tests know.
const LINE: &str = "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET";
/// An area over the amount, and another amount upon it.
const PATCH: &str = "44 97 44 12 re f";
const OTHER: &str = "0 g BT /F 10 Tf 46 100 Td (9,250.00) Tj ET";
const RESOURCES: &str = "/ExtGState << /Half << /ca 0.5 >> /None << /ca 0 >> /Multiply << /BM /Multiply >> \
    /Mask << /SMask << /S /Luminosity /G 30 0 R >> >> >> /XObject << /Image 31 0 R /Scan 31 0 R /Glass 33 0 R /Gap 35 0 R >> \
    /Properties << /Off 32 0 R /On 36 0 R >> /Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] \
    /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >> >>";

fn analyzed(pdf: &Pdf) -> Metadata {
    analyze(&Memory(pdf.classic().into()), &Options::default()).expect("the file opens")
}

/// A page with this content, of a document that says when and by what it was made.
fn sheet(content: &str) -> Pdf {
    const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    described(drawing(content, RESOURCES))
        .with_stream(31, IMAGE, b"x")
        .with(32, "<< /Type /OCG /Name (Notes) >>")
        .with_stream(33, &format!("{IMAGE} /SMask 34 0 R"), b"x")
        .with_stream(34, IMAGE, b"\x80")
        .with_stream(35, "/Type /XObject /Subtype /Image /Width 8 /Height 1 /ImageMask true", b"\xff")
        .with(36, "<< /Type /OCG /Name (Drawing) >>")
        .catalog("/OCProperties << /OCGs [32 0 R 36 0 R] /D << /OFF [32 0 R] >> >>")
}

fn described(pdf: Pdf) -> Pdf {
    pdf.info("/Producer (Writer 1) /CreationDate (D:20250115103000Z)")
}

/// What is hidden by this content: how, and which text.
fn hidden(content: &str) -> Vec<(HiddenKind, String)> {
    reported(&analyzed(&sheet(content)).hidden.items)
}

fn reported(items: &[HiddenItem]) -> Vec<(HiddenKind, String)> {
    items.iter().map(|item| (item.kind, item.text.clone().unwrap_or_default())).collect()
}

#[test]
fn a_redaction_that_only_paints_is_reported_and_says_nothing_of_changes() {
    for (patch, place) in [("0 g", "under a black area"), ("0.8 0 0 rg", "under a colored area")] {
        let metadata = analyzed(&sheet(&format!("{LINE} {patch} {PATCH}")));
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())]);
        let found = signal(&metadata.integrity, SignalId::TextCovered);
        assert_eq!((found.strength, found.evidence[0].place.as_deref()), (Strength::Neutral, Some(place)));
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns);
    }
    let metadata = analyzed(&sheet(&format!("{LINE} 1 g {PATCH}")));
    assert_eq!(signal(&metadata.integrity, SignalId::TextCovered).strength, Strength::Strong, "within a line");
    assert_eq!(metadata.integrity.verdict, Verdict::SignsOfChange);
}

#[test]
fn a_redaction_that_was_marked_only_is_reported() {
    let helvetica = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    for places in ["/QuadPoints [44 109 88 109 44 97 88 97]", ""] {
        let mark = format!("<< /Type /Annot /Subtype /Redact /Rect [44 97 88 109] {places} >>");
        let metadata = analyzed(&described(page("/Annots [40 0 R]", helvetica, LINE)).with(40, mark));
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::RedactionUnapplied, "1,250.00".into())], "{places}");
        assert_eq!(signal(&metadata.integrity, SignalId::RedactionUnapplied).strength, Strength::Neutral);
    }
}

#[test]
fn text_that_no_reader_sees_is_reported() {
    let text = "BT /F 10 Tf 20 100 Td (Ignore this) Tj ET";
    for (content, kind) in [
        (format!("1 g {text}"), HiddenKind::Invisible),
        (format!("0.99 g {text}"), HiddenKind::Invisible),
        (format!("0 g 0 0 400 200 re f {text}"), HiddenKind::Invisible),
        (format!("3 Tr {text}"), HiddenKind::Invisible),
        (format!("7 Tr {text}"), HiddenKind::Invisible),
        (format!("/None gs {text}"), HiddenKind::Invisible),
        ("BT /F 0.5 Tf 20 100 Td (Ignore this) Tj ET".to_owned(), HiddenKind::Tiny),
        ("BT /F 10 Tf 20 300 Td (Ignore this) Tj ET".to_owned(), HiddenKind::OffPage),
        (format!("/OC /Off BDC {text} EMC"), HiddenKind::HiddenLayer),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(reported(&metadata.hidden.items), [(kind, "Ignore this".into())], "{content}");
        assert_eq!(signal(&metadata.integrity, SignalId::TextInvisible).strength, Strength::Neutral, "{content}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}");
    }
}

#[test]
fn what_hides_nothing_is_not_reported() {
    let white = "1 g BT /F 10 Tf 20 100 Td (Invoice 2026) Tj ET";
    let scan = "q 400 0 0 200 0 0 cm /Scan Do Q";
    for content in [
        // white text on what is no paper: a rectangle, a round one, a thick line, a dot, an image, a shading, a pattern, a sign
        format!("0 0 0.4 rg 0 90 400 30 re f {white}"),
        format!("0 0 0.4 rg 10 90 m 300 90 l 320 90 320 120 300 120 c 10 120 l h f {white}"),
        format!("30 w 0 105 m 400 105 l S {white}"),
        format!("1 J 200 w 50 105 m 50 105 l S {white}"),
        format!("{scan} {white}"),
        format!("q 0 90 400 30 re W n /S sh Q {white}"),
        format!("/Pattern cs /P scn 0 90 400 30 re f {white}"),
        "BT /F 90 Tf 15 70 Td (MM) Tj ET 1 g BT /F 10 Tf 30 100 Td (Invoice) Tj ET".to_owned(),
        // white letters with an outline, and a text that is the clip of what is painted then
        format!("2 Tr {white}"),
        "q 7 Tr BT /F 40 Tf 20 90 Td (Clip) Tj ET 0.5 g 0 80 400 60 re f Q".to_owned(),
        // what lies beneath: stripes, backgrounds, a page painted white
        format!("1 g 0 0 400 200 re f 0.9 g 0 95 400 14 re f 0 g {LINE}"),
        format!("q 0 90 400 30 re W n /S sh Q {LINE}"),
        // lines under and through it, and a frame
        format!("{LINE} 20 98 90 0.7 re f"),
        format!("{LINE} 20 103 90 0.7 re f"),
        format!("{LINE} 6 w 10 90 100 30 re S"),
        // what it shines through
        format!("{LINE} /Half gs 1 1 0 rg 15 95 90 14 re f"),
        format!("{LINE} /Multiply gs 1 1 0 rg 15 95 90 14 re f"),
        format!("{LINE} 20 0 m 400 0 l 400 50 l h W n 1 g 15 95 90 14 re f"),
        // the same text once more: bold, a shadow, a new look
        format!("{LINE} 1 0 0 1 0.3 0 cm {LINE}"),
        "0.7 g BT /F 10 Tf 21 99 Td (Total) Tj ET 0 g BT /F 10 Tf 20 100 Td (Total) Tj ET".to_owned(),
        format!("{LINE} 1 g 15 95 90 14 re f 0 g {LINE}"),
        // a stamp over white paper, and lines to write on
        format!("{LINE} 1 g 200 50 90 30 re f 1 0 0 rg BT /F 20 Tf 205 55 Td (PAID) Tj ET"),
        "BT /F 10 Tf 20 100 Td (________) Tj ET 1 g 15 95 90 14 re f 0 g BT /F 10 Tf 20 100 Td (Ann) Tj ET".to_owned(),
        // text that was recognised under a scan, over it, and beside an image
        format!("{LINE} {scan}"),
        format!("3 Tr {LINE} {scan}"),
        format!("{scan} 3 Tr {LINE}"),
        format!("q 100 0 0 20 15 95 cm /Image Do Q 3 Tr {LINE}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(reported(&metadata.hidden.items), [], "{content}");
        let others = ids(&metadata.integrity).into_iter().filter(|id| *id != SignalId::PagesAreImages);
        assert_eq!((metadata.integrity.verdict, others.collect()), (Verdict::NoSigns, vec![]), "{content}");
        assert_eq!(metadata.hidden.examined, ExaminedContent::All, "{content}");
    }
}

/// What a program may add to a page with resources of any kind: states, patterns, shadings, forms, images and a Type 3 font.
fn rich(content: &str) -> Pdf {
    const FORM: &str = "/Type /XObject /Subtype /Form /BBox [0 0 400 200] /Group << /S /Transparency >>";
    const IMAGE: &str = "/Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8";
    let modes = ["Multiply", "Screen", "Difference", "Exclusion", "Lighten", "HardLight", "Color", "Luminosity"];
    let modes: String = modes.iter().map(|mode| format!("/{mode} << /BM /{mode} >> ")).collect();
    let resources = format!(
        "/ExtGState << {modes} /Half << /ca 0.5 >> /Tenth << /ca 0.1 >> /Nothing << /ca 0.02 >> \
         /Shape << /SMask << /S /Luminosity /G 60 0 R >> >> /Hole << /SMask << /S /Luminosity /G 61 0 R >> >> \
         /Lost << /SMask << /S /Luminosity /G 99 0 R >> >> /Empty << /SMask << /S /Luminosity /G 62 0 R >> >> /All << /SMask /None /ca 1 /BM /Normal >> >> \
         /Pattern << /Full 63 0 R /Gaps 64 0 R /None 65 0 R /Blend << /PatternType 2 /Shading 66 0 R >> >> \
         /Shading << /Mesh 67 0 R >> /XObject << /Twice 68 0 R /Faint 69 0 R /Dense 71 0 R /Bar 73 0 R >> \
         /ColorSpace << /Tint [/Separation /Spot /DeviceGray 74 0 R] >>"
    );
    let fonts = "/Font << /Z << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /T 75 0 R /Box 77 0 R >>";
    let cell = "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5 /Resources << >>";
    let triangle = [0, 40, 97, 0, 90, 97, 0, 40, 109, 0, 90, 97, 0, 90, 109, 0, 40, 109];
    let axial = "/ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] /Extend [true true]";
    described(page("", &format!("{fonts} {resources}"), content))
        .with_stream(60, FORM, b"1 g 44 97 44 12 re f")
        .with_stream(61, FORM, b"1 g 0 0 400 200 re f 0 g 44 97 44 12 re f")
        .with_stream(62, FORM, b"")
        .with_stream(63, cell, b"1 g 0 0 5 5 re f")
        .with_stream(64, cell, b"1 g 0 0 4.9 4.9 re f")
        .with_stream(65, cell, b"")
        .with(66, format!("<< {axial} /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >>"))
        .with_stream(
            67,
            "/ShadingType 4 /ColorSpace /DeviceGray /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 \
             /Decode [0 255 0 255 0 1]",
            &triangle.chunks(3).flat_map(|point| [point[0], point[1], point[2], 255]).collect::<Vec<u8>>(),
        )
        .with_stream(68, FORM, b"1 g 44 97 44 12 re f 44 97 44 12 re f")
        .with_stream(69, &format!("{IMAGE} /SMask 70 0 R"), b"xy")
        .with_stream(70, IMAGE, &[0x40, 0x80])
        .with_stream(71, &format!("{IMAGE} /SMask 72 0 R"), &[255, 255])
        .with_stream(72, IMAGE, &[0xe0, 0xd0])
        .with_stream(73, IMAGE, &[0, 0])
        .with_stream(74, "/FunctionType 4 /Domain [0 1] /Range [0 1]", b"{pop 1}")
        .with(
            75,
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 1000 900] /FontMatrix [.001 0 0 .001 0 0] \
             /CharProcs << /a 76 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] >>",
        )
        .with_stream(76, "", b"1000 0 0 -200 1000 900 d1 0 -200 1000 1100 re f")
        .with(
            77,
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 100 \
             /Widths [9 9 9 9] /CharProcs << /a 78 0 R /b 79 0 R /c 80 0 R /d 81 0 R >> \
             /Encoding << /Differences [97 /a /b /c /d] >> /Resources << /XObject << /Box 82 0 R >> >> >>",
        )
        .with_stream(78, "", b"9 0 d0 1 g 0 -3 44 12 re f")
        .with_stream(79, "", b"9 0 0 -3 44 9 d1 0 -3 44 12 re f")
        .with_stream(80, "", b"9 0 d0 1 g /Box Do")
        .with_stream(81, "", b"9 0 0 -3 44 9 d1 44 0 0 12 0 -3 cm BI /W 1 /H 1 /IM true /BPC 1 ID \0 EI")
        .with_stream(82, "/Type /XObject /Subtype /Form /BBox [0 -3 44 9]", b"0 -3 44 12 re f")
}

#[test]
fn words_in_the_color_of_a_bar_are_reported_with_their_signs() {
    let metadata = analyzed(&rich(&format!("{LINE} 0 g 20 57 18 11 re f BT /F 10 Tf 20 60 Td (Yes.) Tj ET")));
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Invisible, "Yes.".into())]);
}

#[test]
fn words_that_are_clipped_away_are_reported() {
    for clip in ["0 0 5 5 re W n", "0 0 m 5 0 l 0 5 l h W n", "0 0 400 200 re 10 90 200 30 re W* n"] {
        let metadata = analyzed(&rich(&format!("q {clip} {LINE} Q")));
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Invisible, "Total 1,250.00 EUR".into())], "{clip}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{clip}");
    }
}

#[test]
fn a_bar_over_a_scan_leaves_the_text_that_was_recognised() {
    let scan = "q 400 0 0 200 0 0 cm /Scan Do Q";
    for content in [
        format!("{scan} 0 g {PATCH} 3 Tr {LINE}"),
        format!("{scan} 3 Tr {LINE} 0 g {PATCH}"),
        format!("{LINE} {scan} 0 g {PATCH}"),
    ] {
        let metadata = analyzed(&sheet(&content));
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Covered, "1,250.00".into())], "{content}");
        assert_eq!(metadata.integrity.verdict, Verdict::NoSigns, "{content}");
    }
}

#[test]
fn letters_stroked_with_gaps_alone_are_not_seen() {
    let stroked = |dashes: &str| format!("BT /F 10 Tf 1 Tr {dashes} d 20 100 Td (Total 1,250.00 EUR) Tj ET");
    assert_eq!(hidden(&stroked("[0 99] 0")), [(HiddenKind::Invisible, "Total 1,250.00 EUR".to_owned())]);
    for dashes in ["[] 0", "[2 1] 0", "[0 0] 0"] {
        assert_eq!(hidden(&stroked(dashes)), [], "{dashes}");
    }
}

const HELVETICA: &str = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
