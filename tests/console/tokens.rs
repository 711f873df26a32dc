//! `/tokens`.

use reqwest::Method;
use tests::api::send;
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::TestService;

#[tokio::test]
async fn a_token_is_shown_once_works_and_is_revoked() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let page = browser.post("/tokens", &[("name", " <i>laptop</i> ")]).await.expect(200);
    let token = page.text.split_once("pdfa_").map(|(_, rest)| format!("pdfa_{}", &rest[..76])).unwrap();
    assert!(page.text.contains(&format!("curl -H 'Authorization: Bearer {token}'")), "{}", page.text);
    assert!(page.text.contains(&format!("{}/api/v1/pdf/analyze", browser.origin())));
    let user = || browser.request(Method::GET, "/api/v1/user").bearer_auth(&token);
    assert_eq!(send(user()).await.expect(200).json["data"]["email"], "ada@example.com");

    let list = browser.get("/tokens").await.expect(200);
    assert!(!list.text.contains(&token) && list.text.contains(&format!("…{}", &token[77..])));
    assert!(list.text.contains("&lt;i&gt;laptop&lt;/i&gt;") && list.text.contains("last used"));
    let revoke = list.text.split_once("action=\"/tokens/").unwrap().1.split('"').next().unwrap().to_owned();
    let answer = browser.clone().post(&format!("/tokens/{revoke}"), &[]).await.expect(303);
    assert_eq!(answer.header("location"), "/tokens");
    send(user()).await.expect(401);
    browser.post(&format!("/tokens/{revoke}"), &[]).await.expect(404);
    assert!(browser.get("/tokens").await.text.contains("None yet"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn bad_names_and_strangers_are_refused() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let mut eve = Browser::registered(&service, "eve").await;
    for (name, said) in [("", "Name is required"), ("a\u{202e}", "Name must not have"), (&*"x".repeat(256), "255")] {
        let page = ada.post("/tokens", &[("name", name)]).await.expect(422);
        assert!(page.text.contains(said) && page.text.contains(&format!("value=\"{name}\"")), "{}", page.text);
    }
    let latin = ada.request(Method::POST, "/tokens").header("origin", ada.origin());
    let latin = latin.header("content-type", "application/x-www-form-urlencoded");
    let page = send(latin.body(format!("csrf={}&name=caf%E9", ada.csrf().await))).await.expect(422);
    assert!(page.text.contains("Name must be one text"), "{}", page.text);
    ada.post("/tokens", &[("name", "laptop")]).await.expect(200);
    let page = ada.get("/tokens").await.text;
    let revoke = page.split_once("action=\"/tokens/").unwrap().1.split('"').next().unwrap();
    eve.post(&format!("/tokens/{revoke}"), &[]).await.expect(404);
    eve.post("/tokens/x/revoke", &[]).await.expect(404);
    assert!(ada.get("/tokens").await.text.contains("laptop"));
}
