//! Glyphs that draw something else than programs read (9.10.2).

use engine::{ExaminedContent, HiddenKind, Metadata, SignalId, Verdict};
use samples::texts::page;

use super::{analyzed, described, reported};
use crate::support::signal;

/// A page with this content; `/G` is a font that these entries describe, with this `/ToUnicode`. Objects 75 to 78
/// are glyph procedures: a letter of another font, nothing, white paint, and a shape.
fn shown(font: &str, map: &[(u8, char)], content: &str) -> Metadata {
    let map: String = map.iter().map(|(code, said)| format!("<{code:02x}> <{:04x}> ", u32::from(*said))).collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <ff> \
         endcodespacerange 100 beginbfchar {map} endbfchar endcmap end end"
    );
    let fonts = format!(
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
         /G << /Type /Font {font} /ToUnicode 74 0 R >> >>"
    );
    let procedures: [(u32, &[u8]); 4] = [
        (75, b"556 0 d0 BT /F 1000 Tf (9) Tj ET"),
        (76, b"556 0 d0"),
        (77, b"556 0 d0 1 g 0 0 400 700 re f"),
        (78, b"556 0 0 0 556 700 d1 100 0 300 700 re f"),
    ];
    let pdf = described(page("", &fonts, content)).with_stream(74, "", map.as_bytes());
    let is_used = |(number, _): &(u32, &[u8])| font.contains(&format!("{number} 0 R"));
    let used = procedures.into_iter().filter(is_used);
    analyzed(&used.fold(pdf, |pdf, (number, content)| pdf.with_stream(number, "", content)))
}

/// A Type 3 font with these procedures.
fn type3(procedures: &str) -> String {
    let widths = "556 ".repeat(10);
    format!(
        "/Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 48 /LastChar 57 \
         /Widths [{widths}] /CharProcs << {procedures} >> /Encoding << /Differences [48 /a /b /c /d /e /f /g /h /i /j] >> \
         /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    )
}

const STANDARD: &str = "/Subtype /Type1 /BaseFont /Helvetica /Encoding";

#[test]
fn a_number_that_programs_read_otherwise_than_it_is_seen_is_reported() {
    let nine = format!("{STANDARD} << /BaseEncoding /WinAnsiEncoding /Differences [49 /nine] >>");
    let number = "BT /F 10 Tf 20 100 Td (Total ) Tj /G 10 Tf (1) Tj /F 10 Tf (,250.00) Tj ET";
    for (font, map, content) in [
        (nine.as_str(), (b'1', '1'), number),
        (&format!("{STANDARD} /WinAnsiEncoding"), (b'9', '1'), &number.replace("(1)", "(9)")),
        (&type3("/b 75 0 R"), (b'1', '1'), number),
    ] {
        let metadata = shown(font, &[map], content);
        assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())], "{font}");
        let evidence = &signal(&metadata.integrity, SignalId::TextRetyped).evidence[0];
        let words = (evidence.before.as_deref(), evidence.after.as_deref());
        assert_eq!(words, (Some("Total 1,250.00"), Some("Total 9,250.00")), "{font}");
    }
}

#[test]
fn signs_and_digits_of_other_scripts_are_read_as_well() {
    let signed = format!("{STANDARD} << /BaseEncoding /WinAnsiEncoding /Differences [49 /minus /one /nine] >>");
    let maps: [(&[(u8, char)], usize); 4] = [
        (&[(b'1', '-'), (b'2', '1'), (b'3', '9')], 0),
        (&[(b'1', '+'), (b'2', '1'), (b'3', '9')], 1),
        (&[(b'1', '-'), (b'2', '1'), (b'3', '\u{661}')], 1),
        (&[(b'1', '-'), (b'2', '1'), (b'3', '\u{669}')], 0),
    ];
    for (map, count) in maps {
        let metadata = shown(&signed, map, "BT /G 10 Tf 20 100 Td (123) Tj /F 10 Tf (.00) Tj ET");
        assert_eq!(metadata.hidden.items.len(), count, "{map:?} {:?}", reported(&metadata.hidden.items));
    }
}

