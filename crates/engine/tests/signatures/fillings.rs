//! Forms that are filled in by programs in their own ways: fields of layers, XFA beside fields, lists of an empty text,
//! appearances drawn upside down twice. Each with the forgery nearest to it.

use engine::{Integrity, SignalId, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const FIELD: u32 = 500;
const LOOK: u32 = 501;
const OTHER: u32 = 502;
const GROUP: u32 = 510;
const DATA: u32 = 520;
const TEMPLATE: u32 = 521;
const NEW_DATA: u32 = 900;
const NEW_TEMPLATE: u32 = 901;

const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;
const CHANGED: Verdict = Verdict::ChangedSinceSigning;

fn text(name: &str, entries: &str) -> String {
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T ({name}) /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R \
         /DA (/Helv 10 Tf) {entries} >>"
    )
}

fn drawn(content: &str) -> Vec<u8> {
    let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

fn look(text: &str) -> Vec<u8> {
    drawn(&format!("BT /Helv 10 Tf 2 2 Td ({text}) Tj ET"))
}

/// A page with this annotation.
fn page(annotation: u32) -> String {
    format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{annotation} 0 R] >>")
}

/// A form with this field, that may be filled in.
fn form(field: String, more: &Pdf, catalog: &str, entries: &str) -> SignedPdf {
    let page =
        format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{FIELD} 0 R {OTHER} 0 R] >>");
    let other = text("code", "").replacen("72 600 172 620", "72 500 172 520", 1);
    let pdf = more.clone().with(FIRST_PAGE, page).with(FIELD, field).with(OTHER, other);
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R {OTHER} 0 R{entries}");
    document.catalog = catalog.to_owned();
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

fn integrity(document: SignedPdf, changes: &Pdf) -> Integrity {
    metadata(&document.updated(changes).file).integrity
}

fn filled(entries: &str) -> Pdf {
    Pdf::changes()
        .with(FIELD, text("name", &format!("/V (Bob) /AP << /N {LOOK} 0 R >> {entries}")))
        .with(LOOK, look("Bob"))
}

/// A layer that is on in every viewer is drawn as if there were none.
#[test]
fn a_field_of_a_layer_that_is_on_is_filled_in() {
    let usage = |view: &str, print: &str| {
        let states = format!("/View << /ViewState /{view} >> /Print << /PrintState /{print} >>");
        format!("<< /Type /OCG /Name (L) /Usage << {states} /CreatorInfo << /Creator (X) >> >> >>")
    };
    let group = "<< /Type /OCG /Name (L) >>".to_owned();
    let listed = format!("/OCGs [{GROUP} 0 R]");
    for (group, listed, configuration, expected) in [
        (&group, &listed, format!("/ON [{GROUP} 0 R] /Order [{GROUP} 0 R]"), PERMITTED),
        (&group, &listed, String::new(), PERMITTED),
        (&group, &listed, "/BaseState /ON /Intent /View".to_owned(), PERMITTED),
        (&usage("ON", "ON"), &listed, String::new(), PERMITTED),
        // off, in print or on screen alone, or in some viewers
        (&group, &listed, format!("/OFF [{GROUP} 0 R]"), UNKNOWN),
        (&group, &listed, format!("/BaseState /OFF /ON [{GROUP} 0 R]"), UNKNOWN),
        (&usage("ON", "OFF"), &listed, String::new(), UNKNOWN),
        (&usage("OFF", "ON"), &listed, String::new(), UNKNOWN),
        (&group.replace("(L)", "(L) /Usage << /Zoom << /min 4 >> >>"), &listed, String::new(), UNKNOWN),
        (&group.replace("(L)", "(L) /Intent /Design"), &listed, String::new(), UNKNOWN),
        (&group, &listed, format!("/RBGroups [[{GROUP} 0 R]]"), UNKNOWN),
        (&group, &String::new(), String::new(), UNKNOWN),
        (&format!("<< /Type /OCMD /OCGs {GROUP} 0 R >>"), &listed, String::new(), UNKNOWN),
    ] {
        let catalog = format!("/OCProperties << {listed} /D << {configuration} >> >>");
        let layer = format!("/OC {GROUP} 0 R");
        let document = form(text("name", &layer), &Pdf::new(1).with(GROUP, group.as_str()), &catalog, "");
        let answer = integrity(document.clone(), &filled(&layer));
        assert_eq!(answer.verdict, expected, "{group} {catalog}: {} {:#?}", answer.summary, answer.signals);
        // the update switches it off itself, or has another one
        let off = filled(&layer).with(GROUP, usage("OFF", "ON"));
        assert_ne!(integrity(document.clone(), &off).verdict, PERMITTED, "{group}");
        assert_ne!(integrity(document, &filled("/OC 511 0 R")).verdict, PERMITTED, "{group}");
    }
}

