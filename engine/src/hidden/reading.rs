//! Which pages are looked at, and what is read for that.

use std::collections::BTreeSet;

use super::finding::{Finding, PageFindings};
use super::report::ExaminedContent;
use super::sight::Sight;
use super::{covered, mixed, redaction, unseen};
use crate::content::{Contents, PageText};
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::syntax::object::{Id, Object};

/// Pages that are looked at.
const PAGES: usize = 20;
/// How often a text is held against something else on its page, in all.
const CHECKS: usize = 1 << 22;
/// Bytes that are read for this of a file that is not in memory, in two rounds.
const READ: u64 = 4 << 20;
/// How much of them is read from the first page on, and from a little before it: most writers put there what pages draw.
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
    count: u64,
) -> Result<PageFindings, Fault> {
    // what is here already may do
    document.reader.stop();
    let looked = look_at_pages(document, contents, first, count);
    if !document.reader.go_on() {
        return looked;
    }
    // if that is too much, they are looked at as far as they are here
    if let Err(Fault::Source(error)) = read_ahead(document, contents, first) {
        return Err(Fault::Source(error));
    }
    // what was missed is not known to be missing
    contents.forget();
    document.reader.stop();
    let looked = look_at_pages(document, contents, first, count);
    document.reader.go_on();
    looked
}

/// Reads what the pages need: all of a file that is not large; else, in two rounds, the pages with what stands behind the
/// first one, and what they refer to.
fn read_ahead(document: &mut Document, contents: &mut Contents, first: &BTreeSet<u32>) -> Result<(), Fault> {
    let length = document.reader.len();
    if length <= READ {
        return document.reader.prefetch(std::slice::from_ref(&(0..length)));
    }
    document.reader.stop();
    let nodes = contents.first_nodes(document, PAGES);
    document.reader.go_on();
    let mut ranges = document.starts(&nodes?, PAGE)?;
    let start = ranges.first().map_or(0, |range| range.start.saturating_sub(BEFORE));
    ranges.push(start..start.saturating_add(CHANCE).min(length));
    document.reader.prefetch(&ranges)?;
    document.reader.stop();
    let drawn = wanted(document, contents, first).and_then(|pages| {
        let pages: Vec<Object> = pages.into_iter().map(|(_, page)| page).collect();
        contents.drawn_with(document, &pages)
    });
    document.reader.go_on();
    let ranges = document.starts(&drawn?, STREAM)?;
    document.reader.prefetch(&ranges)
}

/// The pages that are looked at: their numbers, and what refers to them.
fn wanted(
    document: &mut Document,
    contents: &mut Contents,
    first: &BTreeSet<u32>,
) -> Result<Vec<(u32, Object)>, Fault> {
    let most = first.last().map_or(PAGES, |last| PAGES.max(*last as usize));
    let pages = contents.pages(document, State(0), most)?;
    let numbers = first.iter().copied().chain((1..=PAGES as u32).filter(|number| !first.contains(number)));
    let wanted = numbers.filter_map(|number| {
        let object = *pages.numbers.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        Some((number, Object::Reference(Id { number: object, generation: 0 })))
    });
    Ok(wanted.take(PAGES).collect())
}

fn look_at_pages(
    document: &mut Document,
    contents: &mut Contents,
    first: &BTreeSet<u32>,
    count: u64,
) -> Result<PageFindings, Fault> {
    let wanted = wanted(document, contents, first)?;
    let mut looked = PageFindings::nothing();
    let (mut checks, mut read) = (CHECKS, 0);
    let mut is_part = count > wanted.len() as u64;
    for (number, object) in wanted {
        let Some(Id { number: object, .. }) = object.as_reference() else { continue };
        let page = contents.page(document, State(0), object)?;
        is_part |= page.is_part;
        if page.is_part && page.runs.is_empty() && page.areas.is_empty() {
            continue;
        }
        read += 1;
        let Some(findings) = findings(&page, number, &mut checks, &mut looked) else {
            is_part = true;
            break;
        };
        looked.add(findings);
    }
    looked.findings.sort_by_key(|finding| (finding.kind, finding.page));
    looked.examined = match (read, is_part) {
        (0, _) => ExaminedContent::None,
        (_, true) => ExaminedContent::Part,
        (_, false) => ExaminedContent::All,
    };
    Ok(looked)
}

/// What one page hides; none if telling so takes more than `checks`.
fn findings(page: &PageText, number: u32, checks: &mut usize, looked: &mut PageFindings) -> Option<Vec<Finding>> {
    let sight = Sight::new(page, checks)?;
    let mut findings = covered::find(&sight, number, checks)?;
    findings.extend(redaction::find(&sight, number, checks)?);
    findings.extend(unseen::find(&sight, number, checks)?);
    looked.mixed.extend(mixed::find(&sight, number));
    Some(findings)
}
