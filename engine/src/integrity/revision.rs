//! The states that a file was saved in, one upon the other (ISO 32000-1, 7.5.6): what each added, changed and removed.
//! Every object that a save touched has to be explained, at every place that leads to it; what is left over is a change.

mod comparison;
mod conformance;
mod copies;
mod cover;
mod delta;
mod deviation;
mod end;
mod equal;
mod examiner;
mod explanation;
mod format;
mod history;
mod indeterminate;
mod layout;
mod list;
mod recognizer;
mod roles;
mod rules;
mod shape;
mod show;
mod span;
mod structure;
mod touched;
mod vocabulary;
mod words;

pub(crate) use history::{History, examine};
pub(crate) use layout::is_repeated;

pub(crate) use span::is_covered;
pub(crate) use words::{describe, seen_lines};
