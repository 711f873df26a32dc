//! Two accounts and every route of the template: what is another's looks exactly like what is not there.

use std::collections::BTreeMap;

use reqwest::{Method, RequestBuilder};
use samples::small::pdf;
use serde_json::{Value, json};
use shared::ids::{AnalysisId, TokenId, UploadId};
use tests::api::{Answer, Api, send};
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::trust::authority;

/// One account, at the API and in the console.
struct Account {
    api: Api,
    browser: Browser,
    csrf: String,
    analysis: String,
    token: String,
    issuer: String,
    upload: String,
}

/// What stands in a route's place for an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Foreign,
    Absent,
    Malformed,
    Own,
}

/// A route, and which kind of id it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Analysis,
    Token,
    Issuer,
    Upload,
    Nothing,
}

#[tokio::test]
async fn no_route_tells_what_is_another_s_from_what_is_not_there() {
    let service = TestService::start().await;
    let (mut ada, bob) = (account(&service, "ada").await, account(&service, "bob").await);
    let before = Snapshot::of(&service).await.text_of(&bob.api.user().to_string());
    let (mut compared, mut kinds) = (0, BTreeMap::new());
    for key in routes(&service) {
        let takes = takes(&key);
        *kinds.entry(format!("{takes:?}")).or_insert(0) += 1;
        if takes == Takes::Nothing {
            let answer = call(&ada, &key, "", takes).await;
            for foreign in [&bob.analysis, &bob.token, &bob.upload, &bob.api.user().to_string()] {
                assert!(!answer.text.contains(foreign), "{key} shows {foreign}");
            }
            assert!(!answer.text.contains("bob"), "{key}: {}", answer.text);
            compared += 1;
            continue;
        }
        let ask = async |whose| call(&ada, &key, &id(&ada, &bob, takes, whose), takes).await;
        let foreign = without_chance(&ask(Whose::Foreign).await);
        for whose in [Whose::Absent, Whose::Malformed] {
            assert_eq!(without_chance(&ask(whose).await), foreign, "{key} {whose:?}");
        }
        assert!(foreign.starts_with("404"), "{key}: {foreign}");
        if takes == Takes::Token {
            // one more to revoke
            let created = ada.api.post("/tokens", &json!({ "name": "another" })).await.expect(201);
            created.json["data"]["id"].as_str().unwrap().clone_into(&mut ada.token);
        }
        if takes == Takes::Issuer {
            // once more to remove
            ada.api.post("/trust", &json!({ "pem": authority("ada") })).await.expect(201);
        }
        if takes == Takes::Upload {
            // one more to analyze or to compare
            ada.upload = ada.api.stage("ada-staged.pdf", pdf("ada")).await;
        }
        if takes == Takes::Analysis {
            // one more to share, and no more, and to delete
            let analyzed = ada.api.analyze("ada.pdf", pdf("ada")).await.expect(200);
            analyzed.json["data"]["id"].as_str().unwrap().clone_into(&mut ada.analysis);
            ada.api.post(&format!("/pdf/{}/share", ada.analysis), &json!({})).await.expect(201);
        }
        let own = call(&ada, &key, &id(&ada, &bob, takes, Whose::Own), takes).await;
        assert!([200, 201, 303].contains(&own.status), "{key}: {} {}", own.status, own.text);
        compared += 4;
    }
    println!("{compared} requests, by what the routes take: {kinds:?}");
    let after = Snapshot::of(&service).await;
    after.check();
    assert_eq!(after.text_of(&bob.api.user().to_string()), before, "something of Bob's changed");
    assert!(kinds["Analysis"] >= 3 && kinds["Token"] >= 2 && kinds["Upload"] >= 2, "{kinds:?}");
    bob.api.analyze_staged(&bob.upload).await.expect(200);
    bob.api.get(&format!("/pdf/{}", bob.analysis)).await.expect(200);
}

/// The routes of the template that do something; those that end the session or the account come last.
fn routes(service: &TestService) -> Vec<String> {
    let keys = service.service().template().routes.iter().map(|route| route.key.clone());
    let mut keys: Vec<String> = keys.filter(|key| !key.starts_with("ANY ") && key != "$default").collect();
    keys.sort_by_key(|key| match key.as_str() {
        "POST /logout" => 3,
        "POST /account/password" | "POST /account/delete" | "POST /tokens/end" => 2,
        // what the others read has to be there until then
        key if key.starts_with("DELETE ")
            || key.ends_with("/revoke")
            || key.ends_with("/delete")
            || key.ends_with("/remove") =>
        {
            1
        }
        _ => 0,
    });
    keys
}

