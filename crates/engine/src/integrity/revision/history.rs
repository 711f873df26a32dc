//! Compares the revisions from the oldest to the newest and collects the results.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::comparison::{CumulativeDiff, RevisionComparison};
use super::conformance::{Conformance, conformance};
use super::copies;
use super::deviation::Deviation;
use super::evidence_text;
use super::examiner::{Examiner, Follows};
use super::indeterminate::{Bounded, Indeterminate, Limit};
use super::revision_range::{self, RevisionRange};
use super::roles::Roles;
use super::rules::document_info::RevisionInfo;
use super::structure::signatures;
use super::structure::walk::{CATALOG, Reached};
use super::touched_pages::TouchedPages;
use super::trailing_data;
use crate::integrity::DocumentContext;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{Change, ExaminedRevisions, Objects, Revision};
use crate::integrity::signature::Signatures;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum revisions reported, and pages of each.
pub(super) const MAX_REPORTED: usize = 50;
/// Maximum bytes of all later revisions for a full comparison, and bytes prefetched at a time.
const MAX_READ_BYTES: u64 = 32 << 20;
const READ_ROUND_BYTES: u64 = 8 << 20;

/// The results of the comparison.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Numbers of the nonconforming updates after a signature, or of all nonconforming ones.
    pub(crate) deviating: Vec<u32>,
    /// Why the result is inconclusive; empty if it is complete.
    pub(crate) indeterminate: Vec<Indeterminate>,
    /// Oldest first; the newest 50.
    pub(crate) revisions: Vec<Revision>,
    /// The number of all revisions.
    pub(crate) total: u32,
    /// The end offset of each examined revision, by number, if it is reliable.
    pub(crate) ends: BTreeMap<u32, u64>,
    /// Numbers of all objects that were a field's signature in any state.
    pub(crate) signed: BTreeSet<u32>,
    /// A byte range between revisions or at the end with an unreferenced state.
    pub(crate) unreferenced: Option<Range<u64>>,
    /// All events after the oldest revision, in order.
    pub(crate) events: Vec<Event>,
    /// The page parts that were changed.
    pub(crate) touched: Vec<TouchedPages>,
    /// Cumulative changes since each signed state that several updates follow.
    pub(crate) since: Vec<CumulativeDiff>,
    pub(crate) examined: ExaminedRevisions,
}

impl History {
    /// Returns the events after a revision: of each update, and those found only by the cumulative comparison.
    pub(crate) fn after(&self, revision: u32) -> Vec<&Event> {
        let mut events: Vec<&Event> = self.events.iter().filter(|event| event.revision > revision).collect();
        let known: BTreeSet<_> = events.iter().map(|event| event.key()).collect();
        let since = self.since.iter().filter(|since| since.revision == revision).flat_map(|since| &since.events);
        events.extend(since.filter(|event| !known.contains(&event.key())));
        events
    }
}

