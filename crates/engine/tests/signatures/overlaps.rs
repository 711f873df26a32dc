//! New paint over and beside signed paint, whichever layer that is in: words, values, appearances, pictures. Each
//! forgery with its honest twin.

use engine::Verdict;
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing, field_number};

use crate::bill::*;

/// A nine, drawn as a path from the origin.
const NINE: &str = "1 w 6 0 m 6 9 l 1 9 l 1 5 l 6 5 l S";
/// A cross in a box of 14 points, and a row between two rules with its label.
const CROSS: &str = "3 3 m 11 11 l S 3 11 m 11 3 l S";
const ROW: &str = "100 596 m 500 596 l S 100 616 m 500 616 l S BT /F 12 Tf 110 602 Td (Deposit) Tj ET";

#[test]
fn values_are_compared_as_words_are() {
    for (rectangle, content, expected) in [
        // a bar on the first digit, a hidden comma, a line through all; another value
        ([72, 500, 100, 20], "1 w 2 14 m 8 14 l S", UNKNOWN),
        ([72, 500, 100, 20], "1 g 8.5 3 3 4 re f", UNKNOWN),
        ([72, 500, 100, 20], "1 g 2 2 60 16 re f", CHANGED),
        // in the empty part of the field, which is its field's alone, and beside it
        ([122, 500, 50, 20], "1 g 2 2 40 16 re f", UNKNOWN),
        ([182, 500, 50, 20], "1 g 2 2 40 16 re f", PERMITTED),
    ] {
        let (found, summary) = noted(rectangle, content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

#[test]
fn the_band_around_signed_words_stays_free() {
    let nine = |x: u32, y: u32| format!("q 1 0 0 1 {x} {y} cm {NINE} Q");
    let many: String = (0..600).map(|place| format!("{} {} 0.5 0.5 re f ", place % 30, 3 + place / 30)).collect();
    let framed = |content: &str| format!("0.3 w 0.5 0.5 99 59 re S {content}");
    let text = |text: &str, x: u32| format!("BT /F 12 Tf {x} 10 Td ({text}) Tj ET");
    for (rectangle, content, expected) in [
        // the frame's right side is at the amount
        ([72, 670, 100, 60], framed(&nine(92, 30)), UNKNOWN),
        ([72, 640, 100, 60], framed(""), PERMITTED),
        ([72, 670, 100, 60], format!("{many} {}", nine(92, 30)), UNKNOWN),
        ([72, 670, 100, 60], "0.5 w 32 25 m 97 25 l 97 40 l 92 40 l S".to_owned(), UNKNOWN),
        ([72, 670, 100, 60], "q 8 0 0 12 91 28 cm BI /W 8 /H 1 /IM true /BPC 1 ID \u{1} EI Q".to_owned(), UNKNOWN),
        // signs, a fraction bar, a rule that passes
        ([160, 690, 100, 30], text("-", 7), UNKNOWN),
        ([160, 690, 100, 30], text("%", 61), UNKNOWN),
        ([160, 690, 100, 30], "0.6 w 10 5 m 62 5 l S".to_owned(), UNKNOWN),
        ([72, 690, 300, 30], "0.6 w 0 5 m 300 5 l S".to_owned(), PERMITTED),
        // beside a picture of an amount, and elsewhere
        ([160, 632, 12, 30], text("9", 4), UNKNOWN),
        ([72, 632, 60, 30], text("9", 4), PERMITTED),
    ] {
        let (found, summary) = noted(rectangle, &content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

/// The verdict after a standing signature field over the amount was signed with this appearance.
fn signed_there(content: &str) -> (Verdict, String) {
    signed_over(BILL, content)
}

#[test]
fn a_standing_signature_field_permits_paint_on_empty_ground() {
    let text = |text: &str, x: u32, y: u32| format!("BT /F 12 Tf {x} {y} Td ({text}) Tj ET");
    for (content, expected) in [
        ("1 w 12 19 m 18 19 l S".to_owned(), UNKNOWN),
        ("1 g 18 7 4 5 re f".to_owned(), UNKNOWN),
        (text("-", 7, 10), UNKNOWN),
        (text("2,999.99", 12, 10), UNKNOWN),
        (text("A", 80, 18), PERMITTED),
    ] {
        let (found, summary) = signed_there(&content);
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

/// As Poppler signs a field to which pyHanko gave an empty appearance.
#[test]
fn an_appearance_that_drew_nothing_may_go_with_the_signature() {
    for (appearance, entries, is_clean) in [
        ("", "", true),
        ("q Q", "", true),
        ("1 g 0 0 100 30 re f", "", false),
        ("BT /F 12 Tf 2 5 Td (Sign) Tj ET", "", false),
        // viewers draw a box without an appearance
        ("", "/MK << /BG [1 1 1] >>", false),
    ] {
        let (found, summary) = signed_bare(appearance, entries);
        let is_found = matches!(found, PERMITTED | Verdict::UnchangedSinceSigning);
        assert_eq!(is_found, is_clean, "{appearance} {entries}: {summary}");
    }
}

#[test]
fn words_in_a_standing_signature_field_stay_as_they_are() {
    let text = |text: &str, x: u32, y: u32| format!("BT /F 12 Tf {x} {y} Td ({text}) Tj ET");
    let words = text("not valid", 172, 700);
    for (printed, content, expected) in [
        (words.as_str(), text("XXX", 12, 10), UNKNOWN),
        (&words, text("yet", 64, 10), UNKNOWN),
        (&words, text("A", 80, 18), PERMITTED),
        // a line that names the signer, across the words and across a number, and dashes beside it
        (&words, text("Signed by A. S.", 13, 15), PERMITTED),
        (&words, text("Signed by A. S. ------", 13, 15), UNKNOWN),
        (&text("valid for 12 years", 172, 700), text("Signed by A. Smith", 4, 15), UNKNOWN),
        // thousand behind an amount, a name behind its label
        (&text("250", 172, 700), text("thousand", 36, 10), UNKNOWN),
        (&text("Signed:", 120, 700), text("A. Smith", 13, 10), PERMITTED),
        // in the box to tick there
        (&text("Signed:", 120, 700), text("A. Smith", 4, 10), UNKNOWN),
    ] {
        let (found, summary) = signed_over(printed, &content);
        assert_eq!(found, expected, "{printed} {content}: {summary}");
    }
}

#[test]
fn drawings_are_compared_in_parts_that_read_by_themselves() {
    let white = |width: u32, height: u32| format!("1 g 0 0 {width} {height} re f");
    let letters = "0 g 300 600 m 306 600 l 303 608 l h 308 600 m 314 600 l 311 608 l h \
                   316 600 m 322 600 l 319 608 l h 350 600 m 356 600 l 353 608 l h f";
    let text = |text: &str| format!("BT /F 12 Tf 2 4 Td ({text}) Tj ET");
    for (printed, place, content, expected) in [
        // boxes: filled, and the ground of a form
        ("0 g 300 600 14 14 re f", [300, 600, 14, 14], white(14, 14), UNKNOWN),
        ("0.8 0 0 rg 300 600 14 14 re f", [300, 600, 14, 14], "0 0.6 0 rg 0 0 14 14 re f".to_owned(), UNKNOWN),
        ("0.9 g 280 590 100 40 re f", [280, 590, 100, 40], white(100, 40), PERMITTED),
        // bars, and a line to write on
        ("0 g 300 600 1 40 re f 303 600 1 40 re f", [295, 595, 20, 50], white(20, 50), UNKNOWN),
        ("300 605 m 400 605 l S", [290, 595, 120, 20], white(120, 20), PERMITTED),
        ("BT /F 12 Tf 300 600 Td (--) Tj ET", [295, 595, 20, 16], white(20, 16), UNKNOWN),
        ("BT /F 12 Tf 300 600 Td (..........) Tj ET", [295, 595, 60, 16], white(60, 16), PERMITTED),
        // a letter of a line that is one path
        (letters, [315, 598, 9, 12], white(9, 12), UNKNOWN),
        (letters, [315, 598, 9, 12], text("M"), UNKNOWN),
        (letters, [330, 640, 9, 12], white(9, 12), PERMITTED),
        // printed boxes and cells
        ("300 600 12 12 re S", [300, 600, 12, 12], text("X"), UNKNOWN),
        ("300 600 80 20 re S", [300, 600, 80, 20], text("9"), UNKNOWN),
        ("300 600 80 20 re S", [300, 600, 80, 20], text("A. Smith"), PERMITTED),
        ("300 600 40 14 re S", [300, 600, 40, 14], text("never"), UNKNOWN),
        ("300 600 40 14 re S", [300, 600, 40, 14], format!("{NINE} 8 0 m 10 9 l S"), UNKNOWN),
        (
            "300 600 m 314 600 l 314 614 l S 314 614 m 300 614 l 300 600 l S",
            [300, 600, 14, 14],
            CROSS.to_owned(),
            UNKNOWN,
        ),
        (
            "307 600 m 314 600 314 614 307 614 c 300 614 300 600 307 600 c S",
            [300, 600, 14, 14],
            CROSS.to_owned(),
            UNKNOWN,
        ),
        ("0.8 g 300 600 14 14 re f", [300, 600, 14, 14], CROSS.to_owned(), UNKNOWN),
        ("BT /F 12 Tf 300 600 Td ([     ]) Tj ET", [304, 597, 14, 14], CROSS.to_owned(), UNKNOWN),
        ("300 600 14 14 re S", [330, 600, 14, 14], CROSS.to_owned(), PERMITTED),
        // a row between rules that has a label, and one without
        (ROW, [300, 598, 80, 16], text("9,250"), UNKNOWN),
        (&ROW.replace("Deposit", ""), [300, 598, 80, 16], text("A. Smith"), PERMITTED),
        // a blank with its label
        (
            "BT /F 12 Tf 220 600 Td (Guarantor:) Tj 80 0 Td (______________) Tj ET",
            [300, 598, 80, 16],
            text("Ann"),
            UNKNOWN,
        ),
        // a minus before an amount that runs upward; a nine before a picture of lines
        ("BT /F 12 Tf 0 1 -1 0 300 600 Tm (1,250.00) Tj ET", [290, 588, 12, 12], "6 4 m 6 9 l S".to_owned(), UNKNOWN),
        ("BT /F 12 Tf 0 1 -1 0 300 600 Tm (1,250.00) Tj ET", [290, 568, 12, 12], "6 4 m 6 9 l S".to_owned(), PERMITTED),
        ("q 100 0 0 80 300 600 cm /Im Do Q", [286, 630, 12, 16], text("9"), UNKNOWN),
        ("q 100 0 0 80 300 600 cm /Im Do Q", [246, 630, 12, 16], text("9"), PERMITTED),
        // words inserted above a line, and elsewhere
        ("BT /F 12 Tf 300 600 Td (shall be liable) Tj ET", [320, 608, 30, 14], text("not"), UNKNOWN),
        ("BT /F 12 Tf 300 600 Td (shall be liable) Tj ET", [320, 638, 30, 14], text("not"), PERMITTED),
        ("BT /F 12 Tf 300 600 Td (within 30 days) Tj ET", [332, 608, 30, 14], text("90"), UNKNOWN),
        (
            "BT /F 12 Tf 300 600 Td (shall be liable) Tj ET",
            [320, 608, 30, 14],
            "BT /F 5 Tf 2 4 Td (not) Tj ET".to_owned(),
            UNKNOWN,
        ),
        // signs beside words, words beyond a gap, raised and tilted
        ("BT /F 12 Tf 300 600 Td (Approved) Tj ET", [353, 596, 20, 16], text("?"), UNKNOWN),
        ("BT /F 12 Tf 300 600 Td (Approved) Tj ET", [368, 596, 40, 16], text("by 9"), UNKNOWN),
        ("BT /F 12 Tf 300 600 Td (Approved) Tj ET", [353, 600, 40, 16], text("by no one"), UNKNOWN),
        (
            "BT /F 12 Tf 300 600 Td (Approved) Tj ET",
            [264, 595, 36, 20],
            "BT /F 12 Tf 1 0.05 -0.05 1 6 4 Tm (NOT) Tj ET".to_owned(),
            UNKNOWN,
        ),
        ("BT /F 12 Tf 300 600 Td (Approved) Tj ET", [420, 596, 60, 16], text("A. Smith"), PERMITTED),
        // spaced digits
        ("BT /F 12 Tf 14 Tc 300 600 Td (1250) Tj ET", [278, 597, 12, 16], text("9"), UNKNOWN),
    ] {
        let (found, summary) = noted_on(printed, place, &content, "/Subtype /Stamp");
        assert_eq!(found, expected, "{printed} {content}: {summary}");
    }
}

#[test]
fn viewers_draw_over_pictures_and_drawings_as_over_words() {
    let words = |color: &str| format!("{color} BT /F 12 Tf 300 600 Td (void) Tj ET");
    let highlight =
        "/Subtype /Highlight /C [1 0 0] /Rect [298 596 330 612] /QuadPoints [298 612 330 612 298 596 330 596]";
    let square = |place: &str| format!("/Subtype /Square /C [1 1 1] /IC [1 1 1] /Rect [{place}]");
    let line = |caption: &str| format!("/Subtype /Line /L [290 602 340 602] /Rect [290 590 340 614] {caption}");
    let beside = |caption: &str| {
        format!("/Subtype /Line /L [240 602 290 602] /Rect [200 590 320 614] /Cap true /Contents ({caption})")
    };
    for (printed, annotation, expected) in [
        (BILL, square("170 636 236 658"), UNKNOWN),
        ("0 g 300 600 m 306 600 l 303 608 l h f", square("296 596 312 612"), UNKNOWN),
        (BILL, square("370 636 436 658"), PERMITTED),
        (&words("1 0 0 rg"), highlight.to_owned(), CHANGED),
        (&words("0 g"), highlight.to_owned(), PERMITTED),
        (&words("0 g"), line("/Cap true /Contents (valid)"), UNKNOWN),
        (&words("0 g"), line("/Contents (valid)"), PERMITTED),
        // wide letters reach the words, narrow ones do not
        (&words("0 g"), beside("WWWWW9"), UNKNOWN),
        (&words("0 g"), beside("i"), PERMITTED),
    ] {
        let annotation = format!("<< /Type /Annot /F 4 {annotation} >>");
        let (found, summary) = added(printed, &annotation, |changes| changes);
        assert_eq!(found, expected, "{printed} {annotation}: {summary}");
    }
}

#[test]
fn a_box_before_an_amount_is_ticked_and_no_digit() {
    let signed = |mark: &str, at: u32| {
        let entries = |state: &str| {
            let place = format!("/Rect [{at} 698 {} 712]", at + 9);
            field(BOX, &format!("/FT /Btn {place} {state} /AP << /N << /On {MARK} 0 R >> >>"))
        };
        let before = bill("", |pdf| pdf.with(MARK, look([9, 14], mark)).with(BOX, entries("/AS /Off")));
        let signed = before.signed(&Signing::by(Key::Ed25519).certifying(2));
        verdict(&signed.updated(&Pdf::changes().with(BOX, entries("/V /On /AS /On"))).file)
    };
    let nine = format!("q 1 0 0 1 1 2 cm {NINE} Q");
    let tick = "1.5 w 2 5 m 4 2 l 8 9 l S";
    for (mark, at, expected) in [(nine.as_str(), 163, UNKNOWN), (tick, 60, PERMITTED), (nine.as_str(), 40, UNKNOWN)] {
        let (found, summary) = signed(mark, at);
        assert_eq!(found, expected, "{mark} {at}: {summary}");
    }
}

#[test]
fn a_note_is_hidden_by_plain_flags_alone_and_compared_in_every_state() {
    let white = "1 g 0 0 60 16 re f";
    for (flags, expected) in [("2", PERMITTED), ("4294967298", CHANGED), ("2.0", CHANGED), ("-2", CHANGED)] {
        let (found, summary) = noted([170, 696, 60, 16], white, &format!("/Subtype /Stamp /F {flags}"));
        assert_eq!(found, expected, "{flags}: {summary}");
    }
    for (state, expected) in [("/AS /Off", PERMITTED), ("/AS /On", CHANGED), ("", CHANGED), ("/AS /Other", CHANGED)] {
        let signed = bill("", |pdf| pdf.with(MARK, look([9, 14], ""))).signed(&Signing::by(Key::Ed25519).certifying(3));
        let states = format!("/AP << /N << /On {} 0 R /Off {} 0 R >> >>", NEW + 1, NEW + 2);
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page(&format!("{NEW} 0 R")))
            .with(NEW, format!("<< /Type /Annot /Subtype /Stamp /F 4 /Rect [170 696 230 712] {state} {states} >>"))
            .with(NEW + 1, look([60, 16], white))
            .with(NEW + 2, look([60, 16], ""));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{state}: {summary}");
    }
}

#[test]
fn annotations_that_viewers_draw_are_signed_paint() {
    const DRAWN: u32 = 530;
    for (entries, expected) in [
        ("/Subtype /Stamp /Rect [300 300 460 320] /Name /Approved", UNKNOWN),
        ("/Subtype /Ink /Rect [300 300 460 320] /C [0] /InkList [[305 305 380 318 450 304]]", UNKNOWN),
        ("/Subtype /Square /Rect [300 300 460 320] /C [0]", UNKNOWN),
        ("/Subtype /Link /Rect [300 300 460 320] /Border [0 0 1]", PERMITTED),
        ("/Subtype /Stamp /Rect [300 200 460 220] /Name /Approved", PERMITTED),
    ] {
        let drawn = format!("<< /Type /Annot /F 4 {entries} >>");
        let document = bill(&format!("{DRAWN} 0 R"), |pdf| pdf.with(DRAWN, drawn).with(MARK, look([9, 14], "")));
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page(&format!("{DRAWN} 0 R {NEW} 0 R")))
            .with(
                NEW,
                format!(
                    "<< /Type /Annot /Subtype /FreeText /F 4 /Rect [290 290 470 330] /AP << /N {} 0 R >> >>",
                    NEW + 1
                ),
            )
            .with(NEW + 1, look([180, 40], "1 g 0 0 180 40 re f"));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{entries}: {summary}");
    }
}

#[test]
fn a_field_goes_on_hiding_what_is_no_text() {
    let ground = "0.9 g 0 0 100 20 re f 0 g BT /F 12 Tf 2 5 Td (1,250) Tj ET";
    for (below, expected) in
        [("q 60 0 0 14 74 503 cm /Im Do Q", UNKNOWN), ("74 503 60 3 re 74 510 40 4 re f", UNKNOWN), ("", PERMITTED)]
    {
        let emptied = field(FIELD, &format!("/FT /Tx /V () /Rect [72 500 172 520] /AP << /N {NEW} 0 R >>"));
        let document = bill("", |pdf| {
            pdf.with_stream(CONTENT, "", below.as_bytes())
                .with(VALUE, look([100, 20], ground))
                .with(MARK, look([9, 14], ""))
        });
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, emptied).with(NEW, look([100, 20], "/Tx BMC EMC"));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{below}: {summary}");
    }
}

#[test]
fn a_value_before_an_amount_reads_as_part_of_it() {
    for (place, printed, appearance, expected) in [
        ("160 698 171 712", "1,250.00", "", UNKNOWN),
        ("160 698 171 712", "1,250.00", "/AP << /N 900 0 R >>", UNKNOWN),
        ("160 598 171 612", "1,250.00", "", PERMITTED),
        // the printed start of a year
        ("186 698 197 712", "20", "/AP << /N 900 0 R >>", PERMITTED),
    ] {
        let entries = |entries: &str| field(FIELD, &format!("/FT /Tx /DA (/Helv 12 Tf 0 g) /Rect [{place}] {entries}"));
        let content = format!("BT /F 12 Tf 172 700 Td ({printed}) Tj ET");
        let document = bill("", |pdf| {
            pdf.with_stream(CONTENT, "", content.as_bytes()).with(FIELD, entries("")).with(MARK, look([9, 14], ""))
        });
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes()
            .with(FIELD, entries(&format!("/V (9) {appearance}")))
            .with(NEW, look([11, 14], "/Tx BMC BT /F 12 Tf 3 2 Td (9) Tj ET EMC"));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{place} {appearance}: {summary}");
        assert_eq!(summary.contains("was added on the line of"), expected == UNKNOWN, "{summary}");
    }
}

#[test]
fn a_markup_annotation_looks_like_its_kind() {
    let line =
        |color: &str, place: [f32; 4]| format!("{color} {} {} {} {} re f", place[0], place[1], place[2], place[3]);
    for (subtype, content, expected) in [
        // along the amount at 12 to 59 by 8
        ("Underline", line("0 g", [12.0, 7.0, 47.0, 0.8]), PERMITTED),
        ("StrikeOut", line("1 0 0 rg", [12.0, 13.0, 47.0, 1.0]), PERMITTED),
        ("Underline", line("1 g", [12.0, 5.0, 47.0, 4.0]), UNKNOWN),
        // a minus before it, points within it
        ("Underline", line("0 g", [4.0, 13.0, 5.0, 1.0]), UNKNOWN),
        ("StrikeOut", line("0 g", [29.0, 8.0, 1.2, 1.2]), UNKNOWN),
        // what is no line, elsewhere too
        ("Underline", "BT /F 9 Tf 12 20 Td (9,250) Tj ET".to_owned(), UNKNOWN),
        ("Underline", line("0 g", [12.0, 20.0, 2.0, 0.8]), PERMITTED),
        ("Highlight", "BT /F 9 Tf 12 20 Td (not) Tj ET".to_owned(), UNKNOWN),
    ] {
        let quads = "/QuadPoints [172 712 219 712 172 695 219 695]";
        let (found, summary) = noted([160, 692, 100, 30], &content, &format!("/Subtype /{subtype} {quads}"));
        assert_eq!(found, expected, "{subtype} {content}: {summary}");
    }
}

#[test]
fn marks_are_compared_together() {
    for (count, expected) in [(2, PERMITTED), (7, UNKNOWN)] {
        let signed = bill("", |pdf| pdf.with(MARK, look([9, 14], ""))).signed(&Signing::by(Key::Ed25519).certifying(3));
        let numbers: String = (1..=count).map(|place| format!("{} 0 R ", NEW + place)).collect();
        let light =
            "/Type /XObject /Subtype /Form /BBox [0 0 60 16] /Resources << /ExtGState << /G << /ca 0.6 >> >> >>";
        let mut changes =
            Pdf::changes().with(FIRST_PAGE, page(&numbers)).with_stream(NEW, light, b"/G gs 1 1 0.6 rg 0 0 60 16 re f");
        for place in 1..=count {
            let quads = "/Rect [170 696 230 712] /QuadPoints [170 712 230 712 170 696 230 696]";
            let mark = format!("<< /Type /Annot /Subtype /Highlight /F 4 {quads} /AP << /N {NEW} 0 R >> >>");
            changes = changes.with(NEW + place, mark);
        }
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{count}: {summary}");
    }
}

#[test]
fn what_readers_may_show_is_signed_paint() {
    const GROUP: u32 = 540;
    const MASK: u32 = 541;
    let hidden = "/OC /L BDC BT /F 12 Tf 300 300 Td (9,250.00) Tj ET EMC";
    let masked = "BT /F 12 Tf 72 700 Td (Bill) Tj ET q /G gs 0 g 298 296 60 16 re f Q";
    for (content, group, configuration, expected) in [
        (hidden, "", "/OFF [540 0 R]", PERMITTED),
        (hidden, "", "/ON [540 0 R] /OFF [540 0 R]", CHANGED),
        (hidden, "", "/OFF [540 0 R] /AS [<< /Event /View /OCGs [540 0 R] /Category [/View] >>]", CHANGED),
        (hidden, "", "/OFF [540 0 R] /Intent /Design", CHANGED),
        (hidden, "<< /Type /OCMD /OCGs 540 0 R /VE [/Not 540 0 R] >>", "/OFF [540 0 R]", CHANGED),
        (hidden, "<< /Type /OCMD /OCGs 540 0 R >>", "/OFF [540 0 R]", PERMITTED),
        (hidden, "<< /Type /OCG /Name (M) /Intent /Design >>", "/OFF [542 0 R]", CHANGED),
        (hidden, "<< /Type /OCG /Name (M) >>", "/OFF [542 0 R]", PERMITTED),
        (masked, "", "", UNKNOWN),
        ("", "", "", PERMITTED),
    ] {
        let layer = if group.is_empty() { format!("{GROUP} 0 R") } else { format!("{} 0 R", GROUP + 2) };
        let page = |annotations: &str| {
            format!(
                "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R /Annots [{annotations}] \
                 /Resources << {FONT} /Properties << /L {layer} >> \
                 /ExtGState << /G << /SMask << /S /Luminosity /G {MASK} 0 R >> >> >> >> >>"
            )
        };
        let form = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {FONT} >> \
             /Group << /S /Transparency /CS /DeviceGray >>"
        );
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page(""))
            .with_stream(CONTENT, "", content.as_bytes())
            .with(GROUP, "<< /Type /OCG /Name (L) >>")
            .with(GROUP + 2, if group.is_empty() { "null" } else { group })
            .with_stream(MASK, &form, b"BT /F 12 Tf 1 g 300 300 Td (1,250.00) Tj ET");
        let mut document = SignedPdf::new(&pdf);
        document.catalog = format!("/OCProperties << /OCGs [{GROUP} 0 R 542 0 R] /D << {configuration} >> >>");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let note =
            format!("<< /Type /Annot /Subtype /Stamp /F 4 /Rect [296 294 360 314] /AP << /N {} 0 R >> >>", NEW + 1);
        let changes = Pdf::changes()
            .with(FIRST_PAGE, page(&format!("{NEW} 0 R")))
            .with(NEW, note)
            .with(NEW + 1, look([64, 20], "1 g 0 0 64 20 re f"));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{content} {group} {configuration}: {summary}");
    }
}

#[test]
fn a_signature_draws_no_words_beside_signed_ones() {
    let printed = "BT /F 12 Tf 300 600 Td (Approved by Bronze plan) Tj -190 -84 Td (Deposit) Tj ET \
                   100 510 m 520 510 l S 100 530 m 520 530 l S";
    let not =
        "0.9 w 8 4 m 8 12 l 14 4 l 14 12 l S 16 4 m 16 12 l 22 12 l 22 4 l h S 24 12 m 30 12 l S 27 4 m 27 12 l S";
    let squares: String = (0..2_100).map(|place| format!("{} {} 0.4 0.4 re f ", place % 60, 40 + place / 60)).collect();
    let picture = "q 26 0 0 12 2 2 cm BI /W 8 /H 1 /IM true /BPC 1 ID \u{1} EI Q";
    for (rectangle, content, expected) in [
        // before the words, touching letters included, among many parts, above them
        ([268, 596, 32, 16], not.to_owned(), UNKNOWN),
        ([268, 596, 32, 16], format!("{not} 8 3 m 30 3 l S"), UNKNOWN),
        ([268, 596, 62, 100], format!("{squares} {not}"), UNKNOWN),
        ([304, 610, 32, 16], not.to_owned(), UNKNOWN),
        ([304, 610, 30, 16], picture.to_owned(), UNKNOWN),
        // around one of them and under it
        ([370, 588, 60, 30], "4 15 m 4 29 54 29 54 15 c 54 1 4 1 4 15 c S".to_owned(), UNKNOWN),
        ([370, 590, 60, 10], "2 6 m 44 6 l S".to_owned(), UNKNOWN),
        // in a row of a table
        ([460, 512, 40, 16], not.to_owned(), UNKNOWN),
        // in white space
        ([100, 200, 62, 100], format!("{squares} {not}"), PERMITTED),
        ([100, 200, 60, 30], "4 15 m 4 29 54 29 54 15 c 54 1 4 1 4 15 c S".to_owned(), PERMITTED),
        // inline images end differently in readers
        ([100, 200, 30, 16], picture.to_owned(), UNKNOWN),
    ] {
        let (found, summary) = signed_anew(printed, rectangle, &content);
        assert_eq!(found, expected, "{content:.60} {rectangle:?}: {summary}");
    }
}

#[test]
fn a_line_without_an_appearance_is_where_viewers_draw_it() {
    let line = |entries: &str| format!("<< /Type /Annot /F 4 /Subtype /Line /Rect [100 400 500 740] {entries} >>");
    for (entries, expected) in [
        // moved by its leaders, with thick endings, and light at the end of a number
        ("/L [170 500 222 500] /LL 204 /C [1 1 1] /BS << /W 14 >>", UNKNOWN),
        ("/L [170 500 222 500] /LL 100 /LLO 104 /C [1 1 1] /BS << /W 14 >>", UNKNOWN),
        ("/L [120 740 195 740] /LE [/None /Butt] /C [1 1 1] /BS << /W 15 >>", UNKNOWN),
        ("/L [216 704 300 704] /C [1 1 1] /BS << /W 2.4 >>", UNKNOWN),
        // elsewhere
        ("/L [170 500 222 500] /LL 12 /C [1 0 0] /BS << /W 1 >>", PERMITTED),
        ("/L [120 440 195 440] /LE [/None /OpenArrow] /C [1 0 0] /BS << /W 1 >>", PERMITTED),
    ] {
        let (found, summary) = added(BILL, &line(entries), |changes| changes);
        assert_eq!(found, expected, "{entries}: {summary}");
    }
}

#[test]
fn lines_of_markup_pass_over_words_as_their_kind_does() {
    let printed =
        "BT /F 14 Tf 180 700 Td (Term \\(years\\)) Tj 100 0 Td (1) Tj 30 0 Td (F) Tj -60 60 Td (Liability) Tj ET";
    for (subtype, [left, right], content, expected) in [
        ("Underline", [276, 290], "0 g 1.6 10.6 7.8 1.3 re f", UNKNOWN),
        ("Underline", [306, 324], "0 g 5.1 2 6.9 1.2 re f", UNKNOWN),
        // a minus before a digit, below words
        ("Underline", [264, 278], "0 g 6 6 7 1.2 re f", UNKNOWN),
        ("StrikeOut", [306, 324], "1.3 w 9.5 6.5 m 13 3.2 l S", UNKNOWN),
        // below the digit, and words beside it
        ("Underline", [276, 290], "1 0 0 rg 3 -1 10 0.8 re f", PERMITTED),
        ("Underline", [178, 270], "1 0 0 rg 2 -1 88 0.8 re f", PERMITTED),
        ("StrikeOut", [178, 270], "1 0 0 rg 2 6.5 88 0.8 re f", PERMITTED),
    ] {
        let quads = format!("/QuadPoints [{left} 712 {right} 712 {left} 698 {right} 698]");
        let (found, summary) = noted_on(
            printed,
            [left, 696, right - left, 18],
            &format!("q 1 0 0 1 0 2 cm {content} Q"),
            &format!("/Subtype /{subtype} {quads}"),
        );
        assert_eq!(found, expected, "{subtype} {content}: {summary}");
    }
}

#[test]
fn what_may_have_words_that_are_not_read_is_compared_as_a_picture() {
    let resources = format!(
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Im {PICTURE} 0 R >> \
         /Pattern << /P {} 0 R >>",
        NEW + 20
    );
    let cell = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 595 842] /XStep 595 /YStep 842";
    let words = "BT /F 12 Tf 172 600 Td (1,250.00) Tj ET";
    let on = |annotations: &str| {
        let own = format!("<< {FONT} /XObject << /Im {PICTURE} 0 R >> >>");
        page(annotations).replacen(&own, &format!("<< {resources} >>"), 1)
    };
    let over = |printed: &str, mask: &str| {
        let document = bill("", |pdf| {
            let picture = format!("/Type /XObject /Subtype /Image /Width 8 /Height 1 /BitsPerComponent 1 {mask}");
            let cell = format!("{cell} /Resources << {FONT} >>");
            pdf.with(FIRST_PAGE, on(""))
                .with_stream(PICTURE, &picture, b"\x55")
                .with_stream(NEW + 20, &cell, words.as_bytes())
                .with_stream(CONTENT, "", printed.as_bytes())
                .with(MARK, look([9, 14], ""))
        });
        let signed = document.signed(&Signing::by(Key::Ed25519));
        let again = Signing {
            rectangle: [160, 590, 260, 620],
            field_entries: format!("/P {FIRST_PAGE} 0 R /AP << /N {NEW} 0 R >>"),
            changes: Pdf::changes()
                .with(NEW, look([100, 30], "1 g 0 0 100 30 re f"))
                .with(FIRST_PAGE, on(&format!("{} 0 R", field_number(1)))),
            ..Signing::by(Key::Ed25519).field("Second")
        };
        verdict(&signed.signed(&again).file)
    };
    for (printed, mask, expected) in [
        // a scan that is a stencil, words as a pattern and as a clip
        ("q 595 0 0 842 0 0 cm /Im Do Q", "/ImageMask true", UNKNOWN),
        ("/Pattern cs /P scn 0 0 595 842 re f", "/ColorSpace /DeviceGray", UNKNOWN),
        ("q BT /F 12 Tf 7 Tr 172 600 Td (1,250.00) Tj ET 0 0 595 842 re f Q", "/ColorSpace /DeviceGray", UNKNOWN),
        ("0.5 g 0 0 100 9 re f", "/ColorSpace /DeviceGray", PERMITTED),
    ] {
        let (found, summary) = over(printed, mask);
        assert_eq!(found, expected, "{printed}: {summary}");
    }
}

#[test]
fn a_text_annotation_is_compared_wherever_it_is_on_a_turned_page() {
    let noted = |turn: u32, [left, bottom]: [u32; 2]| {
        let turned = |page: String| page.replacen("/MediaBox", &format!("/Rotate {turn} /MediaBox"), 1);
        let document = bill("", |pdf| {
            pdf.with(FIRST_PAGE, turned(page("")))
                .with_stream(CONTENT, "", BILL.as_bytes())
                .with(MARK, look([9, 14], ""))
        });
        let place = format!("{left} {bottom} {} {}", left + 20, bottom + 20);
        let note = format!("<< /Type /Annot /Subtype /Text /F 28 /Rect [{place}] /AP << /N {} 0 R >> >>", NEW + 1);
        let changes = Pdf::changes()
            .with(FIRST_PAGE, turned(page(&format!("{NEW} 0 R"))))
            .with(NEW, note)
            .with(NEW + 1, look([20, 20], "1 0 0 rg 2 2 16 16 re f"));
        verdict(&document.signed(&Signing::by(Key::Ed25519).certifying(3)).updated(&changes).file).0
    };
    let margin = [300, 300];
    for (turn, place, expected) in [
        (0, margin, PERMITTED),
        (90, margin, PERMITTED),
        (180, margin, PERMITTED),
        (270, margin, PERMITTED),
        // no turn that pages have
        (45, margin, UNKNOWN),
        // under the amount, where a viewer that keeps the upper-left corner draws it over or beside that
        (0, [225, 660], PERMITTED),
        (180, [225, 660], UNKNOWN),
        (90, [240, 690], PERMITTED),
        (270, [240, 690], UNKNOWN),
    ] {
        assert_eq!(noted(turn, place), expected, "{turn} {place:?}");
    }
}

#[test]
fn a_note_that_keeps_its_size_is_compared_wherever_viewers_place_it() {
    let noted =
        |subtype: &str, flags: u32, [left, bottom, width, height]: [u32; 4], (size, content): ([u32; 2], &str)| {
            let place = format!("/Rect [{left} {bottom} {} {}]", left + width, bottom + height);
            let look_of = format!("/AP << /N {} 0 R >>", NEW + 1);
            let note = format!("<< /Type /Annot /Subtype /{subtype} /F {flags} {place} {look_of} >>");
            added(BILL, &note, |changes| changes.with(NEW + 1, look(size, content)))
        };
    let icon = ([20, 20], "1 0 0 rg 2 2 16 16 re f");
    let cover = ([100, 24], "1 g 0 0 100 24 re f BT 0 g /F 12 Tf 10 6 Td (9,250.00) Tj ET");
    for (subtype, flags, place, drawn, expected) in [
        ("Text", 28, [300, 300, 20, 20], icon, PERMITTED),
        // as MuPDF writes it
        ("Text", 28, [300, 300, 18, 18], ([16, 16], "1 0 0 rg 2 2 12 12 re f"), PERMITTED),
        ("Stamp", 4, [165, 716, 1, 1], cover, PERMITTED),
        ("Stamp", 12, [165, 716, 1, 1], cover, CHANGED),
        ("Text", 28, [165, 716, 1, 1], cover, CHANGED),
        ("Ink", 12, [165, 716, 1, 1], cover, CHANGED),
        // which reaches the amount on a small screen
        ("Stamp", 12, [72, 730, 100, 20], ([100, 20], "1 g 0 0 100 20 re f"), UNKNOWN),
        ("Stamp", 4, [72, 730, 100, 20], ([100, 20], "1 g 0 0 100 20 re f"), PERMITTED),
    ] {
        let (found, summary) = noted(subtype, flags, place, drawn);
        assert_eq!(found, expected, "{subtype} {flags} {place:?}: {summary}");
    }
}

#[test]
fn words_end_at_the_box_of_their_appearance() {
    const NAME: u32 = 530;
    // beside an empty field, and farther
    for (width, expected) in [(45, PERMITTED), (80, UNKNOWN)] {
        let name = field(NAME, "/FT /Tx /Rect [300 300 400 320]");
        let mut document = bill(&format!("{NAME} 0 R"), |pdf| pdf.with(MARK, look([9, 14], "")).with(NAME, name));
        document.fields.push_str(&format!(" {NAME} 0 R"));
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let words = format!("BT /F 10 Tf 2 5 Td ({}) Tj ET", "w".repeat(12));
        let place = format!("/Rect [250 300 {} 320]", 250 + width);
        let note = format!("<< /Type /Annot /Subtype /Stamp /F 4 {place} /AP << /N {} 0 R >> >>", NEW + 1);
        let page = page(&format!("{NAME} 0 R {NEW} 0 R"));
        let changes = Pdf::changes().with(FIRST_PAGE, page).with(NEW, note).with(NEW + 1, look([width, 20], &words));
        let (found, summary) = verdict(&signed.updated(&changes).file);
        assert_eq!(found, expected, "{width}: {summary}");
        let is_named = summary.ends_with("what was added on page 1 is in the form field “F530”.");
        assert_eq!(is_named, expected == UNKNOWN, "{width}: {summary}");
    }
}

#[test]
fn borders_are_drawn_where_there_is_no_appearance() {
    let borders = "/Border [0 0 1] /BS << /S /S >>";
    let (found, summary) = noted([300, 300, 60, 16], "0 g 0 0 60 16 re f", &format!("/Subtype /Stamp {borders}"));
    assert_eq!(found, PERMITTED, "{summary}");
    let square = format!("<< /Type /Annot /Subtype /Square /F 4 /Rect [300 300 360 316] /C [0] {borders} >>");
    let (found, summary) = added(BILL, &square, |changes| changes);
    assert_eq!(found, UNKNOWN, "{summary}");
}

#[test]
fn the_name_of_a_layer_is_a_text() {
    let stamped = |group: &str| noted([300, 300, 60, 16], "0 g 0 0 60 16 re f", &format!("/Subtype /Stamp {group}")).1;
    let summary = stamped("/OC << /Type /OCG /Name (Drafts) >>");
    assert!(summary.ends_with("an annotation was added that has an entry /OC."), "{summary}");
    let summary = stamped("/Name (Draft)");
    assert!(summary.ends_with("viewers read a value of the entry /Name differently."), "{summary}");
}
