//! Differences between the pages of two files: unchanged, moved, added, removed, or with other words.

use std::collections::BTreeSet;

use super::pages::{ComparedPage, alike, parted};
use super::words::{ComparedWord, differences, differing};
use super::{Comparison, PlacedWords, WordChange};
use pdf_content::hidden::report::ExaminedContent;
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::failure::Fault;
use pdf_syntax::text::common::shared;

/// Maximum differences reported, and maximum words of a differing passage: a larger one is too different to compare.
const MAX_CHANGES: usize = 500;
const MAX_CHANGED_WORDS: usize = 2_500;
/// Share of its word pairs that a moved page must have in common with its former self.
const MOVED_MIN_SHARED_PART: f64 = 0.5;

/// Pages of both files.
type Both<'p> = (Vec<&'p ComparedPage>, Vec<&'p ComparedPage>);

/// Returns the differences between the pages of two files, which may be truncated: compared completely, or with running
/// lines compared separately, whichever gives fewer differences.
pub(super) fn compared(
    before: &[ComparedPage],
    after: &[ComparedPage],
    go_on: [bool; 2],
    limit: TimeLimit,
) -> Result<Comparison, Fault> {
    let comparison = nothing(before, after);
    if comparison.examined == ExaminedContent::None {
        return Ok(comparison);
    }
    let mut best = Difference { comparison: comparison.clone(), size: 0, limit };
    best.find(before, after)?;
    for ends in [&[true][..], &[false], &[false, true]] {
        let (old, new) = (parted(before, ends), parted(after, ends));
        if best.size == 0 || old.1.is_empty() && new.1.is_empty() {
            continue;
        }
        let mut apart = Difference { comparison: comparison.clone(), size: 0, limit };
        apart.find(&old.0, &new.0)?;
        apart.report_running(&old.1, &new.1, [before.len(), after.len()]);
        if apart.size < best.size {
            best = apart;
        }
    }
    let mut comparison = best.comparison;
    comparison.pages_removed.sort_unstable();
    comparison.pages_added.sort_unstable();
    // words missing at the end may follow the last page read
    let is_cut = |pages: &[ComparedPage]| pages.last().is_some_and(|page| page.is_part && page.is_blank());
    let [old_goes_on, new_goes_on] = go_on;
    if new_goes_on || is_cut(after) {
        let end = end_of(before, &mut comparison.pages_removed);
        comparison
            .words
            .retain(|change| change.after.is_some() || change.before.as_ref().is_some_and(|gone| gone.page < end));
    }
    if old_goes_on || is_cut(before) {
        let end = end_of(after, &mut comparison.pages_added);
        comparison
            .words
            .retain(|change| change.before.is_some() || change.after.as_ref().is_some_and(|come| come.page < end));
    }
    comparison.words_total = comparison.words.len();
    comparison.words.truncate(MAX_CHANGES);
    Ok(comparison)
}

/// Returns the last page with words, except those at the end that the other file lacks, which are removed from the
/// list.
fn end_of(pages: &[ComparedPage], others: &mut Vec<u32>) -> u32 {
    let last = pages.iter().rev().find(|page| !page.is_blank());
    let mut end = last.map_or(0, |page| page.number);
    while others.pop_if(|page| *page >= end).is_some() {
        end = end.saturating_sub(1);
    }
    end
}

