//! Pages of two files held against each other: the same, moved, come, gone, or with other words.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use unicode_normalization::UnicodeNormalization;

use super::words::differences;
use super::{Comparison, PlacedWords, WordChange};
use crate::budget::{SHOWN, TimeLimit};
use crate::content::{PageText, Rectangle};
use crate::failure::Fault;
use crate::hidden::report::ExaminedContent;
use crate::integrity::seen_lines;
use crate::text::common::shared;

/// Differences that are told, and characters of each.
const TOLD: usize = 500;
const TEXT: usize = 500;
/// How often a text is held against an area that may lie over it, for one page.
const CHECKS: usize = 1 << 20;
/// The part of its words that a page must have in common with one of the other file to be what became of it.
const SIMILAR: f64 = 0.3;
/// How far words may be off their place and still be those that another writer put in another order, in points.
const STILL: f64 = 3.0;
/// What stands for a character that cannot be read.
const UNREADABLE: char = '\u{fffd}';

/// A page with its words as they are seen.
#[derive(Debug)]
pub(super) struct PageWords {
    number: u32,
    words: Vec<Seen>,
    /// Whether there is more than could be read.
    is_part: bool,
}

/// A word: as it is told, as it is compared, and where it stands.
#[derive(Debug, Clone)]
struct Seen {
    text: String,
    key: String,
    page: u32,
    bounds: Rectangle,
    line: Rc<str>,
}

impl Seen {
    fn is_unreadable(&self) -> bool {
        self.key.contains(UNREADABLE)
    }
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl PageWords {
    /// The words of a page, its own and those of its annotations.
    pub(super) fn of(number: u32, page: &PageText) -> Self {
        let owners: BTreeSet<Option<u32>> = page.runs.iter().map(|run| run.annotation).collect();
        let (mut checks, mut words, mut is_part) = (CHECKS, Vec::new(), page.is_part);
        for owner in owners {
            let Some(lines) = seen_lines(page, owner, &mut checks) else {
                is_part = true;
                continue;
            };
            for line in lines {
                let texts: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
                let whole: Rc<str> = texts.join(" ").chars().take(SHOWN).collect::<String>().into();
                words.extend(line.words.into_iter().filter_map(|word| {
                    let key = Some(comparable(&word.text)).filter(|key| !key.is_empty())?;
                    Some(Seen { text: word.text, key, page: number, bounds: word.bounds, line: whole.clone() })
                }));
            }
        }
        Self { number, words, is_part }
    }

    /// What tells it from other pages: its letters, wherever words end.
    fn key(&self) -> String {
        self.words.iter().map(|word| word.key.as_str()).collect()
    }
}

/// A word as it is compared: compatible characters are the same (UAX #15), hyphens are one, blanks do not count.
fn comparable(text: &str) -> String {
    let letters = text.nfkc().filter(|letter| !letter.is_whitespace());
    let one = letters.map(|letter| if matches!(letter, '\u{ad}' | '\u{2010}' | '\u{2011}') { '-' } else { letter });
    one.collect()
}

/// How much of the words of the shorter text the other one has too, from 0 to 1.
pub(super) fn in_common(before: &[PageWords], after: &[PageWords]) -> f64 {
    let keys = |pages| sorted(<[PageWords]>::iter(pages).flat_map(|page| &page.words));
    common(&keys(before), &keys(after))
}

fn sorted<'w>(words: impl Iterator<Item = &'w Seen>) -> Vec<&'w str> {
    let mut keys: Vec<&str> = words.map(|word| word.key.as_str()).collect();
    keys.sort_unstable();
    keys
}

/// The same of words that are sorted.
fn common(before: &[&str], after: &[&str]) -> f64 {
    shared(before, after) as f64 / before.len().min(after.len()).max(1) as f64
}

