//! The template and the functions say the same; the events of `events/` are answered.

use std::collections::{BTreeMap, BTreeSet};

use lambda_http::{Body, Response};
use serde_json::{Value, json};
use shared::function::Function;
use tests::events::{all, invoke};
use tests::service::TestService;

/// The routes of every function, as its table has them.
fn tables() -> BTreeMap<&'static str, BTreeSet<String>> {
    let tables = [
        ("user", user::App::ROUTES),
        ("pdf", pdf::App::ROUTES),
        ("tokens", tokens::App::ROUTES),
        ("web", web::App::ROUTES),
        ("mcp", mcp::App::ROUTES),
    ];
    tables.map(|(binary, table)| (binary, table.iter().flat_map(routes).chain(rest(binary)).collect())).into()
}

/// The routes of a path: each of its methods, and that of all others, by which HEAD comes too.
fn routes((path, methods): &(&str, &str)) -> Vec<String> {
    methods
        .split(", ")
        .filter(|method| *method != "HEAD")
        .chain(["ANY"])
        .map(|method| format!("{method} {path}"))
        .collect()
}

/// The console answers what is nobody's, too.
fn rest(binary: &str) -> Option<String> {
    (binary == "web").then(|| "$default".to_owned())
}

fn body(response: &Response<Body>) -> Value {
    serde_json::from_slice(response.body()).unwrap_or_default()
}

#[tokio::test]
async fn the_template_and_the_functions_have_the_same_routes() {
    let service = TestService::start().await;
    let template = service.service().template();
    let mut routes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for route in &template.routes {
        let function = template.functions.iter().find(|function| function.logical_id == route.function).unwrap();
        routes.entry(&function.binary).or_default().insert(route.key.clone());
    }
    assert_eq!(routes, tables());
    // each path of the API also has its ANY route, for the 405
    for route in template.routes.iter().filter(|route| route.key.contains(" /")) {
        let path = route.key.split_once(' ').unwrap().1;
        assert!(template.routes.iter().any(|other| other.key == format!("ANY {path}")), "{path}");
    }
}

#[tokio::test]
async fn every_route_is_answered_by_its_function() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let sample = all(&ada.token())["user-show"].clone();
    for route in &service.service().template().routes {
        let (method, path) = route.key.split_once(' ').unwrap_or(("GET", "/nowhere"));
        let mut event = sample.clone();
        event["routeKey"] = json!(route.key);
        event["rawPath"] = json!(path);
        event["requestContext"]["routeKey"] = json!(route.key);
        event["requestContext"]["http"]["method"] = json!(if method == "ANY" { "PATCH" } else { method });
        let response = invoke(&service, &event).await;
        assert_ne!(response.status(), 500, "{}", route.key);
        assert_eq!(response.status() == 405, method == "ANY", "{}", route.key);
    }
}

#[tokio::test]
async fn every_event_is_decoded_and_answered() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let events = all(&ada.token());
    let statuses: BTreeMap<&str, u16> = [
        ("mcp-message", 200),
        ("user-show", 200),
        ("pdf-analyze", 200),
        ("pdf-compare", 200),
        ("pdf-delete", 404),
        ("pdf-reference", 404),
        ("pdf-share", 404),
        ("pdf-share-end", 404),
        ("pdf-stage", 201),
        ("pdf-list", 200),
        ("pdf-show", 404),
        ("tokens-list", 200),
        ("tokens-create", 201),
        ("tokens-revoke", 404),
        ("trust-add", 201),
        ("trust-list", 200),
        ("trust-remove", 404),
        ("web-account", 303),
        ("web-account-confirmation", 303),
        ("web-account-delete", 303),
        ("web-account-email", 303),
        ("web-address", 404),
        ("web-address-page", 404),
        ("web-analysis", 303),
        ("web-analysis-delete", 303),
        ("web-analysis-reference", 303),
        ("web-analysis-share", 303),
        ("web-analysis-unshare", 303),
        ("web-link", 404),
        ("web-link-json", 404),
        ("web-analysis-json", 303),
        ("web-analyze", 401),
        ("web-asset", 404),
        ("web-compare", 303),
        ("web-confirm", 404),
        ("web-confirm-page", 404),
        ("web-dashboard", 303),
        ("web-dashboard-delete", 303),
        ("web-docs", 200),
        ("web-docs-page", 200),
        ("web-forgot", 403),
        ("web-forgot-page", 200),
        ("web-health", 200),
        ("web-home", 200),
        ("web-login", 422),
        ("web-login-page", 200),
        ("web-logout", 303),
        ("web-logout-page", 303),
        ("web-openapi", 200),
        ("web-password", 303),
        ("web-register", 303),
        ("web-register-page", 200),
        ("web-reset", 404),
        ("web-reset-page", 404),
        ("web-stage", 401),
        ("web-token-create", 303),
        ("web-token-revoke", 303),
        ("web-tokens", 303),
        ("web-tokens-end", 303),
        ("web-trust", 303),
        ("web-trust-add", 303),
        ("web-trust-remove", 303),
    ]
    .into();
    assert_eq!(events.keys().map(String::as_str).collect::<Vec<_>>(), statuses.keys().copied().collect::<Vec<_>>());
    for (name, event) in &events {
        let response = invoke(&service, event).await;
        assert_eq!(response.status(), statuses[name.as_str()], "{name}: {}", body(&response));
        assert_eq!(response.headers()["x-request-id"], "WqhX1hP5liAEJ6g=", "{name}");
    }
    let listed = ada.get("/pdf?kind=all").await.json["data"].clone();
    assert_eq!(
        (&listed[1]["filename"], &listed[0]["compared_with"]["filename"]),
        (&json!("event.pdf"), &json!("event.pdf"))
    );
}

#[tokio::test]
async fn every_function_has_an_event_for_each_of_its_routes() {
    let service = TestService::start().await;
    let events = all("");
    let keys: BTreeSet<_> = events.values().map(|event| event["routeKey"].as_str().unwrap()).collect();
    let routes: BTreeSet<_> = service.service().template().routes.iter().map(|route| route.key.as_str()).collect();
    let expected: BTreeSet<_> =
        routes.into_iter().filter(|key| !key.starts_with("ANY ") && *key != "$default").collect();
    assert_eq!(keys, expected);
}