/// One letter of another font ends no search.
#[test]
fn a_number_is_reported_beside_a_letter_that_is_read_otherwise() {
    let nine = format!("{STANDARD} << /BaseEncoding /WinAnsiEncoding /Differences [49 /nine 97 /b] >>");
    let content = "BT /G 10 Tf 20 100 Td (1,250.00) Tj 0 -40 Td 3 0 0 3 20 20 Tm (a) Tj ET";
    let metadata = shown(&nine, &[(b'1', '1'), (b'a', 'a')], content);
    assert_eq!(reported(&metadata.hidden.items), [(HiddenKind::Retyped, "1,250.00".into())]);
}

#[test]
fn fonts_that_say_what_they_draw_are_not_reported() {
    let line = "BT /G 10 Tf 20 100 Td (1) Tj /F 10 Tf (,250.00) Tj ET";
    for (font, said) in [
        (format!("{STANDARD} /WinAnsiEncoding"), '1'),
        (format!("{STANDARD} << /Differences [49 /one.oldstyle] >>"), '1'),
        (format!("{STANDARD} << /Differences [49 /uni0031] >>"), '1'),
        // names that say nothing
        (format!("{STANDARD} << /Differences [49 /g42] >>"), '1'),
        (format!("{STANDARD} << /Differences [49 /a] >>"), 'A'),
        (type3("/b 75 0 R"), '9'),
        (type3("/b 78 0 R"), '1'),
    ] {
        let metadata = shown(&font, &[(b'1', said)], line);
        assert_eq!((metadata.integrity.verdict, metadata.hidden.items.len()), (Verdict::NoSigns, 0), "{font}");
        assert_eq!(metadata.hidden.examined, ExaminedContent::All, "{font}");
    }
}

/// Fonts whose letters are mixed up protect a text from being copied.
#[test]
fn words_that_programs_read_otherwise_leave_a_page_examined_in_part() {
    let mixed = format!("{STANDARD} << /BaseEncoding /WinAnsiEncoding /Differences [97 /b /c /d] >>");
    let map = [(b'a', 'a'), (b'b', 'b'), (b'c', 'c')];
    let metadata = shown(&mixed, &map, "BT /G 10 Tf 20 100 Td (abc cab) Tj ET");
    assert_eq!((metadata.integrity.verdict, metadata.hidden.items.len()), (Verdict::NoSigns, 0));
    assert_eq!(metadata.hidden.examined, ExaminedContent::Part);
}

#[test]
fn a_number_in_glyphs_without_ink_under_another_one_is_a_sign_of_change() {
    let blank = format!("{STANDARD} << /BaseEncoding /WinAnsiEncoding /Differences [49 /space /space /space] >>");
    let map = [(b'1', '1'), (b'2', '2'), (b'3', '5')];
    let line = "BT /G 10 Tf 20 100 Td (1231) Tj ET";
    for font in
        [blank.as_str(), &type3("/b 76 0 R /c 76 0 R /d 76 0 R"), &type3("/b 77 0 R /c 77 0 R /d 77 0 R"), &type3("")]
    {
        let replaced = shown(font, &map, &format!("{line} BT /F 10 Tf 20 100 Td (9251) Tj ET"));
        assert_eq!(reported(&replaced.hidden.items), [(HiddenKind::Retyped, "1251".into())], "{font}");
        assert_eq!(replaced.integrity.verdict, Verdict::SignsOfChange, "{font}");
        let alone = shown(font, &map, &format!("{line} BT /F 10 Tf 20 60 Td (Total) Tj ET"));
        assert_eq!(reported(&alone.hidden.items), [(HiddenKind::Invisible, "1251".into())], "{font}");
        assert_eq!(alone.integrity.verdict, Verdict::NoSigns, "{font}");
    }
}
