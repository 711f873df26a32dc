//! What honest software does after signing, and what is said of it; and what is said where it is not honest, in the right
//! words and once.

use engine::{After, Evidence, ExaminedRevisions, Integrity, Options, Outcome, SignalId, Verdict, analyze};
use samples::builds::signed_again;
use samples::pdf::{CATALOG, FIRST_PAGE, Form, INFO, PAGES, Pdf};
use samples::section::Section;
use samples::signed::{Certificate, Cms, Key, SignedPdf, Signing, field_number};

use crate::remote::Remote;
use crate::support::metadata;

/// A text field on the first page.
const FIELD: u32 = 500;
const LOOK: u32 = 501;

fn integrity(file: &[u8]) -> Integrity {
    metadata(file).integrity
}

fn evidence(integrity: &Integrity, id: SignalId) -> &[Evidence] {
    integrity.signals.iter().find(|signal| signal.id == id).map_or(&[], |signal| &signal.evidence)
}

fn field(entries: &str) -> String {
    format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /Rect [72 600 172 620] /P {FIRST_PAGE} 0 R \
         /AP << /N {LOOK} 0 R >> {entries} >>"
    )
}

fn look(text: &str) -> Vec<u8> {
    let content = format!("BT /Helv 10 Tf 2 2 Td ({text}) Tj ET");
    let resources = "/Resources << /Font << /Helv << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    samples::pdf::stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 100 20] {resources}"), content.as_bytes())
}

fn page(annotations: &str) -> String {
    format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Annots [{annotations}] >>")
}

/// A form with one field, which is filled in, signed at this level.
fn form(level: u8) -> SignedPdf {
    form_signed(&Signing::by(Key::Ed25519).certifying(level))
}

fn form_signed(signing: &Signing) -> SignedPdf {
    form_before_signing().signed(signing)
}

fn form_before_signing() -> SignedPdf {
    let pdf = Pdf::new(1)
        .with(FIRST_PAGE, page(&format!("{FIELD} 0 R")))
        .with(FIELD, field("/V (Ann)"))
        .with(LOOK, look("Ann"));
    let mut document = SignedPdf::new(&pdf);
    document.fields = format!("{FIELD} 0 R");
    document
}

#[test]
fn a_bookmark_that_points_into_the_tags_makes_them_no_bookmark() {
    let pdf = Pdf::new(1)
        .with(600, "<< /Type /Outlines /First 601 0 R /Last 601 0 R /Count 1 >>")
        .with(601, format!("<< /Title (One) /Parent 600 0 R /Dest [{FIRST_PAGE} 0 R /Fit] /SE 603 0 R >>"))
        .with(602, "<< /Type /StructTreeRoot /K 603 0 R >>")
        .with(603, "<< /Type /StructElem /S /P /P 602 0 R >>");
    let mut document = SignedPdf::new(&pdf);
    document.catalog = "/Outlines 600 0 R /StructTreeRoot 602 0 R".to_owned();
    let signed = document.signed(&Signing::by(Key::Ed25519));
    let retagged = signed.clone().updated(&Pdf::changes().with(603, "<< /Type /StructElem /S /H1 /P 602 0 R >>"));
    assert_eq!(integrity(&signed.updated(&Pdf::changes()).file).verdict, Verdict::UnchangedSinceSigning);
    let answer = integrity(&retagged.file);
    // an element that was tagged otherwise is no tag that goes with a signature
    assert_eq!(answer.verdict, Verdict::Undetermined, "{:#?}", answer.signals);
    let places = evidence(&answer, SignalId::DocumentChanged);
    let told =
        places.iter().filter(|place| place.place.as_deref() == Some("StructTreeRoot") && place.revision == Some(3));
    assert_eq!(told.count(), 1, "{places:#?}");
}

#[test]
fn a_field_that_was_filled_in_may_be_closed() {
    let changes = Pdf::changes().with(FIELD, field("/V (Bob) /Ff 1")).with(LOOK, look("Bob"));
    let answer = integrity(&form(2).updated(&changes).file);
    assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", answer.signals);
    let places = evidence(&answer, SignalId::PermittedChangeAfterSigning).iter();
    assert!(places.filter_map(|place| place.place.as_deref()).any(|place| place == "Name /V"));
}

