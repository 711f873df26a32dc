//! `Idempotency-Key`, and headers that should not matter.

use super::case::Case;
use super::world::World;
use samples::small::pdf;

pub(super) fn cases(world: &World) -> Vec<Case> {
    let upload = || world.ada.analyze_request("a.pdf", pdf("A"));
    let keyed = |key: &[u8]| {
        let value = lambda_http::http::HeaderValue::from_bytes(key).unwrap();
        let what = format!("key {:?}", String::from_utf8_lossy(key));
        Case::http(what, upload().header("idempotency-key", value))
    };
    let long = "k".repeat(255);
    let longer = "k".repeat(256);
    let mut cases: Vec<Case> =
        [longer.as_bytes(), b"a b", b"a\tb", b"\xff", "\u{e9}".as_bytes(), "\u{1f511}".as_bytes()]
            .map(|key| keyed(key).gives(422, "validation_failed").holding("Idempotency-Key"))
            .into();
    cases.push(keyed(b"taken").gives(422, "idempotency_key_reused"));
    for key in [b"".as_slice(), long.as_bytes(), b"\"quoted\"", b"../../..", b"{}<>$"] {
        cases.push(keyed(key).analyses());
    }
    for (name, value) in [
        ("content-md5", "AAAA"),
        ("x-forwarded-for", "127.0.0.1, ' OR 1=1"),
        ("x-forwarded-proto", "gopher"),
        ("x-amzn-trace-id", "Root=evil"),
        ("x-request-id", "mine"),
        ("range", "bytes=0-1"),
        ("if-match", "\"x\""),
        ("accept", "text/html"),
        ("accept-encoding", "gzip;q=1.0, *;q=0"),
        ("origin", "null"),
        ("expect", "100-continue"),
        ("cookie", "a=b; \"; c"),
    ] {
        cases.push(Case::http(format!("{name}: {value}"), upload().header(name, value)).analyses());
    }
    cases
}
