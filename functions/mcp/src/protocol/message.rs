//! One message from a client.

use serde_json::{Map, Value, json};
use shared::http::Json;

use super::refusal::{RpcCode, RpcError};
use super::version::{EARLIER, NEWEST, ProtocolVersion, versions};

/// Key of a request's protocol revision in [`NEWEST`] (2026-07-28, basic, `_meta`).
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// Key of the client's capabilities.
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Key of the server's name in a result.
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// A message from a client.
#[derive(Clone, Debug)]
pub enum Message {
    /// A request, which is answered.
    Request(Request),
    /// A notification or an unexpected response, which is not answered.
    Notice,
}

/// A request (JSON-RPC 2.0, 4). No derived `Debug`: its parameters may contain a password.
#[derive(Clone)]
pub struct Request {
    id: Value,
    /// The method, such as `tools/call`.
    pub method: String,
    pub(super) params: Map<String, Value>,
    /// The protocol revision.
    pub version: ProtocolVersion,
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// The error for invalid messages, batches and unsupported revisions.
    pub fn read(bytes: &[u8]) -> Result<Self, RpcError> {
        let message = match serde_json::from_slice(bytes) {
            Ok(Json(Value::Object(message))) => message,
            Ok(Json(Value::Array(_))) => return Err(RpcError::new(RpcCode::InvalidRequest, BATCH)),
            Ok(_) => return Err(RpcError::new(RpcCode::InvalidRequest, NO_MESSAGE)),
            Err(_) => return Err(RpcError::new(RpcCode::ParseError, NO_JSON)),
        };
        Self::of(message)
    }

    fn of(mut message: Map<String, Value>) -> Result<Self, RpcError> {
        let is_rpc = message.get("jsonrpc").is_some_and(|version| version == "2.0");
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        let is_answer = method.is_none() && (message.contains_key("result") || message.contains_key("error"));
        match (is_rpc, method, message.remove("id")) {
            (true, Some(method), Some(id)) if id.is_string() || id.is_i64() || id.is_u64() => {
                Request::of(id, method, message.remove("params")).map(Self::Request)
            }
            (true, Some(_), None) => Ok(Self::Notice),
            (true, None, _) if is_answer => Ok(Self::Notice),
            _ => Err(RpcError::new(RpcCode::InvalidRequest, NO_MESSAGE)),
        }
    }
}

impl Request {
    fn of(id: Value, method: String, params: Option<Value>) -> Result<Self, RpcError> {
        let mut request = Self { id, method, params: Map::new(), version: ProtocolVersion::Earlier };
        match params {
            None => {}
            Some(Value::Object(params)) => request.params = params,
            Some(_) => return Err(request.refuse(RpcCode::InvalidParams, "params must be an object.")),
        }
        match request.meta(VERSION_KEY) {
            None => return Ok(request),
            Some(version) if version == NEWEST => request.version = ProtocolVersion::Newest,
            // a current client that falls back to an earlier revision sends it in each request, too
            Some(Value::String(version)) if EARLIER.contains(&version.as_str()) => return Ok(request),
            Some(version) => return Err(request.unsupported(version)),
        }
        if request.meta(CAPABILITIES_KEY).is_some_and(Value::is_object) {
            Ok(request)
        } else {
            Err(request.refuse(RpcCode::InvalidParams, NO_CAPABILITIES))
        }
    }

    /// The request without its parameters, if it calls a tool; answering it needs no more.
    #[must_use]
    pub fn tool_call(&self) -> Option<Self> {
        let is_one = self.method == "tools/call";
        is_one.then(|| Self {
            id: self.id.clone(),
            method: self.method.clone(),
            params: Map::new(),
            version: self.version,
        })
    }

    fn meta(&self, key: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(key)
    }

