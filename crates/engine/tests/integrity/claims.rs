//! What files say against themselves.

use engine::{Basis, SignalId, Strength, Verdict};
use samples::pdf::{FIRST_PAGE, Pdf};

use crate::support::{CONTENT, FIELD, FORM, INFO_ENTRIES, NOTE, examined, field, ids, page, signal, typical};

#[test]
fn dates_are_held_against_each_other() {
    let cases = [
        ("/CreationDate (D:20250115103000Z) /ModDate (D:20250115103030Z)", None),
        (
            "/CreationDate (D:20250115103000Z) /ModDate (D:20250115113000Z)",
            Some((SignalId::ModifiedLater, Strength::Weak)),
        ),
        (
            "/CreationDate (D:20250115103000Z) /ModDate (D:20250119103000Z)",
            Some((SignalId::ModifiedLater, Strength::Strong)),
        ),
        // the same instant in two zones
        ("/CreationDate (D:20250115103000Z) /ModDate (D:20250115123000+02'00')", None),
        (
            "/CreationDate (D:20250119103000Z) /ModDate (D:20250115103000Z)",
            Some((SignalId::DateImpossible, Strength::Strong)),
        ),
        ("/CreationDate (D:20251315103000Z)", Some((SignalId::DateImpossible, Strength::Strong))),
        ("/CreationDate (D:20990115103000Z)", Some((SignalId::DateImpossible, Strength::Strong))),
        ("/CreationDate (D:19800115103000Z)", Some((SignalId::DateImpossible, Strength::Strong))),
        ("/CreationDate (yesterday)", Some((SignalId::MetadataMissing, Strength::Neutral))),
        ("/Title (Title)", Some((SignalId::MetadataMissing, Strength::Neutral))),
        (
            "/CreationDate (D:20150115103000Z) /Producer (LibreOffice 7.4)",
            Some((SignalId::DateBeforeSoftware, Strength::Strong)),
        ),
        // previews come before the release
        ("/CreationDate (D:20191115103000Z) /Producer (LibreOffice 7.4)", None),
        (
            "/CreationDate (D:20150115103000Z) /Producer (GPL Ghostscript 10.02.0)",
            Some((SignalId::DateBeforeSoftware, Strength::Strong)),
        ),
        ("/CreationDate (D:20230115103000Z) /Producer (An illuminated page)", None),
        ("/CreationDate (D:20230115103000Z) /Producer (dompdf 2.0 + CPDF)", None),
        ("/CreationDate (D:20230115103000Z) /Producer (iLovePDF)", Some((SignalId::EditingSoftware, Strength::Strong))),
        ("/CreationDate (D:20230115103000Z) /Producer (pikepdf 9)", Some((SignalId::EditingSoftware, Strength::Weak))),
        ("/CreationDate (D:20230115103000Z) /Producer (Foxit PhantomPDF Printer Version 9)", None),
    ];
    for (info, expected) in cases {
        let integrity = examined(&Pdf::new(1).info(info).classic());
        match expected {
            Some((id, strength)) => assert_eq!(signal(&integrity, id).strength, strength, "{info}"),
            None => assert!(integrity.signals.is_empty(), "{info}: {:?}", ids(&integrity)),
        }
        let strong = integrity.signals.iter().filter(|signal| signal.strength == Strength::Strong);
        let verdict = match strong.map(|signal| signal.basis).collect::<Vec<_>>().as_slice() {
            [] => Verdict::NoSigns,
            [Basis::Software] => Verdict::SavedAgain,
            _ => Verdict::SignsOfChange,
        };
        assert_eq!(integrity.verdict, verdict, "{info}");
    }
}

