//! Cross-references: sizes, widths, indexes and chains that lie or never end.

use crate::pdf::{CATALOG, INFO, PAGES, Pdf, deflate, start_of_xref, stream};

use super::Hostile;

pub(super) fn files() -> Vec<Hostile> {
    let mut files = sizes();
    files.extend(streams());
    files.extend(chains());
    files.extend(entries());
    files
}

/// The objects of a good file, and behind them a section of one's own.
fn with_section(section: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut file = Pdf::new(1).classic();
    file.truncate(start_of_xref(&file));
    let start = file.len();
    file.extend(section(start));
    file.extend(format!("\nstartxref\n{start}\n%%EOF\n").into_bytes());
    file
}

/// A cross-reference stream with these entries and body.
fn stream_section(entries: &'static str, body: &'static [u8]) -> impl Fn() -> Vec<u8> {
    move || {
        with_section(|_| {
            let entries = format!("/Type /XRef /Root {CATALOG} 0 R /Info {INFO} 0 R /Filter /FlateDecode {entries}");
            [b"50 0 obj\n".as_slice(), &stream(&entries, &deflate(body)), b"\nendobj"].concat()
        })
    }
}

fn table(lines: impl Fn(usize) -> String + 'static) -> impl Fn() -> Vec<u8> {
    move || with_section(|start| lines(start).into_bytes())
}

fn sizes() -> Vec<Hostile> {
    let trailer = |size: &'static str| {
        table(move |_| format!("xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size {size} /Root 1 0 R >>"))
    };
    vec![
        Hostile::new("a size of 2^31-1", trailer("2147483647")),
        Hostile::new("a size of -1", trailer("-1")),
        Hostile::new("a size of 2^63-1", trailer("9223372036854775807")),
        Hostile::new("a size of itself", trailer("2 0 R")),
        Hostile::new(
            "a table of 10^9 entries that ends",
            table(|_| "xref\n0 999999999\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R >>".to_owned()),
        ),
        Hostile::new(
            "a table that starts at 2^32-1",
            table(|_| {
                "xref\n4294967295 2\n0000000009 00000 n \n0000000009 00000 n \ntrailer\n<< /Root 1 0 R >>".to_owned()
            }),
        ),
        Hostile::new(
            "a million empty subsections",
            table(|_| format!("xref\n{}trailer\n<< /Root 1 0 R >>", "0 0\n".repeat(1_000_000))),
        ),
        Hostile::new(
            "a million subsections of one",
            table(|_| format!("xref\n{}trailer\n<< /Root 1 0 R >>", "7 1\n0000000009 00000 n \n".repeat(1_000_000))),
        ),
        Hostile::new(
            "two million entries",
            table(|_| {
                format!("xref\n0 2000000\n{}trailer\n<< /Root 1 0 R >>", "0000000009 00000 n \n".repeat(2_000_000))
            }),
        ),
        Hostile::new(
            "two million ragged entries",
            table(|_| format!("xref\n0 2000000\n{}trailer\n<< /Root 1 0 R >>", "9 0 n\n".repeat(2_000_000))),
        ),
        Hostile::new("startxref beyond the end", || number_of_start("99999999999")),
        Hostile::new("startxref below zero", || number_of_start("-1")),
        Hostile::new("startxref of 100,000 digits", || number_of_start(&"9".repeat(100_000))),
        Hostile::new("startxref at itself", || number_of_start("1")),
    ]
}

fn number_of_start(digits: &str) -> Vec<u8> {
    let file = Pdf::new(1).classic();
    let at = file.windows(9).rposition(|window| window == b"startxref").unwrap();
    [&file[..at], format!("startxref\n{digits}\n%%EOF\n").as_bytes()].concat()
}

