//! Long things: titles, numbers, names, comments, white space.

use crate::pdf::{CATALOG, Pdf};

use super::Hostile;

const LONG: usize = 20 << 20;

pub(super) fn files() -> Vec<Hostile> {
    let title = |open: &'static str, unit: &'static str, close: &'static str| {
        move || {
            let text = unit.repeat(LONG / unit.len());
            Pdf::new(1).info(format!("/Title {open}{text}{close}")).classic()
        }
    };
    vec![
        Hostile::new("a title of 20 MB", title("(", "a", ")")),
        Hostile::new("a title of 20 MB in hexadecimal", title("<", "61", ">")),
        Hostile::new("a title of 20 MB in UTF-16", title("<FEFF", "0061", ">")),
        Hostile::new("a title of half surrogates", title("<FEFF", "D800", ">")),
        Hostile::new("a title of 20 MB of escapes", title("(", "\\101", ")")),
        Hostile::new("a title of 20 MB of line ends", title("(", "\\\n", ")")),
        Hostile::new("a title of 20 MB of brackets", title("(", "()", ")")),
        Hostile::new("a title of 20 MB without an end", title("(", "a", "")),
        Hostile::new("a hexadecimal title without an end", title("<", "61", "")),
        Hostile::new("a title of white space and digits", title("<", "6 1 \n", ">")),
        Hostile::new("200 KB of language escapes", || {
            Pdf::new(1).info(format!("/Title <FEFF{}0041>", "001B0065006E001B".repeat(12_500))).classic()
        }),
        Hostile::new("all texts of 200 KB", || {
            let text = "\u{e9}".repeat(100_000);
            let entries =
                ["Title", "Author", "Subject", "Keywords", "Creator", "Producer"].map(|key| format!("/{key} ({text})"));
            Pdf::new(1).info(entries.concat()).classic()
        }),
        Hostile::new("a date of 20 MB", || {
            Pdf::new(1).info(format!("/Title (T) /CreationDate (D:{})", "2".repeat(LONG))).classic()
        }),
        Hostile::new("a date of 200 KB of zones", || {
            Pdf::new(1).info(format!("/ModDate (D:20250101000000{})", "+01'00'".repeat(30_000))).classic()
        }),
        Hostile::new("a version of 100,000 digits", || Pdf::new(1).version(&"1".repeat(100_000)).classic()),
        Hostile::new("a catalog's version of 100,000 digits", || {
            Pdf::new(1).catalog(&format!("/Version /1.{}", "7".repeat(100_000))).classic()
        }),
        Hostile::new("a number of a million digits", || {
            Pdf::new(1).info(format!("/Title (T) /A {0} /B -{0}.{0}", "9".repeat(1_000_000))).classic()
        }),
        Hostile::new("numbers of signs and points", || {
            Pdf::new(1).info(format!("/Title (T) /A {} /B {}", "-".repeat(100_000), ".".repeat(100_000))).classic()
        }),
        Hostile::new("a name of 10 MB", || {
            Pdf::new(1).info(format!("/Title (T) /{} 1", "n".repeat(10 << 20))).classic()
        }),
        Hostile::new("a name of 10 MB of escapes", || {
            Pdf::new(1).info(format!("/Title (T) /{} 1", "#41#2".repeat(2 << 20))).classic()
        }),
        Hostile::new("a comment of 50 MB", || {
            let comment = format!("<< /Type /Catalog %{}\n /Pages 2 0 R >>", "c".repeat(50 << 20));
            Pdf::new(1).with(CATALOG, comment).classic()
        }),
        Hostile::new("50 MB of white space", || {
            Pdf::new(1).with(CATALOG, format!("<< /Type /Catalog{}/Pages 2 0 R >>", " ".repeat(50 << 20))).classic()
        }),
        Hostile::new("50 MB of zeros behind the file", || [Pdf::new(1).classic(), vec![0; 50 << 20]].concat()),
        Hostile::new("50 MB of line ends behind the file", || [Pdf::new(1).classic(), vec![b'\n'; 50 << 20]].concat()),
        Hostile::new("an identifier of 10 MB", || {
            Pdf::new(1).trailer(&format!("/ID [<{0}> ({0})]", "ab".repeat(5 << 20))).classic()
        }),
        Hostile::new("a page of 10^300 points", || {
            let size = "9".repeat(300);
            Pdf::new(1)
                .with(4, format!("<< /Type /Page /Parent 2 0 R /MediaBox [-{size} 0 {size} 1e5] /Rotate {size} >>"))
                .classic()
        })
        .opens(),
    ]
}
