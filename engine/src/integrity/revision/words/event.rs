//! Events of words: each of the kind, and of the weight, of the event that told of the same thing.

use std::collections::BTreeSet;

use super::super::touched::{Touched, is_of_form, is_of_layers};
use super::difference::LineDifference;
use super::excerpt;
use super::seen::SeenLine;
use crate::content::Rectangle;
use crate::document::Document;
use crate::document::form::Field;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};

/// Widgets of a page that are held against their values.
const WIDGETS: usize = 50;

/// The field that this widget shows, in the new state or else the old one; none if it is another annotation.
pub(super) fn field(document: &mut Document, touched: &Touched, number: Option<u32>) -> Result<Option<Field>, Fault> {
    let Some(number) = number else { return Ok(None) };
    let [before, after] = &touched.forms;
    for (state, form) in [(touched.pair.new, after), (touched.pair.old, before)] {
        let view = &mut document.view(state);
        let Some(body) = view.object(number)? else { continue };
        let Some(annotation) = body.dictionary() else { continue };
        if !annotation.get(b"Subtype").is_name(b"Widget") {
            return Ok(None);
        }
        return Ok(Some(form.field_of(view, number, annotation)?));
    }
    Ok(None)
}

/// The place of the event that told of what a page draws itself, or of this annotation.
pub(super) fn telling(
    events: &[Event],
    touched: &Touched,
    page: u32,
    (owner, field): (Option<u32>, Option<&Field>),
) -> Option<usize> {
    let fits = |event: &Event| match (owner, field) {
        (None, _) => event.kind == EventKind::Content || is_of_layers(event),
        (Some(_), Some(_)) => is_of_form(event.kind),
        (Some(_), None) => event.kind == EventKind::Annotation,
    };
    let own = |event: &&Event| event.revision == touched.revision && fits(event);
    let above = field.map_or(&[][..], |field| &field.line);
    let parts = owner.into_iter().flat_map(|owner| touched.parts.range((owner, 0)..=(owner, u32::MAX)));
    let parts: Vec<u32> = parts.map(|(_, object)| *object).chain(owner).chain(above.iter().copied()).collect();
    let part = |event: &&Event| event.object.is_some_and(|object| parts.contains(&object));
    let is_on_page = |event: &&Event| event.page == Some(page);
    let of_own = || events.iter().enumerate().filter(|(_, event)| own(event));
    let place = |found: Option<(usize, &Event)>| found.map(|(place, _)| place);
    // what a field shows follows from its value, if that changed as well
    // what a page draws otherwise though nothing that was recognized does that
    let is_expected = owner.is_some_and(|owner| touched.expected.contains(&owner));
    let unknown = || first_unknown(events, touched).filter(|_| !is_expected);
    place(of_own().filter(|(_, event)| part(event)).min_by_key(|(_, event)| event.kind != EventKind::Value))
        .or_else(|| place(of_own().find(|(_, event)| is_on_page(event))))
        // what several pages show is told once
        .or_else(|| place(of_own().next()))
        .or_else(unknown)
}

/// The place of the first event of what is not understood of a revision.
fn first_unknown(events: &[Event], touched: &Touched) -> Option<usize> {
    events.iter().position(|event| event.revision == touched.revision && event.inconclusive().is_some())
}

/// An event of what changed in words.
pub(super) fn of_words(telling: &Event, page: u32, owner: Option<u32>, found: LineDifference) -> Event {
    let LineDifference { before, after, bounds, is_moved } = found;
    let is_unknown = telling.inconclusive().is_some();
    Event {
        kind: match owner {
            _ if !is_unknown => telling.kind,
            None => EventKind::Content,
            // of what stood there
            Some(_) => EventKind::Appearance,
        },
        subject: Subject::Text { is_moved },
        object: owner.filter(|owner| *owner > 0),
        page: Some(page),
        bounds: Some(bounds),
        before,
        after,
        is_hidden: is_unknown,
        covered: None,
        ..telling.clone()
    }
}

/// An event of what a page paints otherwise without other words.
pub(super) fn of_paint(telling: &Event, page: u32, owner: Option<u32>, bounds: Rectangle) -> Event {
    Event {
        kind: if owner.is_none() { EventKind::Content } else { EventKind::Appearance },
        subject: Subject::Drawn("paint".to_owned()),
        page: Some(page),
        bounds: Some(bounds),
        is_hidden: true,
        covered: None,
        ..telling.clone()
    }
}

/// The widgets of text fields on a page that were told of, each with its field and the place of the event that did.
pub(super) fn filled(
    document: &mut Document,
    events: &[Event],
    touched: &Touched,
    page: u32,
) -> Result<Vec<(u32, Field, usize)>, Fault> {
    let (mut filled, mut seen) = (Vec::new(), BTreeSet::new());
    let owners: BTreeSet<(u32, u32)> = touched.parts.iter().map(|(owner, object)| (*object, *owner)).collect();
    let own = |event: &&Event| event.revision == touched.revision && is_of_form(event.kind);
    // viewers make such looks anew
    for (place, event) in events.iter().enumerate().filter(|(_, event)| own(event) && !touched.needs_appearances) {
        let is_on_page = event.page.is_none_or(|known| known == page);
        let parts = event.object.into_iter().flat_map(|object| owners.range((object, 0)..=(object, u32::MAX)));
        for owner in parts.map(|(_, owner)| *owner).chain(event.object).filter(|_| is_on_page) {
            if !seen.insert(owner) || seen.len() > WIDGETS {
                continue;
            }
            let field = field(document, touched, Some(owner))?.filter(Field::is_text);
            filled.extend(field.map(|field| (owner, field, place)));
        }
    }
    Ok(filled)
}

/// An event of what a field shows that is not its value; none if it is, or if it shows nothing.
pub(super) fn of_discrepancy(
    telling: &Event,
    page: u32,
    (owner, field): (u32, &Field),
    lines: &[SeenLine],
) -> Option<Event> {
    let words: Vec<_> = lines.iter().flat_map(|line| line.words.iter().cloned()).collect();
    let drawn: String = words.iter().map(|word| word.text.as_str()).collect();
    let value = field.text().filter(|_| !field.is_secret())?;
    // where a text is broken into lines, or into boxes of a letter each, is a matter of its looks
    let is_same = value.chars().filter(|character| !character.is_whitespace()).eq(drawn.chars());
    if drawn.is_empty() || is_same || drawn.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    Some(Event {
        subject: Subject::Shown(field.name.clone()),
        object: Some(owner),
        page: Some(page),
        bounds: lines.iter().map(|line| line.bounds).reduce(Rectangle::with),
        before: Some(excerpt::text(&words)),
        after: Some(value),
        is_hidden: false,
        covered: None,
        ..telling.clone()
    })
}
