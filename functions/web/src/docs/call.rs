//! One call of the API: its samples, what it takes and what it answers.

use maud::{Markup, html};
use serde_json::value::RawValue;

use super::fields::{fields, kind};
use super::model::{ApiCall, ApiDocument, ApiResponse};
use super::{guides, markdown, samples};

pub(crate) fn reference(api: &ApiDocument, call: ApiCall<'_>) -> Markup {
    let operation = call.operation;
    html! {
        p.lead { code { (call.method.to_uppercase()) " " (call.path) } }
        (markdown::blocks(&operation.description))
        (guides::about(&call.page()))
        (samples::show(&call.page()))
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
fn outcome(api: &ApiDocument, status: &str, answer: &ApiResponse) -> Markup {
    let good = status.starts_with('2');
    let content = answer.content.values().next().filter(|_| good);
    html! {
        h3 { (status) }
        (markdown::blocks(&answer.description))
        @if let Some(content) = content {
            dl.fields { (fields(api, &content.schema, "", true)) }
            @if let Some(example) = &content.example {
                details.sample { summary { "Example of an answer" } (samples::code(&unindented(example))) }
            }
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
