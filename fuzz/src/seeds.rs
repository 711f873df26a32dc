//! What each fuzzer starts from.

mod documents;
mod requests;
mod signatures;

pub(crate) use documents::{bases, contents, dates, files, objects, packets, texts, updates};
pub(crate) use requests::{events, forms, rights};
pub(crate) use signatures::{signing, values};
