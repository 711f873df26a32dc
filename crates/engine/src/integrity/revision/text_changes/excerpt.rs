//! The difference of two lines, in complete words with readable context.

use std::ops::Range;

use super::visible_text::{VisibleLine, VisibleWord};
use pdf_content::legible;
use pdf_syntax::text::common::common;

/// Maximum characters of context beside a change, and of the whole excerpt.
const CONTEXT_CHARS: usize = 100;
const MAX_EXCERPT_CHARS: usize = 200;
/// Minimum gap between columns or cells, in line heights.
const COLUMN_GAP_HEIGHTS: f64 = 2.0;
/// Minimum words of a cell that is quoted without the previous one, which may be its label.
const MIN_LONE_CELL_WORDS: usize = 3;
/// Maximum compared word pairs; beyond, everything between the common start and end counts as changed.
const MAX_WORD_PAIRS: usize = 1 << 14;

/// Words of one line and those that replace them, by index.
pub(super) type Hunk = (Range<usize>, Range<usize>);

/// The differences of two lines.
pub(super) fn hunks(before: &VisibleLine, after: &VisibleLine, effort: &mut usize) -> Vec<Hunk> {
    let (old, new) = (before.key(), after.key());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - first;
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - last, new.len() - last);
    let old = old.get(first..old_end).unwrap_or_default();
    let new = new.get(first..new_end).unwrap_or_default();
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    let pairs = old.len().saturating_mul(new.len());
    let Some(left) = effort.checked_sub(pairs).filter(|_| pairs <= MAX_WORD_PAIRS) else {
        return vec![(first..old_end, first..new_end)];
    };
    *effort = left;
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut at, mut to) = (0, 0);
    for (old_same, new_same) in common(old, new).into_iter().chain([(old.len(), new.len())]) {
        if at < old_same || to < new_same {
            let hunk = (first + at..first + old_same, first + to..first + new_same);
            match hunks.last_mut() {
                Some(last)
                    if !is_parted(before, last.0.end, hunk.0.start) && !is_parted(after, last.1.end, hunk.1.start) =>
                {
                    (last.0.end, last.1.end) = (hunk.0.end, hunk.1.end);
                }
                _ => hunks.push(hunk),
            }
        }
        (at, to) = (old_same + 1, new_same + 1);
    }
    hunks
}

/// The changed words of both lines in context: the words around them in the same column.
pub(super) fn around(before: &VisibleLine, after: &VisibleLine, (old, new): &Hunk) -> (String, String) {
    let left = left_of(before, old).max(left_of(after, new));
    let right = right_of(before, old).max(right_of(after, new));
    let text = |line: &VisibleLine, hunk: &Range<usize>| {
        let from = hunk.start.saturating_sub(left);
        let to = (hunk.end + right).min(line.words.len());
        let start = cut(line, from, hunk.start);
        text(line.words.get(start..to).unwrap_or_default())
    };
    (text(before, old), text(after, new))
}

/// The first index such that at most [`CONTEXT_CHARS`] characters precede a word.
fn cut(line: &VisibleLine, from: usize, until: usize) -> usize {
    let mut left = CONTEXT_CHARS;
    let words = line.words.get(from..until).unwrap_or_default();
    let fitting = words.iter().rev().take_while(|word| {
        let length = word.text.chars().count() + 1;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    });
    until - fitting.count()
}

/// Returns the number of words before the change in the same column, including the previous cell if this one is short.
fn left_of(line: &VisibleLine, hunk: &Range<usize>) -> usize {
    let start_of = |from: usize| (0..from).rev().find(|&place| is_wide(line, place)).map_or(0, |place| place + 1);
    let start = start_of(hunk.start);
    let is_cell = hunk.end.max(hunk.start + 1) + right_of(line, hunk) - start < MIN_LONE_CELL_WORDS;
    hunk.start - if is_cell && start > 0 { start_of(start - 1) } else { start }
}

/// The number of following words in the same column.
fn right_of(line: &VisibleLine, hunk: &Range<usize>) -> usize {
    let last = hunk.end.saturating_sub(1);
    let end = (last..line.words.len()).find(|&place| is_wide(line, place)).map_or(line.words.len(), |place| place + 1);
    end.saturating_sub(hunk.end)
}

/// Whether there is a column gap between two word indexes.
fn is_parted(line: &VisibleLine, from: usize, to: usize) -> bool {
    (from.saturating_sub(1)..to).any(|place| is_wide(line, place))
}

/// Whether the gap after a word is a column gap.
fn is_wide(line: &VisibleLine, place: usize) -> bool {
    let (Some(one), Some(next)) = (line.words.get(place), line.words.get(place + 1)) else { return false };
    let (one, next) = (one.bounds, next.bounds);
    let gaps = [next.left - one.right, one.left - next.right, next.bottom - one.top, one.bottom - next.top];
    // for rotated text the width is the height
    let height = one.height().min(one.width()).max(1.0);
    gaps.into_iter().fold(0.0, f64::max) > COLUMN_GAP_HEIGHTS * height
}

/// Words as displayed, shortened.
pub(super) fn text(words: &[VisibleWord]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let shown = legible(&word.text);
        length += shown.chars().count() + 1;
        if length >= MAX_EXCERPT_CHARS && !text.is_empty() {
            return text + " …";
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += &shown;
    }
    text
}
