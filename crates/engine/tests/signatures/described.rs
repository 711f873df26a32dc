//! XMP that changes after signing is understood only if all readers read the same properties from it: then its values
//! decide, otherwise it is inconclusive.

use engine::{Integrity, Verdict};
use samples::pdf::{FIRST_PAGE, PAGES, Pdf, stream};
use samples::signed::{Key, SignedPdf, Signing};

use crate::support::metadata;

const PACKET: u32 = 900;
const TRAILER: &str = "<?xpacket end=\"w\"?>";
const DC: &str = "http://purl.org/dc/elements/1.1/";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const META: &str = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">";

fn title(title: &str) -> String {
    format!("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title>")
}

/// A packet as most toolkits write it, with padding.
fn packet(properties: &str) -> String {
    format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n{META}<rdf:RDF xmlns:rdf=\"{RDF}\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"{DC}\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\">{properties}</rdf:Description></rdf:RDF></x:xmpmeta>{}{TRAILER}",
        " \n".repeat(100)
    )
}

fn as_stream(packet: &str) -> Vec<u8> {
    stream("/Type /Metadata /Subtype /XML", packet.as_bytes())
}

/// The result for a file certified on this level, whose packet was replaced.
fn replaced(level: u8, before: &str, after: &str) -> Integrity {
    rewritten(level, as_stream(before), as_stream(after))
}

/// The same for the stream of the packet.
fn rewritten(level: u8, before: Vec<u8>, after: Vec<u8>) -> Integrity {
    let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] >>");
    let pdf = Pdf::new(1).with(FIRST_PAGE, page).with(PACKET, before);
    let mut document = SignedPdf::new(&pdf);
    document.catalog = format!("/Metadata {PACKET} 0 R");
    let signed = document.signed(&Signing::by(Key::Ed25519).certifying(level));
    metadata(&signed.updated(&Pdf::changes().with(PACKET, after)).file).integrity
}

fn signed_packet() -> String {
    packet(&format!("{}<xmp:CreatorTool>Writer</xmp:CreatorTool>", title("Invoice 4711")))
}

#[test]
fn the_same_properties_in_the_syntax_of_another_toolkit_are_the_same() {
    let tool = "<xmp:CreatorTool>Writer</xmp:CreatorTool>";
    let one = title("Invoice 4711");
    let elements = "<rdf:Description rdf:about=''";
    let packets = [
        ("another date", packet(&format!("{one}{tool}<xmp:ModifyDate>2025-01-13T10:00:00Z</xmp:ModifyDate>"))),
        ("another order", packet(&format!("{tool}\n  {one}"))),
        ("no header and trailer", {
            let packet = signed_packet();
            packet
                .get(packet.find("<x:").unwrap_or(0)..packet.find(TRAILER).unwrap_or(0))
                .unwrap_or_default()
                .to_owned()
        }),
        (
            "an XML declaration",
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{META}{}", {
                let packet = signed_packet();
                packet.split(META).nth(1).unwrap_or_default().replace(TRAILER, "")
            }),
        ),
        ("other prefixes", signed_packet().replace("xmp:", "ns1:").replace(":xmp=", ":ns1=")),
        (
            "an attribute, single quotes and a description for each namespace",
            format!(
                "<x:xapmeta xmlns:x='adobe:ns:meta/' x:xmptk='toolkit'>\n<rdf:RDF xmlns:rdf='{RDF}'>\n{elements} \
                 xmlns:xap='http://ns.adobe.com/xap/1.0/' xap:CreatorTool='Writer'/>\n{elements} xmlns:dc='{DC}'>\n{}\n\
                 </rdf:Description></rdf:RDF></x:xapmeta><?xpacket end='w'?>\n",
                one.replace("Invoice", "&#73;nvoice")
            ),
        ),
    ];
    for (name, after) in packets {
        for level in [1, 2] {
            let answer = replaced(level, &signed_packet(), &after);
            assert_eq!(answer.verdict, Verdict::UnchangedSinceSigning, "{name}: {}", answer.summary);
        }
    }
}

