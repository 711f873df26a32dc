//! Selects the pages to inspect, reads ahead, and inspects them.

use std::collections::BTreeSet;

use super::contested_pages::NumberedPage;
use super::covered_text::CoveredText;
use super::finding::{HiddenText, PageFindings};
use super::page_visibility::PageVisibility;
use super::report::{ExaminedContent, HiddenKind};
use super::words::PageWords;
use super::{
    SMALL_FILE_BYTES, contested_pages, covered_text, further, indeterminate, invisible_text, leftover, other_glyphs,
    overprinted, redaction, viewers,
};
use crate::{ContentReader, PageText, Reading};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::{Id, Object};

/// Pages that are always inspected.
const MAX_PAGES: usize = 20;
/// Maximum pages of small files, and steps of work after which no further ones are inspected.
const MAX_FURTHER_PAGES: usize = 500;
const MAX_STEPS: u64 = 1 << 19;
/// Budget of comparisons for all pages.
const MAX_CHECKS: usize = 1 << 22;
/// Files up to this size are read completely if anything is missing.
const WHOLE_FILE_BYTES: u64 = 4 << 20;
/// Bytes of larger files that are read ahead from the first page, and before it: most writers put page content there.
const READ_AHEAD_BYTES: u64 = 1 << 20;
const READ_BEFORE_BYTES: u64 = 64 << 10;
/// Bytes read ahead for each page, and for each stream and font: 20 pages with ten of these take less than the limits
/// above.
const PAGE_BYTES: usize = 512;
const STREAM_BYTES: usize = 14 << 10;

/// Inspects the pages of the newest revision: those with numbers in `first`, then from page 1 on. Words of an earlier
/// state are searched in the `oldest` revision, if it is known.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub fn inspect(
    document: &mut Document,
    contents: &mut ContentReader,
    first: &BTreeSet<u32>,
    (count, oldest): (u64, Option<State>),
) -> Result<PageFindings, Fault> {
    let mark = document.begin_trace();
    let results = inspect_all(document, contents, first, count);
    let needed = document.end_trace(mark);
    let mut results = results?;
    let Some(state) = oldest.filter(|_| results.examined != ExaminedContent::None) else { return Ok(results) };
    let needed = needed.filter(|_| state == State(0) && count == results.inspected_pages.len() as u64);
    let inspected = needed.as_ref().map(|needed| (needed, results.inspected_pages.as_slice()));
    let unshown = leftover::find(document, &leftover::Scope { state, inspected })?;
    let key = |finding: &HiddenText| (finding.page, finding.kind, finding.text.clone());
    // the same text, reported as what the page hides
    let found: Vec<_> = unshown.findings.iter().map(key).collect();
    let before = results.findings.len();
    results.findings.retain(|finding| !found.contains(&key(finding)));
    results.total = results.total.saturating_sub((before - results.findings.len()) as u32);
    results.add(unshown.findings);
    results.findings.sort_by_key(|finding| (finding.kind, finding.page));
    results.leftovers = unshown.leftovers;
    Ok(results)
}

fn inspect_all(
    document: &mut Document,
    contents: &mut ContentReader,
    first: &BTreeSet<u32>,
    count: u64,
) -> Result<PageFindings, Fault> {
    let (pages, contested) = wanted(document, contents, first)?;
    read_ahead(document, contents, &pages)?;
    let mut results = PageFindings::default();
    let (mut checks, mut is_read) = (MAX_CHECKS, false);
    let mut is_part = count > pages.len() as u64;
    let start = document.budget.steps_left();
    let mut inspected = 0;
    for (number, leaf) in &pages {
        let number = *number;
        if inspected >= MAX_PAGES && start.saturating_sub(document.budget.steps_left()) > MAX_STEPS {
            is_part = true;
            break;
        }
        inspected += 1;
        let mut page = contents.page_with_fields(document, State(0), leaf)?;
        is_part |= page.is_part;
        if page.is_part && page.runs.is_empty() && page.areas.is_empty() {
            continue;
        }
        is_read = true;
        let is_wanted = first.contains(&number);
        let full_page_covers = indeterminate::full_page_covers(&page, &mut checks);
        let Some(is_complete) = inspect_page(&page, (number, is_wanted), &mut checks, &mut results) else {
            is_part = true;
            break;
        };
        is_part |= !is_complete;
        let Some(overprinted) = full_page_covers
            .and_then(|full_page_covers| overprinted_under(&mut page, &full_page_covers, number, &mut checks))
        else {
            is_part = true;
            break;
        };
        results.add(overprinted);
        results.add(viewers::replacement_texts(&page, number));
        let irregular = (page.is_irregular, page.has_comments);
        let has_other_glyphs = page.has_other_glyphs;
        let readings = [(page.prints_more, Reading::Printed), (page.has_popups, Reading::Popups)];
        contents.take_back(page);
        let Some(found) = other_readings(document, contents, (number, leaf), irregular, &mut checks)? else {
            is_part = true;
            continue;
        };
        results.add(found);
        if has_other_glyphs {
            let found = other_glyphs::find(document, contents, (number, leaf), &mut checks)?;
            is_part |= found.is_none();
            results.add(found.unwrap_or_default());
        }
        for (_, reading) in readings.into_iter().filter(|(has_further, _)| *has_further) {
            let found = further::find(document, contents, (number, leaf), reading, &mut checks)?;
            is_part |= found.is_none();
            results.add(found.unwrap_or_default());
        }
    }
    if !contested.is_empty() {
        let (contested, others): (Vec<_>, Vec<_>) =
            pages.iter().cloned().partition(|(number, _)| contested.contains(number));
        match contested_pages::find(document, contents, (&contested, &others), &mut checks)? {
            Some(found) if !found.is_empty() => results.add(found),
            // what the page with this number shows is not certain
            _ => is_part = true,
        }
    }
    results.findings.sort_by_key(|finding| (finding.kind, finding.page));
    results.examined = ExaminedContent::of(is_read, is_part);
    results.inspected_pages = pages.into_iter().take(inspected).map(|(_, page)| page).collect();
    Ok(results)
}

