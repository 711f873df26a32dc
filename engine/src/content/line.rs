//! Words and lines: runs on one baseline, joined or parted by the gaps between them.

use std::ops::Range;

use super::direction::{self, Direction};
use super::geometry::Rectangle;
use super::page_model::{Baseline, LineLevel, PageText, Run};

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

/// The same for letters that are drawn twice one by one, and how many runs before one it may be drawn first.
const DOUBLE: f64 = 0.1;
const LATELY: usize = 4;

/// How wide a glyph is at most that goes nowhere, in sizes of the font.
const THIN: f64 = 0.05;

/// Words that stand on one line.
#[derive(Debug, Clone)]
pub struct Line {
    /// The words, in the order of reading.
    pub words: Vec<Word>,
    /// The box around them, in points.
    pub bounds: Rectangle,
}

/// Characters that belong together.
#[derive(Debug, Clone)]
pub struct Word {
    /// The characters, in the order of reading; U+FFFD for each code that stands for none that is sure.
    pub text: String,
    /// How many of those there are.
    pub undecoded: u32,
    /// The box around it, in points.
    pub bounds: Rectangle,
    /// The runs that it is made of, by their places in [`PageText::runs`].
    pub runs: Vec<usize>,
}

/// A word that is being made: its runs, from left to right.
struct Draft {
    runs: Vec<usize>,
    line: Baseline,
    level: LineLevel,
    /// From where to where it goes along its direction.
    start: f64,
    end: f64,
    annotation: Option<u32>,
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
        self.lines_of(&self.runs)
    }

    /// The same, made of these runs of it or pieces of them, in painting order; words tell of their places among these.
    pub fn lines_of(&self, runs: &[Run]) -> Vec<Line> {
        Setter { page: self, runs }.lines()
    }
}

/// Makes lines of runs.
struct Setter<'p> {
    page: &'p PageText,
    runs: &'p [Run],
}

/// A glyph of a word with the marks upon it.
struct Cluster {
    /// Where its middle lies along the line.
    at: f64,
    width: f64,
    text: String,
    is_mark: bool,
}

