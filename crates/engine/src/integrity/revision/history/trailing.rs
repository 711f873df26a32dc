//! Checks that nothing of importance follows the newest revision.

use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::examiner::Examiner;
use crate::integrity::revision::indeterminate::{Bounded, Indeterminate};
use crate::integrity::revision::revision_range::RevisionRange;
use crate::integrity::revision::trailing_data;
use pdf_syntax::failure::Fault;

/// Checks that only padding follows the newest revision of a signed file, or the signed bytes.
pub(super) fn check(
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
    check_head(examiner, signed, (from, is_alone))?;
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
        let event = Event::of(newest.number + 1, EventKind::Ambiguous, bytes);
        examiner.events.push(Event { is_hidden: true, ..event });
    }
    Ok(())
}

/// Checks that readers that use the first section of a linearized file, as long as its length matches, read what was signed.
fn check_head(
    examiner: &mut Examiner,
    signed: Option<&RevisionRange>,
    (from, is_alone): (u64, bool),
) -> Result<(), Fault> {
    let linearization = match trailing_data::linearization(examiner.document)? {
        Bounded::Known(linearization) => linearization,
        Bounded::Exhausted(limit) => {
            examiner.mark_indeterminate(Indeterminate::Limit(limit));
            return Ok(());
        }
    };
    if linearization.is_ambiguous {
        let what = "viewers may read the first object of the file differently";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    let part = signed.and_then(|signed| examiner.document.xref.parts.get(signed.parts.start)).map(|part| part.offset);
    let is_first = is_alone || part == linearization.first_section;
    let is_as_signed = |length: &u64| *length < from || *length == from && is_first;
    if !linearization.lengths.iter().all(is_as_signed) {
        let what = "the linearization dictionary gives another length than the file had when it was signed";
        examiner.mark_indeterminate(Indeterminate::NotUnderstood(what.into()));
    }
    Ok(())
}