/// Which id a route takes, by its path. A new kind of parameter has to be thought about here.
fn takes(key: &str) -> Takes {
    match key.split_once(' ').unwrap().1 {
        "/api/v1/pdf/analyze" | "/api/v1/pdf/compare" | "/dashboard/analyses" => Takes::Upload,
        "/assets/{name}" | "/docs/{name}" => Takes::Nothing,
        // the secret says whose it is, and is all that it takes (tests/api/sharing.rs, tests/console/links.rs)
        path if path.contains("/{secret}") => Takes::Nothing,
        path if path.contains("tokens/{id}") => Takes::Token,
        path if path.contains("trust/{id}") => Takes::Issuer,
        path if path.contains("pdf/{id}") || path.contains("analyses/{id}") => Takes::Analysis,
        path => {
            assert!(!path.contains('{'), "{path}: say here which id this is");
            Takes::Nothing
        }
    }
}

async fn account(service: &TestService, name: &str) -> Account {
    let mut browser = Browser::registered(service, name).await;
    let token = browser.token().await;
    let api = service.account(&format!("{name}-helper")).await.with_token(&token);
    let analysis = api.analyze(&format!("{name}.pdf"), pdf(name)).await.expect(200).json["data"]["id"].clone();
    let more = api.post("/tokens", &json!({ "name": "second" })).await.expect(201).json["data"]["id"].clone();
    let issuer = api.post("/trust", &json!({ "pem": authority(name) })).await.expect(201).json["data"][0]["id"].clone();
    let text = |value: Value| value.as_str().unwrap().to_owned();
    Account {
        csrf: browser.csrf().await,
        upload: api.stage(&format!("{name}-staged.pdf"), pdf(name)).await,
        analysis: text(analysis),
        token: text(more),
        issuer: text(issuer),
        api,
        browser,
    }
}

fn id(ada: &Account, bob: &Account, takes: Takes, whose: Whose) -> String {
    let of = |account: &Account| match takes {
        Takes::Analysis => account.analysis.clone(),
        Takes::Token => account.token.clone(),
        Takes::Issuer => account.issuer.clone(),
        Takes::Upload => account.upload.clone(),
        Takes::Nothing => String::new(),
    };
    match whose {
        Whose::Own => of(ada),
        Whose::Foreign => of(bob),
        Whose::Malformed => of(bob).to_uppercase(),
        Whose::Absent => match takes {
            Takes::Analysis => AnalysisId::new(1).to_string(),
            Takes::Token => TokenId::new(chrono::Utc::now()).to_string(),
            Takes::Issuer => "0".repeat(64),
            Takes::Upload => UploadId::new(chrono::Utc::now()).to_string(),
            Takes::Nothing => String::new(),
        },
    }
}

/// Ada's request to a route, as a client of the API or as a page of the console sends it.
async fn call(ada: &Account, key: &str, id: &str, takes: Takes) -> Answer {
    let (method, path) = key.split_once(' ').unwrap();
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let filled = path.replace("{id}", id).replace("{name}", "none.css").replace("{secret}", "none");
    let body = match takes {
        Takes::Upload => json!({ "upload_id": id, "before": id, "after": id }),
        _ => json!({ "name": "n", "filename": "a.pdf", "file_size": 5, "reference": "r" }),
    };
    let request: RequestBuilder = match filled.strip_prefix("/api/v1") {
        Some(path) if [Method::POST, Method::PUT].contains(&method) => ada.api.request(method, path).json(&body),
        Some(path) => ada.api.request(method, path),
        None => {
            let request = ada.browser.request(method.clone(), &filled);
            let request = request.header("origin", ada.browser.origin()).header("x-csrf-token", &ada.csrf);
            match (method == Method::POST, takes, path) {
                (false, ..) => request,
                (true, Takes::Upload, _) | (true, _, "/dashboard/uploads") => request.json(&body),
                (true, _, "/account/delete") => {
                    request.form(&[("csrf", ada.csrf.as_str()), ("confirm_password", "bob's password")])
                }
                (true, ..) => {
                    let fields = [("name", "n"), ("email", "e"), ("password", "p"), ("reference", "r")];
                    request.form(&[&[("csrf", ada.csrf.as_str())], &fields[..]].concat())
                }
            }
        }
    };
    send(request).await
}

/// Status, headers and body without the request id and the clock.
fn without_chance(answer: &Answer) -> String {
    let request_id = answer.header("x-request-id");
    assert!(!request_id.is_empty());
    let headers: BTreeMap<_, _> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["x-request-id", "date", "ratelimit"].contains(&name.as_str()))
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    format!("{} {headers:?} {}", answer.status, answer.text.replace(request_id, ""))
}