#[test]
fn a_look_that_no_longer_says_the_value_is_no_filling_in() {
    let answer = integrity(&form(2).updated(&Pdf::changes().with(LOOK, look("Mallory"))).file);
    assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{:#?}", answer.signals);
    assert!(answer.summary.starts_with("On page 1, 'Ann' became 'Mallory'"), "{}", answer.summary);
    let told = Pdf::changes().with(FIELD, field("/V (Mallory)")).with(LOOK, look("Mallory"));
    assert_eq!(integrity(&form(2).updated(&told).file).verdict, Verdict::PermittedChangesSinceSigning);
}

/// A form whose field was filled in: the update has these objects beside the field, which refers to the appearance and
/// the value as it says here.
fn filled(entries: &str, bodies: &[(u32, u16, Vec<u8>)]) -> Integrity {
    integrity(&filled_file(entries, bodies))
}

fn filled_file(entries: &str, bodies: &[(u32, u16, Vec<u8>)]) -> Vec<u8> {
    let field = field("").replace(&format!("/AP << /N {LOOK} 0 R >>"), entries);
    let section = Section {
        trailer: format!("/Root {CATALOG} 0 R /Info {INFO} 0 R"),
        bodies: [&[(FIELD, 0, field.into_bytes())], bodies].concat(),
        ..Section::default()
    };
    section.write(form(2).file, Form::Table)
}

#[test]
fn an_object_that_nothing_refers_to_any_more_may_have_any_generation() {
    let bodies = [(LOOK, 1, look("Mallory")), (LOOK + 1, 0, look("Bob"))];
    let answer = filled(&format!("/V (Bob) /AP << /N {} 0 R >>", LOOK + 1), &bodies);
    assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", answer.signals);
    let forged = filled(&format!("/V (Bob) /AP << /N {LOOK} 0 R >>"), &bodies);
    assert_eq!(forged.verdict, Verdict::ChangedSinceSigning, "{:#?}", forged.signals);
}

/// Two signers in one value, of whom PDF permits one.
#[test]
fn what_a_signature_permits_is_no_change_though_it_cannot_be_checked() {
    let by = |name: &str| Cms::new(Certificate::self_signed(Key::Ed25519, name));
    let cms = Cms { further: Some(Box::new(by("Bob Other"))), ..by("Ann Signer") };
    let filled = Pdf::changes().with(FIELD, field("/V (Bob)")).with(LOOK, look("Bob"));
    let signed = form_signed(&Signing::new(cms.clone()).certifying(2)).updated(&filled);
    let answer = integrity(&signed.file);
    assert_eq!(answer.verdict, Verdict::Undetermined, "{:#?}", answer.signals);
    let redrawn = Pdf::changes().with(LOOK, look("Mallory"));
    let answer = integrity(&form_signed(&Signing::new(cms.clone()).certifying(2)).updated(&redrawn).file);
    assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{}", answer.summary);
    // before the signature
    let mut document = form_before_signing();
    document.file = filled.update(document.file);
    let answer = integrity(&document.signed(&Signing::new(cms)).file);
    assert_eq!(answer.verdict, Verdict::Changed, "{}", answer.summary);
}

#[test]
fn a_number_that_was_freed_may_be_used_again() {
    let bodies = [(LOOK, 1, b"(Bob)".to_vec()), (LOOK + 1, 0, look("Bob"))];
    let answer = filled(&format!("/V {LOOK} 1 R /AP << /N {} 0 R >>", LOOK + 1), &bodies);
    assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", answer.signals);
    // viewers that mind generations find no value
    let forged = filled(&format!("/V {LOOK} 0 R /AP << /N {} 0 R >>", LOOK + 1), &bodies);
    assert_eq!(forged.verdict, Verdict::Undetermined, "{:#?}", forged.signals);
}

/// As pdfsig raises the generation of an empty look, before others save the file.
#[test]
fn a_raised_generation_is_read_alike_whatever_is_saved_later() {
    let bodies = [(LOOK, 1, look("Bob"))];
    for form in [Form::Table, Form::Stream] {
        let saved = |generation: u16| {
            let file = filled_file(&format!("/V (Bob) /AP << /N {LOOK} {generation} R >>"), &bodies);
            integrity(&Pdf::changes().with(900, "<< /Note (nothing leads here) >>").update_as(file, form))
        };
        let answer = saved(1);
        assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{form:?}: {:#?}", answer.signals);
        // viewers that mind generations find none
        let forged = saved(0);
        assert_eq!(forged.verdict, Verdict::Undetermined, "{form:?}: {:#?}", forged.signals);
    }
}

#[test]
fn a_widget_need_not_say_whose_it_is() {
    let mut signed = form(2);
    signed.fields = format!("{FIELD} 0 R 510 0 R");
    let changes = Pdf::changes()
        .with(FIRST_PAGE, page(&format!("{FIELD} 0 R 511 0 R")))
        .with(510, "<< /FT /Sig /T (Second) /Kids [511 0 R] >>")
        .with(511, "<< /Type /Annot /Subtype /Widget /Rect [72 72 172 92] >>");
    let answer = integrity(&signed.with_catalog(changes).update(signed.file.clone()));
    assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", answer.signals);
    let places = evidence(&answer, SignalId::PermittedChangeAfterSigning);
    assert!(places.iter().all(|place| place.place.as_deref() == Some("Second")), "{places:#?}");
}

#[test]
fn megabytes_of_validation_data_are_read_from_afar() {
    let signed = form(1);
    let list = vec![b'x'; 3_300_000];
    let changes = signed.with_catalog(Pdf::changes()).with_stream(900, "", &list);
    let dss = "<< /Type /DSS /CRLs [900 0 R] >>";
    let mut document = signed.clone();
    document.catalog = format!("/DSS {dss}");
    let file = document.with_catalog(changes).update(signed.file.clone());
    let near = integrity(&file);
    assert_eq!(near.verdict, Verdict::UnchangedSinceSigning, "{:#?}", near.signals);
    let far = analyze(&Remote(&file), &Options::default()).expect("the file opens").integrity;
    assert_eq!((far.verdict, far.examined.revisions), (near.verdict, ExaminedRevisions::All));
}

#[test]
fn many_saves_and_signatures_are_read() {
    let mut document = SignedPdf::new(&Pdf::new(1));
    for number in 0..25 {
        let signing = Signing { room: 18_000, ..Signing::by(Key::Ed25519).field(&format!("S{number}")) };
        document = document.signed(&signing).updated(&Pdf::changes());
    }
    assert!(document.file.len() > 900_000);
    let answer = integrity(&document.file);
    assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{:#?}", answer.because);
    assert_eq!((answer.signatures.len(), answer.revisions.len()), (25, 50));
}

#[test]
fn a_number_that_leads_to_another_object_is_inconclusive_with_its_place() {
    let signed = SignedPdf::new(
        &Pdf::new(1)
            .with(FIRST_PAGE, format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] /Contents 510 0 R >>"))
            .with_stream(510, "", b"q Q"),
    )
    .signed(&Signing::by(Key::Ed25519));
    let mut file = Pdf::changes().with_stream(510, "", b"q Q").update(signed.file);
    // the entry of object 510 now leads to what stands there under another number
    let at = file.windows(9).rposition(|window| window == b"510 0 obj").expect("it is there");
    file[at] = b'6';
    let answer = integrity(&file);
    assert_eq!(answer.verdict, Verdict::Undetermined, "{:#?}", answer.signals);
    let what = "It is inconclusive whether the file was changed: object 510 cannot be read.";
    assert_eq!(answer.summary, what);
}

#[test]
fn content_that_calls_itself_a_cross_reference_is_content() {
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents 510 0 R >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, &page).with_stream(510, "", b"0 0 9 9 re f");
    let signed = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519));
    for entries in ["/Type /XRef", "/Type /ObjStm"] {
        let changes = Pdf::changes().with_stream(510, entries, b"0 0 400 400 re f");
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{entries} {:#?}", answer.signals);

        let plain = Pdf::changes().with_stream(510, "", b"0 0 400 400 re f").update(pdf.classic());
        let answer = integrity(&changes.update(pdf.classic()));
        assert_eq!(answer.verdict, integrity(&plain).verdict, "{entries} {:#?}", answer.signals);
    }
    // the same where there was nothing before, but what refers to it
    let missing = Pdf::new(1).with(FIRST_PAGE, page);
    for entries in ["/Type /XRef", "/Type /ObjStm"] {
        let changes = Pdf::changes().with_stream(510, entries, b"0 0 400 400 re f");
        let answer = integrity(&changes.update(missing.classic()));
        assert_eq!(answer.verdict, Verdict::Changed, "{entries} {:#?}", answer.signals);
    }
}

#[test]
fn where_nothing_was_examined_nothing_is_said_of_what_followed() {
    let file = form(2).updated(&Pdf::changes().with(FIELD, field("/V (Bob)"))).file;
    let damaged = String::from_utf8_lossy(&file).replace("startxref", "startxxxx").into_bytes();
    let answer = integrity(&damaged);
    assert_eq!(answer.examined.revisions, ExaminedRevisions::None);
    assert!(answer.signatures.iter().all(|signature| signature.after.is_none()));
    assert!(!answer.because.contains(&SignalId::SignatureRemoved), "{:?}", answer.because);
}

#[test]
fn what_two_signatures_forbid_is_told_once() {
    let signed = form(2).signed(&Signing::by(Key::P256).field("Second"));
    let turned = signed
        .with_catalog(Pdf::changes())
        .with(FIRST_PAGE, page(&format!("{FIELD} 0 R")).replace("/Annots", "/Rotate 90 /Annots"));
    let answer = integrity(&turned.update(signed.file));
    let places = evidence(&answer, SignalId::ForbiddenChangeAfterSigning);
    let rotated = places.iter().filter(|place| place.place.as_deref() == Some("Rotate")).count();
    assert_eq!(rotated, 1, "{places:#?}");
    assert!(answer.signatures.iter().all(|signature| signature.after == Some(After::Forbidden)));
}

/// Readers look up what the resources of a form, an appearance, a pattern or a Type 3 font lack in those of the page.
#[test]
fn a_name_that_the_page_gains_may_be_one_that_its_forms_lack() {
    const CONTENT: u32 = 510;
    const INNER: u32 = 511;
    let page = |resources: &str| {
        format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R \
             /Resources << /XObject << /Y {INNER} 0 R {resources} >> /Font << /T {} 0 R >> >> >>",
            INNER + 1
        )
    };
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 90 90]";
    let glyph = "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /Resources << /X 1 >>";
    for (resources, glyphs, is_unused) in [
        ("/Resources << >>", "q Q", false),
        ("/Resources << /XObject << /Z 513 0 R >> >>", "q Q", false),
        ("/Resources << /XObject << /X 513 0 R >> >>", "q Q", true),
        ("/Resources << /XObject << /X 513 0 R >> >>", "/X Do", false),
    ] {
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page(""))
            .with_stream(CONTENT, "", b"/Y Do")
            .with_stream(INNER, &format!("{form} {resources}"), b"/X Do")
            .with(INNER + 1, format!("{glyph} /CharProcs << /a {} 0 R >> >>", INNER + 3))
            .with_stream(INNER + 2, form, b"q Q")
            .with_stream(INNER + 3, "", glyphs.as_bytes());
        let signed = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519).certifying(1));
        let changes = Pdf::changes().with(FIRST_PAGE, page("/X 520 0 R")).with_stream(520, form, b"9 9 50 50 re f");
        let answer = integrity(&signed.updated(&changes).file);
        let is_unchanged = answer.verdict == Verdict::UnchangedSinceSigning;
        assert_eq!(is_unchanged, is_unused, "{resources} {glyphs}: {} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn a_save_bears_no_date_and_no_name_but_its_own() {
    let info = |entries: &str| format!("<< /Title (Title) /Producer (PDFKit) {entries} >>");
    let base = Pdf::new(1).with(INFO, info("/ModDate (D:20130629103000Z)")).classic();
    let stamped = Pdf::changes().with(FIRST_PAGE, page("").replace("/Annots", "/Rotate 90 /Annots"));
    let silent = integrity(&stamped.update(base.clone()));
    assert_eq!(silent.summary, "Page 1 was resized or cropped in the second of two saves.");
    assert_eq!((silent.revisions[1].saved_at, silent.revisions[1].producer.as_deref()), (None, None));
    let dated = stamped.with(INFO, info("/ModDate (D:20240712103000Z)")).update(base);
    let dated = integrity(&dated);
    assert_eq!(dated.summary, "Page 1 was resized or cropped in the second of two saves, on 12 July 2024.");
    assert_eq!(dated.revisions[1].producer, None);
    assert_eq!(dated.revisions[0].producer.as_deref(), Some("PDFKit"));
}

