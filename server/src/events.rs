//! The events of `events/`, one for each route, as API Gateway sends them: embedded, and rebuilt with a token, a file
//! or an id.

mod draft;

use serde_json::Value;

pub use draft::{EventDraft, NotApplicable};

/// Name and text of each of these files, in alphabetical order: listed by `build.rs`.
const EVENTS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/events.rs"));

/// The names of all events, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|(name, _)| *name)
}

/// The event in its file; `None` if there is none of this name.
#[must_use]
pub fn sample(name: &str) -> Option<Value> {
    let (_, text) = EVENTS.iter().find(|(other, _)| *other == name)?;
    serde_json::from_str(text).ok()
}
