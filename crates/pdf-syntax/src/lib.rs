//! PDF files as objects: syntax, cross-references, streams, encryption, texts, and documents whose objects are read on
//! demand, in any revision, within a budget.
//!
//! [`document::Document::open`] reads both ends of a file, [`document::Document::load`] its cross-reference. A
//! [`document::view::View`] resolves objects in one revision. A file that cannot be read the usual way is
//! [repaired](document::Document::repair): scanned once, in constant memory.
//!
//! Section numbers refer to ISO 32000-1 unless another standard is named.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

pub mod budget;
pub mod document;
pub mod encryption;
pub mod failure;
pub mod input;
pub mod stream;
pub mod syntax;
pub mod text;
pub mod xref;
