//! Files without a usable cross-reference, full of what a repair looks for.

use crate::pdf::Pdf;

use super::Hostile;

/// A good file without its end, around `junk`.
fn around(junk: &[u8]) -> Vec<u8> {
    let file = Pdf::new(1).classic();
    let at = file.windows(4).rposition(|window| window == b"xref").unwrap();
    [&file[..at - 10], junk].concat()
}

pub(super) fn files() -> Vec<Hostile> {
    let repeated = |text: &'static str, count: usize| move || around(text.repeat(count).as_bytes());
    vec![
        Hostile::new("a million headers of one object", repeated("9 0 obj\n", 1_000_000)),
        Hostile::new("3,000,000 headers", || {
            let junk: String = (0..3_000_000).map(|number| format!("{number} 0 obj\n")).collect();
            around(junk.as_bytes())
        }),
        Hostile::new("a million catalogs", || {
            let junk: String =
                (10..1_000_010).map(|number| format!("{number} 0 obj<</Type/Catalog/Pages 2 0 R>>\n")).collect();
            around(junk.as_bytes())
        }),
        Hostile::new("100,000 object streams", || {
            let stream = "<</Type/ObjStm/N 1/First 4/Length 6>>stream\n9 0 5 \nendstream endobj\n";
            let junk: String = (10..100_010).map(|number| format!("{number} 0 obj{stream}")).collect();
            around(junk.as_bytes())
        }),
        Hostile::new(
            "100,000 trailers",
            repeated("trailer\n<< /Root 9 0 R /Prev 1 /Size 5 /Encrypt 8 0 R >>\n", 100_000),
        ),
        Hostile::new("a million trailers without a dictionary", repeated("trailer\n", 1_000_000)),
        Hostile::new("a million ends", repeated("endobj endstream ", 1_000_000)),
        Hostile::new("a million streams without an end", repeated("9 0 obj<<>>stream\n", 1_000_000)),
        Hostile::new("a million streams of a huge length", repeated("9 0 obj<</Length 99999999>>stream\n", 1_000_000)),
        Hostile::new("5 million dictionaries without an end", repeated("<<", 5_000_000)),
        Hostile::new("objects that open a string and never close it", || {
            let junk: String = (10..500_010).map(|number| format!("{number} 0 obj (")).collect();
            around(junk.as_bytes())
        }),
        Hostile::new("objects that open an array and never close it", || {
            let junk: String = (10..500_010).map(|number| format!("{number} 0 obj [")).collect();
            around(junk.as_bytes())
        }),
        Hostile::new("20 MB of obj", repeated(" obj", 5 << 20)),
        Hostile::new("20 MB of 0 0 0", repeated("0 ", 10 << 20)),
        Hostile::new("20 MB of digits", repeated("0", 20 << 20)),
        Hostile::new("20 MB of startxref", repeated("startxref\n9\n", 1_700_000)),
        Hostile::new("20 MB of %PDF-", repeated("%PDF-1.7\n", 2_300_000)),
        Hostile::new("100 MB of noise", || {
            let mut state = 1_u64;
            let noise: Vec<u8> = (0..(100 << 20) / 8)
                .flat_map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 5).to_le_bytes()
                })
                .collect();
            around(&noise)
        }),
    ]
}
