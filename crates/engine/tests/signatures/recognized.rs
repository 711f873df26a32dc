//! What follows a signature is clean if it is recognized, changed if a difference can be seen, and inconclusive otherwise:
//! each kind of both with the same builder, so that no row is won by losing another.

use engine::{Integrity, Verdict};
use samples::pdf::{CATALOG, FIRST_PAGE, PAGES, Pdf};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const CONTENT: u32 = 500;
const NOTE: u32 = 510;
const FIELD: u32 = 520;
const LOOK: u32 = 521;
/// Resources, an image form and what else pages draw with.
const RESOURCES: u32 = 530;
const FORM: u32 = 531;
const FREE: u32 = 900;
const FONT: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

const UNCHANGED: Verdict = Verdict::UnchangedSinceSigning;
const PERMITTED: Verdict = Verdict::PermittedChangesSinceSigning;
const CHANGED: Verdict = Verdict::ChangedSinceSigning;
const UNKNOWN: Verdict = Verdict::Undetermined;

fn integrity(file: &[u8]) -> Integrity {
    metadata(file).integrity
}

fn page(entries: &str) -> String {
    format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R /Resources {RESOURCES} 0 R \
         /Annots [{NOTE} 0 R {FIELD} 0 R] {entries} >>"
    )
}

fn note(entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Text /Rect [500 800 520 820] /F 2 /Contents (Seen) {entries} >>")
}

fn look(text: &str) -> Vec<u8> {
    let content = format!("BT /Helv 10 Tf 2 5 Td ({text}) Tj ET");
    let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    samples::pdf::stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

fn field(entries: &str) -> String {
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [72 500 172 520] /P {FIRST_PAGE} 0 R \
         /AP << /N {LOOK} 0 R >> {entries} >>"
    )
}

/// An invoice with a note and a field, and these objects besides.
fn invoice(others: impl FnOnce(Pdf) -> Pdf) -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(""))
        .with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET /M Do")
        .with(RESOURCES, format!("<< {FONT} /XObject << /M {FORM} 0 R >> >>"))
        .with(FORM, look("Paid"))
        .with(NOTE, note(""))
        .with(FIELD, field("/V (1.00)"))
        .with(LOOK, look("1.00"));
    let mut document = SignedPdf::new(&others(pdf));
    document.fields = format!("{FIELD} 0 R");
    document
}

fn signed(level: u8) -> SignedPdf {
    invoice(|pdf| pdf).signed(&Signing::by(Key::Ed25519).certifying(level))
}

/// The verdict after these changes.
fn after(level: u8, changes: &Pdf) -> Verdict {
    integrity(&signed(level).updated(changes).file).verdict
}

#[test]
fn private_keys_are_housekeeping_and_unknown_ones_accuse_nobody() {
    for (entries, expected) in [
        ("/ITXT (2.1.7)", UNCHANGED),
        ("/PTEX.Fullbanner (pdfTeX)", UNCHANGED),
        ("/ACME_State << /A 900 0 R >>", UNCHANGED),
        ("/PieceInfo << /App << /Private 1 >> >> /LastModified (D:20260101)", UNCHANGED),
        ("/Unheard 1", UNKNOWN),
        // some viewers read a key up to its first NUL, or its first 127 bytes
        ("/Contents#00_x 900 0 R", UNKNOWN),
        (&format!("/A{}_ 1", "a".repeat(130)), UNKNOWN),
    ] {
        let changes = Pdf::changes().with(FIRST_PAGE, page(entries)).with(FREE, "<< >>");
        assert_eq!(after(1, &changes), expected, "{entries}");
    }
}

#[test]
fn an_entry_that_pages_inherit_says_something() {
    for (entries, expected) in
        [("/CropBox null", UNKNOWN), ("/CropBox 907 0 R", UNKNOWN), ("/Rotate 90", CHANGED), ("/Rotate 0", UNCHANGED)]
    {
        assert_eq!(after(1, &Pdf::changes().with(FIRST_PAGE, page(entries))), expected, "{entries}");
    }
}

