//! The name and lifetime of a new token, from requests.

use chrono::{DateTime, TimeDelta, Utc};
use utoipa::ToSchema;

use crate::error::{Error, FieldErrors};
use crate::filename::is_visible;
use crate::http::Fields;

/// Most characters of a name.
const MAX_CHARACTERS: usize = 255;
const MISSING: &str = "is required: a name by which you will recognise the token";
/// Longest lifetime of a token with an end, in days.
const MAX_DAYS: u64 = 365;
const EXPIRES_IN_DAYS: &str = "expires_in_days";

/// The token to create.
#[derive(ToSchema)]
pub struct TokenRequest {
    /// A name to recognize the token by: 1 to 255 characters, trimmed, none of them a control or format character.
    // the pattern spells Cc and Cf out as far as they are within 16 bits: not every reader of patterns knows \p
    #[schema(
        min_length = 1,
        max_length = 255,
        example = "my laptop",
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]*[^\s\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb][^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]*$"
    )]
    pub name: String,
    /// Days until the token expires, 1 to 365; without it, or with `null`, it does not expire.
    #[schema(minimum = 1, maximum = 365, example = 90)]
    pub expires_in_days: Option<u16>,
}

impl TokenRequest {
    /// Reads `name` and `expires_in_days`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the invalid fields.
    pub fn read(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let name = fields.required("name", MISSING, &mut errors).unwrap_or_default();
        Ok(Self { name: errors.or(name).and_then(parse_name)?, expires_in_days: days(fields)? })
    }

    /// The expiry of a token created `now`.
    #[must_use]
    pub fn ends_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.expires_in_days.map(|days| now + TimeDelta::days(days.into()))
    }
}

/// The trimmed name: 1 to 255 characters, none of them a control or format character.
///
/// # Errors
/// [`Error::Invalid`] with the invalid fields.
pub fn parse_name(name: &str) -> Result<String, Error> {
    let refuse = |reason| Err(Error::Invalid(FieldErrors::one("name", reason)));
    match name.trim() {
        "" => refuse(MISSING),
        name if name.chars().count() > MAX_CHARACTERS => refuse("must have at most 255 characters"),
        name if !name.chars().all(is_visible) => refuse("must not have control or invisible characters"),
        name => Ok(name.to_owned()),
    }
}

/// The days of `expires_in_days`, 1 to 365; `None` if the field is missing, `null` or, in a form, empty: no end.
fn days(fields: &Fields) -> Result<Option<u16>, Error> {
    if fields.is_absent(EXPIRES_IN_DAYS) || fields.text(EXPIRES_IN_DAYS) == Some("") {
        return Ok(None);
    }
    let days = fields
        .whole_number(EXPIRES_IN_DAYS)
        .filter(|days| (1..=MAX_DAYS).contains(days))
        .and_then(|days| u16::try_from(days).ok());
    let reason = "must be a whole number of days from 1 to 365, or left out for no end";
    days.map(Some).ok_or_else(|| Error::Invalid(FieldErrors::one(EXPIRES_IN_DAYS, reason)))
}
