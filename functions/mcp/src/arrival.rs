//! The HTTP transport: the message in a request's body, its headers, and answers.

use base64_simd::STANDARD;
use lambda_http::http::StatusCode;
use lambda_http::http::header::WWW_AUTHENTICATE;
use serde::Serialize;
use serde_json::Value;
use shared::error::Error;
use shared::http::{Call, Described, Reply, json_bytes, reply, retry_after};
use shared::quota::Quota;

use crate::protocol::{
    EARLIER, Message, NEWEST, ProtocolVersion, Request, RpcCode, RpcError, Server, failed, versions,
};
use crate::report::described_for_tools;

/// A received request.
pub(crate) enum Arrival {
    Request(Request),
    /// Any other request, with its answer, which is sent only after authentication.
    Other(Result<Reply, Error>),
}

impl Arrival {
    /// Reads the message of a request.
    pub(crate) fn read(call: &mut Call) -> Self {
        if !takes_json(call) {
            let refused = refusal(&RpcError::new(RpcCode::InvalidRequest, NO_JSON));
            return Self::Other(Ok(refused.status(StatusCode::NOT_ACCEPTABLE)));
        }
        let bytes = match json_bytes(call) {
            Ok(bytes) => bytes,
            Err(error) => return Self::Other(Err(error)),
        };
        match Message::read(&bytes).and_then(|message| with_headers(call, message)) {
            Ok(Message::Request(request)) => Self::Request(request),
            Ok(Message::Notice) => Self::Other(Ok(Reply::accepted())),
            Err(refused) => Self::Other(Ok(refusal(&refused))),
        }
    }

    /// The call of a tool, if it is one.
    pub(crate) fn tool_call(&self) -> Option<Request> {
        if let Self::Request(request) = self { request.tool_call() } else { None }
    }
}

const NO_JSON: &str = "Answers are JSON. Send Accept: application/json, text/event-stream.";

/// A message as an answer.
pub(crate) fn message(message: &Value) -> Reply {
    Reply::document(&message.to_string())
}

/// An error of the protocol as an answer.
pub(crate) fn refusal(refusal: &RpcError) -> Reply {
    message(&refusal.message()).status(StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST))
}

/// The context in which an error is reported.
pub(crate) struct Refused<'a> {
    pub(crate) server: &'a Server,
    /// The call of a tool, if the request was one.
    pub(crate) tool_call: Option<Request>,
    /// Whether it has a token.
    pub(crate) is_authorized: bool,
}

/// A tool's error for a model: the API's sentence, and the time of a retry.
#[derive(Serialize)]
struct ToolError<'a> {
    #[serde(flatten)]
    error: Described<'a>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl Refused<'_> {
    /// Errors in the tool's use are returned as its result for the model; errors of access and of the service are HTTP
    /// errors, as everywhere in the API.
    pub(crate) fn reply(&self, error: &Error, request_id: &str, quota: Option<&Quota>) -> Reply {
        match (error, &self.tool_call) {
            (Error::Unauthenticated, _) => reply(error, request_id, quota).header(WWW_AUTHENTICATE, self.challenge()),
            (Error::Forbidden | Error::MethodNotAllowed(_) | Error::Unavailable(_) | Error::Internal(_), _)
            | (_, None) => reply(error, request_id, quota),
            (_, Some(request)) => {
                let retry_after = retry_after(error, quota);
                let reported = ToolError { error: described_for_tools(error, request_id), retry_after };
                message(&self.server.answer(request, failed(&reported).into()))
            }
        }
    }

    /// The challenge without a valid token (RFC 6750, 3). It names no authorization server (RFC 9728): tokens are
    /// created in the console.
    fn challenge(&self) -> &'static str {
        if self.is_authorized {
            "Bearer realm=\"pdf-analysis\", error=\"invalid_token\""
        } else {
            "Bearer realm=\"pdf-analysis\""
        }
    }
}

/// Whether the client accepts JSON (RFC 9110, 12.5.1); without `Accept` it does.
fn takes_json(call: &Call) -> bool {
    if !call.has_header("accept") {
        return true;
    }
    let ranges = call.header("accept").unwrap_or_default().split(',');
    let mut ranges = ranges.map(|range| range.split(';').next().unwrap_or_default().trim());
    ranges
        .any(|range| ["application/json", "application/*", "*/*"].iter().any(|taken| range.eq_ignore_ascii_case(taken)))
}

/// The message, if its headers agree with it (2026-07-28, streamable HTTP, server validation). Earlier revisions have
/// only one header, from the second request on: the negotiated revision.
fn with_headers(call: &Call, message: Message) -> Result<Message, RpcError> {
    let header = call.header("mcp-protocol-version");
    match &message {
        Message::Request(request) if request.version == ProtocolVersion::Newest => check_newest(call, request)?,
        Message::Request(request) if request.method == "initialize" => {}
        Message::Request(request) => match header {
            Some(NEWEST) => return Err(request.without_revision()),
            Some(version) if !EARLIER.contains(&version) => return Err(request.unsupported(&version.into())),
            _ => {}
        },
        Message::Notice if header.is_some_and(|version| !versions().contains(&version)) => {
            return Err(RpcError::new(RpcCode::InvalidRequest, "This revision of the protocol is not spoken here."));
        }
        Message::Notice => {}
    }
    Ok(message)
}

fn check_newest(call: &Call, request: &Request) -> Result<(), RpcError> {
    let name = request.text("name").filter(|_| request.method == "tools/call");
    for (header, said) in
        [("mcp-protocol-version", Some(NEWEST)), ("mcp-method", Some(request.method.as_str())), ("mcp-name", name)]
    {
        let Some(said) = said else { continue };
        if call.header(header).and_then(decoded).as_deref() != Some(said) {
            let message = format!("The header {header} must be there and say the same as the message.");
            return Err(request.refuse(RpcCode::HeaderMismatch, message));
        }
    }
    Ok(())
}

/// A header's value, which may be encoded in Base64 (2026-07-28, streamable HTTP, value encoding).
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode_to_vec(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}
