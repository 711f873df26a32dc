//! What is added over pictures, whose words are not read, and over clipped paint: what hides nothing, whatever they show,
//! and what may hide something. Each forgery with its honest twin.

use engine::Verdict;
use samples::pdf::{FIRST_PAGE, Pdf, stream};
use samples::signed::{Key, Signing};

use crate::bill::*;

const WHOLE_PAGE: &str = "q 595 0 0 842 0 0 cm /Im Do Q";
const GRAY: &str = "/ColorSpace /DeviceGray /Filter /DCTDecode";
const RGB: &str = "/ColorSpace /DeviceRGB /Filter /DCTDecode";

/// Annotations of this kind with this appearance, which an update adds to a page with this content and picture.
struct Added<'a> {
    printed: &'a str,
    picture: &'a str,
    entries: &'a str,
    group: &'a str,
    content: &'a str,
    count: u32,
}

const HIGHLIGHT: Added = Added {
    printed: WHOLE_PAGE,
    picture: GRAY,
    entries: "/Subtype /Highlight /QuadPoints [160 720 260 720 160 690 260 690]",
    group: "",
    content: "",
    count: 1,
};
const FRAME: Added = Added { entries: "/Subtype /Square", ..HIGHLIGHT };

impl Added<'_> {
    fn verdict(&self) -> (Verdict, String) {
        let picture =
            format!("/Type /XObject /Subtype /Image /Width 595 /Height 842 /BitsPerComponent 8 {}", self.picture);
        let document = bill("", |pdf| {
            pdf.with_stream(PICTURE, &picture, b"picture")
                .with_stream(CONTENT, "", self.printed.as_bytes())
                .with(MARK, look([9, 14], ""))
        });
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let numbers: String = (1..=self.count).map(|place| format!("{} 0 R ", NEW + place)).collect();
        let form = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 100 30] {} /Resources << {FONT} /XObject << /Im {PICTURE} 0 R >> \
             /ExtGState << /M << /BM /Multiply >> /D << /BM /Darken >> /A << /ca 0.5 >> >> >>",
            self.group
        );
        let mut changes =
            Pdf::changes().with(FIRST_PAGE, page(&numbers)).with(NEW, stream(&form, self.content.as_bytes()));
        for place in 1..=self.count {
            let entries = self.entries;
            let look = if self.content.is_empty() { String::new() } else { format!("/AP << /N {NEW} 0 R >>") };
            let added = format!("<< /Type /Annot /F 4 /Rect [160 690 260 720] {entries} {look} >>");
            changes = changes.with(NEW + place, added);
        }
        verdict(&signed.updated(&changes).file)
    }
}

#[test]
fn a_highlight_over_a_picture_hides_nothing_if_it_is_multiplied() {
    for (picture, group, content, count, expected) in [
        (GRAY, "", "/M gs 1 1 0 rg 0 0 100 30 re f", 1, PERMITTED),
        (RGB, "", "/M gs 1 1 0 rg 0 0 100 30 re f", 9, PERMITTED),
        ("/ColorSpace /DeviceGray /BitsPerComponent 1", "", "/M gs 1 0.8 0 rg 0 0 100 30 re f", 1, PERMITTED),
        ("/ImageMask true", "", "/M gs 1 1 0 rg 0 0 100 30 re f", 1, PERMITTED),
        (RGB, "", "/A gs 1 0.5 1 rg 0 0 100 30 re f", 1, PERMITTED),
        (RGB, "/Group << /S /Transparency >>", "/M gs 1 1 0 rg 0 0 100 30 re f", 1, PERMITTED),
        // red letters are black under cyan, as their ground may be; in a gray picture there are none
        (RGB, "", "/M gs 0 1 1 rg 0 0 100 30 re f", 1, UNKNOWN),
        (GRAY, "", "/M gs 0 1 1 rg 0 0 100 30 re f", 1, PERMITTED),
        // opaque, black, blended where nothing is below, no single light area
        (GRAY, "", "1 1 0 rg 0 0 100 30 re f", 1, UNKNOWN),
        (GRAY, "", "/M gs 0 g 0 0 100 30 re f", 1, UNKNOWN),
        (GRAY, "", "/D gs 0.5 g 0 0 100 30 re f", 1, UNKNOWN),
        (GRAY, "/Group << /S /Transparency /I true >>", "/M gs 1 1 0 rg 0 0 100 30 re f", 1, UNKNOWN),
        (GRAY, "", "/M gs 100 0 0 30 0 0 cm /Im Do", 1, UNKNOWN),
        (GRAY, "", "/M gs 1 1 0 rg BT /F 12 Tf 12 10 Td (9,250.00) Tj ET", 1, UNKNOWN),
        (GRAY, "", "/A gs 1 1 0 rg 0 0 100 30 re f 0 0 100 30 re f 0 0 100 30 re f", 1, UNKNOWN),
        // transparent alone, opaque together
        (GRAY, "", "/A gs 1 1 0 rg 0 0 100 30 re f", 9, UNKNOWN),
    ] {
        let added = Added { picture, group, content, count, ..HIGHLIGHT };
        let (found, summary) = added.verdict();
        assert_eq!(found, expected, "{picture} {group} {content} {count}: {summary}");
    }
}

