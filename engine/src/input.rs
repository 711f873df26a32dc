//! Where a file's bytes come from, and how they are read: in blocks, in few rounds, each counted.

pub(crate) mod reader;
pub(crate) mod source;
