//! The graphics state (8.4), as far as visibility depends on it.

use std::ops::Range;
use std::rc::Rc;

use super::area::{Effect, Outlines};
use super::blend::Blend;
use super::color::Color;
use super::font::Font;
use super::geometry::{Matrix, Rectangle};
use super::paint::Paint;
use super::stroke::LineStyle;
use pdf_syntax::syntax::object::Object;

/// Maximum width of the stroke of a letter that does not reach far beyond it, in font sizes.
const MAX_LETTER_STROKE_EM: f64 = 0.1;
/// Minimum alpha that hides the backdrop.
pub(super) const OPAQUE: f32 = 0.9;

/// The graphics state.
#[derive(Debug, Clone)]
pub(super) struct Graphics {
    /// The current transformation matrix, to page coordinates.
    pub(super) matrix: Matrix,
    /// Bounding box of the current clip.
    pub(super) clip: Rectangle,
    /// Index of the current clip path among the page's clips, and whether that describes the clip exactly.
    pub(super) clip_shape: Option<u32>,
    pub(super) is_clip_exact: bool,
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    pub(super) line: LineStyle,
    /// Blend mode (11.3.5), and the blend mode of the enclosing transparency group (11.6.6).
    pub(super) blend: Blend,
    pub(super) group_blend: Blend,
    /// Area that the soft mask (11.5) lets through, and whether a mask of unknown effect is set.
    pub(super) mask: Option<Rc<Range<u32>>>,
    pub(super) is_masked: bool,
    /// A soft mask that was set before any text was painted; read only when text follows.
    pub(super) unread_mask: Option<Rc<(Object, Matrix, Rectangle)>>,
    /// Alpha of the enclosing groups, and the number of the innermost one that is composited as a unit; 0 if there is
    /// none.
    pub(super) group_alpha: f32,
    pub(super) group: u32,
    pub(super) text: TextState,
}

/// The text state (9.3).
#[derive(Debug, Clone)]
pub(super) struct TextState {
    pub(super) font: Option<Rc<Font>>,
    pub(super) size: f64,
    pub(super) char_space: f64,
    pub(super) word_space: f64,
    /// Operand of `Tz` divided by 100.
    pub(super) scale: f64,
    pub(super) leading: f64,
    pub(super) rise: f64,
    pub(super) mode: u8,
}

impl Graphics {
    /// The initial state of a page or an appearance (table 52).
    pub(super) fn new(matrix: Matrix, clip: Rectangle) -> Self {
        let paint = Paint::new();
        let text = TextState {
            font: None,
            size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
        };
        Self {
            matrix,
            clip,
            clip_shape: None,
            is_clip_exact: true,
            fill: paint.clone(),
            stroke: paint,
            line: LineStyle::default(),
            blend: Blend::Normal,
            group_blend: Blend::Normal,
            mask: None,
            is_masked: false,
            unread_mask: None,
            group_alpha: 1.0,
            group: 0,
            text,
        }
    }

    /// Intersects the clip with a box.
    pub(super) fn clip_to(&mut self, area: Rectangle) {
        // an undefined box does not clip
        if area.is_finite() {
            self.clip = self.clip.clipped(area);
        }
    }

    /// Intersects the clip with outlines; without room for them the clip is unknown.
    pub(super) fn clip_to_shape(&mut self, outline: Option<Range<u32>>, outlines: &mut Outlines) {
        match outline.and_then(|outline| outlines.push_clip(outline, self.clip_shape)) {
            Some(clip) => self.clip_shape = Some(clip),
            None => self.is_clip_exact = false,
        }
    }

    /// Returns the paint of glyphs in the text rendering mode.
    pub(super) fn text_paint(&self) -> &Paint {
        if matches!(self.text.mode, 1 | 5) { &self.stroke } else { &self.fill }
    }

    /// Whether letters are stroked with lines that are thick for their size.
    pub(super) fn has_thick_letters(&self) -> bool {
        matches!(self.text.mode, 1 | 2 | 5 | 6) && self.line.width.abs() > MAX_LETTER_STROKE_EM * self.text.size.abs()
    }

    /// Whether paint of this color and alpha hides the backdrop.
    pub(super) fn hides(&self, color: Color, alpha: f32) -> bool {
        let is_unmixed = self.blend.hides(color) && self.group_blend.hides(color);
        is_unmixed && !self.is_masked && self.is_clip_exact && alpha >= OPAQUE
    }

    /// Returns how paint of this alpha is composited.
    pub(super) fn effect(&self, paint: Option<&Paint>, alpha: f32) -> Effect {
        let is_pattern = paint.is_some_and(|paint| paint.is_pattern);
        if self.is_masked || !self.is_clip_exact || is_pattern {
            return Effect::Unknown;
        }
        Effect::Mixed { blend: self.blend.within(self.group_blend), alpha, group: self.group }
    }

    /// Begins a transparency group: blend mode and alpha apply to the group as a unit.
    pub(super) fn begin_group(&mut self, number: u32) {
        if self.blend != Blend::Normal {
            self.group_blend = self.blend.within(self.group_blend);
            self.group = number;
        }
        self.group_alpha *= self.fill.alpha;
        self.blend = Blend::Normal;
        self.fill.alpha = 1.0;
        self.stroke.alpha = 1.0;
    }
}
