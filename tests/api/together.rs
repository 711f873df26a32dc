//! Analyses of one account that wait for each other are stored in one transaction.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::{Answer, Api};
use tests::invariants::{Snapshot, all_readable};
use tests::service::TestService;
use tests::wire::{Fault, WireCall};

/// The parts of an analysis alone: account, day, analysis, metadata, what leads there from its file, and the answer under
/// its key if it has one.
const ALONE: usize = 6;
/// Which of them, from 0, is the answer that is kept under its key.
const ANSWER: usize = 4;

/// Sends so many analyses at once, each under the key of its index modulo `keys`; with none there are no keys.
async fn at_once(api: &Api, count: usize, keys: usize) -> Vec<Answer> {
    let requests = (0..count).map(|index| {
        let api = api.clone();
        tokio::spawn(async move {
            let Some(index) = index.checked_rem(keys) else { return api.analyze("a.pdf", pdf("A")).await };
            api.analyze_once(&format!("key-{index}"), &format!("{index}.pdf"), pdf("A")).await
        })
    });
    let mut answers = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        answers.push(request.await.unwrap());
    }
    answers
}

/// Checks that just these analyses are stored and counted, each with a rest of its own.
async fn check(service: &TestService, api: &Api, answers: Vec<Answer>) {
    let answers: Vec<_> = answers.into_iter().map(|answer| answer.expect(200).json).collect();
    let mut remaining: Vec<_> = answers.iter().map(|answer| answer["remaining_checks"].as_u64().unwrap()).collect();
    remaining.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(remaining, (0..50).rev().take(answers.len()).collect::<Vec<_>>());
    service.wire.heal();
    assert_eq!(api.used().await, answers.len() as u64);
    let stored: Vec<Value> = answers.into_iter().map(|answer| answer["data"].clone()).collect();
    all_readable(api, &stored).await;
    Snapshot::of(service).await.check();
}

/// Meets every transaction with what `fault` says of it; the number counts those of several analyses.
fn transactions(service: &TestService, fault: impl Fn(&WireCall, usize) -> Fault + Send + Sync + 'static) {
    let crowded = AtomicUsize::new(0);
    let _ = service.wire.take();
    service.wire.set_latency(Duration::from_millis(20));
    service.wire.plan(move |call| {
        if call.operation != "TransactWriteItems" {
            return Fault::None;
        }
        let is_crowded = usize::from(call.parts > ALONE);
        let count = crowded.fetch_add(is_crowded, Ordering::SeqCst) + is_crowded;
        fault(call, count)
    });
}

/// Transactions sent since then.
fn sent(service: &TestService) -> usize {
    service.wire.take().count("TransactWriteItems")
}

#[tokio::test(flavor = "multi_thread")]
async fn those_that_wait_are_stored_together() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    transactions(&service, |_, _| Fault::None);
    let answers = at_once(&ada, 30, 30).await;
    let sent = sent(&service);
    assert!(sent <= 15, "{sent} transactions");
    check(&service, &ada, answers).await;
}

/// A transaction takes a hundred actions, and one of a limit of 20 leaves the others 429.
#[tokio::test(flavor = "multi_thread")]
async fn as_many_as_there_is_room_for() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(20, "ada").await;
    service.wire.set_latency(Duration::from_millis(20));
    let most = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&most);
    service.wire.plan(move |call| {
        seen.fetch_max(call.parts, Ordering::SeqCst);
        Fault::None
    });
    let answers = at_once(&ada, 100, 100).await;
    let (stored, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((stored.len(), refused.len()), (20, 80));
    assert!(refused.iter().all(|answer| answer.code() == "daily_limit_exceeded"));
    assert_eq!(ada.used().await, 20);

    let bob = service.account_limited_to(200, "bob").await;
    for answer in at_once(&bob, 150, 150).await {
        answer.expect(200);
    }
    assert!((ALONE + 1..=100).contains(&most.load(Ordering::SeqCst)), "{most:?} parts");
    assert_eq!(bob.used().await, 150);
    Snapshot::of(&service).await.check();
}

