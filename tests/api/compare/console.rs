//! Comparisons at the console: offered, made, shown, shared and deleted.

use reqwest::Method;
use reqwest::multipart::Form;
use tests::api::{Answer, send};
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;

use super::{form, letter};

/// Sends the console's form.
async fn posted(browser: &Browser, form: Form) -> Answer {
    let request = browser.request(Method::POST, "/dashboard/comparisons").header("origin", browser.origin());
    send(request.multipart(form.text("csrf", browser.csrf().await))).await
}

/// Somebody at the console, and the path of their comparison of two letters.
async fn compared_at_console(service: &TestService) -> (Browser, String) {
    let ada = Browser::registered(service, "ada").await;
    let answer = posted(&ada, form(("old.pdf", letter("100")), ("new.pdf", letter("900")))).await.expect(303);
    (ada, answer.header("location").to_owned())
}

#[tokio::test]
async fn an_analysis_page_offers_to_compare() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let analysis = ada.upload("new.pdf", letter("900")).await.expect(303).header("location").to_owned();
    assert!(ada.get(&analysis).await.expect(200).text.contains("Compare with another copy"));
}

#[tokio::test]
async fn the_console_says_which_copy_is_no_pdf() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let refused = posted(&ada, form(("old.pdf", letter("1")), ("new.pdf", b"no PDF".to_vec()))).await.expect(422);
    assert!(refused.text.contains("The later copy: This file isn't a PDF."), "{}", refused.text);
    assert!(ada.get("/dashboard").await.text.contains("<strong id=\"left\">50</strong>"), "it takes no analysis");
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_console_shows_what_differs_and_lists_the_comparison_for_two_analyses() {
    let service = TestService::start().await;
    let (ada, path) = compared_at_console(&service).await;
    let page = ada.get(&path).await.expect(200).text;
    for shown in ["Versions of one document", "<del>1</del>00", "<ins>9</ins>00", "compared with", "old.pdf", "Share"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.contains("with_hidden_words"), "{page}");
    let listed = ada.get("/dashboard").await.text;
    assert!(listed.contains("compared with") && listed.contains("<strong id=\"left\">48</strong>"), "{listed}");
}

#[tokio::test]
async fn the_console_marks_what_differs_in_a_word_and_no_other_word() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    for (before, after, shown) in [
        ("1000 for 100", "1000 for 200", "The price is 1000 for <del>1</del>00 EUR"),
        ("10 for 10", "10 for 90", "<del>1</del>0</bdi> in <q><bdi>The price is 10 for 10 EUR</bdi></q>"),
    ] {
        let pair = form(("old.pdf", letter(before)), ("new.pdf", letter(after)));
        let path = posted(&ada, pair).await.expect(303).header("location").to_owned();
        let page = ada.get(&path).await.expect(200).text;
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[tokio::test]
async fn a_comparison_is_shared_by_a_link_at_the_console() {
    let service = TestService::start().await;
    let (mut ada, path) = compared_at_console(&service).await;
    let link = ada.post(&format!("{path}/share"), &[("expires_in_days", "7")]).await.expect(200).text;
    let link = link.split("/s/").nth(1).unwrap().get(..43).unwrap().to_owned();
    let anybody = Browser::new(&service);
    assert!(anybody.get(&format!("/s/{link}")).await.expect(200).text.contains("<ins>9</ins>00"));
    let json = anybody.get(&format!("/s/{link}/json")).await.expect(200).json;
    assert_eq!(json, ada.get(&format!("{path}/json")).await.expect(200).json);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_comparison_is_deleted_at_the_console() {
    let service = TestService::start().await;
    let (mut ada, path) = compared_at_console(&service).await;
    ada.post(&format!("{path}/delete"), &[]).await.expect(303);
    ada.get(&path).await.expect(404);
    Snapshot::of(&service).await.check();
}
