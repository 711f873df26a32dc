//! Marked content (14.6): replacement text (14.9.4) and optional content (8.11.3).

use super::page_model::PageText;

/// The open marked-content sequences.
#[derive(Debug, Default)]
pub(super) struct Marked {
    open: Vec<Sequence>,
    /// Number of open sequences that are off, and of those with replacement text.
    off: usize,
    actual: usize,
}

#[derive(Debug)]
struct Sequence {
    is_off: bool,
    /// Its replacement text, and the index of its first run.
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
        // with nested sequences, the outermost replacement text applies
        if self.actual == 0 {
            page.replace(first, &text);
        }
    }

    /// Whether the current content is off.
    pub(super) fn is_off(&self) -> bool {
        self.off > 0
    }
}
