//! Words and lines: runs on one baseline, joined or parted by the gaps between them.

use std::ops::Range;

use super::direction::{self, Direction};
use super::drawn::{Baseline, PageText, Run};
use super::sight::around;

/// A gap in sizes of the font from which on two runs are two words.
const WORD_GAP: f64 = 0.15;
/// How far a run may reach back into the one before it and still be of the same word, in sizes of the font.
const BACK: f64 = 0.5;
/// How far it may be raised or lowered.
const RAISED: f64 = 0.5;
/// The same for what was not drawn right after it, either way.
const NEAR: f64 = 0.1;
/// How far words of one line may be off it, in sizes of the font.
const OFF_LINE: f64 = 0.25;
/// How far one text may be apart from itself that is drawn twice, for boldness or a shadow, in sizes of the font.
const TWICE: f64 = 0.15;

/// Words that stand on one line.
#[derive(Debug, Clone)]
pub struct Line {
    /// The words, in the order of reading.
    pub words: Vec<Word>,
    /// The box around them: `[left, bottom, right, top]` in points.
    pub bounds: [f64; 4],
}

/// Characters that belong together.
#[derive(Debug, Clone)]
pub struct Word {
    /// The characters, in the order of reading; U+FFFD for each code that stands for none that is sure.
    pub text: String,
    /// How many of those there are.
    pub undecoded: u32,
    /// The box around it: `[left, bottom, right, top]` in points.
    pub bounds: [f64; 4],
    /// The runs that it is made of, by their places in [`PageText::runs`].
    pub runs: Vec<usize>,
}

/// A word that is being made: its runs, from left to right.
struct Draft {
    runs: Vec<usize>,
    line: Baseline,
    /// How far it is off the place all are counted from, and from where to where it goes along its direction.
    off: f64,
    start: f64,
    end: f64,
    annotation: Option<u32>,
    /// Its direction in whole degrees.
    angle: i32,
}

impl Line {
    /// The words with a blank between each two.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}

impl PageText {
    /// The lines of the page from top to bottom, each with its words in the order of reading. Of a text that is drawn twice
    /// in one place there is one. Runs that are not seen are among them.
    pub fn lines(&self) -> Vec<Line> {
        self.lines_of(|_| true)
    }

    /// The same, made of some of the runs.
    pub fn lines_of(&self, is_wanted: impl Fn(&Run) -> bool) -> Vec<Line> {
        let mut drafts = self.drafts(is_wanted);
        drafts.sort_by(|one, other| {
            let angles = one.angle.cmp(&other.angle);
            angles.then(one.off.total_cmp(&other.off)).then(one.start.total_cmp(&other.start))
        });
        let mut lines: Vec<Vec<Draft>> = Vec::new();
        for draft in drafts {
            match lines.last_mut() {
                Some(line) if line.first().is_some_and(|first| first.is_on_line_with(&draft)) => line.push(draft),
                _ => lines.push(vec![draft]),
            }
        }
        let mut lines: Vec<Line> = lines.into_iter().filter_map(|drafts| self.line(drafts)).collect();
        lines.sort_by(|one, other| {
            let ([left, bottom, ..], [other_left, other_bottom, ..]) = (one.bounds, other.bounds);
            other_bottom.total_cmp(&bottom).then(left.total_cmp(&other_left))
        });
        lines
    }

    /// Words of runs that were drawn one after the other, each going on where the one before it ended.
    fn drafts(&self, is_wanted: impl Fn(&Run) -> bool) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut before: Option<&Run> = None;
        for (place, run) in self.runs.iter().enumerate().filter(|(_, run)| is_wanted(run)) {
            let has_blank = run.after_blank || before.is_some_and(|before| before.before_blank);
            before = Some(run);
            let draft = Draft::new(place, run);
            match drafts.last_mut() {
                Some(last) if !has_blank && last.goes_on_with(&draft, RAISED, -BACK..WORD_GAP) => last.append(draft),
                _ => drafts.push(draft),
            }
        }
        drafts
    }

