//! An analysis' metadata, group by group, in words.

use maud::{Markup, html};
use serde_json::Value;

use crate::dates::{apart, written};

/// The lines of a group: label, and JSON pointer (RFC 6901) of the value in the metadata.
type Labels<'a> = &'a [(&'a str, &'a str)];

const DOCUMENT: Labels<'_> = &[
    ("Title", "/document/title"),
    ("Author", "/document/author"),
    ("Subject", "/document/subject"),
    ("Keywords", "/document/keywords"),
    ("Created with", "/document/creator"),
    ("PDF made by", "/document/producer"),
    ("Language", "/document/language"),
];
const PERMISSIONS: Labels<'_> = &[
    ("Print", "/security/permissions/print"),
    ("Print in high quality", "/security/permissions/print_high_quality"),
    ("Change", "/security/permissions/modify"),
    ("Copy text and images", "/security/permissions/copy"),
    ("Annotate", "/security/permissions/annotate"),
    ("Fill in forms", "/security/permissions/fill_forms"),
    ("Read by assistive technology", "/security/permissions/accessibility"),
    ("Assemble pages", "/security/permissions/assemble"),
];
const FEATURES: Labels<'_> = &[
    ("Tagged for accessibility", "/features/tagged"),
    ("Digital signatures", "/features/signatures"),
    ("JavaScript", "/features/javascript"),
    ("Attached files", "/features/attachments"),
    ("Outline", "/features/outlines"),
    ("Layers", "/features/layers"),
    ("Pages are images without text", "/features/image_only"),
];
const CONFORMANCE: Labels<'_> =
    &[("PDF/A", "/conformance/pdf_a"), ("PDF/UA", "/conformance/pdf_ua"), ("PDF/X", "/conformance/pdf_x")];
const XMP: Labels<'_> = &[
    ("Creator tool", "/xmp/creator_tool"),
    ("Created", "/xmp/create_date"),
    ("Modified", "/xmp/modify_date"),
    ("Document id", "/xmp/document_id"),
    ("Instance id", "/xmp/instance_id"),
];
const STRUCTURE: Labels<'_> = &[
    ("Objects", "/structure/objects"),
    ("Revisions", "/structure/revisions"),
    ("Cross-references", "/structure/xref"),
    ("Bytes before the header", "/structure/header_offset"),
    ("Original id", "/structure/document_id/original"),
    ("Current id", "/structure/document_id/current"),
];

/// All groups.
pub(super) fn groups(metadata: &Value) -> Markup {
    html! {
        div.groups {
            (group("Document", &html! { dl { (values(metadata, DOCUMENT)) } }))
            (group("Dates", &dates(metadata)))
            (group("Pages", &pages(metadata)))
            (group("Security", &security(metadata)))
            (group("Features", &html! { (ticks(metadata, FEATURES)) dl { dt { "Form" } dd { (form(metadata)) } } }))
            (group("Conformance", &html! {
                dl { (values(metadata, CONFORMANCE)) }
                p.small.muted { "What the file claims; not validated." }
            }))
            (group("Structure", &structure(metadata)))
            (group("XMP", &xmp(metadata)))
        }
    }
}

fn group(title: &str, content: &Markup) -> Markup {
    html! { section { h3 { (title) } (content) } }
}

fn dates(metadata: &Value) -> Markup {
    let date = |name: &str| {
        let field = |key: &str| text(metadata, &format!("/dates/{name}/{key}"));
        match (field("iso8601"), field("raw")) {
            (Some(iso8601), raw) => written(iso8601, raw.unwrap_or(iso8601)),
            (None, Some(raw)) => html! { (raw) " " span.muted { "(not readable as a date)" } },
            (None, None) => none(),
        }
    };
    let between = text(metadata, "/dates/created/iso8601").zip(text(metadata, "/dates/modified/iso8601"));
    html! {
        dl {
            dt { "Created" } dd { (date("created")) }
            dt { "Modified" } dd { (date("modified")) }
        }
        @if flag(metadata, "/dates/was_modified") {
            p {
                "By its own dates it was saved again"
                @if let Some(gap) = between.and_then(|(from, to)| apart(from, to)) { ", " (gap) " later" }
                "."
            }
        } @else if between.is_some() {
            p { "Its dates show no later save." }
        }
        p.small.muted { "Programs write these dates; they can be wrong or made up, and prove nothing." }
    }
}

fn pages(metadata: &Value) -> Markup {
    let size = |name: &str| metadata.pointer(&format!("/page/{name}")).and_then(Value::as_f64);
    html! {
        dl {
            (values(metadata, &[("Pages", "/basic/pages"), ("PDF version", "/basic/pdf_version"), ("Format", "/page/format")]))
            dt { "First page" }
            dd {
                @match (size("width_pt"), size("height_pt")) {
                    (Some(width), Some(height)) => {
                        (millimetres(width)) " × " (millimetres(height)) " mm"
                        " " span.muted { "(" (width) " × " (height) " pt)" }
                    }
                    _ => (none())
                }
            }
            dt { "Rotation" }
            dd { (value(metadata, "/page/rotation")) "°" }
        }
    }
}

fn security(metadata: &Value) -> Markup {
    html! {
        @if flag(metadata, "/security/encrypted") {
            dl { (values(metadata, &[("Encryption", "/security/algorithm"), ("Key bits", "/security/key_bits")])) }
        } @else {
            p { "Not encrypted." }
        }
        h4 { "What readers are asked to allow" }
        (ticks(metadata, PERMISSIONS))
    }
}

