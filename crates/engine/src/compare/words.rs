//! Compares the words of two texts, regardless of lines, hyphenation and painting order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_normalization::UnicodeNormalization;

use super::{PlacedWords, WordChange};
use pdf_content::Rectangle;

/// Maximum characters reported of a difference.
const MAX_REPORTED_CHARACTERS: usize = 500;
/// Tolerance of a word's position, in points.
const POSITION_TOLERANCE_PT: f64 = 3.0;
/// Words that may move while nearly all stay: a number, or this divisor of all.
const MAX_MOVED_WORDS: usize = 4;
const MAX_MOVED_DIVISOR: usize = 10;
/// Maximum words with the same letters searched for the one at a place.
const MAX_CANDIDATES: usize = 16;
/// Replaces undecoded characters.
const UNREADABLE: char = '\u{fffd}';

/// A word: as reported, as compared, and its position.
#[derive(Debug, Clone)]
pub(super) struct ComparedWord {
    text: Rc<str>,
    pub(super) key: Rc<str>,
    pub(super) page: u32,
    bounds: Rectangle,
    pub(super) line: Rc<str>,
    /// Painting order on its page.
    order: u32,
    /// Whether it is hyphenated across lines.
    is_parted: bool,
}

/// Words of one text and those in their place in the other.
type Hunk<'w> = (Vec<&'w ComparedWord>, Vec<&'w ComparedWord>);

impl ComparedWord {
    /// Returns a word; none if it has no letters to compare.
    pub(super) fn of(text: String, page: u32, bounds: Rectangle, line: &Rc<str>, order: u32) -> Option<Self> {
        let key = Some(comparable(&text)).filter(|key| !key.is_empty())?;
        Some(Self { text: text.into(), key: key.into(), page, bounds, line: line.clone(), order, is_parted: false })
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.key.contains(UNREADABLE)
    }

    /// Whether a line break separates this word, or a separate hyphen after it, from its rest `other`.
    fn is_parted_from(&self, hyphen: Option<&Self>, other: &Self) -> bool {
        let (own, others) = (self.bounds, other.bounds);
        let is_elsewhere = self.page != other.page || others.top <= own.bottom || own.top <= others.bottom;
        let start = match hyphen {
            Some(hyphen) => Some(&*self.key).filter(|_| Rc::ptr_eq(&self.line, &hyphen.line)),
            None => self.key.strip_suffix('-'),
        };
        is_elsewhere
            && start.is_some_and(|start| start.ends_with(char::is_alphabetic))
            && other.key.starts_with(char::is_lowercase)
    }

    /// Appends the rest from the next line.
    fn go_on_with(&mut self, rest: &Self) {
        let joined = |start: &str, end: &str| start.trim_end_matches(is_hyphen).chars().chain(end.chars()).collect();
        let text: String = joined(&self.text, &rest.text);
        let key: String = joined(&self.key, &rest.key);
        (self.text, self.key, self.is_parted) = (text.into(), key.into(), true);
        if self.page == rest.page {
            self.bounds = self.bounds.with(rest.bounds);
        }
    }

    fn is_still(&self, other: &Self) -> bool {
        let is_near = |one: f64, other: f64| (one - other).abs() <= POSITION_TOLERANCE_PT;
        let (own, others) = (self.bounds, other.bounds);
        self.page == other.page && is_near(own.left, others.left) && is_near(own.bottom, others.bottom)
    }
}

fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}')
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Returns a word's comparison key: compatibility characters unified (UAX #15), hyphens unified, no blanks, and
/// radicals undecoded, because they are parts of ideographs.
fn comparable(text: &str) -> String {
    let letters = text.nfkc().filter(|letter| !letter.is_whitespace());
    let one = letters.map(|letter| match letter {
        letter if is_hyphen(letter) => '-',
        '\u{2e80}'..='\u{2eff}' => UNREADABLE,
        letter => letter,
    });
    one.collect()
}

/// Returns the differences with their number of words. Words are compared in reading order; or in painting order, which
/// follows columns, if that finds less. But where nearly all words stay in place, one move up more or less does not
/// justify painting order.
pub(super) fn differing(old: &[&ComparedWord], new: &[&ComparedWord]) -> Vec<(WordChange, usize)> {
    let size = |hunk: &Hunk| hunk.0.len().max(hunk.1.len());
    let (seen, painted) = ([joined(old), joined(new)], [old, new].map(as_painted));
    let other: [Vec<ComparedWord>; 2];
    let mut found = hunks(&seen);
    let is_painted = |words: &[&ComparedWord]| words.is_sorted_by_key(|word| (word.page, word.order));
    let [old_rises, new_rises] = painted.each_ref().map(|words| rises(words));
    let is_other = (!is_painted(old) || !is_painted(new)) && (old_rises == new_rises || !are_still(old, new));
    if !found.is_empty() && is_other {
        other = painted.map(|words| joined(&words));
        let found_painted = hunks(&other);
        if found_painted.iter().map(size).sum::<usize>() < found.iter().map(size).sum() {
            found = found_painted;
        }
    }
    let change =
        |hunk: &Hunk| (WordChange { before: placed(&hunk.0), after: placed(&hunk.1), public: false }, size(hunk));
    found.iter().map(change).collect()
}

/// Returns words in painting order.
fn as_painted<'w>(words: &[&'w ComparedWord]) -> Vec<&'w ComparedWord> {
    let mut words = words.to_vec();
    words.sort_by_key(|word| (word.page, word.order));
    words
}

