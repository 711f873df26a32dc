//! Depth: arrays, dictionaries, strings and streams in each other.

use crate::pdf::{Pdf, deflate};

use super::Hostile;

pub(super) fn files() -> Vec<Hostile> {
    let mut files = Vec::new();
    for (name, open, close, depth) in [
        ("arrays 98 deep", "[", "]", 98),
        ("arrays 1,000 deep", "[", "]", 1_000),
        ("arrays 100,000 deep", "[", "]", 100_000),
        ("arrays 1,000,000 deep", "[", "]", 1_000_000),
        ("dictionaries 98 deep", "<</A ", ">>", 98),
        ("dictionaries 1,000 deep", "<</A ", ">>", 1_000),
        ("dictionaries 100,000 deep", "<</A ", ">>", 100_000),
        ("dictionaries 1,000,000 deep", "<</A ", ">>", 1_000_000),
        ("arrays 1,000,000 deep, never closed", "[", "", 1_000_000),
        ("dictionaries 1,000,000 deep, never closed", "<</A ", "", 1_000_000),
    ] {
        let nested = move || open.repeat(depth) + &close.repeat(depth);
        files.push(Hostile::new(name, move || Pdf::new(1).info(format!("/Title (T) /Deep {}", nested())).classic()));
    }
    files.extend([
        Hostile::new("a string 1,000,000 deep", || {
            Pdf::new(1).info(format!("/Title {}{}", "(".repeat(1_000_000), ")".repeat(1_000_000))).classic()
        }),
        Hostile::new("a string 1,000,000 deep, never closed", || {
            Pdf::new(1).info(format!("/Title {}", "(".repeat(1_000_000))).classic()
        }),
        Hostile::new("a trailer 100,000 deep", || {
            Pdf::new(1).trailer(&format!("/X {}{}", "[".repeat(100_000), "]".repeat(100_000))).classic()
        }),
        Hostile::new("a page 100,000 deep", || {
            let deep = "<</A[".repeat(50_000) + &"]>>".repeat(50_000);
            Pdf::new(1).with(4, format!("<< /Type /Page /Parent 2 0 R /Resources {deep} >>")).classic()
        }),
        Hostile::new("a catalog 100,000 deep", || {
            Pdf::new(1).catalog(&format!("/X {}{}", "[".repeat(100_000), "]".repeat(100_000))).classic()
        }),
        Hostile::new("an object stream 1,000,000 deep", || {
            let body = [b"9 0 ".as_slice(), &b"[".repeat(1_000_000)].concat();
            let pdf = Pdf::new(1).info("/Title 9 0 R");
            let entries = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode";
            let mut file = pdf.with_stream(8, entries, &deflate(&body)).classic();
            file.truncate(file.len() - 20);
            file
        }),
    ]);
    files
}
