//! What differs between the pages of two files: the same, moved, come, gone, or with other words.

use std::collections::BTreeSet;

use super::pages::{ComparedPage, alike, parted};
use super::words::{ComparedWord, differences, differing};
use super::{Comparison, PlacedWords, WordChange};
use crate::budget::TimeLimit;
use crate::failure::Fault;
use crate::hidden::report::ExaminedContent;
use crate::text::common::shared;

/// Differences that are told, and differing words up to which they are.
const TOLD: usize = 500;
const MOST: usize = 2_500;
/// The part of its pairs of words that a page must have in common with one that stands elsewhere to be that one.
const MOVED: f64 = 0.5;

/// Pages of both files.
type Both<'p> = (Vec<&'p ComparedPage>, Vec<&'p ComparedPage>);

/// What differs between the pages of two files, which may go on behind them: of all that they show, or of the lines that run
/// through all pages by themselves and of the others, whichever is less.
pub(super) fn compared(
    before: &[ComparedPage],
    after: &[ComparedPage],
    go_on: [bool; 2],
    limit: TimeLimit,
) -> Result<Comparison, Fault> {
    let told = nothing(before, after);
    if told.examined == ExaminedContent::None {
        return Ok(told);
    }
    let mut whole = Difference { told: told.clone(), size: 0, limit };
    whole.find(before, after)?;
    for ends in [&[true][..], &[false], &[false, true]] {
        let (old, new) = (parted(before, ends), parted(after, ends));
        if whole.size == 0 || old.1.is_empty() && new.1.is_empty() {
            continue;
        }
        let mut apart = Difference { told: told.clone(), size: 0, limit };
        apart.find(&old.0, &new.0)?;
        apart.tell_running(&old.1, &new.1, [before.len(), after.len()]);
        if apart.size < whole.size {
            whole = apart;
        }
    }
    let mut told = whole.told;
    told.pages_removed.sort_unstable();
    told.pages_added.sort_unstable();
    // what is missing at the end of what was read may come behind it
    let is_cut = |pages: &[ComparedPage]| pages.last().is_some_and(|page| page.is_part && page.is_blank());
    let [old_goes_on, new_goes_on] = go_on;
    if new_goes_on || is_cut(after) {
        let end = end_of(before, &mut told.pages_removed);
        told.words
            .retain(|change| change.after.is_some() || change.before.as_ref().is_some_and(|gone| gone.page < end));
    }
    if old_goes_on || is_cut(before) {
        let end = end_of(after, &mut told.pages_added);
        told.words
            .retain(|change| change.before.is_some() || change.after.as_ref().is_some_and(|come| come.page < end));
    }
    told.words_total = told.words.len();
    told.words.truncate(TOLD);
    Ok(told)
}

/// The last page with words, but for those at the end that are not in the other file, which are taken out of the list of them.
fn end_of(pages: &[ComparedPage], others: &mut Vec<u32>) -> u32 {
    let last = pages.iter().rev().find(|page| !page.is_blank());
    let mut end = last.map_or(0, |page| page.number);
    while others.pop_if(|page| *page >= end).is_some() {
        end = end.saturating_sub(1);
    }
    end
}

/// What was found to differ.
struct Difference {
    told: Comparison,
    /// How many words and pages.
    size: usize,
    limit: TimeLimit,
}

