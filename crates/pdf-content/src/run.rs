//! Runs: the text that one operator shows on one baseline.

use std::cmp::Ordering;
use std::ops::Range;

use super::area::Effect;
use super::blend::{contrast, parts};
use super::geometry::Rectangle;

/// Sentinel range for undecodable text.
pub(super) const UNDECODABLE: Range<u32> = u32::MAX..u32::MAX;

/// Multiplier of the checksum over codes.
pub(super) const CODE_HASH_PRIME: u32 = 16_777_619;

/// Minimum width at which letters are legible.
const MIN_LEGIBLE_WIDTH_EM: f64 = 0.1;
/// Maximum contrast of invisible text, from 0 to 1.
const MAX_INVISIBLE_CONTRAST: f32 = 6.0 / 255.0;
/// Maximum contrast of text that is hardly legible, from 0 to 1.
const MAX_PALE_CONTRAST: f32 = 30.0 / 255.0;

/// Maximum difference of the width and height of undistorted letters, in font sizes.
const MAX_DISTORTION: f64 = 0.1;

/// Maximum distance of a run's baseline from its line's.
const BASELINE_TOLERANCE_EM: f64 = 0.1;

/// Text without blanks that is shown by one operator, in one font, size, color and baseline.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its range in the page's text.
    pub(super) text: Range<u32>,
    /// Its range among the page's glyphs.
    pub(super) glyphs: Range<u32>,
    /// Number of codes that could not be decoded; each is U+FFFD in the text.
    pub undecoded: u32,
    /// Checksum of these codes, which distinguishes such texts.
    pub(super) codes: u32,
    /// Bounding box in points, rounded to 0.01.
    pub bounds: Rectangle,
    /// Index of its font among the page's fonts.
    pub font: u16,
    /// Font size in points on the page.
    pub size: f64,
    /// Red, green and blue of its paint; none for patterns and colors that need a profile.
    pub color: Option<[u8; 3]>,
    /// Alpha, from 0 to 1.
    pub alpha: f32,
    /// The text rendering mode (9.3.6): 3 and 7 paint nothing.
    pub mode: u8,
    /// Bounding box of its clip, as `bounds`.
    pub clip: Rectangle,
    /// Whether it belongs to optional content that is off (8.11).
    pub is_off: bool,
    /// Whether it belongs to optional content at all.
    pub is_optional: bool,
    /// Whether its text is `/ActualText` (14.9.4) instead of decoded glyphs.
    pub is_actual: bool,
    /// Object number of the annotation whose appearance it is part of; none for page content.
    pub annotation: Option<u32>,
    /// Its position in the painting order of runs and areas.
    pub order: u32,
    /// How its color is composited with the backdrop.
    pub effect: Effect,
    /// Stroke width of its letters, in points; 0 if not stroked.
    pub stroke: f32,
    /// Text rise (9.3.7), in points.
    pub(crate) rise: f32,
    /// Whether its letters are filled and stroked in different colors.
    pub(crate) has_outline: bool,
    /// Whether its glyphs are content streams (9.6.5), which may paint anything.
    pub is_type3: bool,
    /// Index of its clip path among the page's clips, if the clip is more than the box.
    pub(super) clip_shape: Option<u32>,
    pub(super) line: Baseline,
    /// Distance of its start from the origin of its glyph positions: 0, except for a piece of a run.
    pub(super) skipped: f32,
    /// Whether blanks precede or follow it.
    pub(super) after_blank: bool,
    pub(super) before_blank: bool,
}

impl Run {
    /// Returns the number of undecoded codes and their checksum.
    pub fn unread(&self) -> (u32, u32) {
        (self.undecoded, self.codes)
    }

    /// Whether its paint is known, as opposed to text in an unknown mask, clip or pattern.
    pub fn is_known(&self) -> bool {
        self.effect != Effect::Unknown
    }

    /// Whether it contains a glyph of `run`, whose piece it may be.
    pub(crate) fn has_glyph(&self, run: &Self, glyph: usize) -> bool {
        self.glyphs.contains(&(run.glyphs.start + glyph as u32))
    }

    /// Whether both are clipped by the same path.
    pub(crate) fn has_same_clip(&self, other: &Self) -> bool {
        (self.clip, self.clip_shape) == (other.clip, other.clip_shape)
    }

    /// Returns its baseline key without the text rise.
    pub(crate) fn unraised_level(&self) -> BaselineKey {
        let level = self.level();
        BaselineKey { off: level.off - f64::from(self.rise), ..level }
    }

    /// Whether horizontal scaling makes it illegible.
    pub(crate) fn is_scaled_to_nothing(&self) -> bool {
        self.line.em <= MIN_LEGIBLE_WIDTH_EM * self.size
    }

    /// Whether it has no perceptible contrast to a background.
    pub(crate) fn is_invisible_on(&self, background: [u8; 3]) -> bool {
        self.contrast_on(background).is_some_and(|contrast| contrast <= MAX_INVISIBLE_CONTRAST)
    }

    /// Whether it is hardly legible on a background.
    pub(crate) fn is_pale_on(&self, background: [u8; 3]) -> bool {
        self.contrast_on(background).is_some_and(|contrast| contrast <= MAX_PALE_CONTRAST)
    }

    /// Returns its contrast to a background, from 0 to 1; none if its color is unknown.
    fn contrast_on(&self, background: [u8; 3]) -> Option<f32> {
        let (Some(color), Effect::Mixed { blend, alpha, .. }) = (self.color.map(parts), self.effect) else {
            return None;
        };
        let background = parts(background);
        Some(contrast(blend.composite(background, color, alpha)?, background))
    }

