//! `docs/fields.md`: every field of the metadata, every signal and every error, by what the code says of them.

use engine::{SignalId, Strength};

use crate::refusals;
use crate::schemas::LATER;
use crate::tree::{Branch, Tree};

const INTRODUCTION: &str = "\
# Every field, signal and error

<!-- Made of the code by `cargo run -p reference -- fields`: change what it says of its types. -->

First `data.metadata` of an analysis, part by part. Every key is always there; a value that the PDF does not have is `null`.
Numbers in brackets are sections of ISO 32000-1, unless another standard is named. Then the [signals](#signals) and the
[errors](#errors). How to read them: [metadata](metadata.md), [was it changed?](integrity.md), [errors](errors.md).
";

/// Lists of more values than these stand in a guide of their own.
const FEW: usize = 12;

/// The page, of the API's document.
pub(crate) fn page(document: &Tree) -> String {
    let schemas = &document["components"]["schemas"];
    let metadata = &schemas["Metadata"];
    let (mut page, mut single) = (INTRODUCTION.to_owned(), String::new());
    for name in metadata["properties"].names() {
        let field = Field::new(schemas, &metadata["properties"][name.as_str()]);
        if field.content.get("properties").is_none() {
            single.push_str(&field.row(&name));
            continue;
        }
        let meaning = field.content["description"].text();
        let later = if field.is_nullable { format!(" {LATER}") } else { String::new() };
        page.push_str(&format!("\n## {name}\n\n{meaning}{later}\n\n{HEAD}"));
        rows(schemas, field.content, &name, &mut page);
    }
    let signals = signals(&schemas["SignalId"]);
    page + &format!("\n## Single values\n\n{HEAD}{single}\n## Signals\n\n{signals}\n## Errors\n\n{}", refusals::table())
}

/// What an answer says of each signal, which of some depends on how much it weighs.
fn signals(ids: &Tree) -> String {
    let mut table = "| `integrity.signals[].id` | what it says |\n|---|---|\n".to_owned();
    for id in ids["enum"].as_sequence().into_iter().flatten() {
        let signal: SignalId = yaml_serde::from_value(id.clone()).expect("a signal has this id");
        let strengths = [Strength::Conclusive, Strength::Strong, Strength::Weak, Strength::Neutral];
        let mut sentences = strengths.map(|strength| signal.sentence(strength)).to_vec();
        sentences.dedup();
        table.push_str(&format!("| `{}` | {} |\n", id.text(), sentences.join(" Or: ")));
    }
    table
}

const HEAD: &str = "| field | what it is | kind |\n|---|---|---|\n";

/// A row for each property of an object, with those of the objects inside it below.
fn rows(schemas: &Tree, object: &Tree, path: &str, page: &mut String) {
    for name in object["properties"].names() {
        let field = Field::new(schemas, &object["properties"][name.as_str()]);
        let mut path = format!("{path}.{name}");
        page.push_str(&field.row(&path));
        if field.items.is_some() {
            path.push_str("[]");
        }
        let inside = field.items.unwrap_or(field.content);
        if inside.get("properties").is_some() {
            rows(schemas, inside, &path, page);
        }
    }
}

/// A property of an object.
struct Field<'t> {
    /// What is said of it where it stands.
    own: &'t str,
    /// The schema that it has or refers to.
    content: &'t Tree,
    /// That of its elements, if it is a list.
    items: Option<&'t Tree>,
    is_nullable: bool,
}

impl<'t> Field<'t> {
    fn new(schemas: &'t Tree, property: &'t Tree) -> Self {
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

    fn row(&self, path: &str) -> String {
        format!("| `{path}` | {} | {} |\n", self.meaning().replace('\n', " ").replace('|', "\\|"), self.kind())
    }

    /// What is said of it, and which values it may have if they are few.
    fn meaning(&self) -> String {
        let own = if self.own.is_empty() { self.content["description"].text() } else { self.own };
        let values = self.items.unwrap_or(self.content).get("enum").and_then(Tree::as_sequence);
        let values: Vec<String> = values.into_iter().flatten().map(|value| format!("`{}`", value.text())).collect();
        let lead = if self.items.is_some() { "Each is one of" } else { "One of" };
        match values.len() {
            2..=FEW => format!("{own} {lead} {}.", values.join(", ")),
            _ => own.to_owned(),
        }
    }

    fn kind(&self) -> String {
        let types = &self.content["type"];
        let many = types.as_sequence().into_iter().flatten().find(|one| one.text() != "null");
        let kind = match (many.unwrap_or(types).text(), self.content["format"].text()) {
            ("string", "date-time") => "time",
            ("string", _) => "text",
            ("integer", _) => "whole number",
            ("boolean", _) => "true or false",
            ("array", _) => "list",
            (other, _) => other,
        };
        format!("{kind}{}", if self.is_nullable { ", or null" } else { "" })
    }
}

fn resolved<'t>(schemas: &'t Tree, schema: &'t Tree) -> &'t Tree {
    schema["$ref"].text().rsplit_once('/').map_or(schema, |(_, name)| &schemas[name])
}
