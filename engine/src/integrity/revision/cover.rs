//! Whether something that came to a signed page hides what was signed: "evil annotations" and "sneaky signatures", as
//! Rohlmann, Mladenov, Mainka and Schwenk published them in 2021. Its rectangle meets text of the page, and it is opaque,
//! writes upon that text, or is of a kind that is made to be laid over a page.

use std::rc::Rc;

use super::examiner::{Examiner, Step};
use crate::content::{Contents, PageText, Rectangle, Run};
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;

/// Steps of work for one annotation, and for a page that some came to: a hundredth of a second's worth or so.
const LOOKED: u64 = 1 << 21;
/// The part of an appearance that must be filled for it to hide what is below, or of its own text that must lie on text.
const OPAQUE: f64 = 0.2;
/// Icons smaller than this do not hide much, in square points.
const ICON: f64 = 40.0 * 40.0;
/// Flags of what is not seen: invisible, hidden, no view (12.5.3, table 165).
const UNSEEN: i64 = 1 << 1 | 1 << 5;

/// Whether an annotation that came to a page of a signed file may hide text of that page.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    page: u32,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let [before, _] = &step.signed;
    if page == 0 || before.is_empty() {
        return Ok(false);
    }
    if examiner.covers_left == 0 {
        examiner.is_whole = false;
        return Ok(false);
    }
    examiner.covers_left -= 1;
    let rectangle = examiner.document.view(step.pair.new).resolve(annotation.get(b"Rect"))?;
    let flags = annotation.get(b"F").as_integer().unwrap_or(0);
    let Some(rectangle) = Rectangle::read(&rectangle).filter(|_| flags & UNSEEN == 0) else { return Ok(false) };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let is_icon = matches!(subtype, b"Text" | b"FileAttachment" | b"Sound" | b"Link" | b"Popup");
    if is_icon && size(rectangle) < ICON {
        return Ok(false);
    }
    let below = below(examiner, step, page)?;
    let rectangle = rectangle.moved(-below.corner.0, -below.corner.1);
    let texts = texts(&below);
    if !texts.iter().any(|text| meet(*text, rectangle)) {
        // text may stand there that could not be read
        examiner.is_whole &= !below.is_part;
        return Ok(false);
    }
    if matches!(subtype, b"Redact" | b"Stamp" | b"FreeText") {
        return Ok(true);
    }
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let over = contents.appearance(examiner.document, step.pair.new, annotation, below.corner)?;
    examiner.is_whole &= !over.is_part;
    let common = |one: Rectangle| texts.iter().map(|text| size(text.clipped(one))).fold(0.0, f64::max);
    let own = self::texts(&over);
    let on_text: f64 = own.iter().map(|text| common(*text)).sum();
    let whole: f64 = own.iter().map(|text| size(*text)).sum();
    let fills = over.areas.iter().filter(|area| area.is_solid && !area.is_off);
    let filled: f64 = fills.map(|area| size(Rectangle::from(area.bounds).clipped(rectangle))).sum();
    Ok(filled > OPAQUE * size(rectangle) || on_text > OPAQUE * whole)
}

/// What the page draws, which is read once for all annotations that came to it.
fn below(examiner: &mut Examiner, step: &Step, page: u32) -> Result<Rc<PageText>, Fault> {
    let state = step.pair.old;
    if let Some((known, drawn)) = &examiner.drawn
        && *known == (state, page)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, _] = &step.pages;
    let page_read = before.page(page).ok_or(Fault::Damaged)?;
    let drawn = Contents::with_steps(examiner.document, LOOKED).page(examiner.document, state, page_read)?;
    let drawn = Rc::new(drawn);
    examiner.drawn = Some(((state, page), Rc::clone(&drawn)));
    Ok(drawn)
}

/// Where a page's own content, or an appearance, shows text; lines to write on are none.
fn texts(page: &PageText) -> Vec<Rectangle> {
    let says = |run: &&Run| page.text(run).chars().any(|letter| !"_.-".contains(letter));
    let shown = page.runs.iter().filter(|run| run.annotation.is_none() && run.is_painted()).filter(says);
    shown.map(|run| Rectangle::from(run.bounds)).collect()
}

fn meet(one: Rectangle, other: Rectangle) -> bool {
    !one.clipped(other).is_empty()
}

/// In square points.
fn size(area: Rectangle) -> f64 {
    area.width() * area.height()
}
