//! Marked content (14.6) that matters here: text that stands for what is drawn (14.9.4), and optional content (8.11.3).

use super::page_model::PageText;

/// The sequences of marked content that are open.
#[derive(Debug, Default)]
pub(super) struct Marked {
    open: Vec<Sequence>,
    /// How many of the open ones are off, and for how many a text stands.
    off: usize,
    actual: usize,
}

#[derive(Debug)]
struct Sequence {
    is_off: bool,
    /// The text that stands for it, and the run that it begins with.
    actual: Option<(String, usize)>,
}

impl Marked {
    /// `BMC` and `BDC`.
    pub(super) fn begin(&mut self, is_off: bool, actual: Option<String>, page: &PageText) {
        self.off += usize::from(is_off);
        self.actual += usize::from(actual.is_some());
        self.open.push(Sequence { is_off, actual: actual.map(|text| (text, page.runs.len())) });
    }

    /// `EMC`.
    pub(super) fn end(&mut self, page: &mut PageText) {
        let Some(sequence) = self.open.pop() else { return };
        self.off -= usize::from(sequence.is_off);
        let Some((text, first)) = sequence.actual else { return };
        self.actual -= 1;
        // of sequences in each other the outermost one stands for all
        if self.actual == 0 {
            page.replace(first, &text);
        }
    }

    /// Whether content is not shown here.
    pub(super) fn is_off(&self) -> bool {
        self.off > 0
    }
}
