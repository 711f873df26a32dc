//! The permitted form of a new signature or time-stamp field: its entries and their values (ISO 32000-1, 12.5.2,
//! 12.5.6.19 and 12.7.4.5).

use super::annotation_flags::{HIDDEN, INVISIBLE, LOCKED, LOCKED_CONTENTS, NO_ROTATE, NO_ZOOM, PRINT, READ_ONLY};
use super::equal::is_strict_body;
use super::examiner::{Examiner, Step};
use super::vocabulary::is_private;
use pdf_content::{AreaKind, Border, ContentReader, PageText, Rectangle, normal_appearance};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Painting steps to determine whether an appearance draws anything.
const MAX_PAINT_STEPS: u64 = 1 << 18;
/// Minimum components of a light color.
const LIGHT_MIN_PART: f64 = 0.7;
/// Maximum areas of a box: its ground and the sides of its border.
const MAX_BOX_AREAS: usize = 5;

/// The visibility of a signature field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldVisibility {
    /// Invisible in every viewer.
    None,
    /// Its appearance is drawn in its rectangle.
    Drawn,
}

/// The visibility of a new signature field, signed or unsigned; `None` if it has other entries than such a field, or the
/// name of another one.
pub(crate) fn signature_field(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
) -> Result<Option<FieldVisibility>, Fault> {
    match is_named(examiner, step, number)? {
        true => unnamed(examiner, step, number),
        false => Ok(None),
    }
}

/// The same for a field on its own that has the name of another one, which forms merge or tell apart.
pub(crate) fn namesake(examiner: &mut Examiner, step: &Step, number: u32) -> Result<Option<FieldVisibility>, Fault> {
    let [_, form] = step.forms.clone();
    let is_alone = form.field(number).is_none_or(|field| field.line.len() == 1);
    match is_alone && !is_named(examiner, step, number)? {
        true => unnamed(examiner, step, number),
        false => Ok(None),
    }
}

/// The same regardless of its name.
fn unnamed(examiner: &mut Examiner, step: &Step, number: u32) -> Result<Option<FieldVisibility>, Fault> {
    let state = step.pair.new;
    let [_, form] = step.forms.clone();
    let kids: Vec<u32> = form.kids(number).collect();
    let above = form.field(number).and_then(|field| field.line.get(1).copied());
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
                b"Parent" => {
                    let above = if part == number { above } else { Some(number) };
                    value.as_reference().is_some_and(|id| Some(id.number) == above)
                }
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
    let is_on_its_page = field.get(b"P").as_reference().is_none_or(|page| {
        examiner.map.page(widget).is_none_or(|own| own == page.number) && step.page_number(page.number).is_some()
    });
    let is_field = field.get(b"FT").is_name(b"Sig") && field.get(b"Subtype").is_name(b"Widget");
    let has_name = has_single_name(field);
    // LibreOffice writes the signature as the default value as well
    let has_value_alone = !field.has(b"DV") || field.get(b"DV") == field.get(b"V");
    if !has_value_alone || !is_on_its_page || !is_field || !has_name {
        return Ok(None);
    }
    visibility(examiner, state, field)
}

/// Whether no other field has the name of this field or of an ancestor, and it inherits nothing but that (12.7.3.1).
/// Poppler adds a field to its page alone.
fn is_named(examiner: &mut Examiner, step: &Step, number: u32) -> Result<bool, Fault> {
    let [_, form] = step.forms.clone();
    let Some(field) = form.field(number) else {
        let body = examiner.document.view(step.pair.new).object(number)?;
        let field = body.as_ref().and_then(|body| body.dictionary()).unwrap_or(Dictionary::empty());
        let name = field.get(b"T").as_string().and_then(text_string::decode);
        return Ok(!field.has(b"Parent") && !form.fields.iter().any(|other| Some(&other.name) == name.as_ref()));
    };
    for above in field.line.iter().skip(1) {
        let Some(body) = examiner.document.view(step.pair.new).object(*above)? else { return Ok(false) };
        let is_name = body.stream.is_none() && body.dictionary().is_some_and(is_name_part);
        if !is_name || !is_strict_body(examiner.document, step.pair.new, &body)? {
            return Ok(false);
        }
    }
    let names: Vec<&str> =
        field.line.iter().filter_map(|number| form.field(*number)).map(|field| field.name.as_str()).collect();
    let namesakes = form.fields.iter().filter(|field| field.dictionary().has(b"T"));
    Ok(namesakes.filter(|field| names.contains(&field.name.as_str())).count() == names.len())
}

/// Whether a field only is a part of its kids' names (12.7.3.2).
pub(crate) fn is_name_part(field: &Dictionary) -> bool {
    let is_kids = |kids: &Object| !kids.elements().is_empty() && kids.elements().iter().all(is_reference);
    is_kids(field.get(b"Kids"))
        && has_single_name(field)
        && field.iter().all(|(key, value)| match key.as_bytes() {
            b"T" | b"Kids" => true,
            b"Parent" => is_reference(value),
            _ => false,
        })
}

fn is_reference(value: &Object) -> bool {
    value.as_reference().is_some()
}

