//! DynamoDB and S3 fail in every way they can; nothing is lost and nothing is charged twice.

use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::Api;
use tests::invariants::{Snapshot, all_readable};
use tests::rows::used_today;
use tests::service::TestService;
use tests::wire::{Fault, WireCall};

/// The first `times` calls of `operation` meet `fault`.
fn first(times: u64, operation: &'static str, fault: Fault) -> impl Fn(&WireCall) -> Fault + Send + Sync {
    let met = std::sync::atomic::AtomicU64::new(0);
    move |call| {
        let hit = call.operation == operation && met.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < times;
        if hit { fault.clone() } else { Fault::None }
    }
}

async fn prepared() -> (TestService, Api) {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    (service, ada)
}

#[tokio::test]
async fn what_passes_by_itself_is_not_noticed() {
    for fault in
        [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout, Fault::Conflict]
    {
        for times in [1, 2] {
            let (service, ada) = prepared().await;
            service.wire.plan(first(times, "TransactWriteItems", fault.clone()));
            let answer = ada.analyze("a.pdf", pdf("A")).await.expect(200);
            assert_eq!(answer.json["remaining_checks"], 49, "{fault:?} × {times}");
            service.wire.heal();
            assert_eq!(ada.used().await, 1, "{fault:?} × {times}");
            all_readable(&ada, &[answer.json["data"].clone()]).await;
            Snapshot::of(&service).await.check();
        }
    }
}

/// One part is stale, another meets a conflict, the rest would have passed.
#[tokio::test]
async fn mixed_reasons_are_read_part_by_part() {
    let none = json!({ "Code": "None" });
    let conflict = json!({ "Code": "TransactionConflict" });
    let account = json!({
        "name": { "S": "ada" }, "email": { "S": "ada@example.com" },
        "daily_limit": { "N": "50" }, "analyses": { "N": "0" },
    });
    let stale_account = json!({ "Code": "ConditionalCheckFailed", "Item": account });
    let throttled = json!({ "Code": "ThrottlingError" });
    for reasons in [
        json!([none, conflict, none]),
        json!([stale_account, conflict, none]),
        json!([stale_account, none, none]),
        json!([stale_account, none, throttled]),
        json!([none, throttled, conflict]),
    ] {
        let (service, ada) = prepared().await;
        service.wire.plan(first(2, "TransactWriteItems", Fault::Cancelled(reasons.clone())));
        let answer = ada.analyze("a.pdf", pdf("A")).await.expect(200);
        assert_eq!(answer.json["remaining_checks"], 49, "{reasons}");
        assert_eq!(ada.used().await, 1, "{reasons}");
        Snapshot::of(&service).await.check();
    }
}

/// DynamoDB stores a transaction item by item: a second try can find the counters of the first one already
/// there, and its analysis still on the way.
#[tokio::test]
async fn what_is_stored_while_it_is_tried_again_is_not_stored_twice() {
    let account = json!({
        "name": { "S": "ada" }, "email": { "S": "ada@example.com" },
        "daily_limit": { "N": "50" }, "analyses": { "N": "1" }, (used_today()): { "N": "1" },
    });
    let stale = |item: &Value| json!({ "Code": "ConditionalCheckFailed", "Item": item });
    let (conflict, none) = (json!({ "Code": "TransactionConflict" }), json!({ "Code": "None" }));
    let mixed = Fault::Cancelled(json!([stale(&account), conflict, none]));
    for unknown in [
        [Fault::LostAnswer, Fault::LostAnswer, Fault::LostAnswer],
        [Fault::LostAnswer, Fault::LostAnswer, Fault::InProgress],
    ] {
        for times in [1, 2] {
            let (service, ada) = prepared().await;
            let faults = [unknown.to_vec(), vec![mixed.clone(); times]].concat();
            let faults = std::sync::Mutex::new(faults.into_iter());
            service.wire.plan(move |call| match call.operation.as_str() {
                "TransactWriteItems" => faults.lock().unwrap().next().unwrap_or(Fault::None),
                _ => Fault::None,
            });
            let answer = ada.analyze("a.pdf", pdf("A")).await.expect(200);
            assert_eq!(answer.json["remaining_checks"], 49, "{unknown:?}, {times}");
            service.wire.heal();
            assert_eq!(ada.used().await, 1, "{unknown:?}, {times}");
            all_readable(&ada, &[answer.json["data"].clone()]).await;
            Snapshot::of(&service).await.check();
        }
    }
}

