//! Compares the changes after a signature with its permissions (ISO 32000-1, 12.8.2.2 and 12.8.2.4).

use std::collections::{BTreeMap, BTreeSet};

use super::disclosure::Disclosure;
use super::event::{Event, EventKind, Subject};
use super::findings::Findings;
use super::report::{
    After, Covers, Evidence, ExaminedRevisions, Signature, SignatureKind, SignatureReason, SignatureStatus, Strength,
};
use super::revision::{History, is_covered};
use super::signal::SignalId;
use super::signature::CheckedSignature;

/// The default DocMDP level of an approval signature: form values and signatures are permitted, annotations are not.
const APPROVAL_LEVEL: u8 = 2;

/// Facts about the file that the judgement needs.
pub(crate) struct JudgementContext<'g> {
    pub(crate) history: &'g History,
    /// Texts that readers other than the owner may see.
    pub(crate) disclosure: &'g Disclosure<'g>,
    /// End of the file without trailing white space.
    pub(crate) end: u64,
}

/// The assessment of all signatures.
#[derive(Debug, Default)]
pub(crate) struct SignatureAssessment<'g> {
    /// All signatures, oldest first.
    pub(crate) signatures: Vec<Signature>,
    /// Events that at least one signature does not permit, in order.
    pub(crate) forbidden: Vec<&'g Event>,
    /// Events that all signatures permit, in order.
    pub(crate) permitted: Vec<&'g Event>,
}

/// Judges the changes after each signature and adds the result to `findings`.
pub(crate) fn judge<'g>(
    checked: &[CheckedSignature],
    context: &JudgementContext<'g>,
    findings: &mut Findings,
) -> SignatureAssessment<'g> {
    let mut assessment = SignatureAssessment::default();
    // each event once, as the strictest of the signatures before it classifies it
    let mut done: Vec<(&Event, After)> = Vec::new();
    let mut known_places = BTreeMap::new();
    for one in checked {
        let level = level(one, checked);
        let (revision, covers) = position(one, context);
        let mut after = After::Nothing;
        for event in context.history.after(revision).into_iter().filter(|event| event.inconclusive().is_none()) {
            let weight = assess(one, level, event);
            after = after.max(weight);
            let key = (event.key(), &event.before, &event.after);
            let place = *known_places.entry(key).or_insert(done.len());
            match done.get_mut(place) {
                Some((_, known)) => *known = weight.max(*known),
                None => done.push((event, weight)),
            }
        }
        record_status(one, revision, findings);
        let after = if_examined(after, revision, context.history);
        assessment.signatures.push(Signature { revision, covers, after, ..one.reported.clone() });
    }
    for (event, weight) in done {
        let (id, strength) = match weight {
            After::Forbidden => (SignalId::ForbiddenChangeAfterSigning, Strength::Conclusive),
            After::Nothing | After::Permitted => (SignalId::PermittedChangeAfterSigning, Strength::Neutral),
        };
        findings.add(id, strength, context.disclosure.evidence(event));
        match weight {
            After::Forbidden => assessment.forbidden.push(event),
            After::Nothing | After::Permitted => assessment.permitted.push(event),
        }
    }
    record_shadow_content(&assessment.signatures, context, findings);
    record_removed(checked, context.history, findings);
    assessment
}

/// The level that applies to a signature: its own or the one of an earlier intact certification, whichever is stricter.
fn level(checked: &CheckedSignature, all: &[CheckedSignature]) -> u8 {
    let certifies = |other: &&CheckedSignature| {
        other.reported.kind == SignatureKind::Certification
            && other.reported.status == SignatureStatus::Intact
            && other.end <= checked.end
    };
    let certified = all.iter().filter(certifies).filter_map(|other| other.reported.permits).min();
    checked.reported.permits.into_iter().chain(certified).min().unwrap_or(APPROVAL_LEVEL)
}