#[test]
fn the_two_layers_are_held_against_each_other() {
    let cases = [
        ("2025-01-15T10:30:00Z", None),
        // one layer without its zone
        ("2025-01-15T10:30:00+05:30", None),
        ("2025-01-17T10:30:00Z", Some(Strength::Strong)),
    ];
    for (date, expected) in cases {
        let pdf = Pdf::new(1).info("/CreationDate (D:20250115103000Z)");
        let integrity = examined(&pdf.xmp(&format!("<xmp:CreateDate>{date}</xmp:CreateDate>")).classic());
        let found = integrity.signals.iter().find(|signal| signal.id == SignalId::InfoXmpContradict);
        assert_eq!(found.map(|signal| signal.strength), expected, "{date}");
    }
}

#[test]
fn a_date_in_words_is_the_documents_own() {
    // as a PostScript file's comment is handed on
    let pdf = Pdf::new(1).info("/CreationDate (Monday, March 03, 1997 3:30:00 PM) /ModDate (D:20250115103000Z)");
    let integrity = examined(&pdf.xmp("<xmp:CreateDate>2025-01-15T10:30:00Z</xmp:CreateDate>").classic());
    assert!(!ids(&integrity).contains(&SignalId::InfoXmpContradict), "{:?}", ids(&integrity));
}

#[test]
fn what_keeps_the_creation_date_is_only_held_against_the_newest() {
    let dates = "/CreationDate (D:19980115103000Z) /ModDate (D:20240115103000Z)";
    for (producer, expected) in [("GPL Ghostscript 10.02.0", false), ("LibreOffice 7.4", true)] {
        let integrity = examined(&Pdf::new(1).info(format!("{dates} /Producer ({producer})")).classic());
        assert_eq!(ids(&integrity).contains(&SignalId::DateBeforeSoftware), expected, "{producer}");
    }
}

#[test]
fn a_history_after_the_creation_tells_of_changes() {
    for (when, strength) in [("2025-01-15T09:00:00Z", Strength::Weak), ("2025-02-01T09:00:00Z", Strength::Strong)] {
        let history = format!(
            "<xmp:CreateDate>2025-01-15T10:30:00Z</xmp:CreateDate><xmpMM:History><rdf:Seq>\
             <rdf:li stEvt:action=\"saved\" stEvt:when=\"{when}\"/></rdf:Seq></xmpMM:History>"
        );
        let integrity = examined(&Pdf::new(1).xmp(&history).classic());
        let signal = signal(&integrity, SignalId::EditHistory);
        assert_eq!(signal.strength, strength, "{when}");
        assert_eq!(signal.evidence[0].after.as_deref(), Some(format!("saved, {when}").as_str()));
    }
}

#[test]
fn the_first_day_of_a_clock_is_no_sign_of_a_change() {
    for date in [
        "D:19700101000000Z",
        "D:19700101000001Z",
        "D:19700101010000+01'00'",
        "D:19691231190000Z",
        "D:19700101053000",
        "D:19800101000000Z",
        "D:19791231160000-08'00'",
        "D:19040101000000Z",
        "D:16010101000000Z",
    ] {
        for (created, modified) in [(date, date), (date, "D:20240115103000Z"), ("D:20240115103000Z", date)] {
            let info = format!("/CreationDate ({created}) /ModDate ({modified}) /Producer (cairo 1.18.0)");
            let integrity = examined(&Pdf::new(1).info(&info).classic());
            assert_eq!(integrity.verdict, Verdict::NoSigns, "{info}: {:?}", ids(&integrity));
            assert_eq!(signal(&integrity, SignalId::DateImpossible).strength, Strength::Neutral, "{info}");
        }
    }
    for date in ["D:19700201000000Z", "D:19850101000000Z", "D:19801231000000Z", "D:19050101000000Z"] {
        let integrity = examined(&Pdf::new(1).info(format!("/CreationDate ({date})")).classic());
        assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{date}");
    }
}

