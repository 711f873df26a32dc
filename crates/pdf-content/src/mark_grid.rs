//! What is seen in a button at the end of painting: the luminance of a grid of points inside its frame, by scan lines
//! (ISO 32000-1, 8.5.3), whatever painted it, in which order, by which rule and within which clip.
//!
//! A mark is what differs visibly between the states of a button, and so does a frame or ground that looks like one.

use super::area::{Area, AreaKind, Effect};
use super::blend::Blend;
use super::field_frame::{FRAME_MIN_PART, is_frame};
use super::geometry::Rectangle;
use super::ground::luminance;
use super::page_model::PageText;
use super::run::Baseline;
use super::scan_line::intervals;
use super::subpath::{Subpath, subpaths, subpaths_of};

/// Share of a button's shorter side that its frame may take on each side.
const FRAME_MAX_PART: f64 = 0.125;
/// The same, in points: what is as large can be a letter.
const FRAME_MAX_WIDTH_PT: f64 = 3.0;
/// Points across the shorter side, and at most across the longer one.
const POINTS: f64 = 48.0;
const MAX_POINTS: f64 = 480.0;
/// Maximum paths that are painted.
const MAX_PATHS: usize = 1_000;
/// Minimum difference of the luminance of a mark that is seen, and of a frame or ground that may look like one.
const MARK_MIN_CONTRAST: f32 = 0.35;
const GROUND_MIN_CONTRAST: f32 = 0.25;
/// Minimum share of the inside that a visible mark takes: the marks that programs draw take 0.15 and more.
const MARK_MIN_SHARE: f64 = 0.05;
/// Maximum share of the inside that frames take: a circle reaches into its corners.
const FRAME_MAX_SHARE: f64 = 0.1;
/// Maximum share of a light mark on a dark ground: a larger one is a light ground.
const LIGHT_MAX_SHARE: f64 = 0.5;

/// Whether what a button draws when it is on differs visibly from what it draws when it is off, besides frames and rings.
pub(super) fn is_seen(on: &PageText, off: &PageText, button: Rectangle) -> bool {
    let frame = frames(on, button).last().copied().unwrap_or(button).clipped(button);
    let is_ring = |path: &Subpath| path.is_stroked && (is_frame(path, button) || path.is_dot());
    let [on, off] = [on, off].map(|page| MarkGrid::of(page, frame, is_ring));
    on.share(&off, |by| by <= -MARK_MIN_CONTRAST) >= MARK_MIN_SHARE
        || (MARK_MIN_SHARE..=LIGHT_MAX_SHARE).contains(&on.share(&off, |by| by >= MARK_MIN_CONTRAST))
}

/// Whether a button that is off is darker inside than it was when the file was signed, as one with a mark is.
pub(super) fn has_thick_frame(off: &PageText, signed: &PageText, button: Rectangle) -> bool {
    // MuPDF draws a square box in a high button
    let long = |bounds: Rectangle| bounds.width().max(bounds.height());
    let is_small = |frame: &Rectangle| long(*frame) < FRAME_MIN_PART * long(button);
    let frame = frames(off, button).into_iter().rfind(is_small).unwrap_or(button);
    let [off, signed] = [off, signed].map(|page| MarkGrid::of(page, frame, |_| false));
    // what is unknown may be dark
    off.share(&signed, |by| by.is_nan() || by <= -GROUND_MIN_CONTRAST) > FRAME_MAX_SHARE
}

/// The boxes of a button's frames and grounds, in painting order.
fn frames(page: &PageText, button: Rectangle) -> Vec<Rectangle> {
    let paths = subpaths_of(page).unwrap_or_default();
    paths.iter().filter(|path| is_frame(path, button)).map(Subpath::bounds).collect()
}

/// What is seen inside a button's frame.
#[derive(Debug)]
struct MarkGrid {
    inside: Rectangle,
    size: [usize; 2],
    /// The luminance of each point; NaN if it is unknown or that of a ring.
    points: Vec<f32>,
}

impl MarkGrid {
    /// Paints what an appearance draws inside a frame. Rings mark nothing.
    fn of(page: &PageText, frame: Rectangle, is_ring: impl Fn(&Subpath) -> bool) -> Self {
        let side = frame.width().min(frame.height());
        let inside = frame.grown(-(FRAME_MAX_PART * side).min(FRAME_MAX_WIDTH_PT));
        let short = inside.width().min(inside.height()).max(f64::MIN_POSITIVE);
        let size = [inside.width(), inside.height()].map(|long| (POINTS * long / short).min(MAX_POINTS) as usize);
        let mut grid = Self { inside, size, points: vec![1.0; size.iter().product()] };
        let is_painted = |area: &&Area| !area.is_off && area.kind != AreaKind::Block && area.bounds.meets(inside);
        let mut paths = page.areas.iter().filter(is_painted).flat_map(paths);
        for path in paths.by_ref().take(MAX_PATHS) {
            let is_mark = |parts: Vec<Subpath>| !parts.iter().any(&is_ring);
            let is_known = path.kind != AreaKind::Stroke || subpaths(page, &path).is_some_and(is_mark);
            grid.paint(page, &path, path.color.filter(|_| is_known).map_or(f32::NAN, luminance));
        }
        if paths.next().is_some() {
            grid.points.fill(f32::NAN);
        }
        grid
    }

