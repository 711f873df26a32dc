//! What is answered where there is no result: errors of the protocol, none of a tool.

use serde_json::{Value, json};

use super::version::Version;

/// The kind of error (JSON-RPC 2.0, 5.1; 2026-07-28, basic, error codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is no JSON.
    ParseError,
    /// It is no request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// The method takes no such parameters; or there is no such tool.
    InvalidParams,
    /// The HTTP headers say something else than the message.
    HeaderMismatch,
    /// The revision is not spoken here.
    UnsupportedVersion,
}

/// An answer without a result.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub(super) id: Option<Value>,
    pub(super) kind: Kind,
    pub(super) message: String,
    pub(super) data: Option<Value>,
    pub(super) version: Version,
}

impl Refusal {
    /// An answer to something that has no id, or none that could be read.
    #[must_use]
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { id: None, kind, message: message.into(), data: None, version: Version::Earlier }
    }

    /// The status of an HTTP answer: clients of earlier revisions read errors in answers with 200 alone.
    #[must_use]
    pub fn status(&self) -> u16 {
        match (self.kind, self.version) {
            (Kind::MethodNotFound, Version::Newest) => 404,
            (Kind::MethodNotFound | Kind::InvalidParams, Version::Earlier) => 200,
            _ => 400,
        }
    }

    /// The message, as it is sent.
    #[must_use]
    pub fn message(&self) -> Value {
        let code = match self.kind {
            Kind::ParseError => -32700,
            Kind::InvalidRequest => -32600,
            Kind::MethodNotFound => -32601,
            Kind::InvalidParams => -32602,
            Kind::HeaderMismatch => -32020,
            Kind::UnsupportedVersion => -32022,
        };
        let mut error = json!({ "code": code, "message": self.message });
        if let (Some(data), Some(error)) = (&self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data.clone());
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error })
    }
}
