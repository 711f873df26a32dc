//! Content that is made to be too much: it costs its budget, what was left out is told, and the rest is there.

use engine::{Memory, Options, page_texts};
use samples::hostile::contents;
use samples::texts::drawing;

use crate::support::drawn;

/// Those that can be read as a whole.
const WHOLE: [&str; 2] = ["a font with widths that refer to themselves", "a CMap that goes on from itself"];

#[test]
fn content_beyond_the_budget_is_told() {
    for file in contents() {
        let source = Memory(file.make().into());
        let pages = page_texts(&source, &Options::default(), 0..1).expect("the file opens");
        let page = pages.first().unwrap_or_else(|| panic!("{}: no page", file.name));
        let lines = page.lines();
        assert!(page.runs.len() + page.areas.len() <= 50_000, "{}", file.name);
        assert!(page.is_part || WHOLE.contains(&file.name), "{}: {lines:?}", file.name);
    }
}

#[test]
fn what_comes_before_the_end_of_the_budget_is_there() {
    let content = format!("BT /F 10 Tf 20 100 Td (first) Tj ET {}", "0 0 9 9 re f ".repeat(200_000));
    let page = drawn(&drawing(&content, ""));
    assert!(page.is_part);
    assert_eq!(page.text(&page.runs[0]), "first");
}
