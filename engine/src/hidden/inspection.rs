//! Which pages are looked at, and what is read for that.

use std::collections::BTreeSet;

use super::finding::{HiddenText, PageFindings};
use super::page_visibility::Sight;
use super::report::{ExaminedContent, HiddenKind};
use super::words::PageWords;
use super::{covered_text, indeterminate, invisible_text, leftover, overprinted, redaction};
use crate::content::{Contents, PageText};
use crate::document::Document;
use crate::document::objects::State;
use crate::document::pages::PageLeaf;
use crate::failure::Fault;
use crate::syntax::object::{Id, Object};

/// Pages that are looked at.
const PAGES: usize = 20;
/// How often a text is held against something else on its page, in all.
const CHECKS: usize = 1 << 22;
/// Files up to this length, in bytes, are read as a whole if anything is missing.
const SMALL: u64 = 4 << 20;
/// How much of others is read from the first page on, and from a little before it: most writers put there what pages draw.
const CHANCE: u64 = 1 << 20;
const BEFORE: u64 = 64 << 10;
/// What is read of each page, and of each stream and font: 20 pages with ten of these take less than the rest.
const PAGE: usize = 512;
const STREAM: usize = 14 << 10;

/// Looks at the pages of the file as it is: first at those with these numbers, then from the first one on.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(crate) fn look(
    document: &mut Document,
    contents: &mut Contents,
    first: &BTreeSet<u32>,
    (count, has_history): (u64, bool),
) -> Result<PageFindings, Fault> {
    let mark = document.begin_trace();
    let looked = look_at_pages(document, contents, first, count);
    let needed = document.end_trace(mark);
    let mut looked = looked?;
    // what an earlier revision has is no secret
    if let Some(needed) = needed.filter(|_| !has_history && looked.examined != ExaminedContent::None)
        && count == looked.looked_at.len() as u64
    {
        looked.leftovers = leftover::find(document, contents, &needed, &looked.looked_at)?;
    }
    Ok(looked)
}

fn look_at_pages(
    document: &mut Document,
    contents: &mut Contents,
    first: &BTreeSet<u32>,
    count: u64,
) -> Result<PageFindings, Fault> {
    let pages = wanted(document, contents, first)?;
    read_ahead(document, contents, &pages)?;
    let mut looked = PageFindings::default();
    let (mut checks, mut is_read) = (CHECKS, false);
    let mut is_part = count > pages.len() as u64;
    for (number, page) in &pages {
        let number = *number;
        let mut page = contents.page(document, State(0), page)?;
        is_part |= page.is_part;
        if page.is_part && page.runs.is_empty() && page.areas.is_empty() {
            continue;
        }
        is_read = true;
        let is_told = first.contains(&number);
        let lids = indeterminate::lids(&page, &mut checks);
        let Some(is_whole) = look_at(&page, (number, is_told), &mut checks, &mut looked) else {
            is_part = true;
            break;
        };
        is_part |= !is_whole;
        let Some(beneath) = lids.and_then(|lids| retyped_beneath(&mut page, &lids, number, &mut checks)) else {
            is_part = true;
            break;
        };
        looked.add(beneath);
        contents.take_back(page);
    }
    looked.findings.sort_by_key(|finding| (finding.kind, finding.page));
    looked.examined = ExaminedContent::of(is_read, is_part);
    looked.looked_at = pages.into_iter().map(|(_, page)| page).collect();
    Ok(looked)
}

/// The pages that are looked at, with their numbers.
fn wanted(
    document: &mut Document,
    contents: &mut Contents,
    first: &BTreeSet<u32>,
) -> Result<Vec<(u32, PageLeaf)>, Fault> {
    let most = first.last().map_or(PAGES, |last| PAGES.max(*last as usize));
    let pages = contents.pages(document, State(0), most)?;
    let (mut touched, others): (Vec<_>, Vec<_>) = pages.numbered().partition(|(number, _)| first.contains(number));
    touched.extend(others);
    Ok(touched.into_iter().take(PAGES).map(|(number, page)| (number, page.clone())).collect())
}

/// Says what the pages will need, should anything of it be missing: all of a file that is not large; else the pages with what
/// stands behind the first one, and then what they refer to.
fn read_ahead(document: &mut Document, contents: &mut Contents, pages: &[(u32, PageLeaf)]) -> Result<(), Fault> {
    let length = document.reader.len();
    if length <= SMALL {
        document.reader.expect(std::slice::from_ref(&(0..length)));
        return Ok(());
    }
    let pages: Vec<PageLeaf> = pages.iter().map(|(_, page)| page.clone()).collect();
    let objects =
        pages.iter().filter_map(PageLeaf::object).map(|number| Object::Reference(Id { number, generation: 0 }));
    let mut ranges = document.newest().starts(&objects.collect::<Vec<_>>(), PAGE)?;
    let start = ranges.first().map_or(0, |range| range.start.saturating_sub(BEFORE));
    ranges.push(start..start.saturating_add(CHANCE).min(length));
    document.reader.expect(&ranges);
    let drawn = contents.drawn_with(document, &pages)?;
    let ranges = document.newest().starts(&drawn, STREAM)?;
    document.reader.expect(&ranges);
    Ok(())
}

/// What was retyped on a page beneath areas that hide all of it, should viewers not draw these; none if telling so takes more
/// than `checks`.
fn retyped_beneath(page: &mut PageText, lids: &[usize], number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    if lids.is_empty() {
        return Some(Vec::new());
    }
    for place in lids {
        page.areas.get_mut(*place)?.is_off = true;
    }
    let sight = Sight::new(page, checks)?;
    let mut found = covered_text::find(&sight, number, checks)?;
    found.retain(|finding| finding.kind == HiddenKind::Retyped);
    Some(found)
}

/// Adds what one page hides, and what it shows if it hides something or that `is_told`; says whether all of it can be read, and
/// nothing if telling so takes more than `checks`.
fn look_at(
    page: &PageText,
    (number, is_told): (u32, bool),
    checks: &mut usize,
    looked: &mut PageFindings,
) -> Option<bool> {
    let sight = Sight::new(page, checks)?;
    let mut findings = covered_text::find(&sight, number, checks)?;
    findings.extend(redaction::find(&sight, number, checks)?);
    let mut unseen = invisible_text::places(&sight, checks)?;
    let is_image = !page.is_part && sight.is_image(&unseen.values().flatten().copied().collect());
    looked.image_only = Some(looked.image_only.unwrap_or(true) && is_image);
    let replaced = overprinted::find(&sight, &unseen, number, checks)?;
    let mut hidden: BTreeSet<usize> = unseen.values().flatten().copied().collect();
    hidden.extend(&replaced.perhaps);
    unseen.values_mut().for_each(|places| places.retain(|place| !replaced.told.contains(place)));
    findings.extend(replaced.findings);
    findings.extend(invisible_text::findings(&sight, number, &unseen));
    if (is_told || !findings.is_empty()) && !page.is_part {
        looked.pages.insert(number, PageWords::of(&sight, &hidden, checks)?);
    }
    looked.add(findings);
    Some(!replaced.is_doubtful && !indeterminate::has_overprinted(&sight, checks)?)
}
