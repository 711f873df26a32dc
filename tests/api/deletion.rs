//! DELETE /pdf/{id}, and lists with deleted analyses.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use reqwest::Method;
use samples::small::pdf;
use serde_json::{Value, json};
use shared::ids::AnalysisId;
use tests::api::{Answer, Api, persistently, send};
use tests::invariants::Snapshot;
use tests::random::Random;
use tests::rows::{examined, fill, read, scatter, write};
use tests::service::TestService;
use tests::wire::{Fault, Traffic};

/// The most rows read for a part of the list: a block and the largest page.
const MOST: u64 = 256 + 100;

async fn analyzed(api: &Api, name: &str) -> String {
    api.patient().analyze(name, pdf(name)).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned()
}

fn ids(answer: &Answer) -> Vec<String> {
    let rows = answer.json["data"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// Deletes, again after each 503.
async fn delete(api: &Api, id: &str) -> Answer {
    let path = format!("/pdf/{id}");
    persistently(|| api.delete(&path)).await
}

#[tokio::test]
async fn an_analysis_is_deleted_for_good_and_its_quota_is_not_given_back() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(4, "ada").await;
    let (one, two) = (analyzed(&ada, "1.pdf").await, analyzed(&ada, "2.pdf").await);
    let deleted = ada.delete(&format!("/pdf/{two}")).await.expect(200);
    assert_eq!(deleted.json, json!({ "success": true, "data": { "id": two, "deleted": true } }));
    assert_eq!(deleted.header("x-ratelimit-remaining"), "2");
    for gone in [format!("/pdf/{two}"), "/pdf/x".to_owned(), format!("/pdf/{}", AnalysisId::new(1))] {
        ada.get(&gone).await.expect(404);
        assert_eq!(ada.delete(&gone).await.expect(404).code(), "not_found");
    }
    let list = ada.get("/pdf").await.expect(200);
    assert_eq!((ids(&list), &list.json["meta"]["total"]), (vec![one], &1.into()));
    assert_eq!(ada.used().await, 2);
    // its number is not given again
    let three = AnalysisId::parse(&analyzed(&ada, "3.pdf").await).unwrap();
    assert_eq!(three.number(), 3);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert!(!snapshot.text().contains("2.pdf"));
}

#[tokio::test]
async fn a_repeat_of_what_was_deleted_finds_nothing_and_is_not_charged() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let first = ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    let upload = ada.stage("b.pdf", pdf("B")).await;
    let staged = ada.analyze_staged(&upload).await.expect(200);
    for answer in [&first, &staged] {
        ada.delete(&format!("/pdf/{}", answer.json["data"]["id"].as_str().unwrap())).await.expect(200);
    }
    assert_eq!(ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(404).code(), "not_found");
    assert_eq!(ada.analyze_staged(&upload).await.expect(404).code(), "not_found");
    // the key stays used
    assert_eq!(ada.analyze_once("key", "c.pdf", pdf("C")).await.expect(422).code(), "idempotency_key_reused");
    assert_eq!(ada.used().await, 2);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_fails_on_the_way_deletes_whole_or_not_at_all() {
    for fault in
        [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout, Fault::Conflict]
    {
        for times in [1, 2] {
            let service = TestService::start().await;
            let ada = service.account("ada").await;
            let id = analyzed(&ada, "a.pdf").await;
            let (met, hit) = (std::sync::atomic::AtomicU64::new(0), fault.clone());
            service.wire.plan(move |call| {
                let meets = call.operation == "TransactWriteItems"
                    && met.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < times;
                if meets { hit.clone() } else { Fault::None }
            });
            ada.delete(&format!("/pdf/{id}")).await.expect(200);
            service.wire.heal();
            ada.get(&format!("/pdf/{id}")).await.expect(404);
            assert_eq!(ada.get("/pdf").await.json["meta"]["total"], 0, "{fault:?} × {times}");
            Snapshot::of(&service).await.check();
        }
    }
}

#[tokio::test]
async fn a_table_that_stays_away_is_a_503_and_a_repeat_finishes_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let id = analyzed(&ada, "a.pdf").await;
    service.wire.plan(|call| if call.operation == "TransactWriteItems" { Fault::Throttle } else { Fault::None });
    let answer = ada.delete(&format!("/pdf/{id}")).await.expect(503);
    assert_eq!(answer.header("retry-after"), "1");
    service.wire.heal();
    ada.get(&format!("/pdf/{id}")).await.expect(200);
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_deletions_and_fifty_analyses_at_once_leave_everything_in_order() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(150, "ada").await.patient();
    let mut doomed = Vec::new();
    for number in 0..50 {
        doomed.push(analyzed(&ada, &format!("{number}.pdf")).await);
    }
    service.wire.contend();
    let deletions = doomed.iter().map(|id| {
        let (ada, id) = (ada.clone(), id.clone());
        tokio::spawn(async move { delete(&ada, &id).await.expect(200) })
    });
    let analyses = (0..50).map(|number| {
        let ada = ada.clone();
        tokio::spawn(async move { ada.analyze(&format!("new {number}.pdf"), pdf("N")).await.expect(200) })
    });
    for done in deletions.chain(analyses).collect::<Vec<_>>() {
        done.await.unwrap();
    }
    let list = ada.get("/pdf?per_page=100").await.expect(200);
    assert_eq!((ids(&list).len(), &list.json["meta"]["total"]), (50, &50.into()));
    assert_eq!(ada.used().await, 100);
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_deletions_of_one_analysis_each_is_counted_once() {
    let service = TestService::start().await;
    let ada = service.account("ada").await.patient();
    let id = analyzed(&ada, "a.pdf").await;
    analyzed(&ada, "b.pdf").await;
    service.wire.contend();
    let twenty = (0..20).map(|_| async { delete(&ada, &id).await.status });
    let statuses = futures_util::future::join_all(twenty).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 404].contains(status)), "{statuses:?}");
    Snapshot::of(&service).await.check();
}

