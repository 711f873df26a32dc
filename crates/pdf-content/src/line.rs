//! Words and lines: runs on a common baseline, joined or separated by the gaps between them.

use std::ops::Range;

use super::direction::{self, Direction};
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::{Baseline, BaselineKey, Run};

/// Minimum gap between words, in font sizes.
const WORD_MIN_GAP_EM: f64 = 0.15;
/// Maximum overlap of consecutive runs of a word, in font sizes.
const WORD_MAX_OVERLAP_EM: f64 = 0.5;
/// Maximum text rise within a word, in font sizes.
const WORD_MAX_RISE_EM: f64 = 0.5;
/// Maximum gap or overlap of runs of a word that were not shown consecutively, in font sizes.
const OUT_OF_ORDER_MAX_GAP_EM: f64 = 0.1;
/// Maximum distance of words of a line from its baseline, in font sizes.
const BASELINE_TOLERANCE_EM: f64 = 0.25;
/// Maximum shift of a word drawn twice for boldness or a shadow, in font sizes.
const DOUBLED_WORD_MAX_SHIFT_EM: f64 = 0.15;

/// The same for individual letters that are drawn twice, and the maximum distance of both in runs.
const DOUBLED_LETTER_MAX_SHIFT_EM: f64 = 0.1;
const DOUBLED_LETTER_MAX_RUNS: usize = 4;

/// Maximum width of a zero-width glyph, in font sizes.
const ZERO_WIDTH_MAX_EM: f64 = 0.05;

/// A line of words.
#[derive(Debug, Clone)]
pub struct Line {
    /// The words, in the order of reading.
    pub words: Vec<Word>,
    /// Bounding box, in points.
    pub bounds: Rectangle,
}

/// A word.
#[derive(Debug, Clone)]
pub struct Word {
    /// Its characters in reading order; U+FFFD for each undecoded code.
    pub text: String,
    /// Number of undecoded codes.
    pub undecoded: u32,
    /// Bounding box, in points.
    pub bounds: Rectangle,
    /// Indices of its runs in [`PageText::runs`].
    pub runs: Vec<usize>,
}

/// A word under construction: its runs, from left to right.
struct WordDraft {
    runs: Vec<usize>,
    line: Baseline,
    level: BaselineKey,
    /// Start and end along its direction.
    start: f64,
    end: f64,
    annotation: Option<u32>,
}

impl Line {
    /// Returns the words separated by blanks.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}

impl PageText {
    /// Returns the lines of the page from top to bottom, words in reading order. Text drawn twice in one place appears
    /// once. Invisible runs are included.
    pub fn lines(&self) -> Vec<Line> {
        self.lines_of(&self.runs)
    }

    /// Returns the lines of these runs or pieces of runs, given in painting order; words refer to their indices in
    /// `runs`.
    pub fn lines_of(&self, runs: &[Run]) -> Vec<Line> {
        LineBuilder { page: self, runs }.lines()
    }
}

/// Builds lines from runs.
struct LineBuilder<'p> {
    page: &'p PageText,
    runs: &'p [Run],
}

/// A base glyph with its combining marks.
struct Cluster {
    /// Position of its center along the line.
    at: f64,
    width: f64,
    text: String,
    is_mark: bool,
}

