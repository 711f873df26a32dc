//! What the benchmarks share: measures of processor time and memory.

pub mod measure;
