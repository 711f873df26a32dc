//! A parameter of the query, and what is said about a wrong one.

use std::sync::LazyLock;

use engine::Verdict;

use crate::error::{Error, FieldErrors};
use crate::page::single;

pub(super) const NO_KIND: &str = "must be one of analysis, comparison, all";
pub(super) const NO_SEARCH: &str = "must be one text of at most 64 characters";
pub(super) const NO_REFERENCE: &str = "must be one reference of at most 64 characters, as it was given";
pub(super) const NO_OUTCOME: &str = "must be needs_review, inconclusive or no_findings, once";
pub(super) const NO_HASH: &str = "must be the SHA-256 of a file, once: 64 hexadecimal digits, as sha256sum prints them";
pub(super) const NOT_YOURS: &str = "must be the id of one of your analyses, once, as the list shows it";
pub(super) static NO_VERDICT: LazyLock<String> = LazyLock::new(|| {
    format!("must be some of {}, with commas between them", Verdict::ALL.map(|verdict| verdict.to_string()).join(", "))
});

/// Reads a parameter that may be given once; errors are added to `errors`.
pub(super) fn read<T>(
    query: &str,
    (key, wrong): (&'static str, &'static str),
    parse: impl FnOnce(&str) -> Option<T>,
    errors: &mut FieldErrors,
) -> Option<T> {
    single(query, key, parse).unwrap_or_else(|()| {
        errors.add(key, wrong);
        None
    })
}

/// The error for an id that is not in the caller's list.
pub(crate) fn not_yours() -> Error {
    Error::Invalid(FieldErrors::one("before", NOT_YOURS))
}
