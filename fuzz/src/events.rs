//! Events of API Gateway, answered by the function they are for, over a table that knows one account.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use lambda_http::{Body, Context, Response};
use serde_json::Value;
use shared::ids::{TokenId, UserId};
use shared::runtime;
use shared::secret::ApiToken;

use crate::seeds;
use crate::storage::Storage;

/// What stands for the account's token in an event.
pub const PLACEHOLDER: &str = "PDFA_TOKEN";

struct World {
    token: String,
    routes: BTreeSet<String>,
    runtime: tokio::runtime::Runtime,
    user: user::App,
    pdf: pdf::App,
    tokens: tokens::App,
    web: web::App,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let token = ApiToken::new(UserId::random(), TokenId::new(chrono::DateTime::UNIX_EPOCH)).expect("random bytes");
    let storage = Storage::new(&token);
    let key = |event: String| serde_json::from_str::<Value>(&event).ok()?["routeKey"].as_str().map(str::to_owned);
    World {
        token: token.reveal(),
        routes: seeds::events().into_iter().filter_map(|(_, event)| key(event)).collect(),
        runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime"),
        user: user::App::new(storage.platform()),
        pdf: pdf::App::new(storage.platform()),
        tokens: tokens::App::new(storage.platform()),
        web: web::App::new(storage.platform()),
    }
});

/// Answers the event; the answer is one that the contract knows, and nothing went wrong on our side.
pub fn answer(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let world = &*WORLD;
    let text = text.replace(PLACEHOLDER, &world.token);
    let key = serde_json::from_str::<Value>(&text).ok().and_then(|event| {
        event["requestContext"]["routeKey"].as_str().or(event["routeKey"].as_str()).map(str::to_owned)
    });
    // other routes never get to a function
    let Some(key) = key.filter(|key| world.routes.contains(key)) else {
        let answer = world.runtime.block_on(runtime::answer(&text, context(), |_| async { Response::new(Body::Empty) }));
        assert!([200, 400].contains(&answer.status().as_u16()));
        return;
    };
    let path = key.split_once(' ').map_or("/", |(_, path)| path).to_owned();
    let answer = world.runtime.block_on(runtime::answer(&text, context(), async |request| {
        match path.strip_prefix("/api/v1/") {
            Some(path) if path.starts_with("user") => world.user.handle(request).await,
            Some(path) if path.starts_with("pdf") => world.pdf.handle(request).await,
            Some(_) => world.tokens.handle(request).await,
            None => world.web.handle(request).await,
        }
    }));
    let status = answer.status().as_u16();
    let known = [200, 201, 303, 400, 401, 403, 404, 405, 413, 415, 422, 429].contains(&status);
    assert!(known, "{status} {:?}", answer.body());
    if path.starts_with("/api/v1/") {
        let body: Value = serde_json::from_slice(answer.body()).expect("an envelope");
        assert_eq!(body["success"], Value::Bool(status < 300));
        assert!(!answer.body().is_empty() && !String::from_utf8_lossy(answer.body()).contains(&world.token));
    }
}

fn context() -> Context {
    let mut context = Context::default();
    let deadline = SystemTime::now() + Duration::from_secs(28);
    let since = deadline.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    context.deadline = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    context
}
