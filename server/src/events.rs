//! The events of `events/`, one for each route, as API Gateway sends them: embedded, and made anew
//! for a token, a file, an id.

mod draft;

use serde_json::Value;

pub use draft::{Draft, Misfit};

/// Name and text of each of these files.
macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../events/", $name, ".json")))),*]
    };
}

const EVENTS: [(&str, &str); 31] = embedded![
    "pdf-analyze",
    "pdf-list",
    "pdf-show",
    "pdf-stage",
    "tokens-create",
    "tokens-list",
    "tokens-revoke",
    "user-show",
    "web-account",
    "web-account-delete",
    "web-analysis",
    "web-analysis-json",
    "web-analyze",
    "web-asset",
    "web-dashboard",
    "web-docs",
    "web-docs-page",
    "web-health",
    "web-home",
    "web-login",
    "web-login-page",
    "web-logout",
    "web-logout-page",
    "web-openapi",
    "web-password",
    "web-register",
    "web-register-page",
    "web-stage",
    "web-token-create",
    "web-token-revoke",
    "web-tokens",
];

/// The names of all events, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|(name, _)| *name)
}

/// The event as its file has it; `None` if there is none of this name.
#[must_use]
pub fn sample(name: &str) -> Option<Value> {
    let (_, text) = EVENTS.iter().find(|(other, _)| *other == name)?;
    serde_json::from_str(text).ok()
}
