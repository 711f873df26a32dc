//! Entries of forms and fields that are written again or go: compared by what they have an effect on, not by their keys.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const FIELD: u32 = 510;
const OTHER: u32 = 511;
const GROUP: u32 = 512;
const LOOK: u32 = 520;
const RESOURCES: u32 = 530;
const FONTS: u32 = 531;
const FREE: u32 = 900;
const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

fn field(kind: &str, entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /FT /{kind} /T (Name) /Rect [72 600 172 620] {entries} >>")
}

fn look(text: &str) -> Vec<u8> {
    let resources = format!("/Resources << /Font << /Helv {HELVETICA} >> >>");
    let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}");
    stream(&entries, format!("BT /Helv 10 Tf 2 6 Td ({text}) Tj ET").as_bytes())
}

/// A form with these fields and entries, which may be filled in.
fn signed(objects: impl FnOnce(Pdf) -> Pdf, (field, form): (u32, &str)) -> SignedPdf {
    let other = if field == GROUP { format!("{OTHER} 0 R") } else { String::new() };
    let annotations = format!("/Annots [{FIELD} 0 R {other}]");
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] {annotations} >>");
    let mut document = SignedPdf::new(&objects(Pdf::new(1).with(FIRST_PAGE, page).with(LOOK, look("old"))));
    document.fields = format!("{field} 0 R] {form} /PTEX.Unused [");
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

fn judged(document: &SignedPdf, changes: &Pdf) -> Integrity {
    metadata(&document.clone().updated(changes).file).integrity
}

/// After a field with these entries was given others, and shows this text.
fn filled(kind: &str, [before, after]: [&str; 2], shown: &str) -> Integrity {
    let shows = |entries: &str| field(kind, &format!("{entries} /AP << /N {LOOK} 0 R >>"));
    let document = signed(|pdf| pdf.with(FIELD, shows(before)), (FIELD, ""));
    judged(&document, &Pdf::changes().with(FIELD, shows(after)).with(LOOK, look(shown)))
}

const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;

