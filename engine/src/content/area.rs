//! What is filled: areas with their boxes, and the outlines of those that are no rectangles along the sides of the page.

use std::ops::Range;

use super::blend::Blend;
use super::color::Color;
use super::geometry::Rectangle;

/// How far shapes may be apart that are one, in points.
const BESIDE: f64 = 3.0;
/// Points of outlines that a page may have, and paths; of what has more only the box is known.
const POINTS: usize = 1 << 19;
const PATHS: usize = 1 << 17;
/// Clips that a page may have; what is clipped by more is not known to hide anything.
const CLIPS: usize = 1 << 16;

/// What kind of thing fills an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaKind {
    /// A path whose outline is a rectangle, or one of a few that are apart; or a straight line as wide as that.
    Rectangle,
    /// Other paths, one or several that were filled one after the other, of which not all of the box is filled.
    Shape,
    /// Lines that are stroked, one or several.
    Stroke,
    /// A character that is a block, as █.
    Block,
    /// An image.
    Image,
    /// A shading (8.7.4.2).
    Shading,
}

impl AreaKind {
    /// Whether it is painted in colours of its own.
    pub(super) fn is_picture(self) -> bool {
        matches!(self, Self::Image | Self::Shading)
    }
}

/// What an area does to what lies beneath.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Effect {
    /// Its color is mixed with that, by a blend mode, as opaque as this. Areas of the same group are mixed as one; 0 is none.
    Mixed { blend: Blend, alpha: f32, group: u32 },
    /// Not known: it may hide that.
    Unknown,
}

impl Effect {
    /// That of what lets all beneath be seen.
    pub(super) const CLEAR: Self = Self::Mixed { blend: Blend::Normal, alpha: 0.0, group: 0 };
}

/// Something filled.
#[derive(Debug, Clone)]
pub struct Area {
    /// What fills it.
    pub kind: AreaKind,
    /// Its box, in points, rounded to 0.01; within its clip.
    pub bounds: Rectangle,
    /// Red, green and blue of what is filled; none for patterns, and for what has several or only a profile would tell.
    pub color: Option<[u8; 3]>,
    /// Whether nothing beneath shines through: (nearly) no transparency, no blend mode that keeps it, no mask, all of the
    /// box filled.
    pub is_opaque: bool,
    /// The same, but for that perhaps not all of the box is filled.
    pub is_solid: bool,
    /// Whether it belongs to optional content that is off.
    pub is_off: bool,
    /// The number of the annotation to whose appearance it belongs; none if it is the page's own.
    pub annotation: Option<u32>,
    /// The number of the image; none of what is none, or stands in the content itself.
    pub object: Option<u32>,
    /// Its place in the painting order of runs and areas.
    pub order: u32,
    pub(crate) effect: Effect,
    /// Where its outlines stand among the page's; none, if that is the box.
    pub(super) outline: Range<u32>,
    /// What it is clipped to besides the box, by its place among the page's clips.
    pub(super) clip: Option<u32>,
}

impl Area {
    /// Whether it is painted through a clip that is no box.
    pub(crate) fn is_clipped(&self) -> bool {
        self.clip.is_some()
    }
}

/// How things are painted that look alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaintStyle {
    pub(super) color: Color,
    pub(super) alpha: f32,
    /// The box that is painted to, and what there is to it besides, by its place among the page's clips.
    pub(super) clip: Rectangle,
    pub(super) clip_shape: Option<u32>,
    /// Whether nothing beneath shines through where it paints.
    pub(super) is_solid: bool,
    pub(super) effect: Effect,
    pub(super) is_off: bool,
    pub(super) annotation: Option<u32>,
    pub(super) object: Option<u32>,
}

/// What outlines enclose, or how wide they are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// All that they go around more often one way than the other (8.5.3.3.2).
    NonZero,
    /// All that they go around an odd number of times (8.5.3.3.3).
    EvenOdd,
    /// Lines of this width, in points (8.5.3.2), and whether they reach half of it beyond their ends.
    Stroke { width: f32, has_caps: bool },
}

