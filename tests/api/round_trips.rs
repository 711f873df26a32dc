//! The round trips of each endpoint, which determine its latency.

use std::time::Duration;

use samples::pdf::Pdf;
use samples::small::{pdf, pdf_of_size};
use serde_json::json;
use shared::file_hash::FileHash;
use tests::api::Api;
use tests::clock::TestClock;
use tests::rows::{examined, fill};
use tests::service::TestService;
use tests::wire::Traffic;

/// Long enough for concurrent calls to overlap.
const LATENCY: Duration = Duration::from_millis(20);

/// A service whose calls take [`LATENCY`], and an account whose token was just used, so that `last_used_at` is not
/// written again.
async fn prepared() -> (TestService, Api) {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    service.wire.set_latency(LATENCY);
    let _ = service.wire.take();
    (service, ada)
}

#[track_caller]
fn assert_traffic(traffic: &Traffic, rounds: usize, operations: &[&str]) {
    let mut sent = traffic.operations.clone();
    sent.sort();
    assert_eq!((traffic.rounds, sent), (rounds, operations.iter().map(ToString::to_string).collect()));
}

/// The same, and the path of an analysis of the account.
async fn with_analysis() -> (TestService, Api, String) {
    let (service, ada) = prepared().await;
    let analyzed = ada.analyze("a.pdf", pdf("A")).await.expect(200);
    let _ = service.wire.take();
    (service, ada, format!("/pdf/{}", analyzed.json["data"]["id"].as_str().unwrap()))
}

#[tokio::test]
async fn the_account_is_read_in_one_round_trip() {
    let (service, ada) = prepared().await;
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);
}

#[tokio::test]
async fn an_upload_is_analysed_in_three_round_trips() {
    let (service, ada) = prepared().await;
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    assert_traffic(&service.wire.take(), 3, &["BatchGetItem", "Query", "TransactWriteItems"]);
}

/// The sender of a large body is identified before it is read, by the gateway's own client, which is not counted here. The
/// function does not read the account again, nor the answer to a repeat.
#[tokio::test]
async fn the_sender_of_a_large_upload_is_read_once() {
    let (service, ada) = prepared().await;
    let large = pdf_of_size("Large", 2 << 20);
    ada.analyze("a.pdf", large.clone()).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["Query", "TransactWriteItems"]);
    let first = ada.analyze_once("key", "a.pdf", large.clone()).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["Query", "TransactWriteItems"]);
    let again = ada.analyze_once("key", "a.pdf", large).await.expect(200);
    assert_eq!(again.json["data"]["id"], first.json["data"]["id"]);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);
}

#[tokio::test]
async fn an_analysis_is_read_in_one_round_trip_and_listed_and_deleted_in_two() {
    let (service, ada, analysis) = with_analysis().await;
    ada.get(&analysis).await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);
    ada.get("/pdf").await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "Query"]);
    for _ in 0..2 {
        ada.replace(&format!("{analysis}/reference"), &json!({ "reference": "CLM-7" })).await.expect(200);
    }
    // the second time it is there
    assert_traffic(&service.wire.take(), 3, &["BatchGetItem", "BatchGetItem", "TransactWriteItems"]);
    ada.delete(&analysis).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);
}

#[tokio::test]
async fn a_link_is_made_opened_and_ended_in_two_round_trips_each() {
    let (service, ada, analysis) = with_analysis().await;
    let shared = ada.post(&format!("{analysis}/share"), &json!({})).await.expect(201);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);
    reqwest::get(shared.json["data"]["url"].as_str().unwrap()).await.unwrap().error_for_status().unwrap();
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "BatchGetItem"]);
    ada.delete(&format!("{analysis}/share")).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);
}

#[tokio::test]
async fn tokens_are_listed_in_one_round_trip_and_made_and_revoked_in_two() {
    let (service, ada) = prepared().await;
    ada.get("/tokens").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem", "Query"]);
    let created = ada.post("/tokens", &json!({ "name": "second" })).await.expect(201);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);
    let id = created.json["data"]["id"].as_str().unwrap();
    ada.delete(&format!("/tokens/{id}")).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);
}

#[tokio::test]
async fn a_staged_file_takes_three_round_trips_for_its_ticket_and_five_for_its_analysis() {
    let (service, ada) = prepared().await;
    let file = pdf("A");
    let ticket = ada.ticket("a.pdf", file.len()).await;
    assert_traffic(&service.wire.take(), 3, &["BatchGetItem", "BatchGetItem", "UpdateItem"]);
    ada.put(&ticket, file).await.expect(200);
    ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
    assert_traffic(
        &service.wire.take(),
        5,
        &["BatchGetItem", "DeleteObject", "GetObject", "GetObject", "HeadObject", "Query", "TransactWriteItems"],
    );
}

