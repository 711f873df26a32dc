//! Common properties of all pages.

use reqwest::Method;
use samples::small::pdf;
use tests::api::{Answer, send};
use tests::browser::Browser;
use tests::document::{calls, document};
use tests::service::TestService;

fn assert_protected(answer: &Answer, path: &str) {
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
    ] {
        assert!(policy.contains(part), "{path}: {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{path}: {policy}");
    assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    assert!(!answer.header("x-request-id").is_empty(), "{path}");
}

#[tokio::test]
async fn every_page_is_protected_light_and_self_contained() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let stored = browser.upload("a.pdf", pdf("A")).await.expect(303);
    let visitor = Browser::new(&service);
    for (browser, path, status) in [
        (&visitor, "/", 200),
        (&visitor, "/register", 200),
        (&visitor, "/login", 200),
        (&visitor, "/docs", 200),
        (&visitor, "/docs/analyze-pdf", 200),
        (&visitor, "/docs/stage-upload", 200),
        (&visitor, "/docs/client", 200),
        (&visitor, "/docs/fields", 200),
        (&visitor, "/docs/integrity", 200),
        (&visitor, "/docs/api", 200),
        (&visitor, "/docs/nowhere", 404),
        (&visitor, "/dashboard", 303),
        (&visitor, "/nowhere", 404),
        (&browser, "/", 200),
        (&browser, "/dashboard", 200),
        (&browser, "/dashboard?page=0", 422),
        (&browser, "/dashboard?page=7", 200),
        (&browser, stored.header("location"), 200),
        (&browser, "/analyses/00000000-0001-8614-bd98-f44607e6fa02", 404),
        (&browser, "/tokens", 200),
        (&browser, "/account", 200),
        (&browser, "/logout", 200),
        (&browser, "/docs", 200),
        (&browser, "/account/password", 405),
    ] {
        let answer = browser.get(path).await.expect(status);
        assert_protected(&answer, path);
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        if status == 303 {
            continue;
        }
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        for inline in ["<style", " style=", " onclick=", "javascript:", "<script>"] {
            assert!(!answer.text.contains(inline), "{path}: {inline}");
        }
        let foreign = answer.text.match_indices("src=\"").chain(answer.text.match_indices("<link "));
        assert!(foreign.count() > 0 && !answer.text.contains("src=\"http"), "{path}");
        let mut weight = answer.text.len();
        for asset in assets_of(&answer.text) {
            weight += visitor.get(&asset).await.expect(200).text.len();
        }
        // all fields make long tables
        let most = if path == "/docs/fields" { 80_000 } else { 60_000 };
        assert!(weight < most, "{path} weighs {weight}");
    }
}

#[tokio::test]
async fn every_call_of_the_api_has_a_page_with_samples() {
    let service = TestService::start().await;
    let visitor = Browser::new(&service);
    let overview = visitor.get("/docs").await.expect(200).text;
    for (key, call) in calls(&document()) {
        let name: String = call["operationId"].as_str().unwrap().chars().fold(String::new(), |name, letter| {
            let dash = if letter.is_ascii_uppercase() { "-" } else { "" };
            format!("{name}{dash}{}", letter.to_ascii_lowercase())
        });
        assert!(overview.contains(&format!("href=\"/docs/{name}\"")), "{key}");
        let page = visitor.get(&format!("/docs/{name}")).await.expect(200).text;
        assert!(page.contains(&key), "{key}");
        assert!(page.contains("<summary>curl</summary>") && page.contains("PHP: <a href=\"/docs/client\">"), "{key}");
    }
    let client = visitor.get("/docs/client").await.expect(200).text;
    for language in ["curl", "Python", "JavaScript", "PHP"] {
        assert!(client.contains(&format!("<summary>{language}</summary>")), "{language}");
    }
}

fn assets_of(page: &str) -> std::collections::BTreeSet<String> {
    let found = page.match_indices("/assets/");
    found.map(|(at, _)| page[at..].split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn assets_may_be_kept_for_ever_under_names_that_change_with_them() {
    let service = TestService::start().await;
    let browser = Browser::new(&service);
    let assets = assets_of(&browser.get("/").await.text);
    assert_eq!(assets.len(), 5);
    for asset in &assets {
        let answer = browser.get(asset).await.expect(200);
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_protected(&answer, asset);
        let other = asset.replace('-', "-0");
        browser.get(&other).await.expect(404);
    }
    let types = async |ending: &str| {
        let asset = assets.iter().find(|asset| asset.ends_with(ending)).unwrap();
        browser.get(asset).await.header("content-type").to_owned()
    };
    assert_eq!(types(".css").await, "text/css; charset=utf-8");
    assert_eq!(types(".js").await, "text/javascript; charset=utf-8");
    assert_eq!(types(".svg").await, "image/svg+xml");
}

#[tokio::test]
async fn other_methods_and_other_people_s_analyses_are_refused_as_pages() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let eve = Browser::registered(&service, "eve").await;
    let path = ada.upload("a.pdf", pdf("A")).await.expect(303).header("location").to_owned();
    ada.get(&path).await.expect(200);
    let (foreign, none) = (eve.get(&path).await.expect(404), eve.get("/analyses/x").await.expect(404));
    let neutral = |answer: &Answer| answer.text.replace(answer.header("x-request-id"), "");
    assert_eq!(neutral(&foreign), neutral(&none));
    eve.get(&format!("{path}/json")).await.expect(404);
    let answer = send(ada.request(Method::PUT, "/tokens")).await.expect(405);
    assert_eq!(answer.header("allow"), "GET, HEAD, POST");
    let head = send(ada.request(Method::HEAD, "/dashboard")).await.expect(200);
    assert!(head.text.is_empty());
}

#[tokio::test]
async fn storage_that_fails_is_a_page_too() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    service.wire.plan(|_| tests::wire::Fault::Throttle);
    let page = browser.get("/dashboard").await.expect(503);
    assert!(page.header("content-type").starts_with("text/html"));
    assert_eq!(page.header("retry-after"), "1");
    assert!(!page.text.contains("hrottl") && page.text.contains(page.header("x-request-id")));
    service.wire.heal();
    browser.get("/dashboard").await.expect(200);
}

#[tokio::test]
async fn an_invalid_address_is_answered_with_the_reasons() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let long = format!("/dashboard?search={}", "x".repeat(65));
    for (path, reason) in
        [("/dashboard?page=abc", "page must be"), (&long, "search must be one text of at most 64 characters.")]
    {
        let page = ada.get(path).await.expect(422).text;
        assert!(page.contains(reason) && !page.contains("The details say"), "{page}");
    }
}
