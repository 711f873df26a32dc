//! `request_upload`: a page where the account's owner drops a file for an agent that cannot run a command.

use serde_json::{Value, json};
use shared::auth;
use shared::error::Error;
use shared::http::Call;
use shared::ids::UploadId;
use shared::quota;

use super::object;
use crate::App;
use crate::protocol::{Effect, Tool};

pub(super) fn tool() -> Tool {
    Tool {
        name: "request_upload",
        title: "Ask the user for a file",
        description: "For agents that cannot run a command where the file is: gives a page of the console. Give its address to \
            the user, who logs in and drops the PDF there within an hour. Then call analyze with the upload_id. Charges \
            nothing.",
        effect: Effect::Reads,
        arguments: (json!({}), &[]),
        result: object(&json!({
            "upload_id": { "type": "string", "description": "What analyze takes once the file is there." },
            "page": { "type": "string", "description": "The page's address, for the user." }
        })),
    }
}

pub(super) async fn call(app: &App, call: &mut Call) -> Result<Value, Error> {
    let caller = auth::caller(&app.store, call).await?;
    caller.admit(None, quota::ANALYSIS)?;
    let upload = UploadId::new(call.now);
    let console = app.origin.clone().or_else(|| call.origin()).unwrap_or_default();
    Ok(json!({ "upload_id": upload.to_string(), "page": format!("{console}/dashboard?upload={upload}") }))
}
