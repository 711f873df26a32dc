//! What is filled: areas with their boxes, and the outlines of those that are no rectangles along the sides of the page.

use std::ops::Range;

use super::color::Color;
use super::geometry::Rectangle;

/// How far shapes may be apart that are one, in points.
const BESIDE: f64 = 3.0;
/// Points of outlines that a page may have; of what has more only the box is known.
const POINTS: usize = 1 << 19;
/// Clips that a page may have; what is clipped by more is not known to hide anything.
const CLIPS: usize = 1 << 16;

/// What says that a path is filled by the even-odd rule.
const EVEN_ODD: f32 = -1.0;

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

/// Something filled.
#[derive(Debug, Clone)]
pub struct Area {
    /// What fills it.
    pub kind: AreaKind,
    /// `[left, bottom, right, top]`, in points, rounded to 0.01; within its clip.
    pub bounds: [f64; 4],
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
    /// Where its outlines stand among the page's; none, if that is the box.
    pub(super) outline: Range<u32>,
    /// What it is clipped to besides the box, by its place among the page's clips.
    pub(super) clip: Option<u32>,
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

/// The outlines of areas and of clips, as polygons: curves are flattened.
#[derive(Debug, Clone, Default)]
pub(super) struct Outlines {
    /// Points in points of the page. What is not a number begins a path (then the second says its rule: 0, or -1 for
    /// even-odd, the width of a stroke, or that below -1 if it reaches beyond its ends) or, within a path, a further outline
    /// (then neither is a number).
    points: Vec<[f32; 2]>,
    /// Paths that are painted to, each with the place of the one around it.
    clips: Vec<(Range<u32>, Option<u32>)>,
}

impl Outlines {
    /// Adds a path, by its outlines: where it stands; none if there is no room for it.
    pub(super) fn push<'o>(
        &mut self,
        rule: Rule,
        outlines: impl Iterator<Item = &'o [[f32; 2]]>,
    ) -> Option<Range<u32>> {
        let start = self.points.len();
        let tag = match rule {
            Rule::NonZero => 0.0,
            Rule::EvenOdd => EVEN_ODD,
            Rule::Stroke { width, has_caps: false } => width.max(f32::MIN_POSITIVE),
            Rule::Stroke { width, has_caps: true } => EVEN_ODD - width,
        };
        for outline in outlines {
            let tag = if self.points.len() == start { tag } else { f32::NAN };
            if self.points.len() + outline.len() >= POINTS {
                self.points.truncate(start);
                return None;
            }
            self.points.push([f32::NAN, tag]);
            self.points.extend(outline);
        }
        Some(start as u32..self.points.len() as u32)
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
        let points = others.points.get(range.start as usize..range.end as usize)?;
        let start = self.points.len() as u32;
        (self.points.len() + points.len() < POINTS).then(|| {
            self.points.extend(points);
            start..self.points.len() as u32
        })
    }

    /// A clip: its outlines, and the place of the one around it.
    pub(super) fn clip(&self, place: u32) -> Option<(&Range<u32>, Option<u32>)> {
        self.clips.get(place as usize).map(|(outline, within)| (outline, *within))
    }

    /// The paths in one place: the rule of each, and its outlines.
    pub(super) fn paths(&self, range: &Range<u32>) -> impl Iterator<Item = (Rule, &[[f32; 2]])> {
        let mut rest = self.points.get(range.start as usize..range.end as usize).unwrap_or_default();
        std::iter::from_fn(move || {
            let ([_, tag], behind) = rest.split_first()?;
            let is_start = |point: &[f32; 2]| point[0].is_nan() && !point[1].is_nan();
            let length = behind.iter().position(is_start).unwrap_or(behind.len());
            let (path, others) = behind.split_at_checked(length)?;
            rest = others;
            let rule = match *tag {
                0.0 => Rule::NonZero,
                EVEN_ODD => Rule::EvenOdd,
                tag if tag > 0.0 => Rule::Stroke { width: tag, has_caps: false },
                tag => Rule::Stroke { width: EVEN_ODD - tag, has_caps: true },
            };
            Some((rule, path))
        })
    }
}

/// Whether two boxes meet or stand close to each other.
pub(super) fn are_beside([left, bottom, right, top]: [f64; 4], other: [f64; 4]) -> bool {
    let [other_left, other_bottom, other_right, other_top] = other;
    let is_near = |start: f64, end: f64| start <= end + BESIDE;
    is_near(left, other_right) && is_near(other_left, right) && is_near(bottom, other_top) && is_near(other_bottom, top)
}
