//! Text beyond its clip: the end of one that is too long for its cell, a label for screen readers, what a sheet cuts off
//! from a larger page. Other text in the same place replaces it only if it is another version of it.

use std::collections::BTreeSet;

use super::page_visibility::PageVisibility;
use super::similarity::is_other_version;
use crate::Run;

/// Maximum cut-off pieces of a page of which one may be another version; tables, magnified parts and sheets have more.
pub(super) const MAX_VERSIONS: usize = 8;
/// Maximum gap and overlap (em) of a word and its rest.
const MAX_GAP_EM: f64 = 0.15;
const MAX_OVERLAP_EM: f64 = 0.3;

/// Whether these runs replace pieces of runs, with the indices of those, on a line of runs by index, that are beyond their
/// clips: only a hole in a clip, if there are many such pieces.
pub(super) fn is_replaced(
    visible: &PageVisibility,
    pieces: &[(usize, &Run)],
    (line, replacements): (&BTreeSet<usize>, &[&Run]),
    are_many: bool,
) -> bool {
    let page = visible.page;
    let text = |runs: &mut dyn Iterator<Item = &Run>| runs.map(|run| page.text(run)).collect::<Vec<_>>().join(" ");
    let before = text(&mut pieces.iter().map(|(_, piece)| *piece));
    let now = text(&mut replacements.iter().copied());
    let is_version = !are_many && is_other_version(&before, &now);
    pieces.iter().any(|(place, piece)| {
        let continues = |edge: f64| {
            let mut extents = replacements.iter().flat_map(|run| page.extents(run, piece));
            let reach = -MAX_OVERLAP_EM * piece.size..=MAX_GAP_EM * piece.size;
            extents.any(|(from, to)| reach.contains(&(from - edge)) || reach.contains(&(edge - to)))
        };
        is_in_hole(visible, piece, line)
            || is_version && word_edges(visible, *place, piece).into_iter().flatten().all(continues)
    })
}

/// Returns the range of all extents.
pub(super) fn span(extents: &[(f64, f64)]) -> (f64, f64) {
    extents.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(start, end), (from, to)| (start.min(*from), end.max(*to)))
}

/// Whether the clip of a piece shows text of its line on both sides of it, so that no cell ends there.
fn is_in_hole(visible: &PageVisibility, piece: &Run, line: &BTreeSet<usize>) -> bool {
    let page = visible.page;
    let (start, end) = span(&page.extents(piece, piece));
    let mut sides = [false; 2];
    for place in line {
        let Some(run) = page.runs.get(*place).filter(|run| run.has_same_clip(piece)) else { continue };
        for (glyph, (from, to)) in page.extents(run, piece).into_iter().enumerate() {
            let is_seen = || visible.visibility.is_seen(*place, glyph);
            sides = [sides[0] || to <= start && is_seen(), sides[1] || from >= end && is_seen()];
        }
    }
    sides == [true; 2]
}

/// Where the rest of its word ends before and begins behind a piece that is cut inside a word, along the piece.
fn word_edges(visible: &PageVisibility, place: usize, piece: &Run) -> [Option<f64>; 2] {
    let Some(run) = visible.page.runs.get(place) else { return [None; 2] };
    let count = visible.page.glyphs(run).len();
    let Some(first) = (0..count).find(|glyph| piece.has_glyph(run, *glyph)) else { return [None; 2] };
    let behind = (first..count).find(|glyph| !piece.has_glyph(run, *glyph));
    let is_letter =
        |glyph: usize| visible.page.glyph_text(run, glyph).is_some_and(|text| text.chars().any(char::is_alphanumeric));
    let extents = visible.page.extents(run, piece);
    let rest = |seen: usize, cut: usize| {
        let is_within_word = is_letter(seen) && is_letter(cut) && visible.visibility.is_seen(place, seen);
        extents.get(seen).filter(|_| is_within_word)
    };
    let before = first.checked_sub(1).and_then(|seen| rest(seen, first)).map(|(_, to)| *to);
    [before, behind.and_then(|seen| rest(seen, seen - 1)).map(|(from, _)| *from)]
}
