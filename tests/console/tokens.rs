//! `/tokens`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::Method;
use serde_json::json;
use tests::api::{Api, send};
use tests::browser::{Browser, PASSWORD, token_in};
use tests::invariants::Snapshot;
use tests::service::TestService;

/// The path that revokes the first token of the list.
async fn revocation(browser: &Browser) -> String {
    let page = browser.get("/tokens").await.expect(200).text;
    let (_, rest) = page.split_once("action=\"/tokens/").unwrap();
    format!("/tokens/{}", rest.split('"').next().unwrap())
}

#[tokio::test]
async fn a_new_token_works_and_is_shown_with_a_call_that_takes_it() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let page = browser.post("/tokens", &[("name", "laptop")]).await.expect(200).text;
    let token = token_in(&page);
    assert!(page.contains(&format!("curl -H 'Authorization: Bearer {token}'")), "{page}");
    assert!(page.contains(&format!("{}/api/v1/pdf/analyze", browser.origin())), "{page}");
    let user = browser.request(Method::GET, "/api/v1/user").bearer_auth(&token);
    assert_eq!(send(user).await.expect(200).json["data"]["email"], "ada@example.com");
}

#[tokio::test]
async fn the_list_shows_a_token_s_name_as_text_and_its_end_only() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let token = token_in(&browser.post("/tokens", &[("name", " <i>laptop</i> ")]).await.expect(200).text);
    service.access(&token).get("/user").await.expect(200);
    let list = browser.get("/tokens").await.expect(200).text;
    assert!(!list.contains(&token) && list.contains(&format!("…{}", &token[77..])), "{list}");
    assert!(list.contains("&lt;i&gt;laptop&lt;/i&gt;") && list.contains("last used"), "{list}");
}

#[tokio::test]
async fn a_revoked_token_is_refused_and_listed_no_more() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let laptop = token(&service, &mut browser).await;
    laptop.get("/user").await.expect(200);
    let revoke = revocation(&browser).await;
    assert_eq!(browser.post(&revoke, &[]).await.expect(303).header("location"), "/tokens");
    laptop.get("/user").await.expect(401);
    browser.post(&revoke, &[]).await.expect(404);
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
    ada.token().await;
    eve.post(&revocation(&ada).await, &[]).await.expect(404);
    eve.post("/tokens/x/revoke", &[]).await.expect(404);
    assert!(ada.get("/tokens").await.text.contains("laptop"));
}

/// A new token of the browser's account.
async fn token(service: &TestService, browser: &mut Browser) -> Api {
    service.access(&browser.token().await)
}

/// Who has a token and makes more of them as fast as they can has none when its owner has ended all.
#[tokio::test(flavor = "multi_thread")]
async fn a_thief_who_makes_tokens_meanwhile_keeps_none() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let stolen = token(&service, &mut ada).await;
    let (made, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let stop = Arc::new(AtomicBool::new(false));
    let thieves: Vec<_> = (0..4)
        .map(|_| {
            let (mut api, made, stop) = (stolen.clone(), made.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let answer = api.post("/tokens", &json!({ "name": "mine" })).await;
                    if answer.status == 201 {
                        // each is made by the one before
                        api = api.with_token(answer.json["data"]["token"].as_str().unwrap());
                        made.send(api.clone()).unwrap();
                    }
                }
            })
        })
        .collect();
    let mut all = vec![stolen.clone()];
    for _ in 0..6 {
        all.push(receiver.recv().await.unwrap());
    }
    let answer = ada.post("/tokens/end", &[]).await.expect(303);
    assert_eq!(answer.header("location"), "/tokens");
    stop.store(true, Ordering::Relaxed);
    for thief in thieves {
        thief.await.unwrap();
    }
    while let Ok(api) = receiver.try_recv() {
        all.push(api);
    }
    assert!(all.len() > 6);
    for api in &all {
        api.get("/user").await.expect(401);
        api.post("/tokens", &json!({ "name": "more" })).await.expect(401);
    }
    assert!(ada.get("/tokens").await.text.contains("None yet"));
    assert_eq!(token(&service, &mut ada).await.used().await, 0);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn another_password_ends_all_tokens_if_it_is_asked_to() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let (first, second) = (token(&service, &mut ada).await, token(&service, &mut ada).await);
    let new = "staple of batteries";
    let change = [("current_password", PASSWORD), ("password", new)];
    assert_eq!(ada.post("/account/password", &change).await.expect(303).header("location"), "/account?changed");
    first.get("/user").await.expect(200);
    let change = [("current_password", new), ("password", PASSWORD), ("end_tokens", "yes")];
    assert_eq!(ada.post("/account/password", &change).await.expect(303).header("location"), "/account?ended");
    assert!(ada.get("/account?ended").await.expect(200).text.contains("all API tokens are ended"));
    for ended in [&first, &second] {
        ended.get("/user").await.expect(401);
    }
    token(&service, &mut ada).await.get("/user").await.expect(200);
    Snapshot::of(&service).await.check();
}

/// What goes with what is said before it goes.
#[tokio::test]
async fn the_list_says_what_a_token_was_made_by() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let laptop = token(&service, &mut ada).await;
    assert!(!ada.get("/tokens").await.text.contains("made by"));
    laptop.post("/tokens", &json!({ "name": "robot" })).await.expect(201);
    let page = ada.get("/tokens").await.expect(200).text;
    assert!(page.contains("made by laptop, with which it ends"), "{page}");
    assert_eq!(page.matches("The tokens that it has made end with it.").count(), 1);
}

#[tokio::test]
async fn a_reload_after_creating_a_token_creates_no_second_one() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let list = browser.get("/tokens").await.expect(200).text;
    let (_, rest) = list.split_once("name=\"id\" value=\"").unwrap();
    let id = rest.split('"').next().unwrap();
    let form = [("name", "laptop"), ("id", id)];
    let token = token_in(&browser.post("/tokens", &form).await.expect(200).text);
    for _ in 0..2 {
        let page = browser.post("/tokens", &form).await.expect(200).text;
        assert!(page.contains("This form was sent before") && !page.contains("pdfa_"), "{page}");
    }
    let list = browser.get("/tokens").await.text;
    assert!(list.contains("Your tokens <span class=\"count\">1</span>"), "{list}");
    service.access(&token).get("/user").await.expect(200);
    Snapshot::of(&service).await.check();
}
