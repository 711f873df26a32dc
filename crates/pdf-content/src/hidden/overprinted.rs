//! Overprinted text: invisible or possibly invisible text with other text in its place, which readers show. Text
//! without a replacement is reported by `invisible_text`, or makes the page's text indeterminate.

use std::collections::BTreeSet;

use super::cut_off::{self, span};
use super::finding::{Cover, HiddenText, LineChange, in_painting_order, joined, letters, text};
use super::indeterminate;
use super::invisible_text::{InvisibleRuns, has_background_color, is_clipped_away};
use super::layered;
use super::page_visibility::{PageVisibility, is_meaningful};
use super::redrawn::{is_partly_redrawn, is_redrawn};
use super::report::HiddenKind;
use super::similarity::{is_other_value, unhyphenated};
use crate::text_contrast::Background;
use crate::{AnnotationKind, Bands, BaselineKey, PageText, Run};

/// Tolerance for a text and its replacement: baseline distance (em) and size ratio.
const BASELINE_TOLERANCE_EM: f64 = 0.25;
const MAX_SIZE_RATIO: f64 = 2.0;
/// Minimum overlap of the shorter text with the other.
const MIN_OVERLAP_PART: f64 = 0.5;
/// Assumed width (em) of letters scaled to nothing.
const ASSUMED_WIDTH_EM: f64 = 0.5;
/// Minimum rise (em) of text moved off its line; superscripts rise less.
const MOVED_MIN_RISE_EM: f64 = 1.0;
/// Maximum pieces of text compared with others on their lines.
const MAX_PIECES: usize = 2_000;
/// Characters that start a placeholder, which a program finds and overprints.
const PLACEHOLDER_STARTS: [char; 9] = ['\\', '/', '{', '[', '<', '#', '&', '*', '$'];

/// The overprinted text of a page.
#[derive(Debug, Default)]
pub(super) struct Overprinted {
    pub(super) findings: Vec<HiddenText>,
    /// Runs that the findings report, by index.
    pub(super) reported: BTreeSet<usize>,
    /// Further runs that may be invisible, by index.
    pub(super) perhaps: BTreeSet<usize>,
    /// Whether the visibility of some text is unknown.
    pub(super) is_inconclusive: bool,
}

/// A piece of a run that is or may be invisible.
struct Piece {
    run: Run,
    place: usize,
    level: BaselineKey,
    cover: Cover,
    /// Whether its rise moves it off its line.
    is_raised: bool,
    /// Whether it was drawn off its line, or so small that it takes hardly any space.
    is_moved: bool,
    /// Whether only its clip hides it.
    is_cut_off: bool,
    /// Whether it makes the page's text indeterminate if it has no replacement.
    is_inconclusive: bool,
}

/// Overprinted text of a line.
struct Line {
    level: BaselineKey,
    size: f64,
    /// Whether the text is in a layer that is off.
    is_layered: bool,
    pieces: Vec<Piece>,
    /// The runs in their place, by index.
    replacements: BTreeSet<usize>,
}

