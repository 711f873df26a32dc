//! Public reports of people who read metadata of PDFs, about these and other programs, rebuilt as small files.

use engine::{Date, Metadata, Reason};
use samples::pdf::{Cipher, FIRST_PAGE, PAGES, Pdf, encrypted, packet, utf16};

use crate::locked::{Locked, Perms};
use crate::support::{open, open_by, refused};

fn created(text: &str) -> Date {
    open(&Pdf::new(1).info(format!("/CreationDate ({text})")).classic()).dates.created
}

/// A file whose first page has these entries.
fn page(entries: &str) -> Pdf {
    Pdf::new(1).with(FIRST_PAGE, format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 612 792] {entries} >>"))
}

/// A file without an Info dictionary that has this packet.
fn with_packet(packet: impl AsRef<[u8]>) -> Metadata {
    let pdf = Pdf::new(1).info("").catalog("/Metadata 50 0 R");
    open(&pdf.with_stream(50, "/Type /Metadata /Subtype /XML", packet.as_ref()).classic())
}

#[test]
fn dates() {
    for (report, text, expected) in [
        ("py-pdf/pypdf#1943", "D:20230705005151Z00'00'", Some("2023-07-05T00:51:51+00:00")),
        ("py-pdf/pypdf#1972", "D:20210408054711Z", Some("2021-04-08T05:47:11+00:00")),
        ("py-pdf/pypdf#1996", "D:20210318000756", Some("2021-03-18T00:07:56+00:00")),
        ("py-pdf/pypdf#3362", "D:", None),
        ("pdfcpu/pdfcpu#1201", "20250718155751+", Some("2025-07-18T15:57:51+00:00")),
        ("pdfcpu/pdfcpu#402", "D:20150521.124925823", Some("2015-05-21T12:49:25+00:00")),
        ("pdfcpu/pdfcpu#402", "D:20160404061414+65'53'", None),
        ("gettalong/hexapdf#167", "D:01211016165909+00'64'", None),
        ("gettalong/hexapdf#224", "D:20221215215639-76'00'", None),
        ("gettalong/hexapdf#224", "D:20221215215642-76'128'", None),
        ("Hopding/pdf-lib#1545", "D:20210514143134-5'00'", Some("2021-05-14T14:31:34-05:00")),
        ("PrinsFrank/pdfparser#212", "D:20250102030405", Some("2025-01-02T03:04:05+00:00")),
        ("GrapheneOS/PdfViewer#631", "D:20240101230000-08'00", Some("2024-01-01T23:00:00-08:00")),
        ("Kozea/WeasyPrint#2391", "D:20250222122300+08'00", Some("2025-02-22T12:23:00+08:00")),
        ("codelibs/fess#2065", "Thu Mar 04 13:08:00 GMT+08:00 2010", Some("2010-03-04T13:08:00+08:00")),
    ] {
        let date = created(text);
        assert_eq!(date.raw.as_deref(), Some(text), "{report}");
        assert_eq!(date.iso8601.map(|instant| instant.to_rfc3339()).as_deref(), expected, "{report}");
        assert_eq!(date.parsed, expected.is_some(), "{report}");
    }
}

#[test]
fn texts() {
    for (report, title, expected) in [
        ("py-pdf/pypdf#1884", b"<FFFE5A00700072006100>".to_vec(), "Zpra"),
        ("foliojs/pdfkit#618", b"(\xfe\xff\0T\0 \0\\(\0\xe4\0\\))".to_vec(), "T (\u{e4})"),
        ("pymupdf/PyMuPDF#4564", utf16("Adobe PSL 1.3e for Canon\0").into_bytes(), "Adobe PSL 1.3e for Canon"),
        ("py-pdf/pypdf#2754", b"(\xef\xbb\xbfInvoice \xe2\x84\x96AI_047)".to_vec(), "Invoice \u{2116}AI_047"),
        ("digitorus/pdfsign#2", b"(\xfe\xff\0M\0\xfc\0l\0l\0e\0r)".to_vec(), "M\u{fc}ller"),
        ("python-pillow/Pillow, Image.save(title)", b"(\xfe\xff\0Z\x01\x0d)".to_vec(), "Z\u{10d}"),
    ] {
        let file = Pdf::new(1).info([b"/Title ".as_slice(), &title].concat()).classic();
        assert_eq!(open(&file).document.title.as_deref(), Some(expected), "{report}");
    }
}

