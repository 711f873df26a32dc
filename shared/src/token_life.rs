//! How long a new token is good for, as requests give it.

use chrono::{DateTime, TimeDelta, Utc};

use crate::error::{Error, FieldErrors};
use crate::http::Fields;

/// The longest that a token with an end may be good for, days.
const LONGEST: u64 = 365;
const FIELD: &str = "expires_in_days";

/// The days of `expires_in_days`; `None` if the field is missing, `null` or, in a form, empty: no end.
///
/// # Errors
/// [`Error::Invalid`] unless they are 1 to 365.
pub fn read(fields: &Fields) -> Result<Option<u16>, Error> {
    if fields.is_absent(FIELD) || fields.text(FIELD) == Some("") {
        return Ok(None);
    }
    let days = fields.whole_number(FIELD).or_else(|| fields.text(FIELD).and_then(parse));
    let days = days.filter(|days| (1..=LONGEST).contains(days)).and_then(|days| u16::try_from(days).ok());
    let reason = "must be a whole number of days from 1 to 365, or left out for no end";
    days.map(Some).ok_or_else(|| Error::Invalid(FieldErrors::one(FIELD, reason)))
}

/// When a token made `now` ends.
#[must_use]
pub fn end(days: Option<u16>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    days.map(|days| now + TimeDelta::days(days.into()))
}

/// Plain digits, as a form writes a number.
fn parse(digits: &str) -> Option<u64> {
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| plain && !digits.starts_with('0'))
}