/// Whether a field has a partial name that is not composed of several.
fn has_single_name(field: &Dictionary) -> bool {
    field.get(b"T").as_string().and_then(text_string::decode).is_some_and(|name| !name.contains('.'))
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
        b"V" | b"DV" | b"P" => value.as_reference().is_some(),
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
    let border = Border::read(&mut examiner.document.view(state), field)?;
    if border.width > 0.0 && [b"BS".as_slice(), b"C", b"Border"].iter().any(|key| field.has(key)) {
        characteristics = field.clone();
    }
    let Some(rectangle) = Rectangle::read(field.get(b"Rect")) else { return Ok(None) };
    let [is_thin, is_flat] = [rectangle.width() == 0.0, rectangle.height() == 0.0];
    // size and rotation, which are compared where something is drawn
    let placed = flags & !(NO_ZOOM | NO_ROTATE);
    let is_quiet = placed & !(INVISIBLE | HIDDEN | PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS) == 0;
    if is_quiet && (flags & HIDDEN != 0 || is_thin && is_flat) {
        let is_blank = appearances.is_empty() || flags & HIDDEN != 0 || draws_nothing(examiner, state, field)?;
        let is_bare =
            characteristics.is_empty() || flags & HIDDEN != 0 || has_normal_appearance(examiner, state, field)?;
        // a border of default width is a dot there
        if is_blank && !is_bare && !border.is_wide() {
            return Ok(Some(FieldVisibility::Drawn));
        }
        return Ok((is_blank && is_bare).then_some(FieldVisibility::None));
    }
    // a signature has no states, of which viewers choose differently
    let normal = examiner.document.view(state).body(appearances.get(b"N"))?;
    if appearances.has(b"N") && normal.is_none_or(|normal| normal.stream.is_none()) {
        return Ok(None);
    }
    let is_plain = placed & !(PRINT | READ_ONLY | LOCKED | LOCKED_CONTENTS) == 0 && !is_thin && !is_flat;
    // without an appearance readers generate a box in its rectangle, which is compared with the page
    let has_appearance = has_normal_appearance(examiner, state, field)?;
    let is_settled = has_appearance || appearances.is_empty() || characteristics.is_empty();
    Ok((is_plain && is_settled).then_some(FieldVisibility::Drawn))
}

/// Whether an annotation has a normal appearance stream for its state, so that no viewer generates one (12.5.5).
pub(crate) fn has_normal_appearance(
    examiner: &mut Examiner,
    state: State,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let Some(appearance) = normal_appearance(view, annotation)? else { return Ok(false) };
    Ok(view.body(&appearance)?.is_some_and(|body| body.stream.is_some()))
}

/// Whether the appearance of an annotation draws neither text nor images, nor more areas than a box with its border.
pub(crate) fn draws_no_more_than_a_box(
    examiner: &mut Examiner,
    state: State,
    annotation: &Dictionary,
) -> Result<bool, Fault> {
    let drawn = drawn(examiner, state, annotation)?;
    let is_box = drawn.areas.len() <= MAX_BOX_AREAS && drawn.areas.iter().all(|area| area.kind != AreaKind::Image);
    Ok(drawn.runs.is_empty() && is_box && !drawn.is_part)
}

/// Whether an empty signature field draws no more than a ground and a frame, or viewers do.
pub(crate) fn is_framed(examiner: &mut Examiner, state: State, widget: &Dictionary) -> Result<bool, Fault> {
    // the field of such a widget draws nothing itself
    let Some(rectangle) = Rectangle::read(widget.get(b"Rect")) else { return Ok(true) };
    let drawn = drawn(examiner, state, widget)?;
    let view = &mut examiner.document.view(state);
    if view.dictionary(widget.get(b"AP"))?.has(b"N") {
        return Ok(pdf_content::is_framed(&drawn, rectangle));
    }
    let characteristics = view.dictionary(widget.get(b"MK"))?.into_owned();
    let [ground, border] = [b"BG", b"BC"].map(|key| characteristics.get(key).clone());
    let ground = view.array(&ground, 4)?;
    let parts: Vec<f64> = ground.elements().iter().filter_map(Object::as_number).collect();
    let is_light = match parts.len() {
        4 => parts.iter().all(|part| *part <= 1.0 - LIGHT_MIN_PART),
        _ => parts.iter().all(|part| *part >= LIGHT_MIN_PART),
    };
    Ok(is_light && (border.is_null() || pdf_content::is_larger_than_a_sign(rectangle)))
}

/// Whether the appearance of an annotation draws nothing.
pub(crate) fn draws_nothing(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<bool, Fault> {
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let drawn = contents.appearance(examiner.document, state, annotation, (0.0, 0.0))?;
    Ok(drawn.runs.is_empty() && drawn.areas.is_empty() && !drawn.is_part)
}

/// What the appearance of an annotation draws in its state, in its rectangle.
pub(super) fn drawn(examiner: &mut Examiner, state: State, annotation: &Dictionary) -> Result<PageText, Fault> {
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    contents.appearance_in_rectangle(examiner.document, state, annotation)
}