#[test]
fn viewers_multiply_a_highlight_without_an_appearance() {
    for (picture, color, count, expected) in [
        (RGB, "1 1 0", 1, PERMITTED),
        (RGB, "1 1 0", 9, PERMITTED),
        (RGB, "0 1 1", 1, UNKNOWN),
        (RGB, "0 0 0", 1, UNKNOWN),
        (RGB, "0.6 0.6 0.6", 9, UNKNOWN),
    ] {
        let entries = format!("{} /C [{color}]", HIGHLIGHT.entries);
        let (found, summary) = Added { picture, entries: &entries, count, ..HIGHLIGHT }.verdict();
        assert_eq!(found, expected, "{color} {count}: {summary}");
    }
}

#[test]
fn transparent_layers_of_any_shape_are_counted() {
    let layers = |[left, right]: [u32; 2], count| {
        let shape = format!("{left} 4 m {right} 4 l {} 15 l {right} 26 l {left} 26 l f ", right + 2);
        format!("/A gs 1 1 0.8 rg {}", shape.repeat(count))
    };
    for printed in [BILL, WHOLE_PAGE] {
        for (place, count, expected) in [([10, 62], 1, PERMITTED), ([10, 62], 9, UNKNOWN), ([10, 18], 9, UNKNOWN)] {
            let content = layers(place, count);
            let (found, summary) = Added { printed, content: &content, ..HIGHLIGHT }.verdict();
            assert_eq!(found, expected, "{printed} {content}: {summary}");
        }
    }
}

#[test]
fn a_multiplied_highlight_in_an_isolated_group_is_opaque_over_words() {
    for (group, expected) in [
        ("", PERMITTED),
        ("/Group << /S /Transparency /I false >>", PERMITTED),
        ("/Group << /S /Transparency /I true >>", UNKNOWN),
    ] {
        let added = Added { printed: BILL, group, content: "/M gs 1 1 0 rg 0 0 100 30 re f", ..HIGHLIGHT };
        let (found, summary) = added.verdict();
        assert_eq!(found, expected, "{group}: {summary}");
    }
}

