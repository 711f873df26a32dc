//! Whether the earlier signatures permit a change.

use engine::{After, Revision, SignalId, SignatureStatus};

use crate::model::Report;

/// Whether the earlier signatures permit a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// There are no signatures.
    Plain,
    /// All permit it.
    Permitted,
    /// One of them does not.
    Forbidden,
}

/// Whether the earlier signatures permit the changes of a revision.
#[must_use]
pub fn allowance(report: &Report, revision: &Revision) -> Allowance {
    let is_before = |it: &&engine::Signature| it.revision < revision.number && it.status != SignatureStatus::Broken;
    let mut before = report.signatures.iter().filter(is_before);
    if before.clone().next().is_none() {
        return Allowance::Plain;
    }
    let shows = |id: SignalId| {
        let signal = report.signals.iter().find(|signal| signal.id == Some(id));
        signal.is_some_and(|signal| signal.evidence.iter().any(|it| it.revision == Some(revision.number)))
    };
    if shows(SignalId::ForbiddenChangeAfterSigning) {
        return Allowance::Forbidden;
    }
    if shows(SignalId::PermittedChangeAfterSigning) || before.all(|signature| signature.after != Some(After::Forbidden))
    {
        return Allowance::Permitted;
    }
    Allowance::Forbidden
}
