//! The new reference of a stored entry, from requests.

use crate::error::{Error, FieldErrors};
use crate::http::Fields;
use crate::reference::Reference;

const FIELD: &str = "reference";

/// Reads `reference`: `null` or blank removes it.
///
/// # Errors
/// [`Error::Invalid`] if it is missing or not a reference.
pub fn read(fields: &Fields) -> Result<Option<Reference>, Error> {
    let mut errors = FieldErrors::default();
    if !fields.names().any(|name| name == FIELD) {
        errors.add(FIELD, "is required: a text of at most 64 characters, or null to remove it");
    }
    let text = fields.optional(FIELD, &mut errors);
    let reference = Reference::read(text, &mut errors);
    errors.or(reference)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;
    use crate::http::Fields;
    use crate::reference::Reference;

    #[test]
    fn it_has_to_be_there_but_may_be_none() {
        let said = |body: serde_json::Value| read(&Fields::of(body.as_object().unwrap().clone()));
        assert_eq!(said(json!({ "reference": " CLM-7 " })).unwrap(), Reference::parse("CLM-7"));
        for none in [json!(null), json!(""), json!(" ")] {
            assert_eq!(said(json!({ "reference": none })).unwrap(), None);
        }
        for wrong in [json!({}), json!({ "reference": 7 }), json!({ "reference": "a\nb" })] {
            assert!(said(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
