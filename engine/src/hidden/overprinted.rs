//! Text that cannot be seen, or perhaps cannot, with another text at its place: whoever reads the page reads that one. What
//! stands alone is told by `invisible_text`, or leaves it open what the page shows.

use std::collections::BTreeSet;

use super::finding::{HiddenText, LineChange, Veil, apart, joined, letters, text};
use super::indeterminate;
use super::invisible_text::Unseen;
use super::page_visibility::{Sight, says_something};
use super::redrawn::{is_again, is_part};
use super::report::HiddenKind;
use crate::content::{AnnotationKind, Bands, LineLevel, PageText, Run};

/// How far a text may stand off the line of another one in its place, in sizes, and how much larger it may be.
const OFF: f64 = 0.25;
const LARGER: f64 = 2.0;
/// The part of the shorter one of two texts that lies on the other one's place.
const UPON: f64 = 0.5;
/// How wide letters are that were scaled to nothing, in sizes.
const WIDTH: f64 = 0.5;
/// How far a text is raised at least that was moved off its line, in sizes: superscripts are not.
const RAISED: f64 = 1.0;
/// Pieces of text that are compared with others on their lines.
const PIECES: usize = 2_000;
/// Signs that a placeholder begins with, which a program looks for and writes over.
const PLACEHOLDER: [char; 9] = ['\\', '/', '{', '[', '<', '#', '&', '*', '$'];

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Replaced {
    pub(super) findings: Vec<HiddenText>,
    /// The runs that the findings tell of, by their places.
    pub(super) told: BTreeSet<usize>,
    /// The runs that perhaps cannot be seen, and are no such.
    pub(super) perhaps: BTreeSet<usize>,
    /// Whether it is not known of any text whether it can be seen.
    pub(super) is_doubtful: bool,
}

/// A piece of a run that cannot be seen, or perhaps cannot.
struct Piece {
    run: Run,
    place: usize,
    level: LineLevel,
    veil: Veil,
    /// Whether it was drawn elsewhere than on its line, or so small that it hardly takes a place.
    is_moved: bool,
    /// Whether it is told that it may not be seen, should it stand alone.
    is_doubtful: bool,
}

/// Texts of one line that were replaced.
struct Line {
    level: LineLevel,
    size: f64,
    pieces: Vec<Piece>,
    /// The runs that stand in their places.
    instead: BTreeSet<usize>,
}

/// What stands in the place of text that these runs have, or that perhaps is hidden; none if telling so takes more than `checks`.
pub(super) fn find(sight: &Sight, unseen: &Unseen, number: u32, checks: &mut usize) -> Option<Replaced> {
    let mut replaced = Replaced::default();
    let pieces = pieces(sight, unseen, checks)?;
    if pieces.is_empty() {
        return Some(replaced);
    }
    replaced.is_doubtful |= pieces.len() > PIECES;
    let invisible: BTreeSet<usize> = unseen.values().flatten().copied().collect();
    let levels = sight.levels();
    let runs = Bands::new(sight.page, sight.page.runs.iter());
    let mut lines: Vec<Line> = Vec::new();
    for piece in pieces.into_iter().take(PIECES) {
        // nearly all have their place for themselves
        let around = runs.around(piece.run.bounds);
        *checks = checks.checked_sub(around.len())?;
        let is_other = |other: &&Run| other.order != piece.run.order && other.bounds.meets(piece.run.bounds);
        let is_alone = !piece.is_moved && !around.iter().any(is_other);
        if !is_alone && sight.is_seen_again(piece.place) {
            continue;
        }
        let instead = match is_alone {
            true => BTreeSet::new(),
            false => instead(sight, &piece, &levels, &invisible, checks)?,
        };
        if instead.is_empty() {
            replaced.is_doubtful |= piece.is_doubtful;
            replaced.perhaps.extend((piece.veil == Veil::Perhaps).then_some(piece.place));
            continue;
        }
        let size = piece.run.size.max(0.1);
        let line = lines.iter().position(|line| line.level.is_near(piece.level, OFF * size));
        match line.and_then(|line| lines.get_mut(line)) {
            Some(line) => {
                line.instead.extend(instead);
                line.pieces.push(piece);
            }
            None => lines.push(Line { level: piece.level, size, instead, pieces: vec![piece] }),
        }
    }
    for line in lines {
        *checks = checks.checked_sub(levels.len())?;
        let places = line.pieces.iter().map(|piece| piece.place);
        replaced.perhaps.extend(places.clone());
        match line.finding(sight, &levels, &invisible, number) {
            Some(finding) => {
                replaced.told.extend(places);
                replaced.findings.push(finding);
            }
            None => replaced.is_doubtful |= line.pieces.iter().any(|piece| piece.is_doubtful && !line.is_again(sight)),
        }
    }
    Some(replaced)
}