/// The outlines of areas and of clips, as polygons: curves are flattened. They are named by ranges of paths.
#[derive(Debug, Clone, Default)]
pub(super) struct Outlines {
    paths: Vec<PaintedPath>,
    /// Points in points of the page; between two outlines of one path stands what is not a number.
    points: Vec<[f32; 2]>,
    /// Paths that are painted to, each with the place of the one around it.
    clips: Vec<(Range<u32>, Option<u32>)>,
}

/// A path that encloses something, or is drawn along.
#[derive(Debug, Clone)]
struct PaintedPath {
    rule: Rule,
    /// The box around its points, as `bounds` of an area; not rounded.
    bounds: [f32; 4],
    points: Range<u32>,
}

impl Outlines {
    /// Adds a path, by its outlines: where it stands; none if there is no room for it.
    pub(super) fn push<'o>(
        &mut self,
        rule: Rule,
        outlines: impl Iterator<Item = &'o [[f32; 2]]>,
    ) -> Option<Range<u32>> {
        let start = self.points.len();
        for outline in outlines {
            if self.points.len() + outline.len() >= POINTS || self.paths.len() >= PATHS {
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
        // what is not a number is no place
        let around = |[left, bottom, right, top]: [f32; 4], [x, y]: &[f32; 2]| {
            [left.min(*x), bottom.min(*y), right.max(*x), top.max(*y)]
        };
        let nowhere = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let bounds = self.points.iter().skip(start).fold(nowhere, around);
        self.paths.push(PaintedPath { rule, bounds, points: start as u32..self.points.len() as u32 });
        Some(place..place + 1)
    }

    /// Leaves nothing.
    pub(super) fn clear(&mut self) {
        self.paths.clear();
        self.points.clear();
        self.clips.clear();
    }

    /// Adds a path that is one outline.
    pub(super) fn push_quad(&mut self, quad: [[f32; 2]; 5]) -> Option<Range<u32>> {
        self.push(Rule::NonZero, std::iter::once(&quad[..]))
    }

    /// Adds a clip within another one; none if there is no room for it.
    pub(super) fn push_clip(&mut self, outline: Range<u32>, within: Option<u32>) -> Option<u32> {
        (self.clips.len() < CLIPS).then(|| {
            self.clips.push((outline, within));
            (self.clips.len() - 1) as u32
        })
    }

    /// Adds what stands in one place of others.
    pub(super) fn copy(&mut self, others: &Self, range: &Range<u32>) -> Option<Range<u32>> {
        let start = self.paths.len() as u32;
        for (rule, _, points) in others.paths(range) {
            self.push(rule, std::iter::once(points))?;
        }
        Some(start..self.paths.len() as u32)
    }

    /// A clip: its outlines, and the place of the one around it.
    pub(super) fn clip(&self, place: u32) -> Option<(&Range<u32>, Option<u32>)> {
        self.clips.get(place as usize).map(|(outline, within)| (outline, *within))
    }

    /// The paths in one place: the rule of each, the box around it, and its outlines.
    pub(super) fn paths(&self, range: &Range<u32>) -> impl Iterator<Item = (Rule, Rectangle, &[[f32; 2]])> {
        let paths = self.paths.get(range.start as usize..range.end as usize).unwrap_or_default();
        paths.iter().map(|path| {
            let points = path.points.start as usize..path.points.end as usize;
            (path.rule, path.bounds.map(f64::from).into(), self.points.get(points).unwrap_or_default())
        })
    }

    /// How many points the paths in one place have, which stand one after the other.
    pub(super) fn count(&self, range: &Range<u32>) -> usize {
        let paths = self.paths.get(range.start as usize..range.end as usize).unwrap_or_default();
        paths.first().zip(paths.last()).map_or(0, |(first, last)| (last.points.end - first.points.start) as usize)
    }
}

/// Whether two boxes meet or stand close to each other.
pub(super) fn are_beside(one: Rectangle, other: Rectangle) -> bool {
    let is_near = |start: f64, end: f64| start <= end + BESIDE;
    let is_in_row = is_near(one.left, other.right) && is_near(other.left, one.right);
    is_in_row && is_near(one.bottom, other.top) && is_near(other.bottom, one.top)
}