/// Returns the text that a page with irregular content or comments shows only to some viewers, or hides in a comment;
/// none if that takes more than `checks`, or cannot be read completely.
fn other_readings(
    document: &mut Document,
    contents: &mut ContentReader,
    page: (u32, &PageLeaf),
    (is_irregular, has_comments): (bool, bool),
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    let mut found = Some(Vec::new());
    if is_irregular {
        found = viewers::find(document, contents, page, checks)?;
    }
    if has_comments && let Some(found) = &mut found {
        found.extend(viewers::in_comments(document, contents, page, checks)?.unwrap_or_default());
    }
    Ok(found)
}

/// Returns the pages to inspect with their numbers, and the numbers of those that only some viewers find.
fn wanted(
    document: &mut Document,
    contents: &mut ContentReader,
    first: &BTreeSet<u32>,
) -> Result<(Vec<NumberedPage>, BTreeSet<u32>), Fault> {
    let is_small = document.reader.file_size() <= SMALL_FILE_BYTES;
    let limit = if is_small { MAX_FURTHER_PAGES } else { MAX_PAGES };
    let most = first.last().map_or(limit, |last| limit.max(*last as usize));
    let pages = contents.pages(document, State(0), most)?;
    let contested = pages.contested_numbers();
    let (mut touched, others): (Vec<_>, Vec<_>) = pages.numbered().partition(|(number, _)| first.contains(number));
    touched.extend(others);
    let wanted = touched.into_iter().take(limit).map(|(number, page)| (number, page.clone()));
    Ok((wanted.collect(), contested))
}

/// Prefetches the pages' objects, unless all are available: a small file completely; otherwise the pages and the
/// objects after the first one, then their streams and fonts.
fn read_ahead(document: &mut Document, contents: &mut ContentReader, pages: &[(u32, PageLeaf)]) -> Result<(), Fault> {
    let length = document.reader.file_size();
    if length <= WHOLE_FILE_BYTES {
        document.reader.expect(std::slice::from_ref(&(0..length)));
        return Ok(());
    }
    let pages: Vec<PageLeaf> = pages.iter().map(|(_, page)| page.clone()).collect();
    let objects =
        pages.iter().filter_map(PageLeaf::object).map(|number| Object::Reference(Id { number, generation: 0 }));
    let mut ranges = document.newest().starts(&objects.collect::<Vec<_>>(), PAGE_BYTES)?;
    let start = ranges.first().map_or(0, |range| range.start.saturating_sub(READ_BEFORE_BYTES));
    ranges.push(start..start.saturating_add(READ_AHEAD_BYTES).min(length));
    document.reader.expect(&ranges);
    let drawn = contents.resources_of(document, &pages)?;
    let ranges = document.newest().starts(&drawn, STREAM_BYTES)?;
    document.reader.expect(&ranges);
    Ok(())
}

/// Returns overprinted text under full-page covers, in case viewers do not paint these; none if that takes more than
/// `checks`.
fn overprinted_under(
    page: &mut PageText,
    full_page_covers: &[usize],
    number: u32,
    checks: &mut usize,
) -> Option<Vec<HiddenText>> {
    if full_page_covers.is_empty() {
        return Some(Vec::new());
    }
    for place in full_page_covers {
        page.areas.get_mut(*place)?.is_off = true;
    }
    let visible = PageVisibility::new(page, checks)?;
    let mut found = covered_text::find(&visible, number, checks)?.findings;
    found.retain(|finding| finding.kind == HiddenKind::Retyped);
    Some(found)
}

/// Adds the hidden text of a page, and its words if it has any or `is_wanted`. Returns whether all of its text can be
/// determined; none if that takes more than `checks`.
fn inspect_page(
    page: &PageText,
    (number, is_wanted): (u32, bool),
    checks: &mut usize,
    results: &mut PageFindings,
) -> Option<bool> {
    let visible = PageVisibility::new(page, checks)?;
    let CoveredText { mut findings, is_inconclusive } = covered_text::find(&visible, number, checks)?;
    findings.extend(redaction::find(&visible, number, checks)?);
    let mut invisible = invisible_text::places(&visible, checks)?;
    let is_image = !page.is_part && visible.is_image(&invisible.values().flatten().copied().collect());
    results.image_only = Some(results.image_only.unwrap_or(true) && is_image);
    let overprinted = overprinted::find(&visible, &invisible, number, checks)?;
    let mut hidden: BTreeSet<usize> = invisible.values().flatten().copied().collect();
    hidden.extend(&overprinted.perhaps);
    invisible.values_mut().for_each(|places| places.retain(|place| !overprinted.reported.contains(place)));
    findings.extend(overprinted.findings);
    findings.extend(invisible_text::near_copies(&visible, number, &mut invisible));
    findings.extend(invisible_text::findings(&visible, number, &invisible));
    if (is_wanted || !findings.is_empty()) && !page.is_part {
        results.pages.insert(number, PageWords::of(&visible, &hidden, checks)?);
    }
    results.add(findings);
    let is_inconclusive = is_inconclusive || overprinted.is_inconclusive;
    Some(!is_inconclusive && !indeterminate::has_overlapping_text(&visible, checks)?)
}
