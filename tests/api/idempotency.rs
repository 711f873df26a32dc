//! `Idempotency-Key` on POST /pdf/analyze.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::Method;
use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::send;
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::rows::used_today;
use tests::service::TestService;
use tests::wire::Fault;

#[tokio::test]
async fn a_repeat_gets_the_first_answer_and_is_not_charged() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(2, "ada").await;
    let first = ada.analyze_once("key-1", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(first.json["remaining_checks"], 1);
    ada.analyze("b.pdf", pdf("B")).await.expect(200);

    // the quota is used up by now
    let repeat = ada.analyze_once("key-1", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(repeat.text, first.text);
    assert_eq!(repeat.header("location"), first.header("location"));
    assert_eq!(repeat.header("x-ratelimit-remaining"), "0");
    assert_eq!(ada.used().await, 2);
    ada.analyze_once("key-2", "a.pdf", pdf("A")).await.expect(429);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_same_key_with_another_file_or_name_is_refused() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    for (name, file) in [("a.pdf", pdf("B")), ("b.pdf", pdf("A"))] {
        let answer = ada.analyze_once("key", name, file).await.expect(422);
        assert_eq!(answer.code(), "idempotency_key_reused");
        assert!(answer.text.contains("another file or name"), "{}", answer.text);
    }
    let upload = ada.stage("a.pdf", pdf("A")).await;
    let staged = ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", "key");
    let staged = send(staged.json(&json!({ "upload_id": upload }))).await.expect(422);
    assert_eq!(staged.code(), "idempotency_key_reused");
    assert_eq!(ada.used().await, 1);
    // another account's key is another key
    service.account("bob").await.analyze_once("key", "b.pdf", pdf("B")).await.expect(200);
}

#[tokio::test]
async fn the_upload_id_may_be_the_key() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let upload = ada.stage("a.pdf", pdf("A")).await;
    let request = || {
        let request = ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", &upload);
        request.json(&json!({ "upload_id": upload }))
    };
    let first = send(request()).await.expect(200);
    assert_eq!(send(request()).await.expect(200).text, first.text);
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_staged_upload_keeps_its_answer_under_key_and_upload_id() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let upload = ada.stage("a.pdf", pdf("A")).await;
    let keyed = ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", "key");
    let first = send(keyed.json(&json!({ "upload_id": upload }))).await.expect(200);
    assert_eq!(ada.analyze_staged(&upload).await.expect(200).text, first.text);
    let other = ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", "other");
    let other = send(other.json(&json!({ "upload_id": upload }))).await.expect(200);
    assert_eq!(other.text, first.text);
    assert_eq!(ada.used().await, 1);
    // each key it was sent under is used by now
    for key in ["key", "other"] {
        assert_eq!(
            ada.analyze_once(key, "b.pdf", pdf("B")).await.expect(422).code(),
            "idempotency_key_reused",
            "{key}"
        );
    }
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_failed_analysis_keeps_no_answer() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.analyze_once("key", "a.pdf", b"nonsense".to_vec()).await.expect(422);
    ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(ada.used().await, 1);
}

#[tokio::test]
async fn a_malformed_key_is_refused_and_an_empty_one_is_none() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for key in ["a b".to_owned(), "k".repeat(256)] {
        let answer = ada.analyze_once(&key, "a.pdf", pdf("A")).await.expect(422);
        assert_eq!(answer.code(), "validation_failed");
        assert!(answer.json["error"]["details"]["fields"]["Idempotency-Key"].is_array());
    }
    let unreadable = ada.analyze_request("a.pdf", pdf("A")).header("idempotency-key", "\u{e9}".as_bytes());
    send(unreadable).await.expect(422);
    ada.analyze_once("", "a.pdf", pdf("A")).await.expect(200);
    ada.analyze_once("", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(ada.used().await, 2);
}

#[tokio::test]
async fn a_key_is_free_again_after_24_hours_even_if_the_row_is_still_there() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let first = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    clock.advance(24 * 3600 - 1);
    let repeat = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(repeat.json["data"], first.json["data"]);
    clock.advance(1);
    let new = ada.analyze_once("key", "b.pdf", pdf("B")).await.expect(200);
    assert_ne!(new.json["data"]["id"], first.json["data"]["id"]);
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_parallel_duplicates_make_one_analysis() {
    duplicates(50).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_duplicates_of_the_days_last_analysis_get_its_answer() {
    duplicates(1).await;
}

/// In the cloud two requests run in processes that know nothing of each other: the second finds the first one's
/// transaction under way, and nothing left of the day when it looks again.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_that_meets_the_first_ones_commit_gets_its_answer() {
    let refused = |item: Value| json!({ "Code": "ConditionalCheckFailed", "Item": item });
    let account = json!({
        "name": { "S": "ada" }, "email": { "S": "ada@example.com" },
        "daily_limit": { "N": "1" }, "analyses": { "N": "1" }, (used_today()): { "N": "1" },
    });
    let conflict = json!({ "Code": "TransactionConflict" });
    let mixed = json!([refused(account), conflict, conflict, conflict]);
    for fault in [Fault::Conflict, Fault::Cancelled(mixed)] {
        let service = TestService::start().await;
        let ada = service.account_limited_to(1, "ada").await;
        ada.get("/user").await.expect(200);
        // so that both have read the account before either commits
        service.wire.set_latency(Duration::from_millis(100));
        let (met, second) = (fault.clone(), AtomicU64::new(0));
        service.wire.plan(move |call| match call.operation.as_str() {
            "TransactWriteItems" if second.fetch_add(1, Ordering::SeqCst) == 1 => met.clone(),
            _ => Fault::None,
        });
        let (one, other) =
            tokio::join!(ada.analyze_once("key", "a.pdf", pdf("A")), ada.analyze_once("key", "a.pdf", pdf("A")));
        assert_eq!(one.expect(200).text, other.expect(200).text, "{fault:?}");
        assert_eq!(ada.used().await, 1);
        Snapshot::of(&service).await.check();
    }
}

/// The second one knows from the first what the numbers are now, but whether its own first try is stored it does not.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_whose_first_try_is_lost_gets_the_first_ones_answer() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    // so that both have read the account before either commits
    service.wire.set_latency(Duration::from_millis(100));
    let tries = AtomicU64::new(0);
    service.wire.plan(move |call| match call.operation.as_str() {
        // as often as the SDK sends one try
        "TransactWriteItems" if (1..=3).contains(&tries.fetch_add(1, Ordering::SeqCst)) => Fault::LostRequest,
        _ => Fault::None,
    });
    let (one, other) =
        tokio::join!(ada.analyze_once("key", "a.pdf", pdf("A")), ada.analyze_once("key", "a.pdf", pdf("A")));
    assert_eq!(one.expect(200).text, other.expect(200).text);
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

async fn duplicates(daily_limit: u64) {
    let service = TestService::start().await;
    let ada = service.account_limited_to(daily_limit, "ada").await;
    let duplicates: Vec<_> = (0..50)
        .map(|_| {
            let ada = ada.patient();
            tokio::spawn(async move { ada.analyze_once("one-key", "a.pdf", pdf("A")).await })
        })
        .collect();
    let mut answers = BTreeSet::new();
    for duplicate in duplicates {
        answers.insert(duplicate.await.unwrap().expect(200).text);
    }
    assert_eq!(answers.len(), 1);
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}
