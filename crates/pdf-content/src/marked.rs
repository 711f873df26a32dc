//! Marked content (14.6): replacement text (14.9.4) and optional content (8.11.3).

use super::layer::Layer;
use super::page_model::PageText;

/// The open marked-content sequences.
#[derive(Debug, Default)]
pub(super) struct Marked {
    open: Vec<Sequence>,
    /// Number of open sequences with replacement text.
    actual: usize,
}

#[derive(Debug)]
struct Sequence {
    /// The state of its content, with that of the enclosing sequences.
    layer: Layer,
    /// Its replacement text.
    actual: Option<String>,
    /// Its marked-content identifier (14.7.4.2).
    identifier: Option<i64>,
    /// Index of its first run.
    first: usize,
}

impl Marked {
    /// `BMC` and `BDC`.
    pub(super) fn begin(&mut self, layer: Layer, (actual, identifier): (Option<String>, Option<i64>), page: &PageText) {
        let layer = layer.max(self.layer());
        self.actual += usize::from(actual.is_some());
        self.open.push(Sequence { layer, actual, identifier, first: page.runs.len() });
    }

    /// `EMC`.
    pub(super) fn end(&mut self, page: &mut PageText) {
        let Some(sequence) = self.open.pop() else { return };
        if let Some(identifier) = sequence.identifier {
            page.marked.push((identifier, sequence.first..page.runs.len()));
        }
        let Some(text) = sequence.actual else { return };
        self.actual -= 1;
        // with nested sequences, the outermost replacement text applies
        if self.actual == 0 {
            page.replace(sequence.first, &text);
        }
    }

    /// Returns the state of the current content.
    pub(super) fn layer(&self) -> Layer {
        self.open.last().map_or(Layer::None, |sequence| sequence.layer)
    }
}
