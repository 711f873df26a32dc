//! What two drawings of a page do not have in common: text, paths and pictures that only one of them has.
//!
//! [`redrawn`] takes a page in two states ([`super::Contents::page_in_both`]) and holds them against each other glyph by glyph
//! and area by area, wherever these stand in the painting order: a glyph is the same if its font, its code, its box and what
//! it is painted with are. What lies over what is for [`super::overlaid`] and [`super::Visibility`] to tell.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::area::Area;
use super::geometry::Rectangle;
use super::occlusion::Painted;
use super::page_model::{PageText, Run};

/// Something that only one of two drawings has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Redrawn {
    pub(crate) what: Painted,
    /// In points of the page.
    pub(crate) bounds: Rectangle,
    /// The number of the annotation that draws it; none if it is the page's own.
    pub(crate) annotation: Option<u32>,
    /// Whether it is drawn now, and was not before; else the other way round.
    pub(crate) is_new: bool,
}

/// What the first drawing has and the second one lacks, then what the second one has and the first one lacks, each in painting
/// order; of text those glyphs of a run that follow each other together.
pub(crate) fn redrawn(before: &PageText, now: &PageText) -> Vec<Redrawn> {
    let mut found = only(before, now, false);
    found.extend(only(now, before, true));
    found
}

/// What one of them has and the other one lacks.
fn only(page: &PageText, other: &PageText, is_new: bool) -> Vec<Redrawn> {
    let mut others: HashMap<u64, usize> = HashMap::new();
    // nearly always one begins as the other one does
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
        found.extend(pieces.iter().map(|piece| Redrawn {
            what: Painted::Words(page.text(piece).to_owned()),
            bounds: piece.bounds,
            annotation: run.annotation,
            is_new,
        }));
    }
    let areas = page.areas.iter().filter(|area| is_other(key_of_area(page, area)));
    found.extend(areas.map(|area| Redrawn {
        what: Painted::of(area),
        bounds: area.bounds,
        annotation: area.annotation,
        is_new,
    }));
    found
}

/// Whether two runs have the same glyphs, which look the same and stand at the same places.
fn are_alike((page, run): (&PageText, &Run), (other, same): (&PageText, &Run)) -> bool {
    fn look<'p>(page: &'p PageText, run: &Run) -> impl PartialEq + use<'p> {
        let codes = (run.undecoded, run.codes, run.line, run.skipped, run.bounds, run.clip);
        (page.font(run), run.mode, run.is_off, run.alpha, run.color, run.annotation, codes)
    }
    let glyphs = page.glyphs(run).iter().map(|glyph| (glyph.code, glyph.start, glyph.end));
    let others = other.glyphs(same).iter().map(|glyph| (glyph.code, glyph.start, glyph.end));
    look(page, run) == look(other, same) && page.text(run) == other.text(same) && glyphs.eq(others)
}

fn sum(told: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut sum = DefaultHasher::new();
    told(&mut sum);
    sum.finish()
}

fn bits(bounds: Rectangle) -> [u64; 4] {
    bounds.corners().map(f64::to_bits)
}

/// By what each glyph of a run is told from others; of a run without any, what it is told by as a whole.
fn keys_of_run(page: &PageText, run: &Run) -> impl Iterator<Item = u64> {
    let look = sum(|sum| {
        (page.font(run), run.mode, run.is_off, run.alpha.to_bits(), run.color, run.annotation).hash(sum);
        bits(run.clip).hash(sum);
    });
    let each = page.glyphs(run).iter().enumerate().map(move |(place, glyph)| {
        let bounds = page.glyph_box(run, place).unwrap_or_default();
        sum(|sum| (look, glyph.code, bits(bounds)).hash(sum))
    });
    let whole = page
        .glyphs(run)
        .is_empty()
        .then(|| sum(|sum| (look, page.text(run), run.unread(), bits(run.bounds)).hash(sum)));
    each.chain(whole)
}

/// By what an area is told from others, its outline and its clips included.
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

    use super::{Painted, redrawn};
    use crate::content::page_texts;
    use crate::{Memory, Options, PageText};

    fn drawn(content: &str) -> PageText {
        let source = Memory(drawing(content, "").classic().into());
        page_texts(&source, &Options::default(), 0..1).unwrap().remove(0)
    }

    #[test]
    fn what_only_one_of_two_drawings_has_is_told() {
        let line = "BT /F 10 Tf 20 100 Td (Total 1,250.00) Tj ET";
        let words = |text: &str, is_new| (Painted::Words(text.into()), is_new);
        let path = |is_new| (Painted::Path, is_new);
        let (square, triangle) = ("0 g 10 10 40 40 re f", "0 g 10 10 m 50 10 l 10 50 l h f");
        for (before, now, expected) in [
            (line, line, vec![]),
            (line, "BT /F 10 Tf 20 100 Td (Total 9,250.00) Tj ET", vec![words("1", false), words("9", true)]),
            (line, "BT /F 10 Tf 20 100 Td (Total 1,250.00 EUR) Tj ET", vec![words("EUR", true)]),
            // painted anew, in pieces and in another order
            (line, "BT /F 10 Tf 45.01 100 Td (1,250.00) Tj ET BT /F 10 Tf 20 100 Td (Total) Tj ET", vec![]),
            (line, "1 g BT /F 10 Tf 20 100 Td (Total) Tj ET", {
                vec![words("Total", false), words("1,250.00", false), words("Total", true)]
            }),
            (square, triangle, vec![path(false), path(true)]),
            (square, "1 g 10 10 40 40 re f", vec![path(false), path(true)]),
            ("", square, vec![path(true)]),
        ] {
            let found = redrawn(&drawn(before), &drawn(now));
            let found: Vec<_> = found.into_iter().map(|found| (found.what, found.is_new)).collect();
            assert_eq!(found, expected, "{before} | {now}");
        }
    }
}
