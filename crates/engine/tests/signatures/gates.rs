//! What an expert does who has read the rules: saves that viewers repair, pages that only some of them count, things that are
//! new under a permission. None may be called clean; and what honest software writes oddly is not accused.

use engine::{Integrity, Verdict};
use samples::pdf::{CATALOG, FIRST_PAGE, Form, INFO, PAGES, Pdf, start_of_xref};
use samples::section::{Row, Section};
use samples::signed::{Certificate, Cms, Key, SignedPdf, Signing, field_number};

use crate::support::metadata;

/// The page's content, and what is free for an update.
const CONTENT: u32 = 500;
const FREE: u32 = 900;

fn integrity(file: &[u8]) -> Integrity {
    metadata(file).integrity
}

fn is_clean(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::UnchangedSinceSigning | Verdict::PermittedChangesSinceSigning | Verdict::NoSigns)
}

fn page(entries: &str) -> String {
    format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents {CONTENT} 0 R {entries} >>")
}

/// An invoice.
fn invoice() -> Pdf {
    Pdf::new(1).with(FIRST_PAGE, page("")).with_stream(CONTENT, "", b"BT /F 12 Tf 72 700 Td (Total 1,250.00) Tj ET")
}

fn signed(level: u8) -> SignedPdf {
    SignedPdf::new(&invoice()).signed(&Signing::by(Key::Ed25519).certifying(level))
}

/// An update of nothing, by the letter.
fn letter() -> Section {
    Section { trailer: format!("/Root {CATALOG} 0 R /Info {INFO} 0 R"), ..Section::default() }
}

#[test]
fn a_reference_is_one_in_every_spelling_that_viewers_read() {
    let forged = |contents: &str, number: u32| {
        let spelled = page("").replace(&format!("/Contents {CONTENT} 0 R"), contents);
        let base = invoice().with(FIRST_PAGE, spelled);
        let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(1)).file;
        let changes = Pdf::changes().with_stream(number, "", b"BT /F 12 Tf 72 700 Td (Total 9,250.00) Tj ET");
        integrity(&changes.update(signed)).verdict
    };
    for contents in ["{} %c\n0 R", "{} 0 %c\rR", "{} +0 R", "{} -0 R", "[{}%\n0 R]", "+{} 0 R", "00{} 00 R"] {
        let contents = format!("/Contents {}", contents.replace("{}", &CONTENT.to_string()));
        assert_eq!(forged(&contents, CONTENT), Verdict::ChangedSinceSigning, "{contents}");
    }
    // only some viewers find a reference there
    for contents in ["{}.0 0 R", "{} 0. R", "--{} 0 R", "obj {} 0 R", "[{} 0 R xref", "{} 0 R }"] {
        let contents = format!("/Contents {}", contents.replace("{}", &CONTENT.to_string()));
        assert!(!is_clean(forged(&contents, CONTENT)), "{contents}");
        // the object may be missing until the update adds it
        let contents = contents.replace(&CONTENT.to_string(), &FREE.to_string());
        assert!(!is_clean(forged(&contents, FREE)), "{contents}");
    }
}

#[test]
fn a_tag_stays_one_though_the_security_store_lists_it() {
    let base = invoice()
        .with(FREE, format!("<< /Type /StructTreeRoot /K [{} 0 R] >>", FREE + 1))
        .with(FREE + 1, format!("<< /Type /StructElem /S /P /P {FREE} 0 R /ActualText (Total 1,250) >>"));
    let mut document = SignedPdf::new(&base);
    document.catalog = format!("/StructTreeRoot {FREE} 0 R /DSS << /Certs [{} 0 R] >>", FREE + 1);
    let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
    let element = format!("<< /Type /StructElem /S /P /P {FREE} 0 R /ActualText (Total 9,250) >>");
    let forged = integrity(&signed.updated(&Pdf::changes().with(FREE + 1, element)).file);
    assert_eq!(forged.verdict, Verdict::Undetermined, "{:#?}", forged.signals);
}