fn streams() -> Vec<Hostile> {
    vec![
        Hostile::new("widths [8 8 8]", stream_section("/Size 9 /W [8 8 8]", &[0xff; 240])),
        Hostile::new("widths [0 0 0]", stream_section("/Size 2147483647 /W [0 0 0]", b"")),
        Hostile::new("widths [1 -4 2]", stream_section("/Size 9 /W [1 -4 2]", &[1; 70])),
        Hostile::new(
            "widths of 2^63-1",
            stream_section("/Size 9 /W [9223372036854775807 9223372036854775807 2]", &[1; 70]),
        ),
        Hostile::new("widths [1 4]", stream_section("/Size 9 /W [1 4]", &[1; 70])),
        Hostile::new("widths of a million zeros", || {
            with_section(|_| {
                let entries = format!("/Type /XRef /Root 1 0 R /Size 9 /W [{}]", "0 ".repeat(1_000_000));
                [b"50 0 obj\n".as_slice(), &stream(&entries, &[1; 70]), b"\nendobj"].concat()
            })
        }),
        Hostile::new("index [0 4294967295]", stream_section("/Size 9 /W [1 4 2] /Index [0 4294967295]", &[1; 70])),
        Hostile::new("index [-1 5]", stream_section("/Size 9 /W [1 4 2] /Index [-1 5]", &[1; 70])),
        Hostile::new(
            "index [9223372036854775807 5]",
            stream_section("/Size 9 /W [1 4 2] /Index [9223372036854775807 5]", &[1; 70]),
        ),
        Hostile::new("index of an odd count", stream_section("/Size 9 /W [1 4 2] /Index [0 5 7]", &[1; 70])),
        Hostile::new("index of a million pairs", || {
            with_section(|_| {
                let entries =
                    format!("/Type /XRef /Root 1 0 R /Size 9 /W [1 4 2] /Index [{}]", "0 1 ".repeat(1_000_000));
                [b"50 0 obj\n".as_slice(), &stream(&entries, &[1; 70]), b"\nendobj"].concat()
            })
        }),
        Hostile::new("a stream of 250 MiB of zeros", || {
            with_section(|_| {
                let entries = "/Type /XRef /Root 1 0 R /Size 37449142 /W [1 4 2] /Filter /FlateDecode";
                [b"50 0 obj\n".as_slice(), &stream(entries, &deflate(&vec![0; 250 << 20])), b"\nendobj"].concat()
            })
        }),
        Hostile::new("widths that make 250 million entries", || {
            with_section(|_| {
                let entries = "/Type /XRef /Root 1 0 R /Size 250000000 /W [1 0 0] /Filter /FlateDecode";
                [b"50 0 obj\n".as_slice(), &stream(entries, &deflate(&vec![1; 15 << 20])), b"\nendobj"].concat()
            })
        }),
    ]
}

fn chains() -> Vec<Hostile> {
    vec![
        Hostile::new(
            "a previous section that is itself",
            table(|start| format!("xref\n0 0\ntrailer\n<< /Root 1 0 R /Size 9 /Prev {start} >>")),
        ),
        Hostile::new(
            "a hybrid section that is itself",
            table(|start| format!("xref\n0 0\ntrailer\n<< /Root 1 0 R /Size 9 /XRefStm {start} /Prev {start} >>")),
        ),
        Hostile::new("two sections in a circle", || {
            let mut file = Pdf::new(1).classic();
            let first = file.len();
            let section = |prev: usize| format!("xref\n0 0\ntrailer\n<< /Root 1 0 R /Size 9 /Prev {prev:010} >>\n");
            let second = first + section(0).len();
            file.extend(format!("{}{}startxref\n{first}\n%%EOF\n", section(second), section(first)).into_bytes());
            file
        }),
        Hostile::new("600,000 sections in a row", || sections(600_000)),
        Hostile::new("60,000 updates of one object", || {
            let mut file = Pdf::new(1).classic();
            let mut previous = start_of_xref(&file);
            for _ in 0..60_000 {
                let start = file.len();
                file.extend(
                    format!("xref\n3 1\n0000000009 00000 n \ntrailer\n<< /Root 1 0 R /Size 9 /Prev {previous} >>\n")
                        .into_bytes(),
                );
                previous = start;
            }
            file.extend(format!("startxref\n{previous}\n%%EOF\n").into_bytes());
            file
        }),
        Hostile::new("linearized lies", || {
            let mut pdf = Pdf::new(1);
            pdf.set(60, "<< /Linearized 1 /L 9223372036854775807 /N -1 /O 4294967295 /E -5 /T 99999999999 /H [0 -1 5 9223372036854775807] >>");
            let file = pdf.linearized();
            let at = file.windows(3).position(|window| window == b"/L ").unwrap();
            [&file[..at], b"/L 9223372036854775807 /T -1 /O 99999 /N 99999999 ", &file[at..]].concat()
        }),
    ]
}

