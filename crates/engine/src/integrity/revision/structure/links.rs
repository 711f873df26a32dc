//! The references in a value, with the keys that lead to them.

use pdf_syntax::syntax::object::{Id, Object};

/// A reference within an object.
pub(crate) struct Link<'o> {
    pub(crate) target: Id,
    /// The outermost and the innermost key of its path.
    pub(crate) top: &'o [u8],
    pub(crate) inner: &'o [u8],
    /// Whether it is the page of an explicit destination (12.3.2.2).
    pub(crate) is_destination: bool,
}

/// The references in a value.
pub(crate) fn links(object: &Object) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    collect(object, b"", b"", false, &mut found);
    found
}

fn collect<'o>(object: &'o Object, top: &'o [u8], inner: &'o [u8], is_destination: bool, found: &mut Vec<Link<'o>>) {
    match object {
        Object::Reference(id) => found.push(Link { target: *id, top, inner, is_destination }),
        Object::Array(elements) => {
            let is_view = |name: &[u8]| name == b"XYZ" || name.starts_with(b"Fit");
            let is_destination = elements.get(1).and_then(Object::as_name).is_some_and(is_view);
            for (place, element) in elements.iter().enumerate() {
                collect(element, top, inner, is_destination && place == 0, found);
            }
        }
        Object::Dictionary(entries) => {
            for (key, value) in entries.iter() {
                let key = key.as_bytes();
                collect(value, if top.is_empty() { key } else { top }, key, false, found);
            }
        }
        _ => {}
    }
}
