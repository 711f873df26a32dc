//! Defaults of a form (ISO 32000-1, 12.7.2), stale values, cleared choices and new looks of fields: each is judged by what
//! viewers show with it, and an accusation names the field.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const FIELD: u32 = 500;
const LOOK: u32 = 501;
const ON: u32 = 502;
const SIGNATURE: u32 = 503;
/// New after signing.
const NEW: u32 = 900;
const HELVETICA: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const UNCHANGED: Verdict = Verdict::UnchangedSinceSigning;
const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;
const CHANGED: Verdict = Verdict::ChangedSinceSigning;
const EMPTY: &str = "/Tx BMC EMC";

fn field([width, height]: [u32; 2], entries: &str) -> String {
    let (right, top) = (72 + width, 600 + height);
    format!("<< /Type /Annot /Subtype /Widget /T (Name) /F 4 /Rect [72 600 {right} {top}] {entries} >>")
}

fn look([width, height]: [u32; 2], content: &str) -> Vec<u8> {
    let resources = format!("/Resources << /Font << /F {HELVETICA} >> >>");
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 {width} {height}] {resources}"), content.as_bytes())
}

fn text(words: &str) -> String {
    format!("BT /F 10 Tf 2 6 Td ({words}) Tj ET")
}

/// A signed form with these entries and a field of this size, look and entries.
fn signed(size: [u32; 2], content: &str, [entries, form]: [&str; 2]) -> SignedPdf {
    let annotations = format!("/Annots [{FIELD} 0 R {SIGNATURE} 0 R]");
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] {annotations} >>");
    let empty = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Standing) /F 4 /Rect [72 100 272 150] >>";
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page)
        .with(FIELD, field(size, entries))
        .with(LOOK, look(size, content))
        .with(ON, look(size, "2 2 10 10 re f"))
        .with(SIGNATURE, empty);
    let mut document = SignedPdf::new(&pdf);
    document.fields = fields(form);
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

fn fields(form: &str) -> String {
    format!("{FIELD} 0 R {SIGNATURE} 0 R] {form} /PTEX.Unused [")
}

const TEXT: [u32; 2] = [100, 20];
const BOX: [u32; 2] = [15, 15];

/// After a form with this field was given other entries.
fn since_form(entries: &str, content: &str, [before, after]: [&str; 2]) -> Integrity {
    let mut document = signed(TEXT, content, [entries, before]);
    document.fields = fields(after);
    let changes = document.with_catalog(Pdf::changes());
    metadata(&document.updated(&changes).file).integrity
}

/// As iText adds a default appearance when it signs.
#[test]
fn a_default_matters_to_values_that_are_drawn_with_it() {
    const DEFAULT: [&str; 2] = ["/DA (0 g /Helv 10 Tf)", "/DA (1 g /Helv 10 Tf)"];
    let tick = format!("/FT /Btn /MK << /BC [0] >> /AS /Off /AP << /N << /Yes {ON} 0 R >> >>");
    for (entries, defaults, expected) in [
        ("/FT /Tx /V ()", DEFAULT, PERMITTED),
        ("/FT /Tx /V (old) /DA (0 g /Helv 9 Tf)", DEFAULT, PERMITTED),
        (&tick, DEFAULT, PERMITTED),
        (&tick, ["/NeedAppearances true", "/DA (0 g /Helv 10 Tf)"], PERMITTED),
        ("/FT /Tx /V ()", ["/NeedAppearances true", "/DA (0 g /Helv 10 Tf)"], PERMITTED),
        ("/FT /Tx /V ()", ["/DA (0 g /Helv 10 Tf)", "/DA (0 g /Helv 10 Tf 1)"], UNKNOWN),
        ("/FT /Tx /V (old)", DEFAULT, CHANGED),
        ("/FT /Tx /V (old)", ["/Q 0", "/Q 2"], CHANGED),
        // viewers had defaults of their own
        ("/FT /Tx /V (old)", ["", "/DA (0 g /Helv 10 Tf)"], CHANGED),
        ("/FT /Ch /Opt [(old) (new)]", DEFAULT, CHANGED),
    ] {
        let answer = since_form(entries, EMPTY, defaults);
        assert_eq!(answer.verdict, expected, "{entries} {defaults:?}: {} {:#?}", answer.summary, answer.signals);
        let named = answer.signals.iter().flat_map(|signal| &signal.evidence).filter_map(|it| it.place.as_deref());
        let is_named = named.into_iter().any(|place| place.starts_with("Name /"));
        assert_eq!(is_named, expected == CHANGED, "{entries} {defaults:?}: {:#?}", answer.signals);
    }
}

