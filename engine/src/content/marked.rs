//! Marked content (14.6) that matters here: text that stands for what is drawn (14.9.4), and optional content (8.11.3).

use super::drawn::PageText;

/// Sequences that may stand in each other; beyond, they are only counted.
const DEPTH: usize = 256;

/// The sequences of marked content that are open.
#[derive(Debug, Default)]
pub(super) struct Marked {
    open: Vec<Sequence>,
    deeper: usize,
    /// How many of the open ones are off.
    off: usize,
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
        if self.open.len() >= DEPTH {
            self.deeper += 1;
            return;
        }
        self.off += usize::from(is_off);
        self.open.push(Sequence { is_off, actual: actual.map(|text| (text, page.runs.len())) });
    }

    /// `EMC`.
    pub(super) fn end(&mut self, page: &mut PageText) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(sequence) = self.open.pop() else { return };
        self.off -= usize::from(sequence.is_off);
        // of sequences in each other the outermost one stands for all
        let is_outermost = !self.open.iter().any(|open| open.actual.is_some());
        if let (Some((text, first)), true) = (sequence.actual, is_outermost) {
            page.replace(first, &text);
        }
    }

    /// Whether content is not shown here.
    pub(super) fn is_off(&self) -> bool {
        self.off > 0
    }
}
