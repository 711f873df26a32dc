//! The text of a revision's pages, visible or not, to find lines that no page has.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use super::similarity::{digits, is_near_copy, is_other_value};
use crate::{Line, PageText, Rectangle, Word};

/// Tolerance of a word's position, in points.
const PLACE_TOLERANCE_PT: f64 = 1.5;
/// Minimum letters of a line that is found as a part of another line, whatever its words are separated by.
const PART_MIN_LETTERS: usize = 8;
/// Minimum words that another version of a page has in common with it.
const MIN_COMMON_WORDS: usize = 2;
/// Minimum digits of a number by which a page is known.
const KNOWN_MIN_DIGITS: usize = 4;
/// Maximum bytes of text that lines are compared with, and how many a word with its place counts for.
const MAX_COMPARED_BYTES: usize = 1 << 28;
const WORD_BYTES: usize = 32;
/// How many bytes of text the similarity of two lines counts for.
const SIMILARITY_BYTES: usize = 4 << 10;

/// The text of all pages.
#[derive(Debug)]
pub(super) struct ShownText {
    pages: Vec<ShownPage>,
    /// What comparing a line with all pages takes, in bytes of text.
    size: usize,
    /// Bytes of text that may still be compared; lines beyond count as shown.
    left: Cell<usize>,
    /// Whether something of it is unknown.
    pub(super) is_part: bool,
}

#[derive(Debug)]
struct ShownPage {
    /// Letters and digits, in reading order.
    letters: String,
    /// Lines, with blanks around each word.
    lines: String,
    /// Lines without blanks.
    joined: String,
    /// Where each word stands.
    words: BTreeMap<String, Vec<Rectangle>>,
}

impl Default for ShownText {
    fn default() -> Self {
        Self { pages: Vec::new(), size: 0, left: Cell::new(MAX_COMPARED_BYTES), is_part: false }
    }
}

