//! What marks a state, a choice or a place: ticks of buttons, bars of lists, the cells of combs, letters that are seen,
//! and what an empty signature field draws.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const FIELD: u32 = 500;
const ON: u32 = 501;
const OFF: u32 = 502;
/// New after signing.
const NEW: u32 = 900;
const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const DINGBATS: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>";
const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;

fn page() -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] /Contents 510 0 R \
         /Resources << /Font << /F {HELVETICA} >> >> >>"
    )
}

fn field([width, height]: [u32; 2], entries: &str) -> String {
    let (right, top) = (72 + width, 600 + height);
    format!("<< /Type /Annot /Subtype /Widget /T (Field) /F 4 /Rect [72 600 {right} {top}] {entries} >>")
}

fn look([width, height]: [u32; 2], font: &str, content: &str) -> Vec<u8> {
    let resources = format!("/Resources << /Font << /F {font} >> >>");
    let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 {width} {height}] {resources}");
    samples::pdf::stream(&entries, content.as_bytes())
}

/// A field on a page with a number at this height, and the looks of a button.
fn document(line: u32, size: [u32; 2], entries: &str) -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page())
        .with_stream(510, "", format!("BT /F 10 Tf 32 {line} Td (1,250.00) Tj ET").as_bytes())
        .with(FIELD, field(size, entries))
        .with(ON, look(size, DINGBATS, "2 2 10 10 re f"))
        .with(OFF, look(size, DINGBATS, "0.5 0.5 13 13 re S"));
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R");
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

/// After a field of this size was given other entries and new looks.
fn since(size: [u32; 2], entries: [&str; 2], looks: &[(&str, &str)]) -> Integrity {
    since_at(404, size, entries, looks)
}

fn since_at(line: u32, size: [u32; 2], [before, after]: [&str; 2], looks: &[(&str, &str)]) -> Integrity {
    let mut changes = Pdf::changes().with(FIELD, field(size, after));
    for (number, (font, content)) in (NEW..).zip(looks) {
        changes = changes.with(number, look(size, font, content));
    }
    metadata(&document(line, size, before).updated(&changes).file).integrity
}

fn button(state: &str, [on, off]: [u32; 2]) -> String {
    format!("/FT /Btn /V /{state} /AS /{state} /AP << /N << /Yes {on} 0 R /Off {off} 0 R >> >>")
}

const FRAME: &str = "0.5 0.5 13 13 re S";

#[test]
fn a_button_that_is_off_shows_no_mark() {
    let off = |content: &str| {
        let states = [&*button("Yes", [ON, OFF]), &*button("Off", [ON, NEW])];
        since([14, 14], states, &[(DINGBATS, content)])
    };
    for content in [FRAME, "0.9 g 0 0 14 14 re f 0 G 0.5 0.5 13 13 re S"] {
        let found = off(content);
        assert_eq!(found.verdict, PERMITTED, "{content}: {} {:#?}", found.summary, found.signals);
    }
    for content in [
        "1.5 w 3 6 m 6 2.5 l 12 12 l S 0.5 w 0.5 0.5 13 13 re S",
        "1.2 w 10 2 m 10 12 l 4 12 l 4 7 l 10 7 l S",
        // the frame that was signed vanishes
        "1 g 0 0 14 14 re f",
        // a frame or a ground as dark as a mark
        "0.5 0.5 13 13 re S 4 w 2 2 10 10 re S",
        "0.5 g 0 0 14 14 re f 0.5 0.5 13 13 re S",
    ] {
        let found = off(content);
        assert_eq!(found.verdict, Verdict::Undetermined, "{content}: {:#?}", found.signals);
    }
}

