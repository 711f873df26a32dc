//! Filled areas with their boxes, and the outlines of those that are not axis-aligned rectangles.

use std::ops::Range;

use super::blend::Blend;
use super::color::Color;
use super::geometry::Rectangle;
use super::layer::Layer;

/// Maximum distance of shapes that are merged into one, in points.
const MERGE_MAX_DISTANCE_PT: f64 = 3.0;
/// Maximum outline points and paths of a page; beyond, only the box is known.
const MAX_POINTS: usize = 1 << 19;
const MAX_PATHS: usize = 1 << 17;
/// Maximum clips of a page; what further clips contain is not known to hide anything.
const MAX_CLIPS: usize = 1 << 16;

/// The kind of paint that fills an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaKind {
    /// An axis-aligned rectangle, one of a few disjoint ones of a path, or a thick straight line.
    Rectangle,
    /// One or several consecutive filled paths that do not fill their bounding box.
    Shape,
    /// One or several stroked paths.
    Stroke,
    /// A block character, such as █.
    Block,
    /// A stencil mask (8.9.6.2).
    Stencil,
    /// An image.
    Image,
    /// A shading (8.7.4.2).
    Shading,
}

impl AreaKind {
    /// Whether it is an image or a shading, without a single fill color.
    pub fn is_picture(self) -> bool {
        matches!(self, Self::Image | Self::Shading)
    }
}

/// How an area is composited with its backdrop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    /// Blended with a mode and an alpha. Areas of one transparency group share its number; 0 is no group.
    Mixed { blend: Blend, alpha: f32, group: u32 },
    /// Unknown: it may hide the backdrop.
    Unknown,
}

impl Effect {
    /// The effect of fully transparent paint.
    pub(super) const CLEAR: Self = Self::Mixed { blend: Blend::Normal, alpha: 0.0, group: 0 };
}

/// A filled area.
#[derive(Debug, Clone)]
pub struct Area {
    /// How it is filled.
    pub kind: AreaKind,
    /// Its bounding box inside its clip, in points, rounded to 0.01.
    pub bounds: Rectangle,
    /// Red, green and blue of its fill; none for patterns, several colors, and colors that need a profile.
    pub color: Option<[u8; 3]>,
    /// Whether it hides the backdrop in its complete box: (nearly) opaque, a blend mode that replaces the backdrop, no
    /// mask, the box completely filled.
    pub is_opaque: bool,
    /// As `is_opaque`, but the box may be filled only in part.
    pub is_solid: bool,
    /// Whether it belongs to optional content that is off.
    pub is_off: bool,
    /// Object number of the annotation whose appearance it is part of; none for page content.
    pub annotation: Option<u32>,
    /// The object number of the image; none for other areas and inline images.
    pub object: Option<u32>,
    /// Its position in the painting order of runs and areas.
    pub order: u32,
    /// Its effect on the backdrop.
    pub effect: Effect,
    /// Its range among the page's outlines; empty if the outline is the box.
    pub(super) outline: Range<u32>,
    /// Index of its clip path among the page's clips, if the clip is more than the box.
    pub(super) clip: Option<u32>,
}

impl Area {
    /// Its alpha, if it is mixed with its backdrop without a blend mode; none otherwise.
    pub fn opacity(&self) -> Option<f32> {
        match self.effect {
            Effect::Mixed { blend: Blend::Normal, alpha, .. } => Some(alpha),
            _ => None,
        }
    }

    /// Its color over white paper, unless its blend mode makes it darker still; none if it is unknown.
    pub fn color_on_paper(&self) -> Option<[u8; 3]> {
        let Effect::Mixed { alpha, .. } = self.effect else { return self.color };
        let mixed = |part: u8| (f32::from(u8::MAX) - alpha * f32::from(u8::MAX - part)) as u8;
        self.color.map(|color| color.map(mixed))
    }

    /// Whether it may have words that are not read: samples, a pattern, or what a mask or a clip lets through.
    pub fn is_unread(&self) -> bool {
        self.is_sampled() || self.is_clipped() || self.effect == Effect::Unknown
    }

    /// Whether it is an image, a stencil mask or a shading.
    pub fn is_sampled(&self) -> bool {
        self.kind.is_picture() || self.kind == AreaKind::Stencil
    }

    /// Whether its clip is not a box.
    pub(crate) fn is_clipped(&self) -> bool {
        self.clip.is_some()
    }
}

/// Color, transparency and clip of an operation that paints.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaintStyle {
    pub(super) color: Color,
    pub(super) alpha: f32,
    /// The clip's box, and the index of the clip path if there is one.
    pub(super) clip: Rectangle,
    pub(super) clip_shape: Option<u32>,
    /// Whether it hides the backdrop wherever it paints.
    pub(super) is_solid: bool,
    pub(super) effect: Effect,
    pub(super) layer: Layer,
    pub(super) annotation: Option<u32>,
    pub(super) object: Option<u32>,
}