#[test]
fn an_object_has_one_role() {
    // a note that is the page's XObject resources, too: a date that says when it was changed is what the page draws
    let base = invoice(|pdf| {
        pdf.with(RESOURCES, format!("<< {FONT} /XObject {NOTE} 0 R >>")).with(NOTE, note(&format!("/M {FORM} 0 R")))
    });
    let signed = base.signed(&Signing::by(Key::Ed25519).certifying(1));
    let changes = Pdf::changes().with(NOTE, note(&format!("/M {FREE} 0 R"))).with(FREE, look("Void"));
    let answer = integrity(&signed.clone().updated(&changes).file);
    assert_eq!(answer.verdict, CHANGED, "{:#?}", answer.signals);
    // the same without anything that is seen
    let quiet = Pdf::changes().with(NOTE, note(&format!("/M {FORM} 0 R /NM (a)")));
    let answer = integrity(&signed.updated(&quiet).file);
    assert!(matches!(answer.verdict, UNKNOWN | CHANGED), "{:#?}", answer.signals);
}

/// As Illustrator names pages, Web Capture lists those of a site (14.10.4), and Acrobat grants rights to a catalog.
#[test]
fn a_page_has_one_role_though_others_name_it() {
    let rewritten = |catalog: &str, names: &str, entries: &str| {
        let mut document = invoice(|pdf| pdf.with(FREE + 1, names));
        document.catalog = format!("{catalog} /Names {} 0 R", FREE + 1);
        let document = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let page = page(entries).replace("/Annots [", &format!("/Annots [{FREE} 0 R "));
        let changes = document.with_catalog(Pdf::changes().with(FIRST_PAGE, page).with(FREE, note("")));
        let answer = integrity(&document.updated(&changes).file);
        (answer.verdict, answer.summary)
    };
    let set = "/Type /SpiderContentSet /S /SPS";
    for (catalog, names, expected) in [
        ("", "/Pages << /Names [(Order) PAGE] >>", PERMITTED),
        ("", &format!("/IDS << /Names [(a) << {set} /O [PAGE] >>] >>"), PERMITTED),
        ("/Perms << /UR3 << /Reference [<< /Data ROOT >>] >> >>", "", PERMITTED),
        ("", "/Pages << /Names [(Order) << /Parent PAGE >>] >>", UNKNOWN),
        ("/Collection << /O PAGE >>", "", UNKNOWN),
        ("/Extensions << /Data ROOT >>", "", UNKNOWN),
    ] {
        let with =
            |text: &str| text.replace("ROOT", &format!("{CATALOG} 0 R")).replace("PAGE", &format!("{FIRST_PAGE} 0 R"));
        let (catalog, names) = (with(catalog), format!("<< {} >>", with(names)));
        let (verdict, summary) = rewritten(&catalog, &names, "");
        assert_eq!(verdict, expected, "{catalog} {names}: {summary}");
        let (verdict, summary) = rewritten(&catalog, &names, "/Rotate 90");
        assert!(matches!(verdict, UNKNOWN | CHANGED), "{catalog} {names}: {summary}");
    }
}

#[test]
fn objects_keep_their_kind() {
    let changes = Pdf::changes().with(NOTE, look("Void"));
    assert!(matches!(after(3, &changes), UNKNOWN | CHANGED));
}