#[test]
fn a_page_tree_is_one_tree_for_all_readers() {
    let two = Pdf::new(2);
    let signed = SignedPdf::new(&two).signed(&Signing::by(Key::Ed25519).certifying(2));
    let (first, second) = (FIRST_PAGE, FIRST_PAGE + 1);
    let kids = format!("/Kids [{first} 0 R {second} 0 R]");
    let cases = [
        ("a count that is too low", Pdf::changes().with(PAGES, format!("<< /Type /Pages {kids} /Count 1 >>"))),
        ("a node that says it is a page", Pdf::changes().with(PAGES, format!("<< /Type /Page {kids} /Count 2 >>"))),
        (
            "a kid behind a reference to a reference",
            Pdf::changes()
                .with(PAGES, format!("<< /Type /Pages /Kids [{FREE} 0 R {second} 0 R] /Count 2 >>"))
                .with(FREE, format!("{first} 0 R")),
        ),
        (
            "kids in an array of their own, and a count that is too low",
            Pdf::changes()
                .with(PAGES, format!("<< /Type /Pages /Kids {FREE} 0 R /Count 1 >>"))
                .with(FREE, format!("[{first} 0 R {second} 0 R]")),
        ),
    ];
    for (name, changes) in cases {
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{name}: {:#?}", answer.signals);
        let unsigned = integrity(&changes.update(two.classic()));
        assert!(!is_clean(unsigned.verdict), "{name}, unsigned: {:?}", unsigned.verdict);
    }
}

/// A further signature with these entries of its field, after a certification that permits signing.
fn second(entries: &str) -> Integrity {
    let signing = Signing { field_entries: entries.to_owned(), ..Signing::by(Key::P256).field("Second") };
    integrity(&signed(2).signed(&signing).file)
}

#[test]
fn a_signature_adds_its_field_and_nothing_else() {
    assert_eq!(second("").verdict, Verdict::UnchangedSinceSigning);
    assert_eq!(second("/MK << >> /DA (/Helv 0 Tf)").verdict, Verdict::UnchangedSinceSigning);
    // as iText writes it
    assert_eq!(second("/DR << >> /AP << >>").verdict, Verdict::UnchangedSinceSigning);
    // what other programs write, and draws at most a dot where the field has no area
    assert_eq!(second("/TU (Signature of the buyer) /H /N /Q 0 /Ff 1").verdict, Verdict::UnchangedSinceSigning);
    for entries in ["/MK << /BG [1 1 1] >>", "/MK << /BC [0] >> /BS << /Type /Border /S /S >>", "/Border [0 0 1]"] {
        assert_eq!(second(entries).verdict, Verdict::PermittedChangesSinceSigning, "{entries}");
    }
    // a script is a change, an entry that no viewer shows is unknown
    for (entries, expected) in [
        ("/A << /S /JavaScript /JS (1) >>", Verdict::ChangedSinceSigning),
        ("/AA << /E << /S /JavaScript /JS (1) >> >>", Verdict::ChangedSinceSigning),
        ("/BS << /W 9 >>", Verdict::Undetermined),
        ("/Border [0 0 9]", Verdict::Undetermined),
        ("/OC 900 0 R", Verdict::Undetermined),
        ("/Kids [900 0 R 901 0 R]", Verdict::Undetermined),
        ("/Parent 900 0 R", Verdict::Undetermined),
        ("/Foreign 900 0 R", Verdict::Undetermined),
        ("/F 132 /F 4", Verdict::Undetermined),
    ] {
        let answer = second(entries);
        assert_eq!(answer.verdict, expected, "{entries}: {:#?}", answer.signals);
    }
    // endesive writes a dictionary in place of the empty appearance
    assert_eq!(second("/AP << /N << /Bbox [0 0 0 0] /Length 0 >> >>").verdict, Verdict::UnchangedSinceSigning);
}

/// Signatures whose fields are kids of one that has these entries, after a certification that permits signing.
fn below(entries: &str, names: &[&str]) -> Integrity {
    let document = names.iter().enumerate().fold(signed(2), |document, (index, name)| {
        let first = u32::try_from(index).expect("a few") + 1;
        let kids: String = (1..=first).map(|index| format!("{} 0 R ", field_number(index))).collect();
        let above = format!("<< /T (Parties) /Kids [{kids}] {entries} >>");
        let changes = Pdf::changes().with(FREE, above);
        document.signed(&Signing { below: Some(FREE), changes, ..Signing::by(Key::P256).field(name) })
    });
    integrity(&document.file)
}

#[test]
fn a_signature_field_may_have_a_name_of_several_parts() {
    assert_eq!(below("", &["Buyer"]).verdict, Verdict::UnchangedSinceSigning);
    assert_eq!(below("", &["Buyer", "Seller"]).verdict, Verdict::UnchangedSinceSigning);
    // a field above that says more gives it to its kids; a name that another field has may be that one's in some viewers
    for (entries, names) in [
        ("/V (9)", ["Buyer"].as_slice()),
        ("/FT /Tx", &["Buyer"]),
        ("/DA (/Helv 9 Tf)", &["Buyer"]),
        ("/AA << /K << /S /JavaScript /JS (1) >> >>", &["Buyer"]),
        ("/Rect [0 0 600 800]", &["Buyer"]),
        ("", &["Buyer", "Buyer"]),
        ("", &["Buyer.Seller"]),
    ] {
        let answer = below(entries, names);
        assert!(!is_clean(answer.verdict), "{entries} {names:?}: {:?}", answer.verdict);
    }
}

#[test]
fn a_field_is_drawn_in_one_place_and_size() {
    let field = |flags: u32, rectangle: &str| {
        let mut document = signed(2);
        document.fields = format!("{FREE} 0 R");
        let entries = format!("/F {flags} /P {FIRST_PAGE} 0 R /MK << /BC [0] >>");
        let field = format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Later) /Rect {rectangle} {entries} >>");
        let page = page(&format!("/Annots [{FREE} 0 R]"));
        let changes = document.with_catalog(Pdf::changes().with(FREE, field).with(FIRST_PAGE, page));
        integrity(&document.updated(&changes).file).verdict
    };
    let blank = "[300 100 480 140]";
    // printed; locked; not turned with the page, which is not turned
    for flags in [4, 132, 148] {
        assert_eq!(field(flags, blank), Verdict::PermittedChangesSinceSigning, "{flags}");
    }
    // not zoomed with the page: elsewhere it may hide what was signed
    assert_eq!(field(12, blank), Verdict::Undetermined);
    assert_eq!(field(4, "[60 690 300 720]"), Verdict::ChangedSinceSigning);
}