/// How an outline is painted: filled by a winding rule, or stroked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// Nonzero winding number rule (8.5.3.3.2).
    NonZero,
    /// Even-odd rule (8.5.3.3.3).
    EvenOdd,
    /// Stroked with this width, in points (8.5.3.2), with or without projecting caps.
    Stroke { width: f32, has_caps: bool },
}

/// Outlines of areas and clips as polygons, curves flattened. Ranges of paths identify them.
#[derive(Debug, Clone, Default)]
pub(super) struct Outlines {
    paths: Vec<PaintedPath>,
    /// Coordinates in points of the page; NaN separates the subpaths of a path.
    points: Vec<[f32; 2]>,
    /// Clip paths, each with the index of the enclosing one.
    clips: Vec<(Range<u32>, Option<u32>)>,
}

/// A filled or stroked path.
#[derive(Debug, Clone)]
struct PaintedPath {
    rule: Rule,
    /// Bounding box of its points, as `bounds` of an area; not rounded.
    bounds: [f32; 4],
    points: Range<u32>,
}

impl Outlines {
    /// Adds a path of subpaths and returns its range; none if there is no room.
    pub(super) fn push<'o>(
        &mut self,
        rule: Rule,
        outlines: impl Iterator<Item = &'o [[f32; 2]]>,
    ) -> Option<Range<u32>> {
        let start = self.points.len();
        for outline in outlines {
            if self.points.len() + outline.len() >= MAX_POINTS || self.paths.len() >= MAX_PATHS {
                self.points.truncate(start);
                return None;
            }
            if self.points.len() > start {
                self.points.push([f32::NAN; 2]);
            }
            self.points.extend(outline);
        }
        let place = self.paths.len() as u32;
        if self.points.len() == start {
            return Some(place..place);
        }
        // NaN compares as neither
        let around = |[left, bottom, right, top]: [f32; 4], [x, y]: &[f32; 2]| {
            [left.min(*x), bottom.min(*y), right.max(*x), top.max(*y)]
        };
        let nowhere = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let bounds = self.points.iter().skip(start).fold(nowhere, around);
        self.paths.push(PaintedPath { rule, bounds, points: start as u32..self.points.len() as u32 });
        Some(place..place + 1)
    }

    /// Removes all paths and clips.
    pub(super) fn clear(&mut self) {
        self.paths.clear();
        self.points.clear();
        self.clips.clear();
    }

    /// Adds a path with a single subpath.
    pub(super) fn push_quad(&mut self, quad: [[f32; 2]; 5]) -> Option<Range<u32>> {
        self.push(Rule::NonZero, std::iter::once(&quad[..]))
    }

    /// Adds a clip inside another one; none if there is no room.
    pub(super) fn push_clip(&mut self, outline: Range<u32>, within: Option<u32>) -> Option<u32> {
        (self.clips.len() < MAX_CLIPS).then(|| {
            self.clips.push((outline, within));
            (self.clips.len() - 1) as u32
        })
    }

    /// Copies a range of paths from another collection.
    pub(super) fn copy(&mut self, others: &Self, range: &Range<u32>) -> Option<Range<u32>> {
        let start = self.paths.len() as u32;
        for (rule, _, points) in others.paths(range) {
            self.push(rule, std::iter::once(points))?;
        }
        Some(start..self.paths.len() as u32)
    }

    /// Returns a clip's outlines and the index of the enclosing clip.
    pub(super) fn clip(&self, place: u32) -> Option<(&Range<u32>, Option<u32>)> {
        self.clips.get(place as usize).map(|(outline, within)| (outline, *within))
    }

    /// Returns the rule, box and points of each path in a range.
    pub(super) fn paths(&self, range: &Range<u32>) -> impl Iterator<Item = (Rule, Rectangle, &[[f32; 2]])> {
        let paths = self.paths.get(range.start as usize..range.end as usize).unwrap_or_default();
        paths.iter().map(|path| {
            let points = path.points.start as usize..path.points.end as usize;
            (path.rule, path.bounds.map(f64::from).into(), self.points.get(points).unwrap_or_default())
        })
    }

    /// Returns the number of points in a range of paths, which are contiguous.
    pub(super) fn count(&self, range: &Range<u32>) -> usize {
        let paths = self.paths.get(range.start as usize..range.end as usize).unwrap_or_default();
        paths.first().zip(paths.last()).map_or(0, |(first, last)| (last.points.end - first.points.start) as usize)
    }
}

/// Whether two boxes touch, within `MERGE_MAX_DISTANCE_PT`.
pub(super) fn are_beside(one: Rectangle, other: Rectangle) -> bool {
    let is_near = |start: f64, end: f64| start <= end + MERGE_MAX_DISTANCE_PT;
    let is_in_row = is_near(one.left, other.right) && is_near(other.left, one.right);
    is_in_row && is_near(one.bottom, other.top) && is_near(other.bottom, one.top)
}
