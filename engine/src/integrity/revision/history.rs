//! Goes through the revisions from the oldest to the newest and puts together what each did: every object that it touched
//! is explained at every place that leads to it, or it is a change.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::comparison::Comparison;
use super::examiner::Examiner;
use super::layout;
use super::rules::document_info::Save;
use super::span::{self, Span};
use super::structure::signatures;
use super::touched::Touched;
use crate::document::Document;
use crate::document::form::Form;
use crate::failure::Fault;
use crate::integrity::Given;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{Change, ExaminedRevisions, Objects, Revision};
use crate::xref::entries::Entry;

/// Revisions told of, and pages of each.
pub(super) const TOLD: usize = 50;
/// Bytes that all later revisions may have to be compared as a whole, and of how many is read at once.
const READ: u64 = 32 << 20;
const AT_ONCE: u64 = 8 << 20;

/// What the revisions did.
#[derive(Debug)]
pub(crate) struct History {
    /// Oldest first; the newest 50.
    pub(crate) revisions: Vec<Revision>,
    /// How many there are in all.
    pub(crate) total: u32,
    /// Where each of those ends that were looked into, by its number, if its end can be relied on.
    pub(crate) ends: BTreeMap<u32, u64>,
    /// Numbers of all objects that ever were a field's signature.
    pub(crate) signed: BTreeSet<u32>,
    /// Bytes between a revision and the next one, or the end, that hold a state which nothing leads to any more.
    pub(crate) lost: Option<Range<u64>>,
    /// Everything that was done after the oldest one, in order.
    pub(crate) events: Vec<Event>,
    /// What they touched of pages.
    pub(crate) touched: Vec<Touched>,
    pub(crate) examined: ExaminedRevisions,
}

/// Compares the revisions of a file that was not repaired.
pub(crate) fn examine(document: &mut Document, given: &Given, is_signed: bool) -> Result<History, Fault> {
    let (total, mut spans) = span::spans(document)?;
    let mut is_whole = total == spans.len();
    let later = spans.get(1..).unwrap_or_default();
    is_whole &= later.iter().map(|span| span.end.saturating_sub(span.start)).sum::<u64>() <= READ;
    prefetch(document, later)?;
    span::find_ends(document, &mut spans, is_signed)?;
    let watched = deleted(document, &spans)?;
    let mut comparison = Comparison::new(Examiner::new(document, watched, is_signed));
    let mut objects = vec![Objects::default(); spans.len()];
    for index in 1..spans.len() {
        let (Some(older), Some(span), Some(objects)) = (spans.get(index - 1), spans.get(index), objects.get_mut(index))
        else {
            break;
        };
        prefetch(comparison.examiner.document, spans.get(index..).unwrap_or_default())?;
        match comparison.step(older, span, objects) {
            Ok(()) => {}
            Err(Fault::Source(error)) => return Err(Fault::Source(error)),
            Err(_) => comparison.examiner.is_whole = false,
        }
    }
    let Comparison { mut examiner, signed, touched, .. } = comparison;
    if is_signed && let Some(newest) = spans.last() {
        outside(&mut examiner, newest)?;
    }
    is_whole &= examiner.is_whole;
    let mut events = std::mem::take(&mut examiner.events);
    events.sort_by_key(|event| event.revision);
    let document = examiner.document;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let lost = layout::lost(document, &spans)?;
    let ends = spans.iter().filter(|span| span.is_closed).map(|span| (span.number, span.end)).collect();
    let revisions = revisions(document, given, &spans, &objects, &events)?;
    let examined = if is_whole { ExaminedRevisions::All } else { ExaminedRevisions::Newest };
    Ok(History { revisions, total: total as u32, ends, signed, lost, events, touched, examined })
}

/// Reads the first ones of these revisions, each in one piece and as many as are read at once, if they are not here.
fn prefetch(document: &mut Document, spans: &[Span]) -> Result<(), Fault> {
    let mut left = AT_ONCE;
    let places = spans.iter().map(Span::place).take_while(|place| {
        let fits = left > 0;
        left = left.saturating_sub(place.end.saturating_sub(place.start));
        fits
    });
    let places: Vec<_> = places.collect();
    document.reader.prefetch(&places)
}

/// Numbers of objects that a later revision deletes: it matters what refers to them.
fn deleted(document: &mut Document, spans: &[Span]) -> Result<BTreeSet<u32>, Fault> {
    let mut deleted = BTreeSet::new();
    for span in spans.iter().skip(1) {
        for &number in &span.numbers {
            if document.entry(span.state(), number)? == Entry::Free {
                deleted.insert(number);
            }
        }
    }
    Ok(deleted)
}

/// What the file says outside of its revisions: where its cross-reference starts, and what follows its end.
fn outside(examiner: &mut Examiner, newest: &Span) -> Result<(), Fault> {
    if !examiner.document.xref.is_exact || !newest.is_closed {
        examiner.is_whole = false;
    }
    let Some(loose) = layout::behind(examiner.document, newest)? else { return Ok(()) };
    examiner.is_whole = false;
    if loose.has_objects {
        let event = Event {
            revision: newest.number + 1,
            kind: EventKind::Unexplained,
            subject: Subject::Bytes(loose.place.into()),
            object: None,
            page: None,
            bounds: None,
            before: None,
            after: None,
            field: None,
            is_hidden: true,
        };
        examiner.events.push(event);
    }
    Ok(())
}

/// The newest revisions as they are told.
fn revisions(
    document: &mut Document,
    given: &Given,
    spans: &[Span],
    objects: &[Objects],
    events: &[Event],
) -> Result<Vec<Revision>, Fault> {
    let shown = spans.len().saturating_sub(TOLD);
    let mut revisions = Vec::new();
    let mut before = None;
    for (index, (span, objects)) in spans.iter().zip(objects).enumerate().skip(shown.saturating_sub(1)) {
        let is_newest = index + 1 == spans.len();
        let save = match is_newest {
            true if spans.len() == 1 => {
                Save { saved_at: given.layers.saved_at(), producer: given.layers.producer().map(str::to_owned) }
            }
            _ => Save::read(document, span)?,
        };
        if index >= shown {
            let own = match &before {
                Some(before) => save.clone().own(before),
                None => save.clone(),
            };
            revisions.push(revision(document, given, span, (*objects, is_newest), own, events)?);
        }
        before = Some(save);
    }
    Ok(revisions)
}

fn revision(
    document: &mut Document,
    given: &Given,
    span: &Span,
    (objects, is_newest): (Objects, bool),
    save: Save,
    events: &[Event],
) -> Result<Revision, Fault> {
    let own = || events.iter().filter(|event| event.revision == span.number);
    let changes: BTreeSet<Change> = own().filter_map(|event| event.kind.change()).collect();
    let pages: BTreeSet<u32> = own().filter_map(|event| event.page).collect();
    let mut signed = own()
        .any(|event| matches!(event.kind, EventKind::Signature | EventKind::VisibleSignature | EventKind::TimeStamp));
    if span.number == 1 && (given.is_signed || !is_newest) {
        let view = &mut document.view(span.state());
        let form = Form::read(view)?;
        let signatures = signatures::signatures(view, &form)?;
        signed = signatures.is_none_or(|signatures| !signatures.is_empty());
    }
    Ok(Revision {
        number: span.number,
        end: span.end,
        saved_at: save.saved_at,
        producer: save.producer,
        objects,
        changes: changes.into_iter().collect(),
        pages: pages.into_iter().take(TOLD).collect(),
        signed,
    })
}