/// Accumulated differences.
struct Difference {
    comparison: Comparison,
    /// Number of differing words and pages.
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
        // the same page, elsewhere
        for old in rest.0.clone() {
            let key = old_keys.get(old).filter(|key| !key.is_empty());
            let same = rest.1.iter().copied().find(|new| key.is_some() && new_keys.get(*new) == key);
            if let (Some(new), Some(one)) = (same, before.get(old)) {
                rest.0.remove(&old);
                rest.1.remove(&new);
                self.comparison.pages_moved.extend(after.get(new).map(|other| [one.number, other.number]));
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
        let Comparison { pages_added, pages_removed, pages_moved, .. } = &self.comparison;
        self.size += pages_added.len() + pages_removed.len() + pages_moved.len();
        Ok(())
    }

    /// Compares pages between unchanged ones; returns those removed and added.
    fn find_between<'p>(&mut self, (mut old, mut new): Both<'p>) -> Result<Both<'p>, Fault> {
        if old.len() == new.len() {
            // pages without text in either file cannot be compared
            let is_comparable = |(one, other): (&&ComparedPage, &&ComparedPage)| !one.is_blank() && !other.is_blank();
            let are_comparable: Vec<bool> = old.iter().zip(&new).map(is_comparable).collect();
            for pages in [&mut old, &mut new] {
                let mut are_comparable = are_comparable.iter();
                pages.retain(|_| are_comparable.next() == Some(&true));
            }
        }
        let (like_new, like_old) = alike(&old, &new, self.limit)?;
        let (mut gone, mut come) = (unlike(&old, &like_new), unlike(&new, &like_old));
        let are_blank = |pages: &[&ComparedPage]| pages.iter().all(|page| page.is_blank());
        let places = |pages: &[(usize, &ComparedPage)]| pages.iter().map(|(place, _)| *place).collect::<Vec<usize>>();
        // a page in the same position is the changed page, however different
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
        self.report(differing(&words(old, &gone), &words(new, &come)));
        Ok((gone, come))
    }

    /// Finds pages that moved and changed.
    fn find_moved(&mut self, gone: Vec<&ComparedPage>, come: Vec<&ComparedPage>) {
        let mut come: Vec<_> = come.into_iter().map(|page| (page, page.pairs())).collect();
        for page in gone {
            let own = page.pairs();
            let part = |pairs: &[u64]| shared(&own, pairs) as f64 / own.len().max(pairs.len()).max(1) as f64;
            let parts = come.iter().map(|(_, pairs)| part(pairs)).enumerate();
            match parts.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
                Some((place, part)) if part >= MOVED_MIN_SHARED_PART => {
                    let (other, _) = come.remove(place);
                    self.comparison.pages_moved.push([page.number, other.number]);
                    let [old, new] = [page, other].map(|page| page.words.iter().collect::<Vec<&ComparedWord>>());
                    self.report(differing(&old, &new));
                }
                _ => self.comparison.pages_removed.push(page.number),
            }
        }
        self.comparison.pages_added.extend(come.into_iter().map(|(page, _)| page.number));
    }

    /// Reports differences in running lines, page by page, except a changed number of pages.
    fn report_running(&mut self, old: &[ComparedWord], new: &[ComparedWord], pages: [usize; 2]) {
        let [old_pages, new_pages] = pages.map(|pages| pages.to_string());
        for page in 1..=pages.into_iter().min().unwrap_or_default() as u32 {
            let [old, new] =
                [old, new].map(|words| words.iter().filter(|word| word.page == page).collect::<Vec<&ComparedWord>>());
            let mut changes = differing(&old, &new);
            let is = |words: &Option<PlacedWords>, text: &str| words.as_ref().is_some_and(|words| words.text == text);
            changes.retain(|(change, _)| !is(&change.before, &old_pages) || !is(&change.after, &new_pages));
            self.report(changes);
        }
    }

    /// Reports differing words, if not too many.
    fn report(&mut self, changes: Vec<(WordChange, usize)>) {
        let size: usize = changes.iter().map(|(_, size)| size).sum();
        self.size += size;
        self.comparison.too_different |= size > MAX_CHANGED_WORDS;
        if size <= MAX_CHANGED_WORDS {
            self.comparison.words.extend(changes.into_iter().map(|(change, _)| change));
        }
    }
}

/// Returns the pages without a similar one, each with the number of similar pages before it.
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

/// Reduces `All` to `Part`.
pub(super) fn incomplete(examined: ExaminedContent) -> ExaminedContent {
    if examined == ExaminedContent::All { ExaminedContent::Part } else { examined }
}

/// Returns a comparison without differences, with the comparable extent.
fn nothing(before: &[ComparedPage], after: &[ComparedPage]) -> Comparison {
    let without = |pages: &[ComparedPage]| {
        let blank = pages.iter().filter(|page| page.is_blank());
        blank.map(|page| page.number).collect::<Vec<u32>>()
    };
    let without_text = [without(before), without(after)];
    let has_words = |pages: &[ComparedPage]| pages.iter().any(|page| !page.is_blank());
    // undecoded words are not equal
    let is_unread = |page: &ComparedPage| page.is_part || page.words.iter().any(ComparedWord::is_unreadable);
    let is_part = before.iter().chain(after).any(is_unread) || without_text.iter().any(|pages| !pages.is_empty());
    let examined = match (has_words(before) && has_words(after), is_part) {
        (false, _) => ExaminedContent::None,
        (true, true) => ExaminedContent::Part,
        (true, false) => ExaminedContent::All,
    };
    Comparison { examined, without_text, ..Comparison::default() }
}
