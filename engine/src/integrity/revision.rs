//! The states that a file was saved in, one upon the other (ISO 32000-1, 7.5.6): what each added, changed and removed.

mod annotation;
mod catalog;
mod compare;
mod content;
mod cover;
mod delta;
mod document_info;
mod drawing;
mod field;
mod history;
mod page;
mod page_tree;
mod role;
mod show;
mod signed;
mod span;
mod walk;

pub(crate) use history::{History, examine};
