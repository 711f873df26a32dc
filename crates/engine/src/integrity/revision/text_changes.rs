//! Text changes of later revisions: the visible lines before and after, for pages whose changes were judged already.

mod change_bounds;
mod difference;
mod event;
mod excerpt;
mod visible_text;

use std::collections::{BTreeMap, BTreeSet};

use super::history::History;
use super::touched_pages::{PAGES, TouchedPage, TouchedPages};
use crate::integrity::clause::Clause;
use crate::integrity::event::Event;
use crate::integrity::report::{ExaminedRevisions, Revision};
use difference::differences;
use pdf_content::hidden::report::ExaminedContent;
use pdf_content::{ContentReader, PageText, Rectangle, is_same_drawing, page_diff};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::{Fault, tried};
pub(crate) use visible_text::lines as visible_lines;

/// Maximum annotations of a page whose texts are compared.
const MAX_ANNOTATIONS: usize = 50;
/// Maximum comparisons of texts with covering areas, in all.
const MAX_COVER_CHECKS: usize = 1 << 22;
/// Maximum word comparisons, in all.
const MAX_WORD_COMPARISONS: usize = 1 << 21;

/// Inserts text changes before the events that reported them; returns how much page content was read, or `None` if none
/// was required. Reading has a separate budget. Rewritten content that shows the same is inconclusive; after a signature,
/// the recognizer decides.
///
/// # Errors
/// Only if the source cannot be read or the deadline has passed.
pub(crate) fn describe(
    document: &mut Document,
    contents: &mut ContentReader,
    history: &mut History,
    is_signed: bool,
) -> Result<Option<ExaminedContent>, Fault> {
    let mut describer = Describer {
        contents,
        document,
        left: PAGES,
        checks: MAX_COVER_CHECKS,
        effort: MAX_WORD_COMPARISONS,
        is_read: false,
        is_part: false,
        is_unseen: false,
    };
    let touched = std::mem::take(&mut history.touched);
    let mut is_touched = !touched.is_empty();
    for since in &mut history.since {
        describer.insert_text_changes(&mut since.events, &since.touched)?;
        is_touched |= !since.touched.is_empty();
        for event in &mut since.events {
            let newest = event.object.and_then(|object| since.newest.get(&object));
            event.revision = newest.copied().unwrap_or(event.revision);
        }
        since.events.sort_by_key(|event| event.revision);
    }
    describer.insert_text_changes(&mut history.events, &touched)?;
    if describer.is_unseen && !is_signed {
        history.examined = ExaminedRevisions::Newest;
    }
    if !is_touched {
        return Ok(None);
    }
    let examined = ExaminedContent::of(describer.is_read, describer.is_part);
    add_text_pages(history);
    Ok(Some(examined))
}

/// Adds the pages with text changes to their revisions' changed pages.
fn add_text_pages(history: &mut History) {
    for revision in &mut history.revisions {
        let own = history.events.iter().filter(|event| event.revision == revision.number);
        let pages: BTreeSet<u32> = own.filter_map(|event| event.page).collect();
        revision.pages = pages.into_iter().take(Revision::MAX_PAGES).collect();
    }
}

/// The changes on a page, by the index of the event that reported them.
#[derive(Default)]
struct PageChanges {
    /// Text changes.
    words: Vec<(usize, Event)>,
    /// Bounds of changes without text.
    places: Vec<(usize, Rectangle)>,
    /// Changes after which the page shows the same, and what is said of them: no named difference.
    unseen: Vec<(usize, Clause)>,
}

/// Reads pages and reports their changes.
struct Describer<'d, 's> {
    document: &'d mut Document<'s>,
    contents: &'d mut ContentReader,
    /// Pages that may still be read.
    left: usize,
    checks: usize,
    effort: usize,
    /// Whether any page was read.
    is_read: bool,
    is_part: bool,
    /// Whether rewritten content shows the same.
    is_unseen: bool,
}

impl Describer<'_, '_> {
    /// Inserts text changes before the events that reported them.
    fn insert_text_changes(&mut self, events: &mut Vec<Event>, touched: &[TouchedPages]) -> Result<(), Fault> {
        let mut words: BTreeMap<usize, Vec<Event>> = BTreeMap::new();
        let mut places: BTreeMap<usize, Rectangle> = BTreeMap::new();
        let mut unseen: BTreeMap<usize, Clause> = BTreeMap::new();
        for touched in touched {
            self.is_part |= touched.is_part;
            for page in &touched.pages {
                let Some(changes) = tried(self.page(touched, page, events))?.flatten() else {
                    self.is_part = true;
                    continue;
                };
                for (place, event) in changes.words {
                    words.entry(place).or_default().push(event);
                }
                places.extend(changes.places);
                unseen.extend(changes.unseen);
            }
        }
        for (place, event) in std::mem::take(events).into_iter().enumerate() {
            let words = words.remove(&place).unwrap_or_default();
            let bounds = event.bounds.or(places.get(&place).copied());
            let is_named = !words.is_empty() || bounds.is_some();
            events.extend(words);
            match unseen.remove(&place).filter(|_| !is_named) {
                Some(what) => {
                    self.is_unseen = true;
                    events.push(event::of_unseen(event, what));
                }
                None => events.push(Event { bounds, ..event }),
            }
        }
        Ok(())
    }

