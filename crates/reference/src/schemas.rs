//! Completes the schemas with what types cannot express: answers always have every key, though its value may be null.

use shared::analysis::LATER_KEYS;

use crate::tree::{Branch, Tree, component, object, read, write};

/// The note on a key that analyses stored by earlier versions lack.
pub(crate) const LATER: &str = "Null in analyses stored before this key existed.";

/// The objects that clients send: a nullable key may also be omitted.
const SENT_OBJECTS: [&str; 8] = [
    "UploadForm",
    "StagedFile",
    "PairForm",
    "StagedPair",
    "UploadRequest",
    "TokenRequest",
    "ShareRequest",
    "TrustRequest",
];

/// Names envelopes after their content: `UserAnswer` for `Answer_User`, `TokenListAnswer` for `Answer_Vec_Token`. An
/// envelope references its content.
pub(crate) fn renamed(document: &Tree) -> Tree {
    let mut text = write(document);
    let mut contents = Vec::new();
    for name in document["components"]["schemas"].names() {
        let Some((envelope, content)) = name.split_once("Answer_") else { continue };
        let (new, data) = match content.strip_prefix("Vec_") {
            Some(item) => (format!("{item}ListAnswer"), list_of(item)),
            // of what was just made
            None if envelope == "Analyzed" && content == "Analysis" => {
                ("AnalyzedAnswer".to_owned(), component("schemas", content))
            }
            None => (format!("{content}Answer"), component("schemas", content)),
        };
        text = text.replace(&format!("{name}\""), &format!("{new}\""));
        contents.push((new, data));
    }
    let mut document = read(&text);
    let schemas = &mut document["components"]["schemas"];
    for (name, data) in contents {
        schemas[name.as_str()]["properties"].entries().insert("data".into(), data);
    }
    schemas.sort();
    document
}

fn list_of(item: &str) -> Tree {
    object([("type", "array".into()), ("items", component("schemas", item))])
}

/// Completes the schemas of the document.
pub(crate) fn complete(document: &mut Tree) {
    simplify(document);
    let schemas = &mut document["components"]["schemas"];
    for key in LATER_KEYS {
        let property = &mut schemas["Metadata"]["properties"][key];
        *property = nullable(property);
    }
    for name in schemas.names() {
        if !SENT_OBJECTS.contains(&name.as_str()) {
            require_nullable(&mut schemas[name.as_str()]);
        }
    }
}

/// A key that analyses stored by earlier versions lack.
fn nullable(schema: &Tree) -> Tree {
    let description = format!("{} {LATER}", schema["description"].text());
    let mut schema = schema.clone();
    schema["description"] = description.into();
    if let Some(one) = schema.get("type").cloned() {
        schema["type"] = Tree::Sequence(vec![one, "null".into()]);
        return schema;
    }
    object([("oneOf", Tree::Sequence(vec![object([("type", "null".into())]), schema]))])
}

/// Replaces choices of one; a parameter is sent or omitted, never null.
fn simplify(tree: &mut Tree) {
    let only = tree.get("oneOf").and_then(Tree::as_sequence).filter(|found| found.len() == 1);
    if let Some(only) = only.map(|found| found[0].clone()) {
        tree.entries().shift_remove("oneOf");
        tree.entries().extend(only.as_mapping().cloned().unwrap_or_default());
    }
    if tree.get("in").is_some() && tree.get("schema").is_some_and(is_nullable) {
        tree["schema"]["type"] = tree["schema"]["type"][0].clone();
    }
    // utoipa formats links differently
    if let Some(id) = tree.as_mapping_mut().and_then(|link| link.shift_remove("operation_id")) {
        tree.entries().insert("operationId".into(), id);
    }
    match tree {
        Tree::Mapping(entries) => entries.values_mut().for_each(simplify),
        Tree::Sequence(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

fn require_nullable(schema: &mut Tree) {
    let Some(properties) = schema.get("properties") else { return };
    let required = schema.get("required").and_then(Tree::as_sequence).cloned().unwrap_or_default();
    let listed = |name: &String| required.contains(&name.as_str().into());
    let names = properties.names().into_iter();
    let all: Vec<Tree> =
        names.filter(|name| listed(name) || is_nullable(&properties[name.as_str()])).map(Tree::from).collect();
    if !all.is_empty() {
        schema.entries().insert("required".into(), Tree::Sequence(all));
    }
}

fn is_nullable(schema: &Tree) -> bool {
    let alternatives = schema.get("oneOf").and_then(Tree::as_sequence);
    let types = schema.get("type").and_then(Tree::as_sequence);
    types.is_some_and(|types| types.contains(&"null".into()))
        || alternatives.is_some_and(|found| found.iter().any(|one| one.get("type") == Some(&"null".into())))
}
