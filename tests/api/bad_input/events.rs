//! Events as API Gateway might send them, through the runtime that every function has.

use serde_json::{Value, json};
use tests::events::all;

use super::case::Case;
use super::multipart::{file, form};
use super::world::World;

const ANALYZE: &str = "POST /api/v1/pdf/analyze";
const USER: &str = "GET /api/v1/user";

pub(super) fn cases(world: &World) -> Vec<Case> {
    let events = all(&world.ada.token());
    let mut cases = bodies(&events["pdf-analyze"]);
    for (name, event) in &events {
        if event["requestContext"]["http"]["method"] == "POST" {
            let broken =
                with(with(event.clone(), "body", json!("no base64 \u{1f600}")), "isBase64Encoded", json!(true));
            let key = event["routeKey"].as_str().unwrap();
            cases.push(Case::event(format!("{name} with bad base64"), key, &broken).gives(400, "bad_request"));
        }
    }
    cases.extend(heads(&events["user-show"]));
    cases.extend(ids(&events["pdf-show"]));
    cases
}

fn with(mut event: Value, name: &str, value: Value) -> Value {
    event[name] = value;
    event
}

fn bodies(analyze: &Value) -> Vec<Case> {
    let body = |body: Value, base64: Value| with(with(analyze.clone(), "body", body), "isBase64Encoded", base64);
    let good = analyze["body"].as_str().unwrap();
    let broken = [
        ("base64 with a line break", format!("{}\n{}", &good[..76], &good[76..])),
        ("base64 with spaces", format!("{good} ")),
        ("base64 without its padding", "YWI".to_owned()),
        ("base64 padded too much", "YWJj====".to_owned()),
        ("base64 for addresses", "-_-_".to_owned()),
        ("base64 with stray bits", "YWJ=".to_owned()),
        ("the form itself", String::from_utf8_lossy(&form(&[file()])).into_owned()),
    ];
    let broken = broken
        .map(|(what, text)| Case::event(what, ANALYZE, &body(json!(text), json!(true))).gives(400, "bad_request"));
    let mut plain = body(json!(String::from_utf8(form(&[file()])).unwrap()), json!(false));
    plain["headers"]["content-type"] = json!("multipart/form-data; boundary=b");
    let mut cases = vec![
        Case::event("a form in plain text", ANALYZE, &plain).analyses(),
        Case::event("base64 that is not marked", ANALYZE, &body(json!(good), json!(false))).gives(400, "bad_request"),
        Case::event("a mark that is null", ANALYZE, &body(json!(good), Value::Null)).gives(400, "bad_request"),
        Case::event("a mark that is text", ANALYZE, &body(json!(good), json!("true"))).gives(400, "bad_request"),
        Case::event("no body", ANALYZE, &body(Value::Null, json!(true))).gives(415, "unsupported_media_type"),
        Case::event("an empty body", ANALYZE, &body(json!(""), json!(true))).gives(415, "unsupported_media_type"),
        Case::event("a body that is no text", ANALYZE, &body(json!({"a": 1}), json!(false))).gives(400, "bad_request"),
        Case::event("a number for a body", ANALYZE, &body(json!(5), json!(false))).gives(400, "bad_request"),
    ];
    cases.extend(broken);
    cases
}

fn heads(user: &Value) -> Vec<Case> {
    let without = |pointer: &str, name: &str| {
        let mut event = user.clone();
        event.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name);
        event
    };
    let header = |name: &str, value: Value| {
        let mut event = user.clone();
        event["headers"][name] = value;
        event
    };
    let http = |name: &str, value: Value| {
        let mut event = user.clone();
        event["requestContext"]["http"][name] = value;
        event
    };
    let token = user["headers"]["authorization"].clone();
    let capitals = with(user.clone(), "headers", json!({"Authorization": token, "Host": "x"}));
    let joined = header("authorization", json!(format!("{0},{0}", token.as_str().unwrap())));
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let nested = user.to_string().replacen('{', &format!("{{\"x\":{deep},"), 1);
    let bad = |what: &str, event: Value| Case::event(format!("event: {what}"), USER, &event).gives(400, "bad_request");
    let good = |what: &str, event: Value| Case::event(format!("event: {what}"), USER, &event).gives(200, "");
    let unknown =
        |what: &str, event: Value| Case::event(format!("event: {what}"), USER, &event).gives(401, "unauthenticated");
    vec![
        bad("empty", json!({})),
        bad("null", Value::Null),
        bad("a list", json!([user])),
        bad("no request context", without("", "requestContext")),
        bad("no method", without("/requestContext/http", "method")),
        bad("a method that is none", http("method", json!("GET /"))),
        bad("a header's name that is none", header("a b", json!("x"))),
        bad("a header's value that is none", header("x-a", json!("x\ny"))),
        bad("another format", json!({"Records": [{"eventSource": "aws:s3"}]})),
        Case::event("event: cut", USER, &user.to_string()[..200].to_owned()).gives(400, "bad_request"),
        Case::event("event: nothing", USER, &"").gives(400, "bad_request"),
        Case::event("event: deep in what nobody reads", USER, &nested).gives(200, ""),
        bad("an address without end", with(user.clone(), "rawQueryString", json!("x".repeat(70_000)))),
        unknown("no headers", without("", "headers")),
        unknown("headers that are null", with(user.clone(), "headers", Value::Null)),
        unknown("a token sent twice", joined),
        good("headers in capitals", capitals),
        good("a host that is none", header("host", json!("no host/at all?"))),
        good("a scheme that is none", header("x-forwarded-proto", json!("://"))),
        good("no path", without("", "rawPath")),
        good("a path that is none", with(user.clone(), "rawPath", json!("\u{0} ?#\u{e9}"))),
        good("no query", without("", "rawQueryString")),
        good("no request id", without("/requestContext", "requestId")),
        good("no time", without("/requestContext", "timeEpoch")),
        good("an address that is none", http("sourceIp", json!("nowhere"))),
        good("another stage", with_stage(user)),
        good("cookies that are none", with(user.clone(), "cookies", json!(["", "=", "a\u{0}b", "x=\u{e9}"]))),
        good("more than anybody reads", with(user.clone(), "unknown", json!({"a": [1, 2, 3]}))),
    ]
}

fn with_stage(user: &Value) -> Value {
    let mut event = user.clone();
    event["requestContext"]["stage"] = json!("beta");
    event
}

fn ids(show: &Value) -> Vec<Case> {
    let key = "GET /api/v1/pdf/{id}";
    [
        ("no parameters", Value::Null),
        ("empty parameters", json!({})),
        ("another parameter", json!({"ID": "x"})),
        ("an empty id", json!({"id": ""})),
        ("an id with a slash", json!({"id": "../../x"})),
        ("an id with a NUL", json!({"id": "\u{0}"})),
    ]
    .into_iter()
    .map(|(what, parameters)| {
        let event = with(show.clone(), "pathParameters", parameters);
        Case::event(format!("event: {what}"), key, &event).gives(404, "not_found")
    })
    .chain([Case::event("event: an id that is a number", key, &with(show.clone(), "pathParameters", json!({"id": 5})))
        .gives(400, "bad_request")])
    .collect()
}
