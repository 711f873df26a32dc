//! What is unlikely to be as it reads: a page that shows next to nothing of what is written on it, and words that nobody can
//! read because others were written across them. Viewers may draw such a page otherwise.

use super::page_visibility::{Sight, says_something};
use crate::content::{PageText, Rectangle, Run};

/// The part of a page's runs from which on an area hides the page.
const MOST: f64 = 0.5;
/// How far texts of one line may be off each other, and how much larger one may be, in sizes.
const OFF: f64 = 0.25;
const LARGER: f64 = 1.5;
/// The part of a glyph that lies across another one for neither to be read; and how many there are of words that cannot be.
const ACROSS: f64 = 0.5;
const UNREADABLE: usize = 3;
/// Pairs of glyphs of two runs that are compared at most.
const COMPARED: usize = 1 << 18;

/// The places of areas that hide most of what is written on a page, and upon which nothing is; none if telling so takes more
/// than `checks`.
pub(super) fn lids(page: &PageText, checks: &mut usize) -> Option<Vec<usize>> {
    let runs: Vec<&Run> = page.runs.iter().filter(|run| run.is_painted()).collect();
    let [width, height] = page.size;
    let mut lids = Vec::new();
    for (place, area) in page.areas.iter().enumerate() {
        if !area.is_solid || area.is_off || runs.is_empty() || area.bounds.area() < MOST * width * height {
            continue;
        }
        *checks = checks.checked_sub(runs.len())?;
        let within = runs.iter().filter(|run| area.bounds.has(run.bounds.middle()));
        let (beneath, upon): (Vec<&Run>, Vec<&Run>) = within.partition(|run| run.order < area.order);
        if upon.is_empty() && beneath.len() as f64 >= MOST * runs.len() as f64 {
            lids.push(place);
        }
    }
    Some(lids)
}

/// Whether words are seen that lie across others; none if telling so takes more than `checks`.
pub(super) fn has_overprinted(sight: &Sight, checks: &mut usize) -> Option<bool> {
    let seen = sight.levels().into_iter().filter(|(_, place)| sight.visibility.is_run_seen(*place));
    let seen: Vec<_> = seen.filter_map(|(level, place)| Some((level, sight.page.runs.get(place)?))).collect();
    for (at, (level, run)) in seen.iter().enumerate() {
        let near = seen.get(at + 1..).unwrap_or_default().iter();
        for (_, other) in near.take_while(|(other, _)| level.is_near(*other, OFF * run.size)) {
            *checks = checks.checked_sub(1)?;
            let is_as_large = run.size <= LARGER * other.size && other.size <= LARGER * run.size;
            if is_as_large && run.bounds.meets(other.bounds) && are_across(sight.page, run, other, checks)? {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether letters of different runs of a line stand in each other's places, so that the line reads as none of them.
pub(super) fn is_interleaved(page: &PageText, line: &[Run]) -> bool {
    let mut letters: Vec<(usize, Option<&str>, f64, f64)> = Vec::new();
    let Some(first) = line.first() else { return false };
    for (place, run) in line.iter().enumerate() {
        let extents = page.extents(run, first).into_iter().enumerate();
        let told = extents.map(|(glyph, (start, end))| (place, page.glyph_text(run, glyph), start, end));
        letters.extend(told.filter(|(_, text, ..)| text.is_none_or(says_something)));
    }
    letters.sort_by(|one, other| one.2.total_cmp(&other.2));
    let is_across = |pair: &[(usize, Option<&str>, f64, f64)]| {
        let [(one, text, from, to), (other, next, start, end)] = pair else { return false };
        // the same once more is bold, or has a shadow
        one != other
            && (text.is_none() || text != next)
            && to.min(*end) - start.max(*from) >= ACROSS * (to - from).min(end - start)
    };
    letters.windows(2).filter(|pair| is_across(pair)).count() >= UNREADABLE
}

/// Whether glyphs of two texts lie across each other that are not the same; none if telling so takes more than `checks`.
fn are_across(page: &PageText, one: &Run, other: &Run, checks: &mut usize) -> Option<bool> {
    let glyphs = |run: &Run| -> Vec<(String, Rectangle)> {
        let glyphs = (0..page.glyphs(run).len()).filter_map(|glyph| {
            let text = page.glyph_text(run, glyph).filter(|text| says_something(text))?;
            Some((text.to_owned(), page.glyph_box(run, glyph)?))
        });
        glyphs.collect()
    };
    let (one, other) = (glyphs(one), glyphs(other));
    // with more of them it is not known
    if one.len() * other.len() > COMPARED {
        return Some(true);
    }
    *checks = checks.checked_sub(one.len() * other.len())?;
    let across = |(text, own): &(String, Rectangle)| -> Option<bool> {
        let mut over = other.iter().filter(|(_, bounds)| {
            let common = own.clipped(*bounds);
            common.width() >= ACROSS * own.width().min(bounds.width()) && !common.is_empty()
        });
        let first = over.next()?;
        Some(&first.0 == text || over.any(|(other, _)| other == text))
    };
    let (same, others): (Vec<bool>, Vec<bool>) = one.iter().filter_map(across).partition(|is_same| *is_same);
    // some more of the same only say that they are written twice
    let most = if same.is_empty() { UNREADABLE } else { 1 };
    Some(others.len() >= most)
}