#[test]
fn keys_of_one_length_are_told_apart() {
    let action = "/PageLayout /OneColumn /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>";
    let changes = Pdf::changes().with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R {action} >>"));
    for form in Form::ALL {
        let answer = integrity(&changes.update_as(Pdf::new(1).classic(), form));
        assert_eq!(answer.verdict, Verdict::Changed, "{form:?}");
        assert!(answer.summary.starts_with("The document's OpenAction was changed"), "{}", answer.summary);
    }
}

/// Some programs write their name before what they add.
#[test]
fn between_two_revisions_are_comments_without_keywords_alone() {
    let signed = form(2);
    let fill = Pdf::changes().with(FIELD, field("/V (Bob)")).with(LOOK, look("Bob"));
    let permitted = Verdict::PermittedChangesSinceSigning;
    for (between, is_plain, verdict) in [
        ("", true, permitted),
        ("\n% Written by An Editor 1.0\r\n\r\n%more\n", true, permitted),
        ("\n% no comment at\n all\n", false, Verdict::Undetermined),
        ("\n% 500 0 obj << >> endobj\n", false, Verdict::Undetermined),
    ] {
        let found = integrity(&fill.update([signed.file.clone(), between.into()].concat()));
        assert_eq!(found.examined.saves.is_empty(), is_plain, "{between}: {:?}", found.examined);
        assert_eq!(found.verdict, verdict, "{between}");
    }
    // iText writes its name in front of the last lines
    let filled = fill.update(signed.file);
    let ending = filled.len() - filled.windows(9).rev().position(|it| it == b"startxref").unwrap() - 9;
    let named = integrity(&[&filled[..ending], b"%iText-5.5.13.3\n", &filled[ending..]].concat());
    assert_eq!((named.verdict, named.examined.saves), (permitted, Vec::new()));
}

