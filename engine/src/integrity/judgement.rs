//! What was done after a signature, held against what it permits (ISO 32000-1, 12.8.2.2 and 12.8.2.4).

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Event, EventKind, Subject};
use super::findings::Findings;
use super::publicity::Publicity;
use super::report::{
    After, Covers, Evidence, ExaminedRevisions, Signature, SignatureKind, SignatureReason, SignatureStatus, Strength,
};
use super::revision::{History, is_covered};
use super::signal::SignalId;
use super::signature::Checked;

/// What an approval without a level of its own is judged by: form values and signatures pass, annotations do not.
const APPROVAL: u8 = 2;

/// What judging takes to know of the file.
pub(crate) struct Ground<'g> {
    pub(crate) history: &'g History,
    /// What of it everybody may be shown.
    pub(crate) publicity: &'g Publicity<'g>,
    /// Behind the last byte that is no white space.
    pub(crate) end: u64,
}

/// What was judged.
#[derive(Debug, Default)]
pub(crate) struct Judged<'g> {
    /// All signatures, oldest first.
    pub(crate) signatures: Vec<Signature>,
    /// What was done that one of them does not permit, in order.
    pub(crate) forbidden: Vec<&'g Event>,
    /// What was done that all of them permit, in order.
    pub(crate) permitted: Vec<&'g Event>,
}

/// Judges what was done after each signature; what that shows is added to `findings`.
pub(crate) fn judge<'g>(checked: &[Checked], ground: &Ground<'g>, findings: &mut Findings) -> Judged<'g> {
    let mut judged = Judged::default();
    // what was done, each once, by what the strictest of the signatures before it makes of it
    let mut done: Vec<(&Event, After)> = Vec::new();
    let mut known_places = BTreeMap::new();
    for one in checked {
        let level = level(one, checked);
        let (revision, covers) = place(one, ground);
        let mut after = After::Nothing;
        for event in ground.history.after(revision).into_iter().filter(|event| event.inconclusive().is_none()) {
            let weight = weigh(one, level, event);
            after = after.max(weight);
            let key = (event.key(), &event.before, &event.after);
            let place = *known_places.entry(key).or_insert(done.len());
            match done.get_mut(place) {
                Some((_, known)) => *known = weight.max(*known),
                None => done.push((event, weight)),
            }
        }
        note_status(one, revision, findings);
        let after = known(after, revision, ground.history);
        judged.signatures.push(Signature { revision, covers, after, ..one.told.clone() });
    }
    for (event, weight) in done {
        let (id, strength) = match weight {
            After::Forbidden => (SignalId::ForbiddenChangeAfterSigning, Strength::Conclusive),
            After::Nothing | After::Permitted => (SignalId::PermittedChangeAfterSigning, Strength::Neutral),
        };
        findings.add(id, strength, ground.publicity.evidence(event));
        match weight {
            After::Forbidden => judged.forbidden.push(event),
            After::Nothing | After::Permitted => judged.permitted.push(event),
        }
    }
    note_shadows(&judged.signatures, ground, findings);
    note_lost(checked, ground.history, findings);
    judged
}

/// The level by which a signature is judged: its own, or that of an intact certification that was there before it, the
/// stricter of both.
fn level(checked: &Checked, all: &[Checked]) -> u8 {
    let certifies = |other: &&Checked| {
        other.told.kind == SignatureKind::Certification
            && other.told.status == SignatureStatus::Intact
            && other.end <= checked.end
    };
    let certified = all.iter().filter(certifies).filter_map(|other| other.told.permits).min();
    checked.told.permits.into_iter().chain(certified).min().unwrap_or(APPROVAL)
}

/// The revision that ends where a signature does; else the first that ends behind it, of which it covers a part.
fn place(checked: &Checked, ground: &Ground) -> (u32, Covers) {
    let ends = &ground.history.ends;
    let own = ends.iter().rev().find(|(_, end)| is_covered(**end, checked.end)).map(|(number, _)| *number);
    match own.filter(|_| checked.is_gapless && !checked.is_moved) {
        Some(revision) => (revision, if checked.end >= ground.end { Covers::File } else { Covers::Revision }),
        None => {
            let behind = ground.history.revisions.iter().find(|revision| revision.end >= checked.end);
            (behind.map_or(ground.history.total, |revision| revision.number), Covers::Part)
        }
    }
}

/// What was done after a revision, as far as that is known.
fn known(after: After, revision: u32, history: &History) -> Option<After> {
    let is_known = match history.examined {
        ExaminedRevisions::All => true,
        ExaminedRevisions::Newest => after == After::Forbidden || revision == history.total,
        ExaminedRevisions::None => false,
    };
    is_known.then_some(after)
}