/// Returns the overprinted text among invisible and possibly hidden runs; none if that takes more than `checks`.
pub(super) fn find(
    visible: &PageVisibility,
    invisible: &InvisibleRuns,
    number: u32,
    checks: &mut usize,
) -> Option<Overprinted> {
    let mut overprinted = Overprinted::default();
    let pieces = pieces(visible, invisible, checks)?;
    if pieces.is_empty() {
        return Some(overprinted);
    }
    overprinted.is_inconclusive |= pieces.len() > MAX_PIECES;
    let mut invisible: BTreeSet<usize> = invisible.values().flatten().copied().collect();
    // a copy in the color of the ground is paint, not text, and so is a glyph that covers more than its cell
    for (place, run) in visible.seen() {
        let is_paint = visible.page.is_glyph_cover(run);
        if !invisible.contains(&place) && (is_paint || has_background_color(visible, run, checks)?) {
            invisible.insert(place);
        }
    }
    let cuts = pieces.iter().filter(|piece| piece.is_cut_off).count();
    let levels = visible.levels();
    let runs = Bands::new(visible.page, visible.page.runs.iter());
    let mut lines: Vec<Line> = Vec::new();
    let mut has_alternatives = false;
    for piece in pieces.into_iter().take(MAX_PIECES) {
        // nearly all have no other run in their place
        let around = runs.around(piece.run.bounds);
        *checks = checks.checked_sub(around.len())?;
        let is_other = |other: &&Run| other.order != piece.run.order && other.bounds.meets(piece.run.bounds);
        let is_alone = !piece.is_moved && !around.iter().any(is_other);
        if !is_alone && visible.has_seen_copy(piece.place) {
            continue;
        }
        let replacements = match is_alone {
            true => BTreeSet::new(),
            false => replacements(visible, &piece, &levels, &invisible, checks)?,
        };
        if replacements.is_empty() {
            if let Some(finding) = moved_off(visible, &piece, &levels, (&invisible, number)) {
                overprinted.reported.insert(piece.place);
                overprinted.findings.push(finding);
                continue;
            }
            overprinted.is_inconclusive |= piece.is_inconclusive;
            overprinted.perhaps.extend((piece.cover == Cover::Perhaps).then_some(piece.place));
            continue;
        }
        let is_layered = piece.cover == Cover::Layer;
        if is_layered && !layered::is_replaced(visible.page, &piece.run, &replacements) {
            // the page's layers are alternatives
            has_alternatives = true;
            continue;
        }
        let size = piece.run.size.max(0.1);
        let is_of = |line: &Line| {
            line.is_layered == is_layered && line.level.is_near(piece.level, BASELINE_TOLERANCE_EM * size)
        };
        let line = lines.iter().position(is_of);
        match line.and_then(|line| lines.get_mut(line)) {
            Some(line) => {
                line.replacements.extend(replacements);
                line.pieces.push(piece);
            }
            None => lines.push(Line { level: piece.level, size, is_layered, replacements, pieces: vec![piece] }),
        }
    }
    for line in lines {
        *checks = checks.checked_sub(levels.len())?;
        let places = line.pieces.iter().map(|piece| piece.place);
        let is_edit = || layered::is_edit(visible, &places.clone().collect::<Vec<_>>(), &line.replacements);
        if line.is_layered && (has_alternatives || !is_edit()) {
            continue;
        }
        overprinted.perhaps.extend(places.clone());
        let near = line.near(&levels);
        if line.is_cut_off() {
            *checks = checks.checked_sub(line.pieces.len() * near.len())?;
        }
        match line.finding(visible, &near, &invisible, (number, cuts)) {
            Some(finding) => {
                overprinted.reported.extend(places);
                overprinted.findings.push(finding);
            }
            None => {
                overprinted.is_inconclusive |=
                    line.pieces.iter().any(|piece| piece.is_inconclusive && !line.is_redrawn(visible));
            }
        }
    }
    Some(overprinted)
}

