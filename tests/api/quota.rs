//! The daily limit is exact, however many ask at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use samples::large::Arrangement;
use samples::small::pdf;
use serde_json::json;
use serde_json::value::to_raw_value;
use shared::analysis::StoredFinding;
use shared::deadline::Deadline;
use shared::error::Error;
use shared::file_hash::FileHash;
use shared::idempotency::{Fingerprint, RequestKey};
use shared::ids::UserId;
use shared::quota::Quota;
use shared::store::accounts::Account;
use shared::store::commit::{Committed, NewEntry};
use shared::store::{Row, Store};
use tests::api::Api;
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

/// Sends `count` analyses at once; returns the sorted `remaining_checks` of those that succeed.
async fn race(api: &Api, count: usize) -> Vec<u64> {
    let attempts: Vec<_> = (0..count)
        .map(|index| {
            let api = api.patient();
            tokio::spawn(async move { api.analyze(&format!("{index}.pdf"), pdf("A")).await })
        })
        .collect();
    let mut remaining = Vec::new();
    for attempt in attempts {
        let answer = attempt.await.unwrap();
        if answer.status == 200 {
            remaining.push(answer.json["remaining_checks"].as_u64().unwrap());
        } else {
            assert_eq!((answer.status, answer.code()), (429, "daily_limit_exceeded"), "{}", answer.text);
            assert_eq!(answer.header("x-ratelimit-remaining"), "0", "what the commit has found is what is said");
        }
    }
    remaining.sort_unstable();
    remaining
}

/// Transactions sent since the last look.
fn commits(service: &TestService) -> usize {
    service.wire.take().count("TransactWriteItems")
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_of_a_hundred_and_twenty_at_once() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    assert_eq!(race(&ada, 120).await, (0..50).collect::<Vec<_>>());
    assert_eq!(ada.used().await, 50);
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_with_conflicts_and_latency() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    service.wire.set_latency(Duration::from_millis(10));
    service.wire.plan(|call| match call.operation.as_str() {
        "TransactWriteItems" if call.index % 3 == 0 => Fault::Conflict,
        _ => Fault::None,
    });
    assert_eq!(race(&ada, 120).await, (0..50).collect::<Vec<_>>());
    service.wire.heal();
    assert_eq!(ada.used().await, 50);
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_at_once_plain() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    assert_eq!(race(&ada, 200).await, (0..50).collect::<Vec<_>>());
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn in_one_process_nobody_sends_what_is_stale() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let _ = service.wire.take();
    assert_eq!(race(&ada, 40).await, (10..50).collect::<Vec<_>>());
    assert_eq!(commits(&service), 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_at_once_with_conflicts() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    service.wire.set_latency(Duration::from_millis(10));
    service.wire.plan(|call| match call.operation.as_str() {
        "TransactWriteItems" if call.index % 4 == 0 => Fault::Conflict,
        _ => Fault::None,
    });
    let _ = service.wire.take();
    assert_eq!(race(&ada, 200).await, (0..50).collect::<Vec<_>>());
    println!("200 at once, limit 50: {} transactions for 50 successes", commits(&service));
    service.wire.heal();
    Snapshot::of(&service).await.check();
}

/// Commits an analysis as a process does that has seen none of the others. A slow machine does not let all
/// of a crowd through in time, and then nobody knows what became of one: the key tells the repeat.
async fn committed(
    store: &Store,
    user: UserId,
    account: &Account,
    index: usize,
    now: DateTime<Utc>,
) -> Result<Committed, Error> {
    let metadata = to_raw_value(&json!({})).unwrap();
    let keys = [RequestKey::from_header(&index.to_string()).unwrap()];
    let quota = Quota { limit: account.daily_limit, used: 0, failed: 0, now };
    let mut more = 0..20;
    loop {
        let new = NewEntry {
            filename: "a.pdf".to_owned(),
            compared_with: None,
            reference: None,
            file_size: 1,
            finding: StoredFinding::Analysis { metadata: metadata.clone(), seen: None },
            verdict: Some(engine::Verdict::NoSigns),
            reason: None,
            file: None,
            document: None,
            keys: keys.to_vec(),
            uploads: Vec::new(),
            fingerprint: Fingerprint::of_file(FileHash::of(b""), "a.pdf"),
        };
        match store.record(user, account, quota, new, Deadline::unhurried()).await {
            Err(Error::Unavailable(_)) if more.next().is_some() => {}
            done => return done,
        }
    }
}

/// As when every request runs in a Lambda instance of its own: nothing but the table decides.
#[tokio::test(flavor = "multi_thread")]
async fn commits_of_many_processes_are_exact_too() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let now = Utc::now();
    let rows = service.store().read(ada.user(), &[Row::Account], Deadline::unhurried()).await.unwrap();
    let account = rows.account().unwrap().unwrap();
    let attempts: Vec<_> = (0..80)
        .map(|index| {
            let (store, account, user) = (service.store(), account.clone(), ada.user());
            tokio::spawn(async move { committed(&store, user, &account, index, now).await })
        })
        .collect();
    let (mut remaining, mut tries) = (Vec::new(), Vec::new());
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(Committed::Stored(recorded)) => {
                remaining.push(recorded.quota.remaining());
                tries.push(recorded.tries);
            }
            Ok(Committed::Answered(first)) => remaining.push(first.remaining),
            Err(error) => assert!(matches!(error, Error::DailyLimitExceeded { .. }), "{error}"),
        }
    }
    remaining.sort_unstable();
    tries.sort_unstable();
    let (median, most) = (tries[tries.len() / 2], tries.last().unwrap());
    println!("80 processes at once, limit 50: median {median} transactions a success, most {most}");
    assert_eq!(remaining, (0..50).collect::<Vec<_>>());
    Snapshot::of(&service).await.check();
}

