//! The newest revisions as reported.

use std::collections::BTreeSet;

use crate::integrity::DocumentContext;
use crate::integrity::event::{Event, EventKind};
use crate::integrity::report::{Change, Objects, Revision};
use crate::integrity::revision::revision_range::RevisionRange;
use crate::integrity::revision::rules::document_info::RevisionInfo;
use crate::integrity::revision::structure::signatures;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::failure::{Fault, tried};

/// Maximum revisions reported.
const MAX_REPORTED: usize = 50;

/// The newest revisions as reported.
pub(super) fn revisions(
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
        pages: pages.into_iter().take(Revision::MAX_PAGES).collect(),
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
