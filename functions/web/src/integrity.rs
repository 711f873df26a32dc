//! A report as markup: first the verdict, then the evidence, as an annex.

pub(crate) mod badge;
mod evidence;
mod outcome;
mod page_thumbnail;
mod report_details;
mod signatures;
mod table;
mod timeline;

pub(crate) use outcome::outcome;
pub(crate) use page_thumbnail::unknown_page as page;
pub(crate) use report_details::{revision_history, technical};
pub(crate) use signatures::signatures;
pub(crate) use table::{before_and_now, compared};
