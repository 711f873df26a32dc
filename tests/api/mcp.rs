//! `POST /mcp`: the service as tools, by the Model Context Protocol.

mod flow;
mod hostile;
mod protocol;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tests::api::{Answer, Api};
use tests::service::TestService;

/// A client of the newest revision: every request stands alone.
pub(crate) struct Client {
    address: String,
    token: String,
    http: reqwest::Client,
}

/// The result of a tool: what is structured, or the error.
pub(crate) struct Called {
    pub(crate) answer: Answer,
}

impl Client {
    pub(crate) fn of(service: &TestService, api: &Api) -> Self {
        let address = format!("{}/mcp", service.service().origin());
        Self { address, token: api.token(), http: reqwest::Client::new() }
    }

    /// Sends any text as a message, with the headers of an earlier revision and these.
    pub(crate) async fn send(&self, text: &str, headers: &[(&str, &str)]) -> Answer {
        let mut all = HeaderMap::new();
        let usual = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let authorization = format!("Bearer {}", self.token);
        for (name, value) in
            usual.iter().copied().chain([("authorization", authorization.as_str())]).chain(headers.iter().copied())
        {
            let name = HeaderName::try_from(name).unwrap();
            if value.is_empty() {
                all.remove(name);
            } else {
                all.insert(name, HeaderValue::try_from(value).unwrap());
            }
        }
        let request = self.http.post(&self.address).headers(all).body(text.to_owned());
        Answer::of(request.send().await.unwrap()).await
    }

    /// A request of an earlier revision.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Answer {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.send(&message.to_string(), &[("mcp-protocol-version", "2025-11-25")]).await
    }

    /// A request of the newest revision.
    pub(crate) async fn ask_newest(&self, method: &str, mut params: Value) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {}
        });
        let message = json!({ "jsonrpc": "2.0", "id": "n", "method": method, "params": params });
        let name = params["name"].as_str().unwrap_or_default();
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", name)];
        self.send(&message.to_string(), &headers).await
    }

    /// Calls a tool; the answer has to be one of a tool, and to fit its schema.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Called {
        let answer = self.ask_newest("tools/call", json!({ "name": tool, "arguments": arguments })).await.expect(200);
        let called = Called { answer };
        if !called.is_error() {
            let listed = self.ask_newest("tools/list", json!({})).await.expect(200);
            let tools = listed.json["result"]["tools"].as_array().unwrap();
            let schema = &tools.iter().find(|listed| listed["name"] == tool).unwrap()["outputSchema"];
            let errors: Vec<_> = jsonschema::validator_for(schema)
                .unwrap()
                .iter_errors(called.data())
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{tool}: {errors:?} in {}", called.data());
        }
        called
    }
}

impl Called {
    pub(crate) fn is_error(&self) -> bool {
        self.answer.json["result"]["isError"] == true
    }

    /// The structured result, which stands in the text, too.
    pub(crate) fn data(&self) -> &Value {
        let result = &self.answer.json["result"];
        assert!(!self.is_error(), "{}", self.answer.text);
        assert_eq!(self.text(), result["structuredContent"]);
        &result["structuredContent"]
    }

    /// The error.
    pub(crate) fn error(&self) -> Value {
        assert!(self.is_error(), "{}", self.answer.text);
        self.text()
    }

    fn text(&self) -> Value {
        serde_json::from_str(self.answer.json["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    }
}