#[test]
fn a_thin_colored_frame_may_be_on_a_picture() {
    for (content, expected) in [
        ("1 0 0 RG 1 w 1 1 98 28 re S", PERMITTED),
        // a printed line, paper, a broad line, a ground, a letter, several frames, words
        ("0 G 1 w 1 1 98 28 re S", UNKNOWN),
        ("1 G 1 w 1 1 98 28 re S", UNKNOWN),
        ("1 0 0 RG 6 w 4 4 90 22 re S", UNKNOWN),
        ("1 0 0 RG 1 g 1 w 1 1 98 28 re B", UNKNOWN),
        ("1 0 0 RG 1 w 12 10 8 12 re S", UNKNOWN),
        ("1 0 0 RG 1 w 1 1 98 28 re S 1 1 60 28 re S", UNKNOWN),
        ("1 0 0 RG 1 w 1 1 98 28 re S BT /F 12 Tf 12 10 Td (9) Tj ET", UNKNOWN),
        ("1 0 0 RG 1 w 1 1 m 99 29 l S", UNKNOWN),
    ] {
        let (found, summary) = Added { content, ..FRAME }.verdict();
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

#[test]
fn a_signature_may_be_written_on_a_picture_where_its_field_stood() {
    let words = "BT /F 8 Tf 14 20 Td (Signed by A. Smith) Tj 0 -12 Td (in Example) Tj ET";
    for (content, expected) in [
        (words.to_owned(), PERMITTED),
        (format!("{words} 3 w 0 0 100 30 re S"), PERMITTED),
        // on a ground, a number, a drawing
        (format!("1 g 0 0 100 30 re f 0 g {words}"), UNKNOWN),
        (format!("1 g {words}"), UNKNOWN),
        ("BT /F 12 Tf 14 10 Td (9) Tj ET".to_owned(), UNKNOWN),
        ("2 w 16 10 m 16 22 l S".to_owned(), UNKNOWN),
    ] {
        let (found, summary) = signed_over(WHOLE_PAGE, &content);
        assert_eq!(found, expected, "{content}: {summary}");
    }
}

#[test]
fn a_box_is_a_clip_however_its_corners_are_drawn() {
    let corner = |[x, y]: [u32; 2]| format!("{x} {y} l {x} {y} {x} {y} {x} {y} c ");
    let corners: String = [[540, 696], [540, 714], [40, 714], [40, 696]].map(corner).concat();
    let square = format!("q 40 696 m {corners} h W n 0.95 g 40 696 500 18 re f Q {BILL}");
    let round = "q 60 696 m 540 696 l 560 696 560 714 540 714 c 60 714 l 40 714 40 696 60 696 c h W n 0.95 g 40 696 500 \
                 18 re f Q";
    let round = format!("{round} {BILL}");
    let highlighted = ("/Subtype /Highlight", "/M gs 1 1 0 rg 0 0 100 30 re f");
    let underlined = ("/Subtype /Underline", "1 0 0 rg 12 7 47 0.8 re f");
    for (printed, (kind, content), expected) in [
        (&square, highlighted, PERMITTED),
        (&square, underlined, PERMITTED),
        (&round, highlighted, PERMITTED),
        (&round, underlined, UNKNOWN),
    ] {
        let entries = format!("{kind} /QuadPoints [172 712 219 712 172 695 219 695]");
        let (found, summary) = Added { printed, entries: &entries, content, ..HIGHLIGHT }.verdict();
        assert_eq!(found, expected, "{kind} {printed}: {summary}");
        assert!(!summary.contains("picture"), "{summary}");
        assert_eq!(summary.contains("drawing that may show letters"), expected == UNKNOWN, "{summary}");
    }
}

#[test]
fn a_highlight_hides_what_is_no_longer_seen_on_its_ground_after_blending() {
    let words = |color: &str| format!("{color} rg BT /F 12 Tf 172 700 Td (1,250.00) Tj ET");
    let on = |ground: &str, color: &str| format!("{ground} rg 160 690 100 30 re f {}", words(color));
    let frame = format!("0 G 1 w 160 690 100 30 re S {}", words("0 0 0"));
    let (yellow, cyan) = ("1 1 0", "0 1 1");
    for (printed, highlight, expected) in [
        (on("0.1 0.2 0.1", "1 1 1"), yellow, PERMITTED),
        (on("0 0 0", "1 1 1"), cyan, PERMITTED),
        (frame, yellow, PERMITTED),
        // red on black, yellow on white
        (on("0 0 0", "1 0 0"), cyan, UNKNOWN),
        (words("1 1 0"), yellow, UNKNOWN),
        // on a picture, what is red may be on black
        (format!("{WHOLE_PAGE} {}", words("1 0 0")), yellow, PERMITTED),
        (format!("{WHOLE_PAGE} {}", words("1 0 0")), cyan, UNKNOWN),
    ] {
        let content = format!("/M gs {highlight} rg 0 0 100 30 re f");
        let (found, summary) = Added { printed: &printed, content: &content, ..HIGHLIGHT }.verdict();
        assert_eq!(found, expected, "{printed} {highlight}: {summary}");
    }
}

#[test]
fn a_highlighted_row_is_no_sign_beside_its_numbers() {
    let printed = "BT /F 12 Tf 162 700 Td (1) Tj 88 0 Td (0) Tj ET";
    let row = "/M gs 1 1 0 rg 2 6 m -1 10 -1 20 2 24 c 98 24 l 101 20 101 10 98 6 c f";
    let nine =
        "/M gs 0.5 g 12 8 m 42 8 l 42 24 l 12 24 l 12 14 l 34 14 l 34 18 l 20 18 l 20 20 l 38 20 l 38 10 l 12 10 l f";
    for (content, expected) in [
        (row, PERMITTED),
        // what is no block, or as low as a dash
        (nine, UNKNOWN),
        ("/M gs 0.5 g 12 8 m 42 8 l 42 24 l 12 24 l 12 8 l 17 11 l 37 11 l 37 21 l 17 21 l f*", UNKNOWN),
        ("/M gs 0.5 g 12 14 40 1 re f", UNKNOWN),
    ] {
        let (found, summary) = Added { printed, content, ..HIGHLIGHT }.verdict();
        assert_eq!(found, expected, "{content}: {summary}");
    }
}