#[test]
fn macos_keeps_the_creation_date_of_what_it_saves_again() {
    let info = |created: &str, modified: &str| {
        let dates = format!("/CreationDate (D:{created}) /ModDate (D:{modified})");
        Pdf::new(1).info(format!("{dates} /Producer (macOS Version 13.1 \\(Build 22C65\\) Quartz PDFContext)"))
    };
    let integrity = examined(&info("20090304180919Z", "20230720103712Z").classic());
    assert_eq!(integrity.verdict, Verdict::SavedAgain, "{:?}", ids(&integrity));
    let integrity = examined(&info("20090304180919Z", "20100720103712Z").classic());
    assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{:?}", ids(&integrity));
}

#[test]
fn flags_of_a_form_are_no_signature_but_validation_data_belongs_to_one() {
    for (entries, verdict) in [
        ("/SigFlags 1", Verdict::NoSigns),
        ("/SigFlags 2", Verdict::NoSigns),
        ("/SigFlags 3", Verdict::NoSigns),
        ("/SigFlags 3 >> /DSS << /Certs []", Verdict::SignsOfChange),
    ] {
        let form = format!("/AcroForm << /Fields [] {entries} >>");
        let integrity = examined(&Pdf::new(1).info("/CreationDate (D:20250115103000Z)").catalog(&form).classic());
        assert_eq!(integrity.verdict, verdict, "{entries}: {:?}", ids(&integrity));
    }
}

#[test]
fn marks_of_stamping_tell_of_another_save_alone() {
    let stamped = |name: &str| {
        let page = format!(
            "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 200 200] \
             /Resources << /XObject << /{name} 90 0 R /Fm0 90 0 R >> >> >>",
            samples::pdf::PAGES
        );
        let dates = "/CreationDate (D:20250115103000Z) /Producer (iText 7.2; modified using iText 7.2)";
        let form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]";
        examined(&Pdf::new(1).info(dates).with(FIRST_PAGE, page).with_stream(90, form, b"").classic())
    };
    let integrity = stamped("Xi0");
    assert_eq!(signal(&integrity, SignalId::EditingMarks).basis, Basis::Software);
    assert_eq!(integrity.verdict, Verdict::SavedAgain, "{:?}", ids(&integrity));
    // pages that were put on a sheet, and a letterhead under a page
    for name in ["fzFrm0", "Fm0-0"] {
        assert!(!ids(&stamped(name)).contains(&SignalId::EditingMarks), "{name}");
    }
}

#[test]
fn a_file_that_was_written_twice_holds_no_earlier_state() {
    let file = typical().with_stream(900, "", &[b' '; 2_000]).classic();
    let integrity = examined(&file.repeat(2));
    assert_eq!(integrity.verdict, Verdict::NoSigns, "{:?}", ids(&integrity));
    // one byte of a content stream is another one
    let mut other = file.clone();
    let total = file.windows(10).position(|window| window == b"Total due:").expect("the text");
    other[total] = b'L';
    let integrity = examined(&[other, file].concat());
    assert_eq!(integrity.verdict, Verdict::SignsOfChange, "{:?}", ids(&integrity));
}

#[test]
fn what_a_buffer_left_behind_the_end_is_no_later_state() {
    let file = typical().with_stream(900, "", &[b' '; 900]).with(901, "<< /Late true >>").classic();
    let size = 1_024;
    let rest = size - file.len() % size;
    let start = file.len() - size;
    let copied = [&file[..], &file[start..start + rest]].concat();
    assert!(copied[file.len()..].windows(4).any(|word| word == b" obj"), "there are objects behind the end");
    let integrity = examined(&copied);
    assert_eq!(integrity.verdict, Verdict::NoSigns, "{:?}", ids(&integrity));
    let mut other = copied.clone();
    let late = other.windows(5).rposition(|window| window == b"/Late");
    other[late.expect("the object is repeated") + 1] = b'D';
    assert_eq!(examined(&other).verdict, Verdict::SignsOfChange);
}

