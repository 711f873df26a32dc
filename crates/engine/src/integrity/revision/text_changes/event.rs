//! Text change events: each with the kind and weight of the event that reported the same change.

use std::collections::BTreeSet;

use super::super::touched_pages::{TouchedPages, is_of_form, is_of_layers};
use super::difference::LineDifference;
use super::excerpt;
use super::visible_text::VisibleLine;
use crate::integrity::clause::Clause;
use crate::integrity::event::{Event, EventKind, Subject};
use pdf_content::Rectangle;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;

/// Maximum widgets of a page compared with their values.
const WIDGETS: usize = 50;

/// The field of this widget in the new state, otherwise in the old one; `None` for other annotations.
pub(super) fn field(
    document: &mut Document,
    touched: &TouchedPages,
    number: Option<u32>,
) -> Result<Option<Field>, Fault> {
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

/// The index of the event that reported a change of the page content or of this annotation.
pub(super) fn telling(
    events: &[Event],
    touched: &TouchedPages,
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
    // a filled field's appearance follows from its value; other changes may have an unrecognized cause
    let is_expected = owner.is_some_and(|owner| touched.expected.contains(&owner));
    let unknown = || first_unknown(events, touched).filter(|_| !is_expected);
    place(of_own().filter(|(_, event)| part(event)).min_by_key(|(_, event)| event.kind != EventKind::Value))
        .or_else(|| place(of_own().find(|(_, event)| is_on_page(event))))
        // content of several pages is reported once
        .or_else(|| place(of_own().next()))
        .or_else(unknown)
}

/// The index of the first inconclusive event of a revision.
fn first_unknown(events: &[Event], touched: &TouchedPages) -> Option<usize> {
    events.iter().position(|event| event.revision == touched.revision && event.inconclusive().is_some())
}

/// The event of a text change.
pub(super) fn of_words(telling: &Event, page: u32, owner: Option<u32>, found: LineDifference) -> Event {
    let LineDifference { before, after, bounds, is_moved } = found;
    let is_unknown = telling.inconclusive().is_some();
    Event {
        kind: match owner {
            _ if !is_unknown => telling.kind,
            None => EventKind::Content,
            // of an existing annotation
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

/// The event of a change without text.
pub(super) fn of_paint(telling: &Event, page: u32, owner: Option<u32>, bounds: Rectangle) -> Event {
    Event {
        kind: if owner.is_none() { EventKind::Content } else { EventKind::Appearance },
        subject: Subject::PageResource("paint".to_owned()),
        page: Some(page),
        bounds: Some(bounds),
        is_hidden: true,
        covered: None,
        ..telling.clone()
    }
}

/// Whether the event is that of rewritten content, not of another box or rotation of the page.
pub(super) fn is_rewritten_content(event: &Event) -> bool {
    let is_content = match &event.subject {
        Subject::PageEntry(key) => key == "Contents" || key == "Resources",
        Subject::PageResource(kind) => kind != "Image XObject",
        _ => false,
    };
    event.kind == EventKind::Content && is_content
}

/// Whether the event is that of another rotation or box of the page.
pub(super) fn is_of_layout(event: &Event) -> bool {
    let is_layout = |key: &String| matches!(key.as_str(), "Rotate" | "MediaBox" | "CropBox");
    event.kind == EventKind::Content && matches!(&event.subject, Subject::PageEntry(key) if is_layout(key))
}

/// What is said of rewritten content that shows the same.
pub(super) fn rewritten(page: u32) -> Clause {
    let what = "the content of page {} was rewritten without another difference of words or paint";
    Clause::of(what, &[page.into()])
}

/// The same, where the page was turned and its content the other way, or its boxes were written otherwise.
pub(super) fn new_layout(page: u32, is_turned: bool) -> Clause {
    let what = match is_turned {
        true => "page {} was turned together with its content, without another difference of words or paint",
        false => "the boxes of page {} were rewritten without another difference of words or paint",
    };
    Clause::of(what, &[page.into()])
}

/// The event of a change that shows the same.
pub(super) fn of_unseen(event: Event, what: Clause) -> Event {
    Event { kind: EventKind::Ambiguous, subject: Subject::Inconclusive(what), ..event }
}

/// The reported text field widgets on a page, each with its field and the index of its event.
pub(super) fn filled(
    document: &mut Document,
    events: &[Event],
    touched: &TouchedPages,
    page: u32,
) -> Result<Vec<(u32, Field, usize)>, Fault> {
    let (mut filled, mut seen) = (Vec::new(), BTreeSet::new());
    let owners: BTreeSet<(u32, u32)> = touched.parts.iter().map(|(owner, object)| (*object, *owner)).collect();
    let own = |event: &&Event| event.revision == touched.revision && is_of_form(event.kind);
    // viewers regenerate such appearances
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

/// The event of a displayed value that differs from the field's value; `None` if it matches or nothing is shown.
pub(super) fn of_discrepancy(
    telling: &Event,
    page: u32,
    (owner, field): (u32, &Field),
    lines: &[VisibleLine],
) -> Option<Event> {
    let words: Vec<_> = lines.iter().flat_map(|line| line.words.iter().cloned()).collect();
    let drawn: String = words.iter().map(|word| word.text.as_str()).collect();
    let value = field.text().filter(|_| !field.is_secret())?;
    // line breaks and comb cells don't matter
    let is_same = value.chars().filter(|character| !character.is_whitespace()).eq(drawn.chars());
    if drawn.is_empty() || is_same || drawn.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    Some(Event {
        subject: Subject::FieldDiscrepancy(field.name.clone()),
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