/// The answer, and what it cost; measured again when a machine with too much to do put it off.
async fn measured(service: &TestService, api: &Api, path: &str) -> (Answer, Traffic) {
    loop {
        let _ = service.wire.take();
        let answer = send(api.request(Method::GET, path)).await;
        let traffic = service.wire.take();
        if answer.status != 503 {
            return (answer.expect(200), traffic);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Every page of every size against a list that deletes from the middle.
async fn every_page_is_exact(count: u64, deletions: usize, seed: u64) {
    println!("seed {seed}");
    let random = Random::new(seed);
    let service = TestService::start().await;
    let ada = service.account("ada").await.patient();
    fill(&service, &ada, count, |_| None).await;
    let mut model: Vec<String> = Vec::new();
    while (model.len() as u64) < count {
        model.extend(ids(&ada.get(&format!("/pdf?per_page=100&page={}", model.len() / 100 + 1)).await.expect(200)));
    }
    for _ in 0..deletions {
        let at = usize::try_from(random.below(model.len() as u64)).unwrap();
        let id = model.remove(at);
        delete(&ada, &id).await.expect(200);
    }
    Snapshot::of(&service).await.check_numbers(&ada.user().to_string());
    let mut most = 0;
    for per_page in [1, 7, 20, 100] {
        let last_page = model.len().div_ceil(per_page);
        for page in 1..=last_page + 1 {
            let (answer, traffic) = measured(&service, &ada, &format!("/pdf?page={page}&per_page={per_page}")).await;
            let expected: Vec<_> = model.iter().skip((page - 1) * per_page).take(per_page).cloned().collect();
            assert_eq!(ids(&answer), expected, "page {page} of {per_page}");
            let meta =
                json!({ "current_page": page, "last_page": last_page, "per_page": per_page, "total": model.len() });
            assert_eq!(answer.json["meta"], meta);
            // past the end nothing is asked
            let asked = usize::from(page <= last_page);
            assert_eq!((traffic.rounds, traffic.queries.len()), (1 + asked, asked), "page {page} of {per_page}");
            for query in &traffic.queries {
                most = most.max(examined(&service, query).await);
            }
        }
    }
    println!("{} analyses left, at most {most} rows looked at", model.len());
    assert!(most <= MOST, "{most}");
}

#[tokio::test]
async fn every_page_among_hundreds_is_exact_whatever_was_deleted() {
    every_page_is_exact(900, 270, 19).await;
}

#[tokio::test]
#[ignore = "takes some minutes; runs every night"]
async fn every_page_among_ten_thousand_is_exact_whatever_was_deleted() {
    every_page_is_exact(10_000, 3_000, 1).await;
}

/// The address that `Link` gives for `next`.
fn next(answer: &Answer) -> Option<String> {
    let links = answer.header("link").split(", ").find_map(|link| link.strip_suffix(">; rel=\"next\""));
    links.map(|link| link.strip_prefix("</api/v1").unwrap().to_owned())
}

#[tokio::test]
async fn a_walk_meets_each_once_while_others_are_added_and_deleted() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1_000, "ada").await.patient();
    fill(&service, &ada, 700, |number| (number % 2 == 0).then_some("changed")).await;
    let random = Random::new(7);
    for (start, is_wanted) in [("/pdf?per_page=9", None), ("/pdf?verdict=changed&per_page=9", Some("changed"))] {
        let mut there: BTreeMap<String, Value> = BTreeMap::new();
        let mut path = Some("/pdf?per_page=100".to_owned());
        while let Some(at) = path {
            let answer = ada.get(&at).await.expect(200);
            there.extend(
                answer.json["data"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| (row["id"].as_str().unwrap().to_owned(), row["verdict"].clone())),
            );
            path = next(&answer);
        }
        if let Some(wanted) = is_wanted {
            there.retain(|_, verdict| verdict == wanted);
        }
        // by a cursor from the first page on
        let first = ada.get(start).await.expect(200);
        let mut met = ids(&first);
        let mut at = Some(format!("/pdf?before={}&{}", met.last().unwrap(), start.trim_start_matches("/pdf?")));
        while let Some(path) = at {
            analyzed(&ada, "new.pdf").await;
            let victim = random.pick(&there.keys().cloned().collect::<Vec<_>>()).clone();
            ada.delete(&format!("/pdf/{victim}")).await;
            let answer = ada.get(&path).await.expect(200);
            // where it is, by the pages as they are now
            if let Some(first) = ids(&answer).first().filter(|_| is_wanted.is_none()) {
                let page = ada.get(&format!("/pdf?per_page=9&page={}", answer.json["meta"]["current_page"])).await;
                assert!(ids(&page).contains(first), "{path}: {}", answer.json["meta"]);
            }
            if !met.contains(&victim) {
                there.remove(&victim);
            }
            met.extend(ids(&answer));
            at = next(&answer);
        }
        let mut sorted = met.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), met.len(), "met twice: {start}");
        assert_eq!(sorted, there.keys().cloned().collect::<Vec<_>>(), "{start}");
    }
    Snapshot::of(&service).await.check_numbers(&ada.user().to_string());
}

