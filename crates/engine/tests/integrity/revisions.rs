//! What later revisions did, in every form that an update can have.

use engine::{Change, ExaminedRevisions, SignalId, Strength, Verdict};
use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};
use samples::pdf::{CATALOG, Cipher, FIRST_PAGE, Form, INFO, PAGES, Pdf, encrypted, start_of_xref};

use crate::support::{CONTENT, FIELD, FONT, INFO_ENTRIES, NOTE, examined, field, ids, page, signal, typical};

/// Something that a revision can do, what that is called, and what it is a change of.
type Deed = (&'static str, fn(Pdf) -> Pdf, Option<(SignalId, Change)>);

const DEEDS: [Deed; 16] = [
    (
        "content written anew",
        |pdf| pdf.with_stream(CONTENT, "", b"BT /F1 12 Tf (Total due: 900) Tj ET"),
        Some((SignalId::PageContentChanged, Change::PageContent)),
    ),
    ("content deleted", |pdf| pdf.freeing(&[CONTENT]), Some((SignalId::PageContentChanged, Change::PageContent))),
    (
        "font exchanged",
        |pdf| pdf.with(FONT, "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"),
        Some((SignalId::PageContentChanged, Change::PageContent)),
    ),
    (
        "page turned",
        |pdf| pdf.with(FIRST_PAGE, page("/Rotate 90")),
        Some((SignalId::PageContentChanged, Change::PageContent)),
    ),
    (
        "page deleted",
        |pdf| pdf.with(PAGES, format!("<< /Type /Pages /Kids [{FIRST_PAGE} 0 R] /Count 1 >>")),
        Some((SignalId::PagesChanged, Change::Pages)),
    ),
    (
        "pages swapped",
        |pdf| pdf.with(PAGES, format!("<< /Type /Pages /Kids [{} 0 R {FIRST_PAGE} 0 R] /Count 2 >>", FIRST_PAGE + 1)),
        Some((SignalId::PagesChanged, Change::Pages)),
    ),
    (
        "note rewritten",
        |pdf| pdf.with(NOTE, "<< /Type /Annot /Subtype /Text /Rect [0 0 20 20] /Contents (Another) >>"),
        Some((SignalId::AnnotationsChanged, Change::Annotations)),
    ),
    ("field filled in", |pdf| pdf.with(FIELD, field("after")), Some((SignalId::FormChanged, Change::FormFields))),
    (
        "title changed",
        |pdf| pdf.with(INFO, "<< /Title (Another) /Producer (Writer 1) /CreationDate (D:20250115103000Z) >>"),
        Some((SignalId::MetadataChanged, Change::Metadata)),
    ),
    (
        "script added",
        |pdf| {
            let action = "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>";
            pdf.with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm 24 0 R {action} >>"))
        },
        Some((SignalId::DocumentChanged, Change::Document)),
    ),
    (
        "date of the save noted",
        |pdf| pdf.with(INFO, format!("<< {INFO_ENTRIES} /ModDate (D:20250116103000Z) >>")),
        None,
    ),
    // the same data in another encoding
    ("content compressed", |pdf| pdf.with_compressed(CONTENT, "", b"BT /F1 12 Tf (Total due: 100) Tj ET"), None),
    ("content repeated", |pdf| pdf.with_stream(CONTENT, "", b"BT /F1 12 Tf (Total due: 100) Tj ET"), None),
    (
        "page opened at",
        |pdf| {
            let view = format!("/OpenAction [{FIRST_PAGE} 0 R /Fit]");
            pdf.with(CATALOG, format!("<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm 24 0 R {view} >>"))
        },
        None,
    ),
    ("something that nobody sees", |pdf| pdf.with(50, "<< /A 1 >>"), None),
    ("private data of a program", |pdf| pdf.with(FIRST_PAGE, page("/PieceInfo << /A << >> >>")), None),
];

fn check(base: &[u8], (name, deed, expected): Deed, form: Form) {
    let file = deed(Pdf::changes()).update_as(base.to_vec(), form);
    let integrity = examined(&file);
    let context = format!("{name}, {form:?}: {integrity:#?}");
    assert_eq!(integrity.revisions.len(), 2, "{context}");
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::All, "{context}");
    assert_eq!(integrity.revisions[0].end, base.len() as u64, "{context}");
    assert_eq!(integrity.revisions[1].end, file.len() as u64, "{context}");
    match expected {
        Some((id, change)) => {
            assert_eq!(integrity.verdict, Verdict::Changed, "{context}");
            assert_eq!(integrity.because, [id], "{context}");
            assert_eq!(integrity.changes, [change], "{context}");
            assert_eq!(signal(&integrity, id).evidence[0].revision, Some(2), "{context}");
        }
        None => {
            assert_eq!(integrity.verdict, Verdict::NoSigns, "{context}");
            assert!(integrity.changes.is_empty(), "{context}");
        }
    }
}