#[test]
fn passwords() {
    const LONG: &str = "lGyIUdGEkjQOJ7w2rfjrTayFXT6MiarrS84ygQqrqQQT6msZLif9AhqEpbT4qPizx";
    let title = |file: &[u8], password: &str| open_by(file, password).document.title;
    let plain = Pdf::new(1).info("/Title (Secret)").classic();
    for (report, cipher, user, typed) in [
        // more than the 32 bytes that count
        ("py-pdf/pypdf#402", Cipher::Rc4Of128, LONG, LONG),
        ("py-pdf/pypdf#212", Cipher::Aes256OfR5, "S\u{f8}ren", "S\u{f8}ren"),
        ("py-pdf/pypdf#395", Cipher::Rc4Of128, "contrase\u{f1}a", "contrase\u{f1}a"),
        ("mozilla/pdf.js#21579", Cipher::Aes256OfR5, "p\u{e4}ssw\u{f6}rt", "p\u{e4}ssw\u{f6}rt"),
        ("qpdf/qpdf#270", Cipher::Aes256, "No\u{eb}l", "Noe\u{308}l"),
        // in UTF-8 where PDFDocEncoding is due
        ("qpdf/qpdf#215", Cipher::Rc4Of128, "No\u{c3}\u{ab}l", "No\u{eb}l"),
    ] {
        let file = encrypted(&plain, cipher, user, "owner");
        assert_eq!(title(&file, typed).as_deref(), Some("Secret"), "{report}");
        assert_eq!(refused(&file, None), Reason::PasswordRequired, "{report}");
    }
    // no owner password: whoever opens such a file is its owner
    for (report, cipher) in [
        ("qpdf/qpdf#144", Cipher::Rc4Of128),
        ("pymupdf/PyMuPDF#707", Cipher::Rc4Of40),
        ("parallax/jsPDF, encrypted_standard.pdf", Cipher::Rc4ByFilter),
    ] {
        let metadata = open(&encrypted(&plain, cipher, "123456", ""));
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{report}");
    }
    for (report, cipher) in [("py-pdf/pypdf#249", Cipher::Aes128), ("pvginkel/PdfiumViewer#190", Cipher::Aes128)] {
        assert!(open(&encrypted(&plain, cipher, "", "owner")).security.encrypted, "{report}");
    }
}

#[test]
fn permissions() {
    for (report, perms, verified) in [
        ("py-pdf/pypdf#3657", Perms::OfOthers, false),
        ("bzsanti/oxidizePdf#494", Perms::Missing, false),
        ("pdfcpu/pdfcpu#1438", Perms::Zero, false),
        ("gettalong/hexapdf#402", Perms::Right, true),
    ] {
        let metadata = open(&Locked { perms, ..Locked::default() }.file());
        assert_eq!(metadata.document.title.as_deref(), Some("Secret"), "{report}");
        assert_eq!(metadata.security.permissions_verified, Some(verified), "{report}");
    }
}

