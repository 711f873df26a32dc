//! `compare`: two uploaded files are compared, stored and counted, as by `POST /pdf/compare`.

use serde_json::{Value, json};
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Fields};
use shared::inputs::submission::{RepeatKeys, Submission};
use shared::quota;

use super::get_analysis::{hidden_words, report};
use crate::App;
use crate::protocol::{Effect, Tool};
use crate::report::{ReportPart, comparison_schema};

pub(super) fn tool() -> Tool {
    let password = json!({ "type": "string", "description": "To open it with. Never stored, never logged." });
    Tool {
        name: "compare",
        title: "Compare two uploaded PDFs",
        description: "Reports how two uploaded PDFs are related, and which words, pages and metadata differ. Prepare \
            and run an upload for each first. It takes two analyses of today's quota; called again with the same upload ids, \
            it gives the first answer and charges nothing. A file that cannot be read is not charged.",
        effect: Effect::WritesOnce,
        arguments: (
            json!({
                "before": { "type": "string", "description": "The upload_id of the earlier file." },
                "after": { "type": "string", "description": "The upload_id of the later file." },
                "before_password": password,
                "after_password": password
            }),
            &["before", "after"],
        ),
        result: comparison_schema(),
    }
}

pub(super) async fn call(app: &App, call: &mut Call, arguments: &Fields) -> Result<Value, Error> {
    let keys = RepeatKeys::of_pair(arguments);
    let (caller, found) = auth::caller_with(&app.store, call, &keys.rows()).await?;
    let first = keys.first_answer(&found, call.now)?;
    caller.admit(first.as_ref(), quota::COMPARISON)?;
    let submission = Submission::staged_pair(arguments, keys)?;
    let compared = app.analyzer.answer(&caller, submission, first, call.deadline()).await?;
    call.record(compared.outcome, compared.verdict, compared.quota);
    report(compared.entry, Some(compared.remaining), ReportPart::Summary, hidden_words(call))
}