#[test]
fn an_entry_of_null_is_not_understood() {
    let old = signed(2);
    for (entry, object) in
        [("/LastModified null".to_owned(), None), (format!("/LastModified {FREE} 0 R"), Some("null"))]
    {
        let changes = Pdf::changes().with(FIRST_PAGE, page(&entry));
        let changes = object.into_iter().fold(changes, |changes, text| changes.with(FREE, text));
        let answer = integrity(&old.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{entry}: {}", answer.summary);
    }
}

#[test]
fn two_harmless_steps_make_a_harmful_one() {
    let stamp = |flags: &str| {
        format!("<< /Type /Annot /Subtype /Stamp /Rect [60 690 300 720] {flags} /AP << /N {} 0 R >> >>", FREE + 1)
    };
    let look = "/Type /XObject /Subtype /Form /BBox [0 0 240 30]";
    let hidden = Pdf::changes()
        .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]")))
        .with(FREE, stamp("/F 2"))
        .with_stream(FREE + 1, look, b"1 g 0 0 240 30 re f");
    let once = signed(3).updated(&hidden);
    assert_eq!(integrity(&once.file).verdict, Verdict::PermittedChangesSinceSigning);
    let shown = integrity(&once.updated(&Pdf::changes().with(FREE, stamp(""))).file);
    assert_eq!(shown.verdict, Verdict::ChangedSinceSigning, "{:#?}", shown.signals);
}

