//! Values that fields and widgets have from those above them, at any depth (ISO 32000-1, 12.7.3.1), and values and texts
//! of which there is more than one. Each forgery with its honest twin.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::bill::{PERMITTED, UNKNOWN};
use crate::support::metadata;

const TOP: u32 = 500;
const MIDDLE: u32 = 501;
const WIDGETS: [u32; 2] = [510, 511];
const LOOKS: [u32; 2] = [520, 521];
const OUTSIDE: u32 = 530;

fn look(content: &str) -> Vec<u8> {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>");
    let fonts = format!("<< /Helv {} /Z {} >>", font("Helvetica"), font("ZapfDingbats"));
    let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font {fonts} >>");
    stream(&entries, content.as_bytes())
}

fn text(value: &str) -> Vec<u8> {
    look(&format!("BT /Helv 10 Tf 2 6 Td ({value}) Tj ET"))
}

fn widget(parent: u32, bottom: u32, entries: &str) -> String {
    let place = format!("/Parent {parent} 0 R /P {FIRST_PAGE} 0 R /Rect [72 {bottom} 172 {}]", bottom + 20);
    format!("<< /Type /Annot /Subtype /Widget /F 4 {place} {entries} >>")
}

/// A form of one field with these entries, whose kid has both widgets, with these objects besides.
fn signed(top: &str, middle: &str, others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    let [one, other] = WIDGETS;
    let annotations = format!("/Annots [{one} 0 R {other} 0 R {OUTSIDE} 0 R]");
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] {annotations} >>");
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with(OUTSIDE, "<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 1 1] >>")
        .with(TOP, format!("<< /T (Way) /Kids [{MIDDLE} 0 R] {top} >>"))
        .with(MIDDLE, format!("<< /Parent {TOP} 0 R /Kids [{one} 0 R {other} 0 R] {middle} >>"));
    let mut document = SignedPdf::new(&others(pdf));
    document.fields = format!("{TOP} 0 R");
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

fn judged(document: &SignedPdf, changes: &Pdf) -> Integrity {
    metadata(&document.clone().updated(changes).file).integrity
}

/// Text widgets that show these texts, with these entries.
fn texts(pdf: Pdf, shown: [&str; 2], entries: &str) -> Pdf {
    WIDGETS.into_iter().zip(LOOKS).zip(shown).enumerate().fold(pdf, |pdf, (place, ((number, drawn), shown))| {
        let bottom = 600 - 100 * u32::try_from(place).unwrap_or(0);
        let entries = format!("/AP << /N {drawn} 0 R >> {entries}");
        pdf.with(number, widget(MIDDLE, bottom, &entries)).with(drawn, text(shown))
    })
}

#[test]
fn every_widget_that_inherits_a_value_shows_it() {
    let top = |entries: &str| format!("<< /T (Way) /Kids [{MIDDLE} 0 R] {entries} >>");
    for middle in ["", "/T (Sum)"] {
        let document = signed("/FT /Tx /V (500)", middle, |pdf| texts(pdf, ["500", "500"], ""));
        for (shown, expected) in [
            (["700", "700"], PERMITTED),
            (["500", "500"], UNKNOWN),
            (["700", "500"], UNKNOWN),
            (["500", "700"], UNKNOWN),
        ] {
            let changes = texts(Pdf::changes().with(TOP, top("/FT /Tx /V (700)")), shown, "");
            let answer = judged(&document, &changes);
            assert_eq!(answer.verdict == PERMITTED, expected == PERMITTED, "{middle} {shown:?} {}", answer.summary);
        }
        let answer = judged(&document, &Pdf::changes().with(TOP, top("/FT /Tx /V (700)")));
        assert_eq!(answer.verdict, UNKNOWN, "{middle} {}", answer.summary);
        let is_named = answer.summary.contains("shows something else than its value");
        assert!(is_named, "{middle} {}", answer.summary);
    }
}