/// The pieces of runs that cannot be seen, or perhaps cannot.
fn pieces(sight: &Sight, unseen: &Unseen, checks: &mut usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut add = |place: usize, runs: Vec<Run>, veil: Veil, is_doubtful: bool| {
        for run in runs.into_iter().filter(|run| says_something(sight.page.text(run))) {
            let is_raised = f64::from(run.rise).abs() > RAISED * run.size;
            let level = if is_raised { run.unraised_level() } else { run.level() };
            let is_moved = is_raised || run.is_squeezed() || run.size < 1.0;
            pieces.push(Piece { run, place, level, veil, is_moved, is_doubtful });
        }
    };
    let is_widget = |number: u32| {
        let mut annotations = sight.page.annotations.iter();
        annotations.any(|found| found.number == number && matches!(found.kind, AnnotationKind::Widget))
    };
    for (kind, places) in unseen {
        let is_moved = |run: &Run| f64::from(run.rise).abs() > RAISED * run.size;
        for place in places {
            let Some(run) = sight.page.runs.get(*place) else { continue };
            *checks = checks.checked_sub(sight.page.runs.len())?;
            let counts = match kind {
                // letters in the color of their ground may be what covers others
                HiddenKind::Invisible => !run.paints() || !is_paint(sight, run),
                HiddenKind::Tiny => true,
                HiddenKind::OffPage => is_moved(run),
                _ => false,
            };
            if counts && !run.annotation.is_some_and(is_widget) {
                add(*place, vec![run.clone()], Veil::None, false);
            }
        }
    }
    let unseen: BTreeSet<usize> = unseen.values().flatten().copied().collect();
    for (place, run) in sight.page.runs.iter().enumerate() {
        if !run.is_painted() || unseen.contains(&place) || run.annotation.is_some_and(is_widget) {
            continue;
        }
        let is_colorless = run.color.is_none();
        if !run.is_known() || is_colorless {
            add(place, vec![run.clone()], Veil::Perhaps, !run.is_known());
            continue;
        }
        if sight.visibility.covered_run(place).is_none() && PageText::is_unclipped(run) {
            continue;
        }
        let visibility = &sight.visibility;
        let mut clipped = Vec::new();
        sight.page.cut(run, |glyph| visibility.is_clipped(place, glyph), &mut clipped);
        add(place, clipped, Veil::None, false);
        let mut perhaps = Vec::new();
        sight.page.cut(run, |glyph| visibility.is_perhaps_hidden(place, glyph), &mut perhaps);
        add(place, perhaps, Veil::Perhaps, true);
    }
    Some(pieces)
}

/// Whether the letters of a run are paint over others.
fn is_paint(sight: &Sight, run: &Run) -> bool {
    let mut runs = sight.page.runs.iter().enumerate().take_while(|(_, other)| other.order < run.order);
    runs.any(|(place, other)| {
        let glyphs = sight.page.glyphs(other).len();
        other.bounds.meets(run.bounds) && (0..glyphs).any(|glyph| sight.visibility.is_perhaps_hidden(place, glyph))
    })
}

/// The runs that stand in the place of a piece, and can be seen.
fn instead(
    sight: &Sight,
    piece: &Piece,
    levels: &[(LineLevel, usize)],
    invisible: &BTreeSet<usize>,
    checks: &mut usize,
) -> Option<BTreeSet<usize>> {
    let page = sight.page;
    let is_shrunk = piece.run.is_squeezed() || piece.run.size < 1.0;
    let own = page.extents(&piece.run, &piece.run);
    let mut found = BTreeSet::new();
    let around = |far: f64| {
        let start = levels.partition_point(|(level, _)| level.is_below(piece.level, far));
        levels.iter().skip(start).take_while(move |(level, _)| piece.level.is_near(*level, far))
    };
    // of what is tiny it is not known how large it was
    let far = if is_shrunk { 4.0 } else { OFF * piece.run.size };
    for (_, place) in around(far) {
        let Some(run) = page.runs.get(*place) else { continue };
        *checks = checks.checked_sub(1)?;
        let is_as_large = is_shrunk || run.size <= LARGER * piece.run.size && piece.run.size <= LARGER * run.size;
        let is_seen = *place != piece.place && !invisible.contains(place) && sight.visibility.is_run_seen(*place);
        if !is_as_large || !is_seen || !run.is_known() || run.color.is_none() || !says_something(page.text(run)) {
            continue;
        }
        *checks = checks.checked_sub(own.len() + page.glyphs(run).len())?;
        let (start, end) = span(&own);
        let end = if is_shrunk { start + WIDTH * run.size * own.len() as f64 } else { end };
        let glyphs = page.extents(run, &piece.run);
        let seen = glyphs.iter().enumerate().filter(|(glyph, _)| sight.visibility.is_seen(*place, *glyph));
        let upon: f64 = seen.map(|(_, (from, to))| (to.min(end) - from.max(start)).max(0.0)).sum();
        let (from, to) = span(&glyphs);
        if upon > 0.0 && upon >= UPON * (end - start).min(to - from) {
            found.insert(*place);
        }
    }
    Some(found)
}

