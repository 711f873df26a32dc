//! `list_analyses`: the account's analyses, newest first, a few at a time.

use report::untrusted::{schema as untrusted, separated};
use serde_json::{Value, json};
use shared::analysis::Summary;
use shared::auth;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Fields};
use shared::ids::AnalysisId;
use shared::listing::ListWalk;
use shared::store::Row;

use crate::App;
use crate::protocol::{Effect, Tool};
use crate::report::{outcomes, verdicts, within};

/// Analyses per answer.
const MOST: u64 = 10;
/// The filters, named as in the API.
const FILTERS: [&str; 6] = ["before", "outcome", "verdict", "search", "reference", "sha256"];

pub(super) fn tool() -> Tool {
    let analysis = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "verdict": { "type": ["string", "null"], "enum": verdicts() },
            "outcome": { "type": ["string", "null"], "enum": outcomes() },
            "reason": { "type": ["object", "null"], "description": "What decided above all: its signal, and a phrase." },
            "compared_with": { "type": "object", "description": "Only of a comparison, which has no verdict." },
            "file_size": { "type": "integer", "minimum": 0 },
            "analyzed_at": { "type": "string", "description": "ISO 8601, UTC." }
        },
        "required": ["id", "verdict", "file_size", "analyzed_at"]
    });
    let [mut asked, mut outcome] = [verdicts(), outcomes()];
    [&mut asked, &mut outcome].into_iter().for_each(|names| names.retain(|name| !name.is_null()));
    Tool {
        name: "list_analyses",
        title: "List analyses",
        description: "The account's analyses, newest first, at most 10. For older ones, call it again with `before` set to \
            next_before; that is null where there are none.",
        effect: Effect::Reads,
        arguments: (
            json!({
                "outcome": { "type": "string", "enum": outcome, "description": "Only analyses with this outcome." },
                "verdict": { "type": "string", "enum": asked, "description": "Only analyses with this verdict." },
                "search": { "type": "string", "maxLength": 64, "description": "Only analyses with this text in their file's name or reference." },
                "reference": { "type": "string", "maxLength": 64, "description": "Only analyses with this reference, such as a case number." },
                "sha256": { "type": "string", "pattern": "^[0-9A-Fa-f]{64}$", "description": "Only analyses of the file with this hash." },
                "before": { "type": "string", "description": "An analysis id: only older ones." }
            }),
            &[],
        ),
        result: json!({
            "type": "object",
            "properties": {
                "analyses": { "type": "array", "items": analysis },
                "total": { "type": "integer", "minimum": 0, "description": "Analyses of the account, whatever is asked." },
                "next_before": { "type": ["string", "null"] },
                "untrusted": untrusted()
            },
            "required": ["analyses", "total", "next_before", "untrusted"]
        }),
    }
}

pub(super) async fn call(app: &App, call: &mut Call, arguments: &Fields) -> Result<Value, Error> {
    // errors are not reported before authentication
    let walk = walk(arguments);
    let before = walk.as_ref().ok().and_then(ListWalk::before);
    let rows: Vec<_> = before.iter().map(|id| Row::Analysis(id.number())).collect();
    let (caller, found) = auth::caller_with(&app.store, call, &rows).await?;
    let (walk, numbering) = (walk?, &caller.account.numbering);
    found.check_start(&walk, numbering)?;
    let walked = app.store.walk(caller.user, &caller.account, &walk, call.deadline()).await?;
    Ok(answer(&walked.entries, walked.total, walked.last))
}

/// The walk of the API for these arguments.
fn walk(arguments: &Fields) -> Result<ListWalk, Error> {
    let mut errors = FieldErrors::default();
    let named = FILTERS.map(|name| (name, arguments.optional(name, &mut errors)));
    errors.or(())?;
    ListWalk::of(named.into_iter().filter_map(|(name, value)| Some((name, value?))), MOST)
}

fn answer(analyses: &[Summary], total: u64, last: Option<AnalysisId>) -> Value {
    let row = |summary: &Summary| {
        let mut row = json!({
            "id": summary.id,
            "verdict": summary.verdict,
            "outcome": summary.outcome,
            "reason": summary.reason,
            "reference": summary.reference,
            "filename": summary.filename,
            "file_size": summary.file_size,
            "analyzed_at": summary.analyzed_at
        });
        if let (Some(row), Some(with)) = (row.as_object_mut(), &summary.compared_with) {
            row.insert("compared_with".to_owned(), json!(with));
        }
        row
    };
    let rows: Vec<_> = analyses.iter().map(row).collect();
    let answer = json!({ "analyses": rows, "total": total, "next_before": last.map(|id| id.to_string()) });
    within(|step| separated(answer.clone(), step.text))
}
