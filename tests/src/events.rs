//! API Gateway events (payload format 2.0) and the functions they go to, without HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use lambda_http::{Body, Context, Response};
use serde_json::Value;
use shared::runtime::answer;

use crate::service::TestService;

/// The events of `events/`, by name, with `token` filled in.
#[must_use]
pub fn all(token: &str) -> BTreeMap<String, Value> {
    let filled = |name| {
        let mut event = server::events::sample(name).unwrap();
        if let Some(authorization) = event["headers"].get_mut("authorization") {
            *authorization = format!("Bearer {token}").into();
        }
        (name.to_owned(), event)
    };
    server::events::names().map(filled).collect()
}

/// The repository's root.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Hands an event to the function that the template routes it to, as Lambda would.
pub async fn invoke(service: &TestService, event: &Value) -> Response<Body> {
    invoke_text(service, event["routeKey"].as_str().unwrap(), &event.to_string()).await
}

/// Hands any text to the function of the route `key`.
pub async fn invoke_text(service: &TestService, key: &str, event: &str) -> Response<Body> {
    let template = service.service().template();
    let route = template.routes.iter().find(|route| route.key == key).unwrap();
    let function = template.functions.iter().find(|function| function.logical_id == route.function).unwrap();
    let platform = service.service().platform(&function.logical_id).unwrap().clone();
    // boxed: five functions' futures are too large for a test's stack
    let surroundings = platform.clone();
    let mails = web::App::new(platform.clone());
    let handle = async |request| match function.binary.as_str() {
        "user" => Box::pin(user::App::new(platform).handle(request)).await,
        "pdf" => Box::pin(pdf::App::new(platform).handle(request)).await,
        "tokens" => Box::pin(tokens::App::new(platform).handle(request)).await,
        "web" => Box::pin(web::App::new(platform).handle(request)).await,
        "mcp" => Box::pin(mcp::App::new(platform).handle(request)).await,
        other => panic!("no function is built from {other}"),
    };
    let mut context = Context::default();
    let deadline = SystemTime::now() + function.timeout;
    let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    context.deadline = u64::try_from(deadline).unwrap();
    answer(event, context, &surroundings, handle, || mails.send_mails()).await
}
