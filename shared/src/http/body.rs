//! Small bodies: JSON objects and urlencoded forms.

use std::fmt;

use lambda_http::Body;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Call;
use crate::error::{Error, TooLarge};

/// Most bytes of a JSON or urlencoded body.
const MAX_BYTES: usize = 64 * 1024;
/// Up to 2^53, a floating-point number is the number that was written.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The fields of a small body. Not `Debug`: one may be a password.
pub struct Fields(Map<String, Value>);

/// A field that should be one text is something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotText;

/// A JSON value in which no object has the same key twice (RFC 8259 leaves their meaning
/// open). serde_json refuses nesting over 128 by itself.
pub struct Json(pub Value);

impl Fields {
    /// Reads the call's body, a JSON object or a urlencoded form.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::TooLarge`], [`Error::BadRequest`].
    pub fn json_or_form(call: &mut Call) -> Result<Self, Error> {
        let form = media_type(call).as_deref() == Some("application/x-www-form-urlencoded");
        if form { Ok(Self::parse_form(&bytes(call)?)) } else { Self::json(call) }
    }

    /// Reads the call's body, a urlencoded form.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::TooLarge`].
    pub fn form(call: &mut Call) -> Result<Self, Error> {
        if media_type(call).as_deref() != Some("application/x-www-form-urlencoded") {
            return Err(Error::UnsupportedMediaType("Send the form as the page does, urlencoded."));
        }
        Ok(Self::parse_form(&bytes(call)?))
    }

    /// Reads the call's body, a JSON object.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::TooLarge`], [`Error::BadRequest`].
    pub fn json(call: &mut Call) -> Result<Self, Error> {
        if !is_json(call) {
            return Err(EXPECTED);
        }
        Self::parse_json(&bytes(call)?)
    }

    /// A whole number that is not negative, however it is written (`5` or `5.0`); `None` if it is
    /// missing or something else.
    #[must_use]
    pub fn whole_number(&self, name: &str) -> Option<u64> {
        let value = self.0.get(name)?;
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(number);
        value.as_u64().or_else(|| value.as_f64().filter(whole).map(|number| number as u64))
    }

    /// A text field; `None` if it is missing or `null`.
    ///
    /// # Errors
    /// [`NotText`] if it is something else.
    pub fn text(&self, name: &str) -> Result<Option<&str>, NotText> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(NotText),
        }
    }

    fn parse_json(bytes: &[u8]) -> Result<Self, Error> {
        match serde_json::from_slice(bytes) {
            Ok(Json(Value::Object(fields))) => Ok(Self(fields)),
            Ok(_) => Err(Error::BadRequest(
                "The body is JSON, but not an object. Send an object such as {\"name\":\"my laptop\"}.",
            )),
            Err(_) => Err(Error::BadRequest(
                "The body is not valid JSON, repeats a key or is nested too deeply. Send one plain JSON object.",
            )),
        }
    }

    fn parse_form(bytes: &[u8]) -> Self {
        let mut fields = Map::new();
        for (name, value) in url::form_urlencoded::parse(bytes) {
            // a field given twice is ambiguous: keep it, as something that is no text
            let value = if fields.contains_key(&*name) { Value::Bool(true) } else { value.into_owned().into() };
            fields.insert(name.into_owned(), value);
        }
        Self(fields)
    }
}

const EXPECTED: Error = Error::UnsupportedMediaType("Send a JSON object with Content-Type: application/json.");

/// The body's bytes: not compressed, not empty, at most 64 KiB.
fn bytes(call: &mut Call) -> Result<Body, Error> {
    refuse_encoding(call)?;
    let body = call.take_body();
    match body.len() {
        0 => Err(EXPECTED),
        1..=MAX_BYTES => Ok(body),
        _ => Err(Error::TooLarge(TooLarge::Text)),
    }
}

/// Whether the body says that it is JSON.
#[must_use]
pub fn is_json(call: &Call) -> bool {
    media_type(call).as_deref() == Some("application/json")
}

/// The media type of the body, lower case, without parameters.
pub(crate) fn media_type(call: &Call) -> Option<String> {
    let value = call.header("content-type")?;
    let essence = value.split(';').next().unwrap_or_default();
    Some(essence.trim().to_ascii_lowercase())
}

/// Refuses a compressed body.
///
/// # Errors
/// [`Error::UnsupportedMediaType`]
pub(crate) fn refuse_encoding(call: &Call) -> Result<(), Error> {
    match call.header("content-encoding") {
        None => Ok(()),
        Some(_) => Err(Error::UnsupportedMediaType("Content-Encoding is not supported. Send the body as it is.")),
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor).map(Self)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Json(element)) = elements.next_element()? {
            array.push(element);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Json(value))) = entries.next_entry::<String, _>()? {
            if object.insert(key, value).is_some() {
                return Err(A::Error::custom("duplicate key"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Json, NotText};

    #[test]
    fn a_duplicate_key_is_refused_at_any_depth() {
        for bad in [r#"{"a":1,"a":1}"#, r#"{"a":[{"b":1,"b":2}]}"#, r#"{"a":1,"\u0061":2}"#] {
            assert!(serde_json::from_str::<Json>(bad).is_err(), "{bad}");
        }
        assert!(serde_json::from_str::<Json>(r#"{"a":{"a":[1,2.5,-3,null,true,"x"]}}"#).is_ok());
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(serde_json::from_str::<Json>(&deep(100)).is_ok());
        assert!(serde_json::from_str::<Json>(&deep(129)).is_err());
        assert!(serde_json::from_str::<Json>(&deep(60_000)).is_err());
    }

    #[test]
    fn a_repeated_form_field_is_no_text() {
        let fields = Fields::parse_form(b"name=a&other=b");
        assert_eq!(fields.text("name"), Ok(Some("a")));
        assert_eq!(fields.text("missing"), Ok(None));
        assert_eq!(Fields::parse_form(b"name=a&name=a").text("name"), Err(NotText));
    }
}
