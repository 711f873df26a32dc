//! Fields and notes that nothing references, in the place of another one.

use crate::hidden::reachable::Reachable;
use crate::hidden::shown_text::letters_of;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Minimum letters of a field's or note's text.
const MIN_LETTERS: usize = 2;

/// Returns the texts of fields and notes that nothing references, where another one in use has their kind, name and
/// place, and another text.
pub(super) fn find(
    document: &mut Document,
    state: State,
    unused: &[u32],
    reachable: &Reachable,
) -> Result<Vec<(u32, String)>, Fault> {
    let unused = annotations(document, state, unused.iter().copied())?;
    if unused.is_empty() {
        return Ok(Vec::new());
    }
    let used = annotations(document, state, reachable.annotations.iter().copied())?;
    let is_replaced = |annotation: &AnnotationText| {
        let mut others = used.iter().filter(|other| other.place == annotation.place);
        others.next().is_some_and(|now| {
            letters_of(&annotation.text).chars().count() >= MIN_LETTERS && now.text != annotation.text
        }) && others.next().is_none()
    };
    Ok(unused.into_iter().filter(is_replaced).map(|it| (it.number, it.text)).collect())
}

/// Returns the text of an earlier copy of a field or a note, if the object with its number has its kind, name and place, and
/// another text.
pub(super) fn replaced(
    document: &mut Document,
    state: State,
    number: u32,
    copy: &Dictionary,
) -> Result<Option<String>, Fault> {
    let Some(earlier) = AnnotationText::of(number, copy) else { return Ok(None) };
    let Some(body) = document.view(state).object(number)? else { return Ok(None) };
    let now = body.dictionary().and_then(|now| AnnotationText::of(number, now));
    let has_text = letters_of(&earlier.text).chars().count() >= MIN_LETTERS;
    let is_replaced = now.is_some_and(|now| now.place == earlier.place && now.text != earlier.text);
    Ok((has_text && is_replaced).then_some(earlier.text))
}

/// The text of a field or a note.
struct AnnotationText {
    number: u32,
    /// Its kind, name and rectangle.
    place: (Option<Vec<u8>>, Option<String>, Object),
    text: String,
}

fn annotations(
    document: &mut Document,
    state: State,
    numbers: impl Iterator<Item = u32>,
) -> Result<Vec<AnnotationText>, Fault> {
    let mut found = Vec::new();
    for number in numbers {
        document.budget.work(1)?;
        let Some(body) = document.view(state).object(number)? else { continue };
        let annotation = body.dictionary().filter(|annotation| annotation.has(b"Rect"));
        found.extend(annotation.and_then(|annotation| AnnotationText::of(number, annotation)));
    }
    Ok(found)
}

impl AnnotationText {
    /// Reads an annotation, or a field without a widget of its own.
    fn of(number: u32, annotation: &Dictionary) -> Option<Self> {
        let text = |key: &[u8]| annotation.get(key).as_string().and_then(text_string::decode);
        let kind = annotation.get(b"Subtype").as_name().map(<[u8]>::to_vec);
        let is_field = annotation.has(b"T") && annotation.has(b"V");
        let is_widget = kind.as_deref() == Some(b"Widget") || !annotation.has(b"Rect");
        let said = text(if is_widget { b"V" } else { b"Contents" }).unwrap_or_default();
        let place = (kind, text(b"T"), annotation.get(b"Rect").clone());
        (annotation.has(b"Rect") || is_field).then_some(Self { number, place, text: said })
    }
}
