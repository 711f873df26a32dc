//! Whether an annotation added to a signed page hides signed content: "evil annotations" and "sneaky signatures"
//! (Rohlmann, Mladenov, Mainka and Schwenk, 2021). Covered content is hidden; text that overlaps words or continues
//! their line may read as part of them, which is inconclusive.

mod beside;
mod compared;
mod covered_signature;
mod even_ground;
mod fixed_size;
mod markup;
mod new_ink;
mod over_pictures;
mod overlay;
mod painted_page;
mod revealed;
mod scene;
mod signed_fields;
mod turned;
mod viewer_drawn;

use super::examiner::{Examiner, Step};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use compared::{Arrival, Compared, Overlay};
pub(crate) use covered_signature::covered_signature;
use overlay::overlay;
use painted_page::painted;
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
pub(crate) use revealed::note_reveals;

/// Whether an annotation added to a page of a signed file, `owner`, hides content of that page.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, annotation): (Option<u32>, &Dictionary),
) -> Result<bool, Fault> {
    let compared = Compared { number, annotation, arrival: Arrival::New };
    let found = overlay(examiner, (step, step.pair.new), owner, &compared)?;
    Ok(examiner.settle(step, owner, &found))
}

/// The same for the appearance of a field that was empty when the file was signed: the signer knew its place.
pub(crate) fn signing_hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, widget): (u32, &Dictionary),
) -> Result<bool, Fault> {
    let compared = Compared { number: Some(number), annotation: widget, arrival: Arrival::Existing };
    let found = overlay(examiner, (step, step.pair.new), owner, &compared)?;
    if let Some(body) = examiner.document.view(step.pair.old).object(number)?
        && let Some(before) = body.dictionary()
    {
        revealed::reveal(examiner, step, (owner, number), [before, widget])?;
    }
    Ok(examiner.settle(step, owner, &found))
}

/// Whether an existing widget hides text now and did not before.
pub(crate) fn comes_to_hide_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    (number, [before, after]): (u32, [&Dictionary; 2]),
) -> Result<bool, Fault> {
    let [_, form] = &step.forms;
    let is_button = form.field(number).is_some_and(Field::is_button);
    let arrival = if is_button { Arrival::Marked } else { Arrival::Filled };
    let compared = |annotation| Compared { number: Some(number), annotation, arrival };
    revealed::reveal(examiner, step, (owner, number), [before, after])?;
    see_text(examiner, step, owner, number)?;
    let found = overlay(examiner, (step, step.pair.new), owner, &compared(after))?;
    if found == Overlay::Clear || found == overlay(examiner, (step, step.pair.old), owner, &compared(before))? {
        return Ok(false);
    }
    Ok(examiner.settle(step, owner, &found))
}

/// Records a filled value or mark of which the page does not show everything as inconclusive.
fn see_text(examiner: &mut Examiner, step: &Step, owner: u32, widget: u32) -> Result<(), Fault> {
    if !step.follows.is_after_signature() || is_text_shown(examiner, step, step.pair.new, (owner, widget))? {
        return Ok(());
    }
    let page = step.page_number(owner);
    let [_, form] = &step.forms;
    let name = form.field(widget).map_or("", |field| &field.name);
    let what = "page {} does not show everything of the form field {}";
    examiner.inconclusive(step, page, Clause::of(what, &[page.unwrap_or(0).into(), Quote(name)]));
    Ok(())
}

/// Whether a page shows all letters of a widget's appearance.
pub(crate) fn is_text_shown(
    examiner: &mut Examiner,
    step: &Step,
    state: State,
    (owner, widget): (u32, u32),
) -> Result<bool, Fault> {
    let [before, after] = &step.pages;
    let pages = if state == step.pair.old { before } else { after };
    if pages.page(owner).is_none() {
        return Ok(true);
    }
    // the rows of a list may be cut off at its box, and are compared as rows
    let [_, form] = &step.forms;
    if form.field(widget).is_some_and(Field::is_list) {
        return Ok(true);
    }
    let page = painted(examiner, step, (state, owner))?;
    Ok(page.shows_text_of(widget, &mut examiner.paint_checks_left))
}

impl Examiner<'_, '_> {
    /// Records an inconclusive effect; returns whether something is hidden.
    fn settle(&mut self, step: &Step, owner: u32, found: &Overlay) -> bool {
        if let Overlay::Inconclusive(what) = found {
            self.inconclusive(step, step.page_number(owner), what.clone());
        }
        *found == Overlay::Hides
    }
}
