//! An annotation that is compared with its page, and what the comparison finds.

use crate::integrity::clause::Clause;
use pdf_syntax::syntax::dictionary::Dictionary;

/// How the appearance came to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// A new annotation or field.
    New,
    /// The appearance of a field that was in the signed state.
    Existing,
    /// A value in such a field, which may touch its neighbors.
    Filled,
    /// The mark of such a button.
    Marked,
}

/// An annotation that is compared with its page.
pub(super) struct Compared<'a> {
    /// Its object number; none if it is direct.
    pub(super) number: Option<u32>,
    pub(super) annotation: &'a Dictionary,
    pub(super) arrival: Arrival,
}

/// The effect on signed content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Overlay {
    Clear,
    /// An inconclusive effect.
    Inconclusive(Clause),
    Hides,
}