/// What differs between the pages of two files.
pub(super) fn compared(before: &[PageWords], after: &[PageWords], limit: TimeLimit) -> Result<Comparison, Fault> {
    let (old_keys, new_keys): (Vec<String>, Vec<String>) =
        (before.iter().map(PageWords::key).collect(), after.iter().map(PageWords::key).collect());
    let mut told = nothing(before, after);
    if told.examined == ExaminedContent::None {
        return Ok(told);
    }
    let Some(gaps) = differences(&old_keys, &new_keys) else {
        told.too_different = true;
        return Ok(told);
    };
    let mut rest: (BTreeSet<usize>, BTreeSet<usize>) = (BTreeSet::new(), BTreeSet::new());
    for (one, other) in &gaps {
        rest.0.extend(one.clone());
        rest.1.extend(other.clone());
    }
    // the same, elsewhere
    for old in rest.0.clone() {
        let key = old_keys.get(old).filter(|key| !key.is_empty());
        let same = rest.1.iter().copied().find(|new| key.is_some() && new_keys.get(*new) == key);
        if let (Some(new), Some(one)) = (same, before.get(old)) {
            rest.0.remove(&old);
            rest.1.remove(&new);
            told.pages_moved.extend(after.get(new).map(|other| [one.number, other.number]));
        }
    }
    for (one, other) in gaps {
        let own =
            |range: Range<usize>, rest: &BTreeSet<usize>| range.filter(|page| rest.contains(page)).collect::<Vec<_>>();
        let old: Vec<&PageWords> = own(one, &rest.0).into_iter().filter_map(|page| before.get(page)).collect();
        let new: Vec<&PageWords> = own(other, &rest.1).into_iter().filter_map(|page| after.get(page)).collect();
        in_gap(old, new, &mut told, limit)?;
    }
    told.words_total = told.words.len();
    told.words.truncate(TOLD);
    Ok(told)
}

/// Tells what became of pages between others that are the same.
fn in_gap(
    mut old: Vec<&PageWords>,
    mut new: Vec<&PageWords>,
    told: &mut Comparison,
    limit: TimeLimit,
) -> Result<(), Fault> {
    let (was, is) = (old.clone(), new.clone());
    // one page against one is what became of it, however much that is
    let are_paired = was.len() == is.len();
    if are_paired {
        // of a page that has no text here or there nothing can be said
        old.retain(|page| is_readable(page, &was, &is));
        new.retain(|page| is_readable(page, &is, &was));
    }
    if !are_paired {
        let (like_new, like_old) = alike(&was, &is, limit)?;
        old.retain(|page| like_new.contains(&page.number) || page.words.is_empty());
        new.retain(|page| like_old.contains(&page.number) || page.words.is_empty());
    }
    let numbers = |all: &[&PageWords], left: &[&PageWords]| {
        let gone = all.iter().filter(|page| left.iter().all(|left| left.number != page.number));
        gone.map(|page| page.number).collect::<Vec<u32>>()
    };
    if !are_paired {
        told.pages_removed.extend(numbers(&was, &old));
        told.pages_added.extend(numbers(&is, &new));
    }
    let blank = |pages: &mut Vec<&PageWords>| pages.extract_if(.., |page| page.words.is_empty()).count();
    let (without, others_without) = (blank(&mut old), blank(&mut new));
    if without > 0 || others_without > 0 {
        told.examined = lessened(told.examined);
    }
    let words = |pages: Vec<&PageWords>| pages.into_iter().flat_map(|page| page.words.clone()).collect::<Vec<Seen>>();
    let (old, new) = (words(old), words(new));
    let Some(found) = differences(&old, &new) else {
        told.too_different = true;
        return Ok(());
    };
    let mut hunks = Vec::new();
    for (one, other) in found {
        let (one, other) = (old.get(one).unwrap_or_default(), new.get(other).unwrap_or_default());
        if !one.iter().chain(other).any(Seen::is_unreadable) && letters(one) != letters(other) {
            hunks.push((one, other));
        }
    }
    told.words.extend(
        in_place(hunks).into_iter().map(|(one, other)| WordChange { before: placed(one), after: placed(other) }),
    );
    Ok(())
}