#[test]
fn a_button_that_is_on_shows_a_mark() {
    let on = |font: &str, content: &str| {
        let states = [&*button("Off", [ON, OFF]), &*button("Yes", [NEW, OFF])];
        since([14, 14], states, &[(font, content)])
    };
    let latin = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats /Encoding /WinAnsiEncoding >>";
    let glyph = |code: &str| format!("BT /F 12 Tf 1 2 Td ({code}) Tj ET");
    let mut marks: Vec<(&str, String)> = ["3", "4", "8", "l", "n", "u", "H"].map(|code| (DINGBATS, glyph(code))).into();
    // viewers ignore an encoding of letters there
    marks.extend([(latin, glyph("3")), (DINGBATS, format!("{FRAME} 2 2 10 10 re f"))]);
    for (font, content) in &marks {
        let found = on(font, content);
        assert_eq!(found.verdict, PERMITTED, "{content}: {} {:#?}", found.summary, found.signals);
    }
    // empty boxes, a digit in a disc and an arrow; frames; a mark that is hardly seen
    let mut others: Vec<String> = ["o", "q", "\\310", "\\324", " "].map(glyph).into();
    others.extend([FRAME, "0.5 0.5 13 13 re S 2 2 10 10 re S", "0.9 g 3 3 8 8 re f"].map(str::to_owned));
    for content in &others {
        let found = on(DINGBATS, content);
        assert_eq!(found.verdict, Verdict::Undetermined, "{content}: {:#?}", found.signals);
    }
}

#[test]
fn what_the_states_of_a_button_mean_was_signed() {
    let after = |entries: &str| {
        let states = format!("/FT /Btn {entries} /AP << /N << /Yes {ON} 0 R /Off {OFF} 0 R >> >>");
        since([14, 14], [&button("Off", [ON, OFF]), &states], &[])
    };
    for entries in ["/V /Yes /AS /Yes", "/V /Yes /DV /Yes /AS /Yes", "/V () /AS /Off"] {
        let found = after(entries);
        assert_eq!(found.verdict, PERMITTED, "{entries}: {} {:#?}", found.summary, found.signals);
    }
    for (entries, reason) in [
        ("/V /yes /AS /yes", "no button of the form field “Field” has the state of its value"),
        ("/V /No /AS /Off", "no button of the form field “Field” has the state of its value"),
        ("/V /Yes /DV /Off /AS /Yes", "the entry /DV of the form field “Field” was changed"),
    ] {
        let found = after(entries);
        assert_eq!(found.verdict, Verdict::Undetermined, "{entries}: {}", found.summary);
        assert!(found.summary.ends_with(&format!("{reason}.")), "{entries}: {}", found.summary);
    }
    // one of several; a check box alone means the same by any name
    for (flags, expected) in [(1 << 15, Verdict::Undetermined), (0, PERMITTED)] {
        let radio = |state: &str, on: &str| {
            format!("/FT /Btn /Ff {flags} /V /{state} /AS /{state} /AP << /N << /{on} {ON} 0 R /Off {OFF} 0 R >> >>")
        };
        let found = since([14, 14], [&radio("Off", "Yes"), &radio("No", "No")], &[]);
        assert_eq!(found.verdict, expected, "{}", found.summary);
        let is_named = found.summary.ends_with("the states of the button “Field” were renamed.");
        assert_eq!(is_named, expected == Verdict::Undetermined, "{}", found.summary);
    }
}

#[test]
fn a_button_without_a_state_shows_its_value_in_some_viewers() {
    let (single, both) = (format!("/Yes {ON} 0 R"), format!("/Yes {ON} 0 R /No {ON} 0 R"));
    for (states, value, state, expected) in [
        (&both, "/Off", "", Verdict::UnchangedSinceSigning),
        (&both, "/Yes", "", Verdict::Undetermined),
        // Poppler draws a single one, and takes no string for a name
        (&single, "/Off", "", Verdict::Undetermined),
        (&both, "/Off", "/AS (Off)", Verdict::Undetermined),
    ] {
        let named = format!("/FT /Btn /V {value} /AS /Off /AP << /N << {states} >> >>");
        let unnamed = format!("/FT /Btn /V {value} {state} /AP << /N << {states} >> >>");
        let found = since([14, 14], [&*named, &*unnamed], &[]);
        assert_eq!(found.verdict, expected, "{states} {value} {state}: {} {:#?}", found.summary, found.signals);
        let found = since([14, 14], [&*unnamed, &*named], &[]);
        let is_clean = found.verdict == Verdict::UnchangedSinceSigning;
        assert_eq!(is_clean, expected == Verdict::UnchangedSinceSigning || !state.is_empty(), "{}", found.summary);
    }
}