/// As MuPDF draws a value in a font that it embeds.
#[test]
fn a_text_that_is_turned_twice_is_upright() {
    let flipped = "BT /Helv 10 Tf 1 0 0 -1 2 14 Tm (Bob) Tj ET";
    for (content, expected) in [
        (format!("q 1 0 0 -1 0 20 cm q 2 2 96 40 re W n {flipped} Q Q"), PERMITTED),
        (format!("q 1 0 0 -1 0 20 cm {} Q", flipped.replacen("1 0 0 -1", "1 0 0 1", 1)), UNKNOWN),
        (flipped.to_owned(), UNKNOWN),
        (format!("q -1 0 0 -1 100 20 cm {flipped} Q"), UNKNOWN),
    ] {
        let document = form(text("name", ""), &Pdf::new(1), "", "");
        let answer = integrity(document, &filled("").with(LOOK, drawn(&content)));
        let is_expected = answer.verdict == expected || expected == UNKNOWN && answer.verdict == CHANGED;
        assert!(is_expected, "{content}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As PDF.js writes a choice field in which nothing was chosen.
#[test]
fn a_list_of_an_empty_text_shows_nothing() {
    let choice =
        |entries: &str| text("name", entries).replacen("/FT /Tx", "/FT /Ch /Ff 131072 /Opt [(Austria) (Belgium)]", 1);
    for (value, content, expected) in [
        ("[()]", "/Tx BMC q Q EMC", PERMITTED),
        ("()", "/Tx BMC q Q EMC", PERMITTED),
        ("[()]", "BT /Helv 10 Tf 2 2 Td (Belgium) Tj ET", UNKNOWN),
        ("[(Belgium)]", "/Tx BMC q Q EMC", UNKNOWN),
    ] {
        let document = form(choice(""), &Pdf::new(1), "", "");
        let changes = Pdf::changes().with(FIELD, choice(&format!("/V {value} /AP << /N {LOOK} 0 R >>")));
        let answer = integrity(document, &changes.with(LOOK, drawn(content)));
        let is_expected = answer.verdict == expected || expected == UNKNOWN && answer.verdict == CHANGED;
        assert!(is_expected, "{value} {content}: {} {:#?}", answer.summary, answer.signals);
    }
}

const SIGNED_TEMPLATE: &str = "<template><subform name='form1' layout='x'><field name='name'/></subform></template>";

fn data(fields: &str) -> String {
    format!("<xfa:datasets xmlns:xfa='u'><xfa:data><form1>{fields}</form1></xfa:data></xfa:datasets>")
}

/// A form with XFA beside its fields.
fn hybrid(names: [&str; 2]) -> SignedPdf {
    let more = Pdf::new(1).with_stream(DATA, "", data("<name/><code/>").as_bytes()).with_stream(
        TEMPLATE,
        "",
        SIGNED_TEMPLATE.as_bytes(),
    );
    let [one, other] = names;
    form(text("name", ""), &more, "", &format!("] /XFA [({one}) {TEMPLATE} 0 R ({other}) {DATA} 0 R"))
}

/// Data that equals the values of the fields is part of filling in; the same XML in another spelling changes nothing.
#[test]
fn data_of_xfa_is_filled_in_with_the_fields() {
    let filled_data = data("<name>Bob</name><code></code>");
    let respelled = SIGNED_TEMPLATE.replace("name='form1' layout='x'", "layout=\"x\"  name=\"form1\"");
    let respelled = respelled.replace("<field name='name'/>", "<field name='name'></field>");
    for (data, template, expected) in [
        (filled_data.clone(), None, PERMITTED),
        (filled_data.clone(), Some(respelled.clone()), PERMITTED),
        // another value, one for another field, another form
        (data("<name>Bob 9,250.00</name><code/>"), None, UNKNOWN),
        (data("<name>Bob</name><code>Bob</code>"), None, UNKNOWN),
        (data("<name>Bob</name><total>Bob</total>"), None, UNKNOWN),
        (data("<name>Bob</name><code/><total>9</total>"), None, UNKNOWN),
        (filled_data.clone(), Some(respelled.replace("<field", "<draw/><field")), UNKNOWN),
        (filled_data.replace("<form1>", "<form1><!-- 1 -->"), None, UNKNOWN),
    ] {
        let document = hybrid(["template", "datasets"]);
        // as PDF.js writes it
        let mut changes = filled("").with_stream(DATA, "/Type /EmbeddedFile", data.as_bytes());
        if let Some(template) = &template {
            changes = changes.with_stream(TEMPLATE, "", template.as_bytes());
        }
        let answer = integrity(document.clone(), &changes);
        assert_eq!(answer.verdict, expected, "{data}: {} {:#?}", answer.summary, answer.signals);
        // as iText writes it
        let mut document = document;
        let template = template.as_deref().unwrap_or(SIGNED_TEMPLATE);
        let changes =
            filled("").with_stream(NEW_DATA, "", data.as_bytes()).with_stream(NEW_TEMPLATE, "", template.as_bytes());
        document.fields = document.fields.replace(&format!("{DATA} 0 R"), &format!("{NEW_DATA} 0 R"));
        document.fields = document.fields.replace(&format!("{TEMPLATE} 0 R"), &format!("{NEW_TEMPLATE} 0 R"));
        let changes = document.with_catalog(changes);
        let answer = integrity(document, &changes);
        assert_eq!(answer.verdict, expected, "{data}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Other data of the same stream: a file beside it, or the line end behind it.
#[test]
fn a_packet_is_the_data_of_its_stream() {
    let length = SIGNED_TEMPLATE.len();
    let written = |entries: &str| format!("<< {entries} >>\nstream\n{SIGNED_TEMPLATE}\nendstream");
    for (entries, expected) in [
        (format!("/Length {length} /Type /EmbeddedFile"), PERMITTED),
        (format!("/Length {length} /F (other.xml)"), UNKNOWN),
        (format!("/Length {}", length + 1), UNKNOWN),
    ] {
        let changes = filled("").with_stream(DATA, "", data("<name>Bob</name><code/>").as_bytes());
        let answer = integrity(hybrid(["template", "datasets"]), &changes.with(TEMPLATE, written(&entries)));
        assert_eq!(answer.verdict, expected, "{entries}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// A field that a signature locks may not be filled in, others may: the data says which.
#[test]
fn data_of_xfa_is_judged_by_the_fields_that_it_fills() {
    let lock = |field: &str| Signing {
        field_entries: format!("/Lock << /Type /SigFieldLock /Action /Include /Fields [({field})] >>"),
        ..Signing::by(Key::Ed25519)
    };
    for (locked, expected) in [("code", false), ("name", true)] {
        let mut document = hybrid(["template", "datasets"]);
        document = document.signed(&lock(locked).field("Second"));
        let changes = filled("").with_stream(DATA, "", data("<name>Bob</name><code/>").as_bytes());
        let answer = integrity(document, &changes);
        let is_accused = answer.signals.iter().any(|signal| signal.id == SignalId::ForbiddenChangeAfterSigning);
        assert_eq!(is_accused, expected, "{locked}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// What a value depends on, or is reset to, is filled in with it: the value is what the signature is asked about.
#[test]
fn a_value_is_reported_whatever_else_of_the_field_differs() {
    let empty = |entries: &str| text("name", &format!("/V (Al) {entries}"));
    let shown = format!("/V (Al) /AP << /N {LOOK} 0 R >>");
    for (before, after) in [
        (empty(""), text("name", "/V (Bob)").replacen("10 Tf", "11 Tf", 1)),
        (empty("/DV (Al)"), text("name", "/DV (Bob) /V (Bob)")),
        (text("name", &shown), text("name", "/V (Bob)").replacen("10 Tf", "11 Tf", 1)),
        (empty(""), text("name", "/V (Bob)").replacen("/DA (/Helv 10 Tf)", "/DA (/Helv 11 Tf) /DV (Bob)", 1)),
    ] {
        for (level, expected) in [(2, PERMITTED), (1, CHANGED)] {
            let pdf = Pdf::new(1).with(LOOK, look("Al"));
            let mut document = SignedPdf::new(&pdf.with(FIELD, &before).with(FIRST_PAGE, page(FIELD)));
            document.fields = format!("{FIELD} 0 R");
            let document = document.signed(&Signing::by(Key::Ed25519).certifying(level));
            let answer = integrity(document, &Pdf::changes().with(FIELD, &after));
            assert_eq!(answer.verdict, expected, "{after} {level}: {} {:#?}", answer.summary, answer.signals);
            let is_told = answer
                .signals
                .iter()
                .flat_map(|signal| &signal.evidence)
                .any(|place| place.before.as_deref() == Some("Al") && place.after.as_deref() == Some("Bob"));
            assert!(is_told, "{after} {level}: {:#?}", answer.signals);
        }
        let unsigned = Pdf::new(1).with(LOOK, look("Al")).with(FIELD, &before).with(FIRST_PAGE, page(FIELD));
        let unsigned = unsigned.catalog(&format!("/AcroForm << /Fields [{FIELD} 0 R] >>"));
        let answer = metadata(&Pdf::changes().with(FIELD, &after).update(unsigned.classic())).integrity;
        assert_eq!(answer.verdict, Verdict::Changed, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Readers of PDF 1.7 take both encodings for PDFDocEncoding.
#[test]
fn a_value_in_an_encoding_that_some_readers_do_not_know_is_inconclusive() {
    let value = |value: &str| text("name", &format!("/V {value}"));
    for (before, after) in [
        (value("()"), value("<efbbbf4dfc6c6c6572>")),
        (value("(M\\374ller)"), value("<efbbbf4dc3bc6c6c6572>")),
        (value("(M\\374ller)"), value("<fffe4d00fc006c006c0065007200>")),
    ] {
        let answer = integrity(form(before, &Pdf::new(1), "", ""), &Pdf::changes().with(FIELD, &after));
        assert_eq!(answer.verdict, UNKNOWN, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// Some viewers encode a value as the font says, and draw no letter that it lacks.
#[test]
fn a_letter_that_the_font_s_encoding_lacks_is_not_drawn_alike() {
    for (encoding, expected) in [("/Encoding /WinAnsiEncoding", PERMITTED), ("", UNKNOWN)] {
        let font = format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {encoding} >>");
        let resources = format!("] /DR << /Font << /Helv {DATA} 0 R >> >> /PTEX.Unused [");
        let form = form(text("name", ""), &Pdf::new(1).with(DATA, font), "", &resources);
        let answer = integrity(form, &Pdf::changes().with(FIELD, text("name", "/V (M\\374ller)")));
        assert_eq!(answer.verdict, expected, "{encoding}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// A widget that viewers draw may have a value of its own, which only some of them show (12.7.3.2).
#[test]
fn a_widget_with_another_value_than_its_field_is_inconclusive() {
    let group = format!("<< /FT /Tx /T (group) /Kids [{FIELD} 0 R] /DA (/Helv 10 Tf) /V (1) >>");
    let kid = |value: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /Parent {GROUP} 0 R /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R {value} >>"
        )
    };
    let pdf = Pdf::new(1).with(GROUP, group).with(FIELD, kid("")).with(FIRST_PAGE, page(FIELD));
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{GROUP} 0 R");
    let document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
    let answer = integrity(document, &Pdf::changes().with(FIELD, kid("/V (9)")));
    assert_eq!(answer.verdict, UNKNOWN, "{} {:#?}", answer.summary, answer.signals);
}
