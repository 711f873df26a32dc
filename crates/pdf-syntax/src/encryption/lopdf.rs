//! Conversion to lopdf's object model, for the rare filters that lopdf decodes.

use lopdf::StringFormat;

use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// The same value in lopdf's model.
pub(crate) fn from_object(object: &Object) -> lopdf::Object {
    match object {
        Object::Null => lopdf::Object::Null,
        Object::Boolean(value) => lopdf::Object::Boolean(*value),
        Object::Integer(value) => lopdf::Object::Integer(*value),
        Object::Real(value) => lopdf::Object::Real(*value as f32),
        Object::Name(name) => lopdf::Object::Name(name.as_bytes().to_vec()),
        Object::String(bytes) => lopdf::Object::String(bytes.clone(), StringFormat::Literal),
        Object::Array(elements) => lopdf::Object::Array(elements.iter().map(from_object).collect()),
        Object::Dictionary(dictionary) => lopdf::Object::Dictionary(from_dictionary(dictionary)),
        Object::Reference(id) => lopdf::Object::Reference((id.number, id.generation)),
    }
}

/// A dictionary in lopdf's model.
fn from_dictionary(dictionary: &Dictionary) -> lopdf::Dictionary {
    dictionary.iter().map(|(name, value)| (name.as_bytes(), from_object(value))).collect()
}
