//! Small bodies: JSON objects and urlencoded forms.

use std::fmt;
use std::string::FromUtf8Error;

use lambda_http::Body;
use percent_encoding::percent_decode;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Call;
use crate::error::{Error, FieldErrors, TooLarge};

/// Most bytes of a JSON or urlencoded body.
const MAX_BYTES: usize = 64 * 1024;
/// Largest range in which a floating-point number is exact: 2^53.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number in digits without sign, blanks or leading zeros.
fn plain_digits(text: &str) -> Option<u64> {
    let is_plain = text == "0" || !text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

/// The fields of a small body. Not `Debug`: one may be a password.
pub struct Fields(Map<String, Value>);

/// A JSON value in which no object has the same key twice (RFC 8259 leaves their meaning open). serde_json refuses
/// nesting over 128.
pub struct Json(pub Value);

impl Fields {
    /// Reads the call's body, a JSON object or a urlencoded form.
    ///
    /// # Errors
    /// [`Error::UnsupportedMediaType`], [`Error::TooLarge`], [`Error::BadRequest`], with `no_object` for JSON that is
    /// none.
    pub fn json_or_form(call: &mut Call, no_object: &'static str) -> Result<Self, Error> {
        let form = media_type(call).as_deref() == Some("application/x-www-form-urlencoded");
        if form { Ok(Self::parse_form(&bytes(call)?)) } else { Self::json(call, no_object) }
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
    /// [`Error::UnsupportedMediaType`], [`Error::TooLarge`], [`Error::BadRequest`], with `no_object` for JSON that is
    /// none.
    pub fn json(call: &mut Call, no_object: &'static str) -> Result<Self, Error> {
        Self::parse_json(&json_bytes(call)?, no_object)
    }

    /// The same without taking the body; `None` unless it is a JSON object.
    #[must_use]
    pub fn peek(call: &Call) -> Option<Self> {
        refuse_encoding(call).ok().filter(|()| is_json(call))?;
        let bytes = call.body().filter(|body| body.len() <= MAX_BYTES)?;
        Self::parse_json(bytes, "").ok()
    }

    /// The fields of an object within a larger body.
    #[must_use]
    pub fn of(object: Map<String, Value>) -> Self {
        Self(object)
    }

    /// A non-negative integer, also in the form `5.0`, or in plain digits as forms send it; `None` if it is missing or
    /// anything else.
    #[must_use]
    pub fn whole_number(&self, name: &str) -> Option<u64> {
        let value = self.0.get(name)?;
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(number);
        let number = value.as_u64().or_else(|| value.as_f64().filter(whole).map(|number| number as u64));
        number.or_else(|| value.as_str().and_then(plain_digits))
    }

    /// Whether a field is missing or `null`.
    #[must_use]
    pub fn is_absent(&self, name: &str) -> bool {
        self.0.get(name).is_none_or(Value::is_null)
    }

    /// The names of all fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A text field; `None` if it is missing or of another type.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A text field; `None` if it is missing or `null`. Another type is added to `errors`.
    pub fn optional(&self, name: &'static str, errors: &mut FieldErrors) -> Option<&str> {
        match self.0.get(name)? {
            Value::Null => None,
            Value::String(text) => Some(text),
            _ => {
                errors.add(name, "must be one text, in UTF-8");
                None
            }
        }
    }

    /// The same for a required field: if it is missing, `missing` is added to `errors`.
    pub fn required(&self, name: &'static str, missing: &'static str, errors: &mut FieldErrors) -> Option<&str> {
        if self.is_absent(name) {
            errors.add(name, missing);
        }
        self.optional(name, errors)
    }

    /// Whether a field is `true`; `false` if it is missing or `null`. Another type is added to `errors`.
    pub fn flag(&self, name: &'static str, errors: &mut FieldErrors) -> bool {
        match self.0.get(name) {
            None | Some(Value::Null) => false,
            Some(Value::Bool(set)) => *set,
            Some(_) => {
                errors.add(name, "must be true or false");
                false
            }
        }
    }

    fn parse_json(bytes: &[u8], no_object: &'static str) -> Result<Self, Error> {
        match serde_json::from_slice(bytes) {
            Ok(Json(Value::Object(fields))) => Ok(Self(fields)),
            Ok(_) => Err(Error::BadRequest(no_object)),
            Err(_) => Err(Error::BadRequest(
                "The body is not valid JSON, repeats a key or is nested too deeply. Send one plain JSON object.",
            )),
        }
    }

    fn parse_form(bytes: &[u8]) -> Self {
        let mut fields = Map::new();
        for pair in bytes.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
            let mut halves = pair.splitn(2, |byte| *byte == b'=').map(decode);
            // no known name is invalid UTF-8
            let Some(Ok(name)) = halves.next() else { continue };
            let value = halves.next().unwrap_or_else(|| Ok(String::new()));
            // a repeated field or one that is not UTF-8 is ambiguous: keep it as a value that is not text
            let value = match value {
                Ok(value) if !fields.contains_key(&name) => value.into(),
                _ => Value::Bool(true),
            };
            fields.insert(name, value);
        }
        Self(fields)
    }
}

/// A name or a value of a urlencoded form.
fn decode(sent: &[u8]) -> Result<String, FromUtf8Error> {
    let spaced: Vec<u8> = sent.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    String::from_utf8(percent_decode(&spaced).collect())
}

const EXPECTED: Error = Error::UnsupportedMediaType("Send a JSON object with Content-Type: application/json.");

/// The bytes of a body declared as JSON: not compressed, not empty, at most 64 KiB.
///
/// # Errors
/// [`Error::UnsupportedMediaType`], [`Error::TooLarge`], [`Error::Unavailable`].
pub fn json_bytes(call: &mut Call) -> Result<Body, Error> {
    if is_json(call) { bytes(call) } else { Err(EXPECTED) }
}

/// The body's bytes: not compressed, not empty, at most 64 KiB.
fn bytes(call: &mut Call) -> Result<Body, Error> {
    refuse_encoding(call)?;
    let body = call.take_body(TooLarge::Text)?;
    match body.len() {
        0 => Err(EXPECTED),
        1..=MAX_BYTES => Ok(body),
        _ => Err(Error::TooLarge(TooLarge::Text)),
    }
}

/// Whether the body is declared as JSON.
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
    use proptest::prelude::*;
    use url::form_urlencoded;

    use super::{Fields, Json};
    use crate::error::FieldErrors;

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
    fn what_is_no_text_is_told_from_what_is_missing() {
        let fields = Fields::parse_form(b"name=a&name=a&other=b&latin=%ff&bytes=\xe9&empty&%ff=x");
        let mut errors = FieldErrors::default();
        assert_eq!(fields.optional("other", &mut errors), Some("b"));
        assert_eq!(fields.required("empty", "is required", &mut errors), Some(""));
        assert_eq!(fields.optional("missing", &mut errors), None);
        assert!(errors.is_empty());
        for name in ["name", "latin", "bytes"] {
            let mut errors = FieldErrors::default();
            assert_eq!((fields.text(name), fields.required(name, "is required", &mut errors)), (None, None));
            assert_eq!(errors, FieldErrors::one(name, "must be one text, in UTF-8"));
        }
        assert_eq!(fields.required("missing", "is required", &mut errors), None);
        assert_eq!(errors, FieldErrors::one("missing", "is required"));
    }

    #[test]
    fn json_of_another_kind_is_no_text_but_null_is_missing() {
        let fields = Fields::parse_json(br#"{"a":5,"b":null,"c":["x"]}"#, "").unwrap();
        let mut errors = FieldErrors::default();
        assert_eq!((fields.optional("b", &mut errors), errors.is_empty()), (None, true));
        for name in ["a", "b", "c"] {
            assert_eq!(fields.required(name, "is required", &mut errors), None);
        }
        let reasons: Vec<_> = errors.iter().map(|(_, reason)| reason).collect();
        assert_eq!(reasons, ["must be one text, in UTF-8", "is required", "must be one text, in UTF-8"]);
    }

    proptest! {
        #[test]
        fn forms_are_read_as_the_url_standard_says(body in "([g-i]|[&=+%]|%[0-7][0-9A-F]|\u{e9}){0,30}") {
            let fields = Fields::parse_form(body.as_bytes());
            let expected: Vec<_> = form_urlencoded::parse(body.as_bytes()).collect();
            for (name, value) in &expected {
                let once = expected.iter().filter(|(other, _)| other == name).count() == 1;
                prop_assert_eq!(fields.text(name), once.then_some(&**value));
            }
        }
    }
}