#[test]
fn packets() {
    let claims = "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>";
    let author =
        |name: &str| packet(&format!("<dc:creator><rdf:Seq><rdf:li>{name}</rdf:li></rdf:Seq></dc:creator>{claims}"));
    let pdf_a = |report: &str, metadata: &Metadata, expected: &str| {
        assert_eq!(metadata.conformance.pdf_a.as_deref(), Some(expected), "{report}");
    };
    for (report, name) in [
        ("ZUGFeRD/mustangproject#989", "mustang & project"),
        ("pretix/python-drafthorse#79", "Michael & Son"),
        ("mpdf/mpdf#2090", "a < b & c > d"),
        ("veraPDF/veraPDF-library#972", "Q&A"),
        ("imazen/resizer#1", "<&>"),
    ] {
        let metadata = with_packet(author(name));
        assert_eq!(metadata.document.author.as_deref(), Some(name), "{report}");
        pdf_a(report, &metadata, "3b");
    }
    // attributes, single quotes, an element of its own
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";
    let attributes = "<rdf:Description rdf:about=\"\" xmlns:pdfaid='http://www.aiim.org/pdfa/ns/id/' \
                      pdfaid:part='1' pdfaid:conformance='B'/>";
    let metadata = with_packet(format!("<rdf:RDF {rdf}>{attributes}</rdf:RDF>"));
    pdf_a("py-pdf/pypdf#3313", &metadata, "1b");
    // the prefix declared above the element that it belongs to
    let metadata = with_packet(format!(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" {rdf} xmlns:q=\"http://www.aiim.org/pdfua/ns/id/\"><rdf:RDF>\
         <rdf:Description rdf:about=\"\"><q:part>1</q:part></rdf:Description></rdf:RDF></x:xmpmeta>"
    ));
    assert_eq!(metadata.conformance.pdf_ua.as_deref(), Some("1"), "veraPDF/veraPDF-library#1528");
    // a second description, and control characters in an address
    let metadata = with_packet(format!(
        "<rdf:RDF {rdf}><rdf:Description rdf:about='c9784ce1&#1;8?&#13;&#4;' xmlns:pdf='http://ns.adobe.com/pdf/1.3/'>\
         <pdf:Producer>GPL Ghostscript 9.04</pdf:Producer></rdf:Description><rdf:Description rdf:about='' \
         xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:ModifyDate='2020-11-14T02:58:55.648951'/></rdf:RDF>"
    ));
    assert_eq!(metadata.document.producer.as_deref(), Some("GPL Ghostscript 9.04"), "zaro/pdf-metadata-editor#10");
    assert!(metadata.dates.modified.parsed, "ocrmypdf/OCRmyPDF#678");
    // the usual prefixes are only usual
    let metadata = with_packet(format!(
        "<rdf:RDF {rdf}><rdf:Description xmlns:dc='http://example.org/' xmlns:e='http://purl.org/dc/elements/1.1/'>\
         <dc:title>Other</dc:title><e:title>Title</e:title></rdf:Description></rdf:RDF>"
    ));
    assert_eq!(metadata.document.title.as_deref(), Some("Title"), "pdf-association/pdf-issues#397");
}

#[test]
fn signature_fields() {
    let form = |entries: &str, field: &str| {
        let form = format!("/AcroForm << {entries} /Fields [20 0 R] >>");
        open(&Pdf::new(1).catalog(&form).with(20, field).with(21, "<< /Type /Sig >>").classic()).features
    };
    for (report, entries, field, signed) in [
        ("apache/tika#2892", "/SigFlags 3", "<< /FT /Sig /T (a) >>", false),
        ("pymupdf/PyMuPDF#461", "/SigFlags 1", "<< /FT /Sig /T (a) >>", false),
        ("LibPDF-js/core#75", "", "<< /FT /Sig /T (a) /V null >>", false),
        ("LibPDF-js/core#75", "", "<< /FT /Sig /T (a) /V (text) >>", false),
        ("LibrePDF/OpenPDF#129", "", "<< /FT /Sig /T (Signature1) /V 21 0 R >>", true),
        ("pdfcpu/pdfcpu#168", "", "<< /FT /Sig /T (28a7e805) /Subtype /Widget /V 21 0 R >>", true),
    ] {
        let features = form(entries, field);
        assert_eq!((features.signatures, features.signature_fields), (signed, true), "{report}");
    }
    let flags = open(&Pdf::new(1).catalog("/AcroForm << /SigFlags 3 /Fields [] >>").classic()).features;
    assert!(!flags.signatures && !flags.signature_fields, "pdf-association/pdf-issues#457");
}