impl Difference {
    fn find(&mut self, before: &[ComparedPage], after: &[ComparedPage]) -> Result<(), Fault> {
        let keys = |pages: &[ComparedPage]| pages.iter().map(ComparedPage::key).collect::<Vec<String>>();
        let (old_keys, new_keys) = (keys(before), keys(after));
        let gaps: Vec<_> = differences(&old_keys, &new_keys).filter(|(.., is_same)| !is_same).collect();
        let mut rest: (BTreeSet<usize>, BTreeSet<usize>) = Default::default();
        for (one, other, _) in &gaps {
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
                self.told.pages_moved.extend(after.get(new).map(|other| [one.number, other.number]));
            }
        }
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (one, other, _) in gaps {
            let old = one.filter(|page| rest.0.contains(page)).filter_map(|page| before.get(page)).collect();
            let new = other.filter(|page| rest.1.contains(page)).filter_map(|page| after.get(page)).collect();
            let unlike = self.find_between((old, new))?;
            gone.extend(unlike.0);
            come.extend(unlike.1);
        }
        self.find_moved(gone, come);
        let Comparison { pages_added, pages_removed, pages_moved, .. } = &self.told;
        self.size += pages_added.len() + pages_removed.len() + pages_moved.len();
        Ok(())
    }

    /// Finds what became of pages between others that are the same; those that went and came are given back.
    fn find_between<'p>(&mut self, (mut old, mut new): Both<'p>) -> Result<Both<'p>, Fault> {
        if old.len() == new.len() {
            // of a page that has no text here or there nothing can be said
            let is_told = |(one, other): (&&ComparedPage, &&ComparedPage)| !one.is_blank() && !other.is_blank();
            let are_told: Vec<bool> = old.iter().zip(&new).map(is_told).collect();
            for pages in [&mut old, &mut new] {
                let mut are_told = are_told.iter();
                pages.retain(|_| are_told.next() == Some(&true));
            }
        }
        let (like_new, like_old) = alike(&old, &new, self.limit)?;
        let (mut gone, mut come) = (unlike(&old, &like_new), unlike(&new, &like_old));
        let are_blank = |pages: &[&ComparedPage]| pages.iter().all(|page| page.is_blank());
        let places = |pages: &[(usize, &ComparedPage)]| pages.iter().map(|(place, _)| *place).collect::<Vec<usize>>();
        // what stands in the place of a page is what became of it, however much that is
        if places(&gone) == places(&come) || like_new.is_empty() && !are_blank(&old) && !are_blank(&new) {
            gone.clear();
            come.clear();
        }
        let pages = |pages: Vec<(usize, &'p ComparedPage)>| pages.into_iter().map(|(_, page)| page).collect::<Vec<_>>();
        let (gone, come) = (pages(gone), pages(come));
        let words = |pages: Vec<&'p ComparedPage>, unlike: &[&ComparedPage]| {
            let left = pages.into_iter().filter(|page| unlike.iter().all(|other| other.number != page.number));
            left.flat_map(|page| &page.words).collect::<Vec<&ComparedWord>>()
        };
        self.tell(differing(&words(old, &gone), &words(new, &come)));
        Ok((gone, come))
    }

    /// Finds pages that went from one place and came, with other words, to another one.
    fn find_moved(&mut self, gone: Vec<&ComparedPage>, come: Vec<&ComparedPage>) {
        let mut come: Vec<_> = come.into_iter().map(|page| (page, page.pairs())).collect();
        for page in gone {
            let own = page.pairs();
            let part = |pairs: &[u64]| shared(&own, pairs) as f64 / own.len().max(pairs.len()).max(1) as f64;
            let parts = come.iter().map(|(_, pairs)| part(pairs)).enumerate();
            match parts.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
                Some((place, part)) if part >= MOVED => {
                    let (other, _) = come.remove(place);
                    self.told.pages_moved.push([page.number, other.number]);
                    let [old, new] = [page, other].map(|page| page.words.iter().collect::<Vec<&ComparedWord>>());
                    self.tell(differing(&old, &new));
                }
                _ => self.told.pages_removed.push(page.number),
            }
        }
        self.told.pages_added.extend(come.into_iter().map(|(page, _)| page.number));
    }

    /// Tells what differs in lines that run through all pages, page by page; not that they number more of them, or fewer.
    fn tell_running(&mut self, old: &[ComparedWord], new: &[ComparedWord], pages: [usize; 2]) {
        let [old_pages, new_pages] = pages.map(|pages| pages.to_string());
        for page in 1..=pages.into_iter().min().unwrap_or_default() as u32 {
            let [old, new] =
                [old, new].map(|words| words.iter().filter(|word| word.page == page).collect::<Vec<&ComparedWord>>());
            let mut changes = differing(&old, &new);
            let is = |words: &Option<PlacedWords>, text: &str| words.as_ref().is_some_and(|words| words.text == text);
            changes.retain(|(change, _)| !is(&change.before, &old_pages) || !is(&change.after, &new_pages));
            self.tell(changes);
        }
    }

    /// Tells of words that differ, if they are not too many.
    fn tell(&mut self, changes: Vec<(WordChange, usize)>) {
        let size: usize = changes.iter().map(|(_, size)| size).sum();
        self.size += size;
        self.told.too_different |= size > MOST;
        if size <= MOST {
            self.told.words.extend(changes.into_iter().map(|(change, _)| change));
        }
    }
}

/// Those of these pages that are not among such, and how many of those come before each.
fn unlike<'p>(pages: &[&'p ComparedPage], alike: &BTreeSet<u32>) -> Vec<(usize, &'p ComparedPage)> {
    let mut before = 0;
    let mut found = Vec::new();
    for page in pages {
        match alike.contains(&page.number) {
            true => before += 1,
            false => found.push((before, *page)),
        }
    }
    found
}

/// That of what could be compared, not all was.
pub(super) fn lessened(examined: ExaminedContent) -> ExaminedContent {
    if examined == ExaminedContent::All { ExaminedContent::Part } else { examined }
}

/// Nothing but how much there is to compare.
fn nothing(before: &[ComparedPage], after: &[ComparedPage]) -> Comparison {
    let without = |pages: &[ComparedPage]| {
        let blank = pages.iter().filter(|page| page.is_blank());
        blank.map(|page| page.number).collect::<Vec<u32>>()
    };
    let without_text = [without(before), without(after)];
    let has_words = |pages: &[ComparedPage]| pages.iter().any(|page| !page.is_blank());
    // words that cannot be read are not the same because neither can be
    let is_unread = |page: &ComparedPage| page.is_part || page.words.iter().any(ComparedWord::is_unreadable);
    let is_part = before.iter().chain(after).any(is_unread) || without_text.iter().any(|pages| !pages.is_empty());
    let examined = match (has_words(before) && has_words(after), is_part) {
        (false, _) => ExaminedContent::None,
        (true, true) => ExaminedContent::Part,
        (true, false) => ExaminedContent::All,
    };
    Comparison { examined, without_text, ..Comparison::default() }
}