/// Compares the revisions of a file that was not repaired. Changes before the first signature do not matter.
pub(crate) fn examine(
    document: &mut Document,
    context: &DocumentContext,
    signatures: &Signatures,
) -> Result<History, Fault> {
    let is_signed = !signatures.checked.is_empty() || signatures.is_truncated;
    let (total, mut ranges) = revision_range::ranges(document)?;
    prefetch(document, ranges.get(1..).unwrap_or_default())?;
    revision_range::find_ends(document, &mut ranges, is_signed)?;
    let ends = signatures.ends();
    let from = ends.iter().copied().min().unwrap_or(0);
    let first = ranges.iter().skip(1).position(|range| range.follows(from)).map_or(ranges.len(), |index| index + 1);
    let watched = deleted(document, &ranges)?;
    let mut comparison =
        RevisionComparison::new(Examiner::new(document, watched, signatures.stamps(), (is_signed, from)));
    let mut objects = vec![Objects::default(); ranges.len()];
    let (mut since, mut reached) = (Vec::new(), BTreeSet::new());
    for index in 1..ranges.len() {
        let (Some(older), Some(range), Some(objects)) =
            (ranges.get(index - 1), ranges.get(index), objects.get_mut(index))
        else {
            break;
        };
        prefetch(comparison.examiner.document, ranges.get(index..).unwrap_or_default())?;
        if index == first && is_signed {
            let places = map_places(&mut comparison.examiner, older);
            or_incomplete(places, &mut comparison.examiner)?;
            reached = comparison.examiner.map.numbers().collect();
        }
        let is_covered = ends.iter().any(|&end| older.ends_with(end));
        let later = if is_covered { ranges.get(index..).unwrap_or_default() } else { &[] };
        let found = comparison.since(older, later);
        since.extend(or_incomplete(found, &mut comparison.examiner)?);
        let follows = match is_covered {
            true if index + 1 == ranges.len() => Follows::SignedToNewest,
            true => Follows::Signed,
            false => Follows::Unsigned,
        };
        let compared = comparison.step(older, range, objects, follows);
        or_incomplete(compared, &mut comparison.examiner)?;
        // all signatures cover the earlier revisions
        if index < first {
            comparison.examiner.discard_reasons();
        }
    }
    let RevisionComparison { mut examiner, signed, touched, .. } = comparison;
    let later = ranges.get(first..).unwrap_or_default();
    if total > ranges.len() && ranges.first().is_some_and(|oldest| oldest.end > from) {
        examiner.mark_indeterminate(Indeterminate::Limit(Limit::Revisions));
    }
    if later.iter().map(|range| range.end.saturating_sub(range.start)).sum::<u64>() > MAX_READ_BYTES {
        examiner.mark_indeterminate(Indeterminate::Limit(Limit::Bytes));
    }
    if !later.is_empty() && !examiner.document.xref.is_direct {
        examiner
            .mark_indeterminate(Indeterminate::NotUnderstood("a cross-reference section is read by references".into()));
    }
    if later.iter().any(|range| examiner.document.rereads(range.start, &range.numbers)) {
        let what = "a later revision changes how an object stream before it is read";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    if let Some(newest) = ranges.last().filter(|_| is_signed) {
        let signed = ranges.iter().find(|range| range.ends_with(from));
        let examined = check_trailing_data(&mut examiner, (newest, signed), (from, later.is_empty()));
        or_incomplete(examined, &mut examiner)?;
    }
    let deviating = updates(&mut examiner, (&ranges, first), &reached, signatures);
    let deviating = or_incomplete(deviating, &mut examiner)?;
    let repaired = signed_copies(&mut examiner, &ranges, signatures);
    or_incomplete(repaired, &mut examiner)?;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = examiner.document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let unreferenced = trailing_data::unreferenced(examiner.document, &ranges);
    let unreferenced = or_incomplete(unreferenced, &mut examiner)?;
    let Examiner { document, mut events, indeterminate, is_complete, .. } = examiner;
    events.sort_by_key(|event| event.revision);
    let ends = ranges.iter().filter(|range| range.is_closed).map(|range| (range.number, range.end)).collect();
    let revisions = revisions(document, context, &ranges, &objects, &events)?;
    let examined = if is_complete { ExaminedRevisions::All } else { ExaminedRevisions::Newest };
    let (total, indeterminate) = (total as u32, indeterminate.into_iter().collect());
    Ok(History {
        deviating,
        indeterminate,
        revisions,
        total,
        ends,
        signed,
        unreferenced,
        events,
        touched,
        since,
        examined,
    })
}

/// The result if it could be determined; the default if a limit was reached or the data is unreadable.
fn or_incomplete<T: Default>(found: Result<T, Fault>, examiner: &mut Examiner) -> Result<T, Fault> {
    let found = tried(found)?;
    if found.is_none() {
        examiner.mark_indeterminate(Indeterminate::Limit(Limit::Steps));
    }
    Ok(found.unwrap_or_default())
}

/// Prefetches the first of these revisions, each in one piece, up to the limit of one round.
fn prefetch(document: &mut Document, ranges: &[RevisionRange]) -> Result<(), Fault> {
    let mut left = READ_ROUND_BYTES;
    let places = ranges.iter().map(RevisionRange::place).take_while(|place| {
        let fits = left > 0;
        left = left.saturating_sub(place.end.saturating_sub(place.start));
        fits
    });
    let places: Vec<_> = places.collect();
    document.reader.prefetch(&places)
}

/// Numbers of objects that a later revision deletes: references to them matter.
fn deleted(document: &mut Document, ranges: &[RevisionRange]) -> Result<BTreeSet<u32>, Fault> {
    let mut deleted = BTreeSet::new();
    for range in ranges.iter().skip(1) {
        for &number in &range.numbers {
            if document.entry(range.state(), number)? == XrefEntry::Free {
                deleted.insert(number);
            }
        }
    }
    Ok(deleted)
}

/// Checks that the updates after the first signed end, or all later ones, conform; if not, what repairing readers find.
/// Returns the numbers of the nonconforming ones.
fn updates(
    examiner: &mut Examiner,
    (ranges, first): (&[RevisionRange], usize),
    reached: &BTreeSet<u32>,
    signatures: &Signatures,
) -> Result<Vec<u32>, Fault> {
    let (mut deviating, mut is_repaired) = (Vec::new(), false);
    for (older, range) in ranges.iter().zip(ranges.iter().skip(1)).skip(first.saturating_sub(1)) {
        let Conformance::Deviates(deviations) = conformance(examiner.document, (older, range), reached)? else {
            continue;
        };
        let deviations = reached_deviations(examiner.document, range, deviations)?;
        if deviations.is_empty() {
            continue;
        }
        deviating.push(range.number);
        let is_cut_short = deviations.contains(&Deviation::SmallSize) && {
            map_newest(examiner, ranges)?;
            is_cut_short(examiner, range)?
        };
        let severe = deviations.into_iter().find(|deviation| !deviation.is_read_both_ways());
        let severe = severe.or(is_cut_short.then_some(Deviation::SmallSize));
        if let Some(deviation) = severe.filter(|_| examiner.is_signed) {
            examiner.mark_indeterminate(Indeterminate::Deviates { revision: range.number, deviation });
            is_repaired = true;
        }
    }
    let Some(&newest) = deviating.last() else { return Ok(deviating) };
    let own;
    let headers = match &signatures.headers {
        Some(headers) => headers,
        None if examiner.document.reader.file_size() > MAX_READ_BYTES => {
            examiner.mark_indeterminate(Indeterminate::Limit(Limit::Bytes));
            return Ok(deviating);
        }
        None => {
            own = copies::headers(examiner.document)?;
            &own
        }
    };
    map_newest(examiner, ranges)?;
    let copies = match copies::copies(examiner.document, headers, &examiner.map)? {
        Bounded::Known(copies) => copies,
        Bounded::Exhausted(limit) => {
            examiner.mark_indeterminate(Indeterminate::Limit(limit));
            return Ok(deviating);
        }
    };
    let written = ranges.get(first).map_or(0, |range| range.start);
    for copy in copies {
        let object = Some(copy.number).filter(|number| *number > 0);
        // written later, where a viewer that repairs the file finds it
        let is_exchanged =
            is_repaired && copy.offset >= written && object.is_some() && copy.object.as_dictionary().is_some();
        let kind = if is_exchanged { EventKind::Unexplained } else { EventKind::Ambiguous };
        if !is_exchanged {
            examiner.mark_indeterminate(Indeterminate::Copy { number: copy.number, offset: copy.offset });
        }
        let before = examiner.document.view(State(0)).object(copy.number)?;
        examiner.events.push(Event {
            object,
            before: evidence_text::body(before.as_deref()),
            after: evidence_text::value(&copy.object),
            is_hidden: true,
            ..Event::of(newest, kind, Subject::Bytes { start: copy.offset, end: copy.offset + 1 })
        });
    }
    Ok(deviating)
}

/// Leaves out generations of objects that no viewer looks up differently: the state after a revision refers to them
/// with that generation only, or not at all.
fn reached_deviations(
    document: &mut Document,
    range: &RevisionRange,
    deviations: Vec<Deviation>,
) -> Result<Vec<Deviation>, Fault> {
    let generation = |deviation: &Deviation| match deviation {
        Deviation::Generation(number) => Some(*number),
        _ => None,
    };
    let numbers: BTreeSet<u32> = deviations.iter().filter_map(generation).collect();
    if numbers.is_empty() {
        return Ok(deviations);
    }
    let roles = Roles::after(document, range, &numbers)?;
    let mut kept = Vec::new();
    for deviation in deviations {
        let is_settled = match generation(&deviation) {
            Some(number) if roles.may_reach(number) => match document.view(range.state()).object(number)? {
                Some(body) => roles.has_one_generation(document, range.state(), body.id)?,
                None => false,
            },
            Some(_) => true,
            None => false,
        };
        kept.extend((!is_settled).then_some(deviation));
    }
    Ok(kept)
}

/// Checks that viewers that repaired a signed state before it was updated found the same objects.
fn signed_copies(examiner: &mut Examiner, ranges: &[RevisionRange], signatures: &Signatures) -> Result<(), Fault> {
    let Some(headers) = &signatures.headers else { return Ok(()) };
    let (Some((_, older)), ends) = (ranges.split_last(), signatures.ends()) else { return Ok(()) };
    for range in older.iter().filter(|range| ends.iter().any(|&end| range.ends_with(end))) {
        map_newest(examiner, ranges)?;
        for copy in copies::unlisted(examiner.document, headers, &examiner.map, (range.state(), range.end))? {
            examiner.mark_indeterminate(Indeterminate::Copy { number: copy.number, offset: copy.offset });
        }
    }
    Ok(())
}

/// The same for the newest revision, unless places are known already.
fn map_newest(examiner: &mut Examiner, ranges: &[RevisionRange]) -> Result<(), Fault> {
    match ranges.last().filter(|_| examiner.map.is_empty()) {
        Some(newest) => map_places(examiner, newest),
        None => Ok(()),
    }
}

/// Follows all references of a revision.
fn map_places(examiner: &mut Examiner, range: &RevisionRange) -> Result<(), Fault> {
    let reached = range.root.map(|root| Reached { number: root.number, place: CATALOG, from: 0 });
    examiner.map.follow(examiner.document, range.state(), reached)
}

/// Whether readers that obey a `/Size` (7.5.5) that is too small lose objects of the update itself, but few enough that
/// they don't rebuild the cross-reference. Older objects are kept: PDFBox writes the highest number of the update, and
/// no reader minds.
fn is_cut_short(examiner: &mut Examiner, range: &RevisionRange) -> Result<bool, Fault> {
    let size = examiner.document.xref.parts.get(range.parts.start).map_or(0, |part| part.size);
    if range.root.is_some_and(|root| root.number >= size) {
        return Ok(false);
    }
    let beyond = range.numbers.partition_point(|&number| number < size);
    for &number in range.numbers.get(beyond..).unwrap_or_default() {
        let is_reached = !examiner.map.places(number).is_empty();
        if is_reached && examiner.document.entry(range.state(), number)? != XrefEntry::Free {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks that only padding follows the newest revision of a signed file, or the signed bytes.
fn check_trailing_data(
    examiner: &mut Examiner,
    (newest, signed): (&RevisionRange, Option<&RevisionRange>),
    (from, is_alone): (u64, bool),
) -> Result<(), Fault> {
    let length = examiner.document.reader.file_size();
    if from >= length {
        return Ok(());
    }
    if !examiner.document.xref.is_exact || !newest.is_closed {
        let what = "the end of the newest revision does not lead to exactly its cross-reference section";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    // some readers use the first section of a linearized file as long as its length matches
    let part = signed.and_then(|signed| examiner.document.xref.parts.get(signed.parts.start)).map(|part| part.offset);
    let is_first = is_alone || part == trailing_data::first_section(examiner.document)?;
    let is_as_signed = |linearized: u64| linearized < from || linearized == from && is_first;
    if trailing_data::linearized_length(examiner.document)?.is_some_and(|linearized| !is_as_signed(linearized)) {
        let what = "the linearization dictionary gives another length than the file had when it was signed";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    // the only cross-reference leads to everything behind the signed bytes, and to nothing of them
    if is_alone && examiner.document.xref.parts.iter().all(|part| part.offset >= from) {
        let what = "the whole file was written again behind the signed bytes, without a reference to them";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
        return Ok(());
    }
    let end = if is_alone { from } else { newest.end };
    let Some(loose) = trailing_data::behind(examiner.document, end)? else { return Ok(()) };
    examiner
        .mark_indeterminate(Indeterminate::Behind { offset: loose.place.start, length: length - loose.place.start });
    if loose.has_objects {
        let bytes = Subject::Bytes { start: loose.place.start, end: loose.place.end };
        let event = Event::of(newest.number + 1, EventKind::Unexplained, bytes);
        examiner.events.push(Event { is_hidden: true, ..event });
    }
    Ok(())
}

/// The newest revisions as reported.
fn revisions(
    document: &mut Document,
    context: &DocumentContext,
    ranges: &[RevisionRange],
    objects: &[Objects],
    events: &[Event],
) -> Result<Vec<Revision>, Fault> {
    let shown = ranges.len().saturating_sub(MAX_REPORTED);
    let mut revisions = Vec::new();
    let mut before = None;
    for (index, (range, objects)) in ranges.iter().zip(objects).enumerate().skip(shown.saturating_sub(1)) {
        let is_newest = index + 1 == ranges.len();
        let info = match is_newest {
            true if ranges.len() == 1 => RevisionInfo {
                saved_at: context.layers.saved_at(),
                producer: context.layers.producer().map(str::to_owned),
            },
            _ => tried(RevisionInfo::read(document, range))?.unwrap_or_default(),
        };
        if index >= shown {
            let own = match &before {
                Some(before) => info.clone().without_inherited(before),
                None => info.clone(),
            };
            revisions.push(revision(document, context, range, (*objects, is_newest), own, events)?);
        }
        before = Some(info);
    }
    Ok(revisions)
}

fn revision(
    document: &mut Document,
    context: &DocumentContext,
    range: &RevisionRange,
    (objects, is_newest): (Objects, bool),
    info: RevisionInfo,
    events: &[Event],
) -> Result<Revision, Fault> {
    let own = || events.iter().filter(|event| event.revision == range.number);
    let changes: BTreeSet<Change> = own().filter_map(|event| event.kind.change()).collect();
    let pages: BTreeSet<u32> = own().filter_map(|event| event.page).collect();
    let mut signed = own()
        .any(|event| matches!(event.kind, EventKind::Signature | EventKind::VisibleSignature | EventKind::TimeStamp));
    if range.number == 1 && (context.is_signed || !is_newest) {
        signed = tried(has_signatures(document, range))?.unwrap_or_default();
    }
    Ok(Revision {
        number: range.number,
        end: range.end,
        saved_at: info.saved_at,
        producer: info.producer,
        objects,
        changes: changes.into_iter().collect(),
        pages: pages.into_iter().take(MAX_REPORTED).collect(),
        signed,
    })
}

/// Whether a revision has signed fields, or more fields than are examined.
fn has_signatures(document: &mut Document, range: &RevisionRange) -> Result<bool, Fault> {
    let view = &mut document.view(range.state());
    let form = FormFields::read(view)?;
    let signatures = signatures::signatures(view, &form, &BTreeSet::new())?;
    Ok(signatures.is_none_or(|signatures| !signatures.is_empty()))
}