#[test]
fn a_page_whose_numbers_are_cut_short_is_as_large() {
    let page = |height: &str| {
        let boxes = format!("/MediaBox [0 0 595.275591 {height}] /TrimBox [0 0 595.275591 {height}]");
        format!("<< /Type /Page /Parent {PAGES} 0 R {boxes} >>")
    };
    let signed = SignedPdf::new(&Pdf::new(1).with(FIRST_PAGE, page("841.889764"))).signed(&Signing::by(Key::Ed25519));
    for (height, is_same) in [("841.8898", true), ("841.89", true), ("841.9", false), ("(841.889764)", false)] {
        let answer = integrity(&signed.clone().updated(&Pdf::changes().with(FIRST_PAGE, page(height))).file);
        assert_eq!(answer.verdict == Verdict::UnchangedSinceSigning, is_same, "{height}: {:#?}", answer.signals);
    }
}

/// Viewers draw a page by its crop box (14.11.2).
#[test]
fn a_box_for_production_is_no_visible_change() {
    let page = |entries: &str| format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] {entries} >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, page(""));
    let signed = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519));
    for name in ["BleedBox", "TrimBox", "ArtBox"] {
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("/{name} [9 9 99 99]")));
        let unsigned = integrity(&changes.update(pdf.classic()));
        assert_eq!(unsigned.outcome, Outcome::NoFindings, "{name}: {}", unsigned.summary);
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{name}: {}", answer.summary);
    }
}

