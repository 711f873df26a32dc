//! One value of the template together with the path that leads to it, for errors that say where.

use yaml_serde::Value;

/// A template that cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("template.yaml: {place}: {problem}")]
pub struct TemplateError {
    place: String,
    problem: String,
}

impl TemplateError {
    pub(super) fn not_yaml(error: &yaml_serde::Error) -> Self {
        Self { place: "the file".to_owned(), problem: format!("is not YAML: {error}") }
    }
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct YamlNode<'t> {
    place: String,
    pub(super) value: &'t Value,
}

impl<'t> YamlNode<'t> {
    pub(super) fn root(value: &'t Value) -> Self {
        Self { place: String::new(), value }
    }

    /// An error at this place.
    pub(super) fn error(&self, problem: impl Into<String>) -> TemplateError {
        TemplateError {
            place: if self.place.is_empty() { "the top level".to_owned() } else { self.place.clone() },
            problem: problem.into(),
        }
    }

    /// The child of a mapping; `None` if it has no such key.
    pub(super) fn get(&self, key: &str) -> Result<Option<Self>, TemplateError> {
        Ok(self.mapping()?.get(key).map(|value| self.child(key, value)))
    }

    /// The child of a mapping, which must be there.
    pub(super) fn require(&self, key: &str) -> Result<Self, TemplateError> {
        self.get(key)?.ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// The children of a mapping with their keys, in order.
    pub(super) fn entries(&self) -> Result<Vec<(&'t str, Self)>, TemplateError> {
        self.mapping()?
            .iter()
            .map(|(key, value)| match key.as_str() {
                Some(key) => Ok((key, self.child(key, value))),
                None => Err(self.error("has a key that is not a text; quote it")),
            })
            .collect()
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Result<Vec<Self>, TemplateError> {
        let items = self
            .value
            .as_sequence()
            .filter(|_| !self.is_tagged())
            .ok_or_else(|| self.error(format!("must be a list, not {}", self.kind())))?;
        let item = |(index, value): (usize, &'t Value)| self.child(&index.to_string(), value);
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// Refuses every key of a mapping that is not in `known`.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), TemplateError> {
        for (key, child) in self.entries()? {
            if !known.contains(&key) {
                return Err(child.error(format!(
                    "the server does not understand this here; remove it or teach server/src/template to read it (it knows {})",
                    known.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// The resources of one type, with their logical ids.
    pub(super) fn of_type(&self, kind: &str) -> Result<Vec<(&'t str, Self)>, TemplateError> {
        let mut found = Vec::new();
        for (id, resource) in self.entries()? {
            if resource.require("Type")?.value.as_str() == Some(kind) {
                found.push((id, resource));
            }
        }
        Ok(found)
    }

    /// The one resource of a type.
    pub(super) fn one_of_type(&self, kind: &str) -> Result<(&'t str, Self), TemplateError> {
        let mut found = self.of_type(kind)?;
        match (found.pop(), found.is_empty()) {
            (Some(one), true) => Ok(one),
            (None, _) => Err(self.error(format!("needs one resource of type {kind}"))),
            (Some(_), false) => Err(self.error(format!("may have one resource of type {kind} only"))),
        }
    }

    /// What kind of value this is, for a sentence.
    pub(super) fn kind(&self) -> String {
        match self.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => "a single value".to_owned(),
            Value::Sequence(_) => "a list".to_owned(),
            Value::Mapping(_) => "a mapping".to_owned(),
            Value::Tagged(tagged) => tagged.tag.to_string(),
        }
    }

    /// The value that the tag of this one is given.
    pub(super) fn untagged(&self) -> Self {
        match self.value {
            Value::Tagged(tagged) => Self { place: self.place.clone(), value: &tagged.value },
            _ => self.clone(),
        }
    }

    /// A tag is a function of CloudFormation; yaml_serde looks through it.
    fn is_tagged(&self) -> bool {
        matches!(self.value, Value::Tagged(_))
    }

    fn mapping(&self) -> Result<&'t yaml_serde::Mapping, TemplateError> {
        self.value
            .as_mapping()
            .filter(|_| !self.is_tagged())
            .ok_or_else(|| self.error(format!("must be a mapping, not {}", self.kind())))
    }

    fn child(&self, key: &str, value: &'t Value) -> Self {
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        Self { place, value }
    }
}
