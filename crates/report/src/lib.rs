//! The results of an analysis for people, guests and agents: the stored report on the engine's own types, its words and
//! sentences, which of its texts are withheld from readers other than the owner, and which texts of an answer come from
//! a file.
//!
//! Each statement about a signal, a verdict or a change is an exhaustive match on the engine's type, so that a new
//! variant does not compile without one.

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
