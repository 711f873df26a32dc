//! How the verdict follows from what was found: the first row of a table that fits.

use super::report::{
    After, Basis, Covers, Examined, ExaminedRevisions, Signal, Signature, SignatureStatus, Strength, Verdict,
};
use super::signal::SignalId;

/// What the verdict is made of.
pub(crate) struct Facts<'f> {
    /// All signals, weightiest first.
    pub(crate) signals: &'f [Signal],
    pub(crate) signatures: &'f [Signature],
    pub(crate) examined: &'f Examined,
}

/// A row: what the verdict is, and the signals that make it so; none if they do not.
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
    VerdictRow { verdict: Verdict::Undetermined, because: |facts| facts.is_in_doubt() },
    VerdictRow { verdict: Verdict::Changed, because: |facts| facts.any(Strength::Conclusive, is_of_file) },
    VerdictRow { verdict: Verdict::SignsOfChange, because: |facts| facts.any(Strength::Strong, is_of_file) },
    VerdictRow { verdict: Verdict::Undetermined, because: |facts| facts.is_dim() },
    VerdictRow { verdict: Verdict::SavedAgain, because: |facts| facts.is_saved_again() },
    VerdictRow { verdict: Verdict::NoSigns, because: |facts| Some(facts.unread()) },
];

/// The verdict, and the signals that decided, in order of weight.
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

    /// Of these signals those that were found; none if there is none.
    fn found(&self, ids: &[SignalId]) -> Option<Vec<SignalId>> {
        let found: Vec<SignalId> = ids.iter().copied().filter(|&id| self.has(id)).collect();
        (!found.is_empty()).then_some(found)
    }

    fn breaks_a_signature(&self) -> Option<Vec<SignalId>> {
        let mut breaks = vec![SignalId::SignatureBroken, SignalId::ForbiddenChangeAfterSigning];
        if self.has_status(SignatureStatus::Intact) {
            breaks.push(SignalId::ShadowContent);
            // whoever signs what another signature was taken from does not stand in for it
            breaks.extend(self.is_conclusive(SignalId::SignatureRemoved).then_some(SignalId::SignatureRemoved));
        }
        self.found(&breaks)
    }

    fn is_conclusive(&self, id: SignalId) -> bool {
        self.signals.iter().any(|signal| signal.id == id && signal.strength == Strength::Conclusive)
    }

    /// All signatures are intact and cover all that was there, everything done since was looked at, and this is the
    /// weightiest of what was done after any of them, whoever made it.
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

    /// All signatures are intact and cover all that was there, and of what was done since something could not be looked at:
    /// doubt is no change.
    fn is_in_doubt(&self) -> Option<Vec<SignalId>> {
        let is_kept =
            |signature: &Signature| signature.status == SignatureStatus::Intact && signature.covers != Covers::Part;
        let is_doubted = self.examined.revisions != ExaminedRevisions::All;
        let is_signed = !self.signatures.is_empty() && self.signatures.iter().all(is_kept);
        (is_signed && is_doubted).then(|| self.is_dim().unwrap_or_default())
    }

    /// All signals of exactly this strength that rest on what is asked for.
    fn any(&self, strength: Strength, rests: fn(Basis) -> bool) -> Option<Vec<SignalId>> {
        let fits = |signal: &&Signal| signal.strength == strength && rests(signal.basis);
        let found: Vec<SignalId> = self.signals.iter().filter(fits).map(|signal| signal.id).collect();
        (!found.is_empty()).then_some(found)
    }

    /// Signals of software alone; what was not read limits what that says.
    fn is_saved_again(&self) -> Option<Vec<SignalId>> {
        let software = self.any(Strength::Strong, is_of_software)?;
        Some(software.into_iter().chain(self.unread()).collect())
    }

    /// What kept the content of pages from being examined where nothing else was found.
    fn unread(&self) -> Vec<SignalId> {
        self.found(&[SignalId::PagesAreImages]).unwrap_or_default()
    }

    /// What stands in the way of an answer. A signature that is intact and covers only part of what is there, or after which
    /// not everything could be looked at, is no reason to see nothing wrong.
    fn is_dim(&self) -> Option<Vec<SignalId>> {
        let because =
            self.found(&[SignalId::StructureDamaged, SignalId::SignatureUnchecked, SignalId::SignatureIntact]);
        let is_partly = self.examined.revisions != ExaminedRevisions::All;
        because.or_else(|| is_partly.then(Vec::new))
    }
}

/// What the file says of software never shows by itself that anything else was changed.
fn is_of_software(basis: Basis) -> bool {
    basis == Basis::Software
}

fn is_of_file(basis: Basis) -> bool {
    !is_of_software(basis)
}

/// The newest signature that covers its whole revision, if it is intact.
pub(crate) fn newest_covering(signatures: &[Signature]) -> Option<&Signature> {
    let covering =
        |signature: &&Signature| signature.status == SignatureStatus::Intact && signature.covers != Covers::Part;
    signatures.iter().filter(covering).max_by_key(|signature| signature.revision)
}
