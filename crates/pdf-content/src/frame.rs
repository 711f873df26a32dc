//! The state of interpreting a content stream: graphics states, path, text object, marked content.

use super::area::Rule;
use super::geometry::Matrix;
use super::graphics::Graphics;
use super::layer::Layer;
use super::marked::Marked;
use super::operation::{Operand, Operations};
use super::path::Path;
use super::reading::{Outcome, Reading};
use super::stroke::{Dashes, LineCap, LineJoin};
use super::text_showing::TextPosition;

/// Maximum saved graphics states.
const MAX_SAVED_STATES: usize = 256;

/// The state of interpreting a content stream.
pub(super) struct Frame {
    pub(super) graphics: Graphics,
    saved: Vec<Graphics>,
    /// Number of saved states beyond the maximum.
    unsaved: usize,
    /// Text positions of the saved states, if `Q` restores them.
    positions: Vec<TextPosition>,
    /// The state that a `Q` without `q` restores.
    first: Option<Graphics>,
    is_in_text: bool,
    pub(super) path: Path,
    /// Clipping rule of the path after painting, if it clips.
    pub(super) clips: Option<Rule>,
    pub(super) text: TextPosition,
    pub(super) marked: Marked,
    /// Index of its resources among the page's.
    pub(super) resources: usize,
    /// Whether the stream is optional content.
    layer: Layer,
}

impl Frame {
    pub(super) fn new(graphics: Graphics, resources: usize, layer: Layer) -> Self {
        Self {
            graphics,
            saved: Vec::new(),
            unsaved: 0,
            positions: Vec::new(),
            first: None,
            is_in_text: false,
            path: Path::default(),
            clips: None,
            text: TextPosition::new(),
            marked: Marked::default(),
            resources,
            layer,
        }
    }

    /// Whether the current content is optional, and off.
    pub(super) fn layer(&self) -> Layer {
        self.layer.max(self.marked.layer())
    }

    /// Returns the frame of a page's content with the state that a `Q` without `q` restores.
    pub(super) fn restoring_first(self) -> Self {
        Self { first: Some(self.graphics.clone()), ..self }
    }

    /// Whether viewers execute an operator differently here.
    pub(super) fn is_irregular(&self, operator: &[u8]) -> bool {
        match operator {
            [b'q'] => self.is_in_text,
            [b'Q'] => self.is_in_text || self.saved.is_empty(),
            _ => false,
        }
    }

    /// Executes what a viewer does at `q` and `Q` besides saving and restoring the graphics state.
    pub(super) fn nest(&mut self, operator: &[u8], reading: Reading) -> Outcome {
        match operator {
            b"q" if reading.restores_position() => self.positions.push(self.text.clone()),
            b"Q" if self.saved.is_empty() && reading.ends_at_unmatched_restore() => return Outcome::Ended,
            b"Q" if self.saved.is_empty() => {
                if let Some(first) = self.first.take() {
                    self.graphics = first;
                }
            }
            b"Q" => self.text = self.positions.pop().unwrap_or_else(|| self.text.clone()),
            _ => {}
        }
        Outcome::Executed
    }

    /// Whether more states were saved than the maximum.
    pub(super) fn has_unsaved(&self) -> bool {
        self.unsaved > 0
    }

