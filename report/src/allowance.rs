//! What a change is to the signatures before it.

use engine::{After, Revision, SignalId, SignatureStatus};

use crate::model::Report;

/// What a change is to the signatures before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// There are none.
    Plain,
    /// They permit it.
    Permitted,
    /// One of them does not.
    Forbidden,
}

/// What the changes of a save are to the signatures before it.
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
