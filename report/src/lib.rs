//! What an analysis found, for people, for guests and for agents: the stored report on the engine's own types, its words and
//! sentences, what of it is withheld from others than its owner, and what of an answer is a file's text.
//!
//! Each statement about a signal, a verdict or a change is an exhaustive match on the engine's type: one that nobody thought
//! of does not compile.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

pub mod allowance;
pub mod comparison;
pub mod csv;
pub mod dates;
pub mod difference;
pub mod findings;
pub mod model;
pub mod place;
pub mod sentences;
mod text;
pub mod untrusted;
pub mod withheld;
pub mod words;

pub use model::{FoundSignal, Known, Report, shown_verdict};