    /// Executes an operation on the graphics state or the path (tables 57, 59 and 61); returns false for others.
    pub(super) fn operation(&mut self, operator: &[u8], operations: &Operations) -> bool {
        let matrix = self.graphics.matrix;
        match (operator, operations.numbers::<2>()) {
            (b"q", _) if self.saved.len() < MAX_SAVED_STATES => self.saved.push(self.graphics.clone()),
            (b"q", _) => self.unsaved += 1,
            (b"Q", _) if self.unsaved > 0 => self.unsaved -= 1,
            (b"Q", _) => self.graphics = self.saved.pop().unwrap_or_else(|| self.graphics.clone()),
            (b"cm", _) => {
                if let Some(numbers) = operations.numbers() {
                    self.graphics.matrix = Matrix(numbers).then(matrix);
                }
            }
            (b"re", _) => {
                if let Some(numbers) = operations.numbers() {
                    self.path.rectangle(numbers, matrix);
                }
            }
            (b"m", Some([x, y])) => self.path.start(x, y, matrix),
            (b"l", Some([x, y])) => self.path.line(x, y, matrix),
            (b"c", _) => {
                if let Some([a, b, c, d, x, y]) = operations.numbers() {
                    self.path.curve([matrix.point(a, b), matrix.point(c, d), matrix.point(x, y)]);
                }
            }
            (b"v", _) => {
                if let Some([c, d, x, y]) = operations.numbers() {
                    self.path.curve([self.path.at(), matrix.point(c, d), matrix.point(x, y)]);
                }
            }
            (b"y", _) => {
                if let Some([a, b, x, y]) = operations.numbers() {
                    self.path.curve([matrix.point(a, b), matrix.point(x, y), matrix.point(x, y)]);
                }
            }
            (b"h", _) => self.path.close(),
            (b"W", _) => self.clips = Some(Rule::NonZero),
            (b"W*", _) => self.clips = Some(Rule::EvenOdd),
            (b"J", _) => {
                if let Some([cap]) = operations.numbers() {
                    self.graphics.line.cap = LineCap::from(cap);
                }
            }
            (b"j", _) => {
                if let Some([join]) = operations.numbers() {
                    self.graphics.line.join = LineJoin::from(join);
                }
            }
            (b"M", _) => {
                if let Some([limit]) = operations.numbers() {
                    self.graphics.line.miter_limit = limit;
                }
            }
            (b"w", _) => {
                if let Some([width]) = operations.numbers() {
                    self.graphics.line.width = width;
                }
            }
            (b"d", _) => {
                let numbers = operations.operands().iter().filter_map(|operand| match operand {
                    Operand::Number(number) => Some(*number),
                    _ => None,
                });
                let numbers: Vec<f64> = numbers.collect();
                self.graphics.line.dashes =
                    numbers.split_last().and_then(|(phase, dashes)| Dashes::read(dashes, *phase));
            }
            _ => return false,
        }
        // viewers apply the matrix in effect when a path is painted (8.5.2.1 permits changes before the path only)
        if self.graphics.matrix != matrix
            && self.path.is_begun()
            && let Some(back) = matrix.inverse()
        {
            self.path.transform(back.then(self.graphics.matrix));
        }
        true
    }

    /// Executes an operation on the text state or position (tables 105, 107 and 108), including that part of a
    /// text-showing operator; returns false for others.
    pub(super) fn text_operation(&mut self, operator: &[u8], operations: &Operations) -> bool {
        let text = &mut self.graphics.text;
        match (operator, operations.numbers::<1>(), operations.numbers::<2>()) {
            (b"BT", ..) => {
                self.text.set(Matrix::IDENTITY);
                self.is_in_text = true;
            }
            (b"ET", ..) => self.is_in_text = false,
            (b"Tc", Some([space]), _) => text.char_space = space,
            (b"Tw", Some([space]), _) => text.word_space = space,
            (b"Tz", Some([scale]), _) => text.scale = scale / 100.0,
            (b"TL", Some([leading]), _) => text.leading = leading,
            (b"Ts", Some([rise]), _) => text.rise = rise,
            (b"Tr", Some([mode]), _) => text.mode = if (0.0..=7.0).contains(&mode) { mode as u8 } else { 0 },
            (b"Td", _, Some([x, y])) => self.text.next_line(x, y),
            (b"TD", _, Some([x, y])) => {
                text.leading = -y;
                self.text.next_line(x, y);
            }
            (b"Tm", ..) => {
                if let Some(numbers) = operations.numbers() {
                    self.text.set(Matrix(numbers));
                }
            }
            (b"T*" | b"'", ..) => self.text.next_line(0.0, -text.leading),
            (b"\"", ..) => {
                if let [Operand::Number(word), Operand::Number(char), ..] = operations.operands() {
                    (text.word_space, text.char_space) = (*word, *char);
                }
                self.text.next_line(0.0, -text.leading);
            }
            _ => return false,
        }
        true
    }
}