/// As rustpdf does: what a node gives to its pages becomes theirs.
#[test]
fn what_pages_inherit_may_become_their_own() {
    let node = |entries: &str| {
        format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R {} 0 R] /Count 2 {entries} >>", FIRST_PAGE + 1)
    };
    let leaf = |entries: &str| format!("<< /Type /Page /Parent {PAGES} 0 R {entries} >>");
    let (a4, a5) = ("/MediaBox [0 0 595 842]", "/MediaBox [0 0 420 595]");
    let pdf = Pdf::new(2).with(PAGES, node(a4)).with(FIRST_PAGE, leaf("")).with(FIRST_PAGE + 1, leaf(""));
    let signed = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519));
    for (of_node, first, second, expected) in [
        ("", a4, a4, Verdict::UnchangedSinceSigning),
        (a5, a4, a4, Verdict::UnchangedSinceSigning),
        ("", a4, a5, Verdict::ChangedSinceSigning),
        ("", a4, "", Verdict::ChangedSinceSigning),
        (a5, a4, "", Verdict::ChangedSinceSigning),
    ] {
        let changes = Pdf::changes().with(PAGES, node(of_node));
        let changes = changes.with(FIRST_PAGE, leaf(first)).with(FIRST_PAGE + 1, leaf(second));
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{of_node} {first} {second} {:#?}", answer.signals);
    }
}

