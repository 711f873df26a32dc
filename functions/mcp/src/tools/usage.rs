//! `usage`: today's quota, as in `GET /user`.

use serde_json::{Value, json};
use shared::auth;
use shared::error::Error;
use shared::http::Call;
use shared::quota::timestamp;

use super::object;
use crate::App;
use crate::protocol::{Effect, Tool};

pub(super) fn tool() -> Tool {
    let number = json!({ "type": "integer", "minimum": 0 });
    Tool {
        name: "usage",
        title: "Usage today",
        description: "How many analyses the account has left today, and when counting starts anew.",
        effect: Effect::Reads,
        arguments: (json!({}), &[]),
        result: object(&json!({
            "daily_limit": number, "remaining_checks": number, "checks_used_today": number,
            "quota_resets_at": { "type": "string", "description": "ISO 8601, UTC." }
        })),
    }
}

pub(super) async fn call(app: &App, call: &mut Call) -> Result<Value, Error> {
    let quota = auth::caller(&app.store, call).await?.quota;
    Ok(json!({
        "daily_limit": quota.limit,
        "remaining_checks": quota.remaining(),
        "checks_used_today": quota.used,
        "quota_resets_at": timestamp(quota.resets_at())
    }))
}
