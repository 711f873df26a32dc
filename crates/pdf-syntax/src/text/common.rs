//! Common subsequences, such as words of two lines or letters of two texts.

use std::cmp::Ordering;

/// Returns the positions of a longest common subsequence in both, in order.
pub fn common<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // length of the common subsequence from each pair of positions on
    let mut lengths = vec![0_u16; (old.len() + 1) * width];
    let get = |lengths: &[u16], at: usize, to: usize| lengths.get(at * width + to).copied().unwrap_or(0);
    for (at, one) in old.iter().enumerate().rev() {
        for (to, other) in new.iter().enumerate().rev() {
            let length = match one == other {
                true => get(&lengths, at + 1, to + 1) + 1,
                false => get(&lengths, at + 1, to).max(get(&lengths, at, to + 1)),
            };
            if let Some(place) = lengths.get_mut(at * width + to) {
                *place = length;
            }
        }
    }
    let (mut at, mut to, mut found) = (0, 0, Vec::new());
    while let (Some(one), Some(other)) = (old.get(at), new.get(to)) {
        if one == other {
            found.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if get(&lengths, at + 1, to) >= get(&lengths, at, to + 1) {
            at += 1;
        } else {
            to += 1;
        }
    }
    found
}

/// Returns the number of common elements of two sorted sequences.
pub fn shared<T: Ord>(old: &[T], new: &[T]) -> usize {
    let (mut old, mut new, mut found) = (old.iter().peekable(), new.iter().peekable(), 0);
    while let (Some(one), Some(other)) = (old.peek(), new.peek()) {
        let order = one.cmp(other);
        found += usize::from(order == Ordering::Equal);
        old.next_if(|_| order != Ordering::Greater);
        new.next_if(|_| order != Ordering::Less);
    }
    found
}
