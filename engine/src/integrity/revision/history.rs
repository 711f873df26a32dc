//! Goes through the revisions from the oldest to the newest and puts together what each did.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::comparison::{RevisionComparison, Since};
use super::conformance::{Conformance, conformance};
use super::copies;
use super::deviation::Deviation;
use super::examiner::Examiner;
use super::indeterminate::{Bounded, Indeterminate, Limit};
use super::layout;
use super::rules::document_info::Save;
use super::show;
use super::span::{self, LINE_END, Span};
use super::structure::signatures;
use super::structure::walk::{CATALOG, Reached};
use super::touched::Touched;
use crate::document::Document;
use crate::document::form::FormFields;
use crate::document::objects::State;
use crate::failure::{Fault, tried};
use crate::integrity::Given;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{Change, ExaminedRevisions, Objects, Revision};
use crate::integrity::signature::Signatures;
use crate::xref::entries::XrefEntry;

/// Revisions told of, and pages of each.
pub(super) const TOLD: usize = 50;
/// Bytes that all later revisions may have to be compared as a whole, and of how many is read at once.
const READ: u64 = 32 << 20;
const AT_ONCE: u64 = 8 << 20;

/// What the revisions did.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Numbers of those behind a signature, or of all later ones, that do not conform.
    pub(crate) deviating: Vec<u32>,
    /// Why it is inconclusive what was done, unless all of it is known.
    pub(crate) indeterminate: Vec<Indeterminate>,
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
    /// What was done since each state that a signature covers and after which there are several saves, in one.
    pub(crate) since: Vec<Since>,
    pub(crate) examined: ExaminedRevisions,
}

impl History {
    /// What was done after a revision: save by save, and in one step what that adds to it.
    pub(crate) fn after(&self, revision: u32) -> Vec<&Event> {
        let mut events: Vec<&Event> = self.events.iter().filter(|event| event.revision > revision).collect();
        let known: BTreeSet<_> = events.iter().map(|event| event.key()).collect();
        let since = self.since.iter().filter(|since| since.revision == revision).flat_map(|since| &since.events);
        events.extend(since.filter(|event| !known.contains(&event.key())));
        events
    }
}

/// Compares the revisions of a file that was not repaired. What precedes the first signature decides nothing.
pub(crate) fn examine(document: &mut Document, given: &Given, signatures: &Signatures) -> Result<History, Fault> {
    let is_signed = !signatures.checked.is_empty() || signatures.left_out;
    let (total, mut spans) = span::spans(document)?;
    prefetch(document, spans.get(1..).unwrap_or_default())?;
    span::find_ends(document, &mut spans, is_signed)?;
    let ends = signatures.ends();
    let from = ends.iter().copied().min().unwrap_or(0);
    let first = spans.iter().skip(1).position(|span| follows(span, from)).map_or(spans.len(), |index| index + 1);
    let watched = deleted(document, &spans)?;
    let mut comparison = RevisionComparison::new(Examiner::new(document, watched, signatures.stamps(), is_signed));
    let mut objects = vec![Objects::default(); spans.len()];
    let (mut since, mut reached) = (Vec::new(), BTreeSet::new());
    for index in 1..spans.len() {
        let (Some(older), Some(span), Some(objects)) = (spans.get(index - 1), spans.get(index), objects.get_mut(index))
        else {
            break;
        };
        prefetch(comparison.examiner.document, spans.get(index..).unwrap_or_default())?;
        if index == first && is_signed {
            let places = know_places(&mut comparison.examiner, older);
            as_far(places, &mut comparison.examiner)?;
            reached = comparison.examiner.map.numbers().collect();
        }
        let is_covered = ends.iter().any(|&end| older.ends_with(end));
        let later = if is_covered { spans.get(index..).unwrap_or_default() } else { &[] };
        let found = comparison.since(older, later);
        since.extend(as_far(found, &mut comparison.examiner)?);
        let is_since_signing = is_covered && index + 1 == spans.len();
        let compared = comparison.step(older, span, objects, is_since_signing);
        as_far(compared, &mut comparison.examiner)?;
        // what was saved before all signatures is what they signed
        if index < first {
            comparison.examiner.close();
        }
    }
    let RevisionComparison { mut examiner, signed, touched, .. } = comparison;
    let later = spans.get(first..).unwrap_or_default();
    if total > spans.len() && spans.first().is_some_and(|oldest| oldest.end > from) {
        examiner.leave_open(Indeterminate::Limit(Limit::Revisions));
    }
    if later.iter().map(|span| span.end.saturating_sub(span.start)).sum::<u64>() > READ {
        examiner.leave_open(Indeterminate::Limit(Limit::Bytes));
    }
    if !later.is_empty() && !examiner.document.xref.is_direct {
        examiner.leave_open(Indeterminate::NotUnderstood("a cross-reference section is read by references".into()));
    }
    if later.iter().any(|span| examiner.document.rereads(span.start, &span.numbers)) {
        let what = "a later revision changes how an object stream before it is read";
        examiner.leave_open(Indeterminate::NotUnderstood(what.into()));
    }
    if let Some(newest) = spans.last().filter(|_| is_signed) {
        let examined = outside(&mut examiner, newest, (from, later.is_empty()));
        as_far(examined, &mut examiner)?;
    }
    let deviating = updates(&mut examiner, (&spans, first), &reached, signatures);
    let deviating = as_far(deviating, &mut examiner)?;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = examiner.document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let lost = layout::lost(examiner.document, &spans);
    let lost = as_far(lost, &mut examiner)?;
    let Examiner { document, mut events, indeterminate, is_whole, .. } = examiner;
    events.sort_by_key(|event| event.revision);
    let ends = spans.iter().filter(|span| span.is_closed).map(|span| (span.number, span.end)).collect();
    let revisions = revisions(document, given, &spans, &objects, &events)?;
    let examined = if is_whole { ExaminedRevisions::All } else { ExaminedRevisions::Newest };
    let (total, indeterminate) = (total as u32, indeterminate.into_iter().collect());
    Ok(History { deviating, indeterminate, revisions, total, ends, signed, lost, events, touched, since, examined })
}

