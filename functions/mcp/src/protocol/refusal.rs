//! Errors of the protocol, not of tools.

use serde_json::{Value, json};

use super::version::ProtocolVersion;

/// The kind of error (JSON-RPC 2.0, 5.1; 2026-07-28, basic, error codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RpcCode {
    /// It is no JSON.
    ParseError,
    /// It is no request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// The parameters are invalid, or there is no such tool.
    InvalidParams,
    /// The HTTP headers contradict the message.
    HeaderMismatch,
    /// The revision is not supported.
    UnsupportedVersion,
}

/// An answer without a result.
#[derive(Clone, Debug)]
pub struct RpcError {
    pub(super) id: Option<Value>,
    pub(super) kind: RpcCode,
    pub(super) message: String,
    pub(super) data: Option<Value>,
    pub(super) version: ProtocolVersion,
}

impl RpcError {
    /// An answer to a message without a readable id.
    #[must_use]
    pub fn new(kind: RpcCode, message: impl Into<String>) -> Self {
        Self { id: None, kind, message: message.into(), data: None, version: ProtocolVersion::Earlier }
    }

    /// The status of an HTTP answer: clients of earlier revisions read errors only in answers with 200.
    #[must_use]
    pub fn status(&self) -> u16 {
        match (self.kind, self.version) {
            (RpcCode::MethodNotFound, ProtocolVersion::Newest) => 404,
            (RpcCode::MethodNotFound | RpcCode::InvalidParams, ProtocolVersion::Earlier) => 200,
            _ => 400,
        }
    }

    /// The message, as sent.
    #[must_use]
    pub fn message(&self) -> Value {
        let code = match self.kind {
            RpcCode::ParseError => -32700,
            RpcCode::InvalidRequest => -32600,
            RpcCode::MethodNotFound => -32601,
            RpcCode::InvalidParams => -32602,
            RpcCode::HeaderMismatch => -32020,
            RpcCode::UnsupportedVersion => -32022,
        };
        let mut error = json!({ "code": code, "message": self.message });
        if let (Some(data), Some(error)) = (&self.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data.clone());
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error })
    }
}