/// Viewers that find no stream draw the value themselves, and others draw nothing.
#[test]
fn a_default_may_matter_to_appearances_that_lead_to_no_stream() {
    const DEFAULT: [&str; 2] = ["/DA (0 g /Helv 10 Tf)", "/DA (1 g /Helv 10 Tf)"];
    for (look, expected) in [
        ("/AP << /N << >> >>".to_owned(), UNKNOWN),
        ("/AP << /N 899 0 R >>".to_owned(), UNKNOWN),
        (format!("/AP << /N << /Off {LOOK} 0 R >> >>"), UNKNOWN),
        (format!("/AP << /N << /On {LOOK} 0 R >> >> /AS /Off"), UNKNOWN),
        (format!("/AP << /N << /On {LOOK} 0 R >> >> /AS /On"), PERMITTED),
        (format!("/AP << /N {LOOK} 0 R >>"), PERMITTED),
    ] {
        let answer = since_form(&format!("/FT /Tx /V (old) {look}"), &text("old"), DEFAULT);
        assert_eq!(answer.verdict, expected, "{look}: {} {:#?}", answer.summary, answer.signals);
    }
    let answer = since_form("/FT /Tx /V () /AP << /N << >> >>", EMPTY, DEFAULT);
    assert_eq!(answer.verdict, PERMITTED, "{} {:#?}", answer.summary, answer.signals);
}

