//! The API's document and the service say the same.

use std::collections::BTreeSet;

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};
use tests::api::{Answer, Api, send};
use tests::sample::pdf;
use tests::service::TestService;
use tests::wire::Fault;

const STORED: &str = include_str!("../../docs/openapi.json");

fn document() -> Value {
    serde_json::from_str(STORED).unwrap()
}

/// The part of the document that `reference` leads to, or `part` itself.
fn resolved<'d>(document: &'d Value, part: &'d Value) -> &'d Value {
    part["$ref"].as_str().map_or(part, |reference| document.pointer(&reference[1..]).unwrap())
}

/// `GET /pdf/{id}` of every call of the document, with the call.
fn calls(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let calls = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, call)| {
            // it stands beside the base address
            assert_eq!(call.get("servers").is_some(), path == "/health", "{path}");
            (format!("{} {path}", method.to_uppercase()), call)
        })
    });
    calls.collect()
}

fn validator(document: &Value, schema: &Value) -> Validator {
    let mut root = json!({ "components": document["components"] });
    root.as_object_mut().unwrap().extend(schema.as_object().unwrap().clone());
    jsonschema::options().should_validate_formats(true).build(&root).unwrap()
}

#[test]
fn the_stored_document_is_what_types_and_routes_say() {
    let is = reference::document() == STORED;
    assert!(is, "run: cargo run -p reference > openapi.json && mv openapi.json docs/openapi.json");
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

#[test]
fn limits_are_those_of_the_code() {
    let document = document();
    let file_size = &document["components"]["schemas"]["UploadRequest"]["properties"]["file_size"];
    assert_eq!(file_size["maximum"], shared::upload_form::MAX_FILE_SIZE);
    let parameters = document["paths"]["/pdf"]["get"]["parameters"].as_array().unwrap();
    let limits: Vec<_> =
        parameters.iter().map(|parameter| (&parameter["schema"]["maximum"], &parameter["schema"]["default"])).collect();
    let page = (&json!(shared::page::Page::MAX_NUMBER), &json!(1));
    let per_page = (&json!(shared::page::Page::MAX_PER_PAGE), &json!(shared::page::Page::DEFAULT_PER_PAGE));
    assert_eq!(limits, [page, per_page]);
}

/// Paths of all values below `schema`, and whether each may be null.
fn values(document: &Value, schema: &Value, path: &str, found: &mut Vec<(String, bool)>) {
    let schema = resolved(document, schema);
    match schema["properties"].as_object() {
        Some(properties) => {
            for (name, property) in properties {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                values(document, property, &path, found);
            }
        }
        None => found.push((path.to_owned(), schema["type"].is_array() || schema["oneOf"].is_array())),
    }
}

#[test]
fn the_guide_explains_every_value_of_the_metadata_and_when_it_is_null() {
    let document = document();
    let mut found = Vec::new();
    values(&document, &document["components"]["schemas"]["Metadata"], "", &mut found);
    let guide = include_str!("../../docs/metadata.md").lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let name = cells.first()?.strip_prefix('`')?.strip_suffix('`')?;
        (cells.len() == 6).then(|| (name.to_owned(), !cells[5].starts_with("never")))
    });
    assert_eq!(guide.collect::<BTreeSet<_>>(), found.into_iter().collect());
}

/// Answers of the service, each held against the document.
struct Witness {
    document: Value,
    met: BTreeSet<(String, String)>,
}