#[test]
fn inline_annotations_keep_their_order_and_number() {
    let note = |text: &str| format!("<< /Type /Annot /Subtype /Square /Rect [10 10 90 90] /Contents ({text}) >>");
    let base = Pdf::new(1).with(FIRST_PAGE, page(&format!("/Annots [{} {}]", note("one"), note("two"))));
    let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519));
    for annotations in [[note("two"), note("one")].join(" "), [note("one"), note("two"), note("one")].join(" ")] {
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("/Annots [{annotations}]")));
        let answer = integrity(&signed.clone().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{annotations}");
    }
}

/// A form with a text field and a push button, signed so that it may be filled in.
fn form() -> SignedPdf {
    let field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [72 500 172 520] /V (1,250.00) >>";
    let button = "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (Push) /Rect [72 400 172 420] >>";
    let base = invoice()
        .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R {} 0 R]", FREE + 1)))
        .with(FREE, field)
        .with(FREE + 1, button);
    let mut document = SignedPdf::new(&base);
    document.fields = format!("{FREE} 0 R {} 0 R", FREE + 1);
    document.signed(&Signing::by(Key::Ed25519).certifying(2))
}

#[test]
fn filling_in_is_another_value_and_nothing_beside_it() {
    let field = |entries: &str| {
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [72 500 172 520] {entries} >>")
    };
    let button = "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (Push) /Rect [72 400 172 420] /V /Other >>";
    let filled = integrity(&form().updated(&Pdf::changes().with(FREE, field("/V (9,250.00)"))).file);
    assert_eq!(filled.verdict, Verdict::PermittedChangesSinceSigning, "{:#?}", filled.signals);
    assert!(filled.summary.ends_with("form fields were filled in."), "{}", filled.summary);
    for changes in [
        Pdf::changes().with(FREE, field("/V (9,250.00) /F 2")),
        Pdf::changes().with(FREE, field("/V (9,250.00) /Ff 902 0 R")).with(FREE + 2, "8192"),
        Pdf::changes().with(FREE, field("/V (1,250.00) /RV (9,250.00)")),
        Pdf::changes().with(FREE, field("/V 902 0 R")).with(FREE + 2, "<< /Type /DocTimeStamp >>"),
        Pdf::changes().with(FREE, "null"),
        Pdf::changes().with(FREE + 1, button),
    ] {
        let answer = integrity(&form().updated(&changes).file);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{changes:?}: {:#?}", answer.signals);
    }
}

#[test]
fn a_field_that_is_listed_in_two_places_was_not_added() {
    let kid = format!("<< /Type /Annot /Subtype /Widget /T (City) /Rect [72 600 172 620] /Parent {FREE} 0 R >>");
    let address = |kids: &str| format!("<< /FT /Tx /T (Address) /Kids [{kids}] >>");
    let other = "<< /FT /Tx /Type /Annot /Subtype /Widget /T (Sum) /Rect [72 500 172 520] >>";
    let one = format!("{} 0 R", FREE + 1);
    let base = Pdf::new(1).with(FREE, address(&one)).with(FREE + 1, kid).with(FREE + 2, other);
    let mut document = SignedPdf::new(&base);
    document.fields = format!("{FREE} 0 R {} 0 R", FREE + 2);
    let mut document = document.signed(&Signing::by(Key::Ed25519).certifying(2));
    // a field that becomes part of another one
    let joined = Pdf::changes().with(FREE, address(&format!("{one} {} 0 R", FREE + 2)));
    assert_eq!(integrity(&document.clone().updated(&joined).file).verdict, Verdict::ChangedSinceSigning);
    document.fields = format!("{FREE} 0 R {} 0 R {one}", FREE + 2);
    let answer = integrity(&document.clone().updated(&document.with_catalog(Pdf::changes())).file);
    assert_eq!(answer.verdict, Verdict::Undetermined, "{:#?}", answer.signals);
    assert!(
        answer.summary.contains("the form lists the field “Address.City” in another place, too"),
        "{}",
        answer.summary
    );
}

#[test]
fn a_time_stamp_in_a_box_draws_nothing() {
    let stamped = |content: &str| {
        let stamp = Cms::time_stamp(Certificate::self_signed(Key::P256, "Clock"), "20261104081600Z");
        let dictionary = "/Type /XObject /Subtype /Form /BBox [0 0 200 50]";
        let signing = Signing {
            rectangle: [300, 100, 500, 150],
            field_entries: format!("/AP << /N {FREE} 0 R >>"),
            changes: Pdf::changes().with_stream(FREE, dictionary, content.as_bytes()),
            ..Signing::new(stamp).field("Stamp").sub_filter("ETSI.RFC3161")
        };
        integrity(&signed(1).signed(&signing).file)
    };
    assert_eq!(stamped("").verdict, Verdict::UnchangedSinceSigning, "{}", stamped("").summary);
    assert_eq!(stamped("0 0 200 50 re f").verdict, Verdict::ChangedSinceSigning);
}

#[test]
fn a_generation_that_an_object_does_not_have_leads_nowhere_for_some() {
    let page = |note: &str| page(&format!("/Annots [{FREE} {note} R]"));
    let base = invoice()
        .with(FIRST_PAGE, page("0"))
        .with(FREE, "<< /Type /Annot /Subtype /FreeText /Rect [72 600 172 620] /Contents (Void) >>");
    let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(1)).file;
    for form in [Form::Table, Form::Stream, Form::Compressed] {
        let forged = integrity(&Pdf::changes().with(FIRST_PAGE, page("1")).update_as(signed.clone(), form));
        assert_eq!(forged.verdict, Verdict::Undetermined, "{form:?} {:#?}", forged.signals);
        assert_eq!(forged.examined.saves, [3]);
        // the same page once more is the same
        let honest = integrity(&Pdf::changes().with(FIRST_PAGE, page("0")).update_as(signed.clone(), form));
        assert_eq!(honest.verdict, Verdict::UnchangedSinceSigning, "{form:?} {:#?}", honest.signals);
    }
}

