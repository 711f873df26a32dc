//! XMP packets.

use samples::pdf::{Pdf, packet};

use crate::support::{open, title};

/// A file without an Info dictionary's title that has this packet.
fn with_packet(packet: impl AsRef<[u8]>) -> Vec<u8> {
    let pdf = Pdf::new(1).info("").catalog("/Metadata 50 0 R");
    pdf.with_stream(50, "/Type /Metadata", packet.as_ref()).classic()
}

/// The title of a file with these properties.
fn title_of(properties: &str) -> Option<String> {
    title(&with_packet(packet(properties)))
}

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
    let xml = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>".to_owned()
        + &packet("<pdf:Producer>x&b;y</pdf:Producer>");
    let pdf = Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata", xml.as_bytes());
    assert_eq!(open(&pdf.classic()).document.producer.as_deref(), Some("xy"));
}

#[test]
fn a_broken_packet_counts_as_far_as_it_goes() {
    let xml = packet("<pdf:Producer>Maker</pdf:Producer><dc:title><rdf:Alt><");
    let xml = xml.split_once("</rdf:Description>").expect("an end").0;
    let metadata = open(&with_packet(xml));
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

#[test]
fn what_is_nested_is_not_the_documents_own() {
    let other = "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Placed</rdf:li></rdf:Alt></dc:title>\
                 <xmp:CreateDate>2001-01-01T00:00:00Z</xmp:CreateDate><xmpMM:DocumentID>xmp.did:placed</xmpMM:DocumentID>";
    let own = "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Own</rdf:li></rdf:Alt></dc:title>\
               <xmpMM:DocumentID>xmp.did:own</xmpMM:DocumentID>";
    let attributes = "dc:title=\"Placed\" xmp:CreateDate=\"2001-01-01T00:00:00Z\" xmpMM:DocumentID=\"xmp.did:placed\"";
    for nested in [
        format!("<xmpMM:Pantry><rdf:Bag><rdf:li rdf:parseType=\"Resource\">{other}</rdf:li></rdf:Bag></xmpMM:Pantry>"),
        format!(
            "<xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description>{other}</rdf:Description></rdf:li></rdf:Bag></xmpMM:Pantry>"
        ),
        format!("<xmpMM:Ingredients><rdf:Bag><rdf:li {attributes}/></rdf:Bag></xmpMM:Ingredients>"),
        format!(
            "<xmpMM:Ingredients><rdf:Bag><rdf:li><rdf:Description {attributes}/></rdf:li></rdf:Bag></xmpMM:Ingredients>"
        ),
        format!("<xmpMM:DerivedFrom rdf:parseType=\"Resource\">{other}</xmpMM:DerivedFrom>"),
        format!("<xmpMM:DerivedFrom {attributes}/>"),
        format!(
            "<xmpMM:History><rdf:Seq><rdf:li rdf:parseType=\"Resource\">{other}</rdf:li></rdf:Seq></xmpMM:History>"
        ),
        format!(
            "<xmpMM:Versions><rdf:Seq><rdf:li><rdf:RDF><rdf:Description>{other}</rdf:Description></rdf:RDF></rdf:li></rdf:Seq></xmpMM:Versions>"
        ),
    ] {
        for properties in [format!("{nested}{own}"), format!("{own}{nested}")] {
            let metadata = open(&with_packet(packet(&properties)));
            assert_eq!(metadata.document.title.as_deref(), Some("Own"), "{properties}");
            assert_eq!(metadata.xmp.document_id.as_deref(), Some("xmp.did:own"), "{properties}");
            assert_eq!(metadata.dates.created.raw, None, "{properties}");
        }
        assert_eq!(title_of(&nested), None, "{nested}");
    }
}

#[test]
fn qualifiers_are_no_values() {
    let author = |item: &str| open(&with_packet(packet(item))).document.author;
    for item in [
        "<dc:creator><rdf:Seq><rdf:li rdf:parseType=\"Resource\"><rdf:value>A One</rdf:value>\
         <xmp:role>Editor</xmp:role></rdf:li></rdf:Seq></dc:creator>",
        "<dc:creator><rdf:Seq><rdf:li><rdf:Description><xmp:role>Editor</xmp:role><rdf:value>A One</rdf:value>\
         </rdf:Description></rdf:li></rdf:Seq></dc:creator>",
        "<dc:creator><rdf:Seq><rdf:li rdf:value=\"A One\" xmp:role=\"Editor\"/></rdf:Seq></dc:creator>",
        "<dc:creator><rdf:Seq><rdf:li><rdf:Description rdf:value=\"A One\" xmp:role=\"Editor\"/></rdf:li></rdf:Seq>\
         </dc:creator>",
        "<dc:creator rdf:parseType=\"Resource\"><rdf:value>A One</rdf:value><xmp:role>Editor</xmp:role></dc:creator>",
    ] {
        assert_eq!(author(item).as_deref(), Some("A One"), "{item}");
    }
}

#[test]
fn names_go_by_namespace() {
    let rdf = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"";
    let dc = "http://purl.org/dc/elements/1.1/";
    for (xml, expected) in [
        // declared behind what it is used for
        (format!("<rdf:Description q:title=\"T\" xmlns:q=\"{dc}\"/>"), Some("T")),
        // declared where it is used
        (format!("<rdf:Description><q:title xmlns:q=\"{dc}\">T</q:title></rdf:Description>"), Some("T")),
        // the default
        (format!("<rdf:Description><title xmlns=\"{dc}\">T</title></rdf:Description>"), Some("T")),
        // the usual prefix of something else, or of nothing
        ("<rdf:Description xmlns:dc=\"http://example.org/\"><dc:title>T</dc:title></rdf:Description>".to_owned(), None),
        ("<rdf:Description xmlns:dc=\"http://example.org/\" dc:title=\"T\"/>".to_owned(), None),
        ("<rdf:Description><dc:title>T</dc:title></rdf:Description>".to_owned(), None),
        // bound to something else, and back
        (
            format!(
                "<rdf:Description xmlns:dc=\"{dc}\"><dc:title xmlns:dc=\"http://example.org/\">X</dc:title>\
                 <dc:title>T</dc:title></rdf:Description>"
            ),
            Some("T"),
        ),
    ] {
        let title = title(&with_packet(format!("<rdf:RDF {rdf}>{xml}</rdf:RDF>")));
        assert_eq!(title.as_deref(), expected, "{xml}");
    }
    // RDF itself by any prefix
    let xml = format!(
        "<r:RDF xmlns:r=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><r:Description xmlns:d=\"{dc}\">\
         <d:title><r:Alt><r:li xml:lang=\"x-default\">T</r:li></r:Alt></d:title></r:Description></r:RDF>"
    );
    assert_eq!(title(&with_packet(xml)).as_deref(), Some("T"));
}

#[test]
fn packets_have_any_encoding_and_stray_bytes_before_them() {
    let xml = packet("<dc:title>Größe 🥚</dc:title>");
    let body = xml.split_once("?>").expect("a header").1.trim();
    let wide = |mark: bool, unit: fn(u32) -> [u8; 4]| {
        let mark = mark.then_some('\u{feff}');
        mark.into_iter().chain(body.chars()).flat_map(|letter| unit(letter.into())).collect::<Vec<u8>>()
    };
    let narrow = |mark: bool, unit: fn(u16) -> [u8; 2]| {
        let mark = mark.then_some(0xfeff);
        mark.into_iter().chain(body.encode_utf16()).flat_map(unit).collect::<Vec<u8>>()
    };
    for mark in [true, false] {
        for packet in [
            wide(mark, u32::to_be_bytes),
            wide(mark, u32::to_le_bytes),
            narrow(mark, u16::to_be_bytes),
            narrow(mark, u16::to_le_bytes),
            body.as_bytes().to_vec(),
        ] {
            assert_eq!(title(&with_packet(&packet)).as_deref(), Some("Größe 🥚"), "{mark} {:x?}", &packet[..8]);
        }
    }
    for stray in [b"\r\n".as_slice(), b"\xff\xef\xbb\xbf", b"junk & more "] {
        for packet in [body.as_bytes().to_vec(), wide(false, u32::to_be_bytes), narrow(false, u16::to_le_bytes)] {
            let title = title(&with_packet([stray, &packet].concat()));
            assert_eq!(title.as_deref(), Some("Größe 🥚"), "{stray:x?} {:x?}", &packet[..8]);
        }
    }
}

#[test]
fn an_unescaped_sign_is_text() {
    let claims = "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>";
    for text in ["a < b", "a<b", "<", "a <= b", "1 <2> 3", "<<a", "a <b", "if a<b && c>d"] {
        for properties in [
            format!("<dc:title>{text}</dc:title>{claims}"),
            format!("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{text}</rdf:li></rdf:Alt></dc:title>{claims}"),
        ] {
            let metadata = open(&with_packet(packet(&properties)));
            assert_eq!(metadata.document.title.as_deref(), Some(text), "{properties}");
            assert_eq!(metadata.conformance.pdf_a.as_deref(), Some("2b"), "{properties}");
        }
    }
    let attribute = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description \
                     xmlns:dc=\"http://purl.org/dc/elements/1.1/\" dc:title=\"a < b\"/></rdf:RDF>";
    assert_eq!(title(&with_packet(attribute)).as_deref(), Some("a < b"));
    // an element that nobody ends takes nothing else along
    let unended = format!("<dc:title>a<br>b</dc:title>{claims}");
    assert_eq!(open(&with_packet(packet(&unended))).conformance.pdf_a.as_deref(), Some("2b"));
}

#[test]
fn what_stands_before_the_header_takes_no_xmp_away() {
    let file = with_packet(packet("<dc:title>Own</dc:title>"));
    for junk in [b"\n".as_slice(), b"\xef\xbb\xbf", b"HTTP/1.1 200 OK\r\n\r\n"] {
        let metadata = open(&[junk, &file].concat());
        assert!(!metadata.structure.repaired);
        assert_eq!(metadata.document.title.as_deref(), Some("Own"), "{junk:x?}");
    }
}

#[test]
fn pdf_x_is_claimed_in_the_info_dictionary() {
    let claim = |info: &str| open(&Pdf::new(1).info(info).classic()).conformance.pdf_x;
    let both = "/GTS_PDFXVersion (PDF/X-1:2001) /GTS_PDFXConformance (PDF/X-1a:2001)";
    assert_eq!(claim(both).as_deref(), Some("1a:2001"));
    assert_eq!(claim("/GTS_PDFXVersion (PDF/X-3:2002)").as_deref(), Some("3:2002"));
    assert_eq!(claim("/GTS_PDFXVersion 12"), None);
    let xmp = "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>";
    let metadata = open(&Pdf::new(1).info(both).xmp(xmp).classic());
    assert_eq!(metadata.conformance.pdf_x.as_deref(), Some("4"));
}
