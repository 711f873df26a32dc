//! A report as markup: was the file changed after it was made, and what shows it. First what answers the question, then, as an
//! annex, what it rests on.

mod annex;
mod evidence;
pub(crate) mod mark;
mod outcome;
mod paper;
mod signatures;
mod table;
mod timeline;

pub(crate) use annex::{life, technical};
pub(crate) use outcome::outcome;
pub(crate) use paper::unknown_page as page;
pub(crate) use signatures::signatures;
pub(crate) use table::{before_and_now, compared};