/// As iText, pyHanko and TCPDF write the values that FOP writes as plain texts.
#[test]
fn the_same_values_in_another_form_are_the_same() {
    let plain = packet("<dc:language>de</dc:language><dc:date>2026-11-28T07:22:06Z</dc:date>");
    let language = |kind: &str| format!("<dc:language><rdf:{kind}><rdf:li>de</rdf:li></rdf:{kind}></dc:language>");
    let date = "<dc:date><rdf:Seq><rdf:li>2026-11-28T08:22:06+01:00</rdf:li></rdf:Seq></dc:date>";
    let structures = |[first, second]: [&str; 2]| {
        packet(&format!("<dc:x><rdf:Bag><rdf:li rdf:parseType=\"Resource\">{first}{second}</rdf:li></rdf:Bag></dc:x>"))
    };
    let fields = ["<dc:prefix>pdf</dc:prefix>", "<dc:schema>Adobe PDF Schema</dc:schema>"];
    let names = "<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>";
    for (before, after, expected) in [
        (plain.clone(), packet(&format!("{}{date}", language("Bag"))), Verdict::UnchangedSinceSigning),
        (plain.clone(), packet(&format!("{date}{}", language("Seq"))), Verdict::UnchangedSinceSigning),
        (structures(fields), structures([fields[1], fields[0]]), Verdict::UnchangedSinceSigning),
        (
            packet(&title("")),
            packet("<dc:title><rdf:Alt><rdf:li/></rdf:Alt></dc:title>"),
            Verdict::UnchangedSinceSigning,
        ),
        // whether they have an order
        (packet(names), packet(&names.replace("Seq", "Bag")), Verdict::Undetermined),
        (
            plain.clone(),
            packet(&format!("{}{date}", language("Bag").replace(">de", ">en"))),
            Verdict::ChangedSinceSigning,
        ),
        (structures(fields), structures(["<dc:prefix>xmp</dc:prefix>", fields[1]]), Verdict::ChangedSinceSigning),
    ] {
        let answer = replaced(1, &before, &after);
        assert_eq!(answer.verdict, expected, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
}

/// As iText drops the misspelled length that PDFKit writes.
#[test]
fn entries_of_a_metadata_stream_that_say_nothing_change_nothing() {
    let with = |entries: &str| stream(&format!("/Type /Metadata /Subtype /XML {entries}"), signed_packet().as_bytes());
    for (before, after, expected) in [
        ("/length 1422", "", Verdict::UnchangedSinceSigning),
        ("", "/ABCD_Private 1", Verdict::UnchangedSinceSigning),
        ("", "/Unknown 1", Verdict::Undetermined),
        ("", "/F (other.xml)", Verdict::Undetermined),
    ] {
        let answer = rewritten(1, with(before), with(after));
        assert_eq!(answer.verdict, expected, "{after}: {} {:#?}", answer.summary, answer.signals);
    }
    let other = stream("/Type /Metadata /Subtype /Other", signed_packet().as_bytes());
    assert_eq!(rewritten(1, with(""), other).verdict, Verdict::Undetermined);
}

#[test]
fn another_value_is_permitted_only_where_metadata_may_change() {
    let names = "<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>";
    let cases = [
        (signed_packet(), signed_packet().replace("4711", "9999")),
        // the same name in another namespace is another property
        (
            signed_packet(),
            signed_packet().replace(DC, "http://example.org/").replace("dc:", "ex:").replace(":dc", ":ex"),
        ),
        (packet(names), packet(&names.replace("Ann", "Eve").replace("Bob", "Ann"))),
    ];
    for (before, after) in cases {
        assert_eq!(replaced(1, &before, &after).verdict, Verdict::ChangedSinceSigning, "{after}");
        assert_eq!(replaced(2, &before, &after).verdict, Verdict::PermittedChangesSinceSigning, "{after}");
    }
}

#[test]
fn a_packet_that_readers_read_differently_is_inconclusive() {
    let one = signed_packet();
    let text = "Invoice 4711";
    let cases = [
        ("another packet", format!("{one}{}", one.replace("4711", "9999")), "is followed by another"),
        (
            "another without a trailer",
            format!("{}{}", one.replace(TRAILER, ""), one.replace("4711", "9999")),
            "followed",
        ),
        ("another namespace", one.replace(DC, "http://example.org/"), "namespace"),
        ("a misspelled namespace", one.replace(DC, "http://purl.org/dc/elements/1.1"), "namespace"),
        ("an undeclared prefix", one.replace(&format!("xmlns:dc=\"{DC}\""), ""), "namespace"),
        ("a comment", one.replace(text, "Invoice<!-- --> 4711"), "comment"),
        ("an instruction", one.replace(text, "Invoice<?x ?> 4711"), "instruction"),
        ("a literal section", one.replace(text, "<![CDATA[Invoice 4711]]>"), "literal section"),
        ("properties in a comment", one.replace("<x:", &format!("<!-- {} --><x:", title("Void"))), "comment"),
        ("a property twice", one.replace("about=\"\"", "about=\"\" dc:title=\"Void\""), "property twice"),
        ("the same as an element", packet(&format!("{}{}", title(text), title("Void"))), "property twice"),
        (
            "a language twice",
            one.replace("</rdf:Alt>", "<rdf:li xml:lang='X-Default'>Void</rdf:li></rdf:Alt>"),
            "twice",
        ),
        ("words beside an array", one.replace("<rdf:Alt>", "Void<rdf:Alt>"), "form that XMP"),
        ("words beside properties", one.replace("<dc:title>", "Void<dc:title>"), "form that XMP"),
        (
            "another document's properties",
            one.replace("about=\"\"", "about=\"urn:x\" ")
                .replace("</rdf:RDF>", "<rdf:Description rdf:about=\"\"/></rdf:RDF>"),
            "form that XMP",
        ),
        ("an attribute twice", one.replace("about=\"\"", "about=\"\" rdf:about=\"\""), "well-formed"),
        ("an element that is not closed", one.replace("</rdf:RDF>", ""), "well-formed"),
        ("an entity", one.replace(text, "Invoice &t;"), "well-formed"),
        ("letters at the end", format!("{one}Void"), "well-formed"),
        ("another encoding", one.replacen("<x:", "<?xml version='1.0' encoding='UTF-16'?><x:", 1), "UTF-8"),
    ];
    for (name, after, reason) in cases {
        let answer = replaced(2, &one, &after);
        assert_eq!(answer.verdict, Verdict::Undetermined, "{name}: {}", answer.summary);
        assert!(answer.summary.contains(reason), "{name}: {}", answer.summary);
        let certified = replaced(1, &one, &after).verdict;
        assert!(matches!(certified, Verdict::Undetermined | Verdict::ChangedSinceSigning), "{name}: {certified:?}");
    }
    // what one is that was signed is not known either
    let odd = one.replace(text, "Invoice<!-- --> 4711");
    assert_eq!(replaced(1, &odd, &one).verdict, Verdict::Undetermined);
}

/// As pyHanko and iText write the first packet when they add a time-stamp or data for validation.
#[test]
fn a_first_packet_repeats_what_the_dictionary_says() {
    let first = |level: u8, properties: &str| {
        let page = format!("<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 595 842] >>");
        let pdf = Pdf::new(1).with(FIRST_PAGE, page).info(
            "/Title (Invoice 4711) /Author (Ann) /Keywords (one, two) /Producer (Writer 1) /Trapped /False \
             /CreationDate (D:20250113100000Z) /Status (draft)",
        );
        let document = SignedPdf::new(&pdf);
        let mut signed = document.signed(&Signing::by(Key::Ed25519).certifying(level));
        signed.catalog = format!("/Metadata {PACKET} 0 R");
        let packet = packet(properties).replace(
            "xmlns:xmp=",
            "xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\" xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\" \
             xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" xmlns:pdfx=\"http://ns.adobe.com/pdfx/1.3/\" \
             xmlns:own=\"http://own.example/\" xmlns:xmpRights=\"http://ns.adobe.com/xap/1.0/rights/\" xmlns:xmp=",
        );
        let changes = signed.with_catalog(Pdf::changes().with(PACKET, as_stream(&packet)));
        metadata(&signed.updated(&changes).file).integrity
    };
    let invoice = title("Invoice 4711");
    let bag = |name: &str, items: &str| format!("<dc:{name}><rdf:Bag>{items}</rdf:Bag></dc:{name}>");
    for repeated in [
        "",
        &invoice,
        "<dc:format>application/pdf</dc:format><pdf:Producer>Writer 1; Signer 2</pdf:Producer>",
        "<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li></rdf:Seq></dc:creator><pdf:Trapped>False</pdf:Trapped>",
        "<xmp:CreateDate>2025-01-13T10:00:00Z</xmp:CreateDate><xmp:MetadataDate>2026-01-13T10:00:00Z</xmp:MetadataDate>",
        "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part>",
        "<xmpMM:DocumentID>uuid:1</xmpMM:DocumentID><xmpMM:InstanceID>uuid:2</xmpMM:InstanceID>",
        "<pdf:Keywords>one, two</pdf:Keywords><pdfx:Status>draft</pdfx:Status>",
        &bag("subject", "<rdf:li>one</rdf:li><rdf:li>two</rdf:li>"),
    ] {
        let answer = first(1, repeated);
        assert_eq!(
            answer.verdict,
            Verdict::UnchangedSinceSigning,
            "{repeated}: {} {:#?}",
            answer.summary,
            answer.signals
        );
    }
    for said in [
        &title("Invoice 4712"),
        "<xmpRights:UsageTerms>This contract is void</xmpRights:UsageTerms>",
        "<own:Amount>9250.00</own:Amount>",
        "<own:CreateDate>9250.00</own:CreateDate>",
        "<pdfx:Status>final</pdfx:Status>",
        "<pdfaid:note>This contract is void</pdfaid:note>",
        &bag("publisher", "<rdf:li>Another House</rdf:li>"),
        &bag("subject", "<rdf:li>one</rdf:li><rdf:li>three</rdf:li>"),
    ] {
        let answer = first(1, said);
        assert_eq!(answer.verdict, Verdict::ChangedSinceSigning, "{said}: {}", answer.summary);
        let answer = first(2, said);
        assert_eq!(answer.verdict, Verdict::PermittedChangesSinceSigning, "{said}: {}", answer.summary);
    }
}