impl Setter<'_> {
    fn lines(&self) -> Vec<Line> {
        let mut drafts = self.drafts();
        drafts.sort_by(|one, other| one.level.order(other.level).then(one.start.total_cmp(&other.start)));
        let mut lines: Vec<Vec<Draft>> = Vec::new();
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

    /// Words of runs that were drawn one after the other, each going on where the one before it ended.
    fn drafts(&self) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut marks: Vec<Draft> = Vec::new();
        let mut before: Option<&Run> = None;
        let mut has_blank = false;
        for (place, run) in self.runs.iter().enumerate() {
            if self.is_double(place, run) {
                continue;
            }
            has_blank |= run.after_blank || before.is_some_and(|before| before.before_blank);
            before = Some(run);
            let draft = Draft::new(place, run);
            if self.page.text(run).chars().all(direction::is_mark) {
                marks.push(draft);
                continue;
            }
            match drafts.last_mut() {
                Some(last) if !has_blank && last.goes_on_with(&draft, RAISED, -BACK..WORD_GAP) => last.append(draft),
                _ => drafts.push(draft),
            }
            has_blank = false;
            marks.drain(..).for_each(|mark| put_upon(&mut drafts, mark));
        }
        marks.into_iter().for_each(|mark| put_upon(&mut drafts, mark));
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
        let mut words: Vec<Word> = order.into_iter().filter_map(|place| visual.get_mut(place)?.take()).collect();
        if directions.contains(&Direction::RightToLeft) {
            direction::turn_alone(words.iter_mut().map(|word| &mut word.text));
        }
        let bounds = words.iter().map(|word| word.bounds).reduce(Rectangle::with)?;
        Some(Line { words, bounds })
    }

    /// Whether the second one is the first one again, or a part of it, hardly moved.
    fn is_twice(&self, one: &Draft, other: &Draft) -> bool {
        let near = TWICE * one.line.em;
        let is_within = one.start - near <= other.start && other.end <= one.end + near;
        is_within && self.characters(one).contains(&self.characters(other))
    }

    /// Whether a run was drawn shortly before in the same place, letter by letter.
    fn is_double(&self, place: usize, run: &Run) -> bool {
        let before = self.runs.get(place.saturating_sub(LATELY)..place).unwrap_or_default();
        let is_same = |other: &Run| {
            let (along, off) = other.line.measure(run.line.start);
            let near = DOUBLE * other.line.em;
            along.abs() <= near && off.abs() <= near && self.page.text(other) == self.page.text(run)
        };
        run.undecoded == 0 && before.iter().any(is_same)
    }

    /// Whether two words are one that was not drawn in order.
    fn is_one_word(&self, one: &Draft, other: &Draft) -> bool {
        let run = |place: Option<&usize>| place.and_then(|place| self.runs.get(*place));
        let (Some(last), Some(next)) = (run(one.runs.last()), run(other.runs.first())) else { return false };
        let is_right_to_left = direction::of_word(self.page.text(next)) == Direction::RightToLeft;
        // blanks are told by the order of drawing, which is the other way round there
        let has_blank = (last.before_blank || next.after_blank) && !is_right_to_left;
        !has_blank && one.goes_on_with(other, OFF_LINE, -NEAR..NEAR)
    }

    /// The characters of a draft, from left to right.
    fn characters(&self, draft: &Draft) -> String {
        let runs = draft.runs.iter().filter_map(|place| self.runs.get(*place));
        runs.map(|run| self.page.text(run)).collect()
    }

    /// The characters of a draft from right to left, in the order of reading.
    fn logical(&self, draft: &Draft) -> String {
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
                // a text that stands for its glyphs is in order already
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
        // what goes nowhere and says the same as what it stands upon is a part of that
        letters.dedup_by(|next, last| {
            let is_thin = next.width.min(last.width) <= THIN * draft.line.em;
            is_thin && next.text == last.text && (next.at - last.at).abs() <= next.width.max(last.width)
        });
        direction::logical(&letters.into_iter().map(|letter| letter.text).collect::<Vec<_>>())
    }

    /// A word; or words, where a text that stands for what is drawn has blanks.
    fn words(&self, draft: &Draft) -> Vec<Word> {
        let runs = || draft.runs.iter().filter_map(|place| self.runs.get(*place));
        let mut text = self.characters(draft);
        let is_whole = draft.runs.len() == 1 && runs().all(|run| run.is_actual);
        if !is_whole && direction::of_word(&text) == Direction::RightToLeft {
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

/// Adds marks to the last word but one or the last one, whichever they stand upon; to the last one if that is not clear.
fn put_upon(drafts: &mut Vec<Draft>, mark: Draft) {
    let middle = (mark.start + mark.end) / 2.0;
    let away = |draft: &Draft| (draft.start - middle).max(middle - draft.end).max(0.0);
    match drafts.as_mut_slice() {
        [.., one, other] if one.level.is_along(mark.level) && away(one) < away(other) => one.runs.extend(mark.runs),
        [.., last] if last.level.is_along(mark.level) && away(last) <= mark.line.em => last.runs.extend(mark.runs),
        _ => drafts.push(mark),
    }
}

/// The letters among what was drawn, each with its marks: those that were drawn right before it where letters follow each
/// other from left to right, as they stand on the page; right after it where they are drawn in the order of reading.
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

impl Draft {
    fn new(place: usize, run: &Run) -> Self {
        let line = run.line;
        let (across, up) = line.direction;
        let along = |(x, y): (f64, f64)| x * across + y * up;
        let (start, end) = (along(line.start), along(line.end));
        Self { runs: vec![place], line, level: run.level(), start, end, annotation: run.annotation }
    }

    /// Adds another one. What is larger says on which line it all stands.
    fn append(&mut self, other: Self) {
        self.runs.extend(other.runs);
        self.end = self.end.max(other.end);
        if other.line.em > self.line.em {
            (self.line, self.level) = (other.line, other.level);
        }
    }

    fn is_on_line_with(&self, other: &Self) -> bool {
        self.level.is_near(other.level, OFF_LINE * self.line.em.min(other.line.em))
    }

    /// Whether another one stands right behind it: no farther off the line, and as far away along it; in sizes of the font.
    fn goes_on_with(&self, other: &Self, off: f64, gaps: Range<f64>) -> bool {
        let em = self.line.em.max(other.line.em);
        let gap = other.start - self.end;
        self.level.is_near(other.level, off * em)
            && self.annotation == other.annotation
            && (gaps.start * em..gaps.end * em).contains(&gap)
            && other.end > self.start
    }
}