/// As LiveCycle groups the fields of a page.
#[test]
fn what_only_groups_fields_has_no_value() {
    let (group, one) = (format!("<< /T (Way) /Kids [{MIDDLE} 0 R]"), WIDGETS[0]);
    let leaf = |pdf: Pdf, shown: &str, value: &str| {
        let entries = format!("/FT /Tx /T (Sum) /AP << /N {} 0 R >> {value}", LOOKS[0]);
        pdf.with(one, widget(MIDDLE, 600, &entries)).with(LOOKS[0], text(shown))
    };
    let document = signed("", "/T (Page1)", |pdf| leaf(pdf, "", ""));
    let filled = judged(&document, &leaf(Pdf::changes(), "700", "/V (700)"));
    assert_eq!(filled.verdict, PERMITTED, "{}", filled.summary);
    for changes in [Pdf::changes(), leaf(Pdf::changes(), "700", "")] {
        let answer = judged(&document, &changes.with(TOP, format!("{group} /V (700) >>")));
        assert_ne!(answer.verdict, PERMITTED, "{}", answer.summary);
    }
    let answer = judged(&document, &Pdf::changes().with(TOP, format!("{group} /V (700) >>")));
    assert_eq!(answer.verdict, UNKNOWN, "{}", answer.summary);
    assert!(
        answer.summary.contains("“Way”, which is no form field of any type, was given a value"),
        "{}",
        answer.summary
    );
}

#[test]
fn a_button_at_any_depth_shows_the_value_of_its_field() {
    const ENTRIES: &str = "/FT /Btn /Ff 49152";
    let buttons = |pdf: Pdf, states: [&str; 2]| {
        WIDGETS.into_iter().zip(["A", "B"]).zip(states).fold(pdf, |pdf, ((number, on), state)| {
            let [mark, none] = LOOKS;
            let entries = format!("/AS /{state} /AP << /N << /{on} {mark} 0 R /Off {none} 0 R >> >>");
            pdf.with(number, widget(MIDDLE, if on == "A" { 600 } else { 500 }, &entries))
        })
    };
    let document = signed(&format!("{ENTRIES} /V /A"), "", |pdf| {
        let mark = look("BT /Z 14 Tf 40 5 Td (l) Tj ET");
        buttons(pdf, ["A", "Off"]).with(LOOKS[0], mark).with(LOOKS[1], look(""))
    });
    for (value, states, is_permitted) in [
        ("B", ["Off", "B"], true),
        ("B", ["A", "Off"], false),
        ("B", ["A", "B"], false),
        ("B", ["Off", "Off"], false),
        ("C", ["Off", "Off"], false),
    ] {
        let top = format!("<< /T (Way) /Kids [{MIDDLE} 0 R] {ENTRIES} /V /{value} >>");
        let answer = judged(&document, &buttons(Pdf::changes().with(TOP, top), states));
        assert_eq!(answer.verdict == PERMITTED, is_permitted, "{value} {states:?} {}", answer.summary);
    }
}

#[test]
fn a_format_is_of_a_field_and_its_widgets_but_not_of_fields_below() {
    let format = "/AA << /F << /S /JavaScript /JS (AFPercent_Format\\(1,0\\);) >> >>";
    for (middle, is_permitted) in [("", true), ("/T (Sum)", false)] {
        let document = signed(&format!("/FT /Tx /V (0.1) {format}"), middle, |pdf| texts(pdf, ["10.0%", "10.0%"], ""));
        let top = format!("<< /T (Way) /Kids [{MIDDLE} 0 R] /FT /Tx /V (0.2) {format} >>");
        let answer = judged(&document, &texts(Pdf::changes().with(TOP, top), ["20.0%", "20.0%"], ""));
        assert_eq!(answer.verdict == PERMITTED, is_permitted, "{middle} {}", answer.summary);
    }
}

#[test]
fn a_widget_that_the_form_does_not_list_shows_the_value_of_its_parent() {
    let drawn = LOOKS[1] + 1;
    let look_of = format!("/AP << /N {drawn} 0 R >>");
    let own = widget(MIDDLE, 400, &format!("/FT /Tx /T (Own) /V (500) {look_of}"));
    let own = own.replace(&format!("/Parent {MIDDLE} 0 R"), "");
    for (outside, is_permitted) in [(own, true), (widget(MIDDLE, 400, &look_of), false)] {
        let document = signed("/FT /Tx /V (500)", "", |pdf| {
            texts(pdf, ["500", "500"], "").with(OUTSIDE, &*outside).with(drawn, text("500"))
        });
        let top = format!("<< /T (Way) /Kids [{MIDDLE} 0 R] /FT /Tx /V (700) >>");
        let answer = judged(&document, &texts(Pdf::changes().with(TOP, top), ["700", "700"], ""));
        assert_eq!(answer.verdict == PERMITTED, is_permitted, "{outside}: {}", answer.summary);
    }
}

