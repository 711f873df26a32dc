//! How streams are encoded that every reader has to decode alike (ISO 32000-1, 7.4).

use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Whether a structural stream has no filter, or only the filter that all readers support; `width` is its row width, or
/// 0.
pub(crate) fn is_plainly_encoded(dictionary: &Dictionary, width: usize) -> bool {
    let only = |key: &[u8]| match dictionary.get(key) {
        Object::Array(elements) if elements.len() == 1 => elements.first().cloned().unwrap_or_default(),
        value => value.clone(),
    };
    let (filter, parameters) = (only(b"Filter"), only(b"DecodeParms"));
    let is_parameter = |key: &[u8], value: &Object| match (key, natural(value)) {
        (b"Predictor", Some(value)) => value == 1 || width > 0 && (10..=15).contains(&value),
        (b"Columns", Some(value)) => value == width,
        (b"Colors", Some(value)) => value == 1,
        (b"BitsPerComponent", Some(value)) => value == 8,
        _ => false,
    };
    let is_plain = match parameters {
        Object::Null => true,
        Object::Dictionary(entries) => entries.iter().all(|(key, value)| is_parameter(key.as_bytes(), value)),
        _ => false,
    };
    (filter.is_null() || filter.is_name(b"FlateDecode")) && is_plain && !dictionary.has(b"F")
}

/// The filters of a stream in their order, if they have no parameters and readers look for its data nowhere else.
pub(crate) fn filters(dictionary: &Dictionary) -> Option<Vec<&[u8]>> {
    let filter = dictionary.get(b"Filter");
    if is_plainly_encoded(dictionary, 0) {
        return Some(if filter.is_null() { Vec::new() } else { vec![b"FlateDecode"] });
    }
    let names = match filter {
        Object::Array(elements) => elements.iter().map(Object::as_name).collect(),
        filter => Some(vec![filter.as_name()?]),
    };
    let has_others = dictionary.has(b"F") || !dictionary.get(b"DecodeParms").is_null();
    names.filter(|names: &Vec<_>| !has_others && !names.is_empty())
}

/// Returns a number that is an integer and not negative.
pub(crate) fn natural(object: &Object) -> Option<usize> {
    if let Object::Integer(value) = object { usize::try_from(*value).ok() } else { None }
}
