//! XMP packets.

use samples::pdf::{Pdf, packet};

use crate::support::open;

/// A list or alternatives of these items.
fn array(property: &str, kind: &str, items: &[&str]) -> String {
    let items: String = items.iter().map(|item| format!("<rdf:li{item}</rdf:li>")).collect();
    format!("<{property}><rdf:{kind}>{items}</rdf:{kind}></{property}>")
}

#[test]
fn xmp_fills_in_what_info_lacks() {
    let properties = array("dc:title", "Alt", &[" xml:lang=\"de\">Ei", " xml:lang=\"x-default\">Egg"])
        + &array("dc:creator", "Seq", &[">Ada", ">Grace"])
        + "<pdf:Keywords>k &amp; l</pdf:Keywords><pdf:Producer><![CDATA[P <1>]]></pdf:Producer>\
           <xmp:CreatorTool>Tool &#x263A;</xmp:CreatorTool><xmp:CreateDate>2025-01-15T10:30:00+01:00</xmp:CreateDate>\
           <xmp:ModifyDate>2025-01-16</xmp:ModifyDate>";
    let metadata = open(&Pdf::new(1).info("/Author (Info wins)").xmp(&properties).classic());
    assert_eq!(metadata.document.title.as_deref(), Some("Egg"));
    assert_eq!(metadata.document.author.as_deref(), Some("Info wins"));
    assert_eq!(metadata.document.keywords.as_deref(), Some("k & l"));
    assert_eq!(metadata.document.producer.as_deref(), Some("P <1>"));
    assert_eq!(metadata.document.creator.as_deref(), Some("Tool ☺"));
    assert!(metadata.dates.created.parsed && metadata.dates.was_modified);
    assert_eq!(metadata.xmp.create_date.as_deref(), Some("2025-01-15T10:30:00+01:00"));
    let no_info = open(&Pdf::new(1).info("").xmp(&properties).classic());
    assert_eq!(no_info.document.author.as_deref(), Some("Ada, Grace"));
}

#[test]
fn properties_may_be_attributes_and_prefixes_anything() {
    let xml = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
               <rdf:Description xmlns:a=\"http://ns.adobe.com/xap/1.0/mm/\" xmlns:b=\"http://ns.adobe.com/pdf/1.3/\" \
               a:DocumentID=\"uuid:1 &lt;\" a:InstanceID='uuid:2' b:Producer=\"Maker\"/></rdf:RDF>";
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_compressed(50, "/Type /Metadata", xml.as_bytes());
    let metadata = open(&pdf.classic());
    assert_eq!(metadata.xmp.document_id.as_deref(), Some("uuid:1 <"));
    assert_eq!(metadata.xmp.instance_id.as_deref(), Some("uuid:2"));
    assert_eq!(metadata.document.producer.as_deref(), Some("Maker"));
}

#[test]
fn packets_may_be_utf16() {
    let xml = packet("<pdf:Producer>Größe</pdf:Producer>");
    let units: Vec<u16> = xml.trim_start_matches("<?xpacket begin=\"\u{feff}\"").encode_utf16().collect();
    let big: Vec<u8> = [0xfeff].iter().chain(&units).flat_map(|unit| unit.to_be_bytes()).collect();
    let little: Vec<u8> = [0xfeff].iter().chain(&units).flat_map(|unit| unit.to_le_bytes()).collect();
    for body in [big, little] {
        let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata", &body);
        assert_eq!(open(&pdf.classic()).document.producer.as_deref(), Some("Größe"));
    }
}

#[test]
fn entities_are_not_expanded() {
    let xml = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><rdf:RDF><rdf:Description>\
               <pdf:Producer>x&b;y</pdf:Producer></rdf:Description></rdf:RDF>";
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata", xml.as_bytes());
    assert_eq!(open(&pdf.classic()).document.producer.as_deref(), Some("xy"));
}

#[test]
fn a_broken_packet_counts_as_far_as_it_goes() {
    let xml = "<rdf:RDF><rdf:Description><pdf:Producer>Maker</pdf:Producer><dc:title><rdf:Alt><";
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata", xml.as_bytes());
    let metadata = open(&pdf.classic());
    assert!(metadata.xmp.present);
    assert_eq!(metadata.document.producer.as_deref(), Some("Maker"));
}

#[test]
fn a_packet_in_an_unknown_coding_costs_only_itself() {
    let pdf = Pdf::new(1).info("/Title (Info)").catalog("/Metadata 50 0 R");
    let metadata = open(&pdf.with_stream(50, "/Type /Metadata /Filter /NoSuchDecode", b"whatever").classic());
    assert_eq!(metadata.document.title.as_deref(), Some("Info"));
    assert!(metadata.xmp.present && !metadata.structure.repaired);
}

#[test]
fn filters_may_be_abbreviated() {
    let xml = packet("<pdf:Producer>Maker</pdf:Producer>");
    let digits: String = xml.bytes().map(|byte| format!("{byte:02x}")).collect();
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R");
    let metadata = open(&pdf.with_stream(50, "/Type /Metadata /Filter [/AHx]", digits.as_bytes()).classic());
    assert_eq!(metadata.document.producer.as_deref(), Some("Maker"));
}

#[test]
fn conformance_is_claimed_in_xmp() {
    let claims = "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>\
                  <pdfuaid:part>1</pdfuaid:part><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>";
    let conformance = open(&Pdf::new(1).xmp(claims).classic()).conformance;
    assert_eq!(conformance.pdf_a.as_deref(), Some("2b"));
    assert_eq!(conformance.pdf_ua.as_deref(), Some("1"));
    assert_eq!(conformance.pdf_x.as_deref(), Some("4"));
    let none = open(&Pdf::new(1).classic());
    assert!(!none.xmp.present);
    assert_eq!(none.conformance.pdf_a, None);
    let part_4 = open(&Pdf::new(1).xmp("<pdfaid:part>4</pdfaid:part>").classic());
    assert_eq!(part_4.conformance.pdf_a.as_deref(), Some("4"));
}

#[test]
fn a_damaged_files_packet_does_not_stand_in_for_info() {
    let file = Pdf::new(1).info("").xmp("<pdf:Producer>Maker</pdf:Producer>").classic();
    let text = String::from_utf8(file).expect("text").replace("startxref", "");
    let metadata = open(text.as_bytes());
    assert!(metadata.structure.repaired && metadata.xmp.present);
    assert_eq!(metadata.document.producer, None);
}
