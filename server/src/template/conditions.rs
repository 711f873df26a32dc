//! The template's conditions, with the parameters' defaults: what `!If` chooses, and what is made here at all.

use std::collections::BTreeMap;

use yaml_serde::Value;

use super::node::{TemplateError, YamlNode};

/// What a value of the template stands for.
type Text<'t> = dyn Fn(&YamlNode<'_>) -> Result<String, TemplateError> + 't;

/// Which conditions hold; those that are not understood are left out, and naming one is an error.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions(BTreeMap<String, bool>);

impl Conditions {
    /// Reads them; `text` says what a value stands for.
    pub(super) fn read(root: &YamlNode<'_>, text: &Text<'_>) -> Result<Self, TemplateError> {
        let mut conditions = Self::default();
        if let Some(declared) = root.get("Conditions")? {
            for (name, condition) in declared.entries()? {
                if let Some(holds) = holds(&condition, text)? {
                    conditions.0.insert(name.to_owned(), holds);
                }
            }
        }
        Ok(conditions)
    }

    /// Whether the condition that is named here holds.
    pub(super) fn hold(&self, node: &YamlNode<'_>) -> Result<bool, TemplateError> {
        let name = node.value.as_str().unwrap_or_default();
        self.0.get(name).copied().ok_or_else(|| {
            node.error(format!(
                "the condition `{name}` is not understood; use !Equals and !Not of parameters with a Default"
            ))
        })
    }
}

/// `!Equals [a, b]` and `!Not [condition]`; `None` for anything else.
fn holds(condition: &YamlNode<'_>, text: &Text<'_>) -> Result<Option<bool>, TemplateError> {
    let Value::Tagged(tagged) = condition.value else { return Ok(None) };
    let items = condition.untagged().items()?;
    Ok(match (tagged.tag.to_string().trim_start_matches('!'), items.as_slice()) {
        ("Equals", [one, other]) => Some(text(one)? == text(other)?),
        ("Not", [condition]) => holds(condition, text)?.map(|holds| !holds),
        _ => None,
    })
}