impl Witness {
    /// The answer to a call has to be one that the document knows: status, headers, body.
    fn check(&mut self, key: &str, answer: &Answer) {
        let (method, path) = key.split_once(' ').unwrap();
        let status = answer.status.to_string();
        let call = &self.document["paths"][path][method.to_lowercase()];
        let documented = resolved(&self.document, &call["responses"][&status]);
        assert!(documented.is_object(), "{key} answered {status}: {}", answer.text);
        let content = &documented["content"][answer.header("content-type")];
        let errors: Vec<String> = validator(&self.document, &content["schema"])
            .iter_errors(&answer.json)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{key} {status}: {errors:?}");
        if answer.status >= 400 {
            assert!(
                content["examples"][answer.code()].is_object(),
                "{key} {status} does not speak of {}",
                answer.code()
            );
        }
        for (name, header) in documented["headers"].as_object().unwrap() {
            let schema = &resolved(&self.document, header)["schema"];
            let value = answer.header(name);
            let value = if schema["type"] == "integer" { json!(value.parse::<u64>().ok()) } else { json!(value) };
            assert!(value != json!("") && validator(&self.document, schema).is_valid(&value), "{key} {status}: {name}");
        }
        // what is sent and not documented is HTTP's own
        for name in answer.headers.keys().map(reqwest::header::HeaderName::as_str) {
            let known = documented["headers"].as_object().unwrap().keys().any(|key| key.eq_ignore_ascii_case(name));
            // after the caller is known, failures of ours tell the quota too
            let known = known || (answer.status >= 500 && name.contains("ratelimit"));
            assert!(known || ["content-type", "content-length", "date"].contains(&name), "{key} {status}: {name}");
        }
        self.met.insert((key.to_owned(), status));
    }

    /// All outcomes that the document knows.
    fn documented(&self) -> BTreeSet<(String, String)> {
        let outcomes = |(key, call): (String, &Value)| {
            let statuses: Vec<String> = call["responses"].as_object().unwrap().keys().cloned().collect();
            statuses.into_iter().map(move |status| (key.clone(), status))
        };
        calls(&self.document).into_iter().flat_map(outcomes).collect()
    }
}

const ANALYZE: &str = "POST /pdf/analyze";

#[tokio::test]
async fn real_answers_are_as_documented_and_every_documented_outcome_is_real() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut witness = Witness { document: document(), met: BTreeSet::new() };
    witness.check("GET /openapi.json", &send(ada.anonymous(Method::GET, "/openapi.json")).await);
    let health = reqwest::get(format!("{}/health", service.service().origin())).await.unwrap();
    witness.check("GET /health", &Answer::of(health).await);
    analyses(&mut witness, &service, &ada).await;
    tokens(&mut witness, &ada).await;
    for (key, path) in [
        (ANALYZE, "/pdf/analyze"),
        ("POST /pdf/uploads", "/pdf/uploads"),
        ("GET /pdf", "/pdf"),
        ("GET /pdf/{id}", "/pdf/00000000-0001-8614-bd98-f44607e6fa02"),
        ("GET /user", "/user"),
        ("GET /tokens", "/tokens"),
        ("POST /tokens", "/tokens"),
        ("DELETE /tokens/{id}", "/tokens/019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77"),
    ] {
        let method: Method = key.split(' ').next().unwrap().parse().unwrap();
        witness.check(key, &send(ada.anonymous(method.clone(), path)).await.expect(401));
        service.wire.plan(|_| Fault::Throttle);
        witness.check(key, &send(ada.request(method, path)).await.expect(503));
        service.wire.heal();
    }
    // a bug of ours is not to be had
    let documented: BTreeSet<_> = witness.documented().into_iter().filter(|(_, status)| status != "500").collect();
    assert_eq!(witness.met, documented);
}