#[test]
fn a_default_may_matter_to_the_mark_of_a_button_without_appearances() {
    const DEFAULT: [&str; 2] = ["/DA (0 g /Helv 10 Tf)", "/DA (1 g /Helv 10 Tf)"];
    let states = format!("/AP << /N << /Yes {ON} 0 R >> >>");
    for (entries, expected) in [
        ("/V /Yes /AS /Yes", UNKNOWN),
        ("/Ff 32768 /V /Yes /AS /Yes", UNKNOWN),
        ("/V /Yes /AS /Yes /AP << /N << >> >>", UNKNOWN),
        ("/V /Off /AS /Off", PERMITTED),
        ("", PERMITTED),
        (&format!("/V /Yes /AS /Yes {states}"), PERMITTED),
        (&format!("/V /Off /AS /Off {states}"), PERMITTED),
    ] {
        let answer = since_form(&format!("/FT /Btn {entries}"), EMPTY, DEFAULT);
        assert_eq!(answer.verdict, expected, "{entries}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Some viewers read the kind of an annotation only where it stands directly.
#[test]
fn a_default_may_matter_to_a_widget_whose_kind_is_a_reference() {
    const KIND: u32 = 504;
    let field = field(TEXT, "/FT /Tx /V (old)").replace("/Subtype /Widget", &format!("/Subtype {KIND} 0 R"));
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R] >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, page).with(FIELD, field).with(KIND, "/Widget");
    let mut document = SignedPdf::new(&pdf);
    let form = |default: &str| format!("{FIELD} 0 R] /DA (/Helv 10 Tf {default} g) /PTEX.Unused [");
    document.fields = form("0");
    let mut document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
    document.fields = form("1");
    let changes = document.with_catalog(Pdf::changes());
    let answer = metadata(&document.updated(&changes).file).integrity;
    assert_eq!(answer.verdict, UNKNOWN, "{} {:#?}", answer.summary, answer.signals);
}

/// As PDFBox 1.8 signs visibly: its template's resources replace those of the form.
#[test]
fn resources_of_a_form_matter_to_what_is_drawn_with_them() {
    let fonts = |fonts: &str| format!("/DR << /Font << {fonts} >> >>");
    let helvetica = fonts(&format!("/Helv {HELVETICA}"));
    let digits = HELVETICA.replace(" >>", " /Encoding << /Differences [49 /nine] >> >>");
    let (exchanged, other) = (fonts(&format!("/Helv {digits}")), fonts(&format!("/Other {digits}")));
    let lost = "/DR << /ProcSet [/PDF /Text] /XObject << >> >>";
    let drawn = "/FT /Tx /V (old) /DA (0 g /Helv 10 Tf)";
    let shows = format!("{drawn} /AP << /N {LOOK} 0 R >>");
    let asks = |resources: &str| format!("{resources} /NeedAppearances true");
    for (entries, content, resources, expected) in [
        (shows.as_str(), text("old"), [helvetica.as_str(), lost], PERMITTED),
        ("/FT /Tx /DA (0 g /Helv 10 Tf)", text(""), [&helvetica, lost], PERMITTED),
        // a look that has no such font of its own
        (&shows, text("old").replace("/F ", "/Helv "), [&helvetica, lost], UNKNOWN),
        (&shows, text("old"), [&helvetica, &exchanged], UNKNOWN),
        // values that viewers draw, with a font of their own or with one that draws another digit
        (drawn, text("old"), [&helvetica, lost], UNKNOWN),
        (drawn, text("old"), [&helvetica, &other], UNKNOWN),
        (drawn, text("old"), [&helvetica, &exchanged], CHANGED),
        (&shows, text("old"), [&asks(&helvetica), &asks(lost)], UNKNOWN),
        (&shows, text("old"), [&asks(&helvetica), &asks(&exchanged)], CHANGED),
    ] {
        let answer = since_form(entries, &content, resources);
        assert_eq!(
            answer.verdict, expected,
            "{entries} {content} {resources:?}: {} {:#?}",
            answer.summary, answer.signals
        );
    }
}

/// As LibreOffice writes a field whose value only viewers draw, and pyHanko then drops the entry.
#[test]
fn who_draws_a_value_is_named_with_the_field() {
    let shows = format!("/FT /Tx /V (France) /DA (0 g /Helv 10 Tf) /AP << /N {LOOK} 0 R >>");
    let asks = "/NeedAppearances true";
    for (content, defaults, expected) in [
        (text("France"), [asks, ""], UNCHANGED),
        (EMPTY.to_owned(), [asks, ""], UNKNOWN),
        (text("Spain"), [asks, ""], CHANGED),
        (text("Spain"), ["", asks], CHANGED),
    ] {
        let answer = since_form(&shows, &content, defaults);
        assert_eq!(answer.verdict, expected, "{content} {defaults:?}: {} {:#?}", answer.summary, answer.signals);
        let is_named = answer.summary.contains("\u{201c}France\u{201d} of the field \u{201c}Name\u{201d}");
        assert_eq!(is_named, expected == UNKNOWN, "{}", answer.summary);
    }
}

/// After a field of this size was given other entries and new looks.
fn since(size: [u32; 2], content: &str, [before, after]: [&str; 2], looks: &[&str]) -> Integrity {
    let mut changes = Pdf::changes().with(FIELD, field(size, after));
    for (number, content) in (NEW..).zip(looks) {
        changes = changes.with(number, look(size, content));
    }
    metadata(&signed(size, content, [before, ""]).updated(&changes).file).integrity
}

/// As jsPDF writes the value of a check box that is off, and PDFium the index of an option.
#[test]
fn a_box_may_be_ticked_whose_value_says_so_already() {
    let button = |flags: &str, value: &str, state: &str| {
        format!("/FT /Btn {flags} /V /{value} /AS /{state} /AP << /N << /On {ON} 0 R /Off {LOOK} 0 R >> >>")
    };
    let options = "/Opt [(OK)]";
    for (before, after, expected) in [
        (button("", "On", "Off"), button("", "On", "On"), PERMITTED),
        (button(options, "Off", "Off"), button(options, "0", "On"), PERMITTED),
        (button("", "Off", "Off"), button("", "0", "On"), CHANGED),
        (button(options, "Off", "Off"), button(options, "1", "On"), CHANGED),
        // one that is read-only, or another state
        (button("/Ff 1", "On", "Off"), button("/Ff 1", "On", "On"), CHANGED),
        (button("", "Off", "Off"), button("", "Off", "On"), CHANGED),
    ] {
        let answer = since(BOX, "", [&before, &after], &[]);
        assert_eq!(answer.verdict, expected, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As PDFium gives a button of PDFKit, which had none, appearances for all of its states.
#[test]
fn a_button_may_be_given_looks_that_show_its_state() {
    let normal = format!("/N << /Off {NEW} 0 R /Yes {} 0 R >>", NEW + 1);
    let pressed = format!("/D << /Off {} 0 R /Yes {} 0 R >>", NEW + 2, NEW + 3);
    let given = |state: &str| format!("/FT /Btn {state} /AP << {normal} {pressed} >>");
    const GROUND: &str = "0.75 g 0 0 15 15 re f";
    const MARK: &str = "0 g 2 2 10 10 re f";
    let both = format!("{GROUND} {MARK}");
    let words = format!("{GROUND} 0 g {}", text("no"));
    for (state, looks, expected) in [
        ("/AS (Off)", ["", MARK, GROUND, &both], PERMITTED),
        ("/V /Yes /AS /Yes", ["", MARK, GROUND, &both], PERMITTED),
        ("/AS (Off)", [MARK, MARK, GROUND, &both], UNKNOWN),
        ("/V /Yes /AS /Yes", ["", "", GROUND, &both], UNKNOWN),
        ("/AS (Off)", ["", MARK, GROUND, &words], UNKNOWN),
    ] {
        let answer = since(BOX, "", ["/FT /Btn", &given(state)], &looks);
        assert_eq!(answer.verdict, expected, "{state} {looks:?}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As TCPDF draws the options of a combo box without a value, and pdf.js clears it.
#[test]
fn a_combo_box_may_be_cleared_that_showed_an_option_without_a_value() {
    let combo = |flags: u32, entries: &str| format!("/FT /Ch /Ff {flags} /Opt [(France) (Spain)] {entries}");
    let cleared = format!("/V () /AP << /N {NEW} 0 R >>");
    let had = format!("/AP << /N {LOOK} 0 R >>");
    for (content, flags, shown, expected) in [
        (text("France"), 131_072, EMPTY, PERMITTED),
        (text("1,250.00"), 131_072, EMPTY, CHANGED),
        (text("France"), 131_073, EMPTY, CHANGED),
        (text("France"), 131_072, &text("Spain")[..], CHANGED),
    ] {
        let answer = since(TEXT, &content, [&combo(flags, &had), &combo(flags, &cleared)], &[shown]);
        assert_eq!(answer.verdict, expected, "{content} {flags} {shown}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As iText marks the first of several choices, and TCPDF offers an option without words.
#[test]
fn a_list_marks_what_is_chosen() {
    const LIST: [u32; 2] = [100, 60];
    let list = |options: &str, value: &str, look: u32| {
        format!("/FT /Ch /Ff 2097152 /Opt [{options}] /V {value} /AP << /N {look} 0 R >>")
    };
    let rows = "BT /F 10 Tf 2 46 Td (one) Tj 0 -20 Td (two) Tj 0 -20 Td (three) Tj ET";
    let marked = |row: u32| format!("0.6 0.75 0.85 rg 1 {} 98 18 re f 0 g {rows}", 62 - 20 * row);
    for (options, value, row, expected) in [
        ("(one) (two) (three)", "[(one) (three)]", 1, PERMITTED),
        ("(one) (two) (three)", "[(one) (three)]", 2, UNKNOWN),
        ("() (one) (two) (three)", "(two)", 2, PERMITTED),
        ("() (one) (two) (three)", "(two)", 1, UNKNOWN),
    ] {
        let entries = [list(options, "(none)", LOOK), list(options, value, NEW)];
        let answer = since(LIST, rows, [&entries[0], &entries[1]], &[&marked(row)]);
        assert_eq!(answer.verdict, expected, "{options} {value}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As ZGA PDF Signer repeats the name of a field.
#[test]
fn a_new_signature_field_may_have_a_namesake() {
    let second = |name: &str| {
        let document = signed(TEXT, EMPTY, ["/FT /Tx", ""]);
        metadata(&document.signed(&Signing::by(Key::P256).field(name)).file).integrity
    };
    assert_eq!(second("Second").verdict, UNCHANGED);
    let namesake = second("Standing");
    assert_eq!(namesake.verdict, UNKNOWN, "{}", namesake.summary);
    assert!(namesake.summary.contains("has the name of another field"), "{}", namesake.summary);
    // a field that is not signed stays where it was
    let moved = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Standing) /F 4 /Rect [0 0 0 0] >>";
    let document = signed(TEXT, EMPTY, ["/FT /Tx", ""]);
    let file = document.updated(&Pdf::changes().with(SIGNATURE, moved)).file;
    assert_eq!(metadata(&file).integrity.verdict, CHANGED);
}
