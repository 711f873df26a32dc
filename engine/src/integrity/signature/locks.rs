//! The fields that may not be changed once a signature is there.

/// Which fields a signature locks (12.8.2.4, table 256), by their full names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Locks {
    /// All of them.
    All,
    /// These, and those below them.
    Include(Vec<String>),
    /// All but these, and those below them.
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