/// As sign-pdf-lib does: the page is given a font that it does not use.
#[test]
fn resources_that_a_page_does_not_use_change_nothing() {
    const CONTENT: u32 = 510;
    const NOTE: u32 = 511;
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>");
    let page = |fonts: &str, entries: &str| {
        format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R /Annots [{NOTE} 0 R] \
             /Resources << /Font << {fonts} >> {entries} >> >>"
        )
    };
    let own = format!("/F {}", font("Helvetica"));
    let (added, other) = (format!("{own} /G {}", font("Courier")), format!("/F {}", font("Courier")));
    let text = "BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET";
    let both = "BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj /G 12 Tf (EUR) Tj ET";
    for (content, look, fonts, entries, expected) in [
        (text, "q Q", &added, "/ProcSet [/PDF]", Verdict::UnchangedSinceSigning),
        (both, "q Q", &added, "", Verdict::ChangedSinceSigning),
        // viewers differ in whether an appearance without resources uses those of the page
        (text, "BT /G 12 Tf (9) Tj ET", &added, "", Verdict::ChangedSinceSigning),
        (text, "q Q", &other, "", Verdict::ChangedSinceSigning),
        // which content uses without its name, and shows about the same
        (text, "q Q", &own, "/ColorSpace << /DefaultGray [/CalGray] >>", Verdict::Undetermined),
        (text, "q Q", &own, "/ColorSpace << /Spot [/CalGray] >>", Verdict::UnchangedSinceSigning),
    ] {
        let note = format!("<< /Type /Annot /Subtype /Stamp /Rect [9 9 99 99] /AP << /N {} 0 R >> >>", NOTE + 1);
        let pdf = Pdf::new(1)
            .with(FIRST_PAGE, page(&own, ""))
            .with_stream(CONTENT, "", content.as_bytes())
            .with(NOTE, note)
            .with_stream(NOTE + 1, "/Type /XObject /Subtype /Form /BBox [0 0 90 90]", look.as_bytes());
        let signed = SignedPdf::new(&pdf).signed(&Signing::by(Key::Ed25519));
        let answer = integrity(&signed.updated(&Pdf::changes().with(FIRST_PAGE, page(fonts, entries))).file);
        assert_eq!(answer.verdict, expected, "{content} {look} {fonts} {:#?}", answer.signals);
    }
}

#[test]
fn a_default_color_space_is_used_without_its_name() {
    let page =
        format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] /Contents 510 0 R /Resources 511 0 R >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, page).with_stream(510, "", b"0.5 g 0 0 9 9 re f");
    let signed = SignedPdf::new(&pdf.with(511, "<< /ProcSet [/PDF] >>")).signed(&Signing::by(Key::Ed25519));
    for space in ["DefaultGray", "Default#47ray"] {
        let changes = Pdf::changes().with(511, format!("<< /ProcSet [/PDF] /ColorSpace << /{space} [/CalGray] >> >>"));
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{space} {:#?}", answer.signals);
    }
}

/// As LibreOffice writes it into files that contain their source, and other programs repeat it.
#[test]
fn entries_of_a_trailer_may_be_repeated_as_they_were() {
    let trailer = |entries: &str| format!("/Root {CATALOG} 0 R /Info {INFO} 0 R {entries}");
    let section = |entries: &str| Section { trailer: trailer(entries), ..Section::default() };
    let streams = "/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text 5 0 R]";
    let base = Pdf::new(1)
        .with(500, "<< /FT /Sig /T (Signature) /V 501 0 R >>")
        .catalog("/AcroForm << /Fields [500 0 R] /SigFlags 3 >>")
        .classic();
    let signed = signed_again(base, section(streams), 501, "");
    assert_eq!(integrity(&signed).verdict, Verdict::UnchangedSinceSigning);
    for (entries, expected) in [
        (streams, Verdict::UnchangedSinceSigning),
        ("/AdditionalStreams[/application#2Fvnd#2Eoasis.opendocument.text 5 0 R]", Verdict::UnchangedSinceSigning),
        ("", Verdict::UnchangedSinceSigning),
        ("/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text 500 0 R]", Verdict::Undetermined),
        ("/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text << >>]", Verdict::Undetermined),
        // as PDFBox writes it, which leads to nothing
        ("/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text 6 0 R]", Verdict::UnchangedSinceSigning),
        ("/Other 1", Verdict::Undetermined),
        ("/#52oot 4 0 R", Verdict::Undetermined),
    ] {
        let answer = integrity(&section(entries).write(signed.clone(), Form::Table));
        assert_eq!(answer.verdict, expected, "{entries} {:#?}", answer.signals);
    }
    // as pyHanko writes it after iText, which leaves it out
    let left_out = section("").write(signed, Form::Table);
    for (entries, expected) in [
        (streams, Verdict::UnchangedSinceSigning),
        ("/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text 500 0 R]", Verdict::Undetermined),
    ] {
        let answer = integrity(&section(entries).write(left_out.clone(), Form::Table));
        assert_eq!(answer.verdict, expected, "{entries} {:#?}", answer.signals);
    }
    // an object that comes later may be meant
    let dangling = section("/AdditionalStreams [/application#2Fvnd.oasis.opendocument.text 600 0 R]");
    let added = section("").with(600, "<< /Type /ObjStm >>").write(dangling.write(left_out, Form::Table), Form::Table);
    assert_eq!(integrity(&added).verdict, Verdict::Undetermined);
}

