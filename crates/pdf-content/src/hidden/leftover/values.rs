//! Fields and notes that nothing references, in the place of another one.

use crate::hidden::reachable::Reachable;
use crate::hidden::shown_text::letters_of;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
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
        let Some(annotation) = body.dictionary().filter(|annotation| annotation.has(b"Rect")) else { continue };
        let text = |key: &[u8]| annotation.get(key).as_string().and_then(text_string::decode);
        let kind = annotation.get(b"Subtype").as_name().map(<[u8]>::to_vec);
        let said = text(if kind.as_deref() == Some(b"Widget") { b"V" } else { b"Contents" }).unwrap_or_default();
        found.push(AnnotationText { number, place: (kind, text(b"T"), annotation.get(b"Rect").clone()), text: said });
    }
    Ok(found)
}