    /// A parameter that is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name)?.as_str()
    }

    /// The answer: a result with the revision's required fields. `server` is the server's name.
    #[must_use]
    pub fn answer(&self, mut result: Map<String, Value>, server: &Value) -> Value {
        if self.version == ProtocolVersion::Newest {
            result.insert("resultType".to_owned(), "complete".into());
            result.insert("_meta".to_owned(), json!({ SERVER_KEY: server }));
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }

    /// The error answer.
    #[must_use]
    pub fn refuse(&self, kind: RpcCode, message: impl Into<String>) -> RpcError {
        RpcError { id: Some(self.id.clone()), version: self.version, ..RpcError::new(kind, message) }
    }

    /// The error for a request of [`NEWEST`] without its required fields.
    #[must_use]
    pub fn without_revision(&self) -> RpcError {
        RpcError { version: ProtocolVersion::Newest, ..self.refuse(RpcCode::InvalidParams, NO_REVISION) }
    }

    /// The error for an unsupported revision (2026-07-28, versioning).
    #[must_use]
    pub fn unsupported(&self, requested: &Value) -> RpcError {
        let data = json!({ "supported": versions(), "requested": requested });
        let message = "This revision of the protocol is not spoken here.";
        RpcError { data: Some(data), ..self.refuse(RpcCode::UnsupportedVersion, message) }
    }
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request").field("method", &self.method).finish_non_exhaustive()
    }
}

const BATCH: &str = "Several messages at once are not taken. Send each by itself.";
const NO_MESSAGE: &str = "This is no JSON-RPC 2.0 request or notification. Send an object with jsonrpc, id and method.";
const NO_JSON: &str = "This is not valid JSON, repeats a key or is nested too deeply. Send one JSON-RPC 2.0 message.";
const NO_REVISION: &str =
    "_meta must have io.modelcontextprotocol/protocolVersion, as in each request of this revision.";
const NO_CAPABILITIES: &str =
    "_meta must have io.modelcontextprotocol/clientCapabilities, an object, as in each request of this revision.";

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Message;
    use crate::protocol::ProtocolVersion;

    fn code(message: &str) -> i64 {
        let Err(refusal) = Message::read(message.as_bytes()) else { panic!("{message}") };
        refusal.message()["error"]["code"].as_i64().unwrap()
    }

    #[test]
    fn what_is_no_message_is_refused_by_its_code() {
        for (message, expected) in [
            ("", -32700),
            ("{", -32700),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700),
            (&format!("{}{}", "[".repeat(60_000), "]".repeat(60_000)), -32700),
            ("[]", -32600),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
            ("7", -32600),
            ("{}", -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
        ] {
            assert_eq!(code(message), expected, "{message:.80}");
        }
    }

    #[test]
    fn what_asks_for_no_answer_is_a_notice() {
        for message in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            assert!(matches!(Message::read(message.as_bytes()), Ok(Message::Notice)), "{message}");
        }
    }

    #[test]
    fn the_revision_is_that_of_the_request_itself() {
        let ask = |meta: Value| {
            let message = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {"_meta": meta}});
            Message::read(message.to_string().as_bytes())
        };
        let (version, capabilities) =
            ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities");
        let Ok(Message::Request(request)) = ask(json!({ version: "2026-07-28", capabilities: {} })) else { panic!() };
        assert_eq!(request.version, ProtocolVersion::Newest);
        let Ok(Message::Request(request)) = ask(json!({ "progressToken": 1 })) else { panic!() };
        assert_eq!(request.version, ProtocolVersion::Earlier);
        for (meta, expected) in [
            (json!({ version: "2026-07-28" }), -32602),
            (json!({ version: "2026-07-28", capabilities: null }), -32602),
            (json!({ version: "1900-01-01", capabilities: {} }), -32022),
            (json!({ version: 7, capabilities: {} }), -32022),
        ] {
            let Err(refusal) = ask(meta.clone()) else { panic!("{meta}") };
            let answer = refusal.message();
            assert_eq!((&answer["id"], answer["error"]["code"].as_i64()), (&json!("a"), Some(expected)), "{meta}");
        }
    }
}
