//! PDFs made in code, for tests, benchmarks and fuzzers: small ones in every form, encrypted, large and hostile ones.

#![allow(clippy::unwrap_used, reason = "a sample that cannot be made is a mistake in it")]

pub mod builds;
pub mod histories;
pub mod hostile;
pub mod invoices;
pub mod kinds;
pub mod large;
pub mod pdf;
pub mod redactions;
pub mod scans;
pub mod section;
pub mod signed;
pub mod small;
pub mod texts;