#[test]
fn a_section_that_starts_within_a_number_is_another_object_for_some() {
    let file = Pdf::changes().with(FREE, "<< /Note (nothing leads here) >>").update_as(signed(1).file, Form::Stream);
    let start = start_of_xref(&file);
    let ends = |start: usize| format!("startxref\n{start}\n").into_bytes();
    let (old, new) = (ends(start), ends(start + 1));
    let at = file.len() - "%%EOF\n".len() - old.len();
    assert_eq!(file[at..at + old.len()], old);
    let forged = integrity(&[&file[..at], &new, &file[at + old.len()..]].concat());
    assert!(!is_clean(forged.verdict), "{:?} {:#?}", forged.verdict, forged.signals);
    assert_eq!(integrity(&file).verdict, Verdict::UnchangedSinceSigning);
}

#[test]
fn annotations_are_a_list() {
    let note = "<< /Type /Annot /Subtype /FreeText /Rect [72 600 172 620] /Contents (Void) >>";
    for annotations in [note.to_owned(), format!("{FREE} 0 R"), "(none)".to_owned()] {
        let changes = Pdf::changes().with(FIRST_PAGE, page(&format!("/Annots {annotations}"))).with(FREE, note);
        let forged = integrity(&changes.update(signed(3).file));
        assert_eq!(forged.verdict, Verdict::ChangedSinceSigning, "{annotations} {:#?}", forged.signals);
    }
}

#[test]
fn a_key_that_stands_there_twice_is_one_however_it_is_written() {
    let twice = format!("/Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /#43ontents {FREE} 0 R");
    let changes = Pdf::changes().with(FIRST_PAGE, format!("<< {twice} /Contents {CONTENT} 0 R >>")).with_stream(
        FREE,
        "",
        b"BT /F 12 Tf 72 700 Td (Total 9,250.00) Tj ET",
    );
    for file in [signed(1).file, invoice().classic()] {
        let forged = integrity(&changes.update(file));
        assert!(!is_clean(forged.verdict), "{:?} {:#?}", forged.verdict, forged.signals);
    }
}

