//! Whether something that came to a signed page hides what was signed: "evil annotations" and "sneaky signatures", as
//! Rohlmann, Mladenov, Mainka and Schwenk published them in 2021. Its rectangle meets text of the page, and it is opaque,
//! writes upon that text, or is of a kind that is made to be laid over a page.

use std::rc::Rc;

use super::examiner::{Examiner, Step};
use crate::content::{Area, AreaKind, Contents, PageText, Rectangle, Run};
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Steps of work for one annotation, and for a page that some came to: a hundredth of a second's worth or so.
const LOOKED: u64 = 1 << 21;
/// The part of an appearance that must be filled for it to hide what is below, or of its own text that must lie on text.
const OPAQUE: f64 = 0.2;
/// Flags of where an annotation is seen: nowhere, in print, not on a screen (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;

/// Whether an annotation that came to a page of a signed file may hide text of that page.
pub(crate) fn hides_text(
    examiner: &mut Examiner,
    step: &Step,
    page: u32,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let [before, _] = &step.signed;
    if before.is_empty() {
        return Ok(false);
    }
    if page == 0 {
        // it lies on several pages at once
        return Ok(true);
    }
    if examiner.covers_left == 0 {
        examiner.is_whole = false;
        return Ok(false);
    }
    examiner.covers_left -= 1;
    let flags = examiner.document.view(step.pair.new).integer(annotation.get(b"F"))?.unwrap_or(0);
    let is_unseen = flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW;
    let extent = extent(examiner, step, annotation)?;
    let Some(extent) = extent.filter(|_| !is_unseen) else { return Ok(false) };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let below = below(examiner, step, page)?;
    let extent = extent.moved(-below.corner.0, -below.corner.1);
    let texts = texts(&below);
    let is_on_image = below.areas.iter().any(|area| {
        area.annotation.is_none() && area.kind == AreaKind::Image && meet(Rectangle::from(area.bounds), extent)
    });
    if !texts.iter().any(|text| meet(*text, extent)) && !is_on_image {
        // text may stand there that could not be read
        examiner.is_whole &= !below.is_part;
        return Ok(false);
    }
    let has_look = !examiner.document.view(step.pair.new).dictionary(annotation.get(b"AP"))?.is_empty();
    if !has_look {
        return Ok(match subtype {
            // thin lines, and what shows nothing until it is opened
            b"Link" | b"Popup" | b"Underline" | b"Squiggly" | b"StrikeOut" | b"Highlight" | b"Line" | b"PolyLine"
            | b"Ink" => false,
            b"Square" | b"Circle" | b"Polygon" => !annotation.get(b"IC").elements().is_empty(),
            _ => true,
        });
    }
    if matches!(subtype, b"Redact" | b"Stamp" | b"FreeText" | b"Text" | b"FileAttachment" | b"Sound" | b"Caret") {
        return Ok(true);
    }
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let over = contents.appearance(examiner.document, step.pair.new, annotation, below.corner)?;
    examiner.is_whole &= !over.is_part;
    let own = self::texts(&over);
    let fills = || over.areas.iter().filter(|area| !area.is_off);
    let is_upon_image = is_on_image && (!own.is_empty() || fills().next().is_some());
    // what a picture shows there is not known
    examiner.is_whole &= !is_upon_image;
    let common = |one: Rectangle| texts.iter().map(|text| size(text.clipped(one))).fold(0.0, f64::max);
    let on_text: f64 = own.iter().map(|text| common(*text)).sum();
    let whole: f64 = own.iter().map(|text| size(*text)).sum();
    let covers = |area: &Area| {
        let area = Rectangle::from(area.bounds);
        texts.iter().any(|text| size(text.clipped(area)) > OPAQUE * size(*text).min(size(area)))
    };
    let hides = fills().any(|area| (area.is_solid || area.kind == AreaKind::Image) && covers(area));
    Ok(hides || on_text > OPAQUE * whole)
}

/// What an annotation may take, in points of the page: its rectangle and whatever else says where it is.
fn extent(examiner: &mut Examiner, step: &Step, annotation: &Dictionary) -> Result<Option<Rectangle>, Fault> {
    let view = &mut examiner.document.view(step.pair.new);
    let mut points = Vec::new();
    if let Some(rectangle) = Rectangle::read(&*view.resolve(annotation.get(b"Rect"))?) {
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
