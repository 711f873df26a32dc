//! Events as API Gateway sends them, and the requests that come of them.

use http::{HeaderMap, Request};
use lambda_http::{Body, RequestExt};
use serde_json::json;

use super::{RequestContext, Uuid, body, event, host, measure};
use crate::gateway::origin::Connection;
use crate::gateway::router::Selected;
use crate::template::Route;

fn arrival() -> RequestContext<'static> {
    RequestContext {
        host: "example.com:3000",
        request_id: Uuid::nil(),
        connection: Connection {
            peer: ([10, 0, 0, 9], 5000).into(),
            local: ([127, 0, 0, 1], 3000).into(),
            behind_proxy: false,
        },
        now: chrono::DateTime::UNIX_EPOCH,
    }
}

#[test]
fn an_event_is_what_api_gateway_sends() {
    let sent = Request::post("/api/a%20b%3Fc?x=1&x=%C3%A4&y=")
        .header("Host", "example.com:3000")
        .header("X-Two", "1")
        .header("X-Two", "2")
        .header("Cookie", "a=1; b=2")
        .header("Cookie", "c=3")
        .header("X-Forwarded-For", "1.2.3.4")
        .header("Connection", "keep-alive")
        .header("User-Agent", "test");
    let (head, ()) = sent.body(()).unwrap().into_parts();
    let route = Route { key: "POST /api/{id}".to_owned(), path: String::new(), function: String::new() };
    let selected = Selected { route: &route, parameters: vec![("id", "a b?c".to_owned())] };
    let mut event = event(&head, &selected, &arrival());
    let mut headers = HeaderMap::new();
    measure(&mut event, &mut headers, 3);
    assert_eq!(headers["content-length"], "3");
    let expected = json!({
        "version": "2.0",
        "routeKey": "POST /api/{id}",
        "rawPath": "/api/a b",
        "rawQueryString": "x=1&x=%C3%A4&y=",
        "cookies": ["a=1", "b=2", "c=3"],
        "headers": {
            "content-length": "3",
            "host": "example.com:3000",
            "user-agent": "test",
            "x-forwarded-for": "1.2.3.4, 10.0.0.9",
            "x-forwarded-port": "3000",
            "x-forwarded-proto": "http",
            "x-two": "1,2",
        },
        "queryStringParameters": {"x": "1,ä", "y": ""},
        "pathParameters": {"id": "a b?c"},
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "local",
            "domainName": "example.com",
            "domainPrefix": "example",
            "http": {
                "method": "POST",
                "path": "/api/a b",
                "protocol": "HTTP/1.1",
                "sourceIp": "10.0.0.9",
                "userAgent": "test",
            },
            "requestId": "00000000-0000-0000-0000-000000000000",
            "routeKey": "POST /api/{id}",
            "stage": "$default",
            "time": "01/Jan/1970:00:00:00 +0000",
            "timeEpoch": 0,
        },
        "isBase64Encoded": false,
    });
    assert_eq!(event, expected);

    let request = shared::runtime::request_of(&event).unwrap();
    assert_eq!(request.raw_http_path(), "/api/a b");
    assert_eq!(request.path_parameters().first("id"), Some("a b?c"));
    assert_eq!(request.uri().query(), Some("x=1&x=%C3%A4&y="));
    assert_eq!(request.headers()["cookie"], "a=1; b=2; c=3");
    assert_eq!(request.body(), &Body::Empty);
}

#[test]
fn only_what_is_text_by_its_type_comes_as_text() {
    let kind = |content_type: &str, bytes: &[u8]| {
        let (head, ()) = Request::get("/").header("content-type", content_type).body(()).unwrap().into_parts();
        body(bytes.to_vec(), &head.headers)
    };
    assert_eq!(kind("text/csv", b"x"), Body::Text("x".to_owned()));
    assert_eq!(kind("Application/JSON; charset=utf-8", b"x"), Body::Text("x".to_owned()));
    assert_eq!(kind("application/json", b"\xff"), Body::Binary(vec![0xff]));
    assert_eq!(kind("application/x-www-form-urlencoded", b"x"), Body::Binary(b"x".to_vec()));
    assert_eq!(kind("text/plain", b""), Body::Empty);
}

#[test]
fn a_host_that_is_no_host_is_refused() {
    let with = |value: &str| {
        let (head, ()) = Request::get("/").header("host", value).body(()).unwrap().into_parts();
        host(&head).map(str::to_owned)
    };
    assert_eq!(with("localhost:3000").as_deref(), Some("localhost:3000"));
    assert_eq!(with("[::1]:3000").as_deref(), Some("[::1]:3000"));
    let two = Request::get("/").header("host", "a").header("host", "a").body(()).unwrap().into_parts().0;
    assert_eq!(host(&two), None, "which of them it is, others may see otherwise");
    for odd in ["", "a b", "a/b", "a?b", "a#b", "a@b", "1.2.3.4.5", "a:port", "%zz"] {
        assert_eq!(with(odd), None, "{odd:?}");
    }
}
