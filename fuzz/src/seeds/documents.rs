//! What each fuzzer of documents starts from, made in code.

use samples::pdf::{CATALOG, Cipher, FIRST_PAGE, INFO, PAGES, Pdf, encrypted, packet, utf16};
use samples::signed::{Key, SignedPdf, Signing};

fn document() -> Pdf {
    Pdf::new(3)
        .info("/Title (Title) /Author <FEFF0041> /CreationDate (D:20250115103000+01'00') /Trapped /True")
        .xmp("<pdf:Producer>Maker</pdf:Producer><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>")
}

pub(crate) fn files() -> Vec<Vec<u8>> {
    let pdf = document();
    let mut files = vec![
        pdf.classic(),
        pdf.compressed(),
        pdf.hybrid(&[3]),
        pdf.linearized(),
        pdf.update(pdf.classic()),
        pdf.update(pdf.compressed()),
    ];
    for cipher in [Cipher::Rc4Of40, Cipher::Rc4Of128, Cipher::Aes128, Cipher::Aes256] {
        files.push(encrypted(&Pdf::new(1).classic(), cipher, "", "owner"));
        files.push(encrypted(&Pdf::new(1).classic(), cipher, "password", "owner"));
    }
    let damaged: Vec<_> = files.iter().map(|file| file[..file.len() - 20].to_vec()).collect();
    files.extend(damaged);
    files
}

pub(crate) fn objects() -> Vec<Vec<u8>> {
    let parts = [
        "<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R /AcroForm << /Fields [6 0 R] /SigFlags 1 >> /Names << /JavaScript 7 0 R >> /Lang (en) /Version /2.0 >>",
        "<< /Type /Pages /Kids [4 0 R 8 0 R] /Count 2 /MediaBox [0 0 595 842] >>",
        "<< /Title (T) /ModDate (D:2025) >>",
        "<< /Type /Page /Parent 2 0 R /Rotate 90 >>",
        "!/Type /Metadata /Subtype /XML!<x:xmpmeta xmlns:x='adobe:ns:meta/'/>",
        "<< /FT /Sig /V << /Type /Sig >> /Kids [9 0 R] >>",
        "<< /Names [(a) << /S /JavaScript /JS (x) >>] >>",
        "<< /Type /Pages /Parent 2 0 R /Kids [10 0 R] /Count 1 >>",
        "!/Type /ObjStm /N 1 /First 5!11 0 << /A [1 -2 .5 (s) <ab> /N true null 1 0 R] >>",
        "<< /Type /Page /Parent 8 0 R /MediaBox 12 0 R >>",
    ];
    (0..4_u8).map(|form| [vec![form], parts.map(str::as_bytes).join(&0xff)].concat()).collect()
}

pub(crate) fn contents() -> Vec<Vec<u8>> {
    let cmap = "1 begincodespacerange <0000> <ffff> endcodespacerange 1 begincidrange <0000> <ffff> 0 endcidrange \
        1 beginbfchar <0041> <00660069> endbfchar 1 beginbfrange <0042> <0044> [<0061> <05D0> <FFFD>] endbfrange";
    let simple = "/BaseFont /Helvetica /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /Euro /f_i /g1] >>";
    let descendant = "/DW 500 /W [65 [250 300] 70 80 600] /DW2 [880 -1000] /W2 [1 2 -500 250 800] \
        /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) >>";
    let annotation = "/Subtype /Widget /F 4 /AS /On";
    [
        "BT /F 12 Tf 20 100 Td (AB cd) Tj [(x) -300 (y)] TJ T* (z) ' /C 9 Tf <00410042> Tj ET /X Do",
        "q 2 0 0 2 9 9 cm 1 0 0 rg 0 0 9 9 re f /A gs 9 0 0 9 0 0 cm BI /W 1 /H 1 /IM true ID x EI Q 0 0 m 9 0 l 9 9 l h W n",
        "/Span << /ActualText (right) >> BDC BT /F 9 Tf 3 Tr 1 Tc 50 Tz 0 1 -1 0 50 50 Tm (wrong) Tj ET EMC /OC /A BDC EMC",
        "/Pattern cs /P scn 0 0 0 1 K BT 2 Ts 9 TL /F 9 Tf 1 2 (a) \" 4 TD ET /S sh % comment\n<41> Tj",
    ]
    .map(|content| [content, cmap, simple, descendant, annotation].map(str::as_bytes).join(&0xff))
    .to_vec()
}

pub(crate) fn dates() -> Vec<Vec<u8>> {
    [
        "D:20250115103000+01'00'",
        "D:20250115103000Z00'00'",
        "D:2025",
        "20250115",
        "D:20250115103000-08'30",
        "2025-01-15T10:30:00+01:00",
        "2025-01-15T10:30Z",
        "Wed Jan 15 10:30:00 2025",
        "15 January 2025 10:30:00 GMT+1",
        "1/15/2025 10:30:00 AM",
        "D:191020115103000",
        "\u{fe}\u{ff}",
    ]
    .map(|date| date.as_bytes().to_vec())
    .into()
}

