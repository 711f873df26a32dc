//! Events as they come, and as they should not come.

use lambda_http::{Body, RequestExt, Response};
use serde_json::{Value, json};

use super::{payload, request, request_of};

fn event() -> Value {
    json!({
        "version": "2.0",
        "routeKey": "POST /api/{id}",
        "rawPath": "/api/a b",
        "rawQueryString": "x=1&y=%C3%A4",
        "cookies": ["a=1", "b=2"],
        "headers": {"host": "example.org", "x-two": "1,2"},
        "pathParameters": {"id": "a b"},
        "requestContext": {
            "http": {"method": "POST", "path": "/api/a b", "sourceIp": "10.0.0.9"},
            "requestId": "id-1",
            "routeKey": "POST /api/{id}",
            "stage": "$default",
        },
        "body": "YWJj",
        "isBase64Encoded": true,
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut event = event();
    event[name] = value;
    event
}

#[test]
fn an_event_reads_as_lambda_http_reads_it() {
    let text = event().to_string();
    let (ours, theirs) = (request(&text).unwrap(), lambda_http::request::from_str(&text).unwrap());
    assert_eq!(ours.method(), theirs.method());
    assert_eq!(ours.uri().path_and_query(), theirs.uri().path_and_query());
    assert_eq!(ours.headers(), theirs.headers());
    assert_eq!(ours.body(), theirs.body());
    assert_eq!(ours.raw_http_path(), theirs.raw_http_path());
    assert_eq!(ours.path_parameters().first("id"), theirs.path_parameters().first("id"));
    assert_eq!(format!("{:?}", ours.request_context()), format!("{:?}", theirs.request_context()));
    let parsed = request_of(&event()).unwrap();
    assert_eq!(format!("{parsed:?} {:?}", parsed.headers()), format!("{ours:?} {:?}", ours.headers()));
}

#[test]
fn what_no_request_can_be_made_of_is_a_bad_request() {
    let long = "x".repeat(70_000);
    for (event, id) in [
        (with("body", json!("no base64!")), "id-1"),
        (with("body", json!("YWJ")), "id-1"),
        (with("rawPath", json!(format!("/{long}"))), "id-1"),
        (with("rawQueryString", json!(long)), "id-1"),
        (with("headers", json!({"a b": "1"})), ""),
        (with("requestContext", json!({})), ""),
        (json!({}), ""),
        (json!("text"), ""),
        (json!(null), ""),
    ] {
        let answer = request(&event.to_string()).unwrap_err().answer();
        assert_eq!(request_of(&event).unwrap_err().answer().body(), answer.body(), "{event}");
        let body: Value = serde_json::from_slice(answer.body()).unwrap();
        assert_eq!(answer.status(), 400, "{event}");
        assert_eq!(body["error"]["code"], "bad_request");
        assert_eq!(body["error"]["request_id"], id);
    }
    assert_eq!(request("{").unwrap_err().answer().status(), 400);
}

#[test]
fn odd_addresses_are_addresses() {
    for path in ["", "x", "//x//", "/ä^{}|\\`\"<>#?", "/%", "/../..", "/\u{0}\n"] {
        for query in ["", " \"<>#\u{0}ä", "?", "%"] {
            let mut event = with("rawPath", json!(path));
            event["rawQueryString"] = json!(query);
            event["headers"] = json!({"host": "no host/?", "x-forwarded-proto": "?"});
            let request = request(&event.to_string()).unwrap();
            assert_eq!(request.raw_http_path(), path);
            assert_eq!(request.uri().query().is_some(), !query.is_empty());
        }
    }
}

#[test]
fn an_answer_is_what_lambda_takes() {
    let response = Response::builder().status(201).header("set-cookie", "a=1").header("set-cookie", "b=2");
    let response = response.header("x-a", "1").body(Body::Text("text".to_owned())).unwrap();
    let shown = serde_json::to_value(payload(response)).unwrap();
    assert_eq!(shown["statusCode"], 201);
    assert_eq!(shown["cookies"], json!(["a=1", "b=2"]));
    assert_eq!(shown["headers"], json!({"x-a": "1"}));
    assert_eq!((&shown["body"], &shown["isBase64Encoded"]), (&json!("text"), &json!(false)));
    let shown = serde_json::to_value(payload(Response::new(Body::Binary(b"abc".to_vec())))).unwrap();
    assert_eq!((&shown["body"], &shown["isBase64Encoded"]), (&json!("YWJj"), &json!(true)));
    assert_eq!(serde_json::to_value(payload(Response::new(Body::Empty))).unwrap().get("body"), None);
}