    /// The line that words make which stand on it.
    fn line(&self, mut drafts: Vec<Draft>) -> Option<Line> {
        drafts.sort_by(|one, other| one.start.total_cmp(&other.start));
        let mut whole: Vec<Draft> = Vec::new();
        for draft in drafts {
            match whole.last_mut() {
                Some(last) if self.is_twice(last, &draft) => {}
                Some(last) if self.is_one_word(last, &draft) => last.append(draft),
                _ => whole.push(draft),
            }
        }
        let visual: Vec<Word> = whole.iter().flat_map(|draft| self.words(draft)).collect();
        let directions: Vec<Direction> = visual.iter().map(|word| direction::of_word(&word.text)).collect();
        let mut visual: Vec<Option<Word>> = visual.into_iter().map(Some).collect();
        let order = direction::order(&directions);
        let words: Vec<Word> = order.into_iter().filter_map(|place| visual.get_mut(place)?.take()).collect();
        let bounds = around(words.iter().map(|word| word.bounds))?;
        Some(Line { words, bounds })
    }

    /// Whether the second one is the first one again, or a part of it, hardly moved.
    fn is_twice(&self, one: &Draft, other: &Draft) -> bool {
        let near = TWICE * one.line.em;
        let is_within = one.start - near <= other.start && other.end <= one.end + near;
        is_within && self.characters(one).contains(&self.characters(other))
    }

    /// Whether two words are one that was not drawn in order.
    fn is_one_word(&self, one: &Draft, other: &Draft) -> bool {
        let run = |place: Option<&usize>| place.and_then(|place| self.runs.get(*place));
        let (Some(last), Some(next)) = (run(one.runs.last()), run(other.runs.first())) else { return false };
        let is_right_to_left = direction::of_word(self.text(next)) == Direction::RightToLeft;
        // blanks are told by the order of drawing, which is the other way round there
        let has_blank = (last.before_blank || next.after_blank) && !is_right_to_left;
        !has_blank && one.goes_on_with(other, OFF_LINE, -NEAR..NEAR)
    }

    /// The characters of a draft, from left to right.
    fn characters(&self, draft: &Draft) -> String {
        let runs = draft.runs.iter().filter_map(|place| self.runs.get(*place));
        runs.map(|run| self.text(run)).collect()
    }

    /// A word; or words, where a text that stands for what is drawn has blanks.
    fn words(&self, draft: &Draft) -> Vec<Word> {
        let runs = || draft.runs.iter().filter_map(|place| self.runs.get(*place));
        let mut text = self.characters(draft);
        let is_visual = runs().all(|run| !run.is_actual);
        if is_visual && direction::of_word(&text) == Direction::RightToLeft {
            text = direction::logical(&text);
        }
        let Some(bounds) = around(runs().map(|run| run.bounds)) else { return Vec::new() };
        let undecoded = |text: &str| text.chars().filter(|found| *found == char::REPLACEMENT_CHARACTER).count() as u32;
        let word = |text: String| Word { undecoded: undecoded(&text), text, bounds, runs: draft.runs.clone() };
        match text.contains(' ') {
            false => vec![word(text)],
            true => text.split_whitespace().map(|text| word(text.to_owned())).collect(),
        }
    }
}

impl Draft {
    fn new(place: usize, run: &Run) -> Self {
        let line = run.line;
        let (across, up) = line.direction;
        let along = |(x, y): (f64, f64)| x * across + y * up;
        let off = line.start.1 * across - line.start.0 * up;
        let (start, end) = (along(line.start), along(line.end));
        let angle = if up == 0.0 && across > 0.0 { 0 } else { up.atan2(across).to_degrees().round() as i32 };
        Self { runs: vec![place], line, off, start, end, annotation: run.annotation, angle }
    }

    /// Adds another one. What is larger says on which line it all stands.
    fn append(&mut self, other: Self) {
        self.runs.extend(other.runs);
        self.end = self.end.max(other.end);
        if other.line.em > self.line.em {
            (self.line, self.off, self.angle) = (other.line, other.off, other.angle);
        }
    }

    fn is_on_line_with(&self, other: &Self) -> bool {
        self.angle == other.angle && (self.off - other.off).abs() <= OFF_LINE * self.line.em.min(other.line.em)
    }

    /// Whether another one stands right behind it: no farther off the line, and as far away along it; in sizes of the font.
    fn goes_on_with(&self, other: &Self, off: f64, gaps: Range<f64>) -> bool {
        let em = self.line.em.max(other.line.em);
        let gap = other.start - self.end;
        self.angle == other.angle
            && (self.off - other.off).abs() <= off * em
            && self.annotation == other.annotation
            && (gaps.start * em..gaps.end * em).contains(&gap)
            && other.end > self.start
    }
}
