//! What each fuzzer starts from.

mod documents;
mod requests;

pub(crate) use documents::{dates, files, objects, packets, texts};
pub(crate) use requests::{events, forms, rights};
