//! What pages hide: text under what was painted over it, with another text upon that or without; text that is painted and
//! cannot be seen; redactions that were marked and never carried out.
//!
//! A page tells this of itself, also where a file was written anew and no earlier state of it is left. What is looked at is
//! told with the findings: pages of which nothing is said may hide something all the same.

mod again;
mod cover;
mod covered;
mod doubt;
mod finding;
mod leftover;
mod reading;
mod redaction;
mod replaced;
pub(crate) mod report;
mod shown;
mod sight;
mod unseen;
mod words;

pub(crate) use finding::{HiddenText, PageFindings};
pub(crate) use reading::look;
pub(crate) use shown::TextByVisibility;
pub(crate) use words::{PageWords, letters};
