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
}

impl Locks {
    /// Whether the field of this full name is locked.
    pub(crate) fn covers(&self, field: &str) -> bool {
        let is_listed = |names: &[String]| {
            names.iter().any(|name| {
                field.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        match self {
            Self::All => true,
            Self::Include(names) => is_listed(names),
            Self::Exclude(names) => !is_listed(names),
        }
    }
}
