//! The protocol: revisions, messages, headers, errors.

use reqwest::Method;
use serde_json::{Value, json};
use tests::api::Answer;
use tests::service::TestService;

use super::Client;

const TOOLS: [&str; 7] =
    ["prepare_upload", "request_upload", "analyze", "compare", "get_analysis", "list_analyses", "usage"];

fn code(answer: &Answer) -> i64 {
    answer.json["error"]["code"].as_i64().unwrap_or_default()
}

/// A client of an account's.
async fn client(service: &TestService) -> Client {
    Client::of(service, &service.account("ada").await)
}

#[tokio::test]
async fn an_earlier_revision_is_agreed_on_by_a_handshake() {
    let service = TestService::start().await;
    let client = client(&service).await;
    for (wanted, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ] {
        let params =
            json!({ "protocolVersion": wanted, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let answer = client.send(&message.to_string(), &[]).await.expect(200);
        let result = &answer.json["result"];
        assert_eq!((&result["protocolVersion"], &answer.json["id"]), (&json!(agreed), &json!(0)), "{wanted}");
        assert_eq!(result["capabilities"], json!({ "tools": {} }), "{wanted}");
        assert_eq!(answer.header("mcp-session-id"), "", "{wanted}");
    }
}

#[tokio::test]
async fn a_notification_is_taken_without_an_answer() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let ready = client.send(&ready, &[("mcp-protocol-version", "2025-11-25")]).await.expect(202);
    assert_eq!(ready.text, "");
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    client.send(&cancelled.to_string(), &[]).await.expect(202);
}

#[tokio::test]
async fn an_earlier_revision_pings_lists_and_calls_tools() {
    let service = TestService::start().await;
    let client = client(&service).await;
    assert_eq!(client.ask("ping", json!({})).await.expect(200).json["result"], json!({}));
    let listed = client.ask("tools/list", json!({})).await.expect(200);
    assert_eq!(listed.json["result"].as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    let called = client.ask("tools/call", json!({ "name": "usage" })).await.expect(200);
    assert_eq!(called.json["result"]["structuredContent"]["daily_limit"], 50);
}

#[tokio::test]
async fn in_the_newest_revision_what_is_found_and_listed_may_be_kept_by_everybody() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let found = client.ask_newest("server/discover", json!({})).await.expect(200).json["result"].clone();
    assert_eq!(found["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
    let listed = client.ask_newest("tools/list", json!({})).await.expect(200).json["result"].clone();
    for result in [found, listed] {
        assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("public")), "{result}");
        assert!(result["ttlMs"].is_u64(), "{result}");
        assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "{result}");
    }
}

#[tokio::test]
async fn tools_are_described_by_schemas_and_say_what_they_change() {
    let service = TestService::start().await;
    let listed = client(&service).await.ask_newest("tools/list", json!({})).await.expect(200);
    let tools = listed.json["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), TOOLS);
    for tool in tools {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object", "{tool}");
            jsonschema::draft202012::meta::validate(schema).unwrap();
        }
        let hints = &tool["annotations"];
        let reads = !["prepare_upload", "analyze", "compare"].contains(&tool["name"].as_str().unwrap());
        let once = tool["name"] != "prepare_upload";
        assert_eq!((&hints["readOnlyHint"], &hints["idempotentHint"]), (&json!(reads), &json!(once)), "{tool}");
        assert_eq!((&hints["destructiveHint"], &hints["openWorldHint"]), (&json!(false), &json!(false)), "{tool}");
    }
}

#[tokio::test]
async fn a_method_that_is_not_there_is_an_error_of_each_revision_s_kind() {
    let service = TestService::start().await;
    let client = client(&service).await;
    // gone since: what came with sessions
    for method in ["ping", "initialize", "subscriptions/listen", "resources/list"] {
        assert_eq!(code(&client.ask_newest(method, json!({})).await.expect(404)), -32601, "{method}");
    }
    let unknown = client.ask("resources/list", json!({})).await.expect(200);
    assert_eq!((code(&unknown), &unknown.json["id"]), (-32601, &json!(1)));
}

/// A call of the tool `usage` in this revision.
fn usage_in(version: &str) -> String {
    let meta =
        json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {} });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "usage", "_meta": meta } })
        .to_string()
}

/// A message of an earlier revision, which does not say so itself.
fn earlier() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string()
}

#[tokio::test]
async fn headers_say_what_the_message_says() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let newest = usage_in("2026-07-28");
    let all = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "usage")];
    client.send(&newest, &all).await.expect(200);
    client.send(&newest, &[all[0], all[1], ("mcp-name", "=?base64?dXNhZ2U=?=")]).await.expect(200);
    for wrong in [
        [("mcp-protocol-version", ""), all[1], all[2]],
        [("mcp-protocol-version", "2025-11-25"), all[1], all[2]],
        [all[0], ("mcp-method", ""), all[2]],
        [all[0], ("mcp-method", "tools/list"), all[2]],
        [all[0], all[1], ("mcp-name", "analyze")],
        [all[0], all[1], ("mcp-name", "=?base64?%?=")],
    ] {
        assert_eq!(code(&client.send(&newest, &wrong).await.expect(400)), -32020, "{wrong:?}");
    }
}

