//! The extraction engine on PDFs made in code, on mutations of them, and on a folder of real ones.

#[path = "../common/bounded.rs"]
mod bounded;
mod budgets;
mod dates;
mod encryption;
mod features;
mod info;
mod locked;
mod pages;
mod properties;
#[path = "../common/remote.rs"]
mod remote;
mod repair;
mod reports;
mod sources;
mod structure;
mod support;
mod texts;
mod ways;
mod xmp;
