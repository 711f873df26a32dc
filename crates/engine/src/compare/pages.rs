//! Pages of a file as words: running lines, and what two pages or files have in common.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

use super::words::ComparedWord;
use crate::integrity::visible_lines;
use pdf_content::hidden::{TextByVisibility, letters};
use pdf_content::{PageText, Run};
use pdf_syntax::budget::{SHOWN, TimeLimit};
use pdf_syntax::failure::Fault;
use pdf_syntax::text::common::shared;

/// Budget of comparisons of text and areas, per page.
const MAX_CHECKS: usize = 1 << 20;
/// Share of its word pairs that a page must have in common with its successor in the other file.
const SUCCESSOR_MIN_SHARED_PART: f64 = 0.3;
/// Maximum share of a page that two similar pages may claim together, as some words are in both.
const SUCCESSOR_MAX_FILL: f64 = 1.2;
/// Maximum running lines at the top and bottom, and maximum distance of pages with the same running line.
const MAX_RUNNING_LINES: usize = 3;
const RUNNING_MAX_PAGE_DISTANCE: usize = 2;

/// A page with its visible words.
#[derive(Debug, Clone, Default)]
pub(super) struct ComparedPage {
    pub(super) number: u32,
    pub(super) words: Vec<ComparedWord>,
    /// Words that are painted invisibly, such as white or tiny ones.
    pub(super) hidden: Vec<ComparedWord>,
    /// Letters of all words that are certainly visible, and of all others; none if that cannot be determined.
    pub(super) letters: Option<[Vec<String>; 2]>,
    /// Whether content is missing.
    pub(super) is_part: bool,
}

impl ComparedPage {
    /// Returns the words of a page and its annotations, visible and hidden text separately.
    pub(super) fn of(number: u32, mut page: PageText) -> Self {
        let mut checks = MAX_CHECKS;
        let text = TextByVisibility::of(&page, &mut checks);
        let words = |runs: &[Run]| {
            let lines = page.lines_of(runs);
            lines.iter().flat_map(|line| &line.words).map(|word| letters(&word.text)).collect::<Vec<String>>()
        };
        let letters = text.as_ref().map(|text| [words(&text.shown), words(&text.concealed)]);
        let invisible = text.map(|text| text.invisible).unwrap_or_default();
        let runs = std::mem::take(&mut page.runs).into_iter().enumerate();
        let (hidden, shown): (Vec<_>, Vec<_>) = runs.partition(|(place, _)| invisible.contains(place));
        let [hidden, shown] = [hidden, shown].map(|runs| runs.into_iter().map(|(_, run)| run).collect::<Vec<Run>>());
        let mut checks = MAX_CHECKS;
        let mut compared = Self { number, letters, is_part: page.is_part, ..Self::default() };
        page.runs = shown;
        compared.words = compared.seen(&page, &mut checks);
        page.runs = hidden;
        compared.hidden = compared.seen(&page, &mut checks);
        compared
    }

    /// Returns the words that the page's runs show.
    fn seen(&mut self, page: &PageText, checks: &mut usize) -> Vec<ComparedWord> {
        let owners: BTreeSet<Option<u32>> = page.runs.iter().map(|run| run.annotation).collect();
        let (number, mut words) = (self.number, Vec::new());
        for owner in owners {
            let Some(lines) = visible_lines(page, owner, checks) else {
                self.is_part = true;
                continue;
            };
            for line in lines {
                let texts: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
                let whole: Rc<str> = texts.join(" ").chars().take(SHOWN).collect::<String>().into();
                let seen = line
                    .words
                    .into_iter()
                    .map(|word| ComparedWord::of(word.text, number, word.bounds, &whole, word.order));
                words.extend(seen.flatten());
            }
        }
        words
    }