#[test]
fn every_deed_is_told_from_every_other_whatever_the_form() {
    let pdf = typical();
    for base in [pdf.classic(), pdf.compressed(), pdf.hybrid(&[CONTENT]), pdf.linearized()] {
        for deed in DEEDS {
            for form in Form::ALL {
                check(&base, deed, form);
            }
        }
    }
}

#[test]
fn encrypted_files_are_compared_like_others() {
    for cipher in [Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        let base = encrypted(&typical().classic(), cipher, "", "owner");
        let untouched = examined(&base);
        assert_eq!(untouched.verdict, Verdict::NoSigns, "{untouched:#?}");
    }
}

#[test]
fn a_file_of_one_revision_has_none_to_compare() {
    let pdf = typical();
    for file in [pdf.classic(), pdf.compressed(), pdf.hybrid(&[CONTENT]), pdf.linearized()] {
        let integrity = examined(&file);
        assert_eq!(integrity.verdict, Verdict::NoSigns);
        assert_eq!(integrity.revisions.len(), 1);
        assert_eq!(integrity.revisions[0].end, file.len() as u64);
        assert_eq!(integrity.revisions[0].producer.as_deref(), Some("Writer 1"));
    }
}

#[test]
fn evidence_names_place_page_and_both_states() {
    let file = Pdf::changes().with(FIELD, field("after")).update(typical().classic());
    let integrity = examined(&file);
    let evidence = &signal(&integrity, SignalId::FormChanged).evidence[0];
    assert_eq!((evidence.object, evidence.page), (Some(FIELD), Some(1)));
    assert_eq!(evidence.place.as_deref(), Some("amount /V"));
    assert_eq!((evidence.before.as_deref(), evidence.after.as_deref()), (Some("before"), Some("after")));
    assert_eq!(integrity.summary, "In the form, 'before' became 'after' in the second of two saves.");
}

#[test]
fn a_first_packet_says_again_what_the_dictionary_says() {
    let base = typical().classic();
    let packet = |properties: &str| {
        let packet = samples::pdf::packet(properties);
        let catalog = format!("<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm 24 0 R /Metadata 40 0 R >>");
        let changes = Pdf::changes().with(CATALOG, catalog);
        examined(&changes.with_stream(40, "/Type /Metadata /Subtype /XML", packet.as_bytes()).update(base.clone()))
    };
    let title =
        |text: &str| format!("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{text}</rdf:li></rdf:Alt></dc:title>");
    let quiet = ["<pdf:Producer>Writer 1; Signer 1</pdf:Producer>".to_owned(), title("Title")];
    for properties in quiet {
        let integrity = packet(&properties);
        assert_eq!(integrity.verdict, Verdict::NoSigns, "{properties}: {integrity:#?}");
    }
    let author = "<dc:creator><rdf:Seq><rdf:li>Somebody</rdf:li></rdf:Seq></dc:creator>".to_owned();
    for properties in [title("Another"), author] {
        assert_eq!(packet(&properties).because, [SignalId::MetadataChanged], "{properties}");
    }
}

#[test]
fn a_packet_says_the_same_in_another_order_and_with_uris_as_resources() {
    let schema = |fields: &str| {
        let item = format!("<rdf:li rdf:parseType=\"Resource\">{fields}</rdf:li>");
        format!("<dc:relation><rdf:Bag>{item}</rdf:Bag></dc:relation>")
    };
    let text = "<dc:format>urn:a</dc:format><dc:source>B</dc:source>";
    let updated = |before: &str, after: &str| {
        let packet = |properties: &str| samples::pdf::packet(properties).into_bytes();
        let entries = "/Type /Metadata /Subtype /XML";
        let base = Pdf::new(1).catalog("/Metadata 40 0 R").with_stream(40, entries, &packet(before)).classic();
        examined(&Pdf::changes().with_stream(40, entries, &packet(after)).update(base))
    };
    for same in [
        "<dc:source>B</dc:source><dc:format>urn:a</dc:format>",
        "<dc:format rdf:resource=\"urn:a\"/><dc:source>B</dc:source>",
    ] {
        let integrity = updated(&schema(text), &schema(same));
        assert_ne!(integrity.verdict, Verdict::Changed, "{same}: {integrity:#?}");
    }
    let other = "<dc:format rdf:resource=\"urn:b\"/><dc:source>B</dc:source>";
    assert_eq!(updated(&schema(text), &schema(other)).verdict, Verdict::Changed);
    // the order of authors is seen
    let authors = |names: [&str; 2]| {
        let items = names.map(|name| format!("<rdf:li>{name}</rdf:li>")).concat();
        format!("<dc:creator><rdf:Seq>{items}</rdf:Seq></dc:creator>")
    };
    assert_eq!(updated(&authors(["Ann", "Bob"]), &authors(["Bob", "Ann"])).verdict, Verdict::Changed);
}