impl LineBuilder<'_> {
    fn lines(&self) -> Vec<Line> {
        let mut drafts = self.drafts();
        drafts.sort_by(|one, other| one.level.order(other.level).then(one.start.total_cmp(&other.start)));
        let mut lines: Vec<Vec<WordDraft>> = Vec::new();
        for draft in drafts {
            match lines.last_mut() {
                Some(line) if line.first().is_some_and(|first| first.is_on_line_with(&draft)) => line.push(draft),
                _ => lines.push(vec![draft]),
            }
        }
        let mut lines: Vec<Line> = lines.into_iter().filter_map(|drafts| self.line(drafts)).collect();
        lines.sort_by(|one, other| {
            let (one, other) = (one.bounds, other.bounds);
            other.bottom.total_cmp(&one.bottom).then(one.left.total_cmp(&other.left))
        });
        lines
    }

    /// Joins consecutive runs into words.
    fn drafts(&self) -> Vec<WordDraft> {
        let mut drafts: Vec<WordDraft> = Vec::new();
        let mut marks: Vec<WordDraft> = Vec::new();
        let mut before: Option<&Run> = None;
        let mut has_blank = false;
        for (place, run) in self.runs.iter().enumerate() {
            if self.is_double(place, run) {
                continue;
            }
            has_blank |= run.after_blank || before.is_some_and(|before| before.before_blank);
            before = Some(run);
            let draft = WordDraft::new(place, run);
            if self.page.text(run).chars().all(direction::is_mark) {
                marks.push(draft);
                continue;
            }
            match drafts.last_mut() {
                Some(last)
                    if !has_blank
                        && last.goes_on_with(&draft, WORD_MAX_RISE_EM, -WORD_MAX_OVERLAP_EM..WORD_MIN_GAP_EM) =>
                {
                    last.append(draft);
                }
                _ => drafts.push(draft),
            }
            has_blank = false;
            marks.drain(..).for_each(|mark| attach_mark(&mut drafts, mark));
        }
        marks.into_iter().for_each(|mark| attach_mark(&mut drafts, mark));
        drafts
    }

    /// Returns the line of words on a common baseline.
    fn line(&self, mut drafts: Vec<WordDraft>) -> Option<Line> {
        drafts.sort_by(|one, other| one.start.total_cmp(&other.start));
        let mut joined: Vec<WordDraft> = Vec::new();
        for draft in drafts {
            match joined.last_mut() {
                Some(last) if self.is_twice(last, &draft) => {}
                Some(last) if self.is_one_word(last, &draft) => last.append(draft),
                _ => joined.push(draft),
            }
        }
        let visual: Vec<Word> = joined.iter().flat_map(|draft| self.words(draft)).collect();
        let directions: Vec<Direction> = visual.iter().map(|word| direction::of_word(&word.text)).collect();
        let mut visual: Vec<Option<Word>> = visual.into_iter().map(Some).collect();
        let order = direction::order(&directions);
        let mut words: Vec<Word> = order.into_iter().filter_map(|place| visual.get_mut(place)?.take()).collect();
        if directions.contains(&Direction::RightToLeft) {
            direction::turn_alone(words.iter_mut().map(|word| &mut word.text));
        }
        let bounds = words.iter().map(|word| word.bounds).reduce(Rectangle::with)?;
        Some(Line { words, bounds })
    }

    /// Whether the second word repeats the first or a part of it at nearly the same place, as for simulated bold.
    fn is_twice(&self, one: &WordDraft, other: &WordDraft) -> bool {
        let near = DOUBLED_WORD_MAX_SHIFT_EM * one.line.em;
        let is_within = one.start - near <= other.start && other.end <= one.end + near;
        is_within && self.characters(one).contains(&self.characters(other))
    }

    /// Whether a run repeats a recent one in the same place.
    fn is_double(&self, place: usize, run: &Run) -> bool {
        let before = self.runs.get(place.saturating_sub(DOUBLED_LETTER_MAX_RUNS)..place).unwrap_or_default();
        let is_same = |other: &Run| {
            let (along, off) = other.line.measure(run.line.start);
            let near = DOUBLED_LETTER_MAX_SHIFT_EM * other.line.em;
            along.abs() <= near && off.abs() <= near && self.page.text(other) == self.page.text(run)
        };
        run.undecoded == 0 && before.iter().any(is_same)
    }

    /// Whether two drafts are one word that was not shown in order.
    fn is_one_word(&self, one: &WordDraft, other: &WordDraft) -> bool {
        let run = |place: Option<&usize>| place.and_then(|place| self.runs.get(*place));
        let (Some(last), Some(next)) = (run(one.runs.last()), run(other.runs.first())) else { return false };
        let is_right_to_left = direction::of_word(self.page.text(next)) == Direction::RightToLeft;
        // blanks follow the order of showing, which is reversed there
        let has_blank = (last.before_blank || next.after_blank) && !is_right_to_left;
        !has_blank && one.goes_on_with(other, BASELINE_TOLERANCE_EM, -OUT_OF_ORDER_MAX_GAP_EM..OUT_OF_ORDER_MAX_GAP_EM)
    }

    /// Returns the characters of a draft from left to right.
    fn characters(&self, draft: &WordDraft) -> String {
        let runs = draft.runs.iter().filter_map(|place| self.runs.get(*place));
        runs.map(|run| self.page.text(run)).collect()
    }

    /// Returns the characters of a right-to-left draft in logical order.
    fn logical(&self, draft: &WordDraft) -> String {
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut places = draft.runs.clone();
        places.sort_unstable();
        for run in places.iter().filter_map(|place| self.runs.get(*place)) {
            let (across, up) = run.line.direction;
            let from = run.line.start.0 * across + run.line.start.1 * up - f64::from(run.skipped);
            let cluster = |start: f32, end: f32, text: &str| Cluster {
                at: from + f64::from(start + end) / 2.0,
                width: f64::from(end - start),
                is_mark: !text.is_empty() && text.chars().all(direction::is_mark),
                text: text.to_owned(),
            };
            let glyphs = self.page.glyphs(run);
            if self.page.glyph_text(run, 0).is_none() {
                // `/ActualText` is in logical order already
                let start = glyphs.iter().map(|glyph| glyph.start).fold(f32::MAX, f32::min);
                let end = glyphs.iter().map(|glyph| glyph.end).fold(f32::MIN, f32::max);
                clusters.push(cluster(start, end, self.page.text(run)));
                continue;
            }
            let mut start = run.text.start;
            for glyph in glyphs {
                let text = self.page.text_between(start, glyph.text);
                clusters.push(cluster(glyph.start, glyph.end, text));
                start = glyph.text;
            }
        }
        let mut letters = with_marks(clusters);
        letters.sort_by(|one, other| one.at.total_cmp(&other.at));
        // a zero-width glyph with the text of its neighbor is part of that
        letters.dedup_by(|next, last| {
            let is_thin = next.width.min(last.width) <= ZERO_WIDTH_MAX_EM * draft.line.em;
            is_thin && next.text == last.text && (next.at - last.at).abs() <= next.width.max(last.width)
        });
        direction::logical(&letters.into_iter().map(|letter| letter.text).collect::<Vec<_>>())
    }

    /// Returns the word, or several where `/ActualText` has blanks.
    fn words(&self, draft: &WordDraft) -> Vec<Word> {
        let runs = || draft.runs.iter().filter_map(|place| self.runs.get(*place));
        let mut text = self.characters(draft);
        let is_complete = draft.runs.len() == 1 && runs().all(|run| run.is_actual);
        if !is_complete && direction::of_word(&text) == Direction::RightToLeft {
            text = self.logical(draft);
        }
        let Some(bounds) = runs().map(|run| run.bounds).reduce(Rectangle::with) else { return Vec::new() };
        let undecoded = |text: &str| text.chars().filter(|found| *found == char::REPLACEMENT_CHARACTER).count() as u32;
        let word = |text: String| Word { undecoded: undecoded(&text), text, bounds, runs: draft.runs.clone() };
        match text.contains(' ') {
            false => vec![word(text)],
            true => text.split_whitespace().map(|text| word(text.to_owned())).collect(),
        }
    }
}

