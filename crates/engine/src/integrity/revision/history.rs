//! Compares the revisions from the oldest to the newest and collects the results.

mod reported;
mod trailing;
mod updates;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::comparison::{CumulativeDiff, RevisionComparison};
use super::examiner::{Examiner, Follows};
use super::indeterminate::{Indeterminate, Limit};
use super::revision_range::{self, RevisionRange};
use super::touched_pages::TouchedPages;
use super::trailing_data;
use crate::integrity::DocumentContext;
use crate::integrity::event::Event;
use crate::integrity::report::{ExaminedRevisions, Objects, Revision};
use crate::integrity::signature::Signatures;
use pdf_syntax::document::Document;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::xref::entries::XrefEntry;

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
    let (mut total, mut ranges) = revision_range::ranges(document)?;
    prefetch(document, ranges.get(1..).unwrap_or_default())?;
    revision_range::find_ends(document, &mut ranges, is_signed)?;
    if !is_signed {
        total -= revision_range::join_open(document, &mut ranges)?;
    }
    let from = signatures.ends().iter().copied().min().unwrap_or(0);
    let first = ranges.iter().skip(1).position(|range| range.follows(from)).map_or(ranges.len(), |index| index + 1);
    let watched = deleted(document, &ranges)?;
    let examiner = Examiner::new(document, watched, signatures.stamps(), is_signed);
    let Compared { comparison, mut objects, since, reached } = compare(examiner, (&ranges, first), signatures)?;
    let RevisionComparison { mut examiner, signed, touched, .. } = comparison;
    if total > ranges.len() && ranges.first().is_some_and(|oldest| oldest.end > from) {
        examiner.mark_indeterminate(Indeterminate::Limit(Limit::Revisions));
    }
    let later = ranges.get(first..).unwrap_or_default();
    check_reading(&mut examiner, later);
    if let Some(newest) = ranges.last().filter(|_| is_signed) {
        let signed = ranges.iter().find(|range| range.ends_with(from));
        let checked = trailing::check(&mut examiner, (newest, signed), (from, later.is_empty()));
        or_incomplete(checked, &mut examiner)?;
    }
    let deviating = updates::updates(&mut examiner, (&ranges, first), &reached, signatures);
    let deviating = or_incomplete(deviating, &mut examiner)?;
    let repaired = updates::signed_copies(&mut examiner, &ranges, signatures);
    or_incomplete(repaired, &mut examiner)?;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = examiner.document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let unreferenced = trailing_data::unreferenced(examiner.document, &ranges);
    let unreferenced = or_incomplete(unreferenced, &mut examiner)?;
    let Examiner { document, mut events, indeterminate, is_complete, .. } = examiner;
    events.sort_by_key(|event| event.revision);
    Ok(History {
        deviating,
        indeterminate: indeterminate.into_iter().collect(),
        revisions: reported::revisions(document, context, &ranges, &objects, &events)?,
        total: total as u32,
        ends: ranges.iter().filter(|range| range.is_closed).map(|range| (range.number, range.end)).collect(),
        signed,
        unreferenced,
        events,
        touched,
        since,
        examined: if is_complete { ExaminedRevisions::All } else { ExaminedRevisions::Newest },
    })
}

/// The comparison of all revisions.
struct Compared<'e, 's> {
    comparison: RevisionComparison<'e, 's>,
    /// Of each revision; those of the oldest are not counted.
    objects: Vec<Objects>,
    since: Vec<CumulativeDiff>,
    /// Numbers of the objects that the first signed state references.
    reached: BTreeSet<u32>,
}

/// Compares each revision with the previous one, and each signed state with the newest one. `first` is the index of the
/// first revision that no signature covers.
fn compare<'e, 's>(
    examiner: Examiner<'e, 's>,
    (ranges, first): (&[RevisionRange], usize),
    signatures: &Signatures,
) -> Result<Compared<'e, 's>, Fault> {
    let mut comparison = RevisionComparison::new(examiner);
    let mut objects = vec![Objects::default(); ranges.len()];
    let (mut since, mut reached, ends) = (Vec::new(), BTreeSet::new(), signatures.ends());
    for index in 1..ranges.len() {
        let (Some(older), Some(range), Some(objects)) =
            (ranges.get(index - 1), ranges.get(index), objects.get_mut(index))
        else {
            break;
        };
        prefetch(comparison.examiner.document, ranges.get(index..).unwrap_or_default())?;
        if index == first && comparison.examiner.is_signed {
            let places = comparison.examiner.map_places(older);
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
            false if index >= first && comparison.examiner.is_signed => Follows::Updated,
            false => Follows::Unsigned,
        };
        let compared = comparison.step(older, range, objects, follows);
        or_incomplete(compared, &mut comparison.examiner)?;
        // all signatures cover the earlier revisions
        if index < first {
            comparison.examiner.discard_reasons();
        }
    }
    Ok(Compared { comparison, objects, since, reached })
}

/// Checks that the `later` revisions were read completely, and as every viewer reads them.
fn check_reading(examiner: &mut Examiner, later: &[RevisionRange]) {
    if later.iter().map(|range| range.end.saturating_sub(range.start)).sum::<u64>() > MAX_READ_BYTES {
        examiner.mark_indeterminate(Indeterminate::Limit(Limit::Bytes));
    }
    if !later.is_empty() && !examiner.document.xref.is_direct {
        let what = "a cross-reference section is read by references";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    if later.iter().any(|range| examiner.document.rereads(range.start, &range.numbers)) {
        let what = "a later revision changes how an object stream before it is read";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
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
