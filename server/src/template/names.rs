//! Resolves the template's names and intrinsic functions for the local run.

use std::collections::BTreeMap;

use yaml_serde::Value;

/// The region the embedded stores claim to be in; `AWS::Region` resolves to it.
pub(crate) const REGION: &str = "us-east-1";

/// Parameters have their defaults; the API, the table and the bucket have local names.
pub(super) struct Names<'t> {
    pub(super) values: BTreeMap<String, String>,
    conditions: Option<&'t Value>,
}

impl<'t> Names<'t> {
    /// The names outside of a template with these `conditions`.
    pub(super) fn new(conditions: Option<&'t Value>) -> Self {
        let values = [("AWS::Region", REGION), ("AWS::StackName", "local"), ("AWS::URLSuffix", "amazonaws.com")];
        Self { values: values.map(|(name, value)| (name.to_owned(), value.to_owned())).into(), conditions }
    }

    /// A value as text: a literal, `!Ref` or `!Sub` of known names, or `!If`.
    pub(super) fn text(&self, value: &Value) -> Result<String, String> {
        let Value::Tagged(call) = value else {
            return match value {
                Value::String(text) => Ok(text.clone()),
                Value::Number(number) => Ok(number.to_string()),
                Value::Bool(flag) => Ok(flag.to_string()),
                Value::Null => Err("is missing".to_owned()),
                _ => Err("must be a single value".to_owned()),
            };
        };
        match (call.tag.to_string().as_str(), &call.value) {
            ("!Ref", Value::String(name)) => self.named(name),
            ("!Sub", Value::String(text)) => self.substituted(text),
            ("!If", Value::Sequence(items)) => match items.as_slice() {
                [Value::String(condition), one, other] => self.text(if self.holds(condition)? { one } else { other }),
                _ => Err("!If must have a condition and two values".to_owned()),
            },
            (function, _) => Err(format!(
                "{function} is not understood here; use a literal, !Ref or !Sub of a parameter with a Default, the table or the bucket, or !If"
            )),
        }
    }

    fn named(&self, name: &str) -> Result<String, String> {
        self.values.get(name).cloned().ok_or_else(|| {
            format!("`{name}` has no value on this machine: it is neither a parameter with a Default nor the table nor the bucket")
        })
    }

    /// Replaces every `${Name}`.
    fn substituted(&self, text: &str) -> Result<String, String> {
        let mut parts = text.split("${");
        let mut done = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, after) = part.split_once('}').ok_or("has a `${` without its `}`")?;
            done.push_str(&self.named(name)?);
            done.push_str(after);
        }
        Ok(done)
    }

    /// Whether a condition is true with the parameters' defaults.
    pub(super) fn holds(&self, name: &str) -> Result<bool, String> {
        let condition = self.conditions.and_then(|conditions| conditions.get(name));
        condition.and_then(|condition| self.is_true(condition)).ok_or_else(|| {
            format!("the condition `{name}` is not understood; use !Equals and !Not of parameters with a Default")
        })
    }

    /// Evaluates `!Equals [a, b]` and `!Not [condition]`; `None` for other conditions.
    fn is_true(&self, condition: &Value) -> Option<bool> {
        let Value::Tagged(call) = condition else { return None };
        let Value::Sequence(items) = &call.value else { return None };
        match (call.tag.to_string().as_str(), items.as_slice()) {
            ("!Equals", [one, other]) => Some(self.text(one).ok()? == self.text(other).ok()?),
            ("!Not", [condition]) => Some(!self.is_true(condition)?),
            _ => None,
        }
    }
}
