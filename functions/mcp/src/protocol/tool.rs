//! Tools: their descriptions for clients, and their results.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The effect of a tool on stored data (2026-07-28, schema, `ToolAnnotations`). No tool deletes anything, and none
/// reaches beyond the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read-only.
    Reads,
    /// Idempotent: only the first call with the same arguments has an effect.
    WritesOnce,
    /// Each call has an effect.
    Writes,
}

/// A tool in the list.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// What it does and when to call it.
    pub description: &'static str,
    /// Its effect on stored data.
    pub effect: Effect,
    /// The properties of its arguments (JSON Schema 2020-12), and which of them are required.
    pub arguments: (Value, &'static [&'static str]),
    /// The schema of its structured result.
    pub result: Value,
}

impl Tool {
    pub(super) fn takes(&self, argument: &str) -> bool {
        self.arguments.0.get(argument).is_some()
    }

    pub(super) fn listed(&self) -> Value {
        let (properties, required) = &self.arguments;
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {
                "type": "object", "properties": properties, "required": required, "additionalProperties": false
            },
            "outputSchema": self.result,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.effect == Effect::Reads,
                "destructiveHint": false,
                "idempotentHint": self.effect != Effect::Writes,
                "openWorldHint": false
            }
        })
    }
}

/// The result of a call: `answer`, structured, and the same as text for clients without support of structured results.
#[must_use]
pub fn succeeded(answer: &Value) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("content".to_owned(), json!([{ "type": "text", "text": answer.to_string() }]));
    result.insert("structuredContent".to_owned(), answer.clone());
    result.insert("isError".to_owned(), false.into());
    result
}

/// The result of a call that failed: the error, as a text.
#[must_use]
pub fn failed(error: &impl Serialize) -> Map<String, Value> {
    let text = serde_json::to_string(error).unwrap_or_default();
    let mut result = Map::new();
    result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
    result.insert("isError".to_owned(), true.into());
    result
}