#[test]
fn scripts() {
    const SCRIPT: &str = "<< /S /JavaScript /JS (x) >>";
    let chain = Pdf::new(1).catalog("/OpenAction 30 0 R").with(30, "<< /S /GoTo /D [4 0 R /Fit] /Next 31 0 R >>");
    let field = "<< /FT /Tx /T (a) /AA << /K 30 0 R /F 30 0 R >> >>";
    for (report, pdf) in [
        ("jesparza/peepdf#53, /Next", chain.with(31, SCRIPT)),
        ("jesparza/peepdf#53, /AA", page(&format!("/AA << /O {SCRIPT} /C {SCRIPT} >>"))),
        ("mozilla/pdf.js#11685", page(&format!("/Annots [<< /Subtype /Widget /AA << /PO {SCRIPT} >> >>]"))),
        (
            "mozilla/pdf.js#8143",
            Pdf::new(1).catalog("/AcroForm << /Fields [20 0 R] >>").with(20, field).with(30, SCRIPT),
        ),
        ("yamadashy/pdfvision#107", Pdf::new(1).catalog("/Names << /JavaScript << /Names [(a) 30 0 R] >> >>")),
        ("KitePDF#237", page("/Annots [30 0 R]").with(30, format!("<< /Subtype /Link /A {SCRIPT} >>"))),
    ] {
        assert!(open(&pdf.classic()).features.javascript, "{report}");
    }
    let submit = "/AA << /WS << /S /SubmitForm /F (https://example.org) >> >>";
    assert!(!open(&Pdf::new(1).catalog(submit).classic()).features.javascript, "veraPDF/veraPDF-apps#174");
}

#[test]
fn attachments() {
    let file = |pdf: Pdf| {
        pdf.with_stream(31, "/Type /EmbeddedFile", b"x").with(30, "<< /Type /Filespec /F (a) /EF << /F 31 0 R >> >>")
    };
    let clip = "<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS 30 0 R >>";
    let third = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 9 9] /Annots [{clip}] >>");
    for (report, pdf) in [
        ("pymupdf/PyMuPDF#620", page(&format!("/Annots [{clip}]"))),
        ("pymupdf/PyMuPDF#182", page("/Annots [32 0 R]").with(32, clip)),
        ("mozilla/pdf.js#17821", Pdf::new(3).with(FIRST_PAGE + 2, &third)),
        ("py-pdf/fpdf2#603", page(&format!("/Annots [<< /Subtype /Link >> {clip}]"))),
        ("typst/typst#5221", page("/AF [30 0 R]")),
        (
            "mozilla/pdf.js#6276",
            Pdf::new(1)
                .catalog("/Names << /EmbeddedFiles << /Kids [33 0 R] >> >>")
                .with(33, "<< /Names [(a) 30 0 R] >>"),
        ),
    ] {
        assert!(open(&file(pdf).classic()).features.attachments, "{report}");
    }
}

#[test]
fn units() {
    for (report, entries, size) in [
        ("mozilla/pdf.js#19176", "/MediaBox [0 0 8.5 11] /UserUnit 72", (612.0, 792.0)),
        ("pdfcpu/pdfcpu#905", "/MediaBox [0 0 4782.12 1699.44] /UserUnit 2", (9564.24, 3398.88)),
        ("libvips/libvips#4701", "/MediaBox [0 0 72 72] /UserUnit 10", (720.0, 720.0)),
        ("cfcurtis/pdfstitcher#100", "/MediaBox [0 0 1440 300] /UserUnit 10.0", (14400.0, 3000.0)),
        ("libharu/libharu#106", "/MediaBox [0 0 14400 14400] /UserUnit 75000", (1_080_000_000.0, 1_080_000_000.0)),
    ] {
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R {entries} >>");
        let page = open(&Pdf::new(1).with(FIRST_PAGE, page).classic()).page;
        assert_eq!((page.width_pt, page.height_pt), (Some(size.0), Some(size.1)), "{report}");
    }
}

#[test]
fn versions() {
    let pdf = Pdf::new(1).version("1.4").catalog("/Version 50 0 R").with(50, "/1.7");
    assert_eq!(open(&pdf.classic()).basic.pdf_version.as_deref(), Some("1.7"), "pdfcpu/pdfcpu#175");
}
