//! The permitted form of a new signature or time-stamp field: its entries and their values (ISO 32000-1, 12.5.2,
//! 12.5.6.19 and 12.7.4.5).

use std::rc::Rc;

use super::equal::is_strict_body;
use super::examiner::{Examiner, Step};
use super::vocabulary::is_private;
use pdf_content::{ContentReader, Rectangle};
use pdf_syntax::document::objects::{Body, State};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Painting steps to determine whether an appearance draws anything.
const MAX_PAINT_STEPS: u64 = 1 << 18;
/// Flags of annotations (12.5.3, table 165).
const INVISIBLE: i64 = 1;
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const READ_ONLY: i64 = 1 << 6;
const LOCKED: i64 = 1 << 7;
const LOCKED_CONTENTS: i64 = 1 << 9;

/// The visibility of a signature field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldVisibility {
    /// Invisible in every viewer.
    None,
    /// Its appearance is drawn in its rectangle.
    Drawn,
}

/// The visibility of a new signature field, signed or unsigned; `None` if it has other entries than such a field.
pub(crate) fn signature_field(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
) -> Result<Option<FieldVisibility>, Fault> {
    let state = step.pair.new;
    let [_, form] = step.forms.clone();
    let kids: Vec<u32> = form.kids(number).collect();
    let (widget, parts) = match kids[..] {
        [] => (number, vec![number]),
        [kid] => (kid, vec![number, kid]),
        _ => return Ok(None),
    };
    let mut field = Dictionary::default();
    for part in parts {
        let Some(body) = examiner.document.view(state).object(part)? else { return Ok(None) };
        let Some(entries) = body.dictionary().filter(|_| body.stream.is_none()) else { return Ok(None) };
        if !is_strict_body(examiner.document, state, &body)? {
            return Ok(None);
        }
        for (key, value) in entries.iter() {
            let is_link = match key.as_bytes() {
                b"Kids" => part != widget,
                b"Parent" => part != number && value.as_reference().is_some_and(|id| id.number == number),
                _ => false,
            };
            if !is_link && (field.has(key.as_bytes()) || !fits(key.as_bytes(), value)) {
                return Ok(None);
            }
            if !is_link {
                field.push(key.clone(), value.clone());
            }
        }
    }
    let field = &field;
    let is_top = form.field(number).is_some_and(|own| own.line.len() == 1 && is_alone(step, &own.name));
    let is_on_its_page = field.get(b"P").as_reference().is_none_or(|page| {
        examiner.map.page(widget).is_none_or(|own| own == page.number) && step.page_number(page.number).is_some()
    });
    let is_field = field.get(b"FT").is_name(b"Sig") && field.get(b"Subtype").is_name(b"Widget");
    let has_name = field.get(b"T").as_string().and_then(text_string::decode).is_some_and(|name| !name.contains('.'));
    if !is_top || !is_on_its_page || !is_field || !has_name {
        return Ok(None);
    }
    visibility(examiner, state, field)
}

/// Whether no other field has this name.
fn is_alone(step: &Step, name: &str) -> bool {
    let [_, form] = &step.forms;
    form.fields.iter().filter(|field| field.name == name && field.line.len() == 1).count() == 1
}

/// Whether such a field has this entry with such a value.
fn fits(key: &[u8], value: &Object) -> bool {
    let is_empty = |value: &Object| value.as_dictionary().is_some_and(Dictionary::is_empty);
    match key {
        b"Type" => value.is_name(b"Annot"),
        b"Subtype" | b"FT" => value.as_name().is_some(),
        b"T" | b"TU" | b"TM" | b"DA" | b"M" | b"NM" => value.as_string().is_some(),
        b"H" | b"AS" => value.as_name().is_some(),
        b"Q" => matches!(value, Object::Integer(_)),
        // drawn only without an appearance, which such a field has
        b"BS" => value.as_reference().is_some() || value.as_dictionary().is_some(),
        b"Border" | b"C" => {
            matches!(value, Object::Array(elements) if elements.iter().all(|it| it.as_reference().is_none()))
        }
        b"V" | b"P" => value.as_reference().is_some(),
        b"F" | b"StructParent" => matches!(value, Object::Integer(_)),
        b"Ff" => matches!(value, Object::Integer(0 | 1)),
        b"Rect" => Rectangle::read(value).is_some(),
        b"AP" => value.as_reference().is_some() || value.as_dictionary().is_some(),
        // written by iText; signature fields are drawn by their appearances only
        b"DR" => value.as_reference().is_some() || value.as_dictionary().is_some(),
        b"MK" => is_empty(value) || value.as_dictionary().is_some() || value.as_reference().is_some(),
        b"Lock" | b"SV" => value.as_reference().is_some() || value.as_dictionary().is_some(),
        _ => is_private(key),
    }
}

