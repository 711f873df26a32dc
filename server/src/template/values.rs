//! Resolves scalar values: literals, `!Ref` and `!Sub` of parameters, the table and the bucket, and `!If` between them.

use std::collections::BTreeMap;

use yaml_serde::Value;

use super::conditions::Conditions;
use super::node::{TemplateError, YamlNode};

/// The region the embedded stores claim to be in; `AWS::Region` resolves to it.
pub(crate) const REGION: &str = "us-east-1";
/// What `AWS::StackName` resolves to.
const STACK: &str = "local";

/// What `AWS::URLSuffix` resolves to.
const URL_SUFFIX: &str = "amazonaws.com";

/// What names stand for: parameters for their defaults, the table and the bucket for their local names.
#[derive(Clone, Debug)]
pub(super) struct Resolver {
    names: BTreeMap<String, String>,
    conditions: Conditions,
}

impl Resolver {
    pub(super) fn read(root: &YamlNode<'_>) -> Result<Self, TemplateError> {
        let pseudo = [("AWS::Region", REGION), ("AWS::StackName", STACK), ("AWS::URLSuffix", URL_SUFFIX)];
        let names = pseudo.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let mut values = Self { names, conditions: Conditions::default() };
        if let Some(parameters) = root.get("Parameters")? {
            for (name, parameter) in parameters.entries()? {
                // A parameter without a default is one the local run must not need: `text` says so.
                if let Some(default) = parameter.get("Default")? {
                    let text = values.text(&default)?;
                    values.names.insert(name.to_owned(), text);
                }
            }
        }
        values.conditions = Conditions::read(root, &|node| values.text(node))?;
        let resources = root.require("Resources")?;
        for (id, _) in resources.of_type("AWS::DynamoDB::Table")? {
            values.names.insert(id.to_owned(), id.to_owned());
        }
        for (id, _) in resources.of_type("AWS::S3::Bucket")? {
            // A bucket's name has no capitals.
            values.names.insert(id.to_owned(), id.to_ascii_lowercase());
        }
        Ok(values)
    }

    /// Refuses a resource whose condition does not hold: without it nothing could be served.
    pub(super) fn check_made(&self, resource: &YamlNode<'_>) -> Result<(), TemplateError> {
        match resource.get("Condition")? {
            Some(condition) if !self.conditions.hold(&condition)? => {
                Err(condition.error("has to hold with the parameters' defaults"))
            }
            _ => Ok(()),
        }
    }

    /// The local name of the table or bucket with this logical id.
    pub(super) fn local_name(&self, id: &str) -> String {
        self.names.get(id).cloned().unwrap_or_default()
    }

    /// A value as text.
    pub(super) fn text(&self, node: &YamlNode<'_>) -> Result<String, TemplateError> {
        match node.value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Bool(flag) => Ok(flag.to_string()),
            Value::Tagged(tagged) => match &tagged.value {
                Value::String(name) if tagged.tag == "Ref" => self.named(node, name),
                Value::String(text) if tagged.tag == "Sub" => self.substituted(node, text),
                _ if tagged.tag == "If" => self.chosen(node),
                _ => Err(node.error(format!(
                    "{} is not understood here; use a literal, !Ref or !Sub of a parameter with a Default, the table or the bucket, or !If",
                    tagged.tag
                ))),
            },
            _ => Err(node.error(format!("must be a single value, not {}", node.kind()))),
        }
    }

    /// A list of values as texts.
    pub(super) fn texts(&self, node: &YamlNode<'_>) -> Result<Vec<String>, TemplateError> {
        node.items()?.iter().map(|item| self.text(item)).collect()
    }

    /// An optional list of values as texts; empty if it is not there.
    pub(super) fn optional_texts(&self, parent: &YamlNode<'_>, key: &str) -> Result<Vec<String>, TemplateError> {
        parent.get(key)?.map_or(Ok(Vec::new()), |node| self.texts(&node))
    }

    /// A value as a whole number.
    pub(super) fn number(&self, node: &YamlNode<'_>) -> Result<u64, TemplateError> {
        self.text(node)?.parse().map_err(|_| node.error("must be a whole number"))
    }

    /// A value of any shape as JSON, its scalars resolved.
    pub(super) fn json(&self, node: &YamlNode<'_>) -> Result<serde_json::Value, TemplateError> {
        Ok(match node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => (*flag).into(),
            Value::Number(number) => serde_json::to_value(number).map_err(|error| node.error(error.to_string()))?,
            Value::Sequence(_) => node.items()?.iter().map(|item| self.json(item)).collect::<Result<_, _>>()?,
            Value::Mapping(_) => node
                .entries()?
                .iter()
                .map(|(key, child)| Ok(((*key).to_owned(), self.json(child)?)))
                .collect::<Result<serde_json::Map<_, _>, _>>()?
                .into(),
            Value::String(_) | Value::Tagged(_) => self.text(node)?.into(),
        })
    }

    /// `!If [condition, one, other]`
    fn chosen(&self, node: &YamlNode<'_>) -> Result<String, TemplateError> {
        match node.untagged().items()?.as_slice() {
            [condition, one, other] => self.text(if self.conditions.hold(condition)? { one } else { other }),
            _ => Err(node.error("must have a condition and two values")),
        }
    }

    fn named(&self, node: &YamlNode<'_>, name: &str) -> Result<String, TemplateError> {
        self.names.get(name).cloned().ok_or_else(|| {
            node.error(format!(
                "`{name}` has no value on this machine: it is neither a parameter with a Default nor the table nor the bucket"
            ))
        })
    }

    /// Replaces every `${Name}`; `${!Name}` stands for itself.
    fn substituted(&self, node: &YamlNode<'_>, text: &str) -> Result<String, TemplateError> {
        let mut done = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').ok_or_else(|| node.error("has a `${` without its `}`"))?;
            done.push_str(before);
            match name.strip_prefix('!') {
                Some(literal) => done.push_str(&format!("${{{literal}}}")),
                None => done.push_str(&self.named(node, name)?),
            }
            rest = after;
        }
        done.push_str(rest);
        Ok(done)
    }
}