/// The revision that a signature covers; otherwise the first one that ends after it, which it covers in part.
fn position(checked: &CheckedSignature, context: &JudgementContext) -> (u32, Covers) {
    let ends = &context.history.ends;
    let own = ends.iter().rev().find(|(_, end)| is_covered(**end, checked.end)).map(|(number, _)| *number);
    match own.filter(|_| checked.is_gapless && !checked.is_moved) {
        Some(revision) => (revision, if checked.end >= context.end { Covers::File } else { Covers::Revision }),
        None => {
            let behind = context.history.revisions.iter().find(|revision| revision.end >= checked.end);
            (behind.map_or(context.history.total, |revision| revision.number), Covers::Part)
        }
    }
}

/// Changes after a revision, if they were examined.
fn if_examined(after: After, revision: u32, history: &History) -> Option<After> {
    let is_known = match history.examined {
        ExaminedRevisions::All => true,
        ExaminedRevisions::Newest => after == After::Forbidden || revision == history.total,
        ExaminedRevisions::None => false,
    };
    is_known.then_some(after)
}

/// The effect of an event after a signature of this level. Validation data is always permitted (ISO 32000-2, 12.8.2.2),
/// and so is tagging a signature.
fn assess(checked: &CheckedSignature, level: u8, event: &Event) -> After {
    let is_locked =
        || checked.locks.as_ref().is_some_and(|locks| event.field.as_deref().is_none_or(|it| locks.covers(it)));
    let is_permitted = match event.kind {
        EventKind::Validation | EventKind::TimeStamp | EventKind::Tags | EventKind::FormResource => true,
        // invisible: the recognizer reports whether it is understood
        EventKind::View => true,
        // an inconclusive event is no change: it leaves the verdict undetermined
        EventKind::Ambiguous => true,
        // the newest trailer names no document information dictionary and so changes none
        EventKind::Metadata if matches!(event.subject, Subject::Info(_)) && event.object.is_none() => true,
        EventKind::Signature
        | EventKind::VisibleSignature
        | EventKind::SignatureField
        | EventKind::Metadata
        | EventKind::Tagging => level >= 2,
        EventKind::Value | EventKind::Redrawn => level >= 2 && !is_locked(),
        EventKind::Annotation => level >= 3,
        EventKind::Appearance => level >= 3 && !event.is_hidden && !is_locked(),
        EventKind::Content | EventKind::Pages | EventKind::Field | EventKind::Document | EventKind::Unsigned => false,
    };
    match is_permitted {
        true if event.kind.changes_nothing() => After::Nothing,
        true => After::Permitted,
        false => After::Forbidden,
    }
}

fn record_status(checked: &CheckedSignature, revision: u32, findings: &mut Findings) {
    let Signature { field, status, signer, algorithm, sub_filter, .. } = &checked.reported;
    let reason = checked.reported.reason.map(|reason| match reason {
        SignatureReason::Range => "range",
        SignatureReason::Digest => "digest",
        SignatureReason::Value => "value",
        SignatureReason::Algorithm => "algorithm",
        SignatureReason::Format => "format",
        SignatureReason::SeveralSigners => "several signers",
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

/// Reports signatures of earlier revisions that the newest one lacks: another party may have signed the result.
fn record_removed(checked: &[CheckedSignature], history: &History, findings: &mut Findings) {
    let found: BTreeSet<u32> = checked.iter().filter_map(|checked| checked.value_object).collect();
    for &removed in history.signed.iter().filter(|&removed| *removed > 0 && !found.contains(removed)) {
        let evidence = Evidence { object: Some(removed), ..Evidence::default() };
        findings.add(SignalId::SignatureRemoved, Strength::Conclusive, evidence);
    }
}

/// Reports content replaced since the oldest signature without changing the objects that show it: a later signature may
/// itself hide content that an earlier one covers.
fn record_shadow_content(signatures: &[Signature], context: &JudgementContext, findings: &mut Findings) {
    let intact = signatures.iter().filter(|signature| signature.status == SignatureStatus::Intact);
    let Some(oldest) = intact.map(|signature| signature.revision).min() else { return };
    let is_shadow = |event: &&Event| event.is_hidden && event.kind != EventKind::Ambiguous;
    for event in context.history.after(oldest).into_iter().filter(is_shadow) {
        findings.add(SignalId::ShadowContent, Strength::Strong, context.disclosure.evidence(event));
    }
}