/// Returns the pieces of runs that are or may be invisible.
fn pieces(visible: &PageVisibility, invisible: &InvisibleRuns, checks: &mut usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut add = |place: usize, runs: Vec<Run>, cover: Cover, (is_cut_off, is_inconclusive): (bool, bool)| {
        for run in runs.into_iter().filter(|run| is_meaningful(visible.page.text(run))) {
            let is_raised = f64::from(run.rise).abs() > MOVED_MIN_RISE_EM * run.size;
            let level = if is_raised { run.unraised_level() } else { run.level() };
            let is_moved = is_raised || run.is_scaled_to_nothing() || run.size < 1.0;
            pieces.push(Piece { run, place, level, cover, is_raised, is_moved, is_cut_off, is_inconclusive });
        }
    };
    let is_widget = |number: u32| {
        let mut annotations = visible.page.annotations.iter();
        annotations.any(|found| found.number == number && !matches!(found.kind, AnnotationKind::Redact(_)))
    };
    let layered = invisible.get(&HiddenKind::HiddenLayer).map(Vec::as_slice).unwrap_or_default();
    let is_short = layered::is_short(visible, layered);
    for (kind, places) in invisible.iter().filter(|(kind, _)| is_short || **kind != HiddenKind::HiddenLayer) {
        let is_moved = |run: &Run| f64::from(run.rise).abs() > MOVED_MIN_RISE_EM * run.size;
        for place in places {
            let Some(run) = visible.page.runs.get(*place) else { continue };
            *checks = checks.checked_sub(visible.page.runs.len())?;
            let counts = match kind {
                // letters in the background's color may cover others
                HiddenKind::Invisible => !run.paints() || !is_paint(visible, run),
                HiddenKind::Tiny => true,
                HiddenKind::OffPage => is_moved(run),
                HiddenKind::HiddenLayer => layered::may_be_replaced(visible.page, run),
                _ => false,
            };
            if counts && !run.annotation.is_some_and(is_widget) {
                let cover = if *kind == HiddenKind::HiddenLayer { Cover::Layer } else { Cover::None };
                let is_cut_off =
                    *kind == HiddenKind::Invisible && run.paints() && is_clipped_away(visible, *place, run);
                add(*place, vec![run.clone()], cover, (is_cut_off, false));
            }
        }
    }
    let invisible: BTreeSet<usize> = invisible.values().flatten().copied().collect();
    for (place, run) in visible.page.runs.iter().enumerate() {
        if !run.is_painted() || invisible.contains(&place) || run.annotation.is_some_and(is_widget) {
            continue;
        }
        let is_colorless = run.color.is_none();
        if !run.is_known() || is_colorless {
            add(place, vec![run.clone()], Cover::Perhaps, (false, !run.is_known()));
            continue;
        }
        if is_pale_value(visible, run) {
            add(place, vec![run.clone()], Cover::None, (false, false));
            continue;
        }
        if visible.visibility.covered_run(place).is_none() && PageText::is_unclipped(run) {
            continue;
        }
        let visibility = &visible.visibility;
        let mut clipped = Vec::new();
        visible.page.cut(run, |glyph| visibility.is_clipped(place, glyph), &mut clipped);
        add(place, clipped, Cover::None, (true, false));
        let mut perhaps = Vec::new();
        visible.page.cut(run, |glyph| visibility.is_perhaps_hidden(place, glyph), &mut perhaps);
        add(place, perhaps, Cover::Perhaps, (false, true));
    }
    Some(pieces)
}

/// Whether a run is a number that is hardly legible on its background. Such letters are watermarks and placeholders.
fn is_pale_value(visible: &PageVisibility, run: &Run) -> bool {
    if !visible.page.text(run).bytes().any(|letter| matches!(letter, b'1'..=b'9')) {
        return false;
    }
    match visible.areas.background(visible.page, run) {
        Background::Paper => run.is_pale_on([255; 3]),
        Background::Color(color) => run.is_pale_on(color),
        Background::Unknown => false,
    }
}

/// Whether the glyphs of a run may cover earlier text.
fn is_paint(visible: &PageVisibility, run: &Run) -> bool {
    let mut runs = visible.page.runs.iter().enumerate().take_while(|(_, other)| other.order < run.order);
    runs.any(|(place, other)| {
        let glyphs = visible.page.glyphs(other).len();
        other.bounds.meets(run.bounds) && (0..glyphs).any(|glyph| visible.visibility.is_perhaps_hidden(place, glyph))
    })
}

/// Returns the visible runs in the place of a piece.
fn replacements(
    visible: &PageVisibility,
    piece: &Piece,
    levels: &[(BaselineKey, usize)],
    invisible: &BTreeSet<usize>,
    checks: &mut usize,
) -> Option<BTreeSet<usize>> {
    let page = visible.page;
    let is_shrunk = piece.run.is_scaled_to_nothing() || piece.run.size < 1.0;
    let own = page.extents(&piece.run, &piece.run);
    let mut found = BTreeSet::new();
    let around = |far: f64| {
        let start = levels.partition_point(|(level, _)| level.is_below(piece.level, far));
        levels.iter().skip(start).take_while(move |(level, _)| piece.level.is_near(*level, far))
    };
    // the original size of tiny text is unknown
    let far = if is_shrunk { 4.0 } else { BASELINE_TOLERANCE_EM * piece.run.size };
    for (_, place) in around(far) {
        let Some(run) = page.runs.get(*place) else { continue };
        *checks = checks.checked_sub(1)?;
        let is_as_large =
            is_shrunk || run.size <= MAX_SIZE_RATIO * piece.run.size && piece.run.size <= MAX_SIZE_RATIO * run.size;
        let is_seen = *place != piece.place && !invisible.contains(place) && visible.visibility.is_run_seen(*place);
        if !is_as_large || !is_seen || !run.is_known() || run.color.is_none() || !is_meaningful(page.text(run)) {
            continue;
        }
        *checks = checks.checked_sub(own.len() + page.glyphs(run).len())?;
        let (start, end) = span(&own);
        let end = if is_shrunk { start + ASSUMED_WIDTH_EM * run.size * own.len() as f64 } else { end };
        let glyphs = page.extents(run, &piece.run);
        let seen = glyphs.iter().enumerate().filter(|(glyph, _)| visible.visibility.is_seen(*place, *glyph));
        let overlap: f64 = seen.map(|(_, (from, to))| (to.min(end) - from.max(start)).max(0.0)).sum();
        let (from, to) = span(&glyphs);
        if overlap > 0.0 && overlap >= MIN_OVERLAP_PART * (end - start).min(to - from) {
            found.insert(*place);
        }
    }
    Some(found)
}

