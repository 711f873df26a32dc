//! Derives the verdict from the findings: the first matching row of a table.

use super::report::{
    After, Basis, Covers, Examined, ExaminedRevisions, Signal, Signature, SignatureStatus, Strength, Verdict,
};
use super::signal::SignalId;

/// The input of the verdict.
pub(crate) struct Facts<'f> {
    /// All signals, weightiest first.
    pub(crate) signals: &'f [Signal],
    pub(crate) signatures: &'f [Signature],
    pub(crate) examined: &'f Examined,
}

/// A row: the verdict and the signals that support it; `None` if it does not apply.
struct VerdictRow {
    verdict: Verdict,
    because: fn(&Facts) -> Option<Vec<SignalId>>,
}

const ROWS: [VerdictRow; 9] = [
    VerdictRow { verdict: Verdict::ChangedSinceSigning, because: |facts| facts.breaks_a_signature() },
    VerdictRow { verdict: Verdict::UnchangedSinceSigning, because: |facts| facts.keeps_signatures(After::Nothing) },
    VerdictRow {
        verdict: Verdict::PermittedChangesSinceSigning,
        because: |facts| facts.keeps_signatures(After::Permitted),
    },
    VerdictRow { verdict: Verdict::Undetermined, because: |facts| facts.is_inconclusive_since_signing() },
    VerdictRow { verdict: Verdict::Changed, because: |facts| facts.is_changed() },
    VerdictRow { verdict: Verdict::SignsOfChange, because: |facts| facts.any(Strength::Strong, is_of_file) },
    VerdictRow { verdict: Verdict::Undetermined, because: |facts| facts.is_inconclusive() },
    VerdictRow { verdict: Verdict::SavedAgain, because: |facts| facts.is_saved_again() },
    VerdictRow { verdict: Verdict::NoSigns, because: |facts| Some(facts.unexamined()) },
];

/// The verdict and the deciding signals, strongest first.
pub(crate) fn decide(facts: &Facts) -> (Verdict, Vec<SignalId>) {
    let fitting = ROWS.iter().find_map(|row| (row.because)(facts).map(|because| (row.verdict, because)));
    fitting.unwrap_or((Verdict::NoSigns, Vec::new()))
}