/// A deletion that empties the oldest blocks removes their deleted counts from the account.
#[tokio::test]
async fn the_oldest_blocks_drop_out_when_they_are_empty() {
    let service = TestService::start().await;
    let ada = service.account("ada").await.patient();
    fill(&service, &ada, 600, |_| None).await;
    let mut all = Vec::new();
    for page in 1..=6 {
        all.extend(ids(&ada.get(&format!("/pdf?per_page=100&page={page}")).await.expect(200)));
    }
    // the second block first: it is dropped with the older one
    for id in all[88..344].iter().chain(all[344..].iter().rev()) {
        delete(&ada, id).await.expect(200);
    }
    let account = read(&service, &ada, "ACCOUNT").await;
    assert_eq!(account["first_block"].as_n().unwrap(), "2");
    assert!(account["holes"].as_m().unwrap().is_empty());
    Snapshot::of(&service).await.check_numbers(&ada.user().to_string());
    let list = ada.get("/pdf?per_page=100").await.expect(200);
    assert_eq!((ids(&list), &list.json["meta"]["total"]), (all[..88].to_vec(), &88.into()));
    ada.delete(&format!("/pdf/{}", all[0])).await.expect(200);
    assert_eq!(ids(&ada.get("/pdf?per_page=87").await.expect(200)), all[1..88]);
    Snapshot::of(&service).await.check_numbers(&ada.user().to_string());
}

#[tokio::test]
async fn holes_in_too_many_blocks_are_refused_until_the_oldest_is_empty() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    let (old, new) = scatter(&service, &ada).await;
    let refused = ada.delete(&format!("/pdf/{new}")).await.expect(422);
    assert_eq!(refused.code(), "validation_failed");
    let reason = refused.json["error"]["details"]["fields"]["id"][0].as_str().unwrap();
    assert!(reason.contains("oldest"), "{reason}");
    ada.get("/pdf").await.expect(200);
    ada.delete(&format!("/pdf/{old}")).await.expect(200);
    ada.delete(&format!("/pdf/{new}")).await.expect(200);
    let account = read(&service, &ada, "ACCOUNT").await;
    assert_eq!((account["holes"].as_m().unwrap().len(), account["first_block"].as_n().unwrap().as_str()), (2_000, "1"));
}

/// A deletion while an analysis is being stored, and the other way round, in an account that is being closed.
#[tokio::test]
async fn an_account_that_is_closed_deletes_nothing_more() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let id = analyzed(&ada, "a.pdf").await;
    let mut account = read(&service, &ada, "ACCOUNT").await;
    account.insert("disabled".to_owned(), AttributeValue::S("2026-01-01T00:00:00Z".to_owned()));
    // closed between the read that authenticates and the deletion
    let item =
        json!({ "name": { "S": "ada" }, "email": { "S": "e" }, "daily_limit": { "N": "1" }, "disabled": { "S": "x" } });
    let reasons = json!([{ "Code": "None" }, { "Code": "ConditionalCheckFailed", "Item": item }, { "Code": "None" }]);
    service.wire.plan(move |call| match call.operation.as_str() {
        "TransactWriteItems" => Fault::Cancelled(reasons.clone()),
        _ => Fault::None,
    });
    send(ada.request(Method::DELETE, &format!("/pdf/{id}"))).await.expect(401);
    service.wire.heal();
    write(&service, account).await;
    ada.delete(&format!("/pdf/{id}")).await.expect(401);
    assert!(Snapshot::of(&service).await.text().contains("a.pdf"));
}
