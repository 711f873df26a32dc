//! What is told of an analysis, as a JSON Schema.

use engine::Verdict;
use report::untrusted::schema as untrusted;
use serde_json::{Value, json};

use super::ReportPart;

/// The schema of [`ReportedAnalysis::told`](super::ReportedAnalysis::told), whatever part it is.
#[must_use]
pub fn schema() -> Value {
    let signal = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" },
            "strength": { "type": "string", "enum": ["neutral", "weak", "strong", "conclusive"] },
            "basis": {
                "type": ["string", "null"],
                "enum": ["content", "history", "contradiction", "software", null],
                "description": "What it rests on. Null if it was analysed before signals said so."
            },
            "summary": { "type": "string" },
            "evidence": { "type": "array", "items": { "type": "object" } },
            "evidence_total": { "type": "integer" }
        },
        "required": ["id", "strength", "summary"]
    });
    let number = json!({ "type": "integer", "minimum": 0 });
    json!({
        "type": "object",
        "properties": {
            "part": { "type": "string", "enum": ReportPart::NAMES },
            "id": { "type": "string", "description": "The analysis id." },
            "analyzed_at": { "type": "string", "description": "ISO 8601, UTC." },
            "file_size": { "type": "integer", "minimum": 0, "description": "Bytes." },
            "remaining_checks": { "type": "integer", "minimum": 0, "description": "Analyses still allowed today." },
            "verdict": {
                "type": ["string", "null"],
                "enum": verdicts(),
                "description": "Was the file changed after it was made or signed. `saved_again` is common and no sign of a change, `no_signs` no proof. Null if it was analysed before there were verdicts."
            },
            "reasons": { "type": "array", "items": signal, "description": "The signals that decided." },
            "signals": { "type": "array", "items": signal, "description": "All that was found, weightiest first." },
            "signals_left_out": number,
            "pages": number,
            "revisions": number,
            "signatures": number,
            "encrypted": { "type": "boolean" },
            "repaired": { "type": "boolean" },
            "truncated": { "type": "boolean", "description": "The file's end is missing: get it once more." },
            "image_only": { "type": "boolean", "description": "Its pages are pictures, in which nothing can be examined." },
            "metadata": { "type": "object", "description": "As GET /api/v1/pdf/{id} answers it, without the file's texts." },
            "seen": { "type": ["object", "null"] },
            "usage_caution": { "type": ["string", "null"], "description": "What the verdict is not good for: tell it with it." },
            "untrusted": untrusted()
        },
        "required": ["part", "file_size", "verdict", "untrusted"]
    })
}

/// The verdicts' names, and null.
pub(crate) fn verdicts() -> Vec<Value> {
    Verdict::ALL.iter().map(|verdict| verdict.to_string().into()).chain([Value::Null]).collect()
}