#[test]
fn what_a_form_shows_values_with_counts_where_a_page_alone_has_something_to_show() {
    let free_text = "<< /Type /Annot /Subtype /FreeText /Rect [72 600 172 620] /Contents (1,250.00)";
    let cases = [
        (
            "a text field of a page alone",
            "<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 9 9] /V (1) >>".into(),
            false,
        ),
        ("a note without a look", format!("{free_text} >>"), false),
        ("a note with one", format!("{free_text} /AP << /N 901 0 R >> >>"), true),
    ];
    let field = samples::signed::field_number(0);
    let form = format!("/AcroForm << /Fields [{field} 0 R] /SigFlags 3 /DA (/Helv 9 Tf 1 g) /DR << /Font << >> >> >>");
    let changes = Pdf::changes().with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R {form} >>"));
    for (name, annotation, is_nothing) in cases {
        let base = invoice()
            .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]")))
            .with(FREE, annotation)
            .with_stream(FREE + 1, "/Type /XObject /Subtype /Form /BBox [0 0 9 9]", b"");
        let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(1)).file;
        let answer = integrity(&changes.update(signed));
        assert_eq!(is_clean(answer.verdict), is_nothing, "{name}: {:?} {:#?}", answer.verdict, answer.signals);
    }
}

#[test]
fn names_that_an_annotation_draws_by_are_no_keys_of_it() {
    let stamp = format!("<< /Type /Annot /Subtype /Stamp /Rect [72 600 172 620] /AP << /N {} 0 R >> >>", FREE + 1);
    let look = |text: &str| samples::pdf::stream("/Type /XObject /Subtype /Form /BBox [0 0 99 20]", text.as_bytes());
    for names in
        ["/Subtype /Widget /M 902 0 R", "/Subtype 902 0 R /Rect 902 0 R /P 902 0 R", "/Rect [0 0 1 1] /NM 902 0 R"]
    {
        let entries = format!("/Subtype /Form /BBox [0 0 99 20] /Resources << /XObject << {names} >> >>");
        let base = invoice()
            .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]")))
            .with(FREE, &stamp)
            .with_stream(FREE + 1, &entries, b"/M Do")
            .with(FREE + 2, look(""));
        let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(1)).file;
        let answer = integrity(&Pdf::changes().with(FREE + 2, look("0 0 99 20 re f")).update(signed));
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{names}: {:#?}", answer.signals);
    }
}

#[test]
fn what_an_object_stream_is_read_by_stays() {
    let data = b"902 0 [500 0 R] [905 0 R]";
    let container = samples::pdf::stream("/Type /ObjStm /N 1 /First 904 0 R", data);
    let first = |text: &str| Pdf::changes().with(FREE + 4, text);
    let base = invoice().with(FIRST_PAGE, page("").replace("/Contents 500 0 R", "/Contents 902 0 R")).with_stream(
        FREE + 5,
        "",
        b"BT /F 12 Tf 72 700 Td (Total 9,250.00) Tj ET",
    );
    let mut document = SignedPdf::new(&base.with(FREE + 4, "6"));
    let member = letter().with(FREE + 3, container).row(FREE + 2, Row::Member(FREE + 3, 0));
    document.file = member.write(document.file, Form::Stream);
    let signed = document.signed(&Signing::by(Key::Ed25519).certifying(1)).file;
    assert_eq!(integrity(&signed).verdict, Verdict::UnchangedSinceSigning);
    let forged = integrity(&first("16").update(signed));
    assert_eq!(forged.verdict, Verdict::Undetermined, "{:#?}", forged.signals);
}

