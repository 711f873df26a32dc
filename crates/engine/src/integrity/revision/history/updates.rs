//! Checks that the updates conform, and what readers find that repair those that do not.

use std::collections::BTreeSet;

use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::conformance::{Conformance, conformance};
use crate::integrity::revision::copies::{self, Copy};
use crate::integrity::revision::deviation::Deviation;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::Examiner;
use crate::integrity::revision::indeterminate::{Bounded, Indeterminate, Limit};
use crate::integrity::revision::revision_range::RevisionRange;
use crate::integrity::revision::structure::graph::Roots;
use crate::integrity::signature::Signatures;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum bytes of a file in which copies of objects are searched.
const MAX_SEARCHED_BYTES: u64 = 32 << 20;

/// Checks that the updates after the first signed end, or all later ones, conform; if not, what repairing readers find.
/// Returns the numbers of the nonconforming ones.
pub(super) fn updates(
    examiner: &mut Examiner,
    (ranges, first): (&[RevisionRange], usize),
    reached: &BTreeSet<u32>,
    signatures: &Signatures,
) -> Result<Vec<u32>, Fault> {
    let mut deviating = Vec::new();
    for (older, range) in ranges.iter().zip(ranges.iter().skip(1)).skip(first.saturating_sub(1)) {
        let Conformance::Deviates(deviations) = conformance(examiner.document, (older, range), reached)? else {
            continue;
        };
        let deviations = reached_deviations(examiner, range, deviations)?;
        if deviations.is_empty() {
            continue;
        }
        deviating.push(range.number);
        let is_cut_short = deviations.contains(&Deviation::SmallSize) && {
            examiner.map_newest(ranges)?;
            is_cut_short(examiner, range)?
        };
        let severe = deviations.into_iter().find(|deviation| !deviation.is_read_both_ways());
        let severe = severe.or(is_cut_short.then_some(Deviation::SmallSize));
        if let Some(deviation) = severe.filter(|_| examiner.is_signed) {
            examiner.mark_indeterminate(Indeterminate::Deviates { revision: range.number, deviation });
        }
    }
    if let Some(&newest) = deviating.last() {
        repairs(examiner, (ranges, signatures), newest)?;
    }
    Ok(deviating)
}

/// Reports the copies of objects that a reader may find that repairs the `newest` nonconforming update. They are
/// inconclusive: what such a reader shows is not read.
fn repairs(
    examiner: &mut Examiner,
    (ranges, signatures): (&[RevisionRange], &Signatures),
    newest: u32,
) -> Result<(), Fault> {
    let copies = match copies_in(examiner, (ranges, signatures))? {
        Bounded::Known(copies) => copies,
        Bounded::Exhausted(limit) => {
            examiner.mark_indeterminate(Indeterminate::Limit(limit));
            return Ok(());
        }
    };
    for copy in copies {
        let object = Some(copy.number).filter(|number| *number > 0);
        examiner.mark_indeterminate(Indeterminate::Copy { number: copy.number, offset: copy.offset });
        let before = examiner.document.view(State(0)).object(copy.number)?;
        examiner.events.push(Event {
            object,
            before: evidence_text::body(before.as_deref()),
            after: evidence_text::value(&copy.object),
            is_hidden: true,
            ..Event::of(newest, EventKind::Ambiguous, Subject::Bytes { start: copy.offset, end: copy.offset + 1 })
        });
    }
    Ok(())
}

/// The copies of objects in the file that its cross-reference does not lead to.
fn copies_in(
    examiner: &mut Examiner,
    (ranges, signatures): (&[RevisionRange], &Signatures),
) -> Result<Bounded<Vec<Copy>>, Fault> {
    let own;
    let headers = match &signatures.headers {
        Some(headers) => headers,
        None if examiner.document.reader.file_size() > MAX_SEARCHED_BYTES => {
            return Ok(Bounded::Exhausted(Limit::Bytes));
        }
        None => {
            own = copies::headers(examiner.document)?;
            &own
        }
    };
    examiner.map_newest(ranges)?;
    copies::copies(examiner.document, headers, &examiner.map)
}

/// Leaves out generations of objects that no viewer looks up differently: the state after a revision refers to them
/// with that generation only, or not at all.
fn reached_deviations(
    examiner: &mut Examiner,
    range: &RevisionRange,
    deviations: Vec<Deviation>,
) -> Result<Vec<Deviation>, Fault> {
    let generation = |deviation: &Deviation| match deviation {
        Deviation::Generation(number) => Some(*number),
        _ => None,
    };
    let roots = Roots::after(range).filter(|_| deviations.iter().any(|deviation| generation(deviation).is_some()));
    let Some(roots) = roots else { return Ok(deviations) };
    let (graph, document) = (examiner.graph(roots)?, &mut *examiner.document);
    let mut kept = Vec::new();
    for deviation in deviations {
        let is_settled = match generation(&deviation) {
            Some(number) if graph.may_reach(number) => match document.view(range.state()).object(number)? {
                Some(body) => graph.has_one_generation(document, range.state(), body.id)?,
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
pub(super) fn signed_copies(
    examiner: &mut Examiner,
    ranges: &[RevisionRange],
    signatures: &Signatures,
) -> Result<(), Fault> {
    let Some(headers) = &signatures.headers else { return Ok(()) };
    let (Some((_, older)), ends) = (ranges.split_last(), signatures.ends()) else { return Ok(()) };
    for range in older.iter().filter(|range| ends.iter().any(|&end| range.ends_with(end))) {
        examiner.map_newest(ranges)?;
        for copy in copies::unlisted(examiner.document, headers, &examiner.map, (range.state(), range.end))? {
            examiner.mark_indeterminate(Indeterminate::Copy { number: copy.number, offset: copy.offset });
        }
    }
    Ok(())
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