    /// Whether it has no text to compare.
    pub(super) fn is_blank(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns its letters, regardless of word boundaries, to compare pages.
    pub(super) fn key(&self) -> String {
        self.words.iter().map(|word| &*word.key).collect()
    }

    /// Returns hashes of its word pairs, sorted for counting; ideographs are words.
    pub(super) fn pairs(&self) -> Vec<u64> {
        let is_ideograph = |letter: char| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}');
        let words = self.words.iter().filter(|word| !word.is_unreadable());
        let mut before = "";
        let pair = |word| {
            let mut hasher = DefaultHasher::new();
            (std::mem::replace(&mut before, word), word).hash(&mut hasher);
            hasher.finish()
        };
        let mut pairs: Vec<u64> = words.flat_map(|word| word.key.split_inclusive(is_ideograph)).map(pair).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Returns the range of its first or last line.
    fn end_line(&self, is_last: bool) -> Range<usize> {
        let end = if is_last { self.words.last() } else { self.words.first() };
        let is_of_line = |word: &&ComparedWord| end.is_some_and(|end| Rc::ptr_eq(&end.line, &word.line));
        if is_last {
            self.words.len() - self.words.iter().rev().take_while(is_of_line).count()..self.words.len()
        } else {
            0..self.words.iter().take_while(is_of_line).count()
        }
    }
}

/// Splits off running lines at these ends (top or bottom), such as page numbers.
pub(super) fn parted(pages: &[ComparedPage], ends: &[bool]) -> (Vec<ComparedPage>, Vec<ComparedWord>) {
    let (mut pages, mut running) = (pages.to_vec(), Vec::new());
    for is_last in ends.repeat(MAX_RUNNING_LINES) {
        let ends: Vec<Range<usize>> = pages.iter().map(|page| page.end_line(is_last)).collect();
        let line = |place: usize| {
            let words = pages.get(place)?.words.get(ends.get(place)?.clone())?;
            Some(words.iter().map(|word| &*word.key).collect::<String>())
        };
        let lines: Vec<String> = (0..pages.len()).map_while(line).collect();
        let runs_on = |place: &usize, apart: usize| {
            let pair = lines.get(*place).zip(lines.get(place + apart));
            pair.is_some_and(|(one, other)| is_line_of_next(one, other, apart as u64))
        };
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for apart in 1..=RUNNING_MAX_PAGE_DISTANCE {
            let places = (0..lines.len()).filter(|place| runs_on(place, apart));
            found.extend(places.flat_map(|place| [place, place + apart]));
        }
        for place in found {
            let (Some(page), Some(end)) = (pages.get_mut(place), ends.get(place)) else { continue };
            // never the complete page
            if end.len() < page.words.len() {
                running.extend(page.words.drain(end.clone()));
            }
        }
    }
    running.sort_by_key(|word| word.page);
    (pages, running)
}

/// Whether a line repeats another one `apart` pages later, except for a page number.
fn is_line_of_next(line: &str, next: &str, apart: u64) -> bool {
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    let numbers = |text: &str| -> Vec<u64> {
        text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
    };
    let (from, to) = (numbers(line), numbers(next));
    let counting: Vec<(&u64, &u64)> = from.iter().zip(&to).filter(|(from, to)| from != to).collect();
    let counts = match counting.as_slice() {
        [] => true,
        [(from, to)] => **to == from.saturating_add(apart),
        _ => false,
    };
    letters(line) == letters(next) && from.len() == to.len() && counts
}

/// Returns the share of word pairs of the shorter file that the other has, from 0 to 1; none if there are no decoded
/// words.
pub(super) fn in_common(before: &[ComparedPage], after: &[ComparedPage]) -> Option<f64> {
    let pairs = |pages: &[ComparedPage]| {
        let mut pairs: Vec<u64> = pages.iter().flat_map(ComparedPage::pairs).collect();
        pairs.sort_unstable();
        pairs
    };
    let (old, new) = (pairs(before), pairs(after));
    let shorter = Some(old.len().min(new.len())).filter(|pairs| *pairs > 0)?;
    Some(shared(&old, &new) as f64 / shorter as f64)
}

/// Returns the numbers of pages that have a similar page in the other file: one with many of the same words, not yet
/// taken by a more similar page.
pub(super) fn alike(
    old: &[&ComparedPage],
    new: &[&ComparedPage],
    limit: TimeLimit,
) -> Result<(BTreeSet<u32>, BTreeSet<u32>), Fault> {
    let others: Vec<_> = new.iter().map(|page| (page.number, page.pairs())).collect();
    let (mut found, mut most_of_old, mut most_of_new) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for page in old {
        limit.check()?;
        let own = page.pairs();
        for (other, pairs) in &others {
            let count = shared(&own, pairs);
            if count > 0 && count as f64 >= SUCCESSOR_MIN_SHARED_PART * own.len().min(pairs.len()) as f64 {
                found.push((page.number, *other, count, [own.len(), pairs.len()]));
                for (most, number) in [(&mut most_of_old, page.number), (&mut most_of_new, *other)] {
                    let most: &mut usize = most.entry(number).or_default();
                    *most = count.max(*most);
                }
            }
        }
    }
    let fits = |most: &BTreeMap<u32, usize>, page: &u32, count: usize, all: usize| {
        let most = most.get(page).copied().unwrap_or_default();
        most == count || (most + count) as f64 <= SUCCESSOR_MAX_FILL * all as f64
    };
    let like_new = found.iter().filter(|(_, new, count, [_, all])| fits(&most_of_new, new, *count, *all));
    let like_old = found.iter().filter(|(old, _, count, [all, _])| fits(&most_of_old, old, *count, *all));
    Ok((like_new.map(|(old, ..)| *old).collect(), like_old.map(|(_, new, ..)| *new).collect()))
}