#[test]
fn what_is_filled_in_hides_nothing_that_was_signed() {
    let look = |content: &str| {
        let resources = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        samples::pdf::stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 99 20] {resources}"),
            content.as_bytes(),
        )
    };
    let form = |field: &str| {
        let base = invoice()
            .with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]")))
            .with(FREE, field)
            .with(FREE + 1, look(""))
            .with(FREE + 2, look("1 g 0 0 99 20 re f"))
            .with(FREE + 3, look("BT /F 12 Tf 2 5 Td (9,250.00) Tj ET"));
        let mut document = SignedPdf::new(&base);
        document.fields = format!("{FREE} 0 R");
        document.signed(&Signing::by(Key::Ed25519).certifying(2))
    };
    let text = |bottom: u32, entries: &str| {
        let place = format!("/Rect [72 {bottom} 171 {}]", bottom + 20);
        format!("<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) {place} {entries} >>")
    };
    let mark = |bottom: u32, entries: &str| {
        text(bottom, &format!("/AP << /N << /Off 901 0 R /Yes 902 0 R >> >> {entries}")).replace("/Tx", "/Btn")
    };
    for (name, field, filled, is_permitted) in [
        ("words on words", text(695, "/AP << /N 901 0 R >>"), text(695, "/V (9,250.00) /AP << /N 903 0 R >>"), None),
        (
            "words beside",
            text(500, "/AP << /N 901 0 R >>"),
            text(500, "/V (9,250.00) /AP << /N 903 0 R >>"),
            Some(true),
        ),
        ("words below", text(684, "/AP << /N 901 0 R >>"), text(684, "/V (9,250.00) /AP << /N 903 0 R >>"), Some(true)),
        ("a mark on words", mark(695, "/V /Off /AS /Off"), mark(695, "/V /Yes /AS /Yes"), Some(false)),
        ("a mark beside", mark(500, "/V /Off /AS /Off"), mark(500, "/V /Yes /AS /Yes"), Some(true)),
        ("a mark without its value", mark(500, "/V /Off /AS /Off"), mark(500, "/V /Off /AS /Yes"), Some(false)),
    ] {
        let answer = integrity(&form(&field).updated(&Pdf::changes().with(FREE, filled)).file);
        let expected = match is_permitted {
            Some(true) => Verdict::PermittedChangesSinceSigning,
            Some(false) => Verdict::ChangedSinceSigning,
            // nothing is hidden
            None => Verdict::Undetermined,
        };
        assert_eq!(answer.verdict, expected, "{name}: {:#?}", answer.signals);
    }
}

#[test]
fn a_font_that_a_shown_value_was_missing_is_no_resource_among_others() {
    let field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [72 500 172 520] /DA (/F9 12 Tf)";
    let cases = [
        (format!("{field} /V (1,250.00) >>"), "F9", Verdict::Undetermined),
        (format!("{field} /V (1,250.00) >>"), "Helv", Verdict::PermittedChangesSinceSigning),
        (format!("{field} /V () >>"), "F9", Verdict::PermittedChangesSinceSigning),
        (format!("{field} /V (1,250.00) /AP << /N 901 0 R >> >>"), "F9", Verdict::PermittedChangesSinceSigning),
    ];
    for (field, font, expected) in cases {
        let base = invoice().with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]"))).with(FREE, &field).with_stream(
            FREE + 1,
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9]",
            b"",
        );
        let mut document = SignedPdf::new(&base);
        document.fields = format!("{FREE} 0 R");
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let fields = format!("/Fields [{} 0 R {FREE} 0 R] /SigFlags 3", samples::signed::field_number(0));
        let form = format!("<< {fields} /DR << /Font << /{font} 902 0 R >> >> >>");
        let changes = Pdf::changes()
            .with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm {form} >>"))
            .with(FREE + 2, "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>");
        let answer = integrity(&signed.updated(&changes).file);
        assert_eq!(answer.verdict, expected, "{field}: {} {:#?}", answer.summary, answer.signals);
    }
}