/// Related analyses of a file are read while the engine runs, and those of its document concurrently or right after it:
/// one more round trip in sequence.
#[tokio::test]
async fn what_else_there_is_takes_one_round_trip() {
    let (service, ada) = prepared().await;
    let file =
        Pdf::new(1).trailer("/ID [<5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b> <5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b>]").classic();
    // the engine ends before the first query does, on a busy machine too
    service.wire.set_latency(Duration::from_secs(1));
    ada.analyze("a.pdf", file.clone()).await.expect(200);
    assert_traffic(&service.wire.take(), 3, &["BatchGetItem", "Query", "Query", "TransactWriteItems"]);
    service.wire.set_latency(LATENCY);
    for _ in 0..2 {
        ada.analyze("a.pdf", file.clone()).await.expect(200);
        let traffic = service.wire.take();
        assert!(traffic.rounds <= 4, "{traffic:?}");
    }
    let answer = ada.get(&format!("/pdf?sha256={}", FileHash::of(&file))).await.expect(200);
    assert_eq!(answer.json["data"].as_array().unwrap().len(), 3);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "Query"]);

    // a large file without announced hash is not searched, which saves a round trip
    let large = pdf_of_size("Large", 1 << 20);
    let common = ["BatchGetItem", "DeleteObject", "GetObject", "GetObject", "HeadObject", "TransactWriteItems"];
    for (announced, rounds, query) in [(None, 4, None), (Some(FileHash::of(&large).to_string()), 5, Some("Query"))] {
        let body = json!({ "filename": "large.pdf", "file_size": large.len(), "sha256": announced });
        let ticket = ada.post("/pdf/uploads", &body).await.expect(201).json["data"].clone();
        ada.put(&ticket, large.clone()).await.expect(200);
        let _ = service.wire.take();
        ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
        let mut expected: Vec<&str> = common.into_iter().chain(query).collect();
        expected.sort_unstable();
        assert_traffic(&service.wire.take(), rounds, &expected);
    }
}

/// What DynamoDB charges for (docs/deploying.md): a write unit is a kilobyte, twice in a transaction; a read unit four.
#[tokio::test]
async fn an_analysis_takes_six_write_units_and_four_read_units() {
    let (service, ada) = prepared().await;
    service.wire.count_capacity();
    for file in [pdf("A"), pdf_of_size("B", 100 << 10)] {
        ada.analyze("Invoice 2026-114.pdf", file).await.expect(200);
        let traffic = service.wire.take();
        assert_traffic(&traffic, 3, &["BatchGetItem", "Query", "TransactWriteItems"]);
        // account, analysis with its finding, index row of the file
        assert_eq!(traffic.units, [4.0, 6.0]);
    }
    let identified =
        Pdf::new(1).trailer("/ID [<5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b> <5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b>]").classic();
    ada.analyze("a.pdf", identified).await.expect(200);
    assert_eq!(service.wire.take().units, [5.0, 8.0], "and the index row of the document");

    let file = pdf("C");
    let ticket = ada.ticket("a.pdf", file.len()).await;
    ada.put(&ticket, file).await.expect(200);
    let _ = service.wire.take();
    ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
    // and the end of the ticket and the answer for repeats
    assert_eq!(service.wire.take().units, [5.0, 10.0]);

    let listed = ada.get("/pdf?per_page=4").await.expect(200);
    assert_eq!(listed.json["data"].as_array().unwrap().len(), 4);
    let [read, written] = service.wire.take().units;
    assert!(read <= 4.0 && written == 0.0, "{read}, {written}");
}

/// A ticket is valid for fifteen minutes: for so long after midnight, those of the day before may be open.
#[tokio::test]
async fn a_ticket_takes_a_read_unit_more_right_after_midnight() {
    for (time, units) in [("00:14:00", [5.0, 1.0]), ("00:16:00", [4.0, 1.0])] {
        let service = TestService::start_at(&TestClock::at(time)).await;
        let ada = service.account("ada").await;
        ada.get("/user").await.expect(200);
        service.wire.count_capacity();
        let _ = service.wire.take();
        ada.ticket("a.pdf", 1_000).await;
        assert_eq!(service.wire.take().units, units, "{time}");
    }
}

#[tokio::test]
async fn last_used_at_is_one_write_an_hour() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let _ = service.wire.take();
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "UpdateItem"]);
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);
}

#[tokio::test]
async fn page_500_reads_as_many_items_as_page_1() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 10_000, |_| None).await;
    for page in [1, 500] {
        let _ = service.wire.take();
        let answer = ada.get(&format!("/pdf?page={page}")).await.expect(200);
        let rows = answer.json["data"].as_array().unwrap();
        assert_eq!((rows.len(), answer.json["meta"]["last_page"].as_u64()), (20, Some(500)));
        assert_eq!(rows[0]["filename"], format!("{}.pdf", 10_000 - (page - 1) * 20));
        let queries = service.wire.take().queries;
        assert_eq!(queries.len(), 1);
        assert_eq!(examined(&service, &queries[0]).await, 20, "page {page}");
    }
    // nor does a walk cost more, wherever it is
    let mut before = ada.get("/pdf?page=400").await.json["data"][19]["id"].clone();
    for _ in 0..3 {
        let _ = service.wire.take();
        let answer = ada.get(&format!("/pdf?before={}", before.as_str().unwrap())).await.expect(200);
        before = answer.json["data"][19]["id"].clone();
        let traffic = service.wire.take();
        assert_traffic(&traffic, 2, &["BatchGetItem", "Query"]);
        // one row more shows whether there are older ones
        assert_eq!(examined(&service, &traffic.queries[0]).await, 21);
    }
}

/// Few rows are read if many have the verdict, up to 10,000 if hardly any has.
#[tokio::test]
async fn a_verdict_is_looked_for_in_few_rows_then_in_many_at_once() {
    let (service, ada) = prepared().await;
    let verdict = |number: u64| Some(if number == 7 { "changed" } else { "no_signs" });
    fill(&service, &ada, 2_500, verdict).await;
    for (verdict, rows, rounds, looked_at) in
        [("no_signs", 20, 2, vec![100]), ("changed", 1, 4, vec![100, 900, 1_000, 500])]
    {
        let _ = service.wire.take();
        let answer = ada.get(&format!("/pdf?verdict={verdict}")).await.expect(200);
        assert_eq!(answer.json["data"].as_array().unwrap().len(), rows);
        let traffic = service.wire.take();
        assert_eq!((traffic.rounds, traffic.queries.len()), (rounds, looked_at.len()));
        for (query, looked_at) in traffic.queries.iter().zip(looked_at) {
            assert_eq!(examined(&service, query).await, looked_at);
        }
    }
}
