//! Which words of two texts differ: the shortest way from one to the other (Myers, An O(ND) Difference Algorithm, 1986).

use std::ops::Range;

/// Differing words up to which the way is looked for.
const MOST: usize = 2_500;
/// Words that are held against each other for that.
const HELD: usize = 1 << 24;

/// The ranges of words that differ, in order; none if there are too many.
pub(super) fn differences<T: PartialEq>(before: &[T], after: &[T]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let is_same = |(one, other): &(&T, &T)| one == other;
    let start = before.iter().zip(after).take_while(is_same).count();
    let (old, new) = (before.get(start..)?, after.get(start..)?);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count();
    let (old, new) = (old.get(..old.len() - end)?, new.get(..new.len() - end)?);
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (x, y, is_removed) in way(old, new)? {
        let (x, y) = (x + start, y + start);
        let (one, other) = if is_removed { (x..x + 1, y..y) } else { (x..x, y..y + 1) };
        match found.last_mut() {
            Some((before, after)) if before.end == one.start && after.end == other.start => {
                (before.end, after.end) = (one.end, other.end);
            }
            _ => found.push((one, other)),
        }
    }
    Some(found)
}

/// The steps from one text to the other, in order: at which words of both, and whether one of the old text goes there.
fn way<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<(usize, usize, bool)>> {
    let (height, width) = (old.len() as isize, new.len() as isize);
    // how far each diagonal reaches, after each number of steps
    let mut reached: Vec<Vec<i32>> = Vec::new();
    let at = |reach: &[i32], steps: isize, diagonal: isize| {
        let reach = usize::try_from(diagonal + steps).ok().and_then(|place| reach.get(place));
        reach.map_or(-1, |reach| *reach as isize)
    };
    let mut left = HELD;
    let most = (MOST as isize).min(height + width);
    for steps in 0..=most {
        let mut reach = vec![-1; 2 * steps as usize + 1];
        let last = reached.last().map_or(&[][..], Vec::as_slice);
        let mut is_done = false;
        for diagonal in (-steps..=steps).step_by(2) {
            let (below, above) = (at(last, steps - 1, diagonal - 1), at(last, steps - 1, diagonal + 1));
            let mut x = match steps {
                0 => 0,
                _ if diagonal == -steps || diagonal != steps && below < above => above,
                _ => below + 1,
            };
            while let (Some(one), Some(other)) = (word(old, x), word(new, x - diagonal)) {
                left = left.checked_sub(1)?;
                if one != other {
                    break;
                }
                x += 1;
            }
            if let Some(slot) = reach.get_mut((diagonal + steps) as usize) {
                *slot = i32::try_from(x).ok()?;
            }
            is_done |= x >= height && x - diagonal >= width;
        }
        reached.push(reach);
        if is_done {
            break;
        }
        if steps == most {
            return None;
        }
    }
    // back from the end
    let (mut x, mut found) = (height, Vec::new());
    let mut y = width;
    for steps in (1..reached.len() as isize).rev() {
        let last = reached.get(steps as usize - 1)?;
        let diagonal = x - y;
        let (below, above) = (at(last, steps - 1, diagonal - 1), at(last, steps - 1, diagonal + 1));
        let is_added = diagonal == -steps || diagonal != steps && below < above;
        let from = if is_added { above } else { below };
        let from_y = if is_added { from - diagonal - 1 } else { from - diagonal + 1 };
        found.push((usize::try_from(from).ok()?, usize::try_from(from_y).ok()?, !is_added));
        (x, y) = (from, from_y);
    }
    found.reverse();
    Some(found)
}

fn word<T>(words: &[T], place: isize) -> Option<&T> {
    words.get(usize::try_from(place).ok()?)
}

#[cfg(test)]
mod tests {
    use super::differences;

    fn told(before: &str, after: &str) -> String {
        let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
        let found = differences(&old, &new).expect("few enough");
        let hunks = found.into_iter().map(|(one, other)| {
            let text = |words: &[char]| words.iter().collect::<String>();
            format!("{}>{}", text(&old[one]), text(&new[other]))
        });
        hunks.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_shortest_way_is_found() {
        assert_eq!(told("abcdef", "abcdef"), "");
        assert_eq!(told("abcdef", "abXdef"), "c>X");
        assert_eq!(told("abc", "xabcy"), ">x >y");
        assert_eq!(told("xabcy", "abc"), "x> y>");
        assert_eq!(told("", "ab"), ">ab");
        assert_eq!(told("ab", ""), "ab>");
        assert_eq!(told("abcabba", "cbabac").split(' ').count(), 4);
    }

    #[test]
    fn too_many_are_given_up() {
        let (old, new): (Vec<u32>, Vec<u32>) = ((0..3_000).collect(), (3_000..6_000).collect());
        assert_eq!(differences(&old, &new), None);
    }

    proptest::proptest! {
        #[test]
        fn what_is_told_leads_from_one_to_the_other(old in "[ab]{0,40}", new in "[ab]{0,40}") {
            let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let (mut made, mut done) = (Vec::new(), 0);
            for (one, other) in differences(&old, &new).expect("few enough") {
                made.extend_from_slice(&old[done..one.start]);
                made.extend_from_slice(&new[other]);
                done = one.end;
            }
            made.extend_from_slice(&old[done..]);
            proptest::prop_assert_eq!(made, new);
        }
    }
}