impl ShownText {
    /// Whether a line may be compared with all pages.
    fn may_compare(&self) -> bool {
        let left = self.left.get().checked_sub(self.size);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Adds a page.
    pub(super) fn add(&mut self, page: &PageText) {
        self.is_part |= page.is_part;
        let lines = page.lines();
        let mut shown = ShownPage {
            letters: lines.iter().map(|line| letters_of(&line.text())).collect(),
            lines: String::new(),
            joined: String::new(),
            words: BTreeMap::new(),
        };
        for line in &lines {
            shown.lines.push_str(&separated(line));
            shown.lines.push('\n');
            shown.joined.push_str(&joined(&line.text()));
            shown.joined.push('\n');
            for word in &line.words {
                shown.words.entry(joined(&word.text)).or_default().push(word.bounds);
            }
        }
        self.size += shown.lines.len() + shown.words.len() * WORD_BYTES;
        self.pages.push(shown);
    }

    /// Whether these letters are on a page.
    pub(super) fn has_letters(&self, letters: &str) -> bool {
        self.may_compare() && self.pages.iter().any(|page| page.letters.contains(letters))
    }

    /// Returns those of a drawing's lines that no page has, in coordinates of pages with this corner. If something of
    /// the pages is unknown, another text must be in their place on a page with most of the drawing's words.
    pub(super) fn missing(&self, lines: &[Line], (left, bottom): (f64, f64)) -> Vec<Line> {
        let place = |word: &Word| word.bounds.moved(-left, -bottom);
        let is_missing = |line: &&Line| {
            has_letters(line)
                && self.may_compare()
                && !self.pages.iter().any(|page| page.has(line))
                && !self.has_at_place(line, place)
        };
        let missing = lines.iter().filter(is_missing).cloned().collect();
        if self.is_part { self.with_others(missing, lines, place) } else { missing }
    }

    /// Returns those of the missing lines in whose place a page with most of the drawing's words has another text.
    pub(super) fn replaced(&self, lines: &[Line], corner: (f64, f64)) -> Vec<Line> {
        let (left, bottom) = corner;
        self.with_others(self.missing(lines, corner), lines, |word| word.bounds.moved(-left, -bottom))
    }

    /// Returns those of a drawing's lines with a number that no page has, while a page has nearly the same one.
    pub(super) fn near_copies(&self, lines: &[Line], corner: (f64, f64)) -> Vec<Line> {
        let mut found = self.missing(lines, corner);
        let is_near = |word: &Word| {
            let mut words = self.pages.iter().flat_map(|page| page.words.keys());
            self.may_compare() && words.any(|shown| is_near_copy(&joined(&word.text), shown))
        };
        found.retain(|line| line.words.iter().any(&is_near));
        found
    }

    /// Returns the lines of an unshown page that a shown one replaced: it has most of the other lines, and another text in
    /// place of these or another value in the same words. Other pages of a document are alike in fewer lines.
    pub(super) fn revised(&self, lines: &[Line]) -> Vec<Line> {
        let missing = self.missing(lines, (0.0, 0.0));
        // pages of a series are counted
        let is_counted = |line: &Line| self.pages.iter().any(|page| page.has_but_ordinals(line));
        // a page may have no other line
        if missing.len() == 1 {
            let replaced = self.with_others(missing.clone(), lines, |word| word.bounds);
            if !replaced.iter().all(is_counted) {
                return replaced;
            }
        }
        // the cells of a table repeat words
        let mut texts = HashSet::new();
        let lines: Vec<&Line> = lines.iter().filter(|line| has_letters(line) && texts.insert(line.text())).collect();
        let is_revision = |page: &ShownPage| {
            let common =
                lines.iter().filter(|line| page.has(line) || page.has_at_place(line, |word| word.bounds)).count();
            let mut others = missing.iter().filter(|line| !is_counted(line));
            2 * common >= lines.len() && others.any(|line| self.has_other_value(page, line))
        };
        let is_revised = missing.iter().any(|_| self.may_compare()) && self.pages.iter().any(is_revision);
        if is_revised { missing } else { Vec::new() }
    }

    /// Returns the index of the page that shows an unshown one with other values, and the lines that it shows otherwise:
    /// most words are in their places, among them the number by which the page is known, and a label of which another
    /// value follows. However much of a short page is replaced, its labels stay. Pages of a series, each of which
    /// fills in the same form, are known by different numbers.
    pub(super) fn refilled(&self, lines: &[Line]) -> Option<(usize, Vec<Line>)> {
        let words: Vec<&Word> = lines.iter().flat_map(|line| &line.words).collect();
        let known = lines.iter().find(|line| line.words.iter().any(is_known_number))?;
        let left = self.left.get().checked_sub(self.pages.len() * words.len() * WORD_BYTES);
        self.left.set(left.unwrap_or(0));
        left?;
        let stays = |page: &ShownPage, word: &Word| page.has_word(word, word.bounds);
        let is_refilled = |page: &ShownPage| {
            let common = words.iter().filter(|word| stays(page, word)).count();
            common >= MIN_COMMON_WORDS && 2 * common >= words.len() && page.has_at_place(known, |word| word.bounds)
        };
        let index = self.pages.iter().position(is_refilled)?;
        let page = self.pages.get(index)?;
        let missing = self.missing(lines, (0.0, 0.0));
        let has_other_value = |line: &Line| {
            let mut words = line.words.iter();
            words.any(|word| stays(page, word)) && line.words.iter().any(|word| page.has_other_number(word))
        };
        missing.iter().any(has_other_value).then_some((index, missing))
    }

    /// Whether a page has another text in the place of a line, or its words with another value.
    fn has_other_value(&self, page: &ShownPage, line: &Line) -> bool {
        if line.words.iter().any(|word| page.has_other(word, word.bounds)) {
            return true;
        }
        let text = line.text();
        page.lines.lines().any(|other| {
            let left = self.left.get().checked_sub(SIMILARITY_BYTES);
            self.left.set(left.unwrap_or(0));
            left.is_some() && is_other_value(&text, other.trim())
        })
    }

    /// Returns those of the lines that stand elsewhere now, while a page with most of the drawing's words has another
    /// text in their place.
    pub(super) fn displaced(&self, lines: &[Line], (left, bottom): (f64, f64)) -> Vec<Line> {
        let place = |word: &Word| word.bounds.moved(-left, -bottom);
        let is_elsewhere = |line: &&Line| has_letters(line) && self.may_compare() && !self.has_at_place(line, place);
        let elsewhere = lines.iter().filter(is_elsewhere).cloned().collect();
        let mut displaced = self.with_others(elsewhere, lines, place);
        // words that pages have without the blank beside them
        displaced.retain(|line| {
            let own = joined(&line.text());
            let part = |text: &String| text.contains(&own) || own.contains(text);
            self.may_compare()
                && !self.pages.iter().any(|page| page.words_at(line.bounds.moved(-left, -bottom)).any(part))
        });
        displaced
    }

    fn with_others(&self, mut missing: Vec<Line>, lines: &[Line], place: impl Fn(&Word) -> Rectangle) -> Vec<Line> {
        if missing.is_empty() {
            return missing;
        }
        let words: Vec<&Word> = lines.iter().flat_map(|line| &line.words).collect();
        let Some(left) = self.left.get().checked_sub(self.pages.len() * words.len() * WORD_BYTES) else {
            return Vec::new();
        };
        self.left.set(left);
        let is_common = |page: &&ShownPage| {
            let common = words.iter().filter(|word| page.has_word(word, place(word))).count();
            common >= MIN_COMMON_WORDS && 2 * common >= words.len()
        };
        let others: Vec<&ShownPage> = self.pages.iter().filter(is_common).collect();
        missing.retain(|line| {
            let mut words = line.words.iter().filter(|word| !letters_of(&word.text).is_empty());
            words.any(|word| self.may_compare() && others.iter().any(|page| page.has_other(word, place(word))))
        });
        missing
    }

    /// Whether each word of a line is on some page where the line has it.
    fn has_at_place(&self, line: &Line, place: impl Fn(&Word) -> Rectangle) -> bool {
        self.pages.iter().any(|page| page.has_at_place(line, &place))
    }
}

impl ShownPage {
    fn has(&self, line: &Line) -> bool {
        // codes that cannot be decoded may be anything
        if line.words.iter().any(|word| word.text.contains(char::REPLACEMENT_CHARACTER)) {
            let mut words = line.words.iter().filter(|word| !word.text.contains(char::REPLACEMENT_CHARACTER));
            return words.all(|word| self.letters.contains(&letters_of(&word.text)));
        }
        let without = joined(&line.text());
        self.lines.contains(&separated(line))
            || without.chars().count() >= PART_MIN_LETTERS && self.joined.contains(&without)
    }

