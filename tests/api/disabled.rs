//! An account that is disabled while a request of its owner's is under way.

use std::sync::{Mutex, mpsc};

use chrono::Utc;
use reqwest::RequestBuilder;
use samples::small::pdf;
use serde_json::json;
use shared::deadline::Deadline;
use shared::store::Store;
use tests::api::{Answer, Api, send};
use tests::browser::{Browser, PASSWORD};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

/// Sends `request` and disables the account when it has been authenticated and is about to write
/// by a call of `operation`.
async fn overtaken(service: &TestService, ada: &Api, request: RequestBuilder, operation: &'static str) -> Answer {
    let (reached, at_the_write) = mpsc::channel();
    let (go_on, told) = mpsc::channel::<()>();
    let (reached, told) = (Mutex::new(reached), Mutex::new(told));
    service.wire.plan(move |call| {
        if call.operation == operation && reached.lock().unwrap().send(()).is_ok() {
            // an error means that the test has gone on
            let _ = told.lock().unwrap().recv();
        }
        Fault::None
    });
    let sent = tokio::spawn(send(request));
    tokio::task::spawn_blocking(move || at_the_write.recv().unwrap()).await.unwrap();
    let store: Store = service.store();
    store.disable_account(ada.user(), Utc::now(), Deadline::unhurried()).await.unwrap();
    drop(go_on);
    sent.await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn its_analysis_is_not_stored_and_not_counted() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    let answer = overtaken(&service, &ada, ada.analyze_request("a.pdf", pdf("A")), "TransactWriteItems").await;
    assert_eq!(answer.expect(401).code(), "unauthenticated");
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.rows(&ada.user().to_string(), "ANALYSIS#").count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn its_new_token_is_not_made() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    let creation = ada.request(reqwest::Method::POST, "/tokens").json(&json!({"name": "another"}));
    overtaken(&service, &ada, creation, "TransactWriteItems").await.expect(401);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.rows(&ada.user().to_string(), "TOKEN#").count(), 1);
}

#[tokio::test]
async fn disabling_is_repeatable_and_enabling_restores_the_tokens_only() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let user = service.store().owner_of_email("ADA@example.com", Deadline::unhurried()).await.unwrap().unwrap();
    let first = Utc::now();
    for now in [first, first + chrono::TimeDelta::hours(1)] {
        service.store().disable_account(user, now, Deadline::unhurried()).await.unwrap();
        let rows = service.store().read(user, &[shared::store::Row::Account], Deadline::unhurried()).await.unwrap();
        let since = rows.account_dates().unwrap().unwrap().disabled_at.unwrap();
        assert_eq!(since.timestamp(), first.timestamp(), "the first time counts");
    }
    for _ in 0..2 {
        service.store().enable_account(user, Deadline::unhurried()).await.unwrap();
    }
    browser.get("/dashboard").await.expect(303);
    browser.cookie = None;
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    browser.get("/dashboard").await.expect(200);
}

#[tokio::test]
async fn nothing_is_done_to_an_account_that_is_gone() {
    let service = TestService::start().await;
    let (store, nobody) = (service.store(), shared::ids::UserId::random());
    let missing = |done: Result<(), shared::error::Error>| matches!(done, Err(shared::error::Error::NotFound));
    assert!(missing(store.set_daily_limit(nobody, 5, Deadline::unhurried()).await));
    assert!(missing(store.disable_account(nobody, Utc::now(), Deadline::unhurried()).await));
    assert!(missing(store.enable_account(nobody, Deadline::unhurried()).await));
    assert_eq!(store.owner_of_email("ada@example.com", Deadline::unhurried()).await.unwrap(), None);
    assert!(Snapshot::of(&service).await.is_empty());
}
