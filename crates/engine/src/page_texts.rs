//! The content of single pages, without an analysis.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_content::{PageText, read_pages};
use pdf_syntax::document::Document;
use pdf_syntax::failure::{Failure, Fault};
use pdf_syntax::input::source::Source;

use crate::Options;

/// Returns the content of these pages, counted from 0, in the newest revision; fewer if the file has fewer or the
/// budget is exhausted.
///
/// # Errors
/// [`Failure::Rejected`] if something is wrong with the file, [`Failure::Source`] if it could not be read.
pub fn page_texts(source: &dyn Source, options: &Options, pages: Range<usize>) -> Result<Vec<PageText>, Failure> {
    // as in an analysis, a panic must not end the process
    let result = catch_unwind(AssertUnwindSafe(|| read(source, options, &pages)));
    result.unwrap_or(Err(Fault::Damaged)).map_err(Failure::from)
}

fn read(source: &dyn Source, options: &Options, pages: &Range<usize>) -> Result<Vec<PageText>, Fault> {
    let mut document = Document::open(source, options.time_limit())?;
    let intact = document.load(options.password).and_then(|()| read_pages(&mut document, pages));
    match intact {
        Err(Fault::Damaged) => {
            document.repair(options.password)?;
            read_pages(&mut document, pages)
        }
        intact => intact,
    }
}