#[test]
fn a_mark_is_seen() {
    let on = |content: &str| {
        let states = [&*button("Off", [ON, OFF]), &*button("Yes", [NEW, OFF])];
        since([14, 14], states, &[(DINGBATS, &format!("{FRAME} {content}"))])
    };
    for content in [
        "4 4 6 6 re f",
        "0.4 g 4 4 6 6 re f",
        "0.8 w 3 7 m 6 3 l 12 12 l S",
        "0.7 w 2 2 m 12 12 l S 2 12 m 12 2 l S",
        "7 12 m 8 8 l 12 8 l 9 6 l 10 2 l 7 4.5 l 4 2 l 5 6 l 2 8 l 6 8 l f",
        "0.2 0.4 0.8 rg 0 0 14 14 re f 1 G 2 w 3 7 m 6 3 l 12 12 l S",
    ] {
        let found = on(content);
        assert_eq!(found.verdict, PERMITTED, "{content}: {} {:#?}", found.summary, found.signals);
    }
    for content in [
        "7 7 0.1 0.1 re f",
        "7 7 1 1 re f",
        "7 7 m 7.4 6.5 l 8 8 l S",
        "0.1 w 2 2 m 12 12 l S",
        "0 0 1.5 1.5 re f",
        "q 0 0 2 2 re W n 1.5 1.5 11 11 re f Q",
        "3 3 8 8 re f 1 g 2.6 2.6 8.8 8.8 re f",
        "4 4 6 6 re 4 4 m 4 10 l 10 10 l 10 4 l h f",
    ] {
        let found = on(content);
        assert_eq!(found.verdict, Verdict::Undetermined, "{content}: {:#?}", found.signals);
        assert!(found.summary.contains("can hardly be seen"), "{content}: {}", found.summary);
    }
}

#[test]
fn a_mark_of_another_shape_marks_the_same_state() {
    let redrawn = |state: &str, on: &str, off: &str| {
        let states = [&*button(state, [ON, OFF]), &*button(state, [NEW, NEW + 1])];
        since([14, 14], states, &[(DINGBATS, &format!("{FRAME} {on}")), (DINGBATS, off)])
    };
    let tick = "0.8 w 3 7 m 6 3 l 12 12 l S";
    let ground = "0.9 g 0 0 14 14 re f 0 G 0.5 0.5 13 13 re S";
    for (state, on, off) in [("Yes", tick, FRAME), ("Off", tick, FRAME), ("Off", tick, ground)] {
        let found = redrawn(state, on, off);
        assert_eq!(found.verdict, PERMITTED, "{state} {on} {off}: {} {:#?}", found.summary, found.signals);
    }
    for (state, on, off) in [
        ("Yes", "7 7 1 1 re f", FRAME),
        ("Yes", "", FRAME),
        ("Off", tick, "0.5 0.5 13 13 re S 0.8 w 3 7 m 6 3 l 12 12 l S"),
        ("Off", tick, "1 g 0 0 14 14 re f"),
    ] {
        let found = redrawn(state, on, off);
        assert_ne!(found.verdict, PERMITTED, "{state} {on} {off}: {:#?}", found.signals);
    }
}

