//! What pages hide: text under what was painted over it, with another text upon that or without; text that is painted and
//! cannot be seen; redactions that were marked and never carried out.
//!
//! A page tells this of itself, also where a file was written anew and no earlier state of it is left. What is looked at is
//! told with the findings: pages of which nothing is said may hide something all the same.

mod covered_text;
mod finding;
mod indeterminate;
mod inspection;
mod invisible_text;
mod leftover;
mod overprinted;
mod page_visibility;
mod partly_covered;
mod redaction;
mod redrawn;
pub(crate) mod report;
mod text_by_visibility;
mod words;

pub(crate) use finding::{HiddenText, PageFindings};
pub(crate) use inspection::look;
pub(crate) use text_by_visibility::TextByVisibility;
pub(crate) use words::{PageWords, letters};
