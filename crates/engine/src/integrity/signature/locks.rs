//! The fields that a signature locks.

/// The fields that a signature locks (12.8.2.4, table 256), by their full names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Locks {
    /// All of them.
    All,
    /// These and their descendants.
    Include(Vec<String>),
    /// All except these and their descendants.
    Exclude(Vec<String>),
    /// Those of both.
    Both(Box<(Locks, Locks)>),
}

impl Locks {
    /// Whether the field of this full name is locked, or one below it, which inherits its value.
    pub(crate) fn covers(&self, field: &str) -> bool {
        let is_below = |field: &str, name: &str| {
            field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        match self {
            Self::All => true,
            Self::Include(names) => names.iter().any(|name| is_below(field, name) || is_below(name, field)),
            Self::Exclude(names) => !names.iter().any(|name| is_below(field, name)),
            Self::Both(both) => both.0.covers(field) || both.1.covers(field),
        }
    }

    /// The fields that either of them locks.
    pub(super) fn joined(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) if one != other => Some(Self::Both(Box::new((one, other)))),
            (one, other) => one.or(other),
        }
    }
}
