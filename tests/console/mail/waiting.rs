//! An account until its address is confirmed: what it has not, where that is required, and how it is confirmed.

use server::Options;
use shared::registration::Policy;
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};
use tests::smtp::SmtpServer;

use super::{confirm, registered, with_ada};

/// A service that wants addresses confirmed, where Ada has registered and her mail has come.
async fn with_ada_waiting() -> (TestService, SmtpServer, Browser) {
    let mail = SmtpServer::start().await;
    let options = Options { mail: mail.options(), registration: Some(Policy::Confirmed), ..roomy() };
    let service = TestService::start_with(options).await;
    let ada = registered(&service).await;
    service.delivered().await;
    (service, mail, ada)
}

#[tokio::test]
async fn an_account_that_waits_has_no_analyses() {
    let (_service, _mail, ada) = with_ada_waiting().await;
    let dashboard = ada.get("/dashboard").await.expect(200).text;
    assert!(dashboard.contains("until your address is confirmed, your account has no analyses"), "{dashboard}");
    let refused = ada.upload("a.pdf", samples::small::pdf("A")).await.expect(429);
    assert!(refused.text.contains("until its e-mail address is confirmed"), "{}", refused.text);
    let body = serde_json::json!({ "filename": "a.pdf", "file_size": 100 });
    let refused = ada.script("/dashboard/uploads", &body).await.expect(429);
    assert_eq!(refused.json["error"]["code"], "daily_limit_exceeded");
    assert!(
        refused.text.contains("until its e-mail address is confirmed") && !refused.header("retry-after").is_empty()
    );
}

#[tokio::test]
async fn an_account_that_waits_can_have_no_token() {
    let (_service, _mail, mut ada) = with_ada_waiting().await;
    let page = ada.get("/tokens").await.text;
    assert!(page.contains("until your address is confirmed, your account can have no token"), "{page}");
    let refused = ada.post("/tokens", &[("name", "laptop")]).await.expect(422);
    assert!(refused.text.contains("confirm your e-mail address first") && !refused.text.contains("pdfa_"));
}

#[tokio::test]
async fn another_mail_takes_the_first_one_s_place() {
    let (service, mail, mut ada) = with_ada_waiting().await;
    let origin = service.service().origin();
    let first = mail.only();
    assert_eq!(ada.post("/account/confirmation", &[]).await.expect(303).header("location"), "/account?sent");
    service.delivered().await;
    let stranger = Browser::new(&service);
    stranger.get(&first.path(&origin)).await.expect(404);
    stranger.get(&mail.only().path(&origin)).await.expect(200);
}

#[tokio::test]
async fn an_address_is_confirmed_by_a_click_and_not_by_looking() {
    let (service, mail, ada) = with_ada_waiting().await;
    let path = mail.only().path(&service.service().origin());
    let mut stranger = Browser::new(&service);
    let page = stranger.get(&path).await.expect(200);
    assert!(page.text.contains("ada@example.com is your address") && page.text.contains("method=\"post\""));
    assert_eq!(ada.upload("a.pdf", samples::small::pdf("A")).await.status, 429, "looking is not confirming");
    let done = stranger.post(&path, &[]).await.expect(200);
    assert!(done.text.contains("Your address is confirmed"));
    // the registration may have been a stranger's
    ada.get("/dashboard").await.expect(303);
    stranger.get(&path).await.expect(404);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_confirmed_account_has_all_that_it_had_to_wait_for() {
    let (service, mail, mut ada) = with_ada_waiting().await;
    confirm(&service, &mail, &mut ada).await;
    ada.upload("a.pdf", samples::small::pdf("A")).await.expect(303);
    assert!(ada.get("/dashboard").await.text.contains("49</strong>"));
    ada.token().await;
    assert!(!ada.get("/account").await.text.contains("Confirm your address"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn where_registration_is_open_confirming_is_offered_and_not_required() {
    let (service, mail, mut ada) = with_ada().await;
    ada.upload("a.pdf", samples::small::pdf("A")).await.expect(303);
    ada.token().await;
    assert!(ada.get("/account").await.text.contains("Confirm your address"));
    ada.post("/account/confirmation", &[]).await.expect(303);
    confirm(&service, &mail, &mut ada).await;
    assert!(!ada.get("/account").await.text.contains("Confirm your address"));
    // then there is nothing to confirm
    assert_eq!(ada.post("/account/confirmation", &[]).await.expect(303).header("location"), "/account");
    service.delivered().await;
    assert!(mail.take().is_empty());
    Snapshot::of(&service).await.check();
}
