//! The name that an owner gives a token.

use crate::error::{Error, FieldErrors};
use crate::filename::is_visible;
use crate::http::Fields;

/// Most characters of a name.
const MAX_CHARACTERS: usize = 255;
const MISSING: &str = "is required: a name by which you will recognise the token";

/// The name in the field `name`.
///
/// # Errors
/// Those of [`parse`], and [`Error::Invalid`] if it is no text.
pub fn read(fields: &Fields) -> Result<String, Error> {
    let mut errors = FieldErrors::default();
    let name = fields.required("name", MISSING, &mut errors).unwrap_or_default();
    errors.or(name).and_then(parse)
}

/// The trimmed name: 1 to 255 characters, none of them a control or format character.
///
/// # Errors
/// [`Error::Invalid`] with what is wrong.
pub fn parse(name: &str) -> Result<String, Error> {
    let refuse = |reason| Err(Error::Invalid(FieldErrors::one("name", reason)));
    match name.trim() {
        "" => refuse(MISSING),
        name if name.chars().count() > MAX_CHARACTERS => refuse("must have at most 255 characters"),
        name if !name.chars().all(is_visible) => refuse("must not have control or invisible characters"),
        name => Ok(name.to_owned()),
    }
}
