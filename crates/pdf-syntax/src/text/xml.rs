//! References in XML: to characters, and to its own five entities.

use quick_xml::escape;
use quick_xml::events::BytesRef;

/// Returns what a reference stands for; none if it is undefined.
pub(super) fn resolve(reference: &BytesRef) -> Option<String> {
    match reference.resolve_char_ref() {
        Ok(Some(letter)) => Some(letter.to_string()),
        Ok(None) => escape::resolve_xml_entity(&reference.xml10_content()).map(str::to_owned),
        Err(_) => None,
    }
}