/// Returns the number of upward moves between consecutive words, such as at the end of a column.
fn rises(words: &[&ComparedWord]) -> usize {
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs.filter(|(one, other)| one.page == other.page && other.bounds.bottom >= one.bounds.top).count()
}

/// Whether nearly all words stay in place.
fn are_still(old: &[&ComparedWord], new: &[&ComparedWord]) -> bool {
    let all = old.len().min(new.len());
    all - stayed(old, new).len() / 2 <= MAX_MOVED_WORDS.max(all / MAX_MOVED_DIVISOR)
}

/// Returns the words of both texts that stay in place.
fn stayed(old: &[&ComparedWord], new: &[&ComparedWord]) -> BTreeSet<*const ComparedWord> {
    let mut others: BTreeMap<(u32, &str), VecDeque<&ComparedWord>> = BTreeMap::new();
    for word in new {
        others.entry((word.page, &word.key)).or_default().push_back(word);
    }
    let mut stayed = BTreeSet::new();
    for word in old {
        let Some(same) = others.get_mut(&(word.page, &*word.key)) else { continue };
        if let Some(place) = same.iter().take(MAX_CANDIDATES).position(|other| word.is_still(other)) {
            stayed.insert(std::ptr::from_ref(*word));
            stayed.extend(same.remove(place).map(std::ptr::from_ref));
        }
    }
    stayed
}

/// Joins words hyphenated across lines.
fn joined(words: &[&ComparedWord]) -> Vec<ComparedWord> {
    let mut joined: Vec<ComparedWord> = Vec::with_capacity(words.len());
    for word in words {
        let hyphen = joined.pop_if(|last| &*last.key == "-");
        match joined.last_mut() {
            Some(last) if last.is_parted_from(hyphen.as_ref(), word) => last.go_on_with(word),
            _ => joined.extend(hyphen.into_iter().chain([(*word).clone()])),
        }
    }
    joined
}

/// Returns the differing words of two texts.
fn hunks([old, new]: &[Vec<ComparedWord>; 2]) -> Vec<Hunk<'_>> {
    let keys = |words: &'_ [ComparedWord]| words.iter().map(|word| word.key.clone()).collect::<Vec<Rc<str>>>();
    let (mut found, mut are_still): (Vec<Hunk>, bool) = (Vec::new(), true);
    for (one, other, is_same) in differences(&keys(old), &keys(new)) {
        let (one, other) = (old.get(one).unwrap_or_default(), new.get(other).unwrap_or_default());
        if is_same {
            are_still &= one.iter().zip(other).all(|(one, other)| one.is_still(other));
        } else {
            found.push((one.iter().collect(), other.iter().collect()));
        }
    }
    // if no common word moved, differing words that stay in place only have another reading order
    if are_still {
        let (old, new): (Vec<_>, Vec<_>) = found.iter().cloned().unzip();
        let stayed = stayed(&old.concat(), &new.concat());
        for words in found.iter_mut().flat_map(|(one, other)| [one, other]) {
            words.retain(|word| !stayed.contains(&std::ptr::from_ref(*word)));
        }
    }
    found.retain(|(one, other)| !may_be_same(one, other));
    found
}

/// Returns the ranges of a diff of two texts, in order, and whether they are equal.
pub(super) fn differences<T: Eq + Hash>(
    old: &[T],
    new: &[T],
) -> impl Iterator<Item = (Range<usize>, Range<usize>, bool)> + use<T> {
    let found = capture_diff_slices(Algorithm::Myers, old, new);
    found.into_iter().map(|one| (one.old_range(), one.new_range(), one.tag() == DiffTag::Equal))
}

/// Whether words have the same letters, regardless of word boundaries and undecoded characters.
fn may_be_same(old: &[&ComparedWord], new: &[&ComparedWord]) -> bool {
    let letters = |words: &[&ComparedWord]| words.iter().map(|word| &*word.key).collect::<String>();
    let (mut one, mut other) = (letters(old), letters(new));
    if old.iter().chain(new).any(|word| word.is_parted) {
        [&mut one, &mut other].into_iter().for_each(|letters| letters.retain(|letter| letter != '-'));
    }
    // orientation and neighbors of brackets vary between writers of right-to-left lines
    if old.iter().chain(new).any(|word| word.line.contains(is_right_to_left)) {
        [&mut one, &mut other].into_iter().for_each(|letters| letters.retain(|letter| !"()[]{}<>«»".contains(letter)));
    }
    match (one.contains(UNREADABLE), other.contains(UNREADABLE)) {
        (false, false) => one == other,
        (true, true) => true,
        (true, false) => matches_decoded(&one, &other),
        (false, true) => matches_decoded(&other, &one),
    }
}

/// Whether a text matches one with undecoded characters.
fn matches_decoded(undecoded: &str, text: &str) -> bool {
    let (mut rest, mut pieces) = (text, undecoded.split(UNREADABLE));
    let start = pieces.next().unwrap_or_default();
    let end = pieces.next_back().unwrap_or_default();
    let Some(middle) = rest.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else { return false };
    rest = middle;
    pieces.all(|piece| {
        let found = rest.find(piece);
        rest = found.and_then(|found| rest.get(found + piece.len()..)).unwrap_or_default();
        found.is_some()
    })
}

fn placed(words: &[&ComparedWord]) -> Option<PlacedWords> {
    let ComparedWord { page, ref line, .. } = **words.first()?;
    let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
    let own = words.iter().filter(|word| word.page == page).map(|word| word.bounds);
    let text = texts.join(" ").chars().take(MAX_REPORTED_CHARACTERS).collect();
    Some(PlacedWords { page, text, line: line.to_string(), r#box: own.reduce(Rectangle::with)? })
}