#[test]
fn the_weightiest_evidence_comes_first() {
    let catalog = format!(
        "<< /Type /Catalog /Pages {PAGES} 0 R /AcroForm 24 0 R /PageMode /UseAttachments \
         /Names << /EmbeddedFiles << /Names [] >> >> >>"
    );
    let integrity = examined(&Pdf::changes().with(CATALOG, catalog).update(typical().classic()));
    let places: Vec<_> =
        signal(&integrity, SignalId::DocumentChanged).evidence.iter().map(|it| it.place.as_deref()).collect();
    assert_eq!(places, [Some("EmbeddedFiles"), Some("PageMode")]);
    assert!(integrity.summary.starts_with("Attachments were changed"), "{}", integrity.summary);
}

#[test]
fn values_of_password_fields_are_not_shown() {
    let secret = |value| field(value).replace("/T (amount)", "/T (amount) /Ff 8192");
    let base = typical().with(FIELD, secret("hunter2")).classic();
    let integrity = examined(&Pdf::changes().with(FIELD, secret("swordfish")).update(base));
    let text = serde_json::to_string(&integrity).expect("JSON");
    assert!(!text.contains("hunter2") && !text.contains("swordfish"), "{text}");
    assert_eq!(integrity.because, [SignalId::FormChanged]);
}

#[test]
fn a_signature_that_goes_is_told() {
    let signed = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] /V 30 0 R >>";
    let unsigned = "<< /Type /Annot /Subtype /Widget /FT /Sig /T (s) /Rect [0 0 0 0] >>";
    let value = "<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>";
    let empty = typical().with(FIELD, unsigned).classic();
    let added = Pdf::changes().with(FIELD, signed).with(30, value).update(empty);
    assert_eq!(signal(&examined(&added), SignalId::SignatureAdded).strength, Strength::Neutral);
    let removed = Pdf::changes().with(FIELD, unsigned).freeing(&[30]).update(added);
    let integrity = examined(&removed);
    assert_eq!(signal(&integrity, SignalId::SignatureRemoved).strength, Strength::Conclusive, "{:?}", ids(&integrity));
    assert!(integrity.revisions[1].signed && !integrity.revisions[2].signed);
}

#[test]
fn a_damaged_file_has_no_revisions_that_could_be_trusted() {
    let file = Pdf::changes().with(FIELD, field("after")).update(typical().classic());
    let file = String::from_utf8(file).expect("text").replace("startxref", "startxxxx");
    let integrity = examined(file.as_bytes());
    assert_eq!(integrity.verdict, Verdict::Undetermined);
    assert_eq!(integrity.because, [SignalId::StructureDamaged]);
    let place = signal(&integrity, SignalId::StructureDamaged).evidence[0].place.as_deref();
    assert_eq!(place, Some("cross-reference table"));
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::None);
}

#[test]
fn what_stands_between_two_ends_is_a_state_that_nothing_leads_to() {
    let base = typical().classic();
    let start = start_of_xref(&base);
    let content = samples::pdf::stream("", b"BT /F1 12 Tf (Total due: 900) Tj ET");
    let object = [format!("{CONTENT} 0 obj\n").as_bytes(), &content, b"\nendobj\n"].concat();
    let last = base.len() - format!("startxref\n{start}\n%%EOF\n").len();
    for (front, leads_to) in [(&base[..], start + 3), (&base[..], start), (&base[..last], start)] {
        let end = format!("startxref\n{leads_to}\n%%EOF\n");
        let integrity = examined(&[front, &object, end.as_bytes()].concat());
        assert_eq!(integrity.because, [SignalId::HistoryCut], "{leads_to}: {:?}", ids(&integrity));
    }
}

