//! The page that new annotations are compared with, as it is painted in a state.

use std::rc::Rc;

use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{ContentReader, PageText};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Painting steps for one annotation: about a hundredth of a second.
const MAX_PAINT_STEPS: u64 = 1 << 21;
/// Painting steps for its page, which is drawn once for all of them: enough for a scanned page, and for several fonts
/// of thousands of characters that are not embedded.
const MAX_PAGE_PAINT_STEPS: u64 = 1 << 24;
/// Maximum annotations of a page compared.
const MAX_ANNOTATIONS: usize = 500;

/// A reader of what may be hidden and of what may hide.
pub(super) fn contents(examiner: &Examiner) -> ContentReader {
    ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS).showing_possible()
}

/// The page before the revision, read once for all annotations added to it.
pub(super) fn below(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Rc<PageText>, Fault> {
    painted(examiner, step, (step.pair.old, owner))
}

/// A page in a state, with its annotations; the last one of each state is cached.
pub(super) fn painted(
    examiner: &mut Examiner,
    step: &Step,
    (state, owner): (State, u32),
) -> Result<Rc<PageText>, Fault> {
    let is_new = state != step.pair.old;
    let [old, new] = &examiner.drawn;
    if let Some((known, drawn)) = if is_new { new } else { old }
        && *known == (state, owner)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, after] = &step.pages;
    let page = if is_new { after } else { before }.page(owner).ok_or(Fault::Damaged)?;
    let contents = ContentReader::with_steps(examiner.document, MAX_PAGE_PAINT_STEPS).showing_possible();
    let drawn = Rc::new(contents.checking_blanks().page(examiner.document, state, page)?);
    let [old, new] = &mut examiner.drawn;
    *(if is_new { new } else { old }) = Some(((state, owner), Rc::clone(&drawn)));
    Ok(drawn)
}

/// The annotations of a page before the revision, with their object numbers; none if direct.
pub(super) fn signed_annotations(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
) -> Result<Vec<(Option<u32>, Dictionary)>, Fault> {
    let [pages, _] = &step.pages;
    let view = &mut examiner.document.view(step.pair.old);
    let Some(leaf) = pages.page(owner) else { return Ok(Vec::new()) };
    let page = leaf.dictionary(view)?.unwrap_or_default();
    let annotations = view.resolve(page.get(b"Annots"))?.into_owned();
    let read = |reference: &Object| {
        Ok((reference.as_reference().map(|id| id.number), view.dictionary(reference)?.into_owned()))
    };
    annotations.elements().iter().take(MAX_ANNOTATIONS).map(read).collect()
}

/// Whether the unit of a page's coordinates is larger than a point (table 31).
pub(super) fn has_large_unit(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [before, _] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.old);
    let Some(page) = before.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.number(dictionary.get(b"UserUnit"))?.is_some_and(|unit| unit > 1.0))
}

/// The angle by which a page is rotated clockwise.
pub(super) fn rotation(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<i64, Fault> {
    let [_, after] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.new);
    let Some(page) = after.page(owner) else { return Ok(0) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.integer(dictionary.get(b"Rotate"))?.unwrap_or(0))
}
