//! The API's document against template, code and guides.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tests::document::{STORED, calls, document, resolved, validator};
use tests::events::root;
use tests::service::TestService;

/// The page of all fields of the metadata, as it is stored.
const FIELDS: &str = include_str!("../../docs/fields.md");

#[test]
fn the_stored_document_is_what_types_and_routes_say() {
    let is = reference::document() == STORED;
    assert!(is, "run: cargo run -p reference > new && mv new docs/openapi.json");
}

#[tokio::test]
async fn every_route_of_the_api_is_documented_and_nothing_else() {
    let service = TestService::start().await;
    let document = document();
    let documented: BTreeSet<String> = calls(&document).into_iter().map(|(key, _)| key).collect();
    let template = service.service().template();
    let routes = template.routes.iter().filter(|route| !route.key.starts_with("ANY "));
    let described = |path: &str| path.starts_with("/api/v1") || path == "/health";
    let routes: BTreeSet<String> =
        routes.filter(|route| described(&route.path)).map(|route| route.key.replace("/api/v1", "")).collect();
    assert_eq!(documented, routes);
}

#[test]
fn every_kind_of_error_is_documented_where_it_may_happen() {
    let document = document();
    let kinds = document["components"]["schemas"]["ErrorCode"]["enum"].as_array().unwrap().iter();
    let kinds: BTreeSet<&str> = kinds.map(|kind| kind.as_str().unwrap()).collect();
    let shown: BTreeSet<String> =
        shared::http::specimens("").iter().map(|(code, _)| json!(code).as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, shown.iter().map(String::as_str).collect(), "specimens");

    let mut met: BTreeSet<&str> = BTreeSet::new();
    for (_, call) in calls(&document) {
        for answer in call["responses"].as_object().unwrap().values() {
            let examples = &resolved(&document, answer)["content"]["application/json"]["examples"];
            met.extend(examples.as_object().into_iter().flatten().map(|(kind, _)| kind.as_str()));
        }
    }
    // the console's alone; and what no documented call can meet, because its method is another
    met.extend(["forbidden", "method_not_allowed"]);
    assert_eq!(met, kinds);
    let description = document["info"]["description"].as_str().unwrap();
    for kind in kinds.iter().filter(|kind| **kind != "forbidden") {
        assert!(description.contains(&format!("`{kind}`")), "{kind}");
    }
}

#[test]
fn every_example_is_valid() {
    let document = document();
    let mut count = 0;
    for (key, call) in calls(&document) {
        for (status, answer) in call["responses"].as_object().unwrap() {
            let content = &resolved(&document, answer)["content"]["application/json"];
            let validator = validator(&document, &content["schema"]);
            let one = content.get("example").into_iter();
            let many = content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
            for example in one.chain(many) {
                let errors: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{key} {status}: {errors:?}");
                count += 1;
            }
            assert!(status == "500" || content["schema"]["$ref"].is_string() || key == "GET /openapi.json");
        }
    }
    assert!(count > 40, "{count}");
}

/// All but the reference's own, whose answer would hold itself.
#[test]
fn every_call_has_an_example_and_every_example_its_call() {
    let files = std::fs::read_dir(root().join("crates/reference/examples")).unwrap().count();
    let document = document();
    let calls = calls(&document);
    let answers = calls.iter().flat_map(|(_, call)| call["responses"].as_object().unwrap().values());
    let shown = answers.filter(|answer| answer["content"]["application/json"].get("example").is_some()).count();
    let telling = calls.len() - 1;
    assert_eq!((shown, files), (telling, telling));
}

#[test]
fn limits_are_those_of_the_code() {
    let document = document();
    let file_size = &document["components"]["schemas"]["UploadRequest"]["properties"]["file_size"];
    assert_eq!(file_size["maximum"], shared::inputs::form_parts::MAX_FILE_SIZE);
    let parameters = document["paths"]["/pdf"]["get"]["parameters"].as_array().unwrap();
    let limits: Vec<_> =
        parameters.iter().map(|parameter| (&parameter["schema"]["maximum"], &parameter["schema"]["default"])).collect();
    let rest = (&Value::Null, &Value::Null);
    let page = (&json!(shared::page::PageRequest::MAX_NUMBER), &json!(1));
    let per_page =
        (&json!(shared::page::PageRequest::MAX_PER_PAGE), &json!(shared::page::PageRequest::DEFAULT_PER_PAGE));
    let kind = (&Value::Null, &json!("analysis"));
    assert_eq!(limits, [page, per_page, kind, rest, rest, rest, rest, rest, rest]);
}