#[test]
fn a_trailer_behind_a_cross_reference_stream_is_no_earlier_state() {
    let file = Pdf::new(1).info("/CreationDate (D:20250115103000Z)").compressed();
    let end = file.windows(9).rposition(|window| window == b"startxref").expect("an end");
    let with = |between: &str| [&file[..end], between.as_bytes(), b"\r", &file[end..]].concat();
    let trailer = "trailer<</Size 9\r/ID [(0123456789abcdef) (0123456789abcdef)]>>";
    let integrity = examined(&with(trailer));
    assert_eq!(integrity.verdict, Verdict::NoSigns, "{:?}", ids(&integrity));
    let object = "99 0 obj << /Type /Page /Contents [12 0 R 13 0 R 14 0 R] >> endobj ";
    assert_eq!(examined(&with(&format!("{object}{trailer}"))).verdict, Verdict::SignsOfChange);
}

#[test]
fn what_follows_the_end_is_told() {
    let file = typical().classic();
    for (junk, expected) in [
        (b"\n\n\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\n".as_slice(), None),
        (b"<!-- served in 12 milliseconds -->", Some(Strength::Weak)),
        (b"99 0 obj << /Type /Page >> endobj", Some(Strength::Strong)),
    ] {
        let integrity = examined(&[&file, junk].concat());
        let found = integrity.signals.iter().find(|signal| signal.id == SignalId::BytesAfterEnd);
        assert_eq!(found.map(|signal| signal.strength), expected, "{}", junk.escape_ascii());
    }
}

#[test]
fn texts_are_cut_and_evidence_is_counted() {
    let long = "x".repeat(5_000);
    let file = Pdf::new(1).info(format!("/Producer (iLovePDF {long}) /CreationDate (D:20250115103000Z)")).classic();
    let integrity = examined(&file);
    let signal = signal(&integrity, SignalId::EditingSoftware);
    assert_eq!(signal.evidence_total, 1);
    let text = signal.evidence[0].after.as_deref().expect("a text");
    assert_eq!(text.chars().count(), 200);
}

#[test]
fn a_state_that_nothing_leads_to_is_told() {
    let old = typical().classic();
    // the newer file behind the older one, by itself
    let mut file = old.clone();
    file.resize(old.len().max(1_200), b' ');
    let newer = typical().info("/Title (Newer) /CreationDate (D:20250115103000Z)");
    let integrity = examined(&newer.behind(file));
    assert_eq!(signal(&integrity, SignalId::HistoryCut).strength, Strength::Strong, "{:?}", ids(&integrity));
}

/// As factur-x and pypdf leave it: the start of the file that was read, cut off by the one that was written.
#[test]
fn a_start_of_the_same_content_is_no_sign_of_change() {
    let old = typical().catalog(&format!("/AcroForm {FORM} 0 R /Note ({})", "x".repeat(1_500))).classic();
    let cut = old.windows(4).position(|window| window == b"xref").expect("a table");
    let verdict = |newer: &Pdf| {
        let integrity = examined(&newer.behind(old[..cut - 9].to_vec()));
        (signal(&integrity, SignalId::HistoryCut).strength, integrity.verdict)
    };
    let newer = typical().info(INFO_ENTRIES.replace("/Producer (Writer 1)", "/Producer (Writer 2)"));
    assert_eq!(verdict(&newer).0, Strength::Neutral);
    assert_ne!(verdict(&newer).1, Verdict::SignsOfChange);
    let amount = newer.clone().with_stream(CONTENT, "", b"BT /F1 12 Tf (Total due: 900) Tj ET");
    let value = newer.clone().with(FIELD, field("after"));
    let note = newer.with(NOTE, "<< /Type /Annot /Subtype /Text /Rect [0 0 20 20] /Contents (Another) >>");
    for other in [amount, value, note] {
        assert_eq!(verdict(&other), (Strength::Strong, Verdict::SignsOfChange));
    }
}

