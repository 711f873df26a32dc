//! The graphics state (8.4): what content is painted with, as far as it matters here.

use std::ops::Range;
use std::rc::Rc;

use super::area::Outlines;
use super::color::Color;
use super::font::Font;
use super::geometry::{Matrix, Rectangle};
use super::paint::Paint;

/// How opaque must be at least what hides what lies beneath.
const OPAQUE: f32 = 0.9;
/// The least of each part of a colour that is white to the eye, and the most of one that is black.
const WHITE: u8 = 235;
const BLACK: u8 = 40;

/// What a blend mode (11.3.5) leaves to be seen of what lies beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blend {
    /// Nothing.
    Normal,
    /// Nothing under black, nothing under white, or under either.
    Darker,
    Lighter,
    Either,
    /// Something, or that cannot be told.
    Other,
}

impl Blend {
    /// By the name of the mode; none if there is no such mode.
    pub(super) fn named(mode: &[u8]) -> Option<Self> {
        Some(match mode {
            b"Normal" | b"Compatible" => Self::Normal,
            b"Multiply" | b"Darken" | b"ColorBurn" => Self::Darker,
            b"Screen" | b"Lighten" | b"ColorDodge" => Self::Lighter,
            b"HardLight" | b"Luminosity" => Self::Either,
            b"Overlay" | b"SoftLight" | b"Difference" | b"Exclusion" | b"Hue" | b"Saturation" | b"Color" => Self::Other,
            _ => return None,
        })
    }

    /// Whether nothing is left under this colour.
    fn hides(self, color: Color) -> bool {
        let is_all = |is: fn(&u8) -> bool| color.is_some_and(|color| color.iter().all(is));
        let (is_white, is_black) = (is_all(|part| *part >= WHITE), is_all(|part| *part <= BLACK));
        match self {
            Self::Normal => true,
            Self::Darker => is_black,
            Self::Lighter => is_white,
            Self::Either => is_white || is_black,
            Self::Other => false,
        }
    }
}

/// How long a line may be without a gap whose first dash, if it has any, is this long and begun so far within (8.4.3.6).
pub(super) fn without_gap(first: Option<f64>, phase: f64) -> f64 {
    first.map_or(f64::INFINITY, |first| (first - phase).max(0.0))
}

/// The graphics state.
#[derive(Debug, Clone)]
pub(super) struct Graphics {
    /// From the content's coordinates to those of the page.
    pub(super) matrix: Matrix,
    /// The box around what is painted to.
    pub(super) clip: Rectangle,
    /// What there is to it besides, by its place among the page's clips; and whether that is all.
    pub(super) clip_shape: Option<u32>,
    pub(super) is_clip_exact: bool,
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    /// How wide lines are that are stroked, in units of the content, whether they reach beyond their ends, and how long they
    /// may be without a gap (8.4.3).
    pub(super) line_width: f64,
    pub(super) has_caps: bool,
    pub(super) dash: f64,
    /// How what is painted mixes with what lies beneath (11.3.5), and that of the group that it stands in (11.6.6).
    pub(super) blend: Blend,
    pub(super) group_blend: Blend,
    /// Where it is painted through a soft mask (11.5), and whether it is through one of which that cannot be told.
    pub(super) mask: Option<Rc<Range<u32>>>,
    pub(super) is_masked: bool,
    /// How opaque the groups are that it stands in.
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
            clip_shape: None,
            is_clip_exact: true,
            fill: paint.clone(),
            stroke: paint,
            line_width: 1.0,
            has_caps: false,
            dash: f64::INFINITY,
            blend: Blend::Normal,
            group_blend: Blend::Normal,
            mask: None,
            is_masked: false,
            group_alpha: 1.0,
            text,
        }
    }

    /// Paints only to what lies in a box as well.
    pub(super) fn clip_to(&mut self, area: Rectangle) {
        // what cannot be told does not clip
        if area.is_finite() {
            self.clip = self.clip.clipped(area);
        }
    }

    /// Clips to these outlines as well; where there is no room for them, it is not known to what.
    pub(super) fn clip_to_shape(&mut self, outline: Option<Range<u32>>, outlines: &mut Outlines) {
        match outline.and_then(|outline| outlines.push_clip(outline, self.clip_shape)) {
            Some(clip) => self.clip_shape = Some(clip),
            None => self.is_clip_exact = false,
        }
    }

    /// What glyphs are painted with in the text rendering mode.
    pub(super) fn text_paint(&self) -> &Paint {
        if matches!(self.text.mode, 1 | 5) { &self.stroke } else { &self.fill }
    }

    /// Whether what is painted in this colour, and as opaque, hides what lies beneath.
    pub(super) fn hides(&self, color: Color, alpha: f32) -> bool {
        let is_unmixed = self.blend.hides(color) && self.group_blend.hides(color);
        is_unmixed && !self.is_masked && self.is_clip_exact && alpha >= OPAQUE
    }

    /// Begins a transparency group: what has been set goes for the group as a whole.
    pub(super) fn begin_group(&mut self) {
        if self.blend != Blend::Normal {
            let is_first = matches!(self.group_blend, Blend::Normal) || self.group_blend == self.blend;
            self.group_blend = if is_first { self.blend } else { Blend::Other };
        }
        self.group_alpha *= self.fill.alpha;
        self.blend = Blend::Normal;
        self.fill.alpha = 1.0;
        self.stroke.alpha = 1.0;
    }
}