#[tokio::test]
async fn a_transaction_that_dynamodb_finds_malformed_is_our_fault() {
    let (service, ada) = prepared().await;
    let reasons = json!([{ "Code": "ValidationError" }, { "Code": "None" }, { "Code": "None" }, { "Code": "None" }]);
    service.wire.plan(first(u64::MAX, "TransactWriteItems", Fault::Cancelled(reasons)));
    assert_eq!(ada.analyze("a.pdf", pdf("A")).await.expect(500).code(), "internal_error");
    let began = std::time::Instant::now();
    assert_eq!(ada.post("/tokens", &json!({ "name": "laptop" })).await.expect(500).code(), "internal_error");
    assert!(began.elapsed().as_secs() < 10, "it was sent again and again");
    assert_eq!(ada.used().await, 0);
}

#[tokio::test]
async fn reads_that_fail_once_are_tried_again() {
    let (service, ada) = prepared().await;
    for fault in [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout] {
        service.wire.plan(first(1, "BatchGetItem", fault));
        ada.get("/user").await.expect(200);
    }
}

#[tokio::test]
async fn a_table_that_stays_away_is_a_503_and_charges_nothing() {
    let (service, ada) = prepared().await;
    for fault in [Fault::Throttle, Fault::ServerError, Fault::LostRequest] {
        service.wire.plan(move |_| fault.clone());
        let answer = ada.analyze("a.pdf", pdf("A")).await.expect(503);
        assert_eq!((answer.code(), answer.header("retry-after")), ("service_unavailable", "1"));
        assert!(!answer.text.contains("injected") && !answer.text.contains("dynamodb"));
    }
    service.wire.heal();
    assert_eq!(ada.used().await, 0);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_lost_commit_is_answered_to_the_repeat_and_charged_once() {
    let (service, ada) = prepared().await;
    // the first commit is stored, and from then on the table is away: the outcome cannot be learned
    let stored = std::sync::atomic::AtomicBool::new(false);
    service.wire.plan(move |call| match call.operation.as_str() {
        "TransactWriteItems" if !stored.swap(true, std::sync::atomic::Ordering::SeqCst) => Fault::LostAnswer,
        _ if stored.load(std::sync::atomic::Ordering::SeqCst) => Fault::Throttle,
        _ => Fault::None,
    });
    ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(503);
    service.wire.heal();
    let repeat = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(repeat.json["remaining_checks"], 49);
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_client_that_comes_back_after_a_503_is_served_and_charged_once() {
    let (service, ada) = prepared().await;
    // away until somebody was told so
    let (journal, told) = (service.journal.clone(), std::sync::atomic::AtomicBool::new(false));
    service.wire.plan(move |_| {
        let refused = journal.take().iter().any(|entry| entry.status == 503);
        let told = told.fetch_or(refused, std::sync::atomic::Ordering::SeqCst) || refused;
        if told { Fault::None } else { Fault::Throttle }
    });
    ada.patient().analyze("a.pdf", pdf("A")).await.expect(200);
    service.wire.plan(|_| Fault::Throttle);
    ada.analyze("b.pdf", pdf("B")).await.expect(503);
    service.wire.heal();
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_staged_file_survives_a_failing_bucket() {
    let (service, ada) = prepared().await;
    for fault in [
        Fault::ServerError,
        Fault::Throttle,
        Fault::ShortBody,
        Fault::LostAnswer,
        Fault::Refused(412, "PreconditionFailed"),
        // who may read but is refused has no bucket, or not the rights that the template gives
        Fault::Refused(403, "AccessDenied"),
        Fault::Refused(404, "NoSuchBucket"),
    ] {
        let upload = ada.stage("a.pdf", pdf("A")).await;
        service.wire.plan({
            let fault = fault.clone();
            move |call| if call.operation == "GetObject" { fault.clone() } else { Fault::None }
        });
        let answer = ada.analyze_staged(&upload).await.expect(503);
        assert_eq!(answer.header("retry-after"), "1", "{fault:?}");
        service.wire.heal();
        ada.analyze_staged(&upload).await.expect(200);
    }
    let upload = ada.stage("a.pdf", pdf("A")).await;
    service.wire.plan(|call| match call.operation.as_str() {
        "GetObject" => Fault::Refused(404, "NoSuchKey"),
        _ => Fault::None,
    });
    ada.analyze_staged(&upload).await.expect(404);
    service.wire.heal();
    ada.analyze_staged(&upload).await.expect(200);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert!(snapshot.objects().is_empty());
    assert_eq!(ada.used().await, 8);
}

#[tokio::test]
async fn a_file_that_cannot_be_deleted_is_no_reason_to_fail() {
    let (service, ada) = prepared().await;
    let upload = ada.stage("a.pdf", pdf("A")).await;
    service.wire.plan(|call| if call.operation == "DeleteObject" { Fault::ServerError } else { Fault::None });
    let first = ada.analyze_staged(&upload).await.expect(200);
    service.wire.heal();
    let repeat = ada.analyze_staged(&upload).await.expect(200);
    assert_eq!(first.text, repeat.text);
    assert!(Snapshot::of(&service).await.objects().is_empty());
}