/// Returns a text that its rise moves off the page, out of a line that is visible otherwise.
fn moved_off(
    visible: &PageVisibility,
    piece: &Piece,
    levels: &[(BaselineKey, usize)],
    (invisible, number): (&BTreeSet<usize>, u32),
) -> Option<HiddenText> {
    if !piece.is_raised || piece.cover != Cover::None {
        return None;
    }
    let far = BASELINE_TOLERANCE_EM * piece.run.size;
    let start = levels.partition_point(|(level, _)| level.is_below(piece.level, far));
    let near = levels.iter().skip(start).take_while(|(level, _)| piece.level.is_near(*level, far));
    let seen = near.map(|(_, place)| *place).filter(|place| {
        let run = visible.page.runs.get(*place);
        let has_text = run.is_some_and(|run| is_meaningful(visible.page.text(run)));
        *place != piece.place && has_text && !invisible.contains(place) && visible.visibility.is_run_seen(*place)
    });
    let seen: Vec<usize> = seen.collect();
    let rest = visible.lines(&seen);
    if rest.is_empty() {
        return None;
    }
    let mut line: Vec<Run> = seen.iter().filter_map(|place| visible.page.runs.get(*place).cloned()).collect();
    let mut moved = piece.run.clone();
    moved.snap_to_baseline(piece.level);
    line.push(moved);
    let change = LineChange { before: text(&visible.page.lines_of(&line)), now: text(&rest) };
    let hidden = visible.page.lines_of(std::slice::from_ref(&piece.run));
    let finding = HiddenText::of(&hidden, number, HiddenKind::Covered)?;
    Some(HiddenText { change: Some(change), cover: Some(Cover::None), ..finding })
}