/// Paths of all values below `schema`, and whether each may be null. An object that may be null is a value too, and so
/// is a list; `[]` stands for each of its elements.
fn values(document: &Value, schema: &Value, path: &str, found: &mut Vec<(String, bool)>) {
    let schema = resolved(document, schema);
    let choices = schema["oneOf"].as_array();
    let is_nullable = schema["type"].is_array() || choices.is_some();
    let one = choices.and_then(|choices| choices.iter().find(|one| one["type"] != "null"));
    let content = resolved(document, one.unwrap_or(schema));
    let items = resolved(document, &content["items"]);
    let (properties, path) = match content["properties"].as_object() {
        Some(properties) if !is_nullable => (properties, path.to_owned()),
        properties => {
            found.push((path.to_owned(), is_nullable));
            match (properties, items["properties"].as_object()) {
                (Some(properties), _) => (properties, path.to_owned()),
                (None, Some(properties)) => (properties, format!("{path}[]")),
                (None, None) => return,
            }
        }
    };
    for (name, property) in properties {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        values(document, property, &path, found);
    }
}

#[test]
fn the_stored_page_of_fields_is_what_types_say() {
    let is = reference::fields() == FIELDS;
    assert!(is, "run: cargo run -p reference -- fields > new && mv new docs/fields.md");
}

#[test]
fn the_stored_pages_of_calls_are_what_types_and_routes_say() {
    let folder = root().join("crates/reference/calls");
    let pages = reference::calls();
    for (name, text) in &pages {
        let is = std::fs::read_to_string(folder.join(name)).is_ok_and(|stored| stored == *text);
        assert!(is, "{name}: run cargo run -p reference -- calls");
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), pages.len());
}

#[test]
fn the_page_of_fields_explains_every_value_of_the_metadata_and_whether_it_may_be_null() {
    let document = document();
    let mut found = Vec::new();
    values(&document, &document["components"]["schemas"]["Metadata"], "", &mut found);
    let (fields, _) = FIELDS.split_once("\n## Signals\n").unwrap();
    let rows = fields.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let name = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        assert!(cells.len() == 3 && cells[1].len() > 3, "{line}");
        Some((name, cells[2].ends_with(", or null")))
    });
    let rows: BTreeMap<&str, bool> = rows.collect();
    let heads: BTreeSet<&str> = fields.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    for (path, is_nullable) in &found {
        let said = rows.get(path.as_str()).or_else(|| heads.get(path.as_str()).map(|_| is_nullable));
        assert_eq!(said, Some(is_nullable), "{path}");
    }
    let known: BTreeSet<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    let inside = |row: &&str| known.contains(row) || known.iter().any(|path| path.starts_with(&format!("{row}.")));
    let more: Vec<&&str> = rows.keys().filter(|row| !inside(row)).collect();
    assert!(more.is_empty() && rows.len() > 100, "{more:?}");
}

#[test]
fn the_guides_explain_every_signal_every_verdict_and_every_kind() {
    let document = document();
    let names = |schema: &str| -> BTreeSet<String> {
        let values = document["components"]["schemas"][schema]["enum"].as_array().unwrap().iter();
        values.map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    // the rows of the tables with so many columns
    let rows = |page: &str, columns: usize| -> BTreeSet<String> {
        let lines = page.lines().map(|line| line.trim_matches('|'));
        let rows = lines.map(|line| line.split(" | ").map(str::trim).collect::<Vec<_>>());
        let named = rows.filter(|row| row.len() == columns && row.iter().all(|cell| !cell.is_empty()));
        named.filter_map(|row| Some(row[0].strip_prefix('`')?.strip_suffix('`')?.to_owned())).collect()
    };
    let (_, lists) = FIELDS.split_once("\n## Signals\n\n|").and_then(|(_, rest)| rest.split_once('\n')).unwrap();
    assert_eq!(rows(lists, 2), names("SignalId"));
    let verdicts = include_str!("../../docs/integrity.md");
    assert_eq!((rows(verdicts, 3), rows(verdicts, 2)), (names("Verdict"), names("HiddenKind")));
}
