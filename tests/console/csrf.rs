//! Every POST of the console × every way in which another site could send it: refused, and
//! nothing changed.

use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder};
use samples::small::pdf;
use server::{MailOptions, Options};
use tests::api::{Answer, send};
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};

/// Name, CSRF token, headers.
type Case<'a> = (&'a str, Option<&'a str>, &'a [(&'a str, &'a str)]);

/// The console's POST routes, from the template, with an id filled in; without those whose path is a secret that no other
/// site can name (`tests/console/links.rs`).
fn posts(service: &TestService, token: &str) -> Vec<String> {
    let routes = service.service().template().routes.iter().filter(|route| !route.path.contains("{secret}"));
    // routes with a bearer token and no cookie cannot be forged by another site
    let is_page = |path: &str| !path.starts_with("/api/") && path != "/mcp";
    let keys = routes.filter(|route| is_page(&route.path)).map(|route| route.key.clone());
    keys.filter_map(|key| key.strip_prefix("POST ").map(|path| path.replace("{id}", token))).collect()
}

/// A body that the path would take, with `csrf`.
fn filled(request: RequestBuilder, path: &str, csrf: Option<&str>) -> RequestBuilder {
    if path == "/dashboard/uploads" {
        let request = request.json(&serde_json::json!({ "filename": "a.pdf", "file_size": 100 }));
        return csrf.into_iter().fold(request, |request, csrf| request.header("x-csrf-token", csrf));
    }
    let files: &[&'static str] = match path {
        "/dashboard/analyses" => &["file"],
        "/dashboard/comparisons" => &["before", "after"],
        _ => &[],
    };
    if !files.is_empty() {
        let form = csrf.into_iter().fold(Form::new(), |form, csrf| form.text("csrf", csrf.to_owned()));
        let part = |name: &str| Part::bytes(pdf(name)).file_name("a.pdf");
        return request.multipart(files.iter().fold(form, |form, name| form.part(*name, part(name))));
    }
    let mut fields = vec![
        ("name", "Eve"),
        ("email", "ada@example.com"),
        ("password", "another password"),
        ("current_password", "correct horse battery"),
    ];
    fields.extend(csrf.map(|csrf| ("csrf", csrf)));
    request.form(&fields)
}

#[tokio::test]
async fn a_post_from_elsewhere_changes_nothing() {
    let service = TestService::start_with(Options { mail: MailOptions::Folder, ..roomy() }).await;
    let mut ada = Browser::registered(&service, "ada").await;
    let eve = Browser::registered(&service, "eve").await;
    ada.post("/tokens", &[("name", "laptop")]).await.expect(200);
    let page = ada.get("/tokens").await.text;
    let token = page.split_once("/tokens/").unwrap().1.split('/').next().unwrap().to_owned();
    let (own, foreign) = (ada.csrf().await, eve.csrf().await);
    let paths = posts(&service, &token);
    assert!(paths.len() >= 9, "{paths:?}");
    // else one is sent meanwhile
    service.delivered().await;
    let before = Snapshot::of(&service).await;
    let same = ada.origin().to_owned();
    let shifted = format!("{same}1");
    for path in &paths {
        let cases: [Case<'_>; 13] = [
            ("no token", None, &[("origin", &same)]),
            ("empty token", Some(""), &[("origin", &same)]),
            ("another session's token", Some(&foreign), &[("origin", &same)]),
            ("no token, fetched from the same origin", None, &[("sec-fetch-site", "same-origin")]),
            ("foreign origin", Some(&own), &[("origin", "https://evil.example")]),
            ("another port", Some(&own), &[("origin", &shifted)]),
            ("another scheme", Some(&own), &[("origin", "https://127.0.0.1")]),
            ("null origin", Some(&own), &[("origin", "null")]),
            ("neither header", Some(&own), &[]),
            ("cross-site", Some(&own), &[("sec-fetch-site", "cross-site"), ("origin", &same)]),
            ("same-site", Some(&own), &[("sec-fetch-site", "same-site"), ("origin", &same)]),
            ("no site", Some(&own), &[("sec-fetch-site", "none")]),
            ("two origins", Some(&own), &[("origin", &same), ("origin", "https://evil.example")]),
        ];
        for (case, csrf, headers) in cases {
            let request = headers
                .iter()
                .fold(ada.request(Method::POST, path), |request, (name, value)| request.header(*name, *value));
            let answer: Answer = send(filled(request, path, csrf)).await;
            assert_eq!(answer.status, 403, "{path}: {case}: {}", answer.text);
            let json = path == "/dashboard/uploads";
            assert_eq!(answer.header("content-type").starts_with("text/html"), !json, "{path}: {case}");
            assert!(answer.header("set-cookie").is_empty());
        }
        let got = ada.get(&format!("{path}?csrf={own}&email=ada@example.com&name=x")).await;
        assert!(matches!(got.status, 200 | 303 | 405), "{path}: {}", got.status);
        assert_eq!(before.text(), Snapshot::of(&service).await.text(), "{path}");
    }
    ada.get("/dashboard").await.expect(200);
    // and the same requests, honestly sent, are taken
    for path in paths.iter().filter(|path| !path.contains("/account/") && *path != "/logout") {
        let request = ada.request(Method::POST, path).header("sec-fetch-site", "same-origin");
        let answer = send(filled(request, path, Some(&own))).await;
        assert!(answer.status != 403, "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_staged_analysis_wants_the_token_in_its_header() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let body = serde_json::json!({ "upload_id": "6f1c7d0e-3f0a-4b53-9d55-0d9a3f1c2b77", "csrf": ada.csrf().await });
    let request = || ada.request(Method::POST, "/dashboard/analyses").header("origin", ada.origin()).json(&body);
    send(request()).await.expect(403);
    send(request().header("x-csrf-token", ada.csrf().await)).await.expect(404);
}
