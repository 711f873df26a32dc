//! The format of an answer, by the sender of the request.

use shared::http::{BASE_PATH, Call, is_json};

use crate::health;
use crate::session::CSRF_HEADER;

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseFormat {
    /// A page for a person.
    Page,
    /// JSON for the script of a page.
    ScriptJson,
    /// JSON of the API, for programs and health checks.
    ApiJson,
}

impl ResponseFormat {
    pub(crate) fn of(call: &Call) -> Self {
        match call.path() {
            path if is_api(path) || path == health::PATH => Self::ApiJson,
            _ if is_json(call) || call.header(CSRF_HEADER).is_some() => Self::ScriptJson,
            _ => Self::Page,
        }
    }
}

/// Whether a path is the API's base path or below it.
pub(crate) fn is_api(path: &str) -> bool {
    path.strip_prefix(BASE_PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
