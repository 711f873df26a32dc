//! How long a link to a shared analysis is good for, as requests give it.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{Error, FieldErrors};
use crate::http::Fields;

/// What may be chosen, days.
pub const DAYS: [i64; 3] = [7, 30, 90];
const FIELD: &str = "expires_in_days";

/// For how many days a link is good; without them, until it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareLife(Option<i64>);

impl ShareLife {
    /// Reads `expires_in_days`; missing, `null` or, in a form, empty: until it is ended.
    ///
    /// # Errors
    /// [`Error::Invalid`] unless they are among [`DAYS`].
    pub fn read(fields: &Fields) -> Result<Self, Error> {
        if fields.is_absent(FIELD) || fields.text(FIELD) == Some("") {
            return Ok(Self(None));
        }
        let sent = |days: &i64| {
            fields.whole_number(FIELD) == u64::try_from(*days).ok() || fields.text(FIELD) == Some(&days.to_string())
        };
        let reason = "must be 7, 30 or 90, or left out for a link that is good until it is ended";
        let days = DAYS.into_iter().find(sent);
        days.map(|days| Self(Some(days))).ok_or_else(|| Error::Invalid(FieldErrors::one(FIELD, reason)))
    }

    /// When a link made `now` ends by itself.
    #[must_use]
    pub fn end(self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.0.map(|days| now + TimeDelta::days(days))
    }
}

impl PartialSchema for ShareLife {
    fn schema() -> RefOr<Schema> {
        let choices = DAYS.iter().map(|days| json!(days)).chain([Value::Null]);
        let types = SchemaType::from_iter([Type::Integer, Type::Null]);
        ObjectBuilder::new().schema_type(types).enum_values(Some(choices)).into()
    }
}

impl ToSchema for ShareLife {}
