//! What differs between two lines, in whole words with as much around them as makes them read.

use std::ops::Range;

use super::seen::{SeenLine, SeenWord};
use crate::content::legible;
use crate::text::common::common;

/// Characters of a line that are told beside those that changed, and of all that are.
const AROUND: usize = 100;
const MOST: usize = 200;
/// A gap in heights of the line from which on what stands behind it is another column or cell.
const COLUMN: f64 = 2.0;
/// Words of a cell that is told without the one before it, which may say what it is.
const CELL: usize = 3;
/// Pairs of words that are compared; of more, all that is between what both begin and end with has changed.
const PAIRS: usize = 1 << 14;

/// Words of one line, from one place to another, and those that stand in their place.
pub(super) type Hunk = (Range<usize>, Range<usize>);

/// What differs between two lines.
pub(super) fn hunks(before: &SeenLine, after: &SeenLine, effort: &mut usize) -> Vec<Hunk> {
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
    let Some(left) = effort.checked_sub(pairs).filter(|_| pairs <= PAIRS) else {
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

/// The same words of both lines in context: those before and after them on the line, of the same column.
pub(super) fn around(before: &SeenLine, after: &SeenLine, (old, new): &Hunk) -> (String, String) {
    let left = left_of(before, old).max(left_of(after, new));
    let right = right_of(before, old).max(right_of(after, new));
    let text = |line: &SeenLine, hunk: &Range<usize>| {
        let from = hunk.start.saturating_sub(left);
        let to = (hunk.end + right).min(line.words.len());
        let start = cut(line, from, hunk.start);
        text(line.words.get(start..to).unwrap_or_default())
    };
    (text(before, old), text(after, new))
}

/// Where to begin so that no more than [`AROUND`] characters come before a word.
fn cut(line: &SeenLine, from: usize, until: usize) -> usize {
    let mut left = AROUND;
    let words = line.words.get(from..until).unwrap_or_default();
    let fitting = words.iter().rev().take_while(|word| {
        let length = word.text.chars().count() + 1;
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    });
    until - fitting.count()
}

/// How many words before these belong to their column, or to the cell before if theirs says little.
fn left_of(line: &SeenLine, hunk: &Range<usize>) -> usize {
    let start_of = |from: usize| (0..from).rev().find(|&place| is_wide(line, place)).map_or(0, |place| place + 1);
    let start = start_of(hunk.start);
    let is_cell = hunk.end.max(hunk.start + 1) + right_of(line, hunk) - start < CELL;
    hunk.start - if is_cell && start > 0 { start_of(start - 1) } else { start }
}

/// How many words after these belong to their column.
fn right_of(line: &SeenLine, hunk: &Range<usize>) -> usize {
    let last = hunk.end.saturating_sub(1);
    let end = (last..line.words.len()).find(|&place| is_wide(line, place)).map_or(line.words.len(), |place| place + 1);
    end.saturating_sub(hunk.end)
}

/// Whether a wide gap comes somewhere between the words from one place to another.
fn is_parted(line: &SeenLine, from: usize, to: usize) -> bool {
    (from.saturating_sub(1)..to).any(|place| is_wide(line, place))
}

/// Whether the gap behind a word is wide.
fn is_wide(line: &SeenLine, place: usize) -> bool {
    let (Some(one), Some(next)) = (line.words.get(place), line.words.get(place + 1)) else { return false };
    let (one, next) = (one.bounds, next.bounds);
    let gaps = [next.left - one.right, one.left - next.right, next.bottom - one.top, one.bottom - next.top];
    // of turned text the width is the height
    let height = one.height().min(one.width()).max(1.0);
    gaps.into_iter().fold(0.0, f64::max) > COLUMN * height
}

/// Words as they are shown, as many as fit.
pub(super) fn text(words: &[SeenWord]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let shown = legible(&word.text);
        length += shown.chars().count() + 1;
        if length >= MOST && !text.is_empty() {
            return text + " …";
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += &shown;
    }
    text
}
