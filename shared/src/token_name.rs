//! The name that an owner gives a token.

use crate::error::{Error, FieldErrors};
use crate::filename::is_visible;
use crate::http::NotText;

/// Most characters of a name.
const MAX_CHARACTERS: usize = 255;

/// The trimmed name: 1 to 255 characters, none of them a control or format character.
/// Takes a field as [`Fields::text`](crate::http::Fields::text) gives it.
///
/// # Errors
/// [`Error::Invalid`] with what is wrong.
pub fn parse(field: Result<Option<&str>, NotText>) -> Result<String, Error> {
    let refuse = |reason| Err(Error::Invalid(FieldErrors::one("name", reason)));
    match field.map(|text| text.map(str::trim)) {
        Err(NotText) => refuse("must be one text"),
        Ok(None | Some("")) => refuse("is required: a name by which you will recognise the token"),
        Ok(Some(name)) if name.chars().count() > MAX_CHARACTERS => refuse("must have at most 255 characters"),
        Ok(Some(name)) if !name.chars().all(is_visible) => refuse("must not have control or invisible characters"),
        Ok(Some(name)) => Ok(name.to_owned()),
    }
}