#[test]
fn notes_say_something_and_do_nothing() {
    let added = |entries: &str| {
        let list = page("").replace(&format!("/Annots [{NOTE} 0 R"), &format!("/Annots [{NOTE} 0 R {FREE} 0 R"));
        Pdf::changes().with(FIRST_PAGE, list).with(FREE, format!("<< /Type /Annot /F 4 {entries} >>"))
    };
    let (far, words) = ("/Rect [300 300 400 320]", "/Rect [70 695 180 715]");
    for (entries, expected) in [
        (format!("/Subtype /Square {far} /C [1 0 0]"), PERMITTED),
        (format!("/Subtype /Square {words} /C [1 0 0] /BS << /W 1 >>"), PERMITTED),
        (format!("/Subtype /Square {words} /C [1 1 1] /BS << /W 20 >>"), CHANGED),
        (format!("/Subtype /Circle {words} /IC [1 1 1]"), CHANGED),
        (format!("/Subtype /Line {words} /L [60 704 190 704] /C [1 0 0]"), PERMITTED),
        (format!("/Subtype /Line {words} /L [60 704 190 704] /C [1 1 1] /BS << /W 18 >>"), CHANGED),
        (format!("/Subtype /Ink {words} /InkList [[60 704 190 704]] /C [1 1 1] /Border [0 0 18]"), CHANGED),
        (format!("/Subtype /Highlight {words} /QuadPoints [70 715 180 715 70 695 180 695] /C [1 1 0]"), PERMITTED),
        (format!("/Subtype /Highlight {words} /QuadPoints [70 715 180 715 70 695 180 695] /C [0 0 0]"), CHANGED),
        (format!("/Subtype /Underline {words} /QuadPoints [70 715 180 715 70 695 180 695]"), PERMITTED),
        (format!("/Subtype /Link {far} /A << /S /URI /URI (https://evil.example) >>"), CHANGED),
        (format!("/Subtype /Square {far} /AA << /E << /S /JavaScript /JS (1) >> >>"), CHANGED),
        (format!("/Subtype /Watermark {far}"), UNKNOWN),
        (format!("/Subtype /Square {far} /Unheard 1"), UNKNOWN),
        ("/Subtype /Square /Rect [300 300 (a) 400 320]".to_owned(), UNKNOWN),
    ] {
        assert_eq!(after(3, &added(&entries)), expected, "{entries}");
    }
}

#[test]
fn a_field_shows_its_value_in_the_format_of_the_form() {
    let action = |script: &str| format!("/AA << /F << /S /JavaScript /JS ({script}) >> >>");
    let number = action("AFNumber_Format\\(2, 0, 0, 0, \"EUR \", true\\);");
    for (actions, value, shown, expected) in [
        (&number, "1250.5", "EUR 1,250.50", PERMITTED),
        (&number, "1250.5", "EUR 12,505.00", CHANGED),
        (&number, "1250.5", "EUR 1,250.50 mio", CHANGED),
        (&action("event.value = 1"), "1250.5", "EUR 1,250.50", UNKNOWN),
        // formats that print more or less than the value
        (&action("AFNumber_Format\\(2, 0, 0, 0, \"9\", true\\);"), "250", "9250.00", UNKNOWN),
        (&action("AFNumber_Format\\(2, 0, 1, 0, \"\", true\\);"), "-1250", "1,250.00", UNKNOWN),
        (&action("AFSpecial_Format\\(0\\);"), "1,250.00", "125000", UNKNOWN),
        (&action("AFSpecial_Format\\(2\\);"), "5551234567", "\\(555\\) 123-4567", PERMITTED),
        // white space between words and numbers
        (&String::new(), "We can not pay", "We cannot pay", UNKNOWN),
        (&String::new(), "12 50", "1250", UNKNOWN),
        (&String::new(), "Pay  now", "Pay now", PERMITTED),
        (&String::new(), "12", "12", PERMITTED),
        (&String::new(), "12", "13", CHANGED),
    ] {
        let base = invoice(|pdf| pdf.with(FIELD, field(&format!("/V (1.00) {actions}"))));
        let signed = base.signed(&Signing::by(Key::Ed25519).certifying(2));
        let filled = Pdf::changes().with(FIELD, field(&format!("/V ({value}) {actions}"))).with(LOOK, look(shown));
        let answer = integrity(&signed.updated(&filled).file);
        assert_eq!(answer.verdict, expected, "{actions} {value} {shown}: {:#?}", answer.signals);
    }
    // a value alone, which the field does not show
    let alone = integrity(&signed(2).updated(&Pdf::changes().with(FIELD, field("/V (9.00)"))).file);
    assert_eq!(alone.verdict, UNKNOWN, "{:#?}", alone.signals);
    assert!(alone.summary.contains("shows something else than its value"), "{}", alone.summary);
}