/// Letters may be drawn as paths, and a second mark may strike the first one out.
#[test]
fn nothing_stands_beside_the_glyph_that_marks_a_button() {
    let tick = "BT /F 12 Tf 1 2 Td (4) Tj ET";
    let bar = "1 0 0 rg 1 6 12 2 re f";
    let digit = "0.6 w 9 2 m 9 12 l 5 8 l S";
    for (state, [on, off]) in [("Yes", [NEW, NEW + 1]), ("Off", [NEW, OFF])] {
        for (beside, is_permitted) in [("", true), (bar, false), (digit, false)] {
            let before = if state == "Yes" { button("Yes", [NEW + 2, OFF]) } else { button("Off", [ON, OFF]) };
            let after = button("Yes", [on, off]);
            let content = format!("{FRAME} {tick} {beside}");
            let looks = [(DINGBATS, &*content), (DINGBATS, FRAME), (DINGBATS, "2 2 10 10 re f")];
            let found = since([14, 14], [&before, &after], &looks);
            assert_eq!(
                found.verdict == PERMITTED,
                is_permitted && state == "Off",
                "{state} {beside}: {}",
                found.summary
            );
        }
    }
}

#[test]
fn a_glyph_that_marks_is_as_large_as_its_button() {
    let on = |size: u32| {
        let states = [&*button("Off", [ON, OFF]), &*button("Yes", [NEW, OFF])];
        since([32, 32], states, &[(DINGBATS, &format!("BT /F {size} Tf 12 12 Td (4) Tj ET"))])
    };
    let found = on(10);
    assert_eq!(found.verdict, PERMITTED, "{} {:#?}", found.summary, found.signals);
    let found = on(5);
    assert_eq!(found.verdict, Verdict::Undetermined, "{:#?}", found.signals);
    assert!(found.summary.contains("the mark of the button “Field” can hardly be seen"), "{}", found.summary);
}

#[test]
fn letters_of_a_comb_are_in_their_cells() {
    let comb = |entries: &str, content: &str| {
        let before = format!("/FT /Tx /Ff 16777216 /MaxLen 8 /V () {entries}");
        let after = format!("/FT /Tx /Ff 16777216 /MaxLen 8 /V (1250) {entries} /AP << /N {NEW} 0 R >>");
        since([100, 16], [&before, &after], &[(HELVETICA, content)])
    };
    let at = |places: [f64; 4]| {
        let letters = places.iter().zip("1250".chars());
        letters.map(|(x, letter)| format!("BT /F 10 Tf {x} 4 Td ({letter}) Tj ET ")).collect::<String>()
    };
    let (left, right) = (at([3.5, 16.0, 28.5, 41.0]), at([53.5, 66.0, 78.5, 91.0]));
    // pdf.js writes letters from the left of their cells
    let narrow = at([0.8, 13.3, 25.8, 38.3]);
    for (entries, content) in [("", &left), ("", &narrow), ("/Q 1", &left), ("/Q 2", &right)] {
        let found = comb(entries, content);
        assert_eq!(found.verdict, PERMITTED, "{entries} {content}: {:#?}", found.signals);
    }
    for (entries, content) in
        [("", right), ("/Q 2", left), ("", at([3.5, 41.0, 53.5, 91.0])), ("", at([3.5, 10.4, 17.2, 24.1]))]
    {
        let found = comb(entries, &content);
        assert_eq!(found.verdict, Verdict::Undetermined, "{entries} {content}: {:#?}", found.signals);
    }
}

