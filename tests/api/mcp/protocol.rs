//! The protocol: revisions, messages, headers, errors.

use reqwest::Method;
use serde_json::{Value, json};
use tests::api::Answer;
use tests::service::TestService;

use super::Client;

const TOOLS: [&str; 6] = ["prepare_upload", "analyze", "compare", "get_analysis", "list_analyses", "usage"];

fn code(answer: &Answer) -> i64 {
    answer.json["error"]["code"].as_i64().unwrap_or_default()
}

#[tokio::test]
async fn an_earlier_revision_begins_with_a_handshake() {
    let service = TestService::start().await;
    let client = Client::of(&service, &service.account("ada").await);
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
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert_eq!(answer.header("mcp-session-id"), "");
    }
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    let ready = client.send(&ready, &[("mcp-protocol-version", "2025-11-25")]).await.expect(202);
    assert_eq!(ready.text, "");
    assert_eq!(client.ask("ping", json!({})).await.expect(200).json["result"], json!({}));
    let listed = client.ask("tools/list", json!({})).await.expect(200);
    assert_eq!(listed.json["result"].as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
    let called = client.ask("tools/call", json!({ "name": "usage" })).await.expect(200);
    assert_eq!(called.json["result"]["structuredContent"]["daily_limit"], 50);
}

#[tokio::test]
async fn in_the_newest_revision_every_request_stands_alone() {
    let service = TestService::start().await;
    let client = Client::of(&service, &service.account("ada").await);
    let found = client.ask_newest("server/discover", json!({})).await.expect(200);
    let result = &found.json["result"];
    assert_eq!(result["supportedVersions"], json!(["2026-07-28", "2025-11-25", "2025-06-18"]));
    let listed = client.ask_newest("tools/list", json!({})).await.expect(200);
    for result in [result, &listed.json["result"]] {
        assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("public")));
        assert!(result["ttlMs"].is_u64() && result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string());
    }
    let tools = listed.json["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), TOOLS);
    for tool in tools {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object");
            jsonschema::draft202012::meta::validate(schema).unwrap();
        }
        let hints = &tool["annotations"];
        let reads = !["prepare_upload", "analyze", "compare"].contains(&tool["name"].as_str().unwrap());
        let once = tool["name"] != "prepare_upload";
        assert_eq!((&hints["readOnlyHint"], &hints["idempotentHint"]), (&json!(reads), &json!(once)), "{tool}");
        assert_eq!((&hints["destructiveHint"], &hints["openWorldHint"]), (&json!(false), &json!(false)));
    }
    // gone since: what came with sessions
    for method in ["ping", "initialize", "subscriptions/listen", "resources/list"] {
        assert_eq!(code(&client.ask_newest(method, json!({})).await.expect(404)), -32601, "{method}");
    }
    let unknown = client.ask("resources/list", json!({})).await.expect(200);
    assert_eq!((code(&unknown), &unknown.json["id"]), (-32601, &json!(1)));
}

#[tokio::test]
async fn headers_say_what_the_message_says() {
    let service = TestService::start().await;
    let client = Client::of(&service, &service.account("ada").await);
    let message = |version: Value| {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {} });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "usage", "_meta": meta } })
            .to_string()
    };
    let newest = message("2026-07-28".into());
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
    let unknown =
        client.send(&message("1900-01-01".into()), &[("mcp-protocol-version", "1900-01-01")]).await.expect(400);
    assert_eq!((code(&unknown), &unknown.json["error"]["data"]["requested"]), (-32022, &json!("1900-01-01")));
    let earlier = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    assert_eq!(code(&client.send(&earlier, &[("mcp-protocol-version", "2025-03-26")]).await.expect(400)), -32022);
    assert_eq!(code(&client.send(&earlier, &[("mcp-protocol-version", "2026-07-28")]).await.expect(400)), -32602);
    client.send(&earlier, &[]).await.expect(200);
    for (accept, status) in
        [("text/event-stream", 406), ("text/html", 406), ("*/*", 200), ("application/json;q=0.9", 200), ("", 200)]
    {
        client.send(&earlier, &[("accept", accept)]).await.expect(status);
    }
}

#[tokio::test]
async fn what_is_no_message_is_a_clear_error() {
    let service = TestService::start().await;
    let client = Client::of(&service, &service.account("ada").await);
    for (text, expected) in [
        ("{", -32700),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600),
        (&format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000)), -32700),
    ] {
        let answer = client.send(text, &[]).await.expect(400);
        assert_eq!((code(&answer), &answer.json["id"]), (expected, &Value::Null), "{text:.60}");
    }
    let huge =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "a": "x".repeat(70_000) } }).to_string();
    assert_eq!(client.send(&huge, &[]).await.expect(413).code(), "file_too_large");
    assert_eq!(client.send("{}", &[("content-type", "text/plain")]).await.expect(415).code(), "unsupported_media_type");
    assert_eq!(client.send("", &[]).await.expect(415).code(), "unsupported_media_type");
    for params in [json!({ "name": "delete_everything" }), json!({}), json!({ "name": "usage", "arguments": [1] })] {
        assert_eq!(code(&client.ask("tools/call", params).await.expect(200)), -32602);
    }
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    client.send(&cancelled.to_string(), &[]).await.expect(202);
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
    let client = Client::of(&service, &service.account("ada").await);
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
