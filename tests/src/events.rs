//! API Gateway events (payload format 2.0) and the functions they go to, without HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use lambda_http::{Body, Context, Response};
use serde_json::Value;
use shared::function::Function;
use shared::platform::Platform;
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
    let mut context = Context::default();
    let deadline = SystemTime::now() + function.timeout;
    let deadline = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    context.deadline = u64::try_from(deadline).unwrap();
    match function.binary.as_str() {
        "user" => answered::<user::App>(platform, event, context).await,
        "pdf" => answered::<pdf::App>(platform, event, context).await,
        "tokens" => answered::<tokens::App>(platform, event, context).await,
        "web" => answered::<web::App>(platform, event, context).await,
        "mcp" => answered::<mcp::App>(platform, event, context).await,
        other => panic!("no function is built from {other}"),
    }
}

async fn answered<F: Function>(platform: Platform, event: &str, context: Context) -> Response<Body> {
    let function = F::new(platform.clone());
    // boxed: five functions' futures are too large for a test's stack
    Box::pin(answer(event, context, &platform, |request| function.handle(request), || function.due())).await
}
