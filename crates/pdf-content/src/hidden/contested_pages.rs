//! Pages that only some viewers find in the page tree (7.7.3): the others show the next page under their number. If that
//! is another version of it, viewers show different texts.

use super::finding::HiddenText;
use super::shown_text::ShownText;
use super::viewers;
use crate::{ContentReader, PageText};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::Fault;

/// Maximum contested pages, and pages that each is compared with.
const MAX_CONTESTED: usize = 4;
const MAX_OTHERS: usize = 20;

/// A page and its number.
pub(super) type NumberedPage = (u32, PageLeaf);

/// Returns the words of contested pages that another version of the page has otherwise; none if that takes more than
/// `checks`, or if a page cannot be read completely.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(super) fn find(
    document: &mut Document,
    contents: &mut ContentReader,
    (contested, others): (&[NumberedPage], &[NumberedPage]),
    checks: &mut usize,
) -> Result<Option<Vec<HiddenText>>, Fault> {
    if contested.len() > MAX_CONTESTED || others.len() > MAX_OTHERS {
        return Ok(None);
    }
    let room = contents.replace_room(None);
    let mut read = |leaf: &PageLeaf| -> Result<Option<PageText>, Fault> {
        let page = contents.page(document, State(0), leaf)?;
        contents.replace_room(Some(room));
        Ok((!page.is_part).then_some(page))
    };
    let mut shown = Vec::new();
    for (_, leaf) in others {
        let Some(page) = read(leaf)? else { return Ok(None) };
        shown.push(page);
    }
    let mut found = Vec::new();
    for (number, leaf) in contested {
        let Some(page) = read(leaf)? else { return Ok(None) };
        for other in shown.iter().filter(|other| is_version(&page, other)) {
            let Some(differences) = viewers::differences(&page, other, *number, checks) else { return Ok(None) };
            found.extend(differences);
        }
    }
    Ok(Some(found))
}

/// Whether a page shows another one with other values.
fn is_version(page: &PageText, other: &PageText) -> bool {
    let mut shown = ShownText::default();
    shown.add(other);
    let lines = page.lines();
    !shown.revised(&lines).is_empty() || shown.refilled(&lines).is_some()
}
