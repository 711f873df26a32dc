//! `template.yaml` as a tree, for tests that look at what the server does not read.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use yaml_serde::Value as Yaml;

/// Actions by function, such as `PdfFunction` → `s3:GetObject`.
pub type Actions = BTreeMap<String, BTreeSet<String>>;

/// The whole template; `!Ref Table` is `{"!Ref": "Table"}`.
#[must_use]
pub fn tree() -> Value {
    parsed(server::template::TEXT)
}

/// A template as a tree.
///
/// # Panics
/// The text is no YAML.
#[must_use]
pub fn parsed(text: &str) -> Value {
    plain(&yaml_serde::from_str(text).unwrap())
}

/// The resources of a type, by logical id.
#[must_use]
pub fn resources(kind: &str) -> Vec<(String, Value)> {
    let tree = tree();
    let resources = tree["Resources"].as_object().unwrap().iter();
    let wanted = resources.filter(|(_, resource)| resource["Type"] == kind);
    wanted.map(|(id, resource)| (id.clone(), resource["Properties"].clone())).collect()
}

/// The permitted actions of each function.
#[must_use]
pub fn allowed() -> Actions {
    let functions = resources("AWS::Serverless::Function");
    functions.into_iter().map(|(id, properties)| (id, actions(&properties["Policies"]))).collect()
}

/// The actions that the policies of a function or a state machine permit.
///
/// # Panics
/// A statement permits nothing.
#[must_use]
pub fn actions(policies: &Value) -> BTreeSet<String> {
    let policies = policies.as_array().into_iter().flatten();
    // one under a condition counts
    let policies = policies.map(|policy| policy["!If"].get(1).unwrap_or(policy));
    let statements = policies.flat_map(|policy| policy["Statement"].as_array());
    let actions = statements.flatten().flat_map(|statement| {
        assert_eq!(statement["Effect"], "Allow");
        statement["Action"].as_array().into_iter().flatten()
    });
    actions.map(|action| action.as_str().unwrap().to_owned()).collect()
}

fn plain(value: &Yaml) -> Value {
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(flag) => json!(flag),
        Yaml::Number(number) => json!(number),
        Yaml::String(text) => json!(text),
        Yaml::Sequence(items) => items.iter().map(plain).collect(),
        Yaml::Mapping(entries) => {
            entries.iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), plain(value))).collect()
        }
        Yaml::Tagged(tagged) => {
            json!({ format!("!{}", tagged.tag.to_string().trim_start_matches('!')): plain(&tagged.value) })
        }
    }
}
