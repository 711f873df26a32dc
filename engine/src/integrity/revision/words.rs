//! What later revisions changed, in words: the lines that pages show before and after, told of what was judged already.

mod difference;
mod event;
mod excerpt;
mod place;
mod seen;

use std::collections::{BTreeMap, BTreeSet};

use super::history::History;
use super::touched::{PAGES, Touched, TouchedPage};
use crate::content::{Contents, Rectangle};
use crate::document::Document;
use crate::document::form::Field;
use crate::failure::{Fault, tried};
use crate::hidden::report::ExaminedContent;
use crate::integrity::event::Event;
use difference::differences;
pub(crate) use seen::lines as seen_lines;

/// Annotations of a page whose texts are compared.
const ANNOTATIONS: usize = 50;
/// How often a text is held against an area that may lie over it, in all.
const CHECKS: usize = 1 << 22;
/// How many words are held against each other, in all.
const EFFORT: usize = 1 << 21;

/// Puts what changed in words before the events that told of it, and says how much of it could be read; none if there was
/// nothing to be read. What is read is paid from an allowance of its own; judging needs none of it.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(crate) fn describe(
    document: &mut Document,
    contents: &mut Contents,
    history: &mut History,
) -> Result<Option<ExaminedContent>, Fault> {
    let mut describer =
        Describer { contents, document, left: PAGES, checks: CHECKS, effort: EFFORT, is_read: false, is_part: false };
    let touched = std::mem::take(&mut history.touched);
    let mut is_touched = !touched.is_empty();
    for since in &mut history.since {
        describer.put_in_words(&mut since.events, &since.touched)?;
        is_touched |= !since.touched.is_empty();
        for event in &mut since.events {
            let newest = event.object.and_then(|object| since.newest.get(&object));
            event.revision = newest.copied().unwrap_or(event.revision);
        }
        since.events.sort_by_key(|event| event.revision);
    }
    describer.put_in_words(&mut history.events, &touched)?;
    if !is_touched {
        return Ok(None);
    }
    let examined = ExaminedContent::of(describer.is_read, describer.is_part);
    note_pages(history);
    Ok(Some(examined))
}

/// Pages on which words changed are among those that a revision changed.
fn note_pages(history: &mut History) {
    for revision in &mut history.revisions {
        let own = history.events.iter().filter(|event| event.revision == revision.number);
        let pages: BTreeSet<u32> = own.filter_map(|event| event.page).collect();
        revision.pages = pages.into_iter().take(super::history::TOLD).collect();
    }
}

/// What changed on a page, by the place of the event that told of it.
#[derive(Default)]
struct PageChanges {
    /// The words that changed.
    words: Vec<(usize, Event)>,
    /// Where it changed without any.
    places: Vec<(usize, Rectangle)>,
}

/// Reads pages and tells what changed on them.
struct Describer<'d, 's> {
    document: &'d mut Document<'s>,
    contents: &'d mut Contents,
    /// Pages that may still be read.
    left: usize,
    checks: usize,
    effort: usize,
    /// Whether any was.
    is_read: bool,
    is_part: bool,
}

impl Describer<'_, '_> {
    /// Puts what changed in words before the events that told of it.
    fn put_in_words(&mut self, events: &mut Vec<Event>, touched: &[Touched]) -> Result<(), Fault> {
        let mut words: BTreeMap<usize, Vec<Event>> = BTreeMap::new();
        let mut places: BTreeMap<usize, Rectangle> = BTreeMap::new();
        for touched in touched {
            self.is_part |= touched.is_part;
            for page in &touched.pages {
                let Some(told) = tried(self.page(touched, page, events))?.flatten() else {
                    self.is_part = true;
                    continue;
                };
                for (place, event) in told.words {
                    words.entry(place).or_default().push(event);
                }
                places.extend(told.places);
            }
        }
        for (place, event) in std::mem::take(events).into_iter().enumerate() {
            events.extend(words.remove(&place).unwrap_or_default());
            let bounds = event.bounds.or(places.get(&place).copied());
            events.push(Event { bounds, ..event });
        }
        Ok(())
    }

    /// What changed on a page; none if that cannot be read: of a part nothing can be said to have come or gone.
    fn page(&mut self, touched: &Touched, page: &TouchedPage, events: &[Event]) -> Result<Option<PageChanges>, Fault> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let states = [touched.pair.old, touched.pair.new];
        let [before, after] = self.contents.page_in_both(self.document, states, [&page.before, &page.after])?;
        if before.is_part || after.is_part {
            return Ok(None);
        }
        let (mut told, mut own) = (PageChanges::default(), None);
        for owner in seen::changed(&before, &after).into_iter().take(ANNOTATIONS) {
            let field = event::field(self.document, touched, owner)?;
            let Some(place) = event::telling(events, touched, page.number, (owner, field.as_ref())) else { continue };
            let Some(telling) = events.get(place) else { continue };
            // what is new is judged where it came
            let stood_there = owner.is_none()
                || before.runs.iter().any(|run| run.annotation == owner)
                || before.areas.iter().any(|area| area.annotation == owner);
            if telling.inconclusive().is_some() && !stood_there {
                continue;
            }
            if field.as_ref().is_some_and(Field::is_secret) {
                continue;
            }
            let lines = (seen::lines(&before, owner, &mut self.checks), seen::lines(&after, owner, &mut self.checks));
            let (Some(mut old), Some(new)) = lines else { return Ok(None) };
            if let Some(annotation) = owner {
                if own.is_none() {
                    own = seen::lines(&before, None, &mut self.checks);
                }
                let Some(own) = &own else { return Ok(None) };
                let areas = before.areas.len().max(after.areas.len());
                let Some(left) = self.checks.checked_sub(own.len() * areas) else { return Ok(None) };
                self.checks = left;
                old.extend(seen::beneath(own, annotation, &before, &after));
            }
            let found = differences(&old, &new, &mut self.effort);
            if found.is_empty() && telling.inconclusive().is_some() {
                let bounds = place::of_difference(&before, &after, owner);
                told.words.extend(bounds.map(|bounds| (place, event::of_paint(telling, page.number, owner, bounds))));
            } else if found.is_empty() && telling.page == Some(page.number) {
                let bounds = place::of_difference(&before, &after, owner);
                told.places.extend(bounds.map(|bounds| (place, bounds)));
            }
            let words = found.into_iter().map(|found| (place, event::of_words(telling, page.number, owner, found)));
            told.words.extend(words);
        }
        let is_of_page = |event: &Event| event.revision == touched.revision && event.page == Some(page.number);
        for (place, event) in events.iter().enumerate().filter(|(_, event)| is_of_page(event)) {
            let bounds = event.object.and_then(|object| place::of_image(&before, &after, object));
            told.places.extend(bounds.map(|bounds| (place, bounds)));
        }
        for (owner, field, place) in event::filled(self.document, events, touched, page.number)? {
            let Some(telling) = events.get(place) else { continue };
            let Some(lines) = seen::lines(&after, Some(owner), &mut self.checks) else { return Ok(None) };
            told.words.extend(
                event::of_discrepancy(telling, page.number, (owner, &field), &lines).map(|event| (place, event)),
            );
        }
        self.is_read = true;
        Ok(Some(told))
    }
}
