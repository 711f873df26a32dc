//! Words of two texts held against each other: which of them differ, whatever lines, hyphens and order of painting a writer
//! gave them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hash;
use std::ops::Range;
use std::rc::Rc;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_normalization::UnicodeNormalization;

use super::{PlacedWords, WordChange};
use crate::content::Rectangle;

/// Characters that are told of a difference.
const TEXT: usize = 500;
/// How far words may be off their place and still stand there, in points.
const STILL: f64 = 3.0;
/// How many words, or which part of all of them, are few.
const FEW: usize = 4;
const FEW_OF: usize = 10;
/// Words of the same letters among which that of a place is looked for.
const ALIKE: usize = 16;
/// What stands for a character that cannot be read.
const UNREADABLE: char = '\u{fffd}';

/// A word: as it is told, as it is compared, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct ComparedWord {
    text: Rc<str>,
    pub(super) key: Rc<str>,
    pub(super) page: u32,
    bounds: Rectangle,
    pub(super) line: Rc<str>,
    /// When it was painted, among those of its page.
    order: u32,
    /// Whether a line ends within it.
    is_parted: bool,
}

/// Words of one text that stand in the place of those of the other one.
type Hunk<'w> = (Vec<&'w ComparedWord>, Vec<&'w ComparedWord>);

impl ComparedWord {
    /// None of what has no letters to compare.
    pub(super) fn of(text: String, page: u32, bounds: Rectangle, line: &Rc<str>, order: u32) -> Option<Self> {
        let key = Some(comparable(&text)).filter(|key| !key.is_empty())?;
        Some(Self { text: text.into(), key: key.into(), page, bounds, line: line.clone(), order, is_parted: false })
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.key.contains(UNREADABLE)
    }

    /// Whether a line ends between this word, or a hyphen that stands apart behind it, and the other word, and parts them.
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

    /// With the rest of it from the next line.
    fn go_on_with(&mut self, rest: &Self) {
        let whole = |start: &str, end: &str| start.trim_end_matches(is_hyphen).chars().chain(end.chars()).collect();
        let text: String = whole(&self.text, &rest.text);
        let key: String = whole(&self.key, &rest.key);
        (self.text, self.key, self.is_parted) = (text.into(), key.into(), true);
        if self.page == rest.page {
            self.bounds = self.bounds.with(rest.bounds);
        }
    }

    fn is_still(&self, other: &Self) -> bool {
        let is_near = |one: f64, other: f64| (one - other).abs() <= STILL;
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

/// A word as it is compared: compatible characters are the same (UAX #15), hyphens are one, blanks do not count, and what is
/// only a part of an ideograph stands for none that is sure.
fn comparable(text: &str) -> String {
    let letters = text.nfkc().filter(|letter| !letter.is_whitespace());
    let one = letters.map(|letter| match letter {
        letter if is_hyphen(letter) => '-',
        '\u{2e80}'..='\u{2eff}' => UNREADABLE,
        letter => letter,
    });
    one.collect()
}

/// What differs, each with its number of words. Words are read as they stand on the page; or as they were painted, which goes
/// down one column after the other, if less differs so. But where nearly all stand as they stood, one that goes up more often or
/// less is no reason to take words for the same that moved.
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

/// Words in the order in which they were painted.
fn as_painted<'w>(words: &[&'w ComparedWord]) -> Vec<&'w ComparedWord> {
    let mut words = words.to_vec();
    words.sort_by_key(|word| (word.page, word.order));
    words
}

/// How often words go up the page, as from the end of a column to the next one.
fn rises(words: &[&ComparedWord]) -> usize {
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs.filter(|(one, other)| one.page == other.page && other.bounds.bottom >= one.bounds.top).count()
}

/// Whether nearly all words stand where they stood.
fn are_still(old: &[&ComparedWord], new: &[&ComparedWord]) -> bool {
    let all = old.len().min(new.len());
    all - stayed(old, new).len() / 2 <= FEW.max(all / FEW_OF)
}

/// Words of both that stand where they stood.
fn stayed(old: &[&ComparedWord], new: &[&ComparedWord]) -> BTreeSet<*const ComparedWord> {
    let mut others: BTreeMap<(u32, &str), VecDeque<&ComparedWord>> = BTreeMap::new();
    for word in new {
        others.entry((word.page, &word.key)).or_default().push_back(word);
    }
    let mut stayed = BTreeSet::new();
    for word in old {
        let Some(same) = others.get_mut(&(word.page, &*word.key)) else { continue };
        if let Some(place) = same.iter().take(ALIKE).position(|other| word.is_still(other)) {
            stayed.insert(std::ptr::from_ref(*word));
            stayed.extend(same.remove(place).map(std::ptr::from_ref));
        }
    }
    stayed
}

/// The same words, of which those that a line's end parts are whole.
fn joined(words: &[&ComparedWord]) -> Vec<ComparedWord> {
    let mut whole: Vec<ComparedWord> = Vec::with_capacity(words.len());
    for word in words {
        let hyphen = whole.pop_if(|last| &*last.key == "-");
        match whole.last_mut() {
            Some(last) if last.is_parted_from(hyphen.as_ref(), word) => last.go_on_with(word),
            _ => whole.extend(hyphen.into_iter().chain([(*word).clone()])),
        }
    }
    whole
}

/// Where the words of two texts differ.
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
    // where no word moved, those that stand where they stood are only read in another order
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

/// What two texts have in common and what not, in order: the ranges of both, and whether they are the same.
pub(super) fn differences<T: Eq + Hash>(
    old: &[T],
    new: &[T],
) -> impl Iterator<Item = (Range<usize>, Range<usize>, bool)> + use<T> {
    let found = capture_diff_slices(Algorithm::Myers, old, new);
    found.into_iter().map(|one| (one.old_range(), one.new_range(), one.tag() == DiffTag::Equal))
}

/// Whether words have the same letters, wherever they are parted and as far as they can be read.
fn may_be_same(old: &[&ComparedWord], new: &[&ComparedWord]) -> bool {
    let letters = |words: &[&ComparedWord]| words.iter().map(|word| &*word.key).collect::<String>();
    let (mut one, mut other) = (letters(old), letters(new));
    if old.iter().chain(new).any(|word| word.is_parted) {
        [&mut one, &mut other].into_iter().for_each(|letters| letters.retain(|letter| letter != '-'));
    }
    // which way brackets look and what they stand beside is a writer's choice in lines from right to left
    if old.iter().chain(new).any(|word| word.line.contains(is_right_to_left)) {
        [&mut one, &mut other].into_iter().for_each(|letters| letters.retain(|letter| !"()[]{}<>«»".contains(letter)));
    }
    match (one.contains(UNREADABLE), other.contains(UNREADABLE)) {
        (false, false) => one == other,
        (true, true) => true,
        (true, false) => fits(&one, &other),
        (false, true) => fits(&other, &one),
    }
}

/// Whether a text can be that of which some characters cannot be read.
fn fits(unread: &str, text: &str) -> bool {
    let (mut rest, mut pieces) = (text, unread.split(UNREADABLE));
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
    let text = texts.join(" ").chars().take(TEXT).collect();
    Some(PlacedWords { page, text, line: line.to_string(), r#box: own.reduce(Rectangle::with)? })
}
