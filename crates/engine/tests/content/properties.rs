//! Any operations, in any order, with any operands, and any bytes: nothing panics, places are places, budgets hold.

use engine::{Memory, Options, page_texts};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, proptest};
use proptest::sample::select;
use proptest::{prop_oneof, strategy::Just};
use samples::pdf::Pdf;
use samples::texts::{CONTENT, FREE, composite, drawing, in_font, page};

use crate::support::drawn;

const OPERATORS: [&str; 50] = [
    "q", "Q", "cm", "gs", "re", "m", "l", "c", "v", "y", "h", "f", "f*", "B", "S", "n", "W", "W*", "sh", "Do", "BI",
    "ID", "EI", "BMC", "BDC", "EMC", "g", "rg", "k", "cs", "sc", "scn", "BT", "ET", "Tf", "Tc", "Tw", "Tz", "TL", "Ts",
    "Tr", "Td", "TD", "Tm", "T*", "Tj", "TJ", "'", "\"", "MP",
];
const OPERANDS: [&str; 26] = [
    "0",
    "1",
    "-1",
    "0.5",
    "100",
    "99999999999999999999",
    "-99999999999999999999.9",
    "0.000001",
    "/F",
    "/F 12",
    "/C 9",
    "/X",
    "/A",
    "/OC",
    "/Span",
    "(text)",
    "(a b)",
    "<0041>",
    "[(a) -300 (b)]",
    "[",
    "]",
    "<<",
    ">>",
    "<</ActualText (x y)>>",
    "1 0 0 1 5 5",
    "0 1 -1 0 50 50",
];

/// Content made of operators and operands.
fn content() -> impl Strategy<Value = String> {
    let word =
        prop_oneof![2 => select(&OPERATORS[..]), 3 => select(&OPERANDS[..]), 1 => Just("BT /F 9 Tf 9 9 Td (word) Tj")];
    vec(word, 0..200).prop_map(|words| words.join(" "))
}

fn pdf(content: &str) -> Pdf {
    let (font, descendant) = composite("/Encoding /Identity-V /ToUnicode /Identity-H", "/DW2 [1 2 3] /W [0 [1 2]]");
    let resources = format!(
        "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> /C {font} >> /XObject << /X 31 0 R >> \
         /ExtGState << /A << /ca 0.5 /Font [32 0 R 5] >> >> /Properties << /A << /ActualText (named) >> >>"
    );
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [0 1 1 0 3 3] /Group << /S /Transparency >>";
    page("", &resources, "").with_stream(CONTENT, "", content.as_bytes()).with(FREE, descendant).with_stream(
        31,
        form,
        content.as_bytes(),
    )
}

proptest! {
    #[test]
    fn any_operations_are_carried_out(content in content()) {
        let page = drawn(&pdf(&content));
        assert!(page.runs.len() + page.areas.len() <= 50_000);
        let mut orders: Vec<u32> = page.runs.iter().map(|run| run.order).collect();
        orders.extend(page.areas.iter().map(|area| area.order));
        orders.sort_unstable();
        orders.dedup();
        assert_eq!(orders.len(), page.runs.len() + page.areas.len());
        for word in page.lines().iter().flat_map(|line| &line.words) {
            assert!(!word.text.is_empty() && !word.text.contains(' '), "{word:?}");
            assert!(word.runs.iter().all(|run| *run < page.runs.len()));
            assert_eq!(word.text.matches('\u{fffd}').count(), word.undecoded as usize);
        }
    }

    #[test]
    fn any_bytes_are_content_cmap_and_font(bytes in vec(any::<u8>(), 0..2_000), entries in "[ -~]{0,60}") {
        let (font, descendant) = composite("/Encoding 31 0 R /ToUnicode 31 0 R", &entries);
        let file = in_font(&font, &["<00410042>"]).with(FREE, descendant).with_stream(31, "", &bytes);
        let _ = page_texts(&Memory(file.classic().into()), &Options::default(), 0..1);
        drawn(&drawing("", "").with_stream(CONTENT, "", &bytes));
    }
}