/// The numbers of the pages on both sides that have one like them on the other.
fn alike(old: &[&PageWords], new: &[&PageWords], limit: TimeLimit) -> Result<(BTreeSet<u32>, BTreeSet<u32>), Fault> {
    let (mut like_new, mut like_old) = (BTreeSet::new(), BTreeSet::new());
    let others: Vec<_> = new.iter().map(|page| (page, sorted(page.words.iter()))).collect();
    for page in old {
        limit.check()?;
        let keys = sorted(page.words.iter());
        for (other, other_keys) in &others {
            if common(&keys, other_keys) >= SIMILAR {
                like_new.insert(page.number);
                like_old.insert(other.number);
            }
        }
    }
    Ok((like_new, like_old))
}

/// Whether a page and the one in its place both have text.
fn is_readable(page: &PageWords, own: &[&PageWords], others: &[&PageWords]) -> bool {
    let place = own.iter().position(|one| one.number == page.number);
    let other = place.and_then(|place| others.get(place));
    !page.words.is_empty() && other.is_some_and(|other| !other.words.is_empty())
}

/// Without words that stand where they stood and are only read in another order.
fn in_place<'w>(hunks: Vec<(&'w [Seen], &'w [Seen])>) -> Vec<(&'w [Seen], &'w [Seen])> {
    let mut come: Vec<&[Seen]> = hunks.iter().filter(|(one, _)| one.is_empty()).map(|(_, other)| *other).collect();
    let mut stayed: Vec<*const Seen> = Vec::new();
    for (gone, _) in hunks.iter().filter(|(_, other)| other.is_empty()) {
        let same = come.iter().position(|come| letters(come) == letters(gone) && are_still(gone, come));
        if let Some(same) = same {
            stayed.extend([gone.as_ptr(), come.swap_remove(same).as_ptr()]);
        }
    }
    let has_stayed = |words: &[Seen]| !words.is_empty() && stayed.contains(&words.as_ptr());
    hunks.into_iter().filter(|(one, other)| !has_stayed(one) && !has_stayed(other)).collect()
}

fn are_still(gone: &[Seen], come: &[Seen]) -> bool {
    let place = |words: &[Seen]| words.first().map(|word| (word.page, word.bounds));
    match (place(gone), place(come)) {
        (Some((page, one)), Some((other_page, other))) => {
            page == other_page && (one.left - other.left).abs() <= STILL && (one.bottom - other.bottom).abs() <= STILL
        }
        _ => false,
    }
}

/// That of what could be compared, not all was.
pub(super) fn lessened(examined: ExaminedContent) -> ExaminedContent {
    if examined == ExaminedContent::All { ExaminedContent::Part } else { examined }
}

fn letters(words: &[Seen]) -> String {
    words.iter().map(|word| word.key.as_str()).collect()
}

fn placed(words: &[Seen]) -> Option<PlacedWords> {
    let Seen { page, ref line, .. } = *words.first()?;
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let own = words.iter().filter(|word| word.page == page).map(|word| word.bounds);
    let text = texts.join(" ").chars().take(TEXT).collect();
    Some(PlacedWords { page, text, line: line.to_string(), r#box: own.reduce(Rectangle::with)? })
}

/// Nothing but how much there is to compare.
fn nothing(before: &[PageWords], after: &[PageWords]) -> Comparison {
    let without = |pages: &[PageWords]| {
        let blank = pages.iter().filter(|page| page.words.is_empty());
        blank.map(|page| page.number).collect::<Vec<u32>>()
    };
    let without_text = [without(before), without(after)];
    let has_words = |pages: &[PageWords]| pages.iter().any(|page| !page.words.is_empty());
    // words that cannot be read are not the same because neither can be
    let is_unread = |page: &PageWords| page.is_part || page.words.iter().any(Seen::is_unreadable);
    let is_part = before.iter().chain(after).any(is_unread) || without_text.iter().any(|pages| !pages.is_empty());
    let examined = ExaminedContent::of(has_words(before) && has_words(after), is_part);
    Comparison { examined, without_text, ..Comparison::default() }
}