#[tokio::test]
async fn a_revision_that_is_not_spoken_or_not_the_message_s_is_refused() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let unknown = client.send(&usage_in("1900-01-01"), &[("mcp-protocol-version", "1900-01-01")]).await.expect(400);
    assert_eq!((code(&unknown), &unknown.json["error"]["data"]["requested"]), (-32022, &json!("1900-01-01")));
    for (version, expected) in [("2025-03-26", -32022), ("2026-07-28", -32602)] {
        let refused = client.send(&earlier(), &[("mcp-protocol-version", version)]).await.expect(400);
        assert_eq!(code(&refused), expected, "{version}");
    }
    client.send(&earlier(), &[]).await.expect(200);
}

#[tokio::test]
async fn whoever_accepts_no_json_is_refused() {
    let service = TestService::start().await;
    let client = client(&service).await;
    for (accept, status) in
        [("text/event-stream", 406), ("text/html", 406), ("*/*", 200), ("application/json;q=0.9", 200), ("", 200)]
    {
        assert_eq!(client.send(&earlier(), &[("accept", accept)]).await.status, status, "{accept}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_a_clear_error() {
    let service = TestService::start().await;
    let client = client(&service).await;
    for (text, expected) in [
        ("{", -32700),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600),
        (&format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000)), -32700),
    ] {
        let answer = client.send(text, &[]).await.expect(400);
        assert_eq!((code(&answer), &answer.json["id"]), (expected, &Value::Null), "{text:.60}");
    }
}

#[tokio::test]
async fn what_is_too_large_or_no_json_is_refused_as_elsewhere() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let huge =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "a": "x".repeat(70_000) } }).to_string();
    assert_eq!(client.send(&huge, &[]).await.expect(413).code(), "file_too_large");
    assert_eq!(client.send("{}", &[("content-type", "text/plain")]).await.expect(415).code(), "unsupported_media_type");
    assert_eq!(client.send("", &[]).await.expect(415).code(), "unsupported_media_type");
}

#[tokio::test]
async fn a_tool_that_is_not_there_or_called_badly_is_an_error() {
    let service = TestService::start().await;
    let client = client(&service).await;
    for params in [json!({ "name": "delete_everything" }), json!({}), json!({ "name": "usage", "arguments": [1] })] {
        assert_eq!(code(&client.ask("tools/call", params.clone()).await.expect(200)), -32602, "{params}");
    }
}

#[tokio::test]
async fn nobody_is_answered_without_a_token() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let client = Client::of(&service, &ada);
    let usage = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "usage" } }).to_string();
    let discover = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize" }).to_string();
    for text in [usage.as_str(), discover.as_str(), "{", "[]", ""] {
        let missing = client.send(text, &[("authorization", "")]).await.expect(401);
        assert_eq!(missing.header("www-authenticate"), "Bearer realm=\"pdf-analysis\"", "{text}");
        let wrong = client.send(text, &[("authorization", "Bearer pdfa_x")]).await.expect(401);
        assert_eq!(wrong.header("www-authenticate"), "Bearer realm=\"pdf-analysis\", error=\"invalid_token\"");
        assert_eq!((wrong.code(), wrong.json.get("result")), ("unauthenticated", None));
    }
    ada.delete(&format!("/tokens/{}", ada.token_id())).await.expect(200);
    client.send(&usage, &[]).await.expect(401);
}

#[tokio::test]
async fn there_is_nothing_to_listen_to_and_no_session_to_end() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let address = format!("{}/mcp", service.service().origin());
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let request = reqwest::Client::new().request(method.clone(), &address);
        let answer = Answer::of(request.bearer_auth(ada.token()).send().await.unwrap()).await.expect(405);
        assert_eq!(answer.header("allow"), "POST", "{method}");
    }
}

#[tokio::test]
async fn pages_of_strangers_are_refused() {
    let service = TestService::start().await;
    let client = client(&service).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let own = service.service().origin();
    client.send(&ping, &[("origin", &own)]).await.expect(200);
    for origin in ["http://evil.example.com", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        assert_eq!(client.send(&ping, &[("origin", origin)]).await.expect(403).code(), "forbidden", "{origin}");
    }
    // a name that a stranger makes lead here
    let rebound = [("host", "evil.example.com:3000"), ("origin", "http://evil.example.com:3000")];
    client.send(&ping, &rebound).await.expect(403);
}
