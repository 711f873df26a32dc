//! The history that XMP keeps of a document: `xmpMM:History` and `xmpMM:DerivedFrom` (XMP specification part 2, 2.8).

use memchr::memmem;
use quick_xml::escape;
use quick_xml::events::{BytesStart, Event};

use super::text_string;
use super::xmp::lenient;

/// Steps kept.
const STEPS: usize = 50;
/// How much of a history is read, in bytes.
const LONGEST: usize = 64 << 10;

/// One step of the history.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct HistoryEntry {
    /// `stEvt:action`, such as `saved`.
    pub(crate) action: Option<String>,
    /// `stEvt:when`.
    pub(crate) when: Option<String>,
    /// `stEvt:softwareAgent`.
    pub(crate) agent: Option<String>,
}

impl HistoryEntry {
    /// The step on one line.
    pub(crate) fn told(&self) -> String {
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

/// The steps that a packet tells of, oldest first, and whether it is derived from another document.
pub(crate) fn read(packet: &[u8]) -> (Vec<HistoryEntry>, bool) {
    let is_derived = memmem::find(packet, b":DerivedFrom").is_some();
    let Some(start) = memmem::find(packet, b":History") else { return (Vec::new(), is_derived) };
    let text = packet.get(start..).unwrap_or_default();
    let end = memmem::find(text.get(1..).unwrap_or_default(), b":History>").map_or(text.len(), |end| end + 1);
    let text = text.get(..end.min(LONGEST)).unwrap_or(text);
    // from behind the tag's own end
    let inside = text.iter().position(|&byte| byte == b'>').map_or(text.len(), |at| at + 1);
    let text = String::from_utf8_lossy(text.get(inside..).unwrap_or_default());
    (steps(&text), is_derived)
}

fn steps(text: &str) -> Vec<HistoryEntry> {
    let mut reader = lenient(text);
    let (mut steps, mut open) = (Vec::<HistoryEntry>::new(), None);
    // an error ends it: what came before counts
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => {
                let name = tag.local_name().as_ref().to_owned();
                enter(&mut steps, &tag, &name);
                open = Some(name);
            }
            Event::Empty(tag) => {
                let name = tag.local_name().as_ref().to_owned();
                enter(&mut steps, &tag, &name);
            }
            Event::Text(text) => {
                if let (Some(step), Some(name)) = (steps.last_mut(), &open) {
                    step.set(name, &text.into_inner());
                }
            }
            Event::End(_) => open = None,
            Event::Eof => break,
            _ => {}
        }
        if steps.len() > STEPS {
            steps.truncate(STEPS);
            break;
        }
    }
    steps.retain(|step| *step != HistoryEntry::default());
    steps
}

fn enter(steps: &mut Vec<HistoryEntry>, tag: &BytesStart, name: &str) {
    if name == "li" {
        steps.push(HistoryEntry::default());
    }
    let Some(step) = steps.last_mut() else { return };
    for attribute in tag.attributes().with_checks(false).flatten() {
        let value = escape::unescape(&attribute.value).unwrap_or_default();
        step.set(attribute.key.local_name().as_ref(), &value);
    }
}