fn structure(metadata: &Value) -> Markup {
    html! {
        (ticks(metadata, &[("Linearized for the web", "/structure/linearized")]))
        dl { (values(metadata, STRUCTURE)) }
        @if flag(metadata, "/structure/repaired") {
            p { strong { "Damaged" } ": the file's index could not be used, so it was searched object by object." }
        }
        @if flag(metadata, "/structure/truncated") {
            p { strong { "Cut short" } ": the file's end is missing, as after a broken transfer." }
        }
    }
}

fn xmp(metadata: &Value) -> Markup {
    html! {
        @if flag(metadata, "/xmp/present") { dl { (values(metadata, XMP)) } } @else { p { "The file has no XMP packet." } }
    }
}

fn form(metadata: &Value) -> Markup {
    match text(metadata, "/features/form") {
        Some("acroform") => html! { "AcroForm" },
        Some("xfa") => html! { "XFA" },
        _ => html! { "No" },
    }
}

fn values(metadata: &Value, labels: Labels<'_>) -> Markup {
    html! { @for (label, path) in labels { dt { (label) } dd { (value(metadata, path)) } } }
}

fn value(metadata: &Value, path: &str) -> Markup {
    match metadata.pointer(path) {
        Some(Value::String(text)) => html! { (text) },
        Some(Value::Number(number)) => html! { (number) },
        _ => none(),
    }
}

/// Boolean values with check marks, and words for screen readers.
fn ticks(metadata: &Value, labels: Labels<'_>) -> Markup {
    html! {
        ul.ticks {
            @for (label, path) in labels {
                @let set = flag(metadata, path);
                li.set[set] {
                    span aria-hidden="true" { @if set { "✓" } @else { "–" } }
                    span { (label) span.visually-hidden { @if set { ": yes" } @else { ": no" } } }
                }
            }
        }
    }
}

fn none() -> Markup {
    html! { span.muted { "not given" } }
}

fn text<'m>(metadata: &'m Value, path: &str) -> Option<&'m str> {
    metadata.pointer(path).and_then(Value::as_str)
}

fn flag(metadata: &Value, path: &str) -> bool {
    metadata.pointer(path).and_then(Value::as_bool).unwrap_or_default()
}

/// A point is 1/72 of an inch.
fn millimetres(points: f64) -> String {
    format!("{:.0}", points * 25.4 / 72.0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::groups;

    /// Values that no page shows, and why.
    const NOT_SHOWN: [(&str, &str); 7] = [
        ("/dates/created/parsed", "an unreadable date is said to be one"),
        ("/dates/modified/parsed", "an unreadable date is said to be one"),
        ("/engine", "tells programs which rules applied"),
        ("/features/examined", "tells programs what was searched"),
        ("/features/signature_fields", "an empty field is part of the form"),
        ("/page_count", "the same as /basic/pages"),
        ("/security/permissions_verified", "tells programs whether the permissions can be relied on"),
    ];

    /// Metadata that has every value there is, and where each of them stands.
    fn full(api: &Value, schema: &Value, path: &str, leaves: &mut Vec<String>) -> Value {
        // parts of the page of their own
        if ["/integrity", "/hidden", "/file"].contains(&path) {
            return Value::Null;
        }
        let alternatives = schema["oneOf"].as_array().into_iter().flatten();
        let schema = alternatives
            .chain([schema])
            .find_map(|one| api.pointer(one["$ref"].as_str()?.strip_prefix('#')?))
            .unwrap_or(schema);
        if let Some(fields) = schema["properties"].as_object() {
            let field = |(name, field)| (String::clone(name), full(api, field, &format!("{path}/{name}"), leaves));
            return Value::Object(fields.iter().map(field).collect());
        }
        leaves.push(path.to_owned());
        match schema["type"].to_string() {
            types if types.contains("boolean") => json!(true),
            types if types.contains("integer") || types.contains("number") => json!(7),
            // the first of several values may be `none`, which looks like one that no page knows
            types if types.contains("string") => {
                schema["enum"].as_array().and_then(|values| values.last()).cloned().unwrap_or_else(|| json!("text"))
            }
            types => panic!("{path}: of what type is {types}?"),
        }
    }

    fn another(value: &Value) -> Value {
        match value {
            Value::Bool(set) => json!(!set),
            Value::Number(_) => json!(8),
            _ => json!("another"),
        }
    }

    #[test]
    fn every_field_is_shown_or_left_out_on_purpose() {
        let api: Value = serde_json::from_str(include_str!("../../../../docs/openapi.json")).unwrap();
        let mut leaves = Vec::new();
        let metadata = full(&api, &api["components"]["schemas"]["Metadata"], "", &mut leaves);
        let page = groups(&metadata).into_string();
        let hidden = leaves.iter().filter(|leaf| {
            let mut changed = metadata.clone();
            let value = changed.pointer_mut(leaf).unwrap();
            *value = another(value);
            groups(&changed).into_string() == page
        });
        // a page that says the same whatever the value is does not show it
        let hidden: Vec<&str> = hidden.map(String::as_str).collect();
        assert_eq!(hidden, NOT_SHOWN.map(|(path, _)| path));
    }
}