    /// Whether it runs from the left to the right, in letters that are as wide as high: neither sheared nor stretched.
    pub fn is_undistorted(&self) -> bool {
        self.level().angle == 0 && (self.line.em - self.size).abs() <= MAX_DISTORTION * self.size
    }

    /// Returns the key of its baseline.
    pub fn level(&self) -> BaselineKey {
        let (across, up) = self.line.direction;
        let angle = if up == 0.0 && across > 0.0 { 0 } else { up.atan2(across).to_degrees().round() as i32 };
        let (x, y) = self.line.start;
        BaselineKey { angle, off: y * across - x * up }
    }

    /// Returns the distance of another run along this one's baseline, negative if they overlap, and whether that comes
    /// after it.
    pub fn gap_along(&self, other: &Self) -> (f64, bool) {
        let place = |(x, y)| self.line.measure((x, y)).0;
        let (start, end) = (place(self.line.start), place(self.line.end));
        let (other_start, other_end) = (place(other.line.start), place(other.line.end));
        let (low, high) = (other_start.min(other_end), other_start.max(other_end));
        let (before, behind) = (start.min(end) - high, low - start.max(end));
        (before.max(behind), behind > before)
    }

    /// Returns the box around a rectangle in the coordinates of this run: along its baseline and above it.
    pub fn turned(&self, Rectangle { left, bottom, right, top }: Rectangle) -> Rectangle {
        let corners = [(left, bottom), (right, bottom), (right, top), (left, top)];
        Rectangle::around(corners.map(|corner| self.line.measure(corner)))
    }

    /// Returns its box in its own coordinates.
    pub fn own_bounds(&self) -> Rectangle {
        let (end, (low, high)) = (self.line.measure(self.line.end).0, self.line.reach);
        Rectangle::around([(0.0, low), (end, high)])
    }

    /// Makes its text undecodable.
    pub(super) fn mark_indeterminate(&mut self) {
        (self.text, self.undecoded) = (UNDECODABLE, 1);
    }

    /// Moves it onto a nearby baseline.
    pub(crate) fn snap_to_baseline(&mut self, level: BaselineKey) {
        let (across, up) = self.line.direction;
        let off = level.off - self.level().off;
        for (x, y) in [&mut self.line.start, &mut self.line.end] {
            (*x, *y) = (*x - off * up, *y + off * across);
        }
    }
}

/// Direction and offset of a baseline: the key that groups runs into lines.
#[derive(Debug, Clone, Copy)]
pub struct BaselineKey {
    /// Direction in whole degrees.
    angle: i32,
    /// Distance from the page's corner, in points.
    off: f64,
}

impl BaselineKey {
    /// Whether it runs from left to right.
    pub fn is_upright(self) -> bool {
        self.angle == 0
    }

    /// Whether both have the same direction.
    pub(super) fn is_along(self, other: Self) -> bool {
        self.angle == other.angle
    }

    /// Whether both have the same direction and are at most `far` apart.
    pub fn is_near(self, other: Self, far: f64) -> bool {
        self.is_along(other) && (self.off - other.off).abs() <= far
    }

    /// Whether it sorts before all baselines within `far` of another one.
    pub fn is_below(self, other: Self, far: f64) -> bool {
        self.angle < other.angle || (self.angle == other.angle && self.off < other.off - far)
    }

    /// Compares by direction, then from the lowest up.
    pub fn order(self, other: Self) -> Ordering {
        self.angle.cmp(&other.angle).then(self.off.total_cmp(&other.off))
    }
}

/// A glyph of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph {
    /// Start and end along the run's baseline, in points from its start.
    pub start: f32,
    pub end: f32,
    /// End of its characters in the page's text.
    pub(super) text: u32,
    /// Its character code.
    pub code: u32,
}

/// The baseline of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Baseline {
    /// Start of the first glyph and end of the last one.
    pub(super) start: (f64, f64),
    pub(super) end: (f64, f64),
    /// Unit vector.
    pub(super) direction: (f64, f64),
    /// Font size along the baseline.
    pub(super) em: f64,
    /// Descent and ascent, in points; swapped where text is mirrored.
    pub(super) reach: (f64, f64),
    /// Bottom and top of the band in which all letters have ink: from the baseline to nearly the height of capitals.
    pub(super) ink: (f64, f64),
}

impl Baseline {
    /// Returns a point's position along the baseline and its distance from it.
    pub(super) fn measure(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = (point.0 - self.start.0, point.1 - self.start.1);
        let (across, up) = self.direction;
        (x * across + y * up, y * across - x * up)
    }

    /// Returns the point at a position along the baseline and a distance from it.
    pub(super) fn point(&self, along: f64, off: f64) -> (f64, f64) {
        let (across, up) = self.direction;
        (self.start.0 + along * across - off * up, self.start.1 + along * up + off * across)
    }

    /// Whether another baseline continues this one in the same direction.
    pub(super) fn is_followed_by(&self, other: &Self) -> bool {
        let same_direction = self.direction.0 * other.direction.0 + self.direction.1 * other.direction.1 > 0.999;
        let (_, off) = self.measure(other.start);
        same_direction && off.abs() <= BASELINE_TOLERANCE_EM * self.em.max(other.em)
    }
}

/// Adds a code to a checksum.
pub(super) fn mixed(codes: u32, code: u32) -> u32 {
    codes.wrapping_mul(CODE_HASH_PRIME).wrapping_add(code).wrapping_add(1)
}
