//! What the benchmarks share: large PDFs made in code, and measures of processor time and memory.

pub mod measure;
