//! Who asks, and so in which form the answer has to be.

use shared::http::{BASE_PATH, Call, is_json};

use crate::health;
use crate::session::CSRF_HEADER;

/// Whom an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// A person, who reads pages.
    Person,
    /// The script of one of the console's pages, which reads JSON.
    Script,
    /// No browser: what calls the API, or asks whether the service is well.
    Program,
}

impl Audience {
    pub(crate) fn of(call: &Call) -> Self {
        match call.path() {
            path if is_api(path) || path == health::PATH => Self::Program,
            _ if is_json(call) || call.header(CSRF_HEADER).is_some() => Self::Script,
            _ => Self::Person,
        }
    }
}

/// Whether a path is the API's base path or below it.
pub(crate) fn is_api(path: &str) -> bool {
    path.strip_prefix(BASE_PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
