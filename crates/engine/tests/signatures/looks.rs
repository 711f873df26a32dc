//! What fields look like after they were filled in: as libraries draw them, and as somebody would whose field says one thing
//! and shows another.

use engine::{Integrity, Verdict};
use samples::builds::Corners;
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const FIELD: u32 = 500;
const LOOK: u32 = 501;
/// Of the form: a font that is embedded, which says itself what its letters are.
const FONT: u32 = 502;
/// New with a filled form.
const NEW: u32 = 900;

/// A field of 100 by 20 points, signed so that it may be filled in.
fn form(entries: &str) -> SignedPdf {
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
    let letters = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange";
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with(FIELD, field(&format!("{entries} /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(HELVETICA, "BT /F 10 Tf 2 6 Td (old) Tj ET"))
        .with(FONT, format!("<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Own /ToUnicode {} 0 R >>", FONT + 1))
        .with_stream(FONT + 1, "", letters);
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R");
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

/// A standard font with these entries.
fn standard(entries: &str) -> String {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {entries} >>")
}

const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

fn field(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /T (Sum) /Rect [72 600 172 620] {entries} >>")
}

fn look(font: &str, content: &str) -> Vec<u8> {
    let resources = format!("/Resources << /Font << /F {font} >> >>");
    samples::pdf::stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

/// The verdict on a form whose field was given these entries and this look.
fn filled(before: &str, after: &str, (font, content): (&str, &str)) -> (Verdict, String) {
    let entries = field(&format!("{after} /AP << /N {NEW} 0 R >>"));
    let file = form(before).updated(&Pdf::changes().with(FIELD, entries).with(NEW, look(font, content))).file;
    let found = metadata(&file).integrity;
    (found.verdict, format!("{content}: {} {:#?}", found.summary, found.signals))
}

const TEXT: &str = "/FT /Tx /V (old)";
const FILLED: &str = "/FT /Tx /V (1,250)";
const WRITTEN: &str = "/Tx BMC q 1 1 98 18 re W n BT /F 10 Tf 0 g 2 6 Td (1,250) Tj ET Q EMC";

#[test]
fn what_libraries_draw_is_the_value() {
    let own = format!("{FONT} 0 R");
    let with = |front: &str| format!("{front} {WRITTEN}");
    // PDFBox: colours by their spaces
    let spaces = with("/DeviceRGB cs 0.8 0.84 1 sc 0 0 100 20 re f /DeviceRGB CS 0.1 0.1 0.1 SC 0.5 0.5 99 19 re s");
    // iText: an inset border, in two parts
    let inset = with(
        "q 0.5 g 1 1 m 1 19 l 99 19 l 98 18 l 2 18 l 2 2 l 1 1 l f 0.75 g 1 1 m 99 1 l 99 19 l 98 18 l 98 2 l 2 2 l f Q",
    );
    let named = standard("/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [49 /one 128 /Euro] >>");
    // pdf-lib: matrices, and a ground with its border
    let moved = with("1 0 0 1 0 0 cm q 1 g 0 G 1 w [] 0 d 1 0 0 1 0.5 0.5 cm 0 0 m 0 19 l 99 19 l 99 0 l h B Q");
    for (font, content) in [
        (HELVETICA, WRITTEN),
        (HELVETICA, &spaces),
        (HELVETICA, &inset),
        (&own, WRITTEN),
        (&named, WRITTEN),
        (HELVETICA, &moved),
    ] {
        let (verdict, details) = filled(TEXT, FILLED, (font, content));
        assert_eq!(verdict, Verdict::PermittedChangesSinceSigning, "{details}");
    }
    // iText: lines between the cells of a comb, and the first line of a list that is shown
    let cells = "q 20 0.5 m 20 19.5 l 40 0.5 m 40 19.5 l 60 0.5 m 60 19.5 l 80 0.5 m 80 19.5 l S Q \
                 BT /F 10 Tf 1 0 0 1 6 6 Tm (D) Tj 1 0 0 1 26 6 Tm (E) Tj ET";
    let comb = "/FT /Tx /Ff 16777216 /MaxLen 5";
    let (verdict, details) = filled(&format!("{comb} /V ()"), &format!("{comb} /V (DE)"), (HELVETICA, cells));
    assert_eq!(verdict, Verdict::PermittedChangesSinceSigning, "{details}");
    // rustpdf: without regard to the cells; letters as far apart as cells say another thing in other cells
    for (word, expected) in [
        ("2 6 Td (DE) Tj", Verdict::PermittedChangesSinceSigning),
        ("22 6 Td 13 Tc (DE) Tj", Verdict::Undetermined),
        ("42 6 Td (D) Tj", Verdict::Undetermined),
    ] {
        let value = if word.contains("(D)") { "(D)" } else { "(DE)" };
        let look = format!("BT /F 10 Tf {word} ET");
        let (verdict, details) =
            filled(&format!("{comb} /V ()"), &format!("{comb} /V {value}"), (HELVETICA, look.as_str()));
        assert_eq!(verdict, expected, "{details}");
    }
    let list = "/FT /Ch /Ff 131072 /Opt [[(1) (old)] [(2) (two)]]";
    let chosen = (HELVETICA, "BT /F 10 Tf 2 6 Td (two) Tj ET");
    let (verdict, details) = filled(&format!("{list} /V (1)"), &format!("{list} /V (2) /TI 0"), chosen);
    assert_eq!(verdict, Verdict::PermittedChangesSinceSigning, "{details}");
}

/// As WeasyPrint asks for: the default appearance names graphics state parameters.
#[test]
fn graphics_states_that_are_opaque_change_nothing() {
    for (state, expected) in [
        ("<< /ca 1 /CA 1 >>", Verdict::PermittedChangesSinceSigning),
        ("<< /ca 0.05 >>", Verdict::Undetermined),
        ("<< /SMask << /S /Alpha >> >>", Verdict::Undetermined),
    ] {
        let resources = format!("/Resources << /Font << /F {HELVETICA} >> /ExtGState << /a {state} >> >>");
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}");
        let look = samples::pdf::stream(&entries, format!("/a gs {WRITTEN}").as_bytes());
        let filled = Pdf::changes().with(FIELD, field(&format!("{FILLED} /AP << /N {NEW} 0 R >>"))).with(NEW, look);
        let found = metadata(&form(TEXT).updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{state}: {} {:#?}", found.summary, found.signals);
    }
}

/// As Poppler does: the appearance has all resources of the form, of which it uses the font.
#[test]
fn color_spaces_beside_those_of_the_device_change_nothing() {
    for (name, expected) in [
        ("lab-d65", Verdict::PermittedChangesSinceSigning),
        ("DefaultGray", Verdict::Undetermined),
        ("DeviceGray", Verdict::Undetermined),
    ] {
        let spaces = format!("/ColorSpace << /{name} [/Lab << /WhitePoint [0.95 1 1.09] >>] >>");
        let resources = format!("/Resources << /Font << /F {HELVETICA} >> {spaces} >>");
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}");
        let look = samples::pdf::stream(&entries, WRITTEN.as_bytes());
        let filled = Pdf::changes().with(FIELD, field(&format!("{FILLED} /AP << /N {NEW} 0 R >>"))).with(NEW, look);
        let found = metadata(&form(TEXT).updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{name}: {} {:#?}", found.summary, found.signals);
    }
}

/// An appearance is placed by its box, and turned as its widget asks for (12.5.5, 12.5.6.19).
#[test]
fn an_appearance_stands_where_its_box_and_matrix_place_it() {
    for (turn, entries, expected) in [
        (0, "/BBox [72 600 172 620] /Matrix [1 0 0 1 -72 -600]", Verdict::Undetermined),
        (0, "/BBox [-5 -5 95 15]", Verdict::PermittedChangesSinceSigning),
        (180, "/BBox [0 0 100 20] /Matrix [-1 0 0 -1 100 20]", Verdict::PermittedChangesSinceSigning),
        // upside down
        (0, "/BBox [0 0 100 20] /Matrix [-1 0 0 -1 100 20]", Verdict::Undetermined),
        (180, "/BBox [0 0 100 20]", Verdict::Undetermined),
        // as high as wide
        (0, "/BBox [0 0 50 20]", Verdict::Undetermined),
    ] {
        let resources = format!("/Resources << /Font << /F {HELVETICA} >> >>");
        let look = samples::pdf::stream(&format!("/Subtype /Form {entries} {resources}"), WRITTEN.as_bytes());
        let turned = format!("/MK << /R {turn} >>");
        let filled = field(&format!("{FILLED} {turned} /AP << /N {NEW} 0 R >>"));
        let signed = form(&format!("{TEXT} {turned}"));
        let found = metadata(&signed.updated(&Pdf::changes().with(FIELD, filled).with(NEW, look)).file).integrity;
        assert_eq!(found.verdict, expected, "{turn} {entries}: {} {:#?}", found.summary, found.signals);
    }
}

/// As pypdf does: the form's font is written again unchanged, with its descendant font as a direct object.
#[test]
fn a_font_that_is_written_again_is_the_form_s() {
    let descendant = |width: u16| {
        format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDToGIDMap /Identity /DW {width} \
             /FontDescriptor {} 0 R >>",
            FONT + 3
        )
    };
    let font = |width: u16| {
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /ToUnicode {} 0 R \
             /DescendantFonts [{}] >>",
            FONT + 1,
            descendant(width)
        )
    };
    let descriptor =
        |flags: u8| format!("<< /Type /FontDescriptor /FontName /Own /Flags {flags} /FontFile2 {} 0 R >>", FONT + 4);
    // outlines of these characters are not known
    let codes = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0001> <0002> <2460> endbfrange";
    let own = format!("{FONT} 0 R");
    for (again, expected) in [
        (Pdf::changes().with(FONT, font(500)), Verdict::PermittedChangesSinceSigning),
        (Pdf::changes().with(FONT, font(600)), Verdict::Undetermined),
        // what the descendant refers to
        (Pdf::changes().with(FONT + 3, descriptor(34)), Verdict::Undetermined),
    ] {
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page)
            .with(FIELD, field(&format!("/FT /Tx /AP << /N {LOOK} 0 R >>")))
            .with(LOOK, look(&own, ""))
            .with(FONT, font(500))
            .with_stream(FONT + 1, "", codes.as_bytes())
            .with(FONT + 3, descriptor(32))
            .with_stream(FONT + 4, "", &samples::builds::truetype());
        let mut document = SignedPdf::new(&pdf);
        document.fields = format!("{FIELD} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let filled = again
            .with(FIELD, field(&format!("/FT /Tx /V <feff24602461> /AP << /N {NEW} 0 R >>")))
            .with(NEW, look(&own, "BT /F 10 Tf 2 6 Td <00010002> Tj ET"));
        let found = metadata(&signed.updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{} {:#?}", found.summary, found.signals);
    }
}

/// An option without an export value of its own: viewers show another one than was chosen.
#[test]
fn options_with_the_same_export_value_are_ambiguous() {
    let list = "/FT /Ch /Ff 131072 /Opt [[(x) (old)] [(x) (two)] [(y) (three)]]";
    for (value, shown, expected) in [
        ("y", "three", Verdict::PermittedChangesSinceSigning),
        // as PDFBox draws it
        ("y", "y", Verdict::PermittedChangesSinceSigning),
        ("x", "two", Verdict::Undetermined),
        ("y", "two", Verdict::ChangedSinceSigning),
    ] {
        let content = format!("BT /F 10 Tf 2 6 Td ({shown}) Tj ET");
        let (before, after) = (format!("{list} /V ()"), format!("{list} /V ({value})"));
        let (verdict, details) = filled(&before, &after, (HELVETICA, &content));
        assert_eq!(verdict, expected, "{details}");
    }
}

/// The export value of an option may be the text of another one.
#[test]
fn an_export_value_that_is_another_option_s_text_is_not_shown() {
    let list = "/FT /Ch /Ff 131072 /Opt [[(old) (one)] [(one) (old)]]";
    let (before, after) = (format!("{list} /V ()"), format!("{list} /V (one)"));
    for (shown, expected) in [("old", Verdict::PermittedChangesSinceSigning), ("one", Verdict::ChangedSinceSigning)] {
        let content = format!("BT /F 10 Tf 2 6 Td ({shown}) Tj ET");
        let (verdict, details) = filled(&before, &after, (HELVETICA, &content));
        assert_eq!(verdict, expected, "{details}");
    }
}

/// As PDFium draws it again when another field is filled in.
#[test]
fn a_push_button_shows_its_caption() {
    let button = "/FT /Btn /Ff 65536 /MK << /CA (old) >>";
    for (shown, expected) in [("old", Verdict::Undetermined), ("Paid", Verdict::ChangedSinceSigning)] {
        let content = format!("BT 0 g /F 10 Tf 2 6 Td ({shown}) Tj ET");
        let (verdict, details) = filled(button, button, (HELVETICA, &content));
        assert_eq!(verdict, expected, "{details}");
        let is_drawn_again = details.contains("the caption of the button “Sum” was drawn again");
        assert_eq!(is_drawn_again, expected == Verdict::Undetermined, "{details}");
    }
}

/// As PDFium and pdf-lib draw a value that is longer than its field, or a text of several lines in a large size.
#[test]
fn a_value_that_is_cut_off_is_named_so() {
    let long = "a very long value that does not fit";
    let after = format!("/FT /Tx /V ({long})");
    let clipped = |x: i32, y: i32, text: &str| format!("q 1 1 98 18 re W n BT /F 10 Tf {x} {y} Td ({text}) Tj ET Q");
    let cut = format!("the form field “Sum” does not show all of its value, “{long}”");
    for (content, is_cut) in [
        (clipped(2, 6, long), true),
        (clipped(2, 6, "another very long value that does not fit"), false),
        (clipped(2, 6, long).replace("BT", "BT 1 g"), true),
    ] {
        let (verdict, details) = filled(TEXT, &after, (HELVETICA, &content));
        assert_ne!(verdict, Verdict::PermittedChangesSinceSigning, "{details}");
        assert_eq!(details.contains(&cut), is_cut, "{details}");
    }
}

/// As PDFBox 1.8 writes it: an appearance is a form XObject, whether it says so or not (12.5.5).
#[test]
fn an_appearance_may_lack_its_subtype() {
    for (entries, content, expected) in [
        ("", WRITTEN, Verdict::PermittedChangesSinceSigning),
        ("", "BT /F 10 Tf 2 6 Td (9,250) Tj ET", Verdict::ChangedSinceSigning),
        ("/Subtype /PS", WRITTEN, Verdict::Undetermined),
    ] {
        let resources = format!("/BBox [0 0 100 20] /Resources << /Font << /F {HELVETICA} >> >>");
        let look = samples::pdf::stream(&format!("{entries} {resources}"), content.as_bytes());
        let filled = Pdf::changes().with(FIELD, field(&format!("{FILLED} /AP << /N {NEW} 0 R >>"))).with(NEW, look);
        let found = metadata(&form(TEXT).updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{entries} {content}: {} {:#?}", found.summary, found.signals);
    }
}

#[test]
fn what_shows_anything_else_is_never_passed() {
    let embedded = "<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+New /ToUnicode 503 0 R >>";
    for (font, content) in [
        (HELVETICA, "BT /F 10 Tf 2 6 Td (9,250) Tj ET".to_owned()),
        // strokes make a figure
        (HELVETICA, format!("q 3 w 60 4 1 12 re S Q {WRITTEN}")),
        (HELVETICA, format!("q 2 w 60 0 m 60 20 l S Q {WRITTEN}")),
        (HELVETICA, format!("q 0 g 60 4 m 62 4 l 62 16 l 60 16 l f Q {WRITTEN}")),
        // a minus, a point and a digit in front of it, and a part of a side
        (HELVETICA, format!("q 0 g 4 9 5 1 re f Q {WRITTEN}").replace(" 2 6 Td", " 12 6 Td")),
        (HELVETICA, format!("q 0 g 80 6 1 1 re f Q {WRITTEN}")),
        (HELVETICA, format!("q 2 2 m 2 14 l S Q {WRITTEN}").replace(" 2 6 Td", " 6 6 Td")),
        // mirrored
        (HELVETICA, format!("-1 0 0 1 100 0 cm {WRITTEN}")),
        // a side that is none
        (HELVETICA, format!("q 0 g 1 1 m 99 19 l 99 1 l f Q {WRITTEN}")),
        (HELVETICA, format!("q 0 g 1 1 m 1 19 l 99 19 l 99 1 l f Q {WRITTEN}")),
        (HELVETICA, format!("/Pattern cs /P scn 0 0 100 20 re f {WRITTEN}")),
        // letters of a font that came along
        (embedded, WRITTEN.to_owned()),
        // names and encodings of glyphs that only some readers know, and letters that go to the left
        (&standard("/Encoding << /Differences [49 /one.alt] >>"), WRITTEN.to_owned()),
        (&standard("/Encoding << /Differences [49 /uni0031] >>"), WRITTEN.to_owned()),
        (&standard("/Encoding /MacExpertEncoding"), WRITTEN.to_owned()),
        (&standard("/FirstChar 48 /Widths [-556 -556 -556 -556 -556 -556 -556]"), WRITTEN.to_owned()),
        // one letter that is seen, and others that are hardly
        (HELVETICA, "BT /F 4 Tf 2 6 Td (1,25) Tj /F 14 Tf (0) Tj ET".to_owned()),
    ] {
        let (verdict, details) = filled(TEXT, FILLED, (font, &content));
        assert!(matches!(verdict, Verdict::ChangedSinceSigning | Verdict::Undetermined), "{verdict:?} {details}");
    }
}

#[test]
fn a_font_of_the_form_draws_what_it_says() {
    let codes =
        |target: &str| format!("1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange {target} endbfrange");
    for (letters, expected) in [
        ("<20> <7e> <0020>", Verdict::PermittedChangesSinceSigning),
        // every digit is said to be the next one
        ("<30> <38> <0031>", Verdict::Undetermined),
    ] {
        let font = format!(
            "<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Own /Encoding /WinAnsiEncoding /ToUnicode {} 0 R >>",
            FONT + 1
        );
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
        let own = format!("{FONT} 0 R");
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page)
            .with(FIELD, field(&format!("{TEXT} /AP << /N {LOOK} 0 R >>")))
            .with(LOOK, look(&own, "BT /F 10 Tf 2 6 Td (old) Tj ET"))
            .with(FONT, font)
            .with_stream(FONT + 1, "", codes(letters).as_bytes());
        let mut document = SignedPdf::new(&pdf);
        document.fields = format!("{FIELD} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let value = if expected == Verdict::Undetermined { "2361" } else { "1250" };
        let filled = Pdf::changes()
            .with(FIELD, field(&format!("/FT /Tx /V ({value}) /AP << /N {NEW} 0 R >>")))
            .with(NEW, look(&own, "BT /F 10 Tf 2 6 Td (1250) Tj ET"));
        let found = metadata(&signed.updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{letters} {:#?}", found.signals);
    }
}

/// After a field of this kind of form was filled in with `LT` in an embedded font of two glyphs, whose codes are given.
fn filled_in_font(letters: &str, entries: &str, program: Option<&[u8]>) -> Integrity {
    let font = format!(
        "<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Own {entries} /FontDescriptor {} 0 R /ToUnicode {} 0 R >>",
        FONT + 1,
        FONT + 3
    );
    let codes = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <5a> <0041> endbfrange";
    let file = program.map_or_else(String::new, |_| format!("/FontFile2 {} 0 R", FONT + 2));
    let descriptor = format!("<< /Type /FontDescriptor /FontName /AAAAAA+Own /Flags 4 {file} >>");
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
    let own = format!("{FONT} 0 R");
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with(FIELD, field(&format!("{TEXT} /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(HELVETICA, "BT /F 10 Tf 2 6 Td (old) Tj ET"))
        .with(FONT, font)
        .with(FONT + 1, descriptor)
        .with_stream(FONT + 2, "", program.unwrap_or_default())
        .with_stream(FONT + 3, "", codes);
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R");
    let filled = Pdf::changes()
        .with(FIELD, field(&format!("/FT /Tx /V ({letters}) /AP << /N {NEW} 0 R >>")))
        .with(NEW, look(&own, &format!("BT /F 10 Tf 2 6 Td ({letters}) Tj ET")));
    metadata(&document.signed(&Signing::by(Key::Ed25519).certifying(2)).updated(&filled).file).integrity
}

#[test]
fn a_letter_is_shown_if_the_program_draws_it() {
    let program = samples::builds::truetype_with(&[(b'L', L), (b'T', T)]);
    let widths = "/FirstChar 76 /LastChar 84 /Widths [700 700 700 700 700 700 700 700 700]";
    for (letters, entries, program, expected) in [
        ("LT", widths, Some(&program[..]), Verdict::PermittedChangesSinceSigning),
        // letters that the subset lacks
        ("LTM", widths, Some(&program[..]), Verdict::Undetermined),
        ("M", widths, Some(&program[..]), Verdict::Undetermined),
        ("LT", widths, Some(&b"no program"[..]), Verdict::Undetermined),
        // viewers have a font instead, unless its glyphs have names that theirs lack
        ("LTMN", &format!("{widths} /Encoding /WinAnsiEncoding"), None, Verdict::PermittedChangesSinceSigning),
        (
            "LTMN",
            &format!("{widths} /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [77 /blank] >>"),
            None,
            Verdict::Undetermined,
        ),
        // malformed widths
        (
            "LT",
            "/FirstChar 76.5 /LastChar 84 /Widths [700 700 700 700 700 700 700 700 700]",
            Some(&program[..]),
            Verdict::Undetermined,
        ),
        (
            "LT",
            "/FirstChar 76 /LastChar 84 /Widths [700 null 700 700 700 700 700 700 700]",
            Some(&program[..]),
            Verdict::Undetermined,
        ),
        ("LT", "/FirstChar 76 /LastChar 84 /Widths [700 700]", Some(&program[..]), Verdict::Undetermined),
    ] {
        let found = filled_in_font(letters, entries, program);
        assert_eq!(found.verdict, expected, "{letters} {entries} {} {:#?}", found.summary, found.signals);
    }
}

/// Letters of a sans-serif font.
const ONE: &Corners = &[(254, 0), (254, 561), (109, 475), (109, 560), (282, 716), (342, 716), (342, 0)];
const SEVEN: &Corners =
    &[(47, 622), (47, 708), (511, 708), (511, 640), (300, 300), (230, 0), (140, 0), (215, 310), (400, 622)];
const L: &Corners = &[(73, 0), (73, 716), (168, 716), (168, 84), (520, 84), (520, 0)];
const T: &Corners = &[(259, 0), (259, 631), (23, 631), (23, 716), (590, 716), (590, 631), (354, 631), (354, 0)];
/// A one with a stroke at its right, as far as the next letter.
const ONE_AND_STROKE: &Corners = &[
    (254, 0),
    (254, 561),
    (109, 475),
    (109, 560),
    (282, 716),
    (342, 716),
    (342, 10),
    (1000, 10),
    (1000, 700),
    (1080, 700),
    (1080, 0),
];

/// After a field was filled in with `17LT` in an embedded font that is new, or was in the form.
fn filled_in_letters(glyphs: &[&Corners; 4], is_new: bool) -> Integrity {
    let glyphs: Vec<(u8, &Corners)> = b"17LT".iter().copied().zip(glyphs.iter().copied()).collect();
    let program = samples::builds::truetype_with(&glyphs);
    let font = format!(
        "<< /Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Own /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 \
         /Widths [{}] /FontDescriptor {} 0 R >>",
        "600 ".repeat(95),
        FONT + 1
    );
    let descriptor = format!("<< /Type /FontDescriptor /FontName /AAAAAA+Own /Flags 4 /FontFile2 {} 0 R >>", FONT + 2);
    let with_font = |pdf: Pdf| pdf.with(FONT, &*font).with(FONT + 1, &*descriptor).with_stream(FONT + 2, "", &program);
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with(FIELD, field(&format!("{TEXT} /AP << /N {LOOK} 0 R >>")))
        .with(LOOK, look(HELVETICA, "BT /F 10 Tf 2 6 Td (old) Tj ET"));
    let mut document = SignedPdf::new(&if is_new { pdf } else { with_font(pdf) });
    document.fields = format!("{FIELD} 0 R");
    let filled = Pdf::changes()
        .with(FIELD, field(&format!("/FT /Tx /V (17LT) /AP << /N {NEW} 0 R >>")))
        .with(NEW, look(&format!("{FONT} 0 R"), "BT /F 10 Tf 2 6 Td (17LT) Tj ET"));
    let filled = if is_new { with_font(filled) } else { filled };
    metadata(&document.signed(&Signing::by(Key::Ed25519).certifying(2)).updated(&filled).file).integrity
}

#[test]
fn letters_of_an_embedded_font_are_compared_with_their_outlines() {
    let box_ = &[(100, 0), (100, 700), (600, 700), (600, 0)][..];
    for (glyphs, is_new, expected) in [
        ([ONE, SEVEN, L, T], true, Verdict::PermittedChangesSinceSigning),
        ([ONE, SEVEN, L, T], false, Verdict::PermittedChangesSinceSigning),
        // other letters
        ([SEVEN, ONE, L, T], true, Verdict::Undetermined),
        ([SEVEN, ONE, L, T], false, Verdict::Undetermined),
        ([ONE, SEVEN, T, L], true, Verdict::Undetermined),
        ([ONE, SEVEN, T, L], false, Verdict::Undetermined),
        // no letter at all, and one with more beside it
        ([box_, SEVEN, L, T], true, Verdict::Undetermined),
        ([ONE_AND_STROKE, SEVEN, L, T], true, Verdict::Undetermined),
    ] {
        let found = filled_in_letters(&glyphs, is_new);
        assert_eq!(found.verdict, expected, "{glyphs:?} {is_new} {} {:#?}", found.summary, found.signals);
    }
}

#[test]
fn differences_are_codes_and_names_of_glyphs() {
    let digits = "/one /two";
    for (differences, expected) in [
        (format!("[49 {digits}]"), Verdict::PermittedChangesSinceSigning),
        (format!("[49 {digits} 53 /five]"), Verdict::PermittedChangesSinceSigning),
        (format!("[49.0 {digits}]"), Verdict::Undetermined),
        (format!("[49 {digits} 53.0 /five]"), Verdict::Undetermined),
        (format!("[48 null {digits}]"), Verdict::Undetermined),
        (format!("[48 (a) {digits}]"), Verdict::Undetermined),
        (format!("[{digits}]"), Verdict::Undetermined),
        (format!("[49 {digits} 300 /nine]"), Verdict::Undetermined),
    ] {
        let encoding = format!("/Encoding << /BaseEncoding /WinAnsiEncoding /Differences {differences} >>");
        let (verdict, details) = filled(TEXT, FILLED, (&standard(&encoding), WRITTEN));
        assert_eq!(verdict, expected, "{differences} {details}");
    }
}

#[test]
fn a_composite_font_of_the_form_draws_what_it_says() {
    for (letters, value, expected) in [
        ("<0001> <0031> <0002> <0037>", "17", Verdict::PermittedChangesSinceSigning),
        ("<0001> <0038> <0002> <0039>", "89", Verdict::Undetermined),
        ("<0001> <0037> <0002> <0031>", "71", Verdict::Undetermined),
    ] {
        let codes = format!("1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar {letters} endbfchar");
        let descriptor = format!("<< /Type /FontDescriptor /FontName /Own /Flags 32 /FontFile2 {} 0 R >>", FONT + 4);
        let descendant = format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDToGIDMap /Identity /FontDescriptor {} 0 R /DW 600 >>",
            FONT + 3
        );
        let font = format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [{} 0 R] \
             /ToUnicode {} 0 R >>",
            FONT + 2,
            FONT + 1
        );
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
        let own = format!("{FONT} 0 R");
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page)
            .with(FIELD, field(&format!("/FT /Tx /AP << /N {LOOK} 0 R >>")))
            .with(LOOK, look(&own, ""))
            .with(FONT, font)
            .with_stream(FONT + 1, "", codes.as_bytes())
            .with(FONT + 2, descendant)
            .with(FONT + 3, descriptor)
            .with_stream(FONT + 4, "", &samples::builds::truetype_with(&[(b'1', ONE), (b'7', SEVEN)]));
        let mut document = SignedPdf::new(&pdf);
        document.fields = format!("{FIELD} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let filled = Pdf::changes()
            .with(FIELD, field(&format!("/FT /Tx /V ({value}) /AP << /N {NEW} 0 R >>")))
            .with(NEW, look(&own, "BT /F 10 Tf 2 6 Td <00010002> Tj ET"));
        let found = metadata(&signed.updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{letters} {} {:#?}", found.summary, found.signals);
    }
}

#[test]
fn a_button_draws_a_mark_and_no_letter() {
    let button = |entries: &str| {
        let states = format!("/AP << /N << /Yes {LOOK} 0 R /Off {FONT} 0 R >> >>");
        format!("<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agree) /Rect [72 600 86 614] {states} {entries} >>")
    };
    let state = |content: &str| samples::pdf::stream("/Subtype /Form /BBox [0 0 14 14]", content.as_bytes());
    for (content, expected) in [
        ("0.5 0.5 13 13 re S 3 7 m 6 3 l 12 12 l S", Verdict::PermittedChangesSinceSigning),
        ("2 2 m 12 12 l S 2 12 m 12 2 l S", Verdict::PermittedChangesSinceSigning),
        // ReportLab's diamond, whose sides are bent
        (
            "10.5 7 m 9.4 5.7 l 6.6 1.6 l 5.1 3.8 l 3.6 5.8 l 2.7 7 l 3.8 8.4 l 6.6 12.3 l 7.7 10.4 9.1 8.7 10.5 7 c f",
            Verdict::PermittedChangesSinceSigning,
        ),
        ("12.5 6 m 12.5 14 l 8 14 l 8 10 l 12.5 10 l S", Verdict::Undetermined),
        ("1 1 m 1 12 l 6 1 l 6 12 l S 8 1 m 8 12 l 12 12 l S", Verdict::Undetermined),
    ] {
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page)
            .with(FIELD, button("/V /Off /AS /Off"))
            .with(LOOK, state(content))
            .with(FONT, state("0.5 0.5 13 13 re S"));
        let mut document = SignedPdf::new(&pdf);
        document.fields = format!("{FIELD} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let found = metadata(&signed.updated(&Pdf::changes().with(FIELD, button("/V /Yes /AS /Yes"))).file).integrity;
        assert_eq!(found.verdict, expected, "{content} {} {:#?}", found.summary, found.signals);
    }
}

/// As MuPDF fills in a button that is higher than wide: with a box as high as wide at its foot.
#[test]
fn a_high_button_draws_a_mark_and_no_letter() {
    let button = |entries: &str| {
        format!("<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agree) /Rect [72 600 86 660] {entries} >>")
    };
    let state = |content: &str| {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>";
        let entries = format!("/Subtype /Form /BBox [0 0 14 60] /Resources << /Font << /F {font} >> >>");
        samples::pdf::stream(&entries, format!("q 1 g 0 0 14 14 re f 0.5 0.5 13 13 re S {content} Q").as_bytes())
    };
    let check = "BT 0 g 2.4 2.8 Td /F 14 Tf (3) Tj ET";
    for (content, expected) in [
        (check.to_owned(), Verdict::PermittedChangesSinceSigning),
        (format!("1 20 m 1 50 l 13 50 l 13 35 l 1 35 l S {check}"), Verdict::Undetermined),
        (format!("1 20 3 30 re 8 20 3 30 re S {check}"), Verdict::Undetermined),
        ("BT 0 g 2.4 2.8 Td /F 14 Tf (33) Tj ET".to_owned(), Verdict::Undetermined),
    ] {
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
        let pdf =
            Pdf::new(1).with(FIRST_PAGE, page).with(FIELD, button("/V /Off /AS /Off /AP << /N << /Yes << >> >> >>"));
        let mut document = SignedPdf::new(&pdf);
        document.fields = format!("{FIELD} 0 R");
        let states = format!("/AP << /N << /Yes {NEW} 0 R /Off {} 0 R >> >>", NEW + 1);
        let filled = Pdf::changes()
            .with(FIELD, button(&format!("/V /Yes /AS /Yes {states}")))
            .with(NEW, state(&content))
            .with(NEW + 1, state(""));
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let found = metadata(&signed.updated(&filled).file).integrity;
        assert_eq!(found.verdict, expected, "{content} {} {:#?}", found.summary, found.signals);
    }
}
