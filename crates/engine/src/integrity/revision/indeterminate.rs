//! Why the result of the comparison is inconclusive.

use std::fmt;

use super::deviation::Deviation;
use crate::integrity::clause::Clause;

/// A limit of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Limit {
    /// Revisions compared.
    Revisions,
    /// Bytes of later revisions.
    Bytes,
    /// Entries of one revision.
    Entries,
    /// Objects that one revision changed.
    Objects,
    /// Object headers, or decoded object streams.
    Copies,
    /// Bytes of the first object.
    FirstObject,
    /// Steps of work for the whole file.
    Steps,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Revisions => "number of revisions",
            Self::Bytes => "length of later revisions",
            Self::Entries => "number of entries in one revision",
            Self::Objects => "number of objects changed in one revision",
            Self::Copies => "number of copies of objects",
            Self::FirstObject => "length of the first object",
            Self::Steps => "number of steps",
        })
    }
}

/// A complete value, or one truncated by a limit, which is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bounded<T> {
    Known(T),
    Exhausted(Limit),
}

/// A reason for an inconclusive result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Indeterminate {
    /// An incremental update is not canonical.
    Deviates { revision: u32, deviation: Deviation },
    /// Bytes after the signed ones that are no incremental update.
    Behind { offset: u64, length: u64 },
    /// Another object with the same number, in bytes that a repairing viewer reads.
    Copy { number: u32, offset: u64 },
    /// A part of an incremental update that no known operation writes.
    NotUnderstood(Clause),
    /// A limit was reached.
    Limit(Limit),
}

impl fmt::Display for Indeterminate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deviates { revision, deviation } => write!(f, "revision {revision} does not conform: {deviation}"),
            Self::Behind { offset, length: 1 } => write!(f, "1 byte follows at offset {offset} that is no revision"),
            Self::Behind { offset, length } => {
                write!(f, "{length} bytes follow at offset {offset} that are no revision")
            }
            Self::Copy { number, offset } => {
                write!(f, "viewers that repair the file may find another object {number} at offset {offset}")
            }
            Self::NotUnderstood(what) => what.fmt(f),
            Self::Limit(limit) => write!(f, "a limit was reached: {limit}"),
        }
    }
}

impl Indeterminate {
    /// Whether it quotes a text of the file.
    pub(crate) fn has_quotation(&self) -> bool {
        matches!(self, Self::NotUnderstood(what) if what.has_quotation())
    }
}

/// That an object cannot be read.
pub(crate) fn unreadable(number: u32) -> Clause {
    Clause::of("object {} cannot be read", &[number.into()])
}

/// That viewers may parse an object differently.
pub(crate) fn read_differently(number: u32) -> Clause {
    Clause::of("viewers may read object {} differently", &[number.into()])
}
