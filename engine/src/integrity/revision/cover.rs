//! Whether something that came to a signed page hides what was signed: "evil annotations" and "sneaky signatures", as
//! Rohlmann, Mladenov, Mainka and Schwenk published them in 2021. Its rectangle meets text of the page, and it is opaque,
//! writes upon that text, or is of a kind that is made to be laid over a page.

use super::drawing::{Area, Matrix, drawn};
use super::examiner::{Examiner, Step};
use crate::document::states::{Body, State};
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;
use crate::xref::entries::Entry;

/// Bytes looked at of what a page or an appearance draws.
const LOOKED: usize = 64 << 10;
/// The part of an appearance that must be filled for it to hide what is below, or of its own text that must lie on text.
const OPAQUE: f64 = 0.2;
/// Icons smaller than this do not hide much, in square points.
const ICON: f64 = 40.0 * 40.0;
/// Filled areas that are looked at.
const FILLS: usize = 200;
/// How deep forms in forms are looked into.
const DEPTH: usize = 3;
/// Streams of a page, and forms and images of an appearance, that are looked into.
const OBJECTS: usize = 16;
/// Flags of what is not seen: invisible, hidden, no view (12.5.3, table 165).
const UNSEEN: i64 = 1 << 1 | 1 << 5;

/// What an appearance lays over a page.
#[derive(Debug, Default)]
struct Over {
    /// Filled with what cannot be seen through, in square points.
    filled: f64,
    texts: Vec<Area>,
    /// How many streams were looked into.
    looked: usize,
}

/// Whether an annotation that came to a page of a signed file may hide text of that page.
pub(crate) fn hides_text(examiner: &mut Examiner, step: &Step, page: u32, annotation: &Whole) -> Result<bool, Fault> {
    let [before, _] = &step.signed;
    if page == 0 || before.is_empty() {
        return Ok(false);
    }
    if examiner.covers_left == 0 {
        examiner.is_whole = false;
        return Ok(false);
    }
    examiner.covers_left -= 1;
    let rectangle = examiner.document.resolve_in(step.pair.new, annotation.get(b"Rect"))?;
    let flags = annotation.get(b"F").as_integer().unwrap_or(0);
    let Some(rectangle) = Area::read(&rectangle).filter(|_| flags & UNSEEN == 0) else { return Ok(false) };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let is_icon = matches!(subtype, b"Text" | b"FileAttachment" | b"Sound" | b"Link" | b"Popup");
    if is_icon && rectangle.size() < ICON {
        return Ok(false);
    }
    let texts = texts(examiner, step.pair.old, page)?;
    if !texts.iter().any(|text| text.common(rectangle).is_some()) {
        return Ok(false);
    }
    if matches!(subtype, b"Redact" | b"Stamp" | b"FreeText") {
        return Ok(true);
    }
    let over = laid_over(examiner, step.pair.new, annotation, rectangle)?;
    let common = |one: &Area| texts.iter().filter_map(|text| text.common(*one)).map(Area::size).fold(0.0, f64::max);
    let own: f64 = over.texts.iter().map(|text| text.size()).sum();
    let on_text: f64 = over.texts.iter().map(common).sum();
    Ok(over.filled > OPAQUE * rectangle.size() || on_text > OPAQUE * own)
}

/// Where the page draws text.
fn texts(examiner: &mut Examiner, state: State, page: u32) -> Result<Vec<Area>, Fault> {
    let Some(page) = examiner.document.body_in(state, page)? else { return Ok(Vec::new()) };
    let Some(page) = page.dictionary() else { return Ok(Vec::new()) };
    let contents = match examiner.document.resolve_in(state, page.get(b"Contents"))? {
        Object::Array(streams) => streams,
        _ => vec![page.get(b"Contents").clone()],
    };
    let mut content = Vec::new();
    for stream in contents.iter().take(OBJECTS) {
        if let Some(body) = referred(examiner, state, stream)? {
            content.extend(content_of(examiner, state, &body)?);
            content.push(b'\n');
        }
        if content.len() > LOOKED {
            break;
        }
    }
    Ok(drawn(&content, Matrix::SAME).texts)
}

