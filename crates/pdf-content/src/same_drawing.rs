//! Whether two drawings of a page are the same as viewers show it, turned by its `/Rotate` (ISO 32000-1, 7.7.3.3): a
//! program may turn a page, and its content the other way.

use super::area::Area;
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Run;

/// Maximum distance of the same places in both drawings, in points: boxes are rounded to 0.01.
const PLACE_TOLERANCE_PT: f64 = 0.05;

/// Whether both show the same text, paths and images at the same places in the same order.
pub fn is_same_drawing(before: &PageText, now: &PageText) -> bool {
    before.size.iter().zip(now.size).all(|(one, other)| is_near(*one, other))
        && before.rotation == now.rotation
        && before.runs.len() == now.runs.len()
        && before.areas.len() == now.areas.len()
        && before.runs.iter().zip(&now.runs).all(|(old, new)| is_same_run((before, old), (now, new)))
        && before.areas.iter().zip(&now.areas).all(|(old, new)| is_same_area((before, old), (now, new)))
}

fn is_same_run((before, old): (&PageText, &Run), (now, new): (&PageText, &Run)) -> bool {
    fn style<'p>(page: &'p PageText, run: &Run) -> impl PartialEq + use<'p> {
        let clip = run.clip_shape.is_some();
        let paint = (run.color, run.alpha, run.effect, run.stroke, run.has_outline);
        (page.font(run), run.mode, run.is_off, run.annotation, run.order, paint, clip)
    }
    let codes = |page: &PageText, run: &Run| page.glyphs(run).iter().map(|glyph| glyph.code).collect::<Vec<_>>();
    let is_near_point = |one: (f64, f64), other: (f64, f64)| is_near(one.0, other.0) && is_near(one.1, other.1);
    style(before, old) == style(now, new)
        && (before.text(old), old.unread(), codes(before, old)) == (now.text(new), new.unread(), codes(now, new))
        && is_near(old.size, new.size)
        && is_near_point(old.line.start, new.line.start)
        && is_near_point(old.line.end, new.line.end)
        && is_near_point(old.line.direction, new.line.direction)
        && is_near_point(old.line.reach, new.line.reach)
        && is_near_box(old.bounds, new.bounds)
        && is_near_box(old.clip, new.clip)
}

fn is_same_area((before, old): (&PageText, &Area), (now, new): (&PageText, &Area)) -> bool {
    let style = |area: &Area| {
        let clip = area.clip.is_some();
        (
            area.kind,
            area.color,
            area.effect,
            area.is_opaque,
            area.is_off,
            area.annotation,
            area.object,
            area.order,
            clip,
        )
    };
    let is_near_path = |one: &[[f32; 2]], other: &[[f32; 2]]| {
        let is_same = |one: f32, other: f32| one.is_nan() && other.is_nan() || is_near(one.into(), other.into());
        one.len() == other.len() && one.iter().zip(other).all(|([x, y], [u, v])| is_same(*x, *u) && is_same(*y, *v))
    };
    let paths = before.outlines.paths(&old.outline).zip(now.outlines.paths(&new.outline));
    style(old) == style(new)
        && is_near_box(old.bounds, new.bounds)
        && old.outline.len() == new.outline.len()
        && paths.into_iter().all(|((rule, _, one), (other, _, points))| rule == other && is_near_path(one, points))
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= PLACE_TOLERANCE_PT
}

fn is_near_box(one: Rectangle, other: Rectangle) -> bool {
    one.corners().into_iter().zip(other.corners()).all(|(one, other)| is_near(one, other))
}
