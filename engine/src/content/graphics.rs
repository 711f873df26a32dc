//! The graphics state (8.4): what content is painted with, as far as it matters here.

use std::rc::Rc;

use super::font::Font;
use super::geometry::{Matrix, Rectangle};
use super::paint::Paint;

/// The graphics state.
#[derive(Debug, Clone)]
pub(super) struct Graphics {
    /// From the content's coordinates to those of the page.
    pub(super) matrix: Matrix,
    /// The box around what is painted to.
    pub(super) clip: Rectangle,
    /// Whether all of that box is.
    pub(super) is_clip_exact: bool,
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    /// How wide lines are that are stroked, in units of the content, and whether they are dashed (8.4.3).
    pub(super) line_width: f64,
    pub(super) is_dashed: bool,
    /// Whether what is painted mixes with what lies beneath: by a blend mode, or by a soft mask (11.3.5, 11.5).
    pub(super) is_blended: bool,
    pub(super) is_masked: bool,
    /// The same of the groups that it stands in (11.6.6), and how opaque those are.
    pub(super) is_group_plain: bool,
    pub(super) group_alpha: f32,
    pub(super) text: TextState,
}

/// The text state (9.3).
#[derive(Debug, Clone)]
pub(super) struct TextState {
    pub(super) font: Option<Rc<Font>>,
    pub(super) size: f64,
    pub(super) char_space: f64,
    pub(super) word_space: f64,
    /// 1 where the file says 100.
    pub(super) scale: f64,
    pub(super) leading: f64,
    pub(super) rise: f64,
    pub(super) mode: u8,
}

impl Graphics {
    /// As it is where the content of a page or an appearance begins (table 52).
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
            is_clip_exact: true,
            fill: paint.clone(),
            stroke: paint,
            line_width: 1.0,
            is_dashed: false,
            is_blended: false,
            is_masked: false,
            is_group_plain: true,
            group_alpha: 1.0,
            text,
        }
    }

    /// Paints only to what lies in an area as well; `is_exact` if that is a rectangle.
    pub(super) fn clip_to(&mut self, area: Rectangle, is_exact: bool) {
        // what cannot be told does not clip
        if area.is_finite() {
            self.clip = self.clip.clipped(area);
            self.is_clip_exact &= is_exact;
        }
    }

    /// What glyphs are painted with in the text rendering mode.
    pub(super) fn text_paint(&self) -> &Paint {
        if matches!(self.text.mode, 1 | 5) { &self.stroke } else { &self.fill }
    }

    /// Whether what is painted with this hides what lies beneath.
    pub(super) fn is_opaque(&self, paint: &Paint) -> bool {
        self.is_unmixed() && paint.alpha * self.group_alpha >= 1.0 && !paint.is_pattern
    }

    /// The same of what has colours of its own, alpha aside.
    pub(super) fn is_unmixed(&self) -> bool {
        !self.is_blended && !self.is_masked && self.is_group_plain && self.is_clip_exact
    }

    /// Begins a transparency group: what has been set goes for the group as a whole.
    pub(super) fn begin_group(&mut self) {
        self.is_group_plain &= !self.is_blended && !self.is_masked;
        self.group_alpha *= self.fill.alpha;
        (self.is_blended, self.is_masked) = (false, false);
        self.fill.alpha = 1.0;
        self.stroke.alpha = 1.0;
    }
}