/// The same with what AWS adds: transactions that meet on an item refuse each other.
#[tokio::test(flavor = "multi_thread")]
async fn commits_that_meet_are_exact_too() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(12, "ada").await;
    service.wire.contend();
    service.wire.set_latency(Duration::from_millis(3));
    let now = Utc::now();
    let rows = service.store().read(ada.user(), &[Row::Account], Deadline::unhurried()).await.unwrap();
    let account = rows.account().unwrap().unwrap();
    let platform = service.service().platform("PdfFunction").unwrap();
    let attempts: Vec<_> = (0..20)
        .map(|index| {
            let store = Store::new(platform.dynamodb.clone(), &platform.config.table);
            let (account, user) = (account.clone(), ada.user());
            tokio::spawn(async move { committed(&store, user, &account, index, now).await })
        })
        .collect();
    let mut remaining = Vec::new();
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(Committed::Stored(recorded)) => remaining.push(recorded.quota.remaining()),
            Ok(Committed::Answered(first)) => remaining.push(first.remaining),
            Err(error) => assert!(matches!(error, Error::DailyLimitExceeded { .. }), "{error}"),
        }
    }
    remaining.sort_unstable();
    assert_eq!(remaining, (0..12).collect::<Vec<_>>());
    assert!(commits(&service) > 20, "none has met another");
    Snapshot::of(&service).await.check();
}

/// Accounts take turns in 256 queues. One that waits before it tries again keeps nobody else waiting.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_in_trouble_keeps_no_other_one_waiting() {
    let service = TestService::start().await;
    let mut by_queue = BTreeMap::new();
    let (ada, bob) = loop {
        let api = service.account(&format!("user{}", by_queue.len())).await;
        let queue = api.user().as_bytes()[15];
        if let Some(other) = by_queue.insert(queue, api.clone()) {
            break (api, other);
        }
    };
    let partition = format!("USER#{}", ada.user());
    service.wire.plan(move |call| {
        let hers = call.writes.first().is_some_and(|(pk, _)| *pk == partition);
        if call.operation == "TransactWriteItems" && hers { Fault::Conflict } else { Fault::None }
    });
    let hers = tokio::spawn(async move { ada.analyze("a.pdf", pdf("A")).await });
    while commits(&service) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let began = Instant::now();
    bob.analyze("b.pdf", pdf("B")).await.expect(200);
    assert!(!hers.is_finished(), "she is still trying");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    service.wire.heal();
    hers.await.unwrap().expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_accounts_do_not_disturb_each_other() {
    let service = TestService::start().await;
    let mut races = Vec::new();
    for index in 0..10 {
        let api = service.account(&format!("user{index}")).await;
        races.push(tokio::spawn(async move { race(&api, 60).await }));
    }
    for race in races {
        assert_eq!(race.await.unwrap(), (0..50).collect::<Vec<_>>());
    }
    Snapshot::of(&service).await.check();
}

/// The failures that the account's day counts.
async fn failed(service: &TestService, ada: &Api) -> u64 {
    let days = Snapshot::of(service).await;
    let user = ada.user().to_string();
    let counts = days.rows(&user, "DAY#").filter_map(|day| day.get("failed")?.as_n().ok()?.parse::<u64>().ok());
    counts.sum()
}

#[tokio::test]
async fn an_analysis_that_runs_out_of_time_counts_as_failed_until_it_ends() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut file = Vec::new();
    samples::large::write(Arrangement::Scattered, 100, &mut file).unwrap();
    let upload = ada.stage("large.pdf", file).await;
    // the ends of the file come, and then nothing more: a function would be stopped like that
    let asked = Arc::new(AtomicU64::new(0));
    let of_wire = Arc::clone(&asked);
    service.wire.plan(move |call| {
        let is_read = call.operation == "GetObject";
        if is_read && of_wire.fetch_add(1, Ordering::SeqCst) >= 2 { Fault::StallBefore } else { Fault::None }
    });
    let asking = ada.clone();
    let analysis = tokio::spawn(async move { asking.analyze_staged(&upload).await });
    let soon = Duration::from_millis(20);
    while asked.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(soon).await;
    }
    assert_eq!(failed(&service, &ada).await, 0, "most end sooner, and cost no call more");
    while failed(&service, &ada).await == 0 && !analysis.is_finished() {
        tokio::time::sleep(soon).await;
    }
    assert!(!analysis.is_finished());
    assert_eq!(failed(&service, &ada).await, 1);
    analysis.await.unwrap().expect(503);
    assert_eq!(failed(&service, &ada).await, 0, "it has ended, and was not the file's fault");
    Snapshot::of(&service).await.check();
}
