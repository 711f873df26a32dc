//! What each fuzzer of requests starts from: made in code, and the events of `events/`.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use server::template::Route;
use shared::ids::{TokenId, UserId};
use shared::secret::{ApiToken, SessionToken};

use crate::event::{BASE64, FROM_OWN_PAGE, HTTPS, ROUTES, SEPARATOR, WITH_SESSION, WITH_TOKEN};
use crate::stores::{ANALYSIS, TOKEN, document, now};

pub(crate) fn rights() -> Vec<Vec<u8>> {
    let user = UserId::random();
    let token = ApiToken::new(user, TokenId::new(now())).expect("random bytes").reveal();
    let session = SessionToken::new(user).expect("random bytes").reveal();
    [token, session, user.to_string(), TOKEN.to_owned(), ANALYSIS.to_owned()].map(String::into_bytes).into()
}

pub(crate) fn forms() -> Vec<Vec<u8>> {
    let file = |disposition: &str| part(&format!("Content-Disposition: form-data; {disposition}"), &document());
    let field =
        |name: &str, value: &str| part(&format!("Content-Disposition: form-data; name=\"{name}\""), value.as_bytes());
    let parts = [
        file("name=\"file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf"),
        [field("password", "secret"), file("name=file; filename=a.pdf"), field("csrf", "none")].concat(),
        file("name=\"file\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf"),
        file("name=\"file\"; filename*=iso-8859-1'en'%A3.pdf"),
        file("name=\"file\"; filename=\"C:\\\\a\\\\b/c.pdf\""),
        file("filename=\"a\\\"; name=b\u{1b}\u{7f}\"; name=\"file\"\r\nX-\u{e9}: \u{1b}"),
        [file("name=\"file\"; filename=\"a\""), file("name=\"file\"; filename=\"b\"")].concat(),
        part("Content-Disposition: form-data; name=\"file\"; filename=\"\"", b""),
    ];
    let whole = |parts: &Vec<u8>| [b"multipart/form-data; boundary=b\n", parts.as_slice(), b"--b--\r\n"].concat();
    let mut forms: Vec<_> = parts.iter().map(whole).collect();
    forms.push([b"multipart/form-data; boundary=\"b\"; charset=utf-8\n".as_slice(), &parts[0]].concat());
    forms
}

/// A part of a form with the boundary `b`.
fn part(headers: &str, content: &[u8]) -> Vec<u8> {
    [b"--b\r\n", headers.as_bytes(), b"\r\n\r\n", content, b"\r\n"].concat()
}

/// Each event as it is, and as the fields of one, with a token and a session and without.
pub(crate) fn events() -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../events"));
    let files = std::fs::read_dir(folder).expect("the folder of events");
    let mut texts: Vec<String> = files
        .filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok())
        .filter(|text| text.contains("routeKey"))
        .collect();
    texts.sort();
    let with = BASE64 | WITH_TOKEN | WITH_SESSION | FROM_OWN_PAGE | HTTPS;
    // a registration as it is would be one
    let whole = texts.iter().filter(|text| !text.contains("POST /register"));
    let mut seeds: Vec<_> = whole.map(|text| [b"\x01", text.as_bytes()].concat()).collect();
    for text in &texts {
        let event: Value = serde_json::from_str(text).expect("an event");
        let key = event["routeKey"].as_str().expect("an event has a route");
        let route = ROUTES.iter().position(|route| route.key == key).expect("a route of the template");
        seeds.extend([with, BASE64].map(|flags| fields(route, flags, &event)));
        if key == "POST /mcp" {
            seeds.extend(tool_calls().map(|body| fields(route, with, &with_body(&body))));
        }
    }
    // and what no event of the folder asks for: other methods, and nothing that there is
    let of_any_method = |route: &Route| route.path.is_empty() || route.key.starts_with("ANY ");
    for (index, route) in ROUTES.iter().enumerate().filter(|(_, route)| of_any_method(route)) {
        let parameter = if route.path.starts_with("/api") { ANALYSIS } else { "/api/v1/elsewhere" };
        seeds.push([&[0, byte(index), with][..], parameter.as_bytes(), &[SEPARATOR]].concat());
    }
    seeds
}

/// A call of each tool, as clients of earlier revisions send them.
fn tool_calls() -> impl Iterator<Item = String> {
    let call = |(name, arguments): (&str, Value)| {
        let params = json!({ "name": name, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
    };
    let calls = [
        ("prepare_upload", json!({ "filename": "a.pdf", "size": 7 })),
        ("analyze", json!({ "upload_id": TOKEN, "password": "secret" })),
        ("get_analysis", json!({ "id": ANALYSIS, "part": "metadata" })),
        ("list_analyses", json!({ "verdict": "changed", "before": ANALYSIS })),
        ("usage", json!({})),
    ];
    calls.into_iter().map(call)
}

fn with_body(body: &str) -> Value {
    json!({ "headers": { "content-type": "application/json" }, "body": body })
}

fn fields(route: usize, flags: u8, event: &Value) -> Vec<u8> {
    let key = event["routeKey"].as_str().unwrap_or_default();
    let parameter = match event["pathParameters"]["name"].as_str() {
        Some(name) => name,
        None if key.contains("/tokens/") => TOKEN,
        None => ANALYSIS,
    };
    let headers = event["headers"].as_object().expect("an event has headers").iter();
    let kept = |name: &str| ["content-type", "origin", "sec-fetch-site"].contains(&name) || name.starts_with("mcp-");
    let headers = headers.filter(|(name, _)| kept(name));
    let headers: String = headers.map(|(name, value)| format!("{name}: {}\n", value.as_str().unwrap_or(""))).collect();
    let body = event["body"].as_str().unwrap_or_default();
    let body = if event["isBase64Encoded"] == true { STANDARD.decode(body).expect("base64") } else { body.into() };
    // too short to be a password: hashing one takes longer than a thousand other requests
    let body = match std::str::from_utf8(&body) {
        Ok(text) => text.replace("correct+horse", "short").into_bytes(),
        Err(_) => body,
    };
    let query = event["rawQueryString"].as_str().unwrap_or_default();
    let fields = [parameter.as_bytes(), query.as_bytes(), headers.as_bytes(), &body];
    [&[0, byte(route), flags], fields.join(&SEPARATOR).as_slice()].concat()
}

fn byte(index: usize) -> u8 {
    u8::try_from(index).expect("fewer than 256 routes")
}
