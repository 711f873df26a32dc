//! `analyze`: an uploaded file is analyzed, stored and counted, as by `POST /pdf/analyze`.

use serde_json::{Value, json};
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Fields};
use shared::inputs::submission::{RepeatKeys, Submission};
use shared::quota;

use super::get_analysis::{hidden_words, report};
use crate::App;
use crate::protocol::{Effect, Tool};
use crate::report::{self, ReportPart};

pub(super) fn tool() -> Tool {
    Tool {
        name: "analyze",
        title: "Analyze an uploaded PDF",
        description: "The second of two steps: reports whether an uploaded PDF was changed after it was made or signed, and \
            stores the analysis. `outcome` says what to do: needs_review, inconclusive or no_findings (no proof). It counts against today's quota; called again with the same upload_id, it gives the first \
            answer and charges nothing. A file that cannot be read is not charged.",
        effect: Effect::WritesOnce,
        arguments: (
            json!({
                "upload_id": { "type": "string", "description": "The `upload_id` returned by `prepare_upload`." },
                "password": { "type": "string", "description": "To open the file with. Never stored, never logged." }
            }),
            &["upload_id"],
        ),
        result: report::schema(),
    }
}

pub(super) async fn call(app: &App, call: &mut Call, arguments: &Fields) -> Result<Value, Error> {
    let keys = RepeatKeys::of_upload(arguments.text("upload_id"));
    let (caller, found) = auth::caller_with(&app.store, call, &keys.rows()).await?;
    let first = keys.first_answer(&found, call.now)?;
    caller.admit(first.as_ref(), quota::ANALYSIS)?;
    let submission = Submission::staged(arguments, keys)?;
    let analyzed = app.analyzer.answer(&caller, submission, first, call.deadline()).await?;
    call.record(analyzed.outcome, analyzed.verdict, analyzed.quota);
    report(analyzed.entry, Some(analyzed.remaining), ReportPart::Summary, hidden_words(call))
}
