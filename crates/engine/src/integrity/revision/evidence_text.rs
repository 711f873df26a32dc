//! Values as evidence displays them.

use pdf_syntax::document::objects::Body;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::text::shorten;
use pdf_syntax::text::text_string;

/// Maximum elements shown of an array or a dictionary.
const MAX_ELEMENTS: usize = 16;

/// A value on one line.
pub(crate) fn value(object: &Object) -> Option<String> {
    let mut text = String::new();
    write(object, &mut text, 2);
    shorten(&mut text);
    (!object.is_null()).then_some(text)
}

/// A body: the length of a stream, or the value.
pub(crate) fn body(body: Option<&Body>) -> Option<String> {
    let body = body?;
    let Some(dictionary) = body.dictionary().filter(|_| body.stream.is_some()) else { return value(&body.object) };
    Some(match dictionary.get(b"Length").as_integer() {
        Some(length) => format!("stream of {length} bytes"),
        None => "stream".to_owned(),
    })
}

/// All characters of a name or a text, if it is one: what is compared.
pub(crate) fn characters(object: &Object) -> Option<String> {
    object.as_string().or_else(|| object.as_name()).map(text_string::characters)
}

/// A name or a text to display, if it is one.
pub(crate) fn text(object: &Object) -> Option<String> {
    let bytes = object.as_string().or_else(|| object.as_name())?;
    text_string::decode(bytes)
}

/// Whether both are the same texts, alone or in arrays, in any encoding (7.9.2.2).
pub(crate) fn same_texts(one: &Object, other: &Object) -> bool {
    match (one, other) {
        (Object::Array(one), Object::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_texts(one, other))
        }
        (Object::String(one), Object::String(other)) => {
            text_string::comparable(one).is_some_and(|one| text_string::comparable(other) == Some(one))
        }
        _ => false,
    }
}

/// Whether both are the same texts to a reader that knows all encodings, or lists of such.
pub(crate) fn has_same_characters(one: &Object, other: &Object) -> bool {
    match (one, other) {
        (Object::Array(one), Object::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| has_same_characters(one, other))
        }
        (Object::String(one), Object::String(other)) => text_string::characters(one) == text_string::characters(other),
        _ => false,
    }
}

/// Whether a value is a text without characters, of which the byte order mark is none, a list of such, or none at all.
pub(crate) fn says_nothing(value: &Object) -> bool {
    match value {
        Object::Null => true,
        Object::String(text) => matches!(&text[..], b"" | b"\xfe\xff"),
        Object::Array(texts) => texts.iter().all(|text| text.as_string().is_some() && says_nothing(text)),
        _ => false,
    }
}

/// Whether both are the same text in any encoding, where an empty one equals none.
pub(crate) fn is_same_label(one: &Object, other: &Object) -> bool {
    let is_label = |label: &Object| matches!(label, Object::Null | Object::String(_));
    let [words, other_words] = [one, other].map(|label| characters(label).unwrap_or_default());
    is_label(one) && is_label(other) && text_string::has_same_words(&words, &other_words)
}

/// The kind of an annotation and its texts: `FreeText "…", D:2026…`.
pub(crate) fn annotation(dictionary: &Dictionary) -> String {
    let mut shown = text(dictionary.get(b"Subtype")).unwrap_or_else(|| "annotation".to_owned());
    if let Some(rectangle) = value(dictionary.get(b"Rect")) {
        shown = format!("{shown} at {rectangle}");
    }
    for key in [b"Contents".as_slice(), b"T", b"M"] {
        if let Some(text) = text(dictionary.get(key)) {
            shown = format!("{shown}, /{}: {text}", String::from_utf8_lossy(key));
        }
    }
    shown
}

fn write(object: &Object, text: &mut String, depth: usize) {
    match object {
        Object::Null => text.push_str("null"),
        Object::Boolean(value) => *text += &value.to_string(),
        Object::Integer(value) => *text += &value.to_string(),
        Object::Real(value) => *text += &((value * 1000.0).round() / 1000.0).to_string(),
        Object::Name(name) => {
            text.push('/');
            *text += &String::from_utf8_lossy(name.as_bytes());
        }
        Object::String(bytes) => *text += &text_string::decode(bytes).unwrap_or_default(),
        Object::Reference(id) => *text += &format!("{} {} R", id.number, id.generation),
        Object::Array(elements) if depth > 0 => {
            text.push('[');
            for (index, element) in elements.iter().take(MAX_ELEMENTS).enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                write(element, text, depth - 1);
            }
            text.push_str(if elements.len() > MAX_ELEMENTS { " …]" } else { "]" });
        }
        Object::Dictionary(entries) if depth > 0 => {
            text.push_str("<<");
            for (name, value) in entries.iter().take(MAX_ELEMENTS) {
                *text += &format!(" /{} ", String::from_utf8_lossy(name.as_bytes()));
                write(value, text, depth - 1);
            }
            text.push_str(if entries.len() > MAX_ELEMENTS { " … >>" } else { " >>" });
        }
        Object::Array(_) => text.push_str("[…]"),
        Object::Dictionary(_) => text.push_str("<<…>>"),
    }
}

/// Object numbers as references, shortened.
pub(crate) fn numbers(numbers: &[u32]) -> Option<String> {
    let references = numbers.iter().map(|&number| Object::Reference(Id { number, generation: 0 })).collect();
    value(&Object::Array(references))
}
