//! The kinds of entries that a list holds, and the parameter that asks for one.

use utoipa::ToSchema;

use super::parameter::{NO_KIND, read};
use crate::error::{Error, FieldErrors};

/// The kinds of entries that a list holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum EntryKind {
    /// Analyses of one file: what the specification knows.
    #[default]
    Analysis,
    /// Comparisons of two files.
    Comparison,
    /// Both.
    All,
}

impl EntryKind {
    const ALL: [Self; 3] = [Self::Analysis, Self::Comparison, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::Analysis => "analysis",
            Self::Comparison => "comparison",
            Self::All => "all",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }

    /// The kind in a raw query string; analyses by default.
    ///
    /// # Errors
    /// [`Error::Invalid`] for any other word, and for two.
    pub fn of(query: &str) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let kind = read(query, ("kind", NO_KIND), Self::parse, &mut errors);
        errors.or(kind.unwrap_or_default())
    }

    /// Whether it includes comparisons or analyses.
    #[must_use]
    pub fn takes(self, is_comparison: bool) -> bool {
        match self {
            Self::Analysis => !is_comparison,
            Self::Comparison => is_comparison,
            Self::All => true,
        }
    }
}

/// A kind, and the default kind of the address, which needs no parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KindParameter {
    pub(super) kind: EntryKind,
    pub(super) usual: EntryKind,
}

impl KindParameter {
    /// As part of a query.
    pub(super) fn pair(self) -> Option<(&'static str, &'static str)> {
        (self.kind != self.usual).then(|| ("kind", self.kind.name()))
    }
}
