//! Was this PDF changed after it was made, and what shows it.

pub(crate) mod report;
pub(crate) mod signature;