/// What the appearance (12.5.5) of an annotation lays over its rectangle.
fn laid_over(examiner: &mut Examiner, state: State, annotation: &Whole, rectangle: Area) -> Result<Over, Fault> {
    let mut over = Over::default();
    let appearances = examiner.document.resolve_in(state, annotation.get(b"AP"))?;
    let Some(normal) = appearances.as_whole().map(|appearances| appearances.get(b"N").clone()) else {
        return Ok(over);
    };
    let Some(mut appearance) = referred(examiner, state, &normal)? else { return Ok(over) };
    if appearance.stream.is_none() {
        // one for each state
        let name = annotation.get(b"AS").as_name().unwrap_or_default();
        let of_state = appearance.dictionary().map_or(Object::Null, |states| states.get(name).clone());
        appearance = match referred(examiner, state, &of_state)? {
            Some(appearance) => appearance,
            None => return Ok(over),
        };
    }
    let Some(form) = appearance.dictionary() else { return Ok(over) };
    let Some(from) = Area::read(&examiner.document.resolve_in(state, form.get(b"BBox"))?) else { return Ok(over) };
    lay(examiner, state, &appearance, Matrix::between(from, rectangle), rectangle, DEPTH, &mut over)?;
    Ok(over)
}

/// Adds what a form lays over an area.
fn lay(
    examiner: &mut Examiner,
    state: State,
    form: &Body,
    matrix: Matrix,
    area: Area,
    depth: usize,
    over: &mut Over,
) -> Result<(), Fault> {
    let Some((dictionary, depth)) = form.dictionary().zip(depth.checked_sub(1)) else { return Ok(()) };
    if form.stream.is_none() || over.looked >= OBJECTS {
        return Ok(());
    }
    over.looked += 1;
    if dictionary.get(b"Subtype").is_name(b"Image") {
        let is_opaque = !dictionary.has(b"SMask") && !dictionary.has(b"Mask") && !dictionary.has(b"ImageMask");
        let unit = matrix.area(Area { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 });
        over.filled += unit.common(area).filter(|_| is_opaque).map_or(0.0, Area::size);
        return Ok(());
    }
    let content = content_of(examiner, state, form)?;
    let drawn = drawn(&content, matrix);
    over.texts.extend(drawn.texts);
    let resources = examiner.document.resolve_in(state, dictionary.get(b"Resources"))?;
    for (fill, name) in drawn.fills.into_iter().take(FILLS) {
        let Some(common) = fill.common(area) else { continue };
        let is_opaque = match name {
            Some(name) => {
                let parameters = named(examiner, state, &resources, b"ExtGState", name.as_bytes())?;
                is_plain(examiner, state, &parameters)?
            }
            None => true,
        };
        over.filled += if is_opaque { common.size() } else { 0.0 };
    }
    for (name, matrix) in drawn.objects.into_iter().take(OBJECTS) {
        let object = named(examiner, state, &resources, b"XObject", name.as_bytes())?;
        let Some(object) = referred(examiner, state, &object)? else { continue };
        let own = object.dictionary().map_or(Matrix::SAME, |form| Matrix::read(form.get(b"Matrix")));
        lay(examiner, state, &object, own.then(matrix), area, depth, over)?;
    }
    Ok(())
}

/// Whether a graphics state paints as without one: nothing shines through (11.6.4.4, 11.3.5).
fn is_plain(examiner: &mut Examiner, state: State, parameters: &Object) -> Result<bool, Fault> {
    let parameters = examiner.document.resolve_in(state, parameters)?;
    let Some(parameters) = parameters.as_whole() else { return Ok(true) };
    let blend = parameters.get(b"BM");
    Ok(parameters.get(b"ca").as_number().is_none_or(|alpha| alpha > 0.9)
        && (blend.is_null() || blend.is_name(b"Normal") || blend.is_name(b"Compatible")))
}

/// A resource by its kind and name (7.8.3).
fn named(examiner: &mut Examiner, state: State, resources: &Object, kind: &[u8], name: &[u8]) -> Result<Object, Fault> {
    let Some(kinds) = resources.as_whole() else { return Ok(Object::Null) };
    let named = examiner.document.resolve_in(state, kinds.get(kind))?;
    Ok(named.as_whole().map_or(Object::Null, |named| named.get(name).clone()))
}

fn referred(examiner: &mut Examiner, state: State, object: &Object) -> Result<Option<Body>, Fault> {
    match object.as_reference() {
        Some(id) => examiner.document.body_in(state, id.number),
        None => Ok(None),
    }
}

/// The decoded body of a stream, as far as it is looked at.
fn content_of(examiner: &mut Examiner, state: State, body: &Body) -> Result<Vec<u8>, Fault> {
    let Entry::At(offset) = body.entry else { return Ok(Vec::new()) };
    let stream = examiner.document.stream_at(state, body.id.number, offset, LOOKED)?;
    let mut content = stream.map(|(_, content)| content).unwrap_or_default();
    content.truncate(LOOKED);
    examiner.document.budget.work(content.len())?;
    Ok(content)
}
