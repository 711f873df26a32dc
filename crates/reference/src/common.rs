//! Common parts of all calls: the bearer token, headers, general errors.

use yaml_serde::Mapping;

use crate::tree::{Branch, Tree, component, object};
use crate::{examples, headers, refusals};

/// Errors of any call with a token.
const COMMON_ERRORS: [(&str, &str); 3] =
    [("401", "unauthenticated"), ("500", "internal_error"), ("503", "service_unavailable")];

/// Completes every call of the document, and adds the referenced components.
pub(crate) fn complete(document: &mut Tree) {
    let mut used = Vec::new();
    for path in document["paths"].names() {
        for method in document["paths"][path.as_str()].names() {
            call(&mut document["paths"][path.as_str()][method.as_str()], &mut used);
        }
    }
    used.sort();
    used.dedup();
    let components = document["components"].entries();
    let responses: Mapping = used
        .iter()
        .map(|(code, status)| (refusals::component_name(code).into(), refusals::response(status, &[code.as_str()])))
        .collect();
    components.insert("responses".into(), Tree::Mapping(responses));
    components.insert("headers".into(), headers::components());
    components.insert("securitySchemes".into(), object([("token", token())]));
}

fn token() -> Tree {
    object([
        ("type", "http".into()),
        ("scheme", "bearer".into()),
        ("bearerFormat", "pdfa_…".into()),
        ("description", "An API token, from the web console or `POST /tokens`.".into()),
    ])
}

fn call(call: &mut Tree, used: &mut Vec<(String, String)>) {
    let id = call["operationId"].text().to_owned();
    let is_open = call.as_mapping().is_some_and(|call| call.contains_key("security"));
    if is_open {
        call["security"] = Tree::Sequence(Vec::new());
    }
    if let Some(form) = call.get_mut("requestBody").and_then(|body| body["content"].get_mut("multipart/form-data")) {
        let pdf = object([("contentType", "application/pdf".into())]);
        let encoding = match form["schema"]["$ref"].text() {
            schema if schema.ends_with("/PairForm") => object([("before", pdf.clone()), ("after", pdf)]),
            _ => object([("file", pdf)]),
        };
        form.entries().insert("encoding".into(), encoding);
    }
    let responses = &mut call["responses"];
    for status in responses.names() {
        let response = &mut responses[status.as_str()];
        if status.starts_with('2') {
            answer(response, &id, is_open);
        } else {
            let codes = response["description"].text().to_owned();
            *response = refusal(&status, &codes, used);
        }
    }
    for (status, code) in COMMON_ERRORS.into_iter().filter(|(status, _)| !is_open || *status == "500") {
        responses.entries().insert(status.into(), refusal(status, code, used));
    }
    responses.sort();
}

/// A successful answer gets its headers and its example.
fn answer(response: &mut Tree, id: &str, is_open: bool) {
    let own: Vec<String> = response.get("headers").map(Branch::names).unwrap_or_default();
    let quota = headers::QUOTA.iter().filter(|_| !is_open);
    let mut names: Vec<&str> =
        own.iter().map(String::as_str).chain(headers::COMMON_HEADERS).chain(quota.copied()).collect();
    names.sort_unstable();
    let headers: Mapping = names.into_iter().map(|name| (name.into(), component("headers", name))).collect();
    response.entries().insert("headers".into(), Tree::Mapping(headers));
    if let Some(example) = examples::of(id) {
        response["content"]["application/json"].entries().insert("example".into(), example);
    }
}

/// The response for the codes of a list such as `bad_request, not_found`; one code alone is a component.
fn refusal(status: &str, codes: &str, used: &mut Vec<(String, String)>) -> Tree {
    let codes: Vec<&str> = codes.split(", ").collect();
    if let [code] = codes[..] {
        used.push((code.to_owned(), status.to_owned()));
        return component("responses", &refusals::component_name(code));
    }
    refusals::response(status, &codes)
}
