//! The lifetime and content of a link to a shared analysis, from requests.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{Error, FieldErrors};
use crate::http::Fields;

/// Allowed lifetimes in days.
pub const DAYS: [i64; 3] = [7, 30, 90];
const FIELD: &str = "expires_in_days";
const WITH_HIDDEN_WORDS: &str = "with_hidden_words";

/// The terms of a new link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareTerms {
    /// Its lifetime.
    pub life: ShareLife,
    /// Whether it also shows words that the file's pages hide or no longer show.
    pub with_hidden_words: bool,
}

impl ShareTerms {
    /// Reads `expires_in_days`, and `with_hidden_words`: `true`, also as a form's text; missing or `null` is `false`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for other values and for a lifetime that is not allowed.
    pub fn read(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let with_hidden_words =
            fields.text(WITH_HIDDEN_WORDS) == Some("true") || fields.flag(WITH_HIDDEN_WORDS, &mut errors);
        let life = ShareLife::read(fields, &mut errors);
        errors.or(Self { life, with_hidden_words })
    }
}

/// Lifetime of a link in days; `None`: until it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareLife(Option<i64>);

impl ShareLife {
    /// Reads `expires_in_days`, one of [`DAYS`]. A link without it (missing, `null` or, in a form, empty) does not
    /// expire.
    fn read(fields: &Fields, errors: &mut FieldErrors) -> Self {
        if fields.is_absent(FIELD) || fields.text(FIELD) == Some("") {
            return Self(None);
        }
        let sent = fields.whole_number(FIELD).and_then(|days| i64::try_from(days).ok());
        let days = sent.filter(|days| DAYS.contains(days));
        if days.is_none() {
            errors.add(FIELD, "must be 7, 30 or 90, or left out for a link that is good until it is ended");
        }
        Self(days)
    }

    /// The expiry of a link created `now`.
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
