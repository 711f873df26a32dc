//! `crates/reference/calls`: a page per call of the API, and an overview, generated from the document.

use yaml_serde::Mapping;

use crate::examples;
use crate::field::{Field, HEAD, resolved, rows};
use crate::tree::{Branch, Tree, write};

const INTRODUCTION: &str = "\
# Every call

<!-- Made of the code, like the pages beside it, by `cargo run -p reference -- calls`: change what it says of its handlers. -->
";

/// Names and texts of all pages, of the API's document.
pub(crate) fn pages(document: &Tree) -> Vec<(String, String)> {
    let page = |(route, call): (String, &Tree)| (format!("{}.md", page_of(call)), page(document, &route, call));
    let overview = ("README.md".to_owned(), overview(document));
    calls(document).map(page).chain([overview]).collect()
}

/// `GET /pdf/{id}` of every call, with the call.
fn calls(document: &Tree) -> impl Iterator<Item = (String, &Tree)> {
    let paths = document["paths"].as_mapping().into_iter().flat_map(Mapping::iter);
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_mapping().into_iter().flat_map(Mapping::iter);
        methods.map(|(method, call)| (format!("{} {}", method.text().to_uppercase(), path.text()), call))
    })
}

fn page_of(call: &Tree) -> String {
    examples::name(call["operationId"].text())
}

/// The overview: all calls by tag, and their common rules.
fn overview(document: &Tree) -> String {
    let mut page = INTRODUCTION.to_owned();
    for tag in document["tags"].as_sequence().into_iter().flatten() {
        page.push_str(&format!("\n### {}\n\n", tag["description"].text()));
        for (route, call) in calls(document).filter(|(_, call)| call["tags"][0] == tag["name"]) {
            page.push_str(&format!("- [`{route}`]({}.md): {}\n", page_of(call), call["summary"].text()));
        }
    }
    format!("{page}\n## What holds for every call\n\n{}", document["info"]["description"].text())
}

/// The page of a call: description, input and answers.
fn page(document: &Tree, route: &str, call: &Tree) -> String {
    let schemas = &document["components"]["schemas"];
    let mut page = format!("# {}\n\n`{route}`\n\n{}\n", call["summary"].text(), call["description"].text());
    let parameters = call.get("parameters").and_then(Tree::as_sequence);
    if let Some(parameters) = parameters {
        page.push_str(&format!("\n## Parameters\n\n{HEAD}"));
        for parameter in parameters {
            let mut field = Field::new(schemas, &parameter["schema"]);
            field.own = parameter["description"].text();
            let more = if parameter["required"] == true { "" } else { ", optional" };
            page.push_str(&field.row(parameter["name"].text(), &format!(", in {}{more}", parameter["in"].text())));
        }
    }
    let body = call.get("requestBody").and_then(|body| body["content"].as_mapping());
    for (index, (media_type, content)) in body.into_iter().flat_map(Mapping::iter).enumerate() {
        page.push_str(if index == 0 { "\n## Body\n" } else { "" });
        page.push_str(&format!("\n### `{}`\n\n{HEAD}", media_type.text()));
        rows(schemas, resolved(schemas, &content["schema"]), ("", true), &mut page);
    }
    page.push_str("\n## Answers\n");
    for (status, answer) in call["responses"].as_mapping().into_iter().flat_map(Mapping::iter) {
        let answer = resolved(&document["components"]["responses"], answer);
        // Markdown would take it for HTML
        page.push_str(&format!("\n### {}\n\n{}\n", status.text(), answer["description"].text().replace('<', "\\<")));
        if status.text().starts_with('2') {
            page.push_str(&success(document, answer));
        }
    }
    page
}

/// The fields of an answer, an example and its headers.
fn success(document: &Tree, answer: &Tree) -> String {
    let (schemas, headers) = (&document["components"]["schemas"], &document["components"]["headers"]);
    let mut page = String::new();
    if let Some(content) = answer.get("content").map(|content| &content["application/json"]) {
        let mut fields = String::new();
        rows(schemas, resolved(schemas, &content["schema"]), ("", false), &mut fields);
        if !fields.is_empty() {
            page.push_str(&format!("\n{HEAD}{fields}"));
        }
        if let Some(example) = content.get("example") {
            page.push_str(&folded("Example of an answer", &format!("```json\n{}```\n", write(example))));
        }
    }
    let mut table = "| header | what it says |\n|---|---|\n".to_owned();
    for (name, header) in answer["headers"].as_mapping().into_iter().flat_map(Mapping::iter) {
        table.push_str(&format!("| `{}` | {} |\n", name.text(), resolved(headers, header)["description"].text()));
    }
    page + &folded("Headers", &table)
}

/// A collapsed section.
fn folded(summary: &str, content: &str) -> String {
    format!("\n<details class=\"sample\"><summary>{summary}</summary>\n\n{content}\n</details>\n")
}