/// As MuPDF draws dividers inside the border, and pdf.js writes letters from the left of cells that are narrower.
#[test]
fn letters_of_a_narrow_comb_are_in_their_cells() {
    let iban = "DE89370400440532013000";
    let comb = |value: &str, content: &str| {
        let entries = "/FT /Tx /Ff 16777216 /MaxLen 22";
        let after = format!("{entries} /V ({value}) /AP << /N {NEW} 0 R >>");
        since([200, 20], [&format!("{entries} /V ()"), &after], &[(HELVETICA, content)])
    };
    let letters = |text: &str, size: f64, at: &dyn Fn(usize) -> f64| -> String {
        let letter = |(place, letter)| format!("BT /F {size} Tf {} 6 Td ({letter}) Tj ET ", at(place));
        text.chars().enumerate().map(letter).collect()
    };
    let dividers = |first: f64, width: f64| -> String {
        (1..22).map(|place| format!("{0} 1 m {0} 19 l S ", first + width * f64::from(place))).collect()
    };
    let centered = letters("12345678", 8.0, &|place| 3.3 + 9.0 * place as f64);
    let from_the_left = letters(iban, 13.33, &|place| 2.0 + 9.09 * place as f64);
    for (value, content) in [
        ("12345678", format!("{} {centered}", dividers(1.0, 9.0))),
        ("12345678", format!("{} {centered}", dividers(0.0, 200.0 / 22.0))),
        (iban, from_the_left.clone()),
    ] {
        let found = comb(value, &content);
        assert_eq!(found.verdict, PERMITTED, "{content}: {} {:#?}", found.summary, found.signals);
    }
    for (what, value, content) in [
        ("lines beside the last cells", "12345678", format!("{} {centered}", dividers(4.0, 9.0))),
        ("other letters", iban, from_the_left.replace("(9)", "(8)")),
        ("letters between cells", iban, letters(iban, 13.33, &|place| 5.0 + 9.09 * place as f64)),
        ("a letter too far", iban, letters(iban, 13.33, &|place| 2.0 + 9.09 * (place + place / 21) as f64)),
    ] {
        let found = comb(value, &content);
        assert_ne!(found.verdict, PERMITTED, "{what}: {} {:#?}", found.summary, found.signals);
    }
}

#[test]
fn every_letter_of_a_value_is_seen() {
    let text = |value: &str, font: &str, content: &str| {
        let after = format!("/FT /Tx /V ({value}) /AP << /N {NEW} 0 R >>");
        since([100, 16], ["/FT /Tx /V ()", &after], &[(font, content)])
    };
    let widths = |zero: u32, one: u32| {
        let digits = [zero, one].into_iter().chain([556; 8]).map(|width| width.to_string()).collect::<Vec<_>>();
        let digits = digits.join(" ");
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 48 /LastChar 57 /Widths [{digits}] >>")
    };
    let write = |front: &str, value: &str| format!("q {front} BT /F 10 Tf 0 g 2 4 Td ({value}) Tj ET Q");
    for (value, font, front) in [
        ("1,250", HELVETICA, "1 1 98 14 re W n"),
        ("1,250", HELVETICA, "0 G 1 w 0.5 0.5 99 15 re S"),
        ("1,250", HELVETICA, "0 g 0 0 100 16 re f 1 g 1 1 98 14 re f"),
        ("1250", &widths(556, 556), ""),
    ] {
        let found = text(value, font, &write(front, value));
        assert_eq!(found.verdict, PERMITTED, "{front} {font}: {} {:#?}", found.summary, found.signals);
    }
    for (value, font, front) in [
        // cut off: the minus, the point, and the tail of a comma
        ("-1250", HELVETICA, "4.9 0 90 16 re W n"),
        (".50", HELVETICA, "4.4 0 90 16 re W n"),
        ("1,250", HELVETICA, "0 4 100 12 re W n"),
        ("1.50", HELVETICA, "0 5.2 100 12 re W n"),
        ("1;50", HELVETICA, "0 3.5 100 12 re W n"),
        // a stroke of a digit
        ("750", HELVETICA, "0 0 100 10 re W n"),
        // swallowed by the frame
        ("1,250", HELVETICA, "0 G 4.2 w 0 2.2 m 100 2.2 l S"),
        // over each other, and apart
        ("1000", &widths(0, 556), ""),
        ("2510", &widths(556, 1500), ""),
    ] {
        let found = text(value, font, &write(front, value));
        assert_eq!(found.verdict, Verdict::Undetermined, "{front} {font}: {:#?}", found.signals);
    }
}