#[test]
fn an_information_dictionary_may_be_what_a_page_draws_with() {
    let fonts = page("").replace(&format!("<< /F1 {FONT} 0 R >>"), &format!("{INFO} 0 R"));
    for key in ["Producer", "ModDate"] {
        let content = format!("BT /{key} 12 Tf (Total due: 100) Tj ET");
        let base = typical().info(format!("/{key} {FONT} 0 R")).with(FIRST_PAGE, &fonts);
        let base = base.with_stream(CONTENT, "", content.as_bytes()).classic();
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>";
        let changes = Pdf::changes().with(INFO, format!("<< /{key} 50 0 R >>")).with(50, font);
        let integrity = examined(&changes.update(base));
        assert!(integrity.because.contains(&SignalId::PageContentChanged), "{key}: {:?}", ids(&integrity));
    }
}

#[test]
fn what_a_file_is_encrypted_by_stays() {
    let base = encrypted(&typical().classic(), Cipher::Rc4Of128, "", "owner");
    let behind = |text: &[u8], word: &str| {
        let at = text.windows(word.len()).rposition(|window| window == word.as_bytes());
        at.expect("the word is there") + word.len()
    };
    let until = |text: &[u8], word: &str| {
        let at = text.windows(word.len()).position(|window| window == word.as_bytes());
        text[..at.expect("the word is there")].to_vec()
    };
    let trailer = String::from_utf8_lossy(&until(&base[behind(&base, "trailer")..], "startxref")).into_owned();
    let number: u32 =
        trailer[behind(trailer.as_bytes(), "/Encrypt ")..].split(' ').next().expect("one").parse().expect("it");
    let dictionary = until(&base[behind(&base, &format!("\n{number} 0 obj"))..], "endobj");
    let another = [b"<< /Note 1 ".as_slice(), &dictionary[behind(&until(&dictionary, "/"), "<<")..]].concat();
    for (dictionary, is_same) in [(dictionary, true), (another, false)] {
        let start = base.len();
        let mut file = [&base, format!("{number} 0 obj").as_bytes(), &dictionary, b"endobj\n"].concat();
        let (previous, end) = (start_of_xref(&base), file.len());
        let row = format!("xref\n{number} 1\n{start:010} 00000 n \n");
        let trailer = trailer.trim().trim_end_matches(">>");
        let tail = format!("{row}trailer\n{trailer} /Prev {previous} >>\nstartxref\n{end}\n%%EOF\n");
        file.extend_from_slice(tail.as_bytes());
        let integrity = examined(&file);
        assert_eq!(integrity.revisions.len(), 2);
        assert_eq!(ids(&integrity).contains(&SignalId::DocumentChanged), !is_same, "{:?}", ids(&integrity));
    }
}

/// As Adobe PDF Services writes hybrid files: two sections, of which only the second one has an end.
#[test]
fn a_section_without_an_end_is_part_of_the_save_that_ends() {
    let saved = |changes: Pdf| {
        let base = typical().classic();
        let tail = base.windows(9).rposition(|window| window == b"startxref").expect("an end");
        let mut file = changes.update(base.clone());
        // blanks in place of the end of the first section
        file[tail..base.len()].fill(b' ');
        examined(&file)
    };
    let added = saved(Pdf::changes().with(990, "<< /Note 1 >>"));
    assert_eq!((added.verdict, added.revisions.len()), (Verdict::NoSigns, 1), "{:?}", ids(&added));
    let replaced = saved(Pdf::changes().with_stream(CONTENT, "", b"BT /F1 12 Tf (Total due: 900) Tj ET"));
    assert_eq!(replaced.because, [SignalId::PageContentChanged], "{:?}", ids(&replaced));
}

#[test]
fn what_could_not_be_reached_is_not_guessed() {
    let names: String = (1_000..61_000).map(|number| format!("/N{number} {number} 0 R ")).collect();
    let resources = format!("/XObject << {names} >> /Font");
    let mut base = typical()
        .with(FIRST_PAGE, page("").replace("/Font", &resources))
        .with(NOTE, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 20 20] /AP << /N 50 0 R >> >>")
        .with_stream(50, "/Type /DSS", b"");
    for number in 1_000..61_000 {
        base.set(number, "0");
    }
    let changes = Pdf::changes().with_stream(50, "/Type /DSS", b"0 0 9 9 re f");
    let integrity = examined(&changes.update(base.classic()));
    assert_eq!(integrity.examined.revisions, ExaminedRevisions::Newest, "{:?}", ids(&integrity));
    assert_eq!(integrity.verdict, Verdict::Undetermined, "{:?}", ids(&integrity));
}

