//! What a change is to the signatures before it.

use super::{Report, RevisionView};

/// What a change is to the signatures before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowance {
    /// There are none.
    Plain,
    Permitted,
    Forbidden,
}

/// What the changes of a save are to the signatures before it.
pub(super) fn allowance(report: &Report, revision: &RevisionView) -> Allowance {
    let mut before = report.signatures.iter().filter(|it| it.revision < revision.number && it.status != "broken");
    if before.clone().next().is_none() {
        return Allowance::Plain;
    }
    let tells = |id: &str| {
        let signal = report.signals.iter().find(|signal| signal.id == id);
        signal.is_some_and(|signal| signal.evidence.iter().any(|it| it.revision == Some(revision.number)))
    };
    if tells("forbidden_change_after_signing") {
        return Allowance::Forbidden;
    }
    if tells("permitted_change_after_signing")
        || before.all(|signature| signature.after.as_deref() != Some("forbidden"))
    {
        return Allowance::Permitted;
    }
    Allowance::Forbidden
}
