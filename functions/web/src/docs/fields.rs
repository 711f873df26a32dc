//! The fields of an object of the API, one below the other, with their kinds and meanings.

use maud::{Markup, html};
use serde_json::Value;

use super::markdown;
use super::model::{ApiDocument, Schema};

/// The fields of `schema`, their names behind `prefix`. Of an answer (`always`), no field is missing.
pub(crate) fn fields(api: &ApiDocument, schema: &Schema, prefix: &str, always: bool) -> Markup {
    let schema = api.resolve(schema);
    html! {
        @for part in &schema.all_of { (fields(api, part, prefix, always)) }
        @for (name, field) in &schema.properties {
            @let path = format!("{prefix}{name}");
            @let optional = !always && !schema.required.contains(name);
            dt { code { (path) } span.kind { (kind(api, field)) @if optional { ", optional" } } }
            dd { (meaning(api, field)) }
            @if field.component() != Some("Metadata") { (inside(api, field, &path, always)) }
        }
    }
}

/// The fields of an object inside another, or of a list's elements.
fn inside(api: &ApiDocument, field: &Schema, path: &str, always: bool) -> Markup {
    let field = api.resolve(field);
    match &field.items {
        Some(items) => fields(api, items, &format!("{path}[]."), always),
        None => fields(api, field, &format!("{path}."), always),
    }
}

fn meaning(api: &ApiDocument, field: &Schema) -> Markup {
    let alternative = field.one_of.iter().find(|one| one.component().is_some());
    let own = [&field.description].into_iter().chain(alternative.map(|one| &one.description));
    let description = own.chain([&api.resolve(field).description]).find(|text| !text.is_empty());
    html! {
        @if let Some(text) = description { (markdown::line(text)) }
        @if field.component() == Some("Metadata") { " " a href="/docs/fields" { "All of it." } }
        @let values = &api.resolve(alternative.unwrap_or(field)).values;
        @if values.len() > 1 {
            " One of "
            @for (index, value) in values.iter().enumerate() {
                @if index > 0 { ", " }
                code { (value.as_str().unwrap_or_default()) }
            }
            "."
        }
    }
}

/// What a value is, in few words: `whole number, 1 to 100`.
pub(crate) fn kind(api: &ApiDocument, schema: &Schema) -> String {
    let alternative = schema.one_of.iter().find(|one| one.component().is_some());
    let resolved = api.resolve(alternative.unwrap_or(schema));
    let (types, nullable) = match &resolved.types {
        Value::Array(types) => (types.iter().find(|one| *one != "null").unwrap_or(&Value::Null), true),
        one => (one, alternative.is_some()),
    };
    let mut kind = match (types.as_str().unwrap_or("object"), resolved.format.as_deref()) {
        ("string", Some("date-time")) => "time, ISO 8601".to_owned(),
        ("string", Some("binary")) => "file".to_owned(),
        ("string", Some("uuid")) => "UUID".to_owned(),
        ("string", Some("uri")) => "address".to_owned(),
        ("string", _) => "text".to_owned(),
        ("integer", _) => "whole number".to_owned(),
        ("boolean", _) => "true or false".to_owned(),
        ("array", _) => "list".to_owned(),
        (other, _) => other.to_owned(),
    };
    if let (Some(least), Some(most)) = (resolved.minimum, resolved.maximum) {
        kind.push_str(&format!(", {least} to {most}"));
    }
    if let Some(default) = &resolved.default {
        kind.push_str(&format!(", else {default}"));
    }
    if nullable {
        kind.push_str(" or null");
    }
    kind
}