pub(crate) fn texts() -> Vec<Vec<u8>> {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let narrow = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    vec![
        b"Title".to_vec(),
        b"\x80\x8d\x9f\xa0\xad\xff\x18\x7f".to_vec(),
        [b"\xfe\xff".to_vec(), wide("T\u{ef}tle \u{1f600}")].concat(),
        [b"\xfe\xff".to_vec(), wide("\u{1b}en\u{1b}Title")].concat(),
        [b"\xff\xfe".to_vec(), narrow("Title")].concat(),
        [b"\xef\xbb\xbf".to_vec(), "T\u{ef}tle".as_bytes().to_vec()].concat(),
        b"\xfe\xff\xd8\x00\x00\x41".to_vec(),
        utf16("as digits").into_bytes(),
        b"a\r\n\tb\0c   ".to_vec(),
    ]
}

pub(crate) fn packets() -> Vec<Vec<u8>> {
    let properties = "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Title &amp; &#x41;</rdf:li></rdf:Alt></dc:title>\
        <dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></dc:creator>\
        <pdf:Producer>P</pdf:Producer><xmp:CreatorTool>C</xmp:CreatorTool><xmp:CreateDate>2025-01-15T10:30:00Z</xmp:CreateDate>\
        <xmpMM:DocumentID>uuid:1</xmpMM:DocumentID><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>\
        <pdfuaid:part>1</pdfuaid:part><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>";
    let whole = packet(properties);
    let wide = [b"\xfe\xff".to_vec(), whole.encode_utf16().flat_map(u16::to_be_bytes).collect()].concat();
    let attributes = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
        xmlns:pdf='http://ns.adobe.com/pdf/1.3/' pdf:Producer='P' xmlns:pdfaid='http://www.aiim.org/pdfa/ns/id/' \
        pdfaid:part='3'/></rdf:RDF>";
    let entities = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><x>&b;</x>";
    vec![whole.into_bytes(), wide, attributes.as_bytes().to_vec(), entities.as_bytes().to_vec()]
}

/// Files that are updated: two pages, the first with text, a note and a field; plain, updated, encrypted, and signed in
/// several ways.
pub(crate) fn bases() -> Vec<Vec<u8>> {
    let page = format!(
        "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] /Contents 20 0 R /Annots [22 0 R 23 0 R] >>"
    );
    let pdf = document()
        .with(FIRST_PAGE, page)
        .with_stream(20, "", b"BT /F1 12 Tf 72 700 Td (Total due: 100) Tj ET")
        .with(22, "<< /Type /Annot /Subtype /Text /Rect [0 0 20 20] /Contents (A note) >>")
        .with(23, "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (100) /Rect [0 40 90 60] >>");
    let form = pdf.clone().catalog("/AcroForm << /Fields [23 0 R] >>");
    let mut bases = vec![form.classic(), form.compressed(), form.update(form.linearized())];
    bases.push(encrypted(&form.classic(), Cipher::Aes128, "", "owner"));
    let mut document = SignedPdf::new(&pdf);
    document.fields = "23 0 R".to_owned();
    for level in 0..4 {
        let signing = Signing::by(Key::Ed25519);
        let signing = if level > 0 { signing.certifying(level) } else { signing };
        bases.push(document.clone().signed(&signing).file);
    }
    bases
}

pub(crate) fn updates() -> Vec<Vec<u8>> {
    let objects: [(u32, &str); 10] = [
        (20, "!/Length 9!BT /F1 12 Tf 72 700 Td (Total due: 900) Tj ET"),
        (22, "<< /Type /Annot /Subtype /Stamp /Rect [60 690 200 720] /M (D:20260115103000Z) /AP << /N 30 0 R >> >>"),
        (23, "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (900) /Rect [0 40 90 60] /AP << /N 30 0 R >> >>"),
        (30, "!/Subtype /Form /BBox [0 0 90 20] /Resources << /XObject << /A 30 0 R >> >>!1 g 0 0 90 20 re f /A Do"),
        (INFO, "<< /Title (Another) /ModDate (D:20260115103000Z) /Producer (iLovePDF) >>"),
        (
            CATALOG,
            "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (x) >> /DSS << /Certs [30 0 R] >> >>",
        ),
        (PAGES, "<< /Type /Pages /Kids [5 0 R 4 0 R] /Count 2 >>"),
        (FIRST_PAGE, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Rotate 90 /Contents [20 0 R 30 0 R] >>"),
        (701, "<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>"),
        (700, ""),
    ];
    let mut seeds = Vec::new();
    for (index, (number, object)) in objects.into_iter().enumerate() {
        let update = [&(number as u16).to_be_bytes()[..], object.as_bytes()].concat();
        seeds.extend((0..8_u8).map(|base| [&[base, index as u8][..], &update].concat()));
    }
    seeds
}
