//! What became of an entry of a dictionary: what is reported and what is recognized both follow from it.

use crate::integrity::clause::Clause;
use crate::integrity::event::EventKind;

/// What became of an entry.
#[derive(Debug, Clone)]
pub(super) enum EntryChange {
    /// Every viewer reads what it read before.
    Same,
    /// A recognized operation writes it. Reported so, or with the operation.
    Operation(Option<EventKind>),
    /// No operation writes it. Reported so, if anyone sees or uses a difference; with what is not understood.
    Unknown(Option<EventKind>, Option<Clause>),
}

impl EntryChange {
    /// The kind of its event.
    pub(super) fn kind(&self) -> Option<EventKind> {
        match self {
            Self::Same => None,
            Self::Operation(kind) | Self::Unknown(kind, _) => *kind,
        }
    }

    pub(super) fn operation_if(is_operation: bool, kind: Option<EventKind>) -> Self {
        if is_operation { Self::Operation(kind) } else { Self::Unknown(kind, None) }
    }
}
