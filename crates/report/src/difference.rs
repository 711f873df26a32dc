//! The difference of two short texts: complete words, or part of a word if the larger part is unchanged.

use std::ops::Range;

/// Maximum words compared on each side; longer texts are reported as completely different.
const MAX_WORDS: usize = 400;

/// The different byte ranges of each text, in order.
#[derive(Debug, Default, PartialEq)]
pub struct TextDifference {
    /// In the old text.
    pub before: Vec<Range<usize>>,
    /// In the new text.
    pub after: Vec<Range<usize>>,
}

impl TextDifference {
    /// Compares two texts.
    #[must_use]
    pub fn between(before: &str, after: &str) -> Self {
        let (old, new) = (words(before), words(after));
        if old.len() > MAX_WORDS || new.len() > MAX_WORDS {
            return Self { before: whole(before), after: whole(after) };
        }
        let mut difference = Self::default();
        for (old, new) in gaps(before, &old, after, &new) {
            let (old, new) = narrowed(before, old, after, new);
            difference.before.extend(Some(old).filter(|range| !range.is_empty()));
            difference.after.extend(Some(new).filter(|range| !range.is_empty()));
        }
        difference
    }
}

/// The text in pieces, each with whether it is in one of the ranges.
#[must_use]
pub fn pieces<'t>(text: &'t str, ranges: &[Range<usize>]) -> Vec<(&'t str, bool)> {
    let (mut pieces, mut done) = (Vec::new(), 0);
    for range in ranges {
        pieces.push((text.get(done..range.start).unwrap_or_default(), false));
        pieces.push((text.get(range.clone()).unwrap_or_default(), true));
        done = range.end;
    }
    pieces.push((text.get(done..).unwrap_or_default(), false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

fn whole(text: &str) -> Vec<Range<usize>> {
    std::iter::once(0..text.len()).filter(|range| !range.is_empty()).collect()
}

/// Words and the spaces between them.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut was_blank = None;
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        match words.last_mut() {
            Some(word) if was_blank == Some(letter.is_whitespace()) => word.end = end,
            _ => words.push(start..end),
        }
        was_blank = Some(letter.is_whitespace());
    }
    words
}

/// The ranges between the words of the longest common subsequence, on both sides.
fn gaps(before: &str, old: &[Range<usize>], after: &str, new: &[Range<usize>]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut gaps: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut from, mut to) = (0, 0);
    let ends = std::iter::once((before.len()..before.len(), after.len()..after.len()));
    for (kept, same) in common(before, old, after, new).into_iter().chain(ends) {
        if from < kept.start || to < same.start {
            match gaps.last_mut() {
                // a single space between two differences is part of them
                Some((old, new)) if is_blank(before, old.end..from) => (old.end, new.end) = (kept.start, same.start),
                _ => gaps.push((from..kept.start, to..same.start)),
            }
        }
        (from, to) = (kept.end, same.end);
    }
    gaps
}

fn is_blank(text: &str, range: Range<usize>) -> bool {
    text.get(range).unwrap_or_default().trim().is_empty()
}

/// The common words, in order: the common subsequence with the most letters.
fn common(before: &str, old: &[Range<usize>], after: &str, new: &[Range<usize>]) -> Vec<(Range<usize>, Range<usize>)> {
    let is_same = |one: &Range<usize>, other: &Range<usize>| before.get(one.clone()) == after.get(other.clone());
    // letters in common from each pair of words on, with an additional row and column
    let width = new.len() + 1;
    let mut letters = vec![0_usize; (old.len() + 1) * width];
    let at = |letters: &[usize], row: usize, column: usize| letters.get(row * width + column).copied().unwrap_or(0);
    for (row, one) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            let apart = at(&letters, row + 1, column).max(at(&letters, row, column + 1));
            let both = at(&letters, row + 1, column + 1) + one.len();
            if let Some(best) = letters.get_mut(row * width + column) {
                *best = if is_same(one, other) { both.max(apart) } else { apart };
            }
        }
    }
    let (mut row, mut column, mut found) = (0, 0, Vec::new());
    while let (Some(one), Some(other)) = (old.get(row), new.get(column)) {
        let best = at(&letters, row, column);
        if is_same(one, other) && best == at(&letters, row + 1, column + 1) + one.len() {
            found.push((one.clone(), other.clone()));
            (row, column) = (row + 1, column + 1);
        } else if best == at(&letters, row + 1, column) {
            row += 1;
        } else {
            column += 1;
        }
    }
    found
}

/// Narrows a difference by its common start and end, if these are at least half of it: `1,250.00` and `9,250.00` differ
/// in a digit.
fn narrowed(before: &str, old: Range<usize>, after: &str, new: Range<usize>) -> (Range<usize>, Range<usize>) {
    let (Some(one), Some(other)) = (before.get(old.clone()), after.get(new.clone())) else { return (old, new) };
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum::<usize>()
    };
    let start = same(&mut one.chars().zip(other.chars()));
    let (rest, other_rest) = (one.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end = same(&mut rest.chars().rev().zip(other_rest.chars().rev()));
    if (start + end) * 2 < one.len().min(other.len()) {
        return (old, new);
    }
    (old.start + start..old.end - end, new.start + start..new.end - end)
}

#[cfg(test)]
mod tests {
    use super::{TextDifference, pieces};

    /// Both texts with the differences in brackets.
    fn marked(before: &str, after: &str) -> [String; 2] {
        let difference = TextDifference::between(before, after);
        [(before, difference.before), (after, difference.after)].map(|(text, ranges)| {
            let pieces = pieces(text, &ranges);
            assert_eq!(pieces.iter().map(|(piece, _)| *piece).collect::<String>(), text);
            pieces.iter().map(|(piece, is)| if *is { format!("[{piece}]") } else { (*piece).to_owned() }).collect()
        })
    }

    #[test]
    fn a_digit_a_word_or_all_of_it() {
        for (before, after) in [
            ("Total [1],250.00 EUR", "Total [9],250.00 EUR"),
            ("Total due: 1,200.00", "Total due: [2]1,200.00"),
            ("IBAN XX00 [1234] 5678", "IBAN XX00 [9966] 5678"),
            ("Payable in [thirty] days", "Payable in [ten] days"),
            ("[A quite other line]", "[Nothing of it]"),
            ("Not liable", "[]Not [ever ]liable"),
            ("合計 [1]0円", "合計 [9]0円"),
            ("same", "same"),
            ("", "[new]"),
        ] {
            let plain = |text: &str| text.replace(['[', ']'], "");
            let expected = [before.to_owned(), after.replace("[]", "")];
            assert_eq!(marked(&plain(before), &plain(after)), expected);
        }
    }

    #[test]
    fn texts_of_any_length_are_told_whole() {
        let (long, longer) = ("a ".repeat(2_000), "a ".repeat(2_001));
        assert_eq!(marked(&long, &longer), [format!("[{long}]"), format!("[{longer}]")]);
    }
}
