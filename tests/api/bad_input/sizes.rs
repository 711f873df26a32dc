//! Sizes at their limits.

use reqwest::Method;
use samples::small::{pdf, pdf_of_size};

use super::case::Case;
use super::multipart::FORM;
use super::world::World;

pub(super) fn cases(world: &World) -> Vec<Case> {
    let token = world.ada.token();
    let declared = |length: u64| {
        let head = format!(
            "POST /api/v1/pdf/analyze HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {FORM}\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
        );
        Case::raw(format!("{length} bytes announced"), &[head.as_bytes()])
    };
    let of = |line: &str, length: u64| {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n"
        );
        let what = format!("{length} bytes announced for {line}");
        (what, head)
    };
    let known = |line: &str, kind: &str, length: u64| {
        let (what, head) = of(line, length);
        let head = format!("{head}Authorization: Bearer {token}\r\nContent-Type: {kind}\r\n\r\n");
        Case::raw(what, &[head.as_bytes()])
    };
    let unknown = |line: &str, length: u64| {
        let (what, head) = of(line, length);
        Case::raw(what, &[format!("{head}\r\n").as_bytes()])
    };
    let form_type = "application/x-www-form-urlencoded";
    let headers = |count: usize| {
        let lines: String = (0..count).map(|index| format!("X-{index}: y\r\n")).collect();
        let head =
            format!("GET /api/v1/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n");
        Case::raw(format!("{count} headers"), &[format!("{head}{lines}\r\n").as_bytes()])
    };
    let header = |size: usize| {
        let request = world.ada.request(Method::GET, "/user").header("x-long", "h".repeat(size));
        Case::http(format!("a header of {size} bytes"), request)
    };
    let name = |size: usize| {
        let body = format!(r#"{{"name":"a","x":"{}"}}"#, "x".repeat(size - 19));
        assert_eq!(body.len(), size);
        let request = world.ada.request(Method::POST, "/tokens").header("content-type", "application/json");
        Case::http(format!("JSON of {size} bytes"), request.body(body))
    };
    let form = |size: usize| {
        let body = format!("name=a&x={}", "x".repeat(size - 9));
        let request =
            world.ada.request(Method::POST, "/tokens").header("content-type", "application/x-www-form-urlencoded");
        Case::http(format!("a form of {size} bytes"), request.body(body))
    };
    let padded = |size: usize| [vec![b' '; size], pdf("A")].concat();
    let file = |size: usize| {
        Case::http(format!("{size} bytes before the header"), world.ada.analyze_request("a.pdf", padded(size)))
    };
    vec![
        declared(105_906_177).gives(413, "file_too_large"),
        declared(1 << 40).gives(413, "file_too_large"),
        declared(u64::MAX / 2).gives(413, "file_too_large"),
        declared(u64::MAX - 1).gives(431, ""),
        known("POST /api/v1/pdf/analyze", "application/json", 1 << 30).gives(413, "file_too_large").holding("64 KB"),
        known("POST /api/v1/pdf/uploads", "application/json", 1 << 30).gives(413, "file_too_large").holding("64 KB"),
        known("POST /api/v1/tokens", "application/json", 1 << 30).gives(413, "file_too_large").holding("64 KB"),
        known("POST /api/v1/tokens", form_type, 1 << 30).gives(413, "file_too_large").holding("64 KB"),
        known("POST /api/v1/pdf/analyze", "text/plain", 1 << 30).gives(415, "unsupported_media_type"),
        known("POST /api/v1/nowhere", FORM, 1 << 30).gives(404, "not_found"),
        known("PUT /api/v1/tokens", FORM, 1 << 30).gives(405, "method_not_allowed"),
        known("GET /api/v1/user", FORM, 1 << 30).gives(200, ""),
        unknown("POST /api/v1/pdf/analyze", 1 << 30).gives(401, "unauthenticated").without_look_up(),
        headers(90).gives(200, ""),
        headers(101).gives(431, ""),
        header(8_192).gives(200, ""),
        header(600_000).gives(431, ""),
        name(65_536).creates(),
        name(65_537).gives(413, "file_too_large"),
        form(65_536).creates(),
        form(65_537).gives(413, "file_too_large"),
        file(1_024).analyses(),
        file(1_025).fails(),
        Case::http("5 MB", world.ada.analyze_request("a.pdf", pdf_of_size("A", 5 << 20))).analyses(),
    ]
}