async fn analyses(witness: &mut Witness, service: &TestService, ada: &Api) {
    let analyzed = ada.analyze("a.pdf", pdf("A")).await.expect(200);
    witness.check(ANALYZE, &analyzed);
    let upload = ada.stage("b.pdf", pdf("B")).await;
    witness.check(ANALYZE, &ada.analyze_staged(&upload).await.expect(200));
    witness.check(ANALYZE, &ada.analyze_staged("00000000-0000-4000-8000-000000000000").await.expect(404));
    witness.check(ANALYZE, &ada.analyze("c.pdf", b"no PDF".to_vec()).await.expect(422));
    witness.check(ANALYZE, &ada.post("/pdf/analyze", &json!({})).await.expect(422));
    ada.analyze_once("key", "d.pdf", pdf("D")).await.expect(200);
    witness.check(ANALYZE, &ada.analyze_once("key", "e.pdf", pdf("E")).await.expect(422));
    let post = |path: &str, kind: &str, body: &str| {
        ada.request(Method::POST, path).header("content-type", kind).body(body.to_owned())
    };
    witness.check(ANALYZE, &send(post("/pdf/analyze", "multipart/form-data", "x")).await.expect(400));
    witness.check(ANALYZE, &send(post("/pdf/analyze", "text/plain", "x")).await.expect(415));
    let large = "x".repeat(70_000);
    witness.check(ANALYZE, &send(post("/pdf/analyze", "application/json", &large)).await.expect(413));

    let uploads = "POST /pdf/uploads";
    let ticket = json!({ "filename": "a.pdf", "file_size": 5 });
    witness.check(uploads, &ada.post("/pdf/uploads", &ticket).await.expect(201));
    witness.check(uploads, &ada.post("/pdf/uploads", &json!({})).await.expect(422));
    let huge = json!({ "filename": "a.pdf", "file_size": 104_857_601 });
    witness.check(uploads, &ada.post("/pdf/uploads", &huge).await.expect(413));
    witness.check(uploads, &send(post("/pdf/uploads", "application/json", "{")).await.expect(400));
    witness.check(uploads, &send(post("/pdf/uploads", "text/plain", "x")).await.expect(415));

    witness.check("GET /pdf", &ada.get("/pdf?per_page=2").await.expect(200));
    witness.check("GET /pdf", &ada.get("/pdf?page=0").await.expect(422));
    let id = analyzed.json["data"]["id"].as_str().unwrap();
    witness.check("GET /pdf/{id}", &ada.get(&format!("/pdf/{id}")).await.expect(200));
    witness.check("GET /pdf/{id}", &ada.get("/pdf/x").await.expect(404));
    witness.check("GET /user", &ada.get("/user").await.expect(200));

    let bob = service.account_limited_to(1, "bob").await;
    for _ in 0..10 {
        bob.analyze("c.pdf", b"no PDF".to_vec()).await.expect(422);
    }
    witness.check(ANALYZE, &bob.analyze("a.pdf", pdf("A")).await.expect(429));
    let eve = service.account_limited_to(1, "eve").await;
    eve.analyze("a.pdf", pdf("A")).await.expect(200);
    witness.check(ANALYZE, &eve.analyze("a.pdf", pdf("A")).await.expect(429));
}

async fn tokens(witness: &mut Witness, ada: &Api) {
    let create = "POST /tokens";
    let created = ada.post("/tokens", &json!({ "name": "laptop" })).await.expect(201);
    witness.check(create, &created);
    witness.check(create, &ada.post("/tokens", &json!({})).await.expect(422));
    let post = |kind: &str, body: &str| {
        ada.request(Method::POST, "/tokens").header("content-type", kind).body(body.to_owned())
    };
    witness.check(create, &send(post("application/x-www-form-urlencoded", "name=a")).await.expect(201));
    witness.check(create, &send(post("application/json", "[]")).await.expect(400));
    witness.check(create, &send(post("text/plain", "x")).await.expect(415));
    witness.check(create, &send(post("application/json", &"x".repeat(70_000))).await.expect(413));
    witness.check("GET /tokens", &ada.get("/tokens").await.expect(200));
    let path = format!("/tokens/{}", created.json["data"]["id"].as_str().unwrap());
    witness.check("DELETE /tokens/{id}", &ada.delete(&path).await.expect(200));
    witness.check("DELETE /tokens/{id}", &ada.delete(&path).await.expect(404));
    while ada.get("/tokens").await.json["data"].as_array().unwrap().len() < 100 {
        ada.post("/tokens", &json!({ "name": "one more" })).await.expect(201);
    }
    witness.check(create, &ada.post("/tokens", &json!({ "name": "too many" })).await.expect(422));
}