impl Facts<'_> {
    fn has(&self, id: SignalId) -> bool {
        self.signals.iter().any(|signal| signal.id == id)
    }

    fn has_status(&self, status: SignatureStatus) -> bool {
        self.signatures.iter().any(|signature| signature.status == status)
    }

    /// Returns the signals of a list that were found; `None` if there are none.
    fn found(&self, ids: &[SignalId]) -> Option<Vec<SignalId>> {
        let found: Vec<SignalId> = ids.iter().copied().filter(|&id| self.has(id)).collect();
        (!found.is_empty()).then_some(found)
    }

    fn breaks_a_signature(&self) -> Option<Vec<SignalId>> {
        let mut breaks = vec![SignalId::SignatureBroken, SignalId::ForbiddenChangeAfterSigning];
        if self.has_status(SignatureStatus::Intact) {
            breaks.push(SignalId::ShadowContent);
            // another party's signature does not replace a removed one
            breaks.extend(self.is_conclusive(SignalId::SignatureRemoved).then_some(SignalId::SignatureRemoved));
        }
        self.found(&breaks)
    }

    fn is_conclusive(&self, id: SignalId) -> bool {
        self.signals.iter().any(|signal| signal.id == id && signal.strength == Strength::Conclusive)
    }

    /// All signatures are intact and cover their revisions, every change since was examined, and `after` is the worst
    /// effect after any of them, by any signer.
    fn keeps_signatures(&self, after: After) -> Option<Vec<SignalId>> {
        let is_kept = |signature: &Signature| {
            signature.status == SignatureStatus::Intact && signature.covers != Covers::Part && signature.after.is_some()
        };
        let weightiest = self.signatures.iter().filter_map(|signature| signature.after).max();
        let is_examined = self.examined.revisions == ExaminedRevisions::All && !self.has(SignalId::SignatureUnchecked);
        if !is_examined || !self.signatures.iter().all(is_kept) || weightiest != Some(after) {
            return None;
        }
        let mut because = vec![SignalId::SignatureIntact];
        if after == After::Permitted {
            because.insert(0, SignalId::PermittedChangeAfterSigning);
        }
        Some(because)
    }

    /// All signatures are intact and cover their revisions, but some change since could not be examined: that is not a
    /// change.
    fn is_inconclusive_since_signing(&self) -> Option<Vec<SignalId>> {
        let is_kept =
            |signature: &Signature| signature.status == SignatureStatus::Intact && signature.covers != Covers::Part;
        let is_incomplete = self.examined.revisions != ExaminedRevisions::All;
        let is_signed = !self.signatures.is_empty() && self.signatures.iter().all(is_kept);
        (is_signed && is_incomplete).then(|| self.is_inconclusive().unwrap_or_default())
    }

    /// Returns all signals with exactly this strength and a matching basis.
    fn any(&self, strength: Strength, rests: fn(Basis) -> bool) -> Option<Vec<SignalId>> {
        let fits = |signal: &&Signal| signal.strength == strength && rests(signal.basis);
        let found: Vec<SignalId> = self.signals.iter().filter(fits).map(|signal| signal.id).collect();
        (!found.is_empty()).then_some(found)
    }

    /// Conclusive signals. Beside a signature that cannot be checked, metadata, which signing software writes, and what the
    /// signature permits prove nothing.
    fn is_changed(&self) -> Option<Vec<SignalId>> {
        let found = self.any(Strength::Conclusive, is_of_file)?;
        let signed = self.signatures.iter().map(|signature| signature.revision).min();
        let is_later = |signal: &Signal| signal.evidence.iter().all(|place| place.revision >= signed);
        let is_permitted = |signal: &Signal| match signal.id {
            SignalId::MetadataChanged => true,
            SignalId::FormChanged | SignalId::AnnotationsChanged => is_later(signal),
            _ => false,
        };
        let mut conclusive = self.signals.iter().filter(|signal| found.contains(&signal.id));
        (!self.has(SignalId::SignatureUnchecked) || !conclusive.all(is_permitted)).then_some(found)
    }

    /// Only software signals; unexamined content limits their meaning.
    fn is_saved_again(&self) -> Option<Vec<SignalId>> {
        let software = self.any(Strength::Strong, is_of_software)?;
        Some(software.into_iter().chain(self.unexamined()).collect())
    }

    /// The reasons why page content was not examined, if nothing else was found.
    fn unexamined(&self) -> Vec<SignalId> {
        self.found(&[SignalId::PagesAreImages]).unwrap_or_default()
    }

    /// Why the answer is inconclusive. A signature that is intact but covers only a part, or after which not everything
    /// could be examined, is no proof of integrity.
    fn is_inconclusive(&self) -> Option<Vec<SignalId>> {
        let because =
            self.found(&[SignalId::StructureDamaged, SignalId::SignatureUnchecked, SignalId::SignatureIntact]);
        let is_partly = self.examined.revisions != ExaminedRevisions::All;
        because.or_else(|| is_partly.then(Vec::new))
    }
}

/// Self-reported software alone never shows another change.
fn is_of_software(basis: Basis) -> bool {
    basis == Basis::Software
}

fn is_of_file(basis: Basis) -> bool {
    !is_of_software(basis)
}

/// The newest intact signature that covers its revision.
pub(crate) fn newest_covering(signatures: &[Signature]) -> Option<&Signature> {
    let covering =
        |signature: &&Signature| signature.status == SignatureStatus::Intact && signature.covers != Covers::Part;
    signatures.iter().filter(covering).max_by_key(|signature| signature.revision)
}