/// As node-signpdf does with forms that it does not know.
#[test]
fn an_empty_signature_field_that_goes_before_signing_is_no_removed_signature() {
    let base = Pdf::new(1).with(500, "<< /FT /Sig /T (Empty) >>").catalog("/AcroForm << /Fields [500 0 R] >>");
    let file = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519)).file;
    let answer = integrity(&file);
    assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{:#?}", answer.signals);
}

/// A document that two have signed visibly: the second one in this rectangle, with words on this ground.
fn signed_twice(rectangle: [u32; 4], ground: &str, entries: &str) -> Integrity {
    let visible = |index: u32, field: &str, text: &str, rectangle, ground: &str| {
        let look_number = LOOK + 10 * (index + 1);
        let fields: Vec<String> = (0..=index).map(|index| format!("{} 0 R", field_number(index))).collect();
        let look = samples::pdf::stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /Helv << /Type /Font /Subtype /Type1 \
             /BaseFont /Helvetica >> >> >>",
            format!("{ground} 0 g BT /Helv 10 Tf 2 2 Td ({text}) Tj ET").as_bytes(),
        );
        Signing {
            rectangle,
            field_entries: format!("/P {FIRST_PAGE} 0 R /AP << /N {look_number} 0 R >>"),
            changes: Pdf::changes().with(FIRST_PAGE, page(&fields.join(" "))).with(look_number, look),
            ..Signing::by(Key::Ed25519).field(field)
        }
    };
    let first = visible(0, "Signature1", "Ann Signer", [72, 600, 172, 620], "");
    let second = visible(1, "Signature2", "Approval test", rectangle, ground);
    let second = Signing { field_entries: format!("{} {entries}", second.field_entries), ..second };
    let document = SignedPdf::new(&Pdf::new(1).with(FIRST_PAGE, page(""))).signed(&first).signed(&second);
    integrity(&document.file)
}

#[test]
fn a_signature_that_covers_another_one_is_told_by_that_and_not_by_its_words() {
    const OVER: [u32; 4] = [72, 600, 172, 620];
    const WHITE: &str = "1 g 0 0 100 20 re f";
    // its words and what they were can both be compared
    for ground in [WHITE, ""] {
        let over = signed_twice(OVER, ground, "");
        assert_eq!(over.verdict, Verdict::Undetermined, "{:#?}", over.signals);
        assert!(over.summary.contains("\u{201c}Ann\u{201d}"), "{}", over.summary);
    }
    let beside = signed_twice([72, 300, 172, 320], WHITE, "");
    assert_eq!(beside.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", beside.signals);
    let words = "signed visibly on page 1, with the words \u{201c}Approval test\u{201d}.";
    assert!(beside.summary.ends_with(words), "{}", beside.summary);
    // where the field is not as such fields are, that is not what its appearance says
    let unlike = signed_twice(OVER, WHITE, "/A << /S /JavaScript /JS (1) >>");
    assert_eq!(unlike.verdict, Verdict::ChangedSinceSigning, "{:#?}", unlike.signals);
    assert!(!unlike.summary.contains("Approval test"), "{}", unlike.summary);
    assert_eq!(
        unlike.reason.as_ref().map(|reason| reason.phrase.as_str()),
        Some("A later signature covers another one")
    );
    assert!(
        unlike.summary.starts_with("A signature was added whose appearance covers \u{201c}Signature1\u{201d}"),
        "{}",
        unlike.summary
    );
}
