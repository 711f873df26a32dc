//! The service's table of errors, for the document.

use engine::Reason;
use shared::http::specimens;
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};
use yaml_serde::Mapping;

use crate::headers;
use crate::tree::{Branch, Tree, component, object, read};

/// The request id of all examples.
const REQUEST_ID: &str = "0b4c5d6e-7f80-4912-a3b4-c5d6e7f80912";

/// One kind of error.
pub(crate) struct Refusal {
    /// Such as `404`.
    pub(crate) status: String,
    /// Such as `not_found`.
    pub(crate) code: String,
    /// The sentence.
    pub(crate) message: String,
    /// The names of its headers.
    headers: Vec<String>,
    /// The answer's body.
    body: Tree,
}

/// All kinds.
pub(crate) fn all() -> Vec<Refusal> {
    let answers = specimens(REQUEST_ID).into_iter();
    let refusal = |(_, answer): (_, shared::http::Answered)| {
        let body = read(std::str::from_utf8(answer.body()).expect("answers are text"));
        Refusal {
            status: answer.status().as_u16().to_string(),
            code: body["error"]["code"].text().to_owned(),
            message: body["error"]["message"].text().to_owned(),
            headers: answer.headers().keys().filter_map(|name| headers::documented(name.as_str())).collect(),
            body,
        }
    };
    answers.map(refusal).collect()
}

/// All kinds as a table.
pub(crate) fn table() -> String {
    let mut table = "| status | code | what was wrong and what to do |\n|---|---|---|\n".to_owned();
    // the console's own error is omitted
    for refusal in all().iter().filter(|refusal| refusal.code != "forbidden") {
        // Markdown would take it for HTML
        let message = refusal.message.replace('<', "\\<");
        table.push_str(&format!("| {} | `{}` | {message} |\n", refusal.status, refusal.code));
    }
    table
}

/// The response for these codes, which must have this status.
pub(crate) fn response(status: &str, codes: &[&str]) -> Tree {
    let table = all();
    let find = |code: &&str| {
        let found = table.iter().find(|refusal| refusal.code == *code).expect("a code of the table");
        assert_eq!(found.status, status, "{code}");
        found
    };
    let refusals: Vec<&Refusal> = codes.iter().map(find).collect();
    let lines: Vec<String> =
        refusals.iter().map(|one| format!("`{}`: {}{}", one.code, one.message, more(&one.code))).collect();
    let examples: Mapping =
        refusals.iter().map(|one| (one.code.as_str().into(), object([("value", one.body.clone())]))).collect();
    let mut names: Vec<&String> = refusals.iter().flat_map(|one| &one.headers).collect();
    names.sort();
    names.dedup();
    let headers: Mapping = names.into_iter().map(|name| (name.as_str().into(), component("headers", name))).collect();
    let content = object([("schema", component("schemas", "ErrorAnswer")), ("examples", Tree::Mapping(examples))]);
    object([
        ("description", lines.join("\n\n").into()),
        ("headers", Tree::Mapping(headers)),
        ("content", object([("application/json", content)])),
    ])
}

/// The description beside the sentence.
fn more(code: &str) -> String {
    let ("analysis_failed", RefOr::T(Schema::Object(reasons))) = (code, Reason::schema()) else { return String::new() };
    let reasons = reasons.enum_values.iter().flatten().filter_map(serde_json::Value::as_str);
    let reasons: Vec<String> = reasons.map(|reason| format!("`{reason}`")).collect();
    format!(" (The sentence for `corrupt`; `details.reason` is one of {}.)", reasons.join(", "))
}

/// The name of the component for one code: `NotFound` for `not_found`.
pub(crate) fn component_name(code: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    code.split('_').map(capital).collect()
}