/// Whether a revision follows what a signature covers whose last range ends there.
fn follows(span: &Span, end: u64) -> bool {
    span.start + LINE_END >= end
}

/// What could be found out; nothing if that was too much or cannot be read.
fn as_far<T: Default>(found: Result<T, Fault>, examiner: &mut Examiner) -> Result<T, Fault> {
    let found = tried(found)?;
    if found.is_none() {
        examiner.leave_open(Indeterminate::Limit(Limit::Steps));
    }
    Ok(found.unwrap_or_default())
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
            if document.entry(span.state(), number)? == XrefEntry::Free {
                deleted.insert(number);
            }
        }
    }
    Ok(deleted)
}

/// Whether the revisions behind the first signed end, or all later ones, are updates as they would be written again; if not,
/// what a reader finds that repairs the file. Returns the numbers of those that are not.
fn updates(
    examiner: &mut Examiner,
    (spans, first): (&[Span], usize),
    reached: &BTreeSet<u32>,
    signatures: &Signatures,
) -> Result<Vec<u32>, Fault> {
    let (mut deviating, mut is_repaired) = (Vec::new(), false);
    for (older, span) in spans.iter().zip(spans.iter().skip(1)).skip(first.saturating_sub(1)) {
        let Conformance::Deviates(deviations) = conformance(examiner.document, (older, span), reached)? else {
            continue;
        };
        deviating.push(span.number);
        let is_cut_short = deviations.contains(&Deviation::SmallSize) && {
            know_newest(examiner, spans)?;
            is_cut_short(examiner, span)?
        };
        let severe = deviations.into_iter().find(|deviation| !deviation.is_read_both_ways());
        let severe = severe.or(is_cut_short.then_some(Deviation::SmallSize));
        if let Some(deviation) = severe.filter(|_| examiner.is_signed) {
            examiner.leave_open(Indeterminate::Deviates { revision: span.number, deviation });
            is_repaired = true;
        }
    }
    let Some(&newest) = deviating.last() else { return Ok(deviating) };
    let own;
    let headers = match &signatures.headers {
        Some(headers) => headers,
        None if examiner.document.reader.len() > READ => {
            examiner.leave_open(Indeterminate::Limit(Limit::Bytes));
            return Ok(deviating);
        }
        None => {
            own = copies::headers(examiner.document)?;
            &own
        }
    };
    know_newest(examiner, spans)?;
    let copies = match copies::copies(examiner.document, headers, &examiner.map)? {
        Bounded::Known(copies) => copies,
        Bounded::Exhausted(limit) => {
            examiner.leave_open(Indeterminate::Limit(limit));
            return Ok(deviating);
        }
    };
    let written = spans.get(first).map_or(0, |span| span.start);
    for copy in copies {
        let object = Some(copy.number).filter(|number| *number > 0);
        // written since, where a viewer that repairs the file finds it
        let is_exchanged =
            is_repaired && copy.offset >= written && object.is_some() && copy.object.as_dictionary().is_some();
        let kind = if is_exchanged { EventKind::Unexplained } else { EventKind::Ambiguous };
        if !is_exchanged {
            examiner.leave_open(Indeterminate::Copy { number: copy.number, offset: copy.offset });
        }
        let before = examiner.document.view(State(0)).object(copy.number)?;
        examiner.events.push(Event {
            object,
            before: show::body(before.as_deref()),
            after: show::show(&copy.object),
            is_hidden: true,
            ..Event::of(newest, kind, Subject::Bytes { start: copy.offset, end: copy.offset + 1 })
        });
    }
    Ok(deviating)
}

