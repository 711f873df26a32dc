//! How far paint reaches, whatever its path or text says: strokes, letters that are said to be blanks, light ink on dark
//! grounds, appearances with the page's resources. Each forgery with its honest twin.

use samples::pdf::{FIRST_PAGE, Pdf};
use samples::signed::{Key, Signing};

use crate::bill::*;

#[test]
fn a_stroke_reaches_as_far_as_viewers_paint_it() {
    for (content, expected) in [
        // forty points high, from a line above the amount, by an uneven scale
        ("q 1 G 0.01 w 1 0 0 4000 0 0 cm 10 0.0068 m 62 0.0068 l S Q", CHANGED),
        ("q 1 G 0.0001 w 1 0 0 4000 0 0 cm 10 0.0072 m 62 0.0072 l S Q", PERMITTED),
        // the tip of a sharp corner
        ("1 G 20 w 9999 M 98 14.5 m 90 14 l 98 13.5 l S", CHANGED),
        ("1 G 20 w 9999 M 1 j 98 14.5 m 90 14 l 98 13.5 l S", PERMITTED),
        ("1 G 20 w 10 M 98 14.5 m 90 14 l 98 13.5 l S", PERMITTED),
        // the first dash
        ("1 G 12 w [60 500] 0 d 10 14 m 99 14 l S", CHANGED),
        ("1 G 12 w [500 60] 500 d 10 14 m 70 14 l S", PERMITTED),
        // dots of round caps, without length
        ("1 G 1 J 12 w [0 6] 0 d 14 14 m 60 14 l S", CHANGED),
        ("1 G 1 J 12 w 14 14 m 14 14 l 22 14 m 22 14 l 30 14 m 30 14 l 38 14 m 38 14 l 46 14 m 46 14 l S", CHANGED),
    ] {
        let (found, summary) = noted([160, 690, 100, 30], content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

#[test]
fn thickly_stroked_letters_reach_beyond_their_boxes() {
    for (stroke, expected) in [("12 w 9999 M 1 Tr", UNKNOWN), ("0.3 w 2 Tr", PERMITTED)] {
        let content = format!("1 G 1 g {stroke} BT /F 12 Tf 80 10 Td (AVM) Tj ET");
        let (found, summary) = noted([260, 690, 120, 30], &content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{stroke}: {summary}");
    }
}

#[test]
fn a_thin_line_leaves_a_decimal_point_as_it_was() {
    let ink = |color: &str, x: u32| {
        let content = format!("{color} 3 w {x} 6 m {x} 13 l S");
        noted([160, 690, 100, 30], &content, "/Subtype /Ink")
    };
    // the comma of the amount, and white space behind it
    for (color, x, expected) in [("1 G", 20, UNKNOWN), ("1 G", 80, PERMITTED)] {
        let (found, summary) = ink(color, x);
        assert_eq!(found, expected, "{color} {x}: {summary}");
    }
}

/// Triangles in the size of letters.
const LETTERS: &str =
    "300 600 m 306 600 l 303 608 l h 308 600 m 314 600 l 311 608 l h 316 600 m 322 600 l 319 608 l h f";

#[test]
fn light_paint_is_ink_on_a_dark_ground() {
    let (dark, light) = (format!("0 g 280 590 100 40 re f 1 g {LETTERS}"), format!("1 g {LETTERS}"));
    let nine = "1 G 1 w 8 3 m 8 11 l 3 11 l 3 7 l 8 7 l S";
    let text = "1 g BT /F 12 Tf 2 3 Td (9) Tj ET";
    for (printed, content, expected) in [
        (dark.as_str(), nine, UNKNOWN),
        (&dark, text, UNKNOWN),
        // nothing of it is seen on paper
        (&light, nine, PERMITTED),
    ] {
        let (found, summary) = noted_on(printed, [288, 597, 12, 14], content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{printed} {content}: {summary}");
    }
}

#[test]
fn a_stencil_and_a_shape_that_clips_may_show_words() {
    let stencil = "q 0 g 60 0 0 10 300 600 cm BI /W 8 /H 1 /IM true /BPC 1 ID U EI Q";
    let clip = format!("q {} W n 0 g 0 0 595 842 re f Q", LETTERS.trim_end_matches(" f"));
    for (printed, at, expected) in
        [(stencil, 288, UNKNOWN), (stencil, 240, PERMITTED), (&clip, 288, UNKNOWN), (&clip, 240, PERMITTED)]
    {
        let (found, summary) = noted_on(printed, [at, 597, 12, 14], "BT /F 12 Tf 4 3 Td (9) Tj ET", "/Subtype /Stamp");
        assert_eq!(found, expected, "{printed} {at}: {summary}");
    }
}

#[test]
fn a_thin_cover_along_a_printed_tick_hides_it() {
    let printed = "1.5 w 302 606 m 305 602 l 312 613 l S 300 600 14 14 re S";
    for (content, expected) in
        [("1 G 2.5 w 4 8 m 7 4 l 14 15 l S", UNKNOWN), ("1 G 2.5 w 40 8 m 43 4 l 50 15 l S", PERMITTED)]
    {
        let (found, summary) = noted_on(printed, [298, 598, 60, 20], content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

/// What is said after a note covers digits in a font whose `/ToUnicode` says that they are this character.
fn covered_as(character: &str, is_covered: bool) -> String {
    const MAP: u32 = NEW + 30;
    let cmap = format!(
        "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <30> <39> [{}] endbfrange",
        format!("<{character}>").repeat(10)
    );
    let font = format!(
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding \
         /ToUnicode {MAP} 0 R >> >>"
    );
    let own = |annotations: &str| page(annotations).replacen(FONT, &font, 1);
    let document = bill("", |pdf| {
        pdf.with(FIRST_PAGE, own(""))
            .with_stream(MAP, "", cmap.as_bytes())
            .with_stream(CONTENT, "", b"BT /F 12 Tf 300 600 Td (1250) Tj ET")
            .with(MARK, look([9, 14], ""))
    });
    let left = if is_covered { 298 } else { 398 };
    let note = format!(
        "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [{left} 596 {} 612] /AP << /N {} 0 R >> >>",
        left + 40,
        NEW + 1
    );
    let changes = Pdf::changes()
        .with(FIRST_PAGE, own(&format!("{NEW} 0 R")))
        .with(NEW, note)
        .with(NEW + 1, look([40, 16], "1 g 0 0 40 16 re f"));
    let (found, summary) = verdict(&document.signed(&Signing::by(Key::Ed25519).certifying(3)).updated(&changes).file);
    format!("{found:?}: {summary}")
}

#[test]
fn a_glyph_is_signed_paint_whatever_text_it_is_said_to_be() {
    // a digit, a blank, a zero-width space, a point
    for character in ["0031", "0020", "200B", "002E"] {
        let found = covered_as(character, true);
        assert!(found.starts_with("ChangedSinceSigning"), "{character}: {found}");
        let found = covered_as(character, false);
        assert!(found.starts_with("PermittedChangesSinceSigning"), "{character}: {found}");
    }
}

#[test]
fn an_appearance_that_needs_the_page_s_resources_is_not_read() {
    let stamped = |entries: &str, content: &str| {
        let note =
            format!("<< /Type /Annot /Subtype /Stamp /F 4 /Rect [160 690 260 720] /AP << /N {} 0 R >> >>", NEW + 1);
        added(BILL, &note, |changes| {
            changes.with_stream(NEW + 1, &format!("/Type /XObject /Subtype /Form {entries}"), content.as_bytes())
        })
    };
    let image = "q 47 0 0 12 12 8 cm /Im Do Q";
    for (entries, content, expected) in [
        ("/BBox [0 0 100 30] /Resources << >>", image, UNKNOWN),
        ("/BBox [0 0 100 30]", image, UNKNOWN),
        ("/BBox [0 0 100 30] /Resources << >>", "0.5 w 80 28 m 98 28 l S", PERMITTED),
        // some viewers draw it without its required box
        ("/Resources << >>", "1 g 0 0 100 30 re f", UNKNOWN),
    ] {
        let (found, summary) = stamped(entries, content);
        assert_eq!(found, expected, "{entries} {content}: {summary}");
    }
}

#[test]
fn annotations_that_viewers_place_differently_are_compared_wherever_they_draw_them() {
    let text = |entries: &str| {
        format!("/Subtype /FreeText /Rect [300 690 380 712] /DA (/Helv 12 Tf 0 g) /Contents (Reviewed) {entries}")
    };
    let under = |quad: &str| format!("/Subtype /Underline /C [1 0 0] /Rect [170 695 222 714] /QuadPoints [{quad}]");
    let line = |offset: &str| {
        format!("/Subtype /Line /L [172 650 219 650] /Rect [170 640 222 660] /Cap true /Contents (9) {offset}")
    };
    let far = |offset: &str| line(offset).replace(" 650", " 550").replace("640", "540").replace("660", "560");
    for (entries, expected) in [
        (text(""), PERMITTED),
        (text("/RD [4 4 4 4]"), PERMITTED),
        (text("/RD [-140 0 0 0]"), UNKNOWN),
        (under("172 710 219 710 172 698 219 698"), PERMITTED),
        (under("172 698 219 698 172 710 219 710"), UNKNOWN),
        (under("172 698 172 710 219 698 219 710"), UNKNOWN),
        (far(""), PERMITTED),
        (far("/CO [0 154]"), UNKNOWN),
        (line("/CO [0 -200]"), UNKNOWN),
        (far("/CP /Top /CO [0 98]"), UNKNOWN),
    ] {
        let annotation = format!("<< /Type /Annot /F 4 {entries} >>");
        let (found, summary) = added(BILL, &annotation, |changes| changes);
        assert_eq!(found, expected, "{entries}: {summary}");
    }
}
