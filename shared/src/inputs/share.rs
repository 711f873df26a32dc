//! How long a link to a shared analysis is good for, and what it shows, as requests give it.

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
const WORDS: &str = "with_hidden_words";

/// What a link is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareTerms {
    /// How long it is good.
    pub life: ShareLife,
    /// Whether it shows words that the file's pages hide or no longer show, too.
    pub with_hidden_words: bool,
}

impl ShareTerms {
    /// Reads `expires_in_days`, and `with_hidden_words`: `true`, also as a form's text; missing or `null` is `false`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what is neither, and as the life of a share has it.
    pub fn read(fields: &Fields) -> Result<Self, Error> {
        let mut errors = FieldErrors::default();
        let with_hidden_words = fields.text(WORDS) == Some("true") || fields.flag(WORDS, &mut errors);
        let life = ShareLife::read(fields, &mut errors);
        errors.or(Self { life, with_hidden_words })
    }
}

/// For how many days a link is good; without them, until it is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareLife(Option<i64>);

impl ShareLife {
    /// Reads `expires_in_days`, which are among [`DAYS`]; missing, `null` or, in a form, empty: until it is ended.
    fn read(fields: &Fields, errors: &mut FieldErrors) -> Self {
        if fields.is_absent(FIELD) || fields.text(FIELD) == Some("") {
            return Self(None);
        }
        let sent = |days: &i64| {
            fields.whole_number(FIELD) == u64::try_from(*days).ok() || fields.text(FIELD) == Some(&days.to_string())
        };
        let days = DAYS.into_iter().find(sent);
        if days.is_none() {
            errors.add(FIELD, "must be 7, 30 or 90, or left out for a link that is good until it is ended");
        }
        Self(days)
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
