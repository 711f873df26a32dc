//! `get_analysis`: a part of an analysis, as first answered.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use shared::analysis::Entry;
use shared::auth;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Fields};
use shared::ids::AnalysisId;
use shared::store::Row;

use crate::App;
use crate::protocol::{Effect, Tool};
use crate::report::{self, HiddenWords, ReportPart, ReportedAnalysis, ReportedComparison, comparison_schema};

pub(super) fn tool() -> Tool {
    Tool {
        name: "get_analysis",
        title: "Read an analysis",
        description: "A stored comparison, or a part of a stored analysis: `summary` (the verdict and why), `signals` (all that was found, and \
            where), or `metadata` (everything, which may be large).",
        effect: Effect::Reads,
        arguments: (
            json!({
                "id": { "type": "string", "description": "The analysis id." },
                "part": { "type": "string", "enum": ReportPart::NAMES, "default": "summary" }
            }),
            &["id"],
        ),
        result: json!({ "type": "object", "anyOf": [report::schema(), comparison_schema()] }),
    }
}

pub(super) async fn call(app: &App, call: &mut Call, arguments: &Fields) -> Result<Value, Error> {
    // errors are not reported before authentication
    let id = arguments.text("id").and_then(AnalysisId::parse);
    let rows = id.map(|id| vec![Row::Analysis(id.number()), Row::Metadata(id.number())]).unwrap_or_default();
    let (_, found) = auth::caller_with(&app.store, call, &rows).await?;
    let part = part(arguments)?;
    let entry = id.map(|id| found.entry(id)).transpose()?.flatten().ok_or(Error::NotFound)?;
    report(entry, None, part, hidden_words(call))
}

/// The requested part, with the required `id`.
fn part(arguments: &Fields) -> Result<ReportPart, Error> {
    let mut errors = FieldErrors::default();
    arguments.required("id", "is required: the id of one of your analyses", &mut errors);
    let part = ReportPart::of(arguments, &mut errors);
    errors.or(part)
}

/// Whether the endpoint's address allows hidden words: the account's owner configures it.
pub(super) fn hidden_words(call: &Call) -> HiddenWords {
    HiddenWords::reported_if(call.query().split('&').any(|part| part == "with_hidden_words=true"))
}

/// The report of a stored analysis or comparison.
pub(super) fn report(
    entry: Entry,
    remaining_checks: Option<u64>,
    part: ReportPart,
    words: HiddenWords,
) -> Result<Value, Error> {
    let analysis = match entry {
        Entry::Analysis(analysis) => analysis,
        Entry::Comparison(compared) => {
            let compared = ReportedComparison {
                id: Some(compared.id.to_string()),
                analyzed_at: Some(compared.analyzed_at),
                files: parsed(&compared.files)?,
                comparison: parsed(&compared.comparison)?,
                remaining_checks,
            };
            return Ok(compared.report());
        }
    };
    let analyzed = ReportedAnalysis {
        id: Some(analysis.id.to_string()),
        analyzed_at: Some(analysis.analyzed_at),
        filename: Some(analysis.filename),
        file_size: analysis.file_size,
        metadata: parsed(&analysis.metadata)?,
        seen: analysis.seen.as_deref().map(parsed).transpose()?,
        remaining_checks,
    };
    Ok(analyzed.report(part, words))
}

fn parsed<T: DeserializeOwned>(stored: &RawValue) -> Result<T, Error> {
    serde_json::from_str(stored.get()).map_err(Error::internal)
}
