//! Sources of a file's bytes, read in blocks and in few rounds, which are counted.

pub mod reader;
pub mod source;
