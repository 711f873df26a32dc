//! The document's history in XMP, `xmpMM:History` (XMP specification part 2, 2.8).

use super::text_string;
use super::xmp_namespace::Namespace;
use super::xmp_reader::Element;

/// Steps kept.
const MAX_STEPS: usize = 50;
/// Maximum bytes of a value.
const MAX_VALUE_BYTES: usize = 4 << 10;

/// One step of the history.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// `stEvt:action`, such as `saved`.
    pub action: Option<String>,
    /// `stEvt:when`.
    pub when: Option<String>,
    /// `stEvt:softwareAgent`.
    pub(crate) agent: Option<String>,
}

impl HistoryEntry {
    /// The step on one line.
    pub fn told(&self) -> String {
        let parts = [&self.action, &self.when, &self.agent];
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    fn set(&mut self, name: &str, value: &str) {
        let place = match name {
            "action" => &mut self.action,
            "when" => &mut self.when,
            "softwareAgent" => &mut self.agent,
            _ => return,
        };
        if place.is_none() {
            *place = text_string::line(value);
        }
    }
}

/// Reads the steps.
#[derive(Debug, Default)]
pub(super) struct HistoryReader {
    steps: Vec<HistoryEntry>,
    /// The open field of the last step, with its depth and its text.
    field: Option<(String, usize, String)>,
    is_full: bool,
}

impl HistoryReader {
    /// The steps, oldest first.
    pub(super) fn finish(mut self) -> Vec<HistoryEntry> {
        self.steps.retain(|step| *step != HistoryEntry::default());
        self.steps
    }

    /// Takes an element in the property: a step, or a field of one.
    pub(super) fn open(&mut self, depth: usize, element: &Element) {
        if self.field.is_some() || self.is_full {
            return;
        }
        match (element.namespace, element.name) {
            (Namespace::Rdf, "li") if self.steps.len() == MAX_STEPS => {
                self.is_full = true;
                return;
            }
            (Namespace::Rdf, "li") => self.steps.push(HistoryEntry::default()),
            (Namespace::StEvt, name) => self.field = Some((name.to_owned(), depth, String::new())),
            _ => {}
        }
        let Some(step) = self.steps.last_mut() else { return };
        for (_, name, value) in element.attributes().filter(|(namespace, ..)| *namespace == Namespace::StEvt) {
            step.set(name, &value);
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some((.., value)) = self.field.as_mut().filter(|(.., value)| value.len() + text.len() <= MAX_VALUE_BYTES)
        {
            value.push_str(text);
        }
    }

    pub(super) fn close(&mut self, depth: usize) {
        if let Some((name, _, value)) = self.field.take_if(|(_, field, _)| *field == depth)
            && let Some(step) = self.steps.last_mut()
        {
            step.set(&name, &value);
        }
    }
}