/// The visibility of a field by its flags, rectangle and appearance; `None` if it is reader-dependent.
fn visibility(examiner: &mut Examiner, state: State, field: &Dictionary) -> Result<Option<FieldVisibility>, Fault> {
    let flags = field.get(b"F").as_integer().unwrap_or(0);
    let appearances = examiner.document.view(state).dictionary(field.get(b"AP"))?.into_owned();
    if appearances.iter().any(|(key, _)| key.as_bytes() != b"N") {
        return Ok(None);
    }
    let mut characteristics = examiner.document.view(state).dictionary(field.get(b"MK"))?.into_owned();
    for key in [b"BS".as_slice(), b"C", b"Border"] {
        let is_drawn = field.has(key) && !draws_no_border(field.get(key));
        characteristics = if is_drawn { field.clone() } else { characteristics };
    }
    let Some(rectangle) = Rectangle::read(field.get(b"Rect")) else { return Ok(None) };
    let [is_thin, is_flat] = [rectangle.width() == 0.0, rectangle.height() == 0.0];
    let is_quiet = flags & !(INVISIBLE | HIDDEN | PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS) == 0;
    if is_quiet && (flags & HIDDEN != 0 || is_thin && is_flat) {
        let is_blank = appearances.is_empty() || flags & HIDDEN != 0 || draws_nothing(examiner, state, field)?;
        let is_bare =
            characteristics.is_empty() || flags & HIDDEN != 0 || has_normal_appearance(examiner, state, field)?;
        // a border of default width is a dot there
        if is_blank && !is_bare && !is_wide(field) {
            return Ok(Some(FieldVisibility::Drawn));
        }
        return Ok((is_blank && is_bare).then_some(FieldVisibility::None));
    }
    let is_plain = flags & !(PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS) == 0 && !is_thin && !is_flat;
    // without an appearance readers generate one from the characteristics
    let has_appearance = has_normal_appearance(examiner, state, field)?;
    Ok((is_plain && (has_appearance || characteristics.is_empty())).then_some(FieldVisibility::Drawn))
}

/// Whether an annotation has a normal appearance stream for its state, so that no viewer generates one (12.5.5).
pub(super) fn has_normal_appearance(
    examiner: &mut Examiner,
    state: State,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let appearances = view.dictionary(annotation.get(b"AP"))?.into_owned();
    let normal = appearances.get(b"N");
    let is_stream = |body: Option<Rc<Body>>| body.is_some_and(|body| body.stream.is_some());
    if is_stream(view.body(normal)?) {
        return Ok(true);
    }
    let name = view.resolve(annotation.get(b"AS"))?.into_owned();
    let states = view.dictionary(normal)?.into_owned();
    Ok(is_stream(view.body(states.get(name.as_name().unwrap_or(b"Off")))?))
}

/// Whether a border is wider than the default (12.5.4) or indirect.
pub(super) fn is_wide(field: &Dictionary) -> bool {
    let is_wide = |width: &Object| !width.is_null() && width.as_number().is_none_or(|width| width > 1.0);
    let border = field.get(b"Border");
    is_wide(field.get(b"BS").entry(b"W"))
        || field.get(b"BS").as_reference().is_some()
        || !border.is_null() && border.elements().get(2).is_none_or(is_wide)
}

/// Whether a border has no width (12.5.4).
fn draws_no_border(border: &Object) -> bool {
    let width = border.elements().get(2).unwrap_or(border.entry(b"W"));
    width.as_number() == Some(0.0)
}

/// Whether the appearance of an annotation draws nothing.
pub(crate) fn draws_nothing(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<bool, Fault> {
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let drawn = contents.appearance(examiner.document, state, annotation, (0.0, 0.0))?;
    Ok(drawn.runs.is_empty() && drawn.areas.is_empty() && !drawn.is_part)
}
