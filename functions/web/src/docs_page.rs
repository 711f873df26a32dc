//! `/docs/{name}`: one call of the API, its samples, what it takes and what it answers.

use maud::{Markup, html};
use serde_json::value::RawValue;
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::App;
use crate::docs::{self, CLIENT, METADATA};
use crate::docs_fields::{fields, kind};
use crate::document::{self, Answer, Document};
use crate::layout::{self, Nav};
use crate::markdown;

impl App {
    pub(crate) async fn docs_page(&self, call: &mut Call) -> Result<Reply, Error> {
        let session = self.visitor(call).await?;
        let api = docs::document()?;
        let name = call.parameter("name");
        let (title, content) = match (name, api.call(name)) {
            (CLIENT, _) => ("A whole client", client()),
            (METADATA, _) => ("Metadata", metadata(api)),
            (_, Some(documented)) => (documented.operation.summary.as_str(), reference(api, documented)),
            _ => return Err(Error::NotFound),
        };
        let content = html! {
            article.prose.reference {
                p.crumb { a href="/docs" { "Documentation" } }
                h1 { (title) }
                (content)
            }
        };
        Ok(layout::page(title, Nav::of(session.as_ref(), ""), &content))
    }
}

fn client() -> Markup {
    html! {
        p.lead { "Chooses the way by the file's size, shows errors in the API's words, waits as " code { "Retry-After" } " says, and repeats what is safe to repeat." }
        (docs::samples(CLIENT))
    }
}

fn metadata(api: &Document) -> Markup {
    html! {
        p.lead { code { "data.metadata" } " of an analysis. Every key is always there; a value that the PDF does not have is " code { "null" } ". Sections are those of ISO 32000-1." }
        @if let Some(schema) = api.schema("Metadata") { dl.fields { (fields(api, schema, "", true)) } }
    }
}

fn reference(api: &Document, call: document::Call<'_>) -> Markup {
    let operation = call.operation;
    html! {
        p.lead { code { (call.method.to_uppercase()) " " (call.path) } }
        (markdown::blocks(&operation.description))
        (docs::samples(&call.page()))
        @if !operation.parameters.is_empty() {
            h2 { "Parameters" }
            dl.fields {
                @for parameter in &operation.parameters {
                    dt { code { (parameter.name) } span.kind { (parameter.place) ", " (kind(api, &parameter.schema)) @if !parameter.required { ", optional" } } }
                    dd { (markdown::line(&parameter.description)) }
                }
            }
        }
        @if let Some(body) = &operation.request_body {
            h2 { "Body" }
            @for (media_type, content) in &body.content {
                h3 { code { (media_type) } }
                dl.fields { (fields(api, &content.schema, "", false)) }
            }
        }
        h2 { "Answers" }
        @for (status, answer) in api.answers(call) { (outcome(api, status, answer)) }
    }
}

/// What may come of a call; good news in full.
fn outcome(api: &Document, status: &str, answer: &Answer) -> Markup {
    let good = status.starts_with('2');
    let content = answer.content.values().next().filter(|_| good);
    html! {
        h3 { (status) }
        (markdown::blocks(&answer.description))
        @if let Some(content) = content {
            dl.fields { (fields(api, &content.schema, "", true)) }
            @if let Some(example) = &content.example { (docs::code("Example of an answer", &unindented(example))) }
            details.sample {
                summary { "Headers" }
                dl.fields { @for (name, text) in api.headers(answer) { dt { code { (name) } } dd { (markdown::line(text)) } } }
            }
        }
    }
}

/// An example as the document writes it, without what it is indented by there.
fn unindented(example: &RawValue) -> String {
    let text = example.get();
    let last = text.lines().last().unwrap_or_default();
    let indent = last.len() - last.trim_start().len();
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| if index == 0 { line } else { line.get(indent..).unwrap_or_default() });
    lines.collect::<Vec<_>>().join("\n")
}
