//! What every module here needs: what the first page of a file draws, and its words.

use engine::{Memory, Options, PageText, Word, page_texts};
use samples::pdf::Pdf;

/// What the first page draws.
pub(crate) fn drawn(pdf: &Pdf) -> PageText {
    let mut pages = page_texts(&Memory(pdf.classic().into()), &Options::default(), 0..1).expect("the file opens");
    let page = pages.pop().expect("a page");
    for bounds in page.runs.iter().map(|run| run.bounds).chain(page.areas.iter().map(|area| area.bounds)) {
        assert!(bounds.corners().iter().all(|corner| corner.is_finite()), "{bounds:?}");
    }
    page
}

/// The lines of the first page, from top to bottom.
pub(crate) fn lines(pdf: &Pdf) -> Vec<String> {
    drawn(pdf).lines().iter().map(engine::Line::text).collect()
}

/// The only word of this text.
pub(crate) fn word(page: &PageText, text: &str) -> Word {
    let lines = page.lines();
    let mut found = lines.iter().flat_map(|line| &line.words).filter(|word| word.text == text);
    let word = found.next().unwrap_or_else(|| panic!("no {text:?} among {lines:?}"));
    assert!(found.next().is_none(), "{text:?} is there twice");
    word.clone()
}
