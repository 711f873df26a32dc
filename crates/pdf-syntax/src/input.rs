//! Where a file's bytes come from, and how they are read: in blocks, in few rounds, each counted.

pub mod reader;
pub mod source;