fn sections(count: usize) -> Vec<u8> {
    let mut file = Pdf::new(1).classic();
    let mut previous = start_of_xref(&file);
    for _ in 0..count {
        let start = file.len();
        file.extend(format!("xref\n0 0\ntrailer<</Prev {previous}>>\n").into_bytes());
        previous = start;
    }
    file.extend(format!("startxref\n{previous}\n%%EOF\n").into_bytes());
    file
}

fn entries() -> Vec<Hostile> {
    vec![
        Hostile::new("20,000 entries at one array", || at_one_array("]")),
        Hostile::new("20,000 entries at one malformed array", || at_one_array("")),
        Hostile::new(
            "offsets of 9,999,999,999",
            table(|_| format!("xref\n0 9\n{}trailer\n<< /Root 1 0 R /Size 9 >>", "9999999999 00000 n \n".repeat(9))),
        ),
        Hostile::new("all objects in an object stream that is one of them", || {
            with_section(|_| {
                let body: Vec<u8> = (0..9_u8).flat_map(|index| [2, 0, 0, 0, 5, 0, index]).collect();
                let entries = "/Type /XRef /Root 1 0 R /Size 9 /W [1 4 2]";
                [b"50 0 obj\n".as_slice(), &stream(entries, &body), b"\nendobj"].concat()
            })
        }),
        Hostile::new("references in a ring of 100,000", || {
            let mut pdf = Pdf::new(1).info("/Title 10 0 R /Author 11 0 R");
            for number in 10..100_010 {
                pdf.set(number, format!("{} 0 R", if number == 100_009 { 10 } else { number + 1 }));
            }
            pdf.classic()
        })
        .opens(),
        Hostile::new("a root that is a reference to itself", || Pdf::new(1).with(CATALOG, "1 0 R").classic()),
        Hostile::new("pages that are a stream", || {
            Pdf::new(1).with_stream(PAGES, "/Type /Pages /Kids [4 0 R] /Count 1", b"x").classic()
        }),
        Hostile::new("no trailer entries at all", || Pdf::new(1).only_trailer("").classic()).opens(),
        Hostile::new("a root that is a number", || Pdf::new(1).only_trailer("/Root 5").classic()).opens(),
        Hostile::new("a document without anything", || b"%PDF-1.7\ntrailer<<>>\nstartxref\n9\n%%EOF".to_vec())
            .refused("corrupt"),
    ]
}

fn at_one_array(close: &str) -> Vec<u8> {
    let array = format!("[{}{close}", "[] ".repeat(30_000));
    let mut pdf = Pdf::new(1);
    let kids: String = (0..20_000).map(|index| format!("{} 0 R ", 100 + index)).collect();
    pdf.set(PAGES, format!("<< /Type /Pages /Kids [{kids}] >>"));
    pdf.set(99, &array);
    let file = pdf.classic();
    let at = file.windows(8).position(|window| window == b"99 0 obj").unwrap();
    let start = start_of_xref(&file);
    let mut file = file[..start].to_vec();
    let line = format!("{at:010} 00000 n \n");
    let mut section = format!("xref\n100 20000\n{}", line.repeat(20_000));
    for (number, marker) in [(1_u32, "1 0 obj"), (2, "2 0 obj"), (4, "4 0 obj")] {
        let marker = format!("\n{marker}");
        let at = file.windows(marker.len()).position(|window| window == marker.as_bytes()).unwrap() + 1;
        section.push_str(&format!("{number} 1\n{at:010} 00000 n \n"));
    }
    file.extend(format!("{section}trailer\n<< /Root 1 0 R /Size 20100 >>\nstartxref\n{start}\n%%EOF\n").into_bytes());
    file
}