fn form() -> impl Strategy<Value = Form> {
    prop_oneof![Just(Form::Table), Just(Form::Stream), Just(Form::Compressed), Just(Form::Hybrid)]
}

proptest! {
    /// Each of any number of updates is told by what it did, in its own place.
    #[test]
    fn updates_on_updates_are_told_apart(updates in prop::collection::vec((10..DEEDS.len(), form()), 0..6), last in 0..8_usize) {
        let mut file = typical().classic();
        for (deed, form) in &updates {
            file = DEEDS[*deed].1(Pdf::changes()).update_as(file, *form);
        }
        let before = examined(&file);
        assert_eq!(before.verdict, Verdict::NoSigns, "{before:#?}");
        assert_eq!(before.revisions.len(), updates.len() + 1);
        let (_, deed, expected) = DEEDS[last];
        let integrity = examined(&deed(Pdf::changes()).update_as(file, Form::Table));
        let (id, change) = expected.expect("a change");
        assert_eq!(&integrity.because, &[id], "{integrity:#?}");
        assert_eq!(&integrity.revisions.last().expect("a revision").changes, &[change]);
    }
}

#[test]
fn an_entry_that_leads_to_a_deleted_object_is_a_removed_entry() {
    let outlines = "<< /Type /Outlines /First 41 0 R /Last 41 0 R /Count 1 >>";
    let base = typical()
        .catalog("/Outlines 40 0 R")
        .with(40, outlines)
        .with(41, "<< /Title (Chapter) /Parent 40 0 R /Dest [3 0 R /Fit] >>")
        .classic();
    let removed = examined(&Pdf::changes().freeing(&[40, 41]).update(base.clone()));
    assert_eq!((removed.verdict, &removed.because[..]), (Verdict::Changed, &[SignalId::DocumentChanged][..]));
    assert_eq!(removed.summary, "Bookmarks were changed in the second of two saves.");
    // folded only
    let folded = Pdf::changes().with(40, outlines.replace("/Count 1", "/Count -1"));
    assert_eq!(examined(&folded.update(base)).verdict, Verdict::NoSigns);
}

#[test]
fn an_annotation_of_a_private_kind_without_anything_to_see_is_no_change() {
    let zone = |kind: &str, left: u32, entries: &str| {
        format!("<< /Type /Annot /Subtype /{kind} /Rect [{left} 0 20 20] {entries} >>")
    };
    let verdict = |kind: &str, entries: &str| {
        let base = typical().with(NOTE, zone(kind, 1, entries)).classic();
        examined(&Pdf::changes().with(NOTE, zone(kind, 2, entries)).update(base)).verdict
    };
    assert_eq!(verdict("APEX:Zone", ""), Verdict::NoSigns);
    for (kind, entries) in [
        ("APEX:Zone", "/Contents (A note)"),
        ("APEX:Zone", "/A << /S /URI /URI (https://example.com) >>"),
        ("Square", ""),
    ] {
        assert_eq!(verdict(kind, entries), Verdict::Changed, "{kind} {entries}");
    }
}

/// Acrobat renews the usage rights of a form that Reader may fill in; a certification is a signature.
#[test]
fn renewed_usage_rights_are_no_removed_signature() {
    let signature = "<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00> >>";
    for (key, is_removed) in [("UR3", false), ("DocMDP", true)] {
        let catalog = |permissions: u32| format!("<< /Type /Catalog /Pages {PAGES} 0 R /Perms {permissions} 0 R >>");
        let of = |value: u32| format!("<< /{key} {value} 0 R >>");
        let pdf = Pdf::new(1).with(CATALOG, catalog(30)).with(30, of(31)).with(31, signature);
        let again = Pdf::changes().with(CATALOG, catalog(32)).with(32, of(33)).with(33, signature);
        let direct = Pdf::changes().with(30, of(33)).with(33, signature);
        let dropped = Pdf::changes().with(30, "<< >>");
        for changes in [again.freeing(&[30, 31]), direct.freeing(&[31]), dropped] {
            let answer = examined(&changes.update(pdf.classic()));
            // a certification in its place is checked as such
            let is_accused = matches!(answer.verdict, Verdict::Changed | Verdict::ChangedSinceSigning);
            let is_told = ids(&answer).contains(&SignalId::SignatureRemoved);
            assert_eq!(is_accused || is_told, is_removed, "{key}: {:#?}", answer.signals);
        }
    }
}