/// The same of the newest one, unless something is known already.
fn know_newest(examiner: &mut Examiner, spans: &[Span]) -> Result<(), Fault> {
    match spans.last().filter(|_| examiner.map.is_empty()) {
        Some(newest) => know_places(examiner, newest),
        None => Ok(()),
    }
}

/// Follows all that a revision leads to.
fn know_places(examiner: &mut Examiner, span: &Span) -> Result<(), Fault> {
    let reached = span.root.map(|root| Reached { number: root.number, place: CATALOG, from: 0 });
    examiner.map.follow(examiner.document, span.state(), reached)
}

/// Whether readers who go by a `/Size` (7.5.5) that is too small lose objects of the save itself, and not so many that they
/// look for all anew. Those of the saves before stay: PDFBox goes by the highest number of a save, and no reader minds.
fn is_cut_short(examiner: &mut Examiner, span: &Span) -> Result<bool, Fault> {
    let size = examiner.document.xref.parts.get(span.parts.start).map_or(0, |part| part.size);
    if span.root.is_some_and(|root| root.number >= size) {
        return Ok(false);
    }
    let beyond = span.numbers.partition_point(|&number| number < size);
    for &number in span.numbers.get(beyond..).unwrap_or_default() {
        let is_reached = !examiner.map.places(number).is_empty();
        if is_reached && examiner.document.entry(span.state(), number)? != XrefEntry::Free {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What follows the newest revision in a signed file, or all that is signed: nothing, or something that is no revision.
fn outside(examiner: &mut Examiner, newest: &Span, (from, is_alone): (u64, bool)) -> Result<(), Fault> {
    let length = examiner.document.reader.len();
    if from >= length {
        return Ok(());
    }
    if !examiner.document.xref.is_exact || !newest.is_closed {
        let what = "the end of the newest revision does not lead to exactly its cross-reference section";
        examiner.leave_open(Indeterminate::NotUnderstood(what.into()));
    }
    // some readers go by the section at the head of a linearized file as long as this is its length
    if layout::linearized_length(examiner.document)?.is_some_and(|linearized| linearized > from) {
        let what = "the linearization dictionary gives another length than the file had when it was signed";
        examiner.leave_open(Indeterminate::NotUnderstood(what.into()));
    }
    let end = if is_alone { from } else { newest.end };
    let Some(loose) = layout::behind(examiner.document, end)? else { return Ok(()) };
    examiner.leave_open(Indeterminate::Behind { offset: loose.place.start, length: length - loose.place.start });
    if loose.has_objects {
        let bytes = Subject::Bytes { start: loose.place.start, end: loose.place.end };
        let event = Event::of(newest.number + 1, EventKind::Unexplained, bytes);
        examiner.events.push(Event { is_hidden: true, ..event });
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
            _ => tried(Save::read(document, span))?.unwrap_or_default(),
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
        signed = tried(has_signatures(document, span))?.unwrap_or_default();
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

/// Whether a revision has signed fields, or more fields than are looked at.
fn has_signatures(document: &mut Document, span: &Span) -> Result<bool, Fault> {
    let view = &mut document.view(span.state());
    let form = FormFields::read(view)?;
    let signatures = signatures::signatures(view, &form, &BTreeSet::new())?;
    Ok(signatures.is_none_or(|signatures| !signatures.is_empty()))
}