/// Attaches a combining mark to the nearer of the last two words; to the last one if that is ambiguous.
fn attach_mark(drafts: &mut Vec<WordDraft>, mark: WordDraft) {
    let middle = (mark.start + mark.end) / 2.0;
    let away = |draft: &WordDraft| (draft.start - middle).max(middle - draft.end).max(0.0);
    match drafts.as_mut_slice() {
        [.., one, other] if one.level.is_along(mark.level) && away(one) < away(other) => one.runs.extend(mark.runs),
        [.., last] if last.level.is_along(mark.level) && away(last) <= mark.line.em => last.runs.extend(mark.runs),
        _ => drafts.push(mark),
    }
}

/// Returns base glyphs with their marks. Marks precede their base where glyphs were shown from left to right, and
/// follow it where they were shown in logical order.
fn with_marks(clusters: Vec<Cluster>) -> Vec<Cluster> {
    let letters: Vec<f64> = clusters.iter().filter(|cluster| !cluster.is_mark).map(|letter| letter.at).collect();
    let forwards = letters.windows(2).filter(|pair| pair.first() < pair.last()).count();
    let is_visual = 2 * forwards >= letters.len().saturating_sub(1);
    let mut found: Vec<Cluster> = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for mut cluster in clusters {
        match (cluster.is_mark, found.last_mut()) {
            (true, Some(letter)) if !is_visual => letter.text.push_str(&cluster.text),
            (true, _) => waiting.push(cluster.text),
            (false, _) => {
                cluster.text.extend(waiting.drain(..).rev());
                found.push(cluster);
            }
        }
    }
    if let Some(letter) = found.last_mut() {
        letter.text.extend(waiting.drain(..).rev());
    }
    found
}

impl WordDraft {
    fn new(place: usize, run: &Run) -> Self {
        let line = run.line;
        let (across, up) = line.direction;
        let along = |(x, y): (f64, f64)| x * across + y * up;
        let (start, end) = (along(line.start), along(line.end));
        Self { runs: vec![place], line, level: run.level(), start, end, annotation: run.annotation }
    }

    /// Appends another draft; the larger one determines the baseline.
    fn append(&mut self, other: Self) {
        self.runs.extend(other.runs);
        self.end = self.end.max(other.end);
        if other.line.em > self.line.em {
            (self.line, self.level) = (other.line, other.level);
        }
    }

    fn is_on_line_with(&self, other: &Self) -> bool {
        self.level.is_near(other.level, BASELINE_TOLERANCE_EM * self.line.em.min(other.line.em))
    }

    /// Whether another draft follows within these tolerances, in font sizes.
    fn goes_on_with(&self, other: &Self, off: f64, gaps: Range<f64>) -> bool {
        let em = self.line.em.max(other.line.em);
        let gap = other.start - self.end;
        self.level.is_near(other.level, off * em)
            && self.annotation == other.annotation
            && (gaps.start * em..gaps.end * em).contains(&gap)
            && other.end > self.start
    }
}
