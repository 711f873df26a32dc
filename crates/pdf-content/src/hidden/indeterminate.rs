//! Pages whose text cannot be determined: full-page covers over most of the text, and text made unreadable by other
//! text across it. Viewers may show such a page differently.

use super::page_visibility::{PageVisibility, is_meaningful};
use crate::{BaselineKey, PageText, Rectangle, Run};

/// Share of a page's runs, and of its area, that a full-page cover hides.
const FULL_PAGE_MIN_PART: f64 = 0.5;
/// Tolerance for runs of one line: baseline distance (em) and size ratio.
const BASELINE_TOLERANCE_EM: f64 = 0.25;
const MAX_SIZE_RATIO: f64 = 1.5;
/// Minimum overlap of unreadable glyphs, and minimum number of such glyphs.
const OVERLAP_MIN_PART: f64 = 0.5;
const MIN_UNREADABLE_GLYPHS: usize = 3;
/// Maximum glyph pairs of two runs that are compared.
const MAX_COMPARISONS: usize = 1 << 18;

/// Full-page covers without text on them, by index; none if that takes more than `checks`.
pub(super) fn full_page_covers(page: &PageText, checks: &mut usize) -> Option<Vec<usize>> {
    let runs: Vec<&Run> = page.runs.iter().filter(|run| run.is_painted()).collect();
    let [width, height] = page.size;
    let mut full_page_covers = Vec::new();
    for (place, area) in page.areas.iter().enumerate() {
        if !area.is_solid || area.is_off || runs.is_empty() || area.bounds.area() < FULL_PAGE_MIN_PART * width * height
        {
            continue;
        }
        *checks = checks.checked_sub(runs.len())?;
        let within = runs.iter().filter(|run| area.bounds.has(run.bounds.middle()));
        let (below, above): (Vec<&Run>, Vec<&Run>) = within.partition(|run| run.order < area.order);
        if above.is_empty() && below.len() as f64 >= FULL_PAGE_MIN_PART * runs.len() as f64 {
            full_page_covers.push(place);
        }
    }
    Some(full_page_covers)
}

/// Whether visible words are printed across each other; none if that takes more than `checks`.
pub(super) fn has_overlapping_text(visible: &PageVisibility, checks: &mut usize) -> Option<bool> {
    let seen = visible.levels().into_iter().filter(|(_, place)| visible.visibility.is_run_seen(*place));
    let run_at =
        |(level, place): (BaselineKey, usize)| visible.page.runs.get(place).map(|run| (level, run.bounds, run));
    let seen: Vec<(BaselineKey, Rectangle, &Run)> = seen.filter_map(run_at).collect();
    for (at, (level, bounds, run)) in seen.iter().enumerate() {
        let above = seen.get(at + 1..).unwrap_or_default();
        let near = above.partition_point(|(other, ..)| level.is_near(*other, BASELINE_TOLERANCE_EM * run.size));
        *checks = checks.checked_sub(near)?;
        for (_, _, other) in above.iter().take(near).filter(|(_, other, _)| bounds.meets(*other)) {
            let is_as_large = run.size <= MAX_SIZE_RATIO * other.size && other.size <= MAX_SIZE_RATIO * run.size;
            if is_as_large && are_overlapping(visible.page, run, other, checks)? {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether letters of different runs of a line overlap so that none of them can be read.
pub(super) fn is_interleaved(page: &PageText, line: &[Run]) -> bool {
    let mut letters: Vec<(usize, Option<&str>, f64, f64)> = Vec::new();
    let Some(first) = line.first() else { return false };
    for (place, run) in line.iter().enumerate() {
        let extents = page.extents(run, first).into_iter().enumerate();
        let placed = extents.map(|(glyph, (start, end))| (place, page.glyph_text(run, glyph), start, end));
        letters.extend(placed.filter(|(_, text, ..)| text.is_none_or(is_meaningful)));
    }
    letters.sort_by(|one, other| one.2.total_cmp(&other.2));
    let is_overlapping = |pair: &[(usize, Option<&str>, f64, f64)]| {
        let [(one, text, from, to), (other, next, start, end)] = pair else { return false };
        // the same text twice is bold, or has a shadow
        one != other
            && (text.is_none() || text != next)
            && to.min(*end) - start.max(*from) >= OVERLAP_MIN_PART * (to - from).min(end - start)
    };
    letters.windows(2).filter(|pair| is_overlapping(pair)).count() >= MIN_UNREADABLE_GLYPHS
}

/// Whether different glyphs of two runs overlap; none if that takes more than `checks`.
fn are_overlapping(page: &PageText, one: &Run, other: &Run, checks: &mut usize) -> Option<bool> {
    let glyphs = |run: &Run| -> Vec<(String, Rectangle)> {
        let glyphs = (0..page.glyphs(run).len()).filter_map(|glyph| {
            let text = page.glyph_text(run, glyph).filter(|text| is_meaningful(text))?;
            Some((text.to_owned(), page.glyph_box(run, glyph)?))
        });
        glyphs.collect()
    };
    let (one, other) = (glyphs(one), glyphs(other));
    // with more glyphs the result is unknown
    if one.len() * other.len() > MAX_COMPARISONS {
        return Some(true);
    }
    *checks = checks.checked_sub(one.len() * other.len())?;
    let overlap = |(text, own): &(String, Rectangle)| -> Option<bool> {
        let mut over = other.iter().filter(|(_, bounds)| {
            let common = own.clipped(*bounds);
            common.width() >= OVERLAP_MIN_PART * own.width().min(bounds.width()) && !common.is_empty()
        });
        let first = over.next()?;
        Some(&first.0 == text || over.any(|(other, _)| other == text))
    };
    let (same, others): (Vec<bool>, Vec<bool>) = one.iter().filter_map(overlap).partition(|is_same| *is_same);
    // repeated glyphs only mean that the text was drawn twice
    let most = if same.is_empty() { MIN_UNREADABLE_GLYPHS } else { 1 };
    Some(others.len() >= most)
}
