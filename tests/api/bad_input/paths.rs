//! Paths that lead nowhere, ids that are none, methods that are not taken.

use reqwest::{Method, RequestBuilder};

use super::case::Case;
use super::world::World;

pub(super) fn cases(world: &World) -> Vec<Case> {
    let mut cases: Vec<Case> =
        unknown().into_iter().map(|path| missing(world.ada.request(Method::GET, path), path)).collect();
    cases.extend(ids(world));
    cases.extend(methods(world));
    cases.extend(on_the_wire(world));
    cases
}

fn missing(request: RequestBuilder, path: &str) -> Case {
    Case::http(format!("path {path:?}"), request).gives(404, "not_found")
}

fn unknown() -> Vec<&'static str> {
    vec![
        "",
        "/",
        "/nowhere",
        "/user/",
        "//user",
        "/USER",
        "/user%00",
        "/user%0d%0aX-Injected:%201",
        "/us%65r",
        "/%75ser",
        "/pdf/",
        "/pdf/analyze/",
        "/pdf%2Fanalyze",
        "/tokens/a/b",
        "/pdf/a/b",
        "/api/v1/user",
        "/user;admin=1",
        "/*",
        "/{id}",
        "/%FF%FE",
    ]
}

/// Ids that are malformed, of another kind, or of somebody else.
fn ids(world: &World) -> Vec<Case> {
    let (analysis, token) = (&world.foreign_analysis, &world.foreign_token);
    let spellings = |id: &str| {
        [
            id.to_owned(),
            id.to_uppercase(),
            id.replace('-', ""),
            format!("{{{id}}}"),
            format!("urn:uuid:{id}"),
            format!("%20{id}"),
            format!("{id}%00"),
            format!("{id}%0a"),
            format!("{id}%2f"),
            format!("..%2F{id}"),
            format!("%2e%2e%2f{id}"),
            format!("{id}.json"),
            format!("{id},{id}"),
            "x".repeat(300),
            "00000000-0000-0000-0000-000000000000".to_owned(),
            "ffffffff-ffff-8fff-bfff-ffffffffffff".to_owned(),
            "-1".to_owned(),
            "1%27%20OR%20%271%27=%271".to_owned(),
            "%F0%9F%98%80".to_owned(),
            "%C3%28".to_owned(),
        ]
    };
    let analyses = spellings(analysis).into_iter().chain([token.clone(), world.ada.user().to_string()]);
    let tokens = spellings(token).into_iter().chain([analysis.clone(), world.bob.user().to_string()]);
    let shown = analyses.flat_map(|id| [Method::GET, Method::DELETE].map(|method| (method, format!("/pdf/{id}"))));
    let revoked = tokens.map(|id| (Method::DELETE, format!("/tokens/{id}")));
    shown.chain(revoked).map(|(method, path)| missing(world.ada.request(method, &path), &path)).collect()
}

/// Known paths with other methods.
fn methods(world: &World) -> Vec<Case> {
    let own = world.ada.token_id();
    let custom = Method::from_bytes(b"BREW").unwrap();
    let override_to_get = world.ada.request(Method::POST, "/user").header("x-http-method-override", "GET");
    let mut cases: Vec<Case> = [
        (Method::POST, "/user".to_owned(), "GET, HEAD"),
        (Method::DELETE, "/user".to_owned(), "GET, HEAD"),
        (Method::OPTIONS, "/user".to_owned(), "GET, HEAD"),
        (Method::TRACE, "/user".to_owned(), "GET, HEAD"),
        (custom, "/user".to_owned(), "GET, HEAD"),
        (Method::GET, "/pdf/analyze".to_owned(), "POST"),
        (Method::PUT, "/pdf/analyze".to_owned(), "POST"),
        (Method::GET, "/pdf/uploads".to_owned(), "POST"),
        (Method::POST, "/pdf".to_owned(), "GET, HEAD"),
        (Method::DELETE, "/pdf".to_owned(), "GET, HEAD"),
        (Method::PUT, format!("/pdf/{}", world.foreign_analysis), "GET, HEAD, DELETE"),
        (Method::PUT, "/pdf/x".to_owned(), "GET, HEAD, DELETE"),
        (Method::PATCH, "/tokens".to_owned(), "GET, HEAD, POST"),
        (Method::DELETE, "/tokens".to_owned(), "GET, HEAD, POST"),
        (Method::GET, format!("/tokens/{own}"), "DELETE"),
        (Method::POST, format!("/tokens/{own}"), "DELETE"),
    ]
    .into_iter()
    .map(|(method, path, allow)| {
        let what = format!("{method} {path}");
        Case::http(what, world.ada.request(method, &path)).gives(405, "method_not_allowed").with_header("allow", allow)
    })
    .collect();
    cases.push(Case::http("method override", override_to_get).gives(405, "method_not_allowed"));
    let head = world.ada.request(Method::HEAD, "/user");
    cases.push(Case::http("HEAD", head).gives(200, ""));
    let with_body = world.ada.request(Method::GET, "/user").header("content-type", "text/plain").body("ignored");
    cases.push(Case::http("GET with a body", with_body).gives(200, ""));
    cases
}

/// Targets that HTTP clients tidy up before they send them.
fn on_the_wire(world: &World) -> Vec<Case> {
    let token = world.ada.token();
    let get = |target: &str| {
        let head = "HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer";
        let request = format!("GET {target} {head} {token}\r\n\r\n");
        Case::raw(format!("target {target:?}"), &[request.as_bytes()])
    };
    vec![
        get("/api/v1/../v1/user").gives(404, "not_found"),
        get("/api/v1/./user").gives(404, "not_found"),
        get("/api/v1/pdf/../user").gives(404, "not_found"),
        get("/api/v1/pdf/..").gives(404, "not_found"),
        get("/api/v1/tokens/%2e%2e/%2e%2e/user").gives(404, "not_found"),
        get("/api/v1/pdf/..%2f..%2f..%2fetc%2fpasswd").gives(404, "not_found"),
        get("/api/v1\\user").gives(404, ""),
        get("/api//v1/user").gives(404, ""),
        get("http://elsewhere.example/api/v1/user").gives(200, ""),
        get("/api/v1/user?").gives(200, ""),
        get("/api/v1/user#part").gives(200, ""),
        get("*").gives(400, ""),
        get("api/v1/user").gives(400, ""),
        get("/api/v1/user /x").gives(400, ""),
        get(&format!("/api/v1/pdf?{}", "a".repeat(10_229))).gives(414, ""),
        get(&format!("/api/v1/pdf?{}", "a".repeat(10_228))).gives(200, ""),
    ]
}