/// After a field was filled in with this value and shows this text, or has no appearance.
fn filled(entries: &str, value: &str, shown: Option<&str>) -> Integrity {
    filled_again(entries, ["", value], shown.map(|shown| ["", shown]))
}

fn filled_again(entries: &str, [before, value]: [&str; 2], shown: Option<[&str; 2]>) -> Integrity {
    let field = |value: &str, drawn: bool| {
        let drawn = if drawn { format!("/AP << /N {} 0 R >>", LOOKS[0]) } else { String::new() };
        format!(
            "<< /Type /Annot /Subtype /Widget /F 4 /T (Sum) /P {FIRST_PAGE} 0 R /Rect [72 500 172 520] {drawn} \
             /DA (/Helv 10 Tf 0 g) {entries} {value} >>"
        )
    };
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{TOP} 0 R] >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, page).with(TOP, field(before, shown.is_some()));
    let pdf = pdf.with(LOOKS[0], text(shown.map_or("", |[before, _]| before)));
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{TOP} 0 R");
    let document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
    let changes = Pdf::changes().with(TOP, field(value, shown.is_some()));
    judged(&document, &shown.map_or(changes.clone(), |[_, shown]| changes.with(LOOKS[0], text(shown))))
}

#[test]
fn viewers_draw_a_choice_alike_if_all_of_its_names_are_one() {
    const PLAIN: &str = "/FT /Ch /Ff 131072 /Opt [(b) (9250)]";
    const PAIRS: &str = "/FT /Ch /Ff 131072 /Opt [[(a) (1250)] [(b) (9250)] [(7000) (7000)]]";
    for (entries, value, expected) in [
        (PLAIN, "/V (9250)", PERMITTED),
        (PLAIN, "/V [(9250)]", UNKNOWN),
        (PLAIN, "/V (9250 )", UNKNOWN),
        (PAIRS, "/V (7000)", PERMITTED),
        (PAIRS, "/V (b)", UNKNOWN),
        (PAIRS, "/V (b )", UNKNOWN),
    ] {
        let answer = filled(entries, value, None);
        assert_eq!(answer.verdict, expected, "{entries} {value}: {}", answer.summary);
    }
    // a choice that was cleared
    let answer = filled_again(PLAIN, ["/V (9250)", "/V ()"], Some(["9250", ""]));
    assert_eq!(answer.verdict, PERMITTED, "{}", answer.summary);
    // what is drawn is the option's text
    let answer = filled(PAIRS, "/V (b)", Some("9250"));
    assert_eq!(answer.verdict, PERMITTED, "{}", answer.summary);
}

#[test]
fn a_value_is_compared_completely() {
    let blanks = " ".repeat(5_000);
    for (value, expected) in [
        ("500".to_owned(), PERMITTED),
        (format!("500{blanks}"), PERMITTED),
        (format!("500{blanks}9"), UNKNOWN),
        (format!("500{}", " ".repeat(2_000_000)), UNKNOWN),
        ("500\\002".to_owned(), UNKNOWN),
    ] {
        let answer = filled("/FT /Tx /Ff 4096", &format!("/V ({value})"), Some("500"));
        let is_expected = answer.verdict == expected || expected == UNKNOWN && answer.verdict != PERMITTED;
        assert!(is_expected, "{} characters: {}", value.len(), answer.summary);
    }
    // a text between two escapes is a language to some viewers
    let answer = filled("/FT /Tx", "/V <FEFF001B00390039001B003700300030>", Some("700"));
    assert_eq!(answer.verdict, UNKNOWN, "{}", answer.summary);
    let what = "the value of the form field “Sum” cannot be compared completely";
    assert!(answer.summary.contains(what), "{}", answer.summary);
}

/// After a note with these entries was added.
fn noted(entries: &str) -> Integrity {
    let page = |annotations: &str| {
        format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{annotations}] >>")
    };
    let document = SignedPdf::new(&Pdf::new(1).with(FIRST_PAGE, page("")).with(LOOKS[0], text("Approved")));
    let document = document.signed(&Signing::by(Key::Ed25519).certifying(3));
    let note = format!("<< /Type /Annot /F 4 /Rect [72 500 272 580] {entries} >>");
    judged(&document, &Pdf::changes().with(FIRST_PAGE, page(&format!("{TOP} 0 R"))).with(TOP, note))
}

