//! A server: its name, its tools, and its answers to requests other than calls.

use serde_json::{Map, Value, json};
use shared::http::Fields;

use super::message::Request;
use super::refusal::{RpcCode, RpcError};
use super::tool::{Tool, failed};
use super::version::{EARLIER, ProtocolVersion, versions};

/// Cache lifetime of the list of tools: an hour, in milliseconds. It changes only with the program.
const TOOLS_TTL_MS: u64 = 3_600_000;

/// A server of tools.
#[derive(Clone, Debug)]
pub struct Server {
    /// Instructions for a model about the tools.
    pub instructions: &'static str,
    /// The tools, in the order in which they are listed.
    pub tools: Vec<Tool>,
}

/// How a request is handled.
pub enum Dispatch {
    /// It is answered.
    Answered(Value),
    /// It calls a tool, with these arguments.
    Call(&'static str, Fields),
}

impl Server {
    /// The server's name and version (2026-07-28, schema, `Implementation`).
    #[must_use]
    pub fn identity(&self) -> Value {
        json!({ "name": "pdf-analysis", "title": "PDF Analysis Service", "version": env!("CARGO_PKG_VERSION") })
    }

    /// Answers a request, or returns the tool that it calls.
    ///
    /// # Errors
    /// [`RpcCode::MethodNotFound`], [`RpcCode::InvalidParams`].
    pub fn ask(&self, request: &Request) -> Result<Dispatch, RpcError> {
        let result = match (request.version, request.method.as_str()) {
            (_, "tools/call") => return self.call(request),
            (version, "tools/list") => self.list(version),
            (ProtocolVersion::Newest, "server/discover") => self.discover(),
            (ProtocolVersion::Earlier, "initialize") => self.initialize(request.text("protocolVersion")),
            (ProtocolVersion::Earlier, "ping") => json!({}),
            _ => return Err(request.refuse(RpcCode::MethodNotFound, "There is no such method here.")),
        };
        Ok(Dispatch::Answered(self.answer(request, result)))
    }

    /// The message that answers a request with `result`, an object.
    #[must_use]
    pub fn answer(&self, request: &Request, result: Value) -> Value {
        let result = if let Value::Object(result) = result { result } else { Map::new() };
        request.answer(result, &self.identity())
    }

    fn call(&self, request: &Request) -> Result<Dispatch, RpcError> {
        let named = |name: &str| self.tools.iter().find(|tool| tool.name == name);
        let Some(tool) = request.text("name").and_then(named) else {
            return Err(
                request.refuse(RpcCode::InvalidParams, "There is no such tool. tools/list names those there are.")
            );
        };
        let arguments = match request.params.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            Some(_) => return Err(request.refuse(RpcCode::InvalidParams, "arguments must be an object.")),
        };
        let unknown: Map<_, _> =
            arguments.keys().filter(|name| !tool.takes(name)).map(|name| no_argument(name)).collect();
        if unknown.is_empty() {
            return Ok(Dispatch::Call(tool.name, Fields::of(arguments)));
        }
        // errors that a model can correct are the tool's result (2025-11-25, tools, error handling)
        let error = json!({ "code": "validation_failed", "message": NO_ARGUMENT, "details": { "fields": unknown } });
        Ok(Dispatch::Answered(self.answer(request, failed(&error).into())))
    }

    fn list(&self, version: ProtocolVersion) -> Value {
        let tools: Vec<_> = self.tools.iter().map(Tool::listed).collect();
        match version {
            ProtocolVersion::Earlier => json!({ "tools": tools }),
            ProtocolVersion::Newest => json!({ "tools": tools, "ttlMs": TOOLS_TTL_MS, "cacheScope": "public" }),
        }
    }

    fn discover(&self) -> Value {
        json!({
            "supportedVersions": versions(),
            "capabilities": { "tools": {} },
            "instructions": self.instructions,
            "ttlMs": TOOLS_TTL_MS,
            "cacheScope": "public"
        })
    }

    /// Requests for another revision are answered with the newest of [`EARLIER`].
    fn initialize(&self, wanted: Option<&str>) -> Value {
        let [newest, _] = EARLIER;
        let agreed = wanted.filter(|wanted| EARLIER.contains(wanted)).unwrap_or(newest);
        json!({
            "protocolVersion": agreed,
            "capabilities": { "tools": {} },
            "serverInfo": self.identity(),
            "instructions": self.instructions
        })
    }
}

const NO_ARGUMENT: &str = "The tool does not take all of these arguments. The details say which ones.";

/// The error for an unknown argument, with its name truncated.
fn no_argument(name: &str) -> (String, Value) {
    (name.chars().take(40).collect(), json!(["is no argument of this tool"]))
}
