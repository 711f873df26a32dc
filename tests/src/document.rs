//! The API's document, as tests read it.

use jsonschema::Validator;
use serde_json::{Value, json};

/// The document as it is stored.
pub const STORED: &str = include_str!("../../docs/openapi.json");

/// The document.
#[must_use]
pub fn document() -> Value {
    serde_json::from_str(STORED).unwrap()
}

/// The part of the document that `part` references, or `part` itself.
#[must_use]
pub fn resolved<'d>(document: &'d Value, part: &'d Value) -> &'d Value {
    part["$ref"].as_str().map_or(part, |reference| document.pointer(&reference[1..]).unwrap())
}

/// `GET /pdf/{id}` of every call of the document, with the call.
#[must_use]
pub fn calls(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, call)| {
            // it stands beside the base address
            assert_eq!(call.get("servers").is_some(), path == "/health", "{path}");
            (format!("{} {path}", method.to_uppercase()), call)
        })
    });
    calls.collect()
}

/// A validator for `schema`, a part of the document.
#[must_use]
pub fn validator(document: &Value, schema: &Value) -> Validator {
    let mut root = json!({ "components": document["components"] });
    root.as_object_mut().unwrap().extend(schema.as_object().unwrap().clone());
    jsonschema::options().should_validate_formats(true).build(&root).unwrap()
}
