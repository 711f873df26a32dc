//! Whether something that came to a signed page hides what was signed: "evil annotations" and "sneaky signatures", as
//! Rohlmann, Mladenov, Mainka and Schwenk published them in 2021. Its rectangle meets text of the page, and it is opaque,
//! writes upon that text, or is of a kind that is made to be laid over a page.

use std::rc::Rc;

use super::examiner::{Examiner, Step};
use crate::content::{Contents, Overlaid, PageText, Painted, Rectangle, Run, overlaid};
use crate::document::objects::State;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Steps of work for one annotation, and for a page that some came to: a hundredth of a second's worth or so.
const LOOKED: u64 = 1 << 21;
/// Flags of where an annotation is seen: nowhere, in print, not on a screen (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_ROTATE: i64 = 1 << 4;
const NO_VIEW: i64 = 1 << 5;

/// Whether an annotation that came to a page of a signed file, its owner, may hide text of that page.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    hides_text_in(examiner, (step, step.pair.new), owner, (annotation, false))
}

/// Whether a widget that was there hides text now, and did not before. What is filled in may touch what stands above and
/// below it.
pub(crate) fn comes_to_hide_text(
    examiner: &mut Examiner,
    step: &Step,
    owner: u32,
    [before, after]: [&Dictionary; 2],
) -> Result<bool, Fault> {
    Ok(hides_text_in(examiner, (step, step.pair.new), owner, (after, true))?
        && !hides_text_in(examiner, (step, step.pair.old), owner, (before, true))?)
}

/// Whether an annotation as it is in a state, which may be a field that is filled in, hides text that the page showed before
/// the revision.
fn hides_text_in(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    owner: u32,
    (annotation, is_filled): (&Dictionary, bool),
) -> Result<bool, Fault> {
    let [before, _] = &step.signed;
    if before.is_empty() {
        return Ok(false);
    }
    if owner == 0 {
        // it lies on several pages at once
        return Ok(true);
    }
    if examiner.covers_left == 0 {
        examiner.is_whole = false;
        return Ok(false);
    }
    examiner.covers_left -= 1;
    let flags = examiner.document.view(state).integer(annotation.get(b"F"))?.unwrap_or(0);
    let is_unseen = flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW;
    let extent = extent(examiner, state, annotation)?;
    let Some(extent) = extent.filter(|_| !is_unseen) else { return Ok(false) };
    if flags & NO_ROTATE != 0 && is_turned(examiner, step, owner)? {
        // readers turn it about another corner
        examiner.is_whole = false;
    }
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let below = below(examiner, step, owner)?;
    let extent = extent.moved(-below.corner.0, -below.corner.1);
    let texts = texts(&below);
    let looks = examiner.document.view(state).dictionary(annotation.get(b"AP"))?.into_owned();
    if !looks.has(b"N") {
        examiner.is_whole &= !below.is_part;
        return Ok(texts.iter().any(|text| !text.clipped(extent).is_empty()) && is_drawn(subtype, annotation));
    }
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let over = contents.appearance(examiner.document, state, annotation, below.corner)?;
    let found = overlaid(&below, &over, |_| true, &mut examiner.checks_left);
    // what cannot be read may show anything
    examiner.is_whole &= !below.is_part && !over.is_part && found.is_some();
    let is_mark = matches!(subtype, b"Highlight" | b"Underline" | b"Squiggly" | b"StrikeOut");
    let covers = |found: &Overlaid| match found.what {
        Painted::Words(_) if is_filled => found.is_hidden || is_written_along(&over, found.bounds),
        Painted::Words(_) => found.is_hidden || !is_mark,
        Painted::Path => found.is_hidden,
        Painted::Picture => false,
    };
    let found = found.unwrap_or_default();
    // what a picture shows there is not known
    examiner.is_whole &= !found.iter().any(|found| found.what == Painted::Picture);
    Ok(found.iter().any(covers))
}

/// Whether any text of a drawing runs along words with these bounds, not above or below them.
fn is_written_along(over: &PageText, words: Rectangle) -> bool {
    over.runs.iter().filter(|run| run.is_painted()).any(|run| {
        let both = run.bounds.clipped(words);
        !both.is_empty() && 2.0 * both.height() >= run.bounds.height().min(words.height())
    })
}

/// Whether a page is shown turned.
fn is_turned(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<bool, Fault> {
    let [_, after] = step.pages.clone();
    let view = &mut examiner.document.view(step.pair.new);
    let Some(page) = after.page(owner) else { return Ok(false) };
    let dictionary = page.dictionary(view)?.unwrap_or_default();
    Ok(view.integer(dictionary.get(b"Rotate"))?.is_some_and(|angle| angle % 360 != 0))
}

/// Whether readers draw something for an annotation without a look that hides what lies beneath: thin lines do not, nor does
/// what shows only when it is opened.
fn is_drawn(subtype: &[u8], annotation: &Dictionary) -> bool {
    match subtype {
        b"Link" | b"Popup" | b"Underline" | b"Squiggly" | b"StrikeOut" | b"Highlight" | b"Line" | b"PolyLine"
        | b"Ink" => false,
        b"Square" | b"Circle" | b"Polygon" => !annotation.get(b"IC").elements().is_empty(),
        _ => true,
    }
}

/// What an annotation may take, in points of the page: its rectangle and whatever else says where it is.
fn extent(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<Option<Rectangle>, Fault> {
    let view = &mut examiner.document.view(state);
    let mut points = Vec::new();
    if let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) {
        points.extend([(rectangle.left, rectangle.bottom), (rectangle.right, rectangle.top)]);
    }
    for key in [b"QuadPoints".as_slice(), b"L", b"CL", b"Vertices", b"InkList"] {
        let value = view.resolve(annotation.get(key))?;
        let mut numbers = Vec::new();
        for element in value.elements() {
            let element = view.resolve(element)?;
            numbers.extend(element.as_number());
            numbers.extend(element.elements().iter().filter_map(Object::as_number));
        }
        points.extend(numbers.chunks_exact(2).filter_map(|point| Some((*point.first()?, *point.last()?))));
    }
    Ok((!points.is_empty()).then(|| Rectangle::around(points)))
}

/// What the page draws, which is read once for all annotations that came to it.
fn below(examiner: &mut Examiner, step: &Step, owner: u32) -> Result<Rc<PageText>, Fault> {
    let state = step.pair.old;
    if let Some((known, drawn)) = &examiner.drawn
        && *known == (state, owner)
    {
        return Ok(Rc::clone(drawn));
    }
    let [before, _] = &step.pages;
    let page_read = before.page(owner).ok_or(Fault::Damaged)?;
    let drawn = Contents::with_steps(examiner.document, LOOKED).page(examiner.document, state, page_read)?;
    let drawn = Rc::new(drawn);
    examiner.drawn = Some(((state, owner), Rc::clone(&drawn)));
    Ok(drawn)
}

/// Where a page's own content, or an appearance, shows text; lines to write on are none.
fn texts(page: &PageText) -> Vec<Rectangle> {
    let says = |run: &&Run| page.text(run).chars().any(|letter| !"_.-".contains(letter));
    let shown = page.runs.iter().filter(|run| run.annotation.is_none() && run.is_painted()).filter(says);
    shown.map(|run| run.bounds).collect()
}