/// What a kind weighs after a signature of this level. What validates signatures always passes (ISO 32000-2, 12.8.2.2),
/// and so does tagging a signature.
fn weigh(checked: &Checked, level: u8, event: &Event) -> After {
    let is_locked =
        || checked.locks.as_ref().is_some_and(|locks| event.field.as_deref().is_none_or(|it| locks.covers(it)));
    let is_permitted = match event.kind {
        EventKind::Validation | EventKind::TimeStamp | EventKind::Tags | EventKind::FormResource => true,
        // nobody sees it: the recognizer says whether it is understood
        EventKind::View => true,
        // doubt is no change: what cannot be looked at leaves the verdict open
        EventKind::Ambiguous => true,
        // the newest trailer names no document information dictionary, and changes none
        EventKind::Metadata if matches!(event.subject, Subject::Info(_)) && event.object.is_none() => true,
        EventKind::Signature
        | EventKind::VisibleSignature
        | EventKind::SignatureField
        | EventKind::Metadata
        | EventKind::Tagging => level >= 2,
        EventKind::Value => level >= 2 && !is_locked(),
        EventKind::Annotation => level >= 3,
        EventKind::Appearance => level >= 3 && !event.is_hidden && !is_locked(),
        EventKind::Content
        | EventKind::Pages
        | EventKind::Field
        | EventKind::Document
        | EventKind::Unsigned
        | EventKind::Unexplained => false,
    };
    match is_permitted {
        true if event.kind.changes_nothing() => After::Nothing,
        true => After::Permitted,
        false => After::Forbidden,
    }
}

fn note_status(checked: &Checked, revision: u32, findings: &mut Findings) {
    let Signature { field, status, signer, algorithm, sub_filter, .. } = &checked.told;
    let reason = checked.told.reason.map(|reason| match reason {
        SignatureReason::Range => "range",
        SignatureReason::Digest => "digest",
        SignatureReason::Value => "value",
        SignatureReason::Algorithm => "algorithm",
        SignatureReason::Format => "format",
        SignatureReason::Certificate => "certificate",
        SignatureReason::NoCertificate => "no certificate",
        SignatureReason::TooMany => "too many",
        SignatureReason::TooManyCertificates => "too many certificates",
    });
    let place = [field.as_deref(), reason].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let (before, after) = match (&checked.mismatch, status) {
        (Some((expected, found)), _) => (Some(expected.clone()), Some(found.clone())),
        (None, SignatureStatus::Intact) => (signer.clone(), algorithm.clone()),
        (None, _) => (sub_filter.clone(), algorithm.clone()),
    };
    let evidence = Evidence {
        revision: Some(revision),
        object: checked.value_object.or(checked.field_object),
        place: Some(place).filter(|place| !place.is_empty()),
        before,
        after,
        ..Evidence::default()
    };
    let (signal, strength) = match status {
        SignatureStatus::Intact => (SignalId::SignatureIntact, Strength::Neutral),
        SignatureStatus::Broken => (SignalId::SignatureBroken, Strength::Conclusive),
        SignatureStatus::Unchecked => (SignalId::SignatureUnchecked, Strength::Neutral),
    };
    findings.add(signal, strength, evidence);
}

/// What once was a signature and is none of those that were found: somebody else may have signed what was made of it.
fn note_lost(checked: &[Checked], history: &History, findings: &mut Findings) {
    let found: BTreeSet<u32> = checked.iter().filter_map(|checked| checked.value_object).collect();
    for &lost in history.signed.iter().filter(|&lost| *lost > 0 && !found.contains(lost)) {
        let evidence = Evidence { object: Some(lost), ..Evidence::default() };
        findings.add(SignalId::SignatureRemoved, Strength::Conclusive, evidence);
    }
}

/// What was exchanged behind the back of the objects that show it, after the oldest signature: a later one may itself hide
/// what an earlier one signed.
fn note_shadows(signatures: &[Signature], ground: &Ground, findings: &mut Findings) {
    let intact = signatures.iter().filter(|signature| signature.status == SignatureStatus::Intact);
    let Some(oldest) = intact.map(|signature| signature.revision).min() else { return };
    let is_shadow = |event: &&Event| event.is_hidden && event.kind != EventKind::Ambiguous;
    for event in ground.history.after(oldest).into_iter().filter(is_shadow) {
        findings.add(SignalId::ShadowContent, Strength::Strong, ground.publicity.evidence(event));
    }
}