    /// Whether each word of a line is where the line has it.
    fn has_at_place(&self, line: &Line, place: impl Fn(&Word) -> Rectangle) -> bool {
        line.words.iter().all(|word| self.has_word(word, place(word)))
    }

    /// Whether it has the words of a line where the line has them, but for ordinals, in whose places it has other numbers.
    fn has_but_ordinals(&self, line: &Line) -> bool {
        let (ordinals, others): (Vec<&Word>, Vec<&Word>) = line.words.iter().partition(|word| is_ordinal(word));
        let mut ordinals = ordinals.into_iter();
        !others.is_empty()
            && others.iter().all(|word| self.has_word(word, word.bounds))
            && ordinals.all(|word| self.has_word(word, word.bounds) || self.has_other_number(word))
    }

    fn has_word(&self, word: &Word, place: Rectangle) -> bool {
        let near = |other: &Rectangle| {
            let distance = |one: f64, other: f64| (one - other).abs();
            distance(other.left, place.left) <= PLACE_TOLERANCE_PT
                && distance(other.bottom, place.bottom) <= PLACE_TOLERANCE_PT
        };
        self.words.get(&joined(&word.text)).is_some_and(|places| places.iter().any(near))
    }

    /// Returns the words in a place.
    fn words_at(&self, place: Rectangle) -> impl Iterator<Item = &String> {
        let is_there = move |places: &[Rectangle]| places.iter().any(|other| other.has(place.middle()));
        self.words.iter().filter(move |(_, places)| is_there(places)).map(|(text, _)| text)
    }

    /// Whether another number is in a number's place.
    fn has_other_number(&self, word: &Word) -> bool {
        let own = digits(&word.text);
        let mut others = self.words_at(word.bounds).map(|text| digits(text));
        !own.is_empty() && others.any(|other| !other.is_empty() && other != own)
    }

    /// Whether another word is in a word's place.
    fn has_other(&self, word: &Word, place: Rectangle) -> bool {
        let own = joined(&word.text);
        self.words_at(place).any(|text| *text != own)
    }
}

/// Returns letters and digits of a text.
pub(super) fn letters_of(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Whether a word is a number by which a page may be known; page numbers are shorter.
fn is_known_number(word: &Word) -> bool {
    digits(&word.text).len() >= KNOWN_MIN_DIGITS
}

/// Whether it is a number of at most two digits, as pages and parts have.
fn is_ordinal(word: &Word) -> bool {
    let digits = word.text.trim_end_matches(|letter: char| letter.is_ascii_punctuation());
    (1..=2).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
}

fn has_letters(line: &Line) -> bool {
    line.words.iter().any(|word| word.text.chars().any(char::is_alphanumeric))
}

/// Returns a text without blanks. Punctuation stays: it distinguishes 12,500 from 125.00.
fn joined(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// Returns the words of a line with a blank on each side.
fn separated(line: &Line) -> String {
    let words: Vec<String> = line.words.iter().map(|word| joined(&word.text)).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use samples::texts::drawing;

    use super::ShownText;

    #[test]
    fn lines_beyond_the_budget_count_as_shown() {
        let page =
            |text: &str| crate::first_page(drawing(&format!("BT /F 12 Tf 72 100 Td ({text}) Tj ET"), "").classic());
        let mut shown = ShownText::default();
        shown.add(&page("Total 1,250.00"));
        let lines = page("Total 9,250.00").lines();
        assert_eq!(shown.missing(&lines, (0.0, 0.0)).len(), 1);
        shown.left.set(0);
        assert!(shown.missing(&lines, (0.0, 0.0)).is_empty());
    }
}