#[test]
fn what_a_linearized_file_begins_with_is_no_earlier_state() {
    let comment = format!("%{}\n", "x".repeat(1_500));
    let head = format!("99 0 obj\n<< /Linearized 1 /L 9 /N 1 /O 4 /E 0 /T 9 /H [0 0] >>\nendobj\n{comment}");
    for (head, is_cut) in [(head.as_str(), false), (&head.replace("/Linearized 1", "/Title (Older)"), true)] {
        let file = typical().classic();
        let at = file.iter().position(|byte| *byte == b'\n').expect("a header") + 1;
        let document = typical().behind([&file[..at], head.as_bytes()].concat());
        let integrity = examined(&document);
        assert_eq!(ids(&integrity).contains(&SignalId::HistoryCut), is_cut, "{head}");
    }
}

#[test]
fn the_comment_behind_the_header_tells_who_wrote_the_bytes() {
    let file = Pdf::new(1).info("/CreationDate (D:20230115103000Z) /Producer (LibreOffice 7.4)").classic();
    let line_end = file.iter().position(|&byte| byte == b'\n').expect("a header");
    let cases = [
        (b"%\xc3\xa4\xc3\xbc\xc3\xb6\xc3\x9f", None),
        // nobody's that is known
        (b"%\xc3\xa2\xc3\xa3\xc3\x8f\xc3\x93", None),
        (b"%\xbf\xf7\xa2\xfe    ", Some("qpdf")),
        (b"%\xc2\xb5\xc2\xb6    ", Some("MuPDF")),
        (b"%\xe2\xe3\xcf\xd3    ", Some("pypdf, iText, Adobe Acrobat or pdfcpu")),
    ];
    for (comment, likely) in cases {
        let mut file = file.clone();
        file[line_end + 1..][..comment.len()].copy_from_slice(comment);
        let integrity = examined(&file);
        let found = integrity.signals.iter().find(|signal| signal.id == SignalId::WriterMismatch);
        assert_eq!(found.and_then(|signal| signal.evidence[0].after.as_deref()), likely);
    }
}

#[test]
fn the_first_line_is_that_of_who_wrote_the_oldest_revision() {
    let comment = |producer: &str, comment: &[u8]| {
        let mut file = Pdf::new(1).info(format!("/CreationDate (D:20230115103000Z) /Producer ({producer})")).classic();
        let line_end = file.iter().position(|&byte| byte == b'\n').expect("a header");
        file[line_end + 1..][..comment.len()].copy_from_slice(comment);
        file
    };
    let update = |file| {
        let info = "<< /CreationDate (D:20230115103000Z) /Producer (macOS Version 14.6 Quartz PDFContext) >>";
        examined(&Pdf::changes().with(samples::pdf::INFO, info).update(file))
    };
    let own = update(comment("cairo 1.16.0", b"%\xb5\xed\xae\xfb   "));
    assert!(!ids(&own).contains(&SignalId::WriterMismatch), "{:?}", ids(&own));
    let other = update(comment("cairo 1.16.0", b"%\xbf\xf7\xa2\xfe   "));
    assert!(ids(&other).contains(&SignalId::WriterMismatch), "{:?}", ids(&other));
    // a writer of no such line
    let none = examined(&comment("FPDF 1.81", b"%\xbf\xf7\xa2\xfe   "));
    assert!(ids(&none).contains(&SignalId::WriterMismatch), "{:?}", ids(&none));
}

#[test]
fn what_is_said_on_a_page_is_not_younger_than_the_document() {
    for (kind, is_later) in [
        ("FreeText", true),
        ("Square", true),
        ("StrikeOut", true),
        ("Widget", false),
        ("Text", true),
        ("Highlight", false),
    ] {
        let annotation = format!("<< /Type /Annot /Subtype /{kind} /Rect [9 9 20 20] /M (D:20250301120000Z) >>");
        let found = examined(&typical().with(FIRST_PAGE, page(&format!("/Annots [{annotation}]"))).classic());
        assert_eq!(ids(&found).contains(&SignalId::ObjectDatedLater), is_later, "{kind}");
        let said = "An annotation on page 1 is dated later than the document itself".to_lowercase();
        assert_eq!(found.summary.to_lowercase().contains(&said), is_later, "{kind}: {}", found.summary);
    }
}

