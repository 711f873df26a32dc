//! The API's document (OpenAPI 3.1), generated from the functions' descriptions of their calls and types.
//!
//! The functions describe each call beside its handler. Common parts are added here, from the service's own table of
//! errors, so that nothing is duplicated.

#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "runs at a developer's desk: what is missing ends it")]

mod calls;
mod common;
mod examples;
mod field;
mod fields;
mod headers;
mod refusals;
mod schemas;
mod tree;

use shared::http::{BASE_PATH, ErrorAnswer};
use utoipa::OpenApi;

use tree::{Branch, Tree, object, read};

/// Components of all calls.
#[derive(OpenApi)]
#[openapi(components(schemas(ErrorAnswer, shared::listing::EntryKind)))]
struct Errors;

/// The document, as it is served.
#[must_use]
pub fn document() -> String {
    tree::write(&complete())
}

/// The page of all fields of the metadata, all signals and all errors.
#[must_use]
pub fn fields() -> String {
    fields::page(&complete())
}

/// Names and texts of the pages of all calls.
#[must_use]
pub fn calls() -> Vec<(String, String)> {
    calls::pages(&complete())
}

fn complete() -> Tree {
    let mut api = pdf::Reference::openapi();
    for group in [user::Reference::openapi(), tokens::Reference::openapi(), web::Reference::openapi()] {
        api.merge(group);
    }
    api.merge(Errors::openapi());
    let text = api.to_json().expect("a document has a JSON form");
    let mut document = schemas::renamed(&read(&text));
    document["info"] = info();
    document["servers"] = object([("url", BASE_PATH.into()), ("description", "This service.".into())]).listed();
    document["security"] = object([("token", Tree::Sequence(Vec::new()))]).listed();
    document["tags"] = tags();
    // beside the base address, for load balancers
    document["paths"]["/health"]["get"].entries().insert("servers".into(), object([("url", "/".into())]).listed());
    schemas::complete(&mut document);
    common::complete(&mut document);
    document
}

fn info() -> Tree {
    object([
        ("title", "PDF Analysis Service".into()),
        ("summary", "Send a PDF, get its metadata back.".into()),
        ("description", description().into()),
        ("license", object([("name", "MIT OR Apache-2.0".into()), ("identifier", "MIT OR Apache-2.0".into())])),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

/// The introduction, and the table of all errors.
fn description() -> String {
    format!("{}\n{}", include_str!("introduction.md"), refusals::table())
}

fn tags() -> Tree {
    let tag = |name: &str, description: &str| object([("name", name.into()), ("description", description.into())]);
    Tree::Sequence(vec![
        tag("Analyses", "Analyze PDFs, list and read the analyses."),
        tag("Account", "The account behind a token."),
        tag("Tokens", "The account's API tokens."),
        tag("Reference", "The description of the API."),
    ])
}