/// The table refuses one of several: which one is found out alone.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_refused_keeps_nobody_else_back() {
    for code in ["ConditionalCheckFailed", "TransactionConflict", "ValidationError"] {
        let service = TestService::start().await;
        let ada = service.account("ada").await;
        transactions(&service, move |call, crowded| {
            if call.parts == ALONE || crowded > 2 {
                return Fault::None;
            }
            let mut reasons = vec![json!({ "Code": "None" }); call.parts - 1];
            reasons.push(json!({ "Code": code }));
            Fault::Cancelled(Value::Array(reasons))
        });
        let answers = at_once(&ada, 16, 16).await;
        assert!(sent(&service) > 2, "{code}");
        check(&service, &ada, answers).await;
    }
}

/// What became of several is not known: all wait until it is, and none is stored twice.
#[tokio::test(flavor = "multi_thread")]
async fn those_whose_answer_is_lost_are_stored_once() {
    // the SDK itself sends it three times; then it is for the commit to find out
    let stored = [Fault::LostAnswer, Fault::LostAnswer, Fault::LostAnswer];
    for then in
        [vec![], vec![Fault::Conflict; 2], vec![Fault::InProgress, Fault::Conflict], vec![Fault::ServerError; 4]]
    {
        for faults in [[stored.to_vec(), then.clone()].concat(), [vec![Fault::LostRequest; 3], then].concat()] {
            let service = TestService::start().await;
            let ada = service.account("ada").await;
            transactions(&service, move |call, crowded| match faults.get(crowded.saturating_sub(1)) {
                Some(fault) if call.parts > ALONE => fault.clone(),
                _ => Fault::None,
            });
            // without keys, by which another try would find the first one's answer
            check(&service, &ada, at_once(&ada, 12, 0).await).await;
        }
    }
}

/// Where another's answer is kept under its key, it is known after all that none of them is stored.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_another_answers_lets_the_others_go_on() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let first: Mutex<Option<WireCall>> = Mutex::default();
    let tries = AtomicUsize::new(0);
    transactions(&service, move |call, _| {
        let mut first = first.lock().unwrap();
        if call.parts == ALONE || first.as_ref().is_some_and(|first| first.writes != call.writes) {
            return Fault::None;
        }
        first.get_or_insert_with(|| call.clone());
        // the SDK itself sends it three times
        match tries.fetch_add(1, Ordering::SeqCst) {
            0..3 => Fault::LostRequest,
            3 => {
                let answer = json!({ "fingerprint": { "B": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
                    "number": { "N": "999" }, "remaining": { "N": "1" } });
                let mut reasons = vec![json!({ "Code": "None" }); call.parts];
                reasons[ANSWER] = json!({ "Code": "ConditionalCheckFailed", "Item": answer });
                Fault::Cancelled(Value::Array(reasons))
            }
            _ => Fault::None,
        }
    });
    let answers = at_once(&ada, 12, 12).await;
    let (refused, stored): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status != 200);
    assert_eq!(refused.iter().map(Answer::code).collect::<Vec<_>>(), ["idempotency_key_reused"]);
    check(&service, &ada, stored).await;
}

/// They are not stored together, and the one that is faster answers the other.
#[tokio::test(flavor = "multi_thread")]
async fn requests_with_one_key_are_one_analysis() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    transactions(&service, |_, _| Fault::None);
    let answers = at_once(&ada, 24, 8).await;
    let mut ids: Vec<_> = answers.into_iter().map(|answer| answer.expect(200).json["data"]["id"].to_string()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 8);
    assert_eq!(ada.used().await, 8);
    Snapshot::of(&service).await.check();
}

/// None of those that wait is counted.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_stays_away_keeps_them_all_out() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    transactions(&service, |_, _| Fault::LostRequest);
    for answer in at_once(&ada, 6, 6).await {
        assert_eq!(answer.expect(503).code(), "service_unavailable");
    }
    service.wire.heal();
    assert_eq!(ada.used().await, 0);
    Snapshot::of(&service).await.check();
}