/// As PyMuPDF fills in a field of rich text (12.7.3.4).
#[test]
fn a_plain_value_needs_no_rich_text() {
    const RICH: &str = "/V (old) /RV (<body>old</body>) /DS (font: Helvetica 10pt)";
    for (before, after, expected) in [
        (RICH, "/V (new)", PERMITTED),
        ("/V (old) /DS (font: Helvetica 10pt)", "/V (new)", PERMITTED),
        (RICH, "/V (new) /RV (<body>new</body>) /DS (color:#ffffff)", UNKNOWN),
        (RICH, "/V (new) /RV (<body>other</body>)", UNKNOWN),
        (RICH, "/V (old)", UNKNOWN),
    ] {
        let answer = filled("Tx", [before, after], if after.contains("new") { "new" } else { "old" });
        let is_expected = answer.verdict == expected || expected == UNKNOWN && answer.verdict != PERMITTED;
        assert!(is_expected, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As MuPDF writes the options of a choice field again (12.7.4.4).
#[test]
fn options_are_compared_as_the_field_resolves_them() {
    const COMBO: &str = "/Ff 131072 /Opt";
    let plain = format!("{COMBO} [(old) (new)] /V (old)");
    for (options, shown, expected) in [
        ("[[(old) (old)] [(new) (new)]]", "new", PERMITTED),
        ("[(old) <FEFF006E00650077>]", "new", PERMITTED),
        ("[[(old) (old)] [(new) (other)]]", "other", UNKNOWN),
        ("[(new) (old)]", "new", UNKNOWN),
        ("[[(old) (old)] [(new)]]", "new", UNKNOWN),
    ] {
        let answer = filled("Ch", [&plain, &format!("{COMBO} {options} /V (new)")], shown);
        let is_expected = answer.verdict == expected || expected == UNKNOWN && answer.verdict != PERMITTED;
        assert!(is_expected, "{options}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As PDFium draws a combo box.
#[test]
fn a_combo_box_may_show_the_button_that_opens_its_list() {
    const ARROW: &str = "0 g 89.5 11.5 m 95.5 11.5 l 92.5 8.5 l f";
    const BUTTON: &str = "0.86 g 86 1 13 18 re f 1 g 87 2 m 87 18 l 98 18 l 97 17 l 88 17 l 88 3 l f \
        0.5 g 98 18 m 98 2 l 87 2 l 88 3 l 97 3 l 97 17 l f 0 g 86 1 13 18 re 87 2 11 16 re f*";
    let drawn = |kind: &str, content: &str, text: &str| {
        let resources = format!("/Resources << /Font << /Helv {HELVETICA} >> >>");
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}");
        let look = stream(&entries, format!("q BT /Helv 10 Tf {text} Td (1,25) Tj ET Q q {content} Q").as_bytes());
        let shows = |value: &str| field(kind, &format!("{value} /AP << /N {LOOK} 0 R >>"));
        let document = signed(|pdf| pdf.with(FIELD, shows("/V (old)")), (FIELD, ""));
        judged(&document, &Pdf::changes().with(FIELD, shows("/V (1,25)")).with(LOOK, look))
    };
    let combo = "Ch /Ff 393216";
    let honest = drawn(combo, &format!("{BUTTON} {ARROW}"), "2 6");
    assert_eq!(honest.verdict, PERMITTED, "{} {:#?}", honest.summary, honest.signals);
    for (name, kind, content, text) in [
        ("a text field", "Tx", format!("{BUTTON} {ARROW}"), "2 6"),
        ("a button without an arrow", combo, BUTTON.to_owned(), "2 6"),
        ("an arrow without a button", combo, ARROW.to_owned(), "2 6"),
        ("a digit in the button", combo, format!("{BUTTON} {ARROW} 91 5 3 10 re f"), "2 6"),
        ("an arrow that points up", combo, format!("{BUTTON} 0 g 89.5 8.5 m 95.5 8.5 l 92.5 11.5 l f"), "2 6"),
        ("a dark button", combo, format!("{BUTTON} {ARROW}").replace("0.86 g", "0.2 g"), "2 6"),
        ("a button at the left", combo, format!("1 0 0 1 -60 0 cm {BUTTON} {ARROW}"), "45 6"),
        ("a text under the button", combo, format!("{BUTTON} {ARROW}"), "70 6"),
    ] {
        assert_ne!(drawn(kind, &content, text).verdict, PERMITTED, "{name}");
    }
}

/// As TCPDF writes radio buttons: each has the value of its field at that time (12.7.4.2.4).
#[test]
fn a_radio_button_has_the_value_of_its_field() {
    let mark = |is_on: bool| {
        let resources = "/Resources << /Font << /Z << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> >> >>";
        let content = if is_on { "BT /Z 10 Tf 2 2 Td (l) Tj ET" } else { "" };
        stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 12 12] {resources}"), content.as_bytes())
    };
    let kid = |left: u32, [on, state]: [&str; 2], value: &str| {
        let looks = format!("/AP << /N << /{on} {LOOK} 0 R /Off {} 0 R >> >>", LOOK + 1);
        let place = format!("/Rect [{left} 600 {} 612] /Parent {GROUP} 0 R", left + 12);
        format!("<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 49152 {place} /AS /{state} {looks} {value} >>")
    };
    let group = |value: &str| format!("<< /FT /Btn /Ff 49152 /T (Way) /V /{value} /Kids [{FIELD} 0 R {OTHER} 0 R] >>");
    let document = signed(
        |pdf| {
            let pdf = pdf.with(LOOK, mark(true)).with(LOOK + 1, mark(false)).with(GROUP, group("card"));
            pdf.with(FIELD, kid(72, ["card", "card"], "/V /card")).with(OTHER, kid(172, ["cash", "Off"], ""))
        },
        (GROUP, ""),
    );
    let chosen = |value: &str, [card, cash]: [&str; 2]| {
        let changes = Pdf::changes().with(GROUP, group(value)).with(FIELD, kid(72, ["card", card], "/V /card"));
        judged(&document, &changes.with(OTHER, kid(172, ["cash", cash], "")))
    };
    let honest = chosen("cash", ["Off", "cash"]);
    assert_eq!(honest.verdict, PERMITTED, "{} {:#?}", honest.summary, honest.signals);
    for (value, states) in [("cash", ["card", "Off"]), ("cash", ["card", "cash"]), ("cash", ["Off", "Off"])] {
        assert_ne!(chosen(value, states).verdict, PERMITTED, "{states:?}");
    }
}

/// As Poppler signs: it adds a font of its own to those of the form.
#[test]
fn a_new_name_replaces_no_resource() {
    let shown = field("Tx", &format!("/V (old) /DA (0 g /Helv 10 Tf) /AP << /N {LOOK} 0 R >>"));
    let document = signed(
        |pdf| {
            let pdf = pdf.with(FIELD, shown).with(RESOURCES, format!("<< /Font {FONTS} 0 R >>"));
            pdf.with(FONTS, format!("<< /Helv {HELVETICA} >>"))
        },
        (FIELD, &format!("/DR {RESOURCES} 0 R")),
    );
    let own = "<< /Type /Font /Subtype /TrueType /BaseFont /Own >>";
    let encoded = HELVETICA.replace(" >>", " /Encoding << /Differences [49 /nine] >> >>");
    for (fonts, expected) in [
        (format!("<< /Helv {HELVETICA} /popplerfont {FREE} 0 R >>"), PERMITTED),
        (format!("<< /Helv {FREE} 0 R >>"), UNKNOWN),
        (format!("<< /Helv {encoded} /popplerfont {FREE} 0 R >>"), UNKNOWN),
        (format!("<< /popplerfont {FREE} 0 R >>"), UNKNOWN),
        (format!("<< /Helv {HELVETICA} /popplerfont 7 >>"), UNKNOWN),
    ] {
        let answer = judged(&document, &Pdf::changes().with(FONTS, fonts.clone()).with(FREE, own));
        assert_eq!(answer.verdict, expected, "{fonts}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Forms by PDFKit lose the entry in pyHanko and pypdf. Acrobat leaves a value without an appearance empty then.
#[test]
fn a_missing_appearance_is_drawn_where_the_form_asks_for_it() {
    let without = |entries: &str| {
        let form = format!("/DR << /Font << /Helv {HELVETICA} >> >>");
        let asks = format!("{form} /NeedAppearances true");
        let mut document = signed(|pdf| pdf.with(FIELD, field("Tx", entries)), (FIELD, &asks));
        document.fields = format!("{FIELD} 0 R] {form} /PTEX.Unused [");
        let changes = document.with_catalog(Pdf::changes());
        judged(&document, &changes)
    };
    for (entries, expected) in [
        ("/V (old) /DA (0 g /Helv 10 Tf)", false),
        ("/DA (0 g /Helv 10 Tf)", true),
        ("/V (other) /DA (1 g /Helv 10 Tf)", false),
        (&format!("/V (old) /DA (0 g /Helv 10 Tf) /AP << /N {LOOK} 0 R >>"), true),
        (&format!("/V (other) /DA (0 g /Helv 10 Tf) /AP << /N {LOOK} 0 R >>"), false),
    ] {
        let answer = without(entries);
        assert_eq!(answer.verdict == Verdict::UnchangedSinceSigning, expected, "{entries}: {}", answer.summary);
    }
}

/// As MuPDF fills in a field of a form that asks for appearances.
#[test]
fn a_default_appearance_is_judged_by_what_viewers_draw_with_it() {
    let asks = format!("/DR << /Font << /Helv {HELVETICA} >> >> /NeedAppearances true");
    let document = signed(|pdf| pdf.with(FIELD, field("Tx", "/V (old) /DA (0 g /Helv 10 Tf)")), (FIELD, &asks));
    for (default, expected) in [
        ("(0 0 0 rg /Helv 9 Tf)", PERMITTED),
        ("(1 g /Helv 10 Tf)", UNKNOWN),
        ("(0 g /Helv 90 Tf)", UNKNOWN),
        ("(0 g /Helv 10 Tf 3 Tr)", UNKNOWN),
    ] {
        let filled = field("Tx", &format!("/V (new) /DA {default} /AP << /N {FREE} 0 R >>"));
        let answer = judged(&document, &Pdf::changes().with(FIELD, filled).with(FREE, look("new")));
        assert_eq!(answer.verdict, expected, "{default}: {}", answer.summary);
    }
}
