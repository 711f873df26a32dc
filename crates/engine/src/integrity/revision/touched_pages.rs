//! The page parts that revisions changed: the pages to be compared to report text changes.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::equal::Pair;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::pages::PageLeaf;

/// Maximum pages compared, in all revisions.
pub(super) const PAGES: usize = 20;

/// The pages that one revision changed.
#[derive(Debug)]
pub(crate) struct TouchedPages {
    pub(super) revision: u32,
    pub(super) pair: Pair,
    pub(super) pages: Vec<TouchedPage>,
    /// Whether there may be more.
    pub(super) is_part: bool,
    /// Annotations and fields, each with its reported object.
    pub(super) parts: BTreeSet<(u32, u32)>,
    pub(super) needs_appearances: bool,
    /// Fields that were filled in or signed and have new appearances for that reason.
    pub(super) expected: BTreeSet<u32>,
    /// The forms before and after.
    pub(super) forms: [Rc<FormFields>; 2],
}

/// A page before and after.
#[derive(Debug)]
pub(super) struct TouchedPage {
    /// From 1.
    pub(super) number: u32,
    pub(super) before: PageLeaf,
    pub(super) after: PageLeaf,
}

/// The pages that the events of a revision concern; `None` if there are none.
pub(crate) fn touched(examiner: &Examiner, step: &Step, events: &[Event]) -> Option<TouchedPages> {
    let (mut numbers, mut parts, mut is_anywhere) = (BTreeSet::new(), BTreeSet::new(), false);
    let [_, after] = &step.pages;
    for event in events.iter().filter(|event| may_change_text(event)) {
        let mut own: BTreeSet<u32> = event.page.into_iter().collect();
        for place in event.object.map_or(&[][..], |object| examiner.map.places(object)) {
            let annotations = [Some(place.owner), event.object];
            for annotation in annotations.into_iter().flatten() {
                let Some(page) = examiner.map.page(annotation) else { continue };
                own.extend(step.page_number(page));
                parts.extend(event.object.map(|object| (annotation, object)));
            }
            own.extend(step.page_number(place.owner));
        }
        is_anywhere |= own.is_empty();
        numbers.extend(own);
    }
    let others = 1..=if is_anywhere { after.leaves.len().min(PAGES) as u32 } else { 0 };
    let others: Vec<u32> = others.filter(|number| !numbers.contains(number)).collect();
    let pages = numbers.iter().copied().chain(others).take(PAGES).filter_map(|number| page(step, number));
    let touched = TouchedPages {
        revision: step.revision,
        pair: step.pair,
        pages: pages.collect(),
        is_part: numbers.len() > PAGES || is_anywhere && after.leaves.len() > PAGES,
        parts,
        needs_appearances: step.needs_appearances,
        expected: expected(step),
        forms: step.forms.clone(),
    };
    (!touched.pages.is_empty()).then_some(touched)
}

/// Fields that were filled in or signed, with their widgets.
fn expected(step: &Step) -> BTreeSet<u32> {
    let [_, after] = &step.forms;
    let signed = step.signed.iter().flat_map(|signed| signed.keys());
    let fields: BTreeSet<u32> = step.filled.iter().chain(signed).copied().collect();
    let widgets: Vec<u32> = fields.iter().flat_map(|field| after.kids(*field)).collect();
    fields.into_iter().chain(widgets).collect()
}

/// The objects of a page before and after; `None` if it was added or removed.
fn page(step: &Step, number: u32) -> Option<TouchedPage> {
    let [before, after] = &step.pages;
    let place = usize::try_from(number.checked_sub(1)?).ok()?;
    let (_, is) = after.numbered().nth(place)?;
    let known = is.object().and_then(|object| before.page(object));
    // otherwise one that replaces another
    let other = before.numbered().nth(place).map(|(_, page)| page);
    let other = other.filter(|other| other.object().is_some_and(|object| after.number(object).is_none()));
    Some(TouchedPage { number, before: known.or(other)?.clone(), after: is.clone() })
}

/// Whether the event may change the text of a page.
fn may_change_text(event: &Event) -> bool {
    matches!(event.kind, EventKind::Content | EventKind::Annotation)
        || is_of_form(event.kind)
        || is_of_layers(event)
        || event.inconclusive().is_some()
}

/// Whether the event concerns layers, which may have been turned on or off (8.11).
pub(super) fn is_of_layers(event: &Event) -> bool {
    matches!(event.subject, Subject::Catalog("OCProperties"))
}

/// Whether the event concerns a form field.
pub(super) fn is_of_form(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Value | EventKind::Redrawn | EventKind::Appearance | EventKind::Field | EventKind::VisibleSignature
    )
}
