//! Differences between two drawings of a page: text, paths and images that only one of them has.
//!
//! [`page_diff`] compares a page in two revisions ([`super::ContentReader::page_in_both`]) glyph by glyph and area by
//! area, regardless of painting order: glyphs match if font, code, box and paint do. [`super::overlaid`] and
//! [`super::Visibility`] compute coverage.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::area::Area;
use super::geometry::Rectangle;
use super::occlusion::Painted;
use super::page_model::PageText;
use super::run::Run;

/// Text, a path or a picture that only one of two drawings has.
#[derive(Debug, Clone, PartialEq)]
pub struct PageDifference {
    /// What it is.
    pub what: Painted,
    /// In points of the page.
    pub bounds: Rectangle,
    /// Object number of the annotation that paints it; none for page content.
    pub annotation: Option<u32>,
    /// Whether only the second drawing has it; otherwise only the first.
    pub is_new: bool,
}

/// Returns what only `before` has, then what only `now` has, each in painting order; consecutive glyphs of a run are
/// one difference.
pub fn page_diff(before: &PageText, now: &PageText) -> Vec<PageDifference> {
    let mut found = only(before, now, false);
    found.extend(only(now, before, true));
    found
}

/// Returns what `page` has and `other` lacks.
fn only(page: &PageText, other: &PageText, is_new: bool) -> Vec<PageDifference> {
    let mut others: HashMap<u64, usize> = HashMap::new();
    // drawings nearly always share their beginning
    let same =
        page.runs.iter().zip(&other.runs).take_while(|(run, same)| are_alike((page, run), (other, same))).count();
    let glyphs = other.runs.iter().skip(same).flat_map(|run| keys_of_run(other, run));
    for key in glyphs.chain(other.areas.iter().map(|area| key_of_area(other, area))) {
        *others.entry(key).or_default() += 1;
    }
    let mut is_other = |key: u64| match others.get_mut(&key).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    };
    let mut found = Vec::new();
    for run in page.runs.iter().skip(same) {
        let wanted: Vec<bool> = keys_of_run(page, run).map(&mut is_other).collect();
        let mut pieces = Vec::new();
        page.cut(run, |glyph| wanted.get(glyph).copied().unwrap_or(false), &mut pieces);
        found.extend(pieces.iter().map(|piece| PageDifference {
            what: Painted::Words(page.text(piece).to_owned()),
            bounds: piece.bounds,
            annotation: run.annotation,
            is_new,
        }));
    }
    let areas = page.areas.iter().filter(|area| is_other(key_of_area(page, area)));
    found.extend(areas.map(|area| PageDifference {
        what: if area.kind.is_picture() { Painted::Picture } else { Painted::Path },
        bounds: area.bounds,
        annotation: area.annotation,
        is_new,
    }));
    found
}

/// Whether two runs have the same glyphs with the same appearance and positions.
fn are_alike((page, run): (&PageText, &Run), (other, same): (&PageText, &Run)) -> bool {
    fn style<'p>(page: &'p PageText, run: &Run) -> impl PartialEq + use<'p> {
        let codes = (run.undecoded, run.codes, run.line, run.skipped, run.bounds, run.clip);
        (page.font(run), run.mode, run.is_off, run.alpha, run.color, run.annotation, codes)
    }
    let glyphs = page.glyphs(run).iter().map(|glyph| (glyph.code, glyph.start, glyph.end));
    let others = other.glyphs(same).iter().map(|glyph| (glyph.code, glyph.start, glyph.end));
    style(page, run) == style(other, same) && page.text(run) == other.text(same) && glyphs.eq(others)
}

fn sum(feed: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut sum = DefaultHasher::new();
    feed(&mut sum);
    sum.finish()
}

fn bits(bounds: Rectangle) -> [u64; 4] {
    bounds.corners().map(f64::to_bits)
}

/// Returns the comparison keys of a run's glyphs; one key for a run without glyphs.
fn keys_of_run(page: &PageText, run: &Run) -> impl Iterator<Item = u64> {
    let style = sum(|sum| {
        (page.font(run), run.mode, run.is_off, run.alpha.to_bits(), run.color, run.annotation).hash(sum);
        bits(run.clip).hash(sum);
    });
    let each = page.glyphs(run).iter().enumerate().map(move |(place, glyph)| {
        let bounds = page.glyph_box(run, place).unwrap_or_default();
        sum(|sum| (style, glyph.code, bits(bounds)).hash(sum))
    });
    let whole = page
        .glyphs(run)
        .is_empty()
        .then(|| sum(|sum| (style, page.text(run), run.unread(), bits(run.bounds)).hash(sum)));
    each.chain(whole)
}

/// Returns the comparison key of an area, including its outline.
fn key_of_area(page: &PageText, area: &Area) -> u64 {
    sum(|sum| {
        (bits(area.bounds), area.color, area.is_opaque, area.is_solid, area.is_off).hash(sum);
        (area.annotation, area.object, area.kind as u8).hash(sum);
        for (_, _, path) in page.outlines.paths(&area.outline) {
            path.iter().for_each(|point| point.map(f32::to_bits).hash(sum));
        }
    })
}

#[cfg(test)]
mod tests {
    use samples::texts::drawing;

    use super::{Painted, page_diff};
    use crate::{PageText, first_page};

    fn drawn(content: &str) -> PageText {
        first_page(drawing(content, "").classic())
    }

    #[test]
    fn differences_of_drawings_are_reported() {
        let line = "BT /F 10 Tf 20 100 Td (Total 1,250.00) Tj ET";
        let words = |text: &str, is_new| (Painted::Words(text.into()), is_new);
        let path = |is_new| (Painted::Path, is_new);
        let (square, triangle) = ("0 g 10 10 40 40 re f", "0 g 10 10 m 50 10 l 10 50 l h f");
        for (before, now, expected) in [
            (line, line, vec![]),
            (line, "BT /F 10 Tf 20 100 Td (Total 9,250.00) Tj ET", vec![words("1", false), words("9", true)]),
            (line, "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET", vec![words("EUR", true)]),
            // painted again, in pieces
            (line, "BT /F 10 Tf 45.01 100 Td (1,250.00) Tj ET BT /F 10 Tf 20 100 Td (Total) Tj ET", vec![]),
            (line, "1 g BT /F 10 Tf 20 100 Td (Total) Tj ET", {
                vec![words("Total", false), words("1,250.00", false), words("Total", true)]
            }),
            (square, triangle, vec![path(false), path(true)]),
            (square, "1 g 10 10 40 40 re f", vec![path(false), path(true)]),
            ("", square, vec![path(true)]),
        ] {
            let found = page_diff(&drawn(before), &drawn(now));
            let found: Vec<_> = found.into_iter().map(|found| (found.what, found.is_new)).collect();
            assert_eq!(found, expected, "{before} | {now}");
        }
    }
}
