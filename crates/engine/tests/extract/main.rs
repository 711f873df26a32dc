//! The extraction engine on PDFs made in code, on mutations of them, and on a folder of real ones.

mod budgets;
mod corpus;
mod dates;
mod encryption;
mod features;
mod info;
mod locked;
mod pages;
mod properties;
#[path = "../common/quickly.rs"]
mod quickly;
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
