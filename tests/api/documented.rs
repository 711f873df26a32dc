//! Real answers against the API's document: every one is documented, and every documented outcome is real.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::small::pdf;
use serde_json::{Value, json};
use server::Options;
use shared::disk_space::DiskSpace;
use tests::api::{Answer, Api, send};
use tests::clock::TestClock;
use tests::document::{calls, document, resolved, validator};
use tests::rows::scatter;
use tests::service::{TestService, roomy};
use tests::trust::authority;
use tests::wire::Fault;

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
        if documented["content"].is_null() {
            assert_eq!((answer.text.as_str(), answer.header("content-type")), ("", ""), "{key} {status}");
        } else {
            let errors: Vec<String> = validator(&self.document, &content["schema"])
                .iter_errors(&answer.json)
                .map(|error| format!("{} at {}", error, error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{key} {status}: {errors:?}");
        }
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
const COMPARE: &str = "POST /pdf/compare";

#[tokio::test]
async fn real_answers_are_as_documented_and_every_documented_outcome_is_real() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut witness = Witness { document: document(), met: BTreeSet::new() };
    witness.check("GET /openapi.json", &send(ada.anonymous(Method::GET, "/openapi.json")).await);
    let health = reqwest::get(format!("{}/health", service.service().origin())).await.unwrap();
    witness.check("GET /health", &Answer::of(health).await);
    witness.check("GET /health", &health_of_a_full_disk().await);
    analyses(&mut witness, &service, &ada).await;
    tokens(&mut witness).await;
    trust(&mut witness, &ada).await;
    for (key, path) in [
        (ANALYZE, "/pdf/analyze"),
        (COMPARE, "/pdf/compare"),
        ("POST /pdf/uploads", "/pdf/uploads"),
        ("GET /pdf", "/pdf"),
        ("GET /pdf/{id}", "/pdf/00000000-0001-8614-bd98-f44607e6fa02"),
        ("DELETE /pdf/{id}", "/pdf/00000000-0001-8614-bd98-f44607e6fa02"),
        ("PUT /pdf/{id}/reference", "/pdf/00000000-0001-8614-bd98-f44607e6fa02/reference"),
        ("POST /pdf/{id}/share", "/pdf/00000000-0001-8614-bd98-f44607e6fa02/share"),
        ("DELETE /pdf/{id}/share", "/pdf/00000000-0001-8614-bd98-f44607e6fa02/share"),
        ("GET /user", "/user"),
        ("GET /tokens", "/tokens"),
        ("POST /tokens", "/tokens"),
        ("DELETE /tokens/{id}", "/tokens/019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77"),
        ("GET /trust", "/trust"),
        ("POST /trust", "/trust"),
        ("DELETE /trust/{id}", "/trust/0f8a1a5d0b62f2a0a3b2a8ef0e9fd0b6d3ab87e5f4f6a6a1b5c0a7e5b21d9c34"),
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

async fn health_of_a_full_disk() -> Answer {
    let free = Arc::new(AtomicU64::new(1 << 30));
    let told = Arc::clone(&free);
    let disk_space = DiskSpace::of(move || Some(told.load(Ordering::SeqCst)));
    let service = TestService::start_with(Options { disk_space: Some(disk_space), ..roomy() }).await;
    free.store(0, Ordering::SeqCst);
    Answer::of(reqwest::get(format!("{}/health", service.service().origin())).await.unwrap()).await.expect(503)
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

    let pair = |name: &str| {
        let part = |text: &str| Part::bytes(pdf(text)).file_name(name.to_owned());
        let form = Form::new().part("before", part("A")).part("after", part("B"));
        ada.request(Method::POST, "/pdf/compare").header("idempotency-key", "pair").multipart(form)
    };
    let compared = send(pair("a.pdf")).await.expect(200);
    witness.check(COMPARE, &compared);
    witness.check(COMPARE, &send(pair("b.pdf")).await.expect(422));
    let nobody = "00000000-0000-4000-8000-000000000000";
    witness.check(COMPARE, &ada.post("/pdf/compare", &json!({ "before": nobody, "after": nobody })).await.expect(404));
    witness.check(COMPARE, &send(post("/pdf/compare", "multipart/form-data", "x")).await.expect(400));
    witness.check(COMPARE, &send(post("/pdf/compare", "text/plain", "x")).await.expect(415));
    witness.check(COMPARE, &send(post("/pdf/compare", "application/json", &large)).await.expect(413));
    let id = compared.json["data"]["id"].as_str().unwrap();
    witness.check("GET /pdf/{id}", &ada.get(&format!("/pdf/{id}?kind=comparison")).await.expect(200));
    witness.check("GET /pdf/{id}", &ada.get(&format!("/pdf/{id}?kind=none")).await.expect(422));

    let uploads = "POST /pdf/uploads";
    let ticket = json!({ "filename": "a.pdf", "file_size": 5 });
    witness.check(uploads, &ada.post("/pdf/uploads", &ticket).await.expect(201));
    witness.check(uploads, &ada.post("/pdf/uploads", &json!({})).await.expect(422));
    let huge = json!({ "filename": "a.pdf", "file_size": 104_857_601 });
    witness.check(uploads, &ada.post("/pdf/uploads", &huge).await.expect(413));
    witness.check(uploads, &send(post("/pdf/uploads", "application/json", "{")).await.expect(400));
    witness.check(uploads, &send(post("/pdf/uploads", "text/plain", "x")).await.expect(415));

    witness.check("GET /pdf", &ada.get("/pdf?per_page=2").await.expect(200));
    witness.check("GET /pdf", &ada.get("/pdf?verdict=no_signs").await.expect(200));
    witness.check("GET /pdf", &ada.get("/pdf?kind=all").await.expect(200));
    witness.check("GET /pdf", &ada.get("/pdf?page=0").await.expect(422));
    let id = analyzed.json["data"]["id"].as_str().unwrap();
    witness.check("GET /pdf/{id}", &ada.get(&format!("/pdf/{id}")).await.expect(200));
    witness.check("GET /pdf/{id}", &ada.get("/pdf/x").await.expect(404));
    let (path, refer) = (format!("/pdf/{id}/reference"), "PUT /pdf/{id}/reference");
    let put =
        |kind: &str, body: &str| ada.request(Method::PUT, &path).header("content-type", kind).body(body.to_owned());
    for reference in [json!("CLM-7"), json!(null)] {
        witness.check(refer, &ada.replace(&path, &json!({ "reference": reference })).await.expect(200));
    }
    witness.check(refer, &ada.replace(&path, &json!({})).await.expect(422));
    witness.check(refer, &ada.replace("/pdf/x/reference", &json!({})).await.expect(404));
    witness.check(refer, &send(put("application/json", "[]")).await.expect(400));
    witness.check(refer, &send(put("text/plain", "x")).await.expect(415));
    witness.check(refer, &send(put("application/json", &large)).await.expect(413));
    let (path, share) = (format!("/pdf/{id}/share"), "POST /pdf/{id}/share");
    witness.check(share, &ada.post(&path, &json!({ "expires_in_days": 30 })).await.expect(201));
    witness.check(share, &ada.post(&path, &json!({})).await.expect(201));
    witness.check(share, &ada.post(&path, &json!({ "expires_in_days": 8 })).await.expect(422));
    witness.check(share, &ada.post("/pdf/x/share", &json!({})).await.expect(404));
    witness.check(share, &send(post(&path, "application/json", "[]")).await.expect(400));
    witness.check(share, &send(post(&path, "text/plain", "x")).await.expect(415));
    witness.check(share, &send(post(&path, "application/json", &large)).await.expect(413));
    witness.check("DELETE /pdf/{id}/share", &ada.delete(&path).await.expect(200));
    witness.check("DELETE /pdf/{id}/share", &ada.delete(&path).await.expect(404));
    witness.check("DELETE /pdf/{id}", &ada.delete(&format!("/pdf/{id}")).await.expect(200));
    witness.check("DELETE /pdf/{id}", &ada.delete(&format!("/pdf/{id}")).await.expect(404));
    let sam = service.account("sam").await;
    let (_, new) = scatter(service, &sam).await;
    witness.check("DELETE /pdf/{id}", &sam.delete(&format!("/pdf/{new}")).await.expect(422));
    witness.check("GET /user", &ada.get("/user").await.expect(200));

    let bob = service.account_limited_to(1, "bob").await;
    for _ in 0..10 {
        bob.analyze("c.pdf", b"no PDF".to_vec()).await.expect(422);
    }
    witness.check(ANALYZE, &bob.analyze("a.pdf", pdf("A")).await.expect(429));
    let eve = service.account_limited_to(1, "eve").await;
    eve.analyze("a.pdf", pdf("A")).await.expect(200);
    witness.check(ANALYZE, &eve.analyze("a.pdf", pdf("A")).await.expect(429));
    witness.check(COMPARE, &eve.post("/pdf/compare", &json!({})).await.expect(429));
    witness.check(uploads, &eve.post("/pdf/uploads", &ticket).await.expect(429));
    let max = service.account("max").await;
    for _ in 0..5 {
        max.ticket("a.pdf", 5).await;
    }
    witness.check(uploads, &max.post("/pdf/uploads", &ticket).await.expect(429));
}

async fn trust(witness: &mut Witness, ada: &Api) {
    let (add, remove) = ("POST /trust", "DELETE /trust/{id}");
    let added = ada.post("/trust", &json!({ "pem": authority("Root") })).await;
    witness.check(add, &added.expect(201));
    witness.check(add, &ada.post("/trust", &json!({})).await.expect(422));
    let post =
        |kind: &str, body: &str| ada.request(Method::POST, "/trust").header("content-type", kind).body(body.to_owned());
    witness.check(add, &send(post("application/json", "[]")).await.expect(400));
    witness.check(add, &send(post("text/plain", "x")).await.expect(415));
    witness.check(add, &send(post("application/json", &"x".repeat(70_000))).await.expect(413));
    let listed = ada.get("/trust").await.expect(200);
    witness.check("GET /trust", &listed);
    let path = format!("/trust/{}", listed.json["data"][0]["id"].as_str().unwrap());
    witness.check(remove, &ada.delete(&path).await.expect(200));
    witness.check(remove, &ada.delete(&path).await.expect(404));
}

async fn tokens(witness: &mut Witness) {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let create = "POST /tokens";
    let created = ada.post("/tokens", &json!({ "name": "laptop" })).await.expect(201);
    witness.check(create, &created);
    witness.check(create, &ada.post("/tokens", &json!({ "name": "brief", "expires_in_days": 30 })).await.expect(201));
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
        let answer = ada.post("/tokens", &json!({ "name": "one more" })).await;
        witness.check(create, &answer);
        if answer.status == 429 {
            clock.advance(3600);
        }
    }
    witness.check(create, &ada.post("/tokens", &json!({ "name": "too many" })).await.expect(422));
}