    /// The changes on a page; `None` if it cannot be read: an incomplete page proves no change.
    fn page(
        &mut self,
        touched: &TouchedPages,
        page: &TouchedPage,
        events: &[Event],
    ) -> Result<Option<PageChanges>, Fault> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let states = [touched.pair.old, touched.pair.new];
        let [before, after] = self.contents.page_in_both(self.document, states, [&page.before, &page.after])?;
        if before.is_part || after.is_part {
            return Ok(None);
        }
        let is_of_page = |event: &Event| event.revision == touched.revision && event.page == Some(page.number);
        let (mut changes, mut own) = (PageChanges::default(), None);
        let has_new_layout = events.iter().any(|event| is_of_page(event) && event::is_of_layout(event));
        if has_new_layout && self.is_shown_same(touched, page)? {
            let is_unseen = |event: &Event| event::is_of_layout(event) || event::is_rewritten_content(event);
            let unseen = events.iter().enumerate().filter(|(_, event)| is_of_page(event) && is_unseen(event));
            let what = event::new_layout(page.number, before.rotation != after.rotation);
            changes.unseen.extend(unseen.map(|(place, _)| (place, what.clone())));
            return Ok(self
                .discrepancies(touched, page, events, &after)?
                .map(|words| PageChanges { words, ..changes }));
        }
        for owner in visible_text::changed(&before, &after).into_iter().take(MAX_ANNOTATIONS) {
            let field = event::field(self.document, touched, owner)?;
            let Some(place) = event::telling(events, touched, page.number, (owner, field.as_ref())) else { continue };
            let Some(telling) = events.get(place) else { continue };
            // new annotations are judged where they were added
            let stood_there = owner.is_none()
                || before.runs.iter().any(|run| run.annotation == owner)
                || before.areas.iter().any(|area| area.annotation == owner);
            if telling.inconclusive().is_some() && !stood_there {
                continue;
            }
            if field.as_ref().is_some_and(Field::is_secret) {
                continue;
            }
            let lines = (
                visible_text::lines(&before, owner, &mut self.checks),
                visible_text::lines(&after, owner, &mut self.checks),
            );
            let (Some(mut old), Some(new)) = lines else { return Ok(None) };
            if let Some(annotation) = owner {
                if own.is_none() {
                    own = visible_text::lines(&before, None, &mut self.checks);
                }
                let Some(own) = &own else { return Ok(None) };
                let areas = before.areas.len().max(after.areas.len());
                let Some(left) = self.checks.checked_sub(own.len() * areas) else { return Ok(None) };
                self.checks = left;
                old.extend(visible_text::beneath(own, annotation, &before, &after));
            }
            let found = differences(&old, &new, &mut self.effort);
            if found.is_empty() && telling.inconclusive().is_some() {
                let bounds = change_bounds::of_difference(&before, &after, owner);
                changes
                    .words
                    .extend(bounds.map(|bounds| (place, event::of_paint(telling, page.number, owner, bounds))));
            } else if found.is_empty() && telling.page == Some(page.number) {
                let bounds = change_bounds::of_difference(&before, &after, owner);
                changes.places.extend(bounds.map(|bounds| (place, bounds)));
            }
            let words = found.into_iter().map(|found| (place, event::of_words(telling, page.number, owner, found)));
            changes.words.extend(words);
        }
        for (place, event) in events.iter().enumerate().filter(|(_, event)| is_of_page(event)) {
            let bounds = event.object.and_then(|object| change_bounds::of_image(&before, &after, object));
            changes.places.extend(bounds.map(|bounds| (place, bounds)));
        }
        if !page_diff(&before, &after).iter().any(|found| found.annotation.is_none()) {
            let is_rewritten = |event: &Event| is_of_page(event) && event::is_rewritten_content(event);
            let rewritten = events.iter().enumerate().filter(|(_, event)| is_rewritten(event));
            changes.unseen.extend(rewritten.map(|(place, _)| (place, event::rewritten(page.number))));
        }
        let Some(discrepancies) = self.discrepancies(touched, page, events, &after)? else { return Ok(None) };
        changes.words.extend(discrepancies);
        Ok(Some(changes))
    }

    /// The reported fields on a page that show something else than their values, each by the index of its event.
    fn discrepancies(
        &mut self,
        touched: &TouchedPages,
        page: &TouchedPage,
        events: &[Event],
        after: &PageText,
    ) -> Result<Option<Vec<(usize, Event)>>, Fault> {
        let mut found = Vec::new();
        for (owner, field, place) in event::filled(self.document, events, touched, page.number)? {
            let Some(telling) = events.get(place) else { continue };
            let Some(lines) = visible_text::lines(after, Some(owner), &mut self.checks) else { return Ok(None) };
            let discrepancy = event::of_discrepancy(telling, page.number, (owner, &field), &lines);
            found.extend(discrepancy.map(|event| (place, event)));
        }
        self.is_read = true;
        Ok(Some(found))
    }

    /// Whether viewers show a page, turned by its rotation, as before.
    fn is_shown_same(&mut self, touched: &TouchedPages, page: &TouchedPage) -> Result<bool, Fault> {
        let before = self.contents.turned_page(self.document, (touched.pair.old, &page.before))?;
        let after = self.contents.turned_page(self.document, (touched.pair.new, &page.after))?;
        Ok(!before.is_part && !after.is_part && is_same_drawing(&before, &after))
    }
}