#[test]
fn a_list_marks_what_is_chosen() {
    const ROWS: &str = "BT /F 10 Tf 0 g 3 38 Td (Gold) Tj 0 -14 Td (Silver) Tj 0 -14 Td (Basic) Tj ET";
    let list = |front: &str, rows: &str| {
        let before = "/FT /Ch /Opt [(Gold) (Silver) (Basic)]";
        let after = format!("{before} /V (Silver) /AP << /N {NEW} 0 R >>");
        let content = format!("/Tx BMC q {front} {rows} Q EMC");
        since([100, 50], [before, &after], &[(HELVETICA, &content)])
    };
    for front in ["", "0.6 0.75 0.85 rg 0 21 100 14 re f", "1 g 0 0 100 50 re f 0 G 0.5 0.5 99 49 re S"] {
        let found = list(front, ROWS);
        assert_eq!(found.verdict, PERMITTED, "{front}: {:#?}", found.signals);
    }
    let colored = "BT /F 10 Tf 0 g 3 38 Td (Gold) Tj 0 -14 Td (Silver) Tj 0.8 0 0 rg 0 -14 Td (Basic) Tj ET";
    for (front, rows) in [
        ("0 0 0.6 rg 60 7 38 12 re f", ROWS),
        ("0 0 1 rg 0 5 100 4 re f", ROWS),
        ("0.6 0.75 0.85 rg 0 7 14 14 re f 17 7 83 14 re f", ROWS),
        ("0.85 g 0 20 100 30 re f", ROWS),
        ("", colored),
    ] {
        let found = list(front, rows);
        assert_ne!(found.verdict, PERMITTED, "{front} {rows}: {:#?}", found.signals);
    }
}

/// A text of this size in a list.
fn row(size: u32, [x, y]: [i32; 2], text: &str) -> String {
    format!("BT /F {size} Tf 0 g {x} {y} Td ({text}) Tj ET ")
}

/// After one of these options was chosen in a list of 100 by 56 points.
fn chosen(options: &str, value: &str, content: &str) -> Integrity {
    let before = format!("/FT /Ch /Opt [{options}]");
    let after = format!("{before} /V ({value}) /AP << /N {NEW} 0 R >>");
    since([100, 56], [&before, &after], &[(HELVETICA, &format!("/Tx BMC q {content} Q EMC"))])
}

const NAMES: &str = "(Alice) (Bob) (Carol) (Mallory)";
const NUMBERS: &str = "(1250) (9250) (250) (250000)";
const BAR: &str = "0.6 0.75 0.85 rg 0 28 100 14 re f";

