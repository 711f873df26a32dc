//! What was done after a signature, held against what it permits (ISO 32000-1, 12.8.2.2 and 12.8.2.4).

use super::event::{Deed, Event};
use super::findings::Findings;
use super::report::{After, Covers, Evidence, Signature, SignatureKind, SignatureReason, SignatureStatus, Strength};
use super::revision::History;
use super::signal::SignalId;
use super::signature::Checked;

/// What an approval without a level of its own is judged by: form values and signatures pass, annotations do not.
const APPROVAL: u8 = 2;
/// White space by which a signature may end before its revision does: the line end behind `%%EOF`.
const LINE_END: u64 = 2;

/// What judging takes to know of the file.
pub(crate) struct Ground<'g> {
    pub(crate) history: &'g History,
    /// Behind the last byte that is no white space.
    pub(crate) end: u64,
}

/// The signatures with all that is told of them; what they show is added to `findings`.
pub(crate) fn judge(checked: &[Checked], ground: &Ground, findings: &mut Findings) -> Vec<Signature> {
    let mut checked: Vec<&Checked> = checked.iter().collect();
    checked.sort_by_key(|checked| checked.end);
    let certified = checked.iter().find(|checked| checked.kind == SignatureKind::Certification);
    let certified = certified.and_then(|checked| checked.permits);
    let mut signatures = Vec::new();
    for checked in checked {
        let level = checked.permits.or(certified).unwrap_or(APPROVAL);
        let (revision, end) = revision(checked.end, ground);
        let after = after(checked, level, revision, &ground.history.events, findings);
        note_status(checked, revision, findings);
        signatures.push(Signature {
            field: checked.field.clone(),
            kind: checked.kind,
            status: checked.status,
            reason: checked.reason,
            sub_filter: checked.sub_filter.clone(),
            algorithm: checked.algorithm.clone(),
            signer: checked.signer.clone(),
            issuer: checked.issuer.clone(),
            self_signed: checked.self_signed,
            claimed_at: checked.claimed_at,
            timestamped_at: checked.timestamped_at,
            revision,
            covers: covers(checked, end, ground),
            permits: checked.permits,
            after,
        });
    }
    // a later signature may itself hide what an earlier one signed
    let intact = signatures.iter().filter(|signature| signature.status == SignatureStatus::Intact);
    if let Some(oldest) = intact.map(|signature| signature.revision).min() {
        note_shadows(oldest, &ground.history.events, findings);
    }
    signatures
}

/// The revision that ends where a signature does, or the first that ends behind it, and its end.
fn revision(end: u64, ground: &Ground) -> (u32, u64) {
    let History { revisions, total, .. } = ground.history;
    let found = revisions.iter().find(|revision| revision.end >= end);
    found.map_or((*total, ground.end), |revision| (revision.number, revision.end))
}

fn covers(checked: &Checked, end: u64, ground: &Ground) -> Covers {
    if !checked.is_gapless {
        Covers::Part
    } else if checked.end >= ground.end {
        Covers::File
    } else if checked.end.saturating_add(LINE_END) >= end {
        Covers::Revision
    } else {
        Covers::Part
    }
}

fn after(checked: &Checked, level: u8, revision: u32, events: &[Event], findings: &mut Findings) -> After {
    let mut after = After::Nothing;
    for event in events.iter().filter(|event| event.revision > revision) {
        let evidence = || Evidence { revision: Some(event.revision), ..event.evidence.clone() };
        if is_permitted(checked, level, event) {
            if !matches!(event.deed, Deed::Signature | Deed::Validation | Deed::Structure) {
                after = after.max(After::Permitted);
            }
            findings.add(SignalId::PermittedChangeAfterSigning, Strength::Neutral, evidence());
        } else {
            after = After::Forbidden;
            findings.add(SignalId::ForbiddenChangeAfterSigning, Strength::Conclusive, evidence());
        }
    }
    after
}

/// Whether a signature of that level permits it. What validates signatures always passes (ISO 32000-2, 12.8.2.2).
fn is_permitted(checked: &Checked, level: u8, event: &Event) -> bool {
    match event.deed {
        Deed::Validation => true,
        // tagging what was permitted to be added
        Deed::Structure => event.evidence.place.as_deref() == Some("StructTreeRoot"),
        Deed::Signature => level >= 2,
        Deed::Value => {
            let is_locked = checked.locks.as_ref().zip(event.field.as_deref());
            level >= 2 && !is_locked.is_some_and(|(locks, field)| locks.covers(field))
        }
        Deed::Annotation => level >= 3,
        Deed::Content | Deed::Pages | Deed::Field | Deed::Metadata | Deed::Document | Deed::Unsigned => false,
    }
}

fn note_status(checked: &Checked, revision: u32, findings: &mut Findings) {
    let reason = checked.reason.map(|reason| match reason {
        SignatureReason::Range => "range",
        SignatureReason::Digest => "digest",
        SignatureReason::Value => "value",
        SignatureReason::Algorithm => "algorithm",
        SignatureReason::Format => "format",
        SignatureReason::NoCertificate => "no certificate",
        SignatureReason::TooLarge => "too large",
    });
    let place = [checked.field.as_deref(), reason].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let (before, after) = match (&checked.mismatch, checked.status) {
        (Some((expected, found)), _) => (Some(expected.clone()), Some(found.clone())),
        (None, SignatureStatus::Intact) => (checked.signer.clone(), checked.algorithm.clone()),
        (None, _) => (checked.sub_filter.clone(), checked.algorithm.clone()),
    };
    let evidence = Evidence {
        revision: Some(revision),
        object: checked.value_object.or(checked.field_object),
        place: Some(place).filter(|place| !place.is_empty()),
        before,
        after,
        ..Evidence::default()
    };
    let (signal, strength) = match checked.status {
        SignatureStatus::Intact => (SignalId::SignatureIntact, Strength::Neutral),
        SignatureStatus::Broken => (SignalId::SignatureBroken, Strength::Conclusive),
        SignatureStatus::Unchecked => (SignalId::SignatureUnchecked, Strength::Neutral),
    };
    findings.add(signal, strength, evidence);
}

/// What was exchanged behind the back of the objects that show it.
fn note_shadows(revision: u32, events: &[Event], findings: &mut Findings) {
    for event in events.iter().filter(|event| event.revision > revision && event.is_hidden) {
        let evidence = Evidence { revision: Some(event.revision), ..event.evidence.clone() };
        findings.add(SignalId::ShadowContent, Strength::Strong, evidence);
    }
}