    fn paint(&mut self, page: &PageText, path: &Area, color: f32) {
        let [columns, rows] = self.size;
        let Rectangle { left, bottom, .. } = self.inside;
        let line = Baseline { start: (left, bottom), direction: (1.0, 0.0), ..Baseline::default() };
        let (width, height) = (self.inside.width(), self.inside.height());
        for (row, points) in self.points.chunks_mut(columns.max(1)).enumerate() {
            let mut painted = Vec::new();
            intervals(page, path, (&line, (row as f64 + 0.5) / rows as f64 * height), &mut painted);
            for (column, point) in points.iter_mut().enumerate() {
                let at = ((column as f64 + 0.5) / columns as f64 * width) as f32;
                if painted.iter().any(|(start, end)| (*start..*end).contains(&at)) {
                    *point = match path.effect {
                        Effect::Mixed { blend: Blend::Normal, alpha, .. } => *point + alpha * (color - *point),
                        _ => f32::NAN,
                    };
                }
            }
        }
    }

    /// Returns the share of the inside, as a square of its shorter side, that differs from another grid in such a way.
    fn share(&self, other: &Self, is_changed: impl Fn(f32) -> bool) -> f64 {
        let side = self.inside.width().min(self.inside.height());
        let points = self.points.iter().zip(&other.points);
        let changed = points.filter(|(own, other)| is_changed(**own - **other)).count();
        changed as f64 / self.points.len().max(1) as f64 * self.inside.area() / (side * side)
    }
}

/// The paths of an area, which may be merged.
fn paths(area: &Area) -> impl Iterator<Item = Area> {
    let places = area.outline.clone().map(|place| place..place + 1);
    let whole = area.outline.is_empty().then_some(area.outline.clone());
    places.chain(whole).map(|outline| Area { outline, ..area.clone() })
}

#[cfg(test)]
mod tests {
    use super::{has_thick_frame, is_seen};
    use crate::geometry::Rectangle;
    use crate::page_model::PageText;
    use samples::texts::drawing;

    const BUTTON: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 14.0, top: 14.0 };
    const FRAME: &str = "0.5 0.5 13 13 re S";

    fn drawn(content: &str) -> PageText {
        crate::first_page(drawing(content, "").classic())
    }

    #[test]
    fn a_mark_is_seen_at_the_end() {
        for (on, off, expected) in [
            ("4 4 6 6 re f", "", true),
            ("4 4 6 6 re B", FRAME, true),
            ("2 2 m 12 12 l S", FRAME, true),
            ("0.2 0.4 0.8 rg 0 0 14 14 re f 1 G 2 w 3 7 m 6 3 l 12 12 l S", "", true),
            ("0 0 14 14 re f 1 G 2 w 3 7 m 6 3 l 12 12 l S", "0 0 14 14 re f", true),
            // too small, too thin, too light, on the frame, outside or clipped
            ("7 7 1 1 re f", FRAME, false),
            ("0.1 w 2 2 m 12 12 l S", FRAME, false),
            ("0.7 g 3 3 8 8 re f", FRAME, false),
            ("1 1 0 rg 3 3 8 8 re f", FRAME, false),
            ("0 0 1.5 1.5 re f", FRAME, false),
            ("14 14 8 8 re f", FRAME, false),
            ("q 0 0 2 2 re W n 1 1 12 12 re f Q", FRAME, false),
            // painted over, with a winding number of 0, and with a hole
            ("4 4 6 6 re f 1 g 3 3 8 8 re f", FRAME, false),
            ("4 4 6 6 re 4 4 m 4 10 l 10 10 l 10 4 l h f", FRAME, false),
            ("4 4 6 6 re 4.1 4.1 5.8 5.8 re f*", FRAME, false),
            // rings and frames, and a ground that is lighter than the one of the other state
            ("3 w 1.5 1.5 11 11 re S", FRAME, false),
            ("4 4 6 6 re S 7 7 0.1 0.1 re f", FRAME, false),
            ("1 g 0 0 14 14 re f", "0.5 g 0 0 14 14 re f", false),
        ] {
            assert_eq!(is_seen(&drawn(on), &drawn(off), BUTTON), expected, "{on} | {off}");
        }
    }

    #[test]
    fn a_thick_frame_looks_like_a_mark() {
        for (off, expected) in [
            ("", false),
            (FRAME, false),
            ("1.7 w 0.85 0.85 12.3 12.3 re S", false),
            ("0.9 g 0 0 14 14 re f", false),
            ("4 w 2 2 10 10 re S", true),
            ("2.5 w 1.25 1.25 11.5 11.5 re S", true),
            ("0.5 g 0 0 14 14 re f", true),
            // of several colors
            ("3 w 1.5 1.5 11 11 re S 1 0 0 RG 0.2 w 1.5 1.5 11 11 re S", true),
        ] {
            assert_eq!(has_thick_frame(&drawn(off), &drawn(FRAME), BUTTON), expected, "{off}");
        }
    }
}