#[test]
fn what_a_program_keeps_with_a_page_is_not_younger_than_the_document() {
    for (date, is_later) in [("D:20250115103000Z", false), ("D:20250115103030Z", false), ("D:20250301120000Z", true)] {
        let pieces = format!("/PieceInfo << /Editor << /LastModified ({date}) /Private 1 >> >>");
        let found = examined(&typical().with(FIRST_PAGE, page(&pieces)).classic());
        assert_eq!(ids(&found).contains(&SignalId::ObjectDatedLater), is_later, "{date}");
    }
}

/// MD5 of `<total>1250.00</total>`.
const CHECKSUM: &str = "c485654f4bb4666271dc032d52eac81c";

/// A document with these attachments: their names, entries of `/EF`, and two streams.
fn with_attachments(names: &str, files: [(&str, &str); 2]) -> Vec<u8> {
    let mut pdf = typical().catalog(&format!("/Names << /EmbeddedFiles << /Names [{names}] >> >>"));
    for (number, (entries, content)) in (30..).zip(files) {
        pdf = pdf.with_stream(number, &format!("/Type /EmbeddedFile {entries}"), content.as_bytes());
    }
    pdf.classic()
}

#[test]
fn attachments_are_compared_with_their_checksums_and_with_each_other() {
    const ONE: &str = "<total>1250.00</total>";
    const OTHER: &str = "<total>9250.00</total>";
    let sum = format!("/Params << /Size 22 /CheckSum <{CHECKSUM}> >>");
    let digits = format!("/Params << /CheckSum ({CHECKSUM}) >>");
    let zeros = format!("/Params << /Size 5 /CheckSum <{}> >>", "00".repeat(16));
    let single = "(a) << /F (a) /UF (a) /EF << /F 30 0 R >> >>";
    let both = "(a) << /F (a) /EF << /F 30 0 R /UF 31 0 R >> >>";
    let same = "(a) << /F (a) /EF << /F 30 0 R /UF 30 0 R >> >>";
    let twice = "(a) << /EF << /F 30 0 R >> >> (a) << /EF << /UF 31 0 R >> >>";
    let two = "(a) << /F (a) /EF << /F 30 0 R >> >> (b) << /F (a) /EF << /F 31 0 R >> >>";
    let contradicts = |names: &str, one: (&str, &str), other: &str| {
        let integrity = examined(&with_attachments(names, [one, ("", other)]));
        let is_found = ids(&integrity).contains(&SignalId::AttachmentContradictory);
        assert_eq!(integrity.verdict, if is_found { Verdict::SignsOfChange } else { Verdict::NoSigns }, "{names}");
        is_found
    };
    assert!(contradicts(single, (&sum, OTHER), ""), "another file than that of the checksum");
    assert!(!contradicts(single, (&sum, ONE), ""));
    assert!(!contradicts(single, (&digits, ONE), ""), "its digits");
    assert!(!contradicts(single, (&zeros, ONE), ""), "no checksum, and a wrong size");
    let encoded = "/Filter /ASCIIHexDecode /Params << /CheckSum <06030aa0d94ab6f0a3de679e0adf4b5d> >>";
    let digits: String = ONE.bytes().map(|byte| format!("{byte:02x}")).chain([">".to_owned()]).collect();
    assert!(!contradicts(single, (encoded, &digits), ""), "of the encoded bytes");
    assert!(contradicts(both, (&sum, ONE), OTHER), "older readers save another file");
    assert!(!contradicts(both, (&sum, ONE), ONE));
    assert!(!contradicts(same, (&sum, ONE), OTHER));
    assert!(contradicts(twice, (&sum, ONE), OTHER), "two files of one name");
    assert!(!contradicts(twice, ("", ONE), ONE));
    assert!(!contradicts(two, (&sum, ONE), OTHER), "pictures of two mails may have one name");
}
