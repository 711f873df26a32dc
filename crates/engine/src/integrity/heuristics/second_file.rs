//! A complete second file behind the first one, as left by programs that write a draft and the result to one file.

use bytes::Bytes;

use pdf_content::{Area, ContentReader};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::input::source::Memory;

/// Maximum bytes and pages of files that are compared, and the budget of reading pages, in steps.
const MAX_FILE_BYTES: u64 = 4 << 20;
const MAX_PAGES: usize = 500;
const MAX_STEPS: u64 = 1 << 19;

/// Whether a complete file that begins here shows the same lines as this one, and neither of them has pictures.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn shows_the_same(document: &mut Document, start: u64) -> Result<bool, Fault> {
    let size = document.reader.file_size();
    if document.security.is_some() || size > MAX_FILE_BYTES {
        return Ok(false);
    }
    document.budget.work(size as usize / 8)?;
    let all = document.reader.view(0, size as usize)?;
    let second = all.get(start as usize..).unwrap_or_default().trim_ascii_start();
    if !second.starts_with(b"%PDF-") {
        return Ok(false);
    }
    let second = Memory(Bytes::copy_from_slice(second));
    let other = tried(opened(&second, document))?.flatten();
    let own = tried(lines(document))?.flatten();
    Ok(own.is_some() && own == other)
}

/// Returns the lines of a file that is opened within the limits of another one.
fn opened(file: &Memory, limits: &Document) -> Result<Option<Vec<String>>, Fault> {
    let mut document = Document::open(file, limits.budget.deadline)?;
    document.load(None)?;
    lines(&mut document)
}

/// Returns the sorted lines of all pages; none if there are none, or more than text.
fn lines(document: &mut Document) -> Result<Option<Vec<String>>, Fault> {
    let mut contents = ContentReader::with_steps(document, MAX_STEPS);
    let pages = contents.pages(document, State(0), MAX_PAGES)?.leaves;
    let mut lines = Vec::new();
    for leaf in &pages {
        let page = contents.page(document, State(0), leaf)?;
        if page.is_part || page.areas.iter().any(Area::is_sampled) {
            return Ok(None);
        }
        lines.extend(page.lines().iter().map(pdf_content::Line::text));
    }
    lines.sort_unstable();
    Ok((!lines.is_empty() && pages.len() < MAX_PAGES).then_some(lines))
}