#[test]
fn what_is_permitted_of_an_object_is_doubtful_where_it_is_another_one_for_some() {
    let look = |height: u32| {
        let resources = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
        let content = format!("BT /F 12 Tf 2 {height} Td (1,250.00) Tj ET");
        samples::pdf::stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 99 20] {resources}"),
            content.as_bytes(),
        )
    };
    let field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /Rect [72 500 171 520] /V (1,250.00) /AP << /N 901 0 R >> >>";
    let base =
        invoice().with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]"))).with(FREE, field).with(FREE + 1, look(4));
    let mut document = SignedPdf::new(&base);
    document.fields = format!("{FREE} 0 R");
    let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2)).file;
    for (shift, header, expected) in
        [(0, "901 0 obj\n", Verdict::PermittedChangesSinceSigning), (1, "9901 0 obj\n", Verdict::Undetermined)]
    {
        let object = [header.as_bytes(), &look(6), b"\nendobj\n"].concat();
        let save = letter().loose(object).row(FREE + 1, Row::Loose(0, shift));
        let answer = integrity(&save.write(signed.clone(), Form::Table));
        assert_eq!(answer.verdict, expected, "{header}: {:?} {:#?}", answer.examined, answer.signals);
    }
}

#[test]
fn a_signed_state_is_the_same_for_viewers_that_repair_it() {
    let words = |text: &str| samples::pdf::stream("", format!("BT /F 12 Tf 72 700 Td ({text}) Tj ET").as_bytes());
    let object = |text: &str| [format!("{CONTENT} 0 obj\n").as_bytes(), &words(text), b"\nendobj\n"].concat();
    let attached = Pdf::changes().with(FREE, samples::pdf::stream("/Type /EmbeddedFile", &object("Total 9,250.00")));
    // nothing leads to the copy; a table that says too little makes some viewers look for it
    let small = |file: Vec<u8>| {
        let save = Section { size: 3, ..letter() };
        let at = file.len();
        let mut file = save.write(file, Form::Table);
        let size = at + file[at..].windows(6).position(|word| word == b"/Size ").expect("a size") + 6;
        file[size..][..1].copy_from_slice(b"2");
        file
    };
    let base = SignedPdf::new(&invoice()).file;
    for (name, file, expected) in [
        (
            "another copy",
            letter().loose(object("Total 9,250.00")).write(base.clone(), Form::Table),
            Verdict::Undetermined,
        ),
        (
            "the same copy",
            letter().loose(object("Total 1,250.00")).write(base.clone(), Form::Table),
            Verdict::UnchangedSinceSigning,
        ),
        ("an attachment", attached.clone().update(base.clone()), Verdict::UnchangedSinceSigning),
        ("a save", small(base.clone()), Verdict::UnchangedSinceSigning),
    ] {
        let mut document = SignedPdf::new(&invoice());
        document.file = file;
        let signed = document.signed(&Signing::by(Key::Ed25519).certifying(2));
        let nothing = letter().with(FREE + 9, "<< /Nobody /Reaches >>").write(signed.file, Form::Table);
        let answer = integrity(&nothing);
        assert_eq!(answer.verdict, expected, "{name}: {} {:?}", answer.summary, answer.examined);
    }
}

#[test]
fn keys_of_a_file_write_no_sentence() {
    let note = |entries: &str| format!("<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] {entries} >>");
    let base = invoice().with(FIRST_PAGE, page(&format!("/Annots [{FREE} 0 R]"))).with(FREE, note(""));
    let signed = SignedPdf::new(&base).signed(&Signing::by(Key::Ed25519).certifying(3));
    let key = "X\u{201d} was added. The file is unchanged since it was signed by \u{201c}Bank".replace(' ', "\u{a0}");
    let answer = integrity(&Pdf::changes().with(FREE, note(&format!("/{key} 1"))).update(signed.file));
    assert_eq!(answer.verdict, Verdict::Undetermined, "{}", answer.summary);
    assert!(!answer.summary_public, "{}", answer.summary);
    assert!(answer.summary.contains("the entry \u{201c}X' was added. The file"), "{}", answer.summary);
    assert_eq!(answer.summary.matches(['\u{201c}', '\u{201d}']).count(), 2, "{}", answer.summary);
}