#[test]
fn the_view_that_a_document_opens_with_accuses_nobody() {
    for (entries, expected) in [("/PageMode /UseAttachments", UNCHANGED), ("/PageMode /FullScreen", UNKNOWN)] {
        let mut document = signed(1);
        document.catalog = entries.to_owned();
        let changes = document.with_catalog(Pdf::changes());
        let answer = integrity(&changes.update(document.file.clone()));
        assert_eq!(answer.verdict, expected, "{entries}: {:#?}", answer.signals);
    }
    assert_eq!(after(1, &Pdf::changes().with(FREE, "<< /Nobody /Reaches >>")), UNCHANGED);
}

#[test]
fn what_continues_a_signed_line_is_quoted() {
    let stamp = |left: u32| {
        let list = page("").replace(&format!("/Annots [{NOTE} 0 R"), &format!("/Annots [{NOTE} 0 R {FREE} 0 R"));
        let rectangle = format!("/Rect [{left} 695 {} 715]", left + 100);
        Pdf::changes()
            .with(FIRST_PAGE, list)
            .with(FREE, format!("<< /Type /Annot /Subtype /Stamp /F 4 {rectangle} /AP << /N {} 0 R >> >>", FREE + 1))
            .with(FREE + 1, look("000"))
    };
    let beside = integrity(&signed(3).updated(&stamp(150)).file);
    assert_eq!(beside.verdict, UNKNOWN, "{:#?}", beside.signals);
    assert!(beside.summary.contains("“000” was added on the line of"), "{}", beside.summary);
    assert_eq!(after(3, &stamp(400)), PERMITTED);
}

