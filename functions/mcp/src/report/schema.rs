//! The JSON Schema of reports.

use engine::{Outcome, Verdict};
use report::untrusted::schema as untrusted;
use report::words;
use serde_json::{Value, json};

use super::ReportPart;

/// The schema of [`ReportedAnalysis::report`](super::ReportedAnalysis::report), for every part.
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
                "description": "Its basis. Null in analyses stored before signals had one."
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
                "description": explained()
            },
            "outcome": {
                "type": ["string", "null"], "enum": outcomes(),
                "description": "What the verdict asks for: needs_review (a person should look at the evidence), inconclusive (it could not be examined well enough, or pages are images), no_findings (nothing was found, which is no proof)."
            },
            "meaning": { "type": "string", "description": "What the verdict says, and what it does not." },
            "examined": { "type": "string", "description": "What the answer rests on." },
            "reasons": { "type": "array", "items": signal, "description": "The signals that decided." },
            "signals": { "type": "array", "items": signal, "description": "All that was found, weightiest first." },
            "signals_left_out": number,
            "pages": number,
            "revisions": number,
            "signatures": {
                "type": "array", "description": "Its signatures, oldest first; at most 5.",
                "items": {
                    "type": "object",
                    "properties": {
                        "kind": { "type": "string", "enum": ["approval", "certification", "timestamp"] },
                        "status": { "type": "string", "enum": ["intact", "broken", "unchecked"] },
                        "after": { "type": ["string", "null"], "description": "What was done after it." },
                        "trust": { "type": ["string", "null"], "description": "Whether its signer leads to a trusted issuer; null if no issuers are configured." }
                    },
                    "required": ["kind", "status"]
                }
            },
            "encrypted": { "type": "boolean" },
            "repaired": { "type": "boolean" },
            "truncated": { "type": "boolean", "description": "The end of the file is missing: get the file again." },
            "image_only": { "type": "boolean", "description": "Its pages are images; their text was not examined." },
            "metadata": { "type": "object", "description": "As GET /api/v1/pdf/{id} answers it, without the file's texts." },
            "seen": { "type": ["object", "null"] },
            "usage_caution": { "type": ["string", "null"], "description": "What the verdict is not good for: tell it with it." },
            "untrusted": untrusted()
        },
        "required": ["part", "file_size", "verdict", "outcome", "untrusted"]
    })
}

/// What each verdict means, for a model.
fn explained() -> String {
    let meaning = |verdict: &Verdict| format!("{verdict}: {}", words::verdict_meaning(Some(*verdict)));
    let meanings: Vec<String> = Verdict::ALL.iter().map(meaning).collect();
    format!(
        "Was the file changed after it was made or signed. {} Null if it was analyzed before there were verdicts.",
        meanings.join(" ")
    )
}

/// The outcomes' names, and null.
pub(crate) fn outcomes() -> Vec<Value> {
    Outcome::ALL.iter().map(|outcome| outcome.to_string().into()).chain([Value::Null]).collect()
}

/// The verdicts' names, and null.
pub(crate) fn verdicts() -> Vec<Value> {
    Verdict::ALL.iter().map(|verdict| verdict.to_string().into()).chain([Value::Null]).collect()
}
