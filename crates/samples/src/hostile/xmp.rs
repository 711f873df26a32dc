//! XMP packets: entities, depth, width, length, and encodings that break off.

use crate::pdf::{Pdf, deflate, packet};

use super::Hostile;

fn with(xml: &[u8]) -> Vec<u8> {
    Pdf::new(1).catalog("/Metadata 50 0 R").with_stream(50, "/Type /Metadata /Subtype /XML", xml).classic()
}

fn described(properties: &str) -> Vec<u8> {
    with(packet(properties).as_bytes())
}

pub(super) fn files() -> Vec<Hostile> {
    vec![
        Hostile::new("a billion laughs", || {
            let mut entities = "<!ENTITY a0 \"ha\">".to_owned();
            for level in 1..30 {
                entities.push_str(&format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10)));
            }
            let body = packet("<pdf:Producer>&a29;</pdf:Producer>");
            with(format!("<?xml version=\"1.0\"?><!DOCTYPE x [{entities}]>{body}").as_bytes())
        })
        .opens(),
        Hostile::new("an entity 100,000 times", || {
            let body = packet(&format!("<pdf:Producer>{}</pdf:Producer>", "&a;".repeat(100_000)));
            with(format!("<!DOCTYPE x [<!ENTITY a \"{}\">]>{body}", "a".repeat(100_000)).as_bytes())
        })
        .opens(),
        Hostile::new("an entity from a file", || {
            let body = packet("<pdf:Producer>&a;</pdf:Producer>");
            with(format!("<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>{body}").as_bytes())
        })
        .opens(),
        Hostile::new("a packet of 100 MB", || {
            described(&format!("<pdf:Producer>{}</pdf:Producer>", "p".repeat(100 << 20)))
        }),
        Hostile::new("a packet of 100 MB, deflated", || {
            let xml = packet(&format!("<pdf:Producer>{}</pdf:Producer>", "p".repeat(100 << 20)));
            let pdf = Pdf::new(1).catalog("/Metadata 50 0 R");
            pdf.with_stream(50, "/Type /Metadata /Filter /FlateDecode", &deflate(xml.as_bytes())).classic()
        }),
        Hostile::new("elements a million deep", || described(&("<a>".repeat(1_000_000) + &"</a>".repeat(1_000_000)))),
        Hostile::new("elements 100,000 deep, never closed", || described(&"<dc:title>".repeat(100_000))),
        Hostile::new("descriptions 50,000 deep", || described(&"<rdf:Description>".repeat(50_000))),
        Hostile::new("a million attributes", || {
            let attributes: String = (0..1_000_000).map(|index| format!("a{index}='' ")).collect();
            with(format!("<x {attributes}/>").as_bytes())
        }),
        Hostile::new("one attribute a million times", || {
            with(format!("<rdf:Description {}/>", "a='' ".repeat(1_000_000)).as_bytes())
        }),
        Hostile::new("an attribute of 20 MB", || with(format!("<x a='{}'/>", "a".repeat(20 << 20)).as_bytes())),
        Hostile::new("100,000 namespaces", || {
            let bindings: String =
                (0..100_000).map(|index| format!("xmlns:n{index}='http://ns.adobe.com/pdf/1.3/' ")).collect();
            with(format!("<x {bindings}><n99999:Producer>P</n99999:Producer></x>").as_bytes())
        }),
        Hostile::new("namespaces bound at every depth", || {
            let open: String = (0..20_000).map(|level| format!("<a xmlns:n{level}='u{level}'>")).collect();
            with(open.as_bytes())
        }),
        Hostile::new("a million list items", || {
            described(&format!(
                "<dc:creator><rdf:Seq>{}</rdf:Seq></dc:creator>",
                "<rdf:li>a</rdf:li>".repeat(1_000_000)
            ))
        }),
        Hostile::new("a million properties", || described(&"<pdf:Producer>a</pdf:Producer>".repeat(1_000_000))),
        Hostile::new("a million character references", || {
            described(&format!("<pdf:Producer>{}</pdf:Producer>", "&#x41;&#0;&#xD800;&#99999999999;".repeat(30_000)))
        })
        .opens(),
        Hostile::new("a comment of 10 MB without an end", || {
            with(format!("<x/><!--{}", "-".repeat(10 << 20)).as_bytes())
        }),
        Hostile::new("character data without an end", || {
            with(format!("<x><![CDATA[{}", "]".repeat(3 << 20)).as_bytes())
        }),
        Hostile::new("a tag without an end", || with(format!("<x {}", "<".repeat(3 << 20)).as_bytes())),
        Hostile::new("UTF-16 of an odd length", || with(b"\xfe\xff\0<\0x\0/\0>\0")).opens(),
        Hostile::new("UTF-32", || with(b"\0\0\xfe\xff\0\0\0<\0\0\0x\0\0\0>")).opens(),
        Hostile::new("bytes that are no UTF-8", || with(&[b'<', 0xff, 0xc0, 0x80, b'>'].repeat(200_000))),
        Hostile::new("a packet of zeros", || with(&vec![0; 4 << 20])),
    ]
}