#[test]
fn an_appearance_says_another_word_only_with_another_value() {
    let filled = |pdf: Pdf| pdf.with(FIELD, field("/V (9.00)"));
    for (shown, changes, expected) in [
        // the signed appearance contradicted the value
        (look("1.00"), Pdf::changes().with(LOOK, look("9.00")), CHANGED),
        (look("1.00"), filled(Pdf::changes()).with(FIELD, field("/V (9.00 .)").replace("/AP", "/ITXT")), UNKNOWN),
        (look("1.00"), Pdf::changes().with(FIELD, field("/V (9.00) /I [0]").replace("/AP", "/ITXT")), CHANGED),
        // it showed nothing, so that the value comes to show
        (
            samples::pdf::stream("/Subtype /Form /BBox [0 0 100 20]", b""),
            filled(Pdf::changes()).with(LOOK, look("9.00")),
            UNKNOWN,
        ),
        (look("9.00"), Pdf::changes().with(LOOK, [b"".as_slice(), &look(" 9.00")].concat()), PERMITTED),
    ] {
        let signed = invoice(|pdf| filled(pdf).with(LOOK, shown)).signed(&Signing::by(Key::Ed25519).certifying(2));
        let answer = integrity(&signed.updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn a_field_that_was_not_filled_in_is_drawn_again_as_it_was() {
    let drawn = |flags: &str, shown: &[u8]| {
        let entries = format!("/V (9.00) {flags}");
        let signed = invoice(|pdf| pdf.with(FIELD, field(&entries)).with(LOOK, look("9.00")));
        let signed = signed.signed(&Signing::by(Key::Ed25519).certifying(2));
        integrity(&signed.updated(&Pdf::changes().with(LOOK, shown)).file)
    };
    let spaced = [b"".as_slice(), &look(" 9.00")].concat();
    let moved = String::from_utf8_lossy(&look("9.00")).replace(" Td", " TD").into_bytes();
    for (flags, shown, expected) in
        [("", &spaced, PERMITTED), ("/Ff 1", &moved, PERMITTED), ("/Ff 1", &spaced, UNKNOWN)]
    {
        let answer = drawn(flags, shown);
        assert_eq!(answer.verdict, expected, "{flags} {} {:#?}", answer.summary, answer.signals);
        assert!(!answer.summary.contains("filled in"), "{}", answer.summary);
        let reason = if expected == UNKNOWN { "is drawn differently" } else { "drawn again with the same values" };
        assert!(answer.summary.contains(reason), "{}", answer.summary);
    }
}

#[test]
fn a_read_only_field_is_calculated_from_others() {
    let part = |value: &str| {
        let place = "/Rect [300 500 400 520]";
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Part) {place} /P {FIRST_PAGE} 0 R /V ({value}) >>")
    };
    let sum = "AFSimple_Calculate\\(\"SUM\", new Array \\(\"Part\"\\)\\);";
    for (script, amount, value, expected) in [
        (sum, "300", "300.00", PERMITTED),
        (sum, "300", "9300.00", CHANGED),
        // nothing was filled in
        (sum, "1.00", "9300.00", CHANGED),
        ("event.value = 9300", "300", "9300.00", UNKNOWN),
        ("", "300", "300.00", CHANGED),
    ] {
        let action = format!("/Ff 1 /AA << /C << /S /JavaScript /JS ({script}) >> >>");
        let action = if script.is_empty() { "/Ff 1" } else { &action };
        let mut document = invoice(|pdf| {
            let page = page("").replace("/Annots [", &format!("/Annots [{FREE} 0 R "));
            pdf.with(FIRST_PAGE, page).with(FIELD, field(&format!("/V (1.00) {action}"))).with(FREE, part("1.00"))
        });
        document.fields = format!("{FIELD} 0 R {FREE} 0 R] /CO [{FIELD} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = Pdf::changes().with(FIELD, field(&format!("/V ({value}) {action}")));
        let changes = changes.with(LOOK, look(value)).with(FREE, part(amount));
        let answer = integrity(&signed.updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{script} {value} {:#?}", answer.signals);
    }
}

#[test]
fn a_filled_value_is_one_that_the_form_offers_and_the_only_one_of_its_name() {
    let list =
        |value: &str| field(&format!("/V ({value})")).replace("/FT /Tx", "/FT /Ch /Ff 131072 /Opt [(1.00) (2.00)]");
    let twin = |value: &str| {
        let place = "/Rect [300 500 400 520]";
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) {place} /P {FIRST_PAGE} 0 R /V ({value}) >>")
    };
    let alone: fn(Pdf, String) -> Pdf = |pdf, _| pdf;
    let with: fn(Pdf, String) -> Pdf = |pdf, twin| pdf.with(FREE, twin);
    for (before, after, shown, [old, new], expected) in [
        (list("1.00"), list("2.00"), "2.00", [alone, alone], PERMITTED),
        (list("1.00"), list("9.00"), "9.00", [alone, alone], UNKNOWN),
        (field("/V (1.00)"), field("/V (2.00)"), "2.00", [with, with], PERMITTED),
        (field("/V (1.00)"), field("/V (2.00)"), "2.00", [with, alone], UNKNOWN),
    ] {
        let mut document = invoice(|pdf| old(pdf.with(FIELD, before), twin("1.00")));
        document.fields = format!("{FIELD} 0 R {FREE} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let changes = new(Pdf::changes().with(FIELD, after).with(LOOK, look(shown)), twin("2.00"));
        let answer = integrity(&signed.updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{shown} {:#?}", answer.signals);
    }
}

#[test]
fn resources_that_an_appearance_shares_with_the_form_stay_as_signed() {
    let resources = |form: u32| format!("<< {FONT} /XObject << /M {form} 0 R >> >>");
    let shares = |own: &str| {
        let content = samples::pdf::stream(&format!("/Subtype /Form /BBox [0 0 100 20] {own}"), b"/M Do");
        let note = note(&format!("/AP << /N {} 0 R >>", FREE + 1)).replace("/F 2", "/F 4");
        (note, content)
    };
    let (shared, own) = (format!("/Resources {} 0 R", FREE + 2), format!("/Resources {}", resources(FORM)));
    for (own, expected) in [(&shared, UNKNOWN), (&own, PERMITTED)] {
        let (note, content) = shares(own);
        let mut document = invoice(|pdf| pdf.with(NOTE, note).with(FREE + 1, content).with(FREE + 2, resources(FORM)));
        document.fields = format!("{FIELD} 0 R] /DR {} 0 R /X [0", FREE + 2);
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(3));
        let changes = Pdf::changes().with(FREE + 2, resources(FREE)).with(FREE, look("Void"));
        let answer = integrity(&signed.updated(&changes).file);
        assert!(answer.verdict == expected || expected == UNKNOWN && answer.verdict == CHANGED, "{own} {answer:#?}");
    }
}