/// From where to where all of these go.
fn span(extents: &[(f64, f64)]) -> (f64, f64) {
    extents.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(start, end), (from, to)| (start.min(*from), end.max(*to)))
}

impl Line {
    /// Its pieces, and what stands in their places.
    fn texts(&self, sight: &Sight) -> [String; 2] {
        let before = self.pieces.iter().map(|piece| sight.page.text(&piece.run)).collect();
        let runs = self.instead.iter().filter_map(|place| sight.page.runs.get(*place));
        [before, runs.map(|run| sight.page.text(run)).collect()]
    }

    /// Whether the same text stands in the place of its pieces.
    fn is_again(&self, sight: &Sight) -> bool {
        let [before, now] = self.texts(sight).map(|text| letters(&text));
        let hidden: Vec<Run> = self.pieces.iter().map(|piece| piece.run.clone()).collect();
        let runs = self.instead.iter().filter_map(|place| sight.page.runs.get(*place).cloned());
        let runs: Vec<Run> = runs.collect();
        // writers that draw a line in strips draw in each the letters that reach into it
        let is_strip = |run: &Run| !PageText::is_unclipped(run) && run.bounds.meets(run.clip);
        before == now
            || is_again(sight.page, &hidden, &runs, self.size)
            || hidden.iter().all(is_strip) && is_part(sight.page, &hidden, &runs, self.size)
    }

    fn finding(
        &self,
        sight: &Sight,
        levels: &[(LineLevel, usize)],
        invisible: &BTreeSet<usize>,
        number: u32,
    ) -> Option<HiddenText> {
        let [before, _] = self.texts(sight);
        if self.is_again(sight) || before.starts_with(PLACEHOLDER) {
            return None;
        }
        let page = sight.page;
        let start = levels.partition_point(|(level, _)| level.is_below(self.level, OFF * self.size));
        let near = levels.iter().skip(start).take_while(|(level, _)| self.level.is_near(*level, OFF * self.size));
        let near: BTreeSet<usize> = near.map(|(_, place)| *place).collect();
        let is_replaced = |run: &Run, glyph: usize| self.pieces.iter().any(|piece| piece.run.has_glyph(run, glyph));
        let seen = |is_wanted: &dyn Fn(usize) -> bool| {
            let mut pieces = Vec::new();
            let places = near.union(&self.instead).filter(|place| !invisible.contains(place) && is_wanted(**place));
            for place in places {
                let Some(run) = page.runs.get(*place) else { continue };
                let is_seen = |glyph| sight.visibility.is_seen(*place, glyph) && !is_replaced(run, glyph);
                page.cut(run, is_seen, &mut pieces);
            }
            pieces
        };
        let on_line = |mut pieces: Vec<Run>| {
            pieces.iter_mut().for_each(|piece| piece.lay_on(self.level));
            page.lines_of(&pieces)
        };
        let hidden: Vec<Run> = self.pieces.iter().map(|piece| piece.run.clone()).collect();
        let mut was = seen(&|place| !self.instead.contains(&place));
        was.extend(hidden.iter().cloned());
        let now = seen(&|_| true);
        let is_interleaved = [&was, &now].into_iter().any(|line| indeterminate::is_interleaved(page, line));
        let change = LineChange { before: text(&on_line(was)), now: text(&on_line(now)) };
        let lines = page.lines_of(&hidden);
        let finding = HiddenText::of(&lines, number, HiddenKind::Retyped)?;
        let is_known = self.pieces.iter().all(|piece| piece.veil == Veil::None);
        // where nobody can read the line, it is a finding only if one text is hidden, and no line is quoted
        if is_interleaved && !is_known {
            return None;
        }
        let veil = if is_known { Veil::None } else { Veil::Perhaps };
        let text = match indeterminate::is_interleaved(page, &hidden) {
            true => apart(page, &hidden),
            false => joined(lines.iter().flat_map(|line| &line.words)),
        };
        Some(HiddenText { text, change: Some(change).filter(|_| !is_interleaved), veil: Some(veil), ..finding })
    }
}
