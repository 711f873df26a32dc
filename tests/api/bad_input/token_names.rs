//! `POST /tokens`: names, and the bodies around them.

use reqwest::{Method, RequestBuilder};

use super::case::Case;
use super::world::World;

pub(super) fn cases(world: &World) -> Vec<Case> {
    let mut cases = names(world);
    cases.extend(malformed(world));
    cases.extend(forms(world));
    cases.extend(types(world));
    cases
}

fn post(world: &World, content_type: &str, body: impl Into<reqwest::Body>) -> RequestBuilder {
    world.ada.request(Method::POST, "/tokens").header("content-type", content_type).body(body)
}

fn json(world: &World, body: impl Into<Vec<u8>>) -> Case {
    let body = body.into();
    let what = format!("tokens {:?}", String::from_utf8_lossy(&body));
    Case::http(what, post(world, "application/json", body))
}

fn names(world: &World) -> Vec<Case> {
    let invalid = [
        r#"{}"#.to_owned(),
        r#"{"name":null}"#.to_owned(),
        r#"{"name":""}"#.to_owned(),
        r#"{"name":" \u00a0\u3000\t "}"#.to_owned(),
        format!(r#"{{"name":"{}"}}"#, "n".repeat(256)),
        format!(r#"{{"name":"{}"}}"#, "\u{1f600}".repeat(256)),
        r#"{"name":"a\u0000b"}"#.to_owned(),
        r#"{"name":"a\nb"}"#.to_owned(),
        r#"{"name":"a\u001b[31mb"}"#.to_owned(),
        r#"{"name":"a\u202eb"}"#.to_owned(),
        r#"{"name":"a\u2066b"}"#.to_owned(),
        r#"{"name":"a\u200bb"}"#.to_owned(),
        r#"{"name":"\ufeffa"}"#.to_owned(),
        r#"{"name":"\u200d"}"#.to_owned(),
        r#"{"name":"a\u00adb"}"#.to_owned(),
        r#"{"name":"a\u0085b"}"#.to_owned(),
        r#"{"name":"a\udb40\udc41b"}"#.to_owned(),
        r#"{"name":5}"#.to_owned(),
        r#"{"name":1.5e300}"#.to_owned(),
        r#"{"name":true}"#.to_owned(),
        r#"{"name":["a"]}"#.to_owned(),
        r#"{"name":{"a":"b"}}"#.to_owned(),
        r#"{"Name":"a","NAME":"b"}"#.to_owned(),
    ];
    let invalid = invalid.map(|body| json(world, body).gives(422, "validation_failed").holding("\"name\":["));
    let good = [
        format!(r#"{{"name":"{}"}}"#, "n".repeat(255)),
        format!(r#"{{"name":"{}"}}"#, "\u{1f600}".repeat(255)),
        r#"{"name":"  <script>alert(1)</script> ' OR 1=1 --  "}"#.to_owned(),
        r#"{"name":"a","user":"other","token":"mine","id":"x","created_at":0}"#.to_owned(),
        "{\r\n\t\"name\" : \"spaced\"\n}\n".to_owned(),
    ];
    invalid.into_iter().chain(good.map(|body| json(world, body).creates())).collect()
}

fn malformed(world: &World) -> Vec<Case> {
    let nested = |depth: usize| format!(r#"{{"name":"a","x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    let bodies: [Vec<u8>; 28] = [
        b"{".to_vec(),
        b"}".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"[{\"name\":\"a\"}]".to_vec(),
        b"\"name\"".to_vec(),
        b"5".to_vec(),
        b" ".to_vec(),
        b"{\"name\":\"a\"".to_vec(),
        b"{\"name\":\"a}".to_vec(),
        b"{\"name\":\"a\",}".to_vec(),
        b"{\"name\":\"a\"} {}".to_vec(),
        b"{\"name\":\"a\"}x".to_vec(),
        b"{name:\"a\"}".to_vec(),
        b"{'name':'a'}".to_vec(),
        b"{\"name\":\"a\" /* b */}".to_vec(),
        b"{\"name\":\"a\",\"x\":NaN}".to_vec(),
        b"{\"name\":\"a\",\"x\":01}".to_vec(),
        b"{\"name\":\"a\",\"x\":1e999}".to_vec(),
        b"{\"name\":\"a\",\"name\":\"b\"}".to_vec(),
        b"{\"name\":\"a\",\"n\\u0061me\":\"b\"}".to_vec(),
        b"{\"name\":\"a\",\"x\":[{\"y\":1,\"y\":2}]}".to_vec(),
        b"{\"name\":\"\\ud800\"}".to_vec(),
        b"{\"name\":\"a\nb\"}".to_vec(),
        b"{\"name\":\"\xff\"}".to_vec(),
        b"\xef\xbb\xbf{\"name\":\"a\"}".to_vec(),
        "{\"name\":\"a\"}".encode_utf16().flat_map(u16::to_le_bytes).collect(),
        nested(60_000 / 2).into_bytes(),
    ];
    let mut cases: Vec<Case> = bodies.into_iter().map(|body| json(world, body).gives(400, "bad_request")).collect();
    cases.push(json(world, nested(128)).gives(400, "bad_request"));
    cases.push(json(world, nested(126)).creates());
    cases.push(json(world, format!(r#"{{"name":"{}"}}"#, "n".repeat(1 << 20))).gives(413, "file_too_large"));
    cases
}

fn forms(world: &World) -> Vec<Case> {
    let form = |body: String| {
        let what = format!("token form {body:?}");
        Case::http(what, post(world, "application/x-www-form-urlencoded", body))
    };
    let mut cases: Vec<Case> = [
        "x=1",
        "name",
        "name=",
        "name=%20",
        "name=%00",
        "name=a%0d%0ab",
        "name=a&name=a",
        "name=%E2%80%AE",
        "&&&",
        "%",
        "name=%ff",
        "name=caf%E9",
        "name=a%00%FF",
        "name=%C3",
        "name=%ED%A0%80",
        "nam%ff=a",
    ]
    .map(|body| form(body.to_owned()).gives(422, "validation_failed").holding("\"name\":["))
    .into();
    cases.push(form(format!("name={}", "n".repeat(256))).gives(422, "validation_failed"));
    cases.push(form(format!("name=a&x={}", "n".repeat(1 << 20))).gives(413, "file_too_large"));
    cases.push(form("name=from+a+form%2B".to_owned()).creates().holding("from a form+"));
    cases.push(form("&x=1&%6eame=caf%C3%A9=%26%zz&".to_owned()).creates().holding("caf\u{e9}=&%zz"));
    cases.push(form("x=%ff&name=%EF%BF%BD".to_owned()).creates().holding("\u{fffd}"));
    let raw = |name: &'static [u8]| {
        let what = format!("token form {}", name.escape_ascii());
        Case::http(what, post(world, "application/x-www-form-urlencoded", [b"name=", name].concat()))
    };
    cases.push(raw(b"caf\xe9").gives(422, "validation_failed").holding("\"name\":["));
    cases.push(raw(b"caf\xc3\xa9").creates().holding("caf\u{e9}"));
    cases
}

fn types(world: &World) -> Vec<Case> {
    let body = r#"{"name":"a"}"#;
    let mut cases: Vec<Case> = [
        "text/plain",
        "text/json",
        "application/xml",
        "application/jsonx",
        "application/json+x",
        "multipart/form-data; boundary=b",
        "json",
        "",
        "*/*",
        "application/json, text/plain",
    ]
    .map(|kind| Case::http(format!("tokens as {kind:?}"), post(world, kind, body)).gives(415, "unsupported_media_type"))
    .into();
    for encoding in ["gzip", "identity", "br", ""] {
        let request = post(world, "application/json", body).header("content-encoding", encoding);
        cases.push(Case::http(format!("encoded {encoding:?}"), request).gives(415, "unsupported_media_type"));
    }
    let untyped = world.ada.request(Method::POST, "/tokens").body(body);
    cases.push(Case::http("tokens without a type", untyped).gives(415, "unsupported_media_type"));
    let empty = post(world, "application/json", "");
    cases.push(Case::http("tokens without a body", empty).gives(415, "unsupported_media_type"));
    let capitals = post(world, "Application/JSON ; charset=UTF-8", body);
    cases.push(Case::http("a type in capitals", capitals).creates());
    cases
}