#[test]
fn a_list_shows_options_that_are_seen() {
    let names: String =
        (0..).zip(["Alice", "Bob", "Carol", "Mallory"]).map(|(at, name)| row(12, [2, 45 - 14 * at], name)).collect();
    let numbers =
        row(12, [2, 45], "1250") + &row(12, [2, 31], "9250") + &row(12, [2, 17], "250") + &row(12, [2, 3], "250000");
    let high = row(12, [2, 42], "Alice")
        + &row(12, [2, 22], "Bob")
        + &row(12, [2, 2], "Carol")
        + &row(12, [2, -18], "Mallory");
    let large = row(60, [2, 10], "Mallory") + &row(60, [2, -50], "Bob");
    for (options, value, content) in [
        (NAMES, "Bob", format!("{BAR} {names}")),
        (NUMBERS, "9250", numbers.clone()),
        // rows that are cut off below or not seen
        (NUMBERS, "9250", format!("0 4 100 52 re W n {BAR} {numbers}")),
        (NAMES, "Carol", high.clone()),
        (NAMES, "Mallory", high),
        // as iText writes a list from its chosen option on, PDFBox in letters as high as the list, pypdf in one line
        (NAMES, "Mallory", row(12, [2, 45], "Mallory")),
        ("(Mallory) (Bob)", "Bob", large.clone()),
        ("(Ann) (Bob)", "Bob", row(12, [2, 45], "AnnBob")),
    ] {
        let found = chosen(options, value, &content);
        assert_eq!(found.verdict, PERMITTED, "{value} {content}: {} {:#?}", found.summary, found.signals);
    }
    for (options, value, content) in [
        // another option alone, or more of them, from the middle on or with room for the one of the value
        (NAMES, "Bob", row(24, [2, 20], "Mallory")),
        (NAMES, "", row(20, [2, 20], "Mallory")),
        (NAMES, "Bob", row(14, [2, 70], "Bob") + &row(14, [2, 20], "Carol")),
        (NAMES, "Bob", row(12, [2, 45], "Carol") + &row(12, [2, 31], "Mallory")),
        (NAMES, "Mallory", row(12, [2, 45], "Alice") + &row(12, [2, 31], "Bob")),
        // not in their order, in another color, hardly below each other
        (NAMES, "Bob", row(12, [2, 45], "Bob") + &row(12, [2, 31], "Mallory")),
        (NAMES, "Bob", format!("{} 0.5 g {}", row(12, [2, 45], "Alice"), row(12, [2, 31], "Bob").replace("0 g", ""))),
        (NUMBERS, "9250", row(12, [2, 31], "1250") + &row(12, [29, 27], "9250")),
        // a part of an option, two as one, one on two rows, with a blank, beside another one
        (NUMBERS, "9250", row(12, [2, 31], "92")),
        (NUMBERS, "9250", "BT /F 12 Tf 0 g 2 31 Td (1250) Tj (9250) Tj ET".to_owned()),
        (NUMBERS, "9250", row(12, [2, 31], "92") + &row(12, [2, 17], "50")),
        (NUMBERS, "9250", row(12, [2, 31], "9 250")),
        (NUMBERS, "9250", row(12, [2, 45], "1250") + &row(12, [2, 31], "9250") + &row(12, [60, 31], "250")),
        ("(1) (250)", "250", row(12, [2, 31], "1250")),
        // cut off at a side or above, and by a clip that is no box
        (NUMBERS, "9250", format!("{BAR} {}", numbers.replace("2 31 Td", "-5 31 Td"))),
        (NUMBERS, "9250", format!("8.6 0 92 56 re W n {BAR} {numbers}")),
        (NUMBERS, "9250", row(24, [2, 46], "9250") + &row(24, [2, 10], "250")),
        ("(12500) (9250)", "9250", large.replace("Mallory", "12500").replace("Bob", "9250")),
        (NAMES, "Bob", format!("0 0 100 14 re 0 55 1 1 re W n {names}")),
        (NUMBERS, "9250", format!("0 0 100 56 re 2 28 6.7 14 re W* n {numbers}")),
    ] {
        let found = chosen(options, value, &content);
        assert_eq!(found.verdict, Verdict::Undetermined, "{value} {content}: {:#?}", found.signals);
        assert!(found.summary.contains("which option the form field"), "{value} {content}: {}", found.summary);
    }
}

#[test]
fn a_value_that_joins_a_number_is_quoted() {
    let filled = |value: &str, at: u32| {
        let before = "/FT /Tx /V ()";
        let after = format!("/FT /Tx /V ({value}) /AP << /N {NEW} 0 R >>");
        let content = format!("BT /F 10 Tf {at} 4 Td ({value}) Tj ET");
        since_at(604, [100, 16], [before, &after], &[(HELVETICA, &content)])
    };
    // on the page, 1,250.00 ends a point before the field
    let joined = filled("0", 1);
    assert_eq!(joined.verdict, Verdict::Undetermined, "{:#?}", joined.signals);
    assert!(joined.summary.contains("1,250.00"), "{}", joined.summary);
    let apart = filled("0", 20);
    assert_eq!(apart.verdict, PERMITTED, "{:#?}", apart.signals);
}