#[test]
fn the_texts_of_a_note_are_one_text() {
    let drawn = format!("/AP << /N {} 0 R >>", LOOKS[0]);
    let free =
        |entries: &str| noted(&format!("/Subtype /FreeText /DA (/Helv 10 Tf 0 g) /Contents (Approved) {entries}"));
    for entries in [
        "",
        "/RC (<body><p>Approved</p></body>)",
        "/RC (<body><p style=\"font-size:10pt;color:#000000\">Approved</p></body>) /DS (font: Helvetica 10pt)",
    ] {
        let answer = free(entries);
        assert_eq!(answer.verdict, PERMITTED, "{entries} {}", answer.summary);
    }
    for entries in [
        "/RC (<body><p>REJECTED</p></body>)",
        "/RC (<body><p>Approved</p><p>not</p></body>)",
        "/RC (<p>Approved</p>)",
        "/RC (<body><p style=\"color:#ffffff\">Approved</p></body>)",
        "/RC (<body><p>Approved</p></body>) /DS (font-size:40pt)",
    ] {
        let answer = free(entries);
        assert_eq!(answer.verdict, UNKNOWN, "{entries} {}", answer.summary);
    }
    let answer = free("/RC (<body><p>REJECTED</p></body>)");
    let what = "a FreeText annotation says “Approved” and, as rich text, “REJECTED”";
    assert!(answer.summary.contains(what), "{}", answer.summary);
    // whose appearance all viewers draw
    let answer = free(&format!("{drawn} /RC (<body><p style=\"color:#ff0000\">Approved</p></body>)"));
    assert_eq!(answer.verdict, PERMITTED, "{}", answer.summary);
    // a text in UTF-8, which some viewers draw as PDFDocEncoding
    for (look, expected) in [("", UNKNOWN), (&drawn[..], PERMITTED)] {
        let entries = format!("/Subtype /FreeText /DA (/Helv 10 Tf 0 g) /Contents <EFBBBF417070726F766564> {look}");
        let answer = noted(&entries);
        assert_eq!(answer.verdict, expected, "{entries} {}", answer.summary);
    }
    for (said, expected) in [("Seen", PERMITTED), ("Not seen", UNKNOWN)] {
        let entries = format!("/Subtype /Text /Contents (Seen) /RC (<body><p>{said}</p></body>)");
        let answer: Verdict = noted(&entries).verdict;
        assert_eq!(answer, expected, "{said}");
    }
}

/// A widget with an entry of its own has no longer what it inherited, in some viewers.
#[test]
fn a_widget_keeps_what_it_inherits() {
    let signed = signed("/FT /Tx /V (500) /Ff 8192", "", |pdf| texts(pdf, ["500", "500"], ""));
    for (entries, expected) in [
        ("/Ff 8192", true),
        ("/V (500)", true),
        ("/Ff 0", false),
        ("/V ()", false),
        ("/V []", false),
        ("/V <FEFF>", false),
        // what has kids is no widget to some viewers
        ("/Kids []", false),
    ] {
        let answer = judged(&signed, &texts(Pdf::changes(), ["500", "500"], entries));
        let is_clean = answer.verdict == Verdict::UnchangedSinceSigning;
        assert_eq!(is_clean, expected, "{entries}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Readers find the fields of a form by their kids, and the field of a widget by its parent.
#[test]
fn a_widget_has_the_parent_whose_kid_it_is() {
    for (parent, expected) in [(MIDDLE, PERMITTED), (OUTSIDE + 1, UNKNOWN)] {
        let form = |pdf: Pdf, value: &str| {
            let pdf = WIDGETS.into_iter().zip(LOOKS).fold(pdf, |pdf, (number, drawn)| {
                let entries = format!("/AP << /N {drawn} 0 R >>");
                pdf.with(number, widget(parent, number, &entries)).with(drawn, text(value))
            });
            pdf.with(OUTSIDE + 1, "<< /FT /Tx /T (Other) >>")
        };
        let document = signed("/FT /Tx /V (500)", "", |pdf| form(pdf, "500"));
        let top = format!("<< /T (Way) /Kids [{MIDDLE} 0 R] /FT /Tx /V (700) >>");
        let answer = judged(&document, &form(Pdf::changes().with(TOP, top), "700"));
        assert_eq!(answer.verdict, expected, "{parent}: {} {:#?}", answer.summary, answer.signals);
    }
}