impl Line {
    /// The runs in the place of its pieces.
    fn replacements<'p>(&self, page: &'p PageText) -> impl Iterator<Item = &'p Run> {
        self.replacements.iter().filter_map(|place| page.runs.get(*place))
    }

    /// Returns the text of its pieces and of their replacements.
    fn texts(&self, visible: &PageVisibility) -> [String; 2] {
        let before = self.pieces.iter().map(|piece| visible.page.text(&piece.run)).collect();
        [before, self.replacements(visible.page).map(|run| visible.page.text(run)).collect()]
    }

    /// Whether the replacements show the same text.
    fn is_redrawn(&self, visible: &PageVisibility) -> bool {
        let [before, now] = self.texts(visible).map(|text| letters(&text));
        let is_same_but_for_hyphens = || {
            let hidden = self.pieces.iter().map(|piece| visible.page.text(&piece.run));
            let shown = self.replacements(visible.page).map(|run| visible.page.text(run));
            unhyphenated(hidden) == unhyphenated(shown)
        };
        let hidden: Vec<Run> = self.pieces.iter().map(|piece| piece.run.clone()).collect();
        let runs: Vec<Run> = self.replacements(visible.page).cloned().collect();
        // writers that draw a line in strips repeat letters in each strip that they cross
        let is_strip = |run: &Run| !PageText::is_unclipped(run) && run.bounds.meets(run.clip);
        before == now
            || is_same_but_for_hyphens()
            || is_redrawn(visible.page, &hidden, &runs, self.size)
            || hidden.iter().all(is_strip) && is_partly_redrawn(visible.page, &hidden, &runs, self.size)
    }

    /// Whether only clips hide its pieces.
    fn is_cut_off(&self) -> bool {
        self.pieces.iter().all(|piece| piece.is_cut_off)
    }

    /// The runs on its level, by index.
    fn near(&self, levels: &[(BaselineKey, usize)]) -> BTreeSet<usize> {
        let far = BASELINE_TOLERANCE_EM * self.size;
        let start = levels.partition_point(|(level, _)| level.is_below(self.level, far));
        let near = levels.iter().skip(start).take_while(|(level, _)| self.level.is_near(*level, far));
        near.map(|(_, place)| *place).collect()
    }

    fn finding(
        &self,
        visible: &PageVisibility,
        near: &BTreeSet<usize>,
        invisible: &BTreeSet<usize>,
        (number, cuts): (u32, usize),
    ) -> Option<HiddenText> {
        let [before, now] = self.texts(visible);
        // perhaps hidden, and perhaps the same text
        let is_unread = [&before, &now].iter().any(|text| text.contains(char::REPLACEMENT_CHARACTER));
        let is_doubtful = is_unread && self.pieces.iter().any(|piece| piece.cover == Cover::Perhaps);
        // overflowing text may lie over pale numbers
        let is_other =
            self.pieces.iter().any(|piece| is_pale_value(visible, &piece.run)) && !is_other_value(&before, &now);
        if is_doubtful || is_other || self.is_redrawn(visible) || before.starts_with(PLACEHOLDER_STARTS) {
            return None;
        }
        let page = visible.page;
        if self.is_cut_off() {
            let pieces: Vec<(usize, &Run)> = self.pieces.iter().map(|piece| (piece.place, &piece.run)).collect();
            let replacements: Vec<&Run> = self.replacements(page).collect();
            if !cut_off::is_replaced(visible, &pieces, (near, &replacements), cuts > cut_off::MAX_VERSIONS) {
                return None;
            }
        }
        let is_replaced = |run: &Run, glyph: usize| self.pieces.iter().any(|piece| piece.run.has_glyph(run, glyph));
        let seen = |is_wanted: &dyn Fn(usize) -> bool| {
            let mut pieces = Vec::new();
            let places =
                near.union(&self.replacements).filter(|place| !invisible.contains(place) && is_wanted(**place));
            for place in places {
                let Some(run) = page.runs.get(*place) else { continue };
                let is_seen = |glyph| visible.visibility.is_seen(*place, glyph) && !is_replaced(run, glyph);
                page.cut(run, is_seen, &mut pieces);
            }
            pieces
        };
        let on_line = |mut pieces: Vec<Run>| {
            pieces.iter_mut().for_each(|piece| piece.snap_to_baseline(self.level));
            page.lines_of(&pieces)
        };
        let hidden: Vec<Run> = self.pieces.iter().map(|piece| piece.run.clone()).collect();
        let mut was = seen(&|place| !self.replacements.contains(&place));
        was.extend(hidden.iter().cloned());
        let now = seen(&|_| true);
        let is_interleaved = [&was, &now].into_iter().any(|line| indeterminate::is_interleaved(page, line));
        let change = LineChange { before: text(&on_line(was)), now: text(&on_line(now)) };
        let lines = page.lines_of(&hidden);
        let finding = HiddenText::of(&lines, number, HiddenKind::Retyped)?;
        let is_known = self.pieces.iter().all(|piece| piece.cover != Cover::Perhaps);
        // an unreadable line is a finding only if one text is certainly hidden, and is not quoted
        if is_interleaved && !is_known {
            return None;
        }
        let cover = match (self.is_layered, is_known) {
            (true, _) => Cover::Layer,
            (false, true) => Cover::None,
            (false, false) => Cover::Perhaps,
        };
        let text = match indeterminate::is_interleaved(page, &hidden) {
            true => in_painting_order(page, &hidden),
            false => joined(lines.iter().flat_map(|line| &line.words)),
        };
        Some(HiddenText { text, change: Some(change).filter(|_| !is_interleaved), cover: Some(cover), ..finding })
    }
}
