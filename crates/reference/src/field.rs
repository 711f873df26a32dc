//! A field of an object as a table row: name, description, type.

use crate::tree::{Branch, Tree};

/// Longer lists of values are in a guide of their own.
const MAX_INLINE_VALUES: usize = 12;

/// The header of the table.
pub(crate) const HEAD: &str = "| field | what it is | kind |\n|---|---|---|\n";

/// A property of an object, or a parameter.
pub(crate) struct Field<'t> {
    /// Its description in place.
    pub(crate) own: &'t str,
    /// Its schema, resolved.
    pub(crate) content: &'t Tree,
    /// The schema of its elements, if it is a list.
    items: Option<&'t Tree>,
    pub(crate) is_nullable: bool,
}

/// A row for each property of an object, with those of the objects inside it below. Their names have a prefix; optional
/// fields of sent objects are marked.
pub(crate) fn rows(schemas: &Tree, object: &Tree, (prefix, is_sent): (&str, bool), page: &mut String) {
    for part in object.get("allOf").and_then(Tree::as_sequence).into_iter().flatten() {
        rows(schemas, resolved(schemas, part), (prefix, is_sent), page);
    }
    for name in object.get("properties").map(Branch::names).unwrap_or_default() {
        let field = Field::new(schemas, &object["properties"][name.as_str()]);
        let required = object.get("required").and_then(Tree::as_sequence);
        let is_optional = is_sent && !required.is_some_and(|all| all.contains(&name.as_str().into()));
        let mut path = format!("{prefix}{name}");
        page.push_str(&field.row(&path, if is_optional { ", optional" } else { "" }));
        path.push_str(if field.items.is_some() { "[]." } else { "." });
        if std::ptr::eq(field.content, &schemas["Metadata"]) {
            page.push_str(&format!("| `{path}…` | [All fields of it](../../../docs/fields.md). | |\n"));
        } else {
            rows(schemas, field.items.unwrap_or(field.content), (&path, is_sent), page);
        }
    }
}

impl<'t> Field<'t> {
    pub(crate) fn new(schemas: &'t Tree, property: &'t Tree) -> Self {
        let choices = property.get("oneOf").and_then(Tree::as_sequence);
        let one = choices.and_then(|choices| choices.iter().find(|one| one.get("$ref").is_some())).unwrap_or(property);
        let content = resolved(schemas, one);
        let own = [property, one].into_iter().map(|schema| schema["description"].text()).find(|text| !text.is_empty());
        Self {
            own: own.unwrap_or_default(),
            content,
            items: content.get("items").map(|items| resolved(schemas, items)),
            is_nullable: choices.is_some() || content["type"].is_sequence(),
        }
    }

    /// Its row, with an addition to its type.
    pub(crate) fn row(&self, path: &str, more: &str) -> String {
        format!("| `{path}` | {} | {}{more} |\n", self.meaning().replace('\n', " ").replace('|', "\\|"), self.kind())
    }

    /// Its description, with its values if they are few.
    fn meaning(&self) -> String {
        let own = if self.own.is_empty() { self.content["description"].text() } else { self.own };
        let values = self.items.unwrap_or(self.content).get("enum").and_then(Tree::as_sequence);
        let values: Vec<String> = values.into_iter().flatten().map(|value| format!("`{}`", value.text())).collect();
        let lead = if self.items.is_some() { "Each is one of" } else { "One of" };
        match values.len() {
            2..=MAX_INLINE_VALUES => format!("{own} {lead} {}.", values.join(", ")),
            _ => own.to_owned(),
        }
    }

    fn kind(&self) -> String {
        let types = &self.content["type"];
        let many = types.as_sequence().into_iter().flatten().find(|one| one.text() != "null");
        let mut kind = match (many.unwrap_or(types).text(), self.content["format"].text()) {
            ("string", "date-time") => "time",
            ("string", "binary") => "file",
            ("string", "uuid") => "UUID",
            ("string", "uri") => "address",
            ("string", _) => "text",
            ("integer", _) => "whole number",
            ("boolean", _) => "true or false",
            ("array", _) => "list",
            ("", _) => "object",
            (other, _) => other,
        }
        .to_owned();
        if let (Some(least), Some(most)) = (self.content["minimum"].as_u64(), self.content["maximum"].as_u64()) {
            kind.push_str(&format!(", {least} to {most}"));
        }
        if let Some(default) = self.content["default"].as_u64() {
            kind.push_str(&format!(", else {default}"));
        }
        kind + if self.is_nullable { ", or null" } else { "" }
    }
}

/// Resolves a reference to a schema.
pub(crate) fn resolved<'t>(schemas: &'t Tree, schema: &'t Tree) -> &'t Tree {
    schema["$ref"].text().rsplit_once('/').map_or(schema, |(_, name)| &schemas[name])
}
