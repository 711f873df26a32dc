//! File hashes, related analyses of the same file and document, and the list of one file's analyses.

use std::collections::BTreeSet;

use samples::pdf::Pdf;
use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::api::{Answer, Api, send};
use tests::browser::{Browser, PASSWORD};
use tests::invariants::{Snapshot, all_readable};
use tests::rows::examined;
use tests::service::TestService;
use tests::wire::Fault;

use crate::signatures::signed;

const ID: &str = "5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b";

/// What `sha256sum` prints.
fn sha256(file: &[u8]) -> String {
    Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A version of the document with this identifier.
fn version(identifier: &str, title: &str) -> Vec<u8> {
    let trailer = format!("/ID [<{identifier}> <{ID}>]");
    Pdf::new(1).info(format!("/Title ({title})")).trailer(&trailer).classic()
}

/// Analyzes a file, with retries after 503; returns the analysis.
async fn analyzed(api: &Api, file: &[u8]) -> Value {
    api.clone().patient().analyze("a.pdf", file.to_vec()).await.expect(200).json["data"].clone()
}

fn ids(sightings: &Value) -> Vec<&str> {
    sightings.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

async fn list(api: &Api, query: &str) -> Answer {
    api.get(&format!("/pdf?{query}")).await
}

/// A ticket for a file announced with this hash.
async fn ticket(api: &Api, size: usize, sha256: &str) -> Value {
    let body = json!({ "filename": "a.pdf", "file_size": size, "sha256": sha256 });
    api.post("/pdf/uploads", &body).await.expect(201).json["data"].clone()
}

async fn staged(api: &Api, ticket: &Value) -> Value {
    api.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200).json["data"].clone()
}

#[tokio::test]
async fn a_direct_upload_has_the_hash_that_sha256sum_prints() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.analyze("empty.pdf", Vec::new()).await.expect(422);
    let mut most = pdf_of_size("A", 104_857_600);
    let files =
        [pdf("A"), version(ID, "A"), pdf_of_size("A", 55_555), pdf_of_size("A", 1 << 20), pdf_of_size("A", 5_000_001)];
    for file in files.iter().chain([&most]) {
        let analysis = analyzed(&ada, file).await;
        let digest = json!({ "sha256": sha256(file), "source": "computed" });
        assert_eq!(analysis["metadata"]["file"], digest, "{} bytes", file.len());
        assert_eq!(analysis["seen"]["same_file"], json!([]), "{} bytes", file.len());
    }
    // the last byte counts
    *most.last_mut().unwrap() = b' ';
    assert_eq!(analyzed(&ada, &most).await["metadata"]["file"]["sha256"], sha256(&most));
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_at_once_are_all_stored_and_the_next_one_names_the_ten_newest() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(100, "ada").await;
    let file = version(ID, "A");
    let crowd = (0..50).map(|_| {
        let (ada, file) = (ada.clone(), file.clone());
        tokio::spawn(async move { analyzed(&ada, &file).await })
    });
    let mut answers = Vec::new();
    for answer in crowd.collect::<Vec<_>>() {
        answers.push(answer.await.unwrap());
    }
    assert_eq!(ada.used().await, 50);
    all_readable(&ada, &answers).await;
    let newest = list(&ada, "per_page=10").await.expect(200).json["data"].clone();
    let next = analyzed(&ada, &file).await;
    let named: Vec<_> = newest
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!({ "id": row["id"], "analyzed_at": row["analyzed_at"] }))
        .collect();
    assert_eq!(next["seen"], json!({ "same_file": named, "same_document": [] }));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn another_version_of_a_document_is_told_from_the_same_file() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (first, second) = (version(ID, "First"), version(ID, "Second"));
    let one = analyzed(&ada, &first).await;
    assert_eq!(one["seen"], json!({ "same_file": [], "same_document": [] }));
    let two = analyzed(&ada, &second).await;
    assert_eq!(two["seen"]["same_file"], json!([]));
    assert_eq!(ids(&two["seen"]["same_document"]), [one["id"].as_str().unwrap()]);
    assert_eq!(two["seen"]["same_document"][0]["analyzed_at"], one["analyzed_at"]);
    let three = analyzed(&ada, &second).await;
    assert_eq!(ids(&three["seen"]["same_file"]), [two["id"].as_str().unwrap()]);
    assert_eq!(ids(&three["seen"]["same_document"]), [one["id"].as_str().unwrap()]);
    // many analyses of the same bytes do not hide the others
    for _ in 0..12 {
        analyzed(&ada, &first).await;
    }
    let last = analyzed(&ada, &first).await;
    assert_eq!(ids(&last["seen"]["same_file"]).len(), 10);
    assert_eq!(ids(&last["seen"]["same_document"]), [&three, &two].map(|one| one["id"].as_str().unwrap()));
    all_readable(&ada, &[one, two, three, last]).await;
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn identifiers_that_writers_repeat_lead_nowhere() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for repeated in ["", "00", "00000000000000000000000000000000", "d41d8cd98f00b204e9800998ecf8427e"] {
        for title in ["One", "Two"] {
            let analysis = analyzed(&ada, &version(repeated, title)).await;
            assert_eq!(analysis["seen"], json!({ "same_file": [], "same_document": null }), "{repeated} {title}");
        }
    }
    assert_eq!(analyzed(&ada, &pdf("None")).await["seen"]["same_document"], Value::Null);
    Snapshot::of(&service).await.check();
}

/// In 1,000 attempts, another account sees only its own analyses.
#[tokio::test(flavor = "multi_thread")]
async fn another_account_sees_nothing_of_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let bob = service.account_limited_to(1_000, "bob").await;
    let files: Vec<_> = (0..10).map(|index| version(ID, &index.to_string())).collect();
    let mut foreign = BTreeSet::new();
    for file in &files {
        foreign.insert(analyzed(&ada, file).await["id"].as_str().unwrap().to_owned());
    }
    let before = Snapshot::of(&service).await.text_of(&ada.user().to_string());
    let (mut tries, mut own) = (0, BTreeSet::new());
    while tries < 1_000 {
        let file = &files[tries % files.len()];
        let found = list(&bob, &format!("sha256={}&per_page=100", sha256(file))).await.expect(200).json["data"].clone();
        let analysis = if tries % 5 == 0 { analyzed(&bob, file).await } else { json!({ "seen": null }) };
        let seen = &analysis["seen"];
        for named in [&found, &seen["same_file"], &seen["same_document"]].into_iter().filter(|named| !named.is_null()) {
            for id in ids(named) {
                assert!(own.contains(id) && !foreign.contains(id), "try {tries}: {id}");
            }
        }
        own.extend(analysis["id"].as_str().map(str::to_owned));
        tries += if tries % 5 == 0 { 2 } else { 1 };
    }
    println!("{tries} tries, {} analyses of the same files, nothing of the other account", own.len());
    assert_eq!(Snapshot::of(&service).await.text_of(&ada.user().to_string()), before);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn deletions_leave_nothing_that_leads_to_what_is_gone() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = version(ID, "A");
    let mut all = Vec::new();
    for _ in 0..12 {
        all.push(analyzed(&ada, &file).await["id"].as_str().unwrap().to_owned());
    }
    let gone = [&all[11], &all[5]];
    for id in gone {
        ada.delete(&format!("/pdf/{id}")).await.expect(200);
    }
    Snapshot::of(&service).await.check();
    let next = analyzed(&ada, &file).await;
    let left: Vec<_> = all.iter().rev().filter(|id| !gone.contains(id)).take(10).collect();
    assert_eq!(ids(&next["seen"]["same_file"]), left);
    // the stored answer is unchanged, and deleted analyses are not found
    ada.delete(&format!("/pdf/{}", left[0])).await.expect(200);
    all_readable(&ada, std::slice::from_ref(&next)).await;
    ada.get(&format!("/pdf/{}", left[0])).await.expect(404);
    let rows = list(&ada, &format!("sha256={}", sha256(&file))).await.expect(200);
    assert_eq!(ids(&rows.json["data"]).len(), 10);

    for id in ids(&rows.json["data"]) {
        ada.delete(&format!("/pdf/{id}")).await.expect(200);
    }
    let snapshot = Snapshot::of(&service).await;
    let user = ada.user().to_string();
    assert_eq!((snapshot.rows(&user, "FILE#").count(), snapshot.rows(&user, "DOCUMENT#").count()), (0, 0));
    assert_eq!(analyzed(&ada, &file).await["seen"], json!({ "same_file": [], "same_document": [] }));
}

#[tokio::test]
async fn an_account_takes_what_leads_to_its_analyses_along() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let ada = service.access(&browser.token().await);
    for title in ["A", "A", "B"] {
        analyzed(&ada, &version(ID, title)).await;
    }
    let user = ada.user().to_string();
    assert_eq!(Snapshot::of(&service).await.rows(&user, "DOCUMENT#").count(), 3);
    browser.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    assert_eq!(Snapshot::of(&service).await.text_of(&user), "");
}

#[tokio::test]
async fn a_repeat_gets_what_was_first_answered() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = version(ID, "A");
    analyzed(&ada, &file).await;
    let first = ada.analyze_once("key", "a.pdf", file.clone()).await.expect(200);
    assert_eq!(ids(&first.json["data"]["seen"]["same_file"]).len(), 1);
    analyzed(&ada, &file).await;
    assert_eq!(ada.analyze_once("key", "a.pdf", file).await.expect(200).text, first.text);
    all_readable(&ada, &[first.json["data"].clone()]).await;
}

/// A failed lookup of related analyses is not charged, and one that succeeds at the second attempt is no error.
#[tokio::test(flavor = "multi_thread")]
async fn faults_neither_charge_nor_store_half_of_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = version(ID, "A");
    let plan = |operation: &'static str, faults: Vec<Fault>| {
        let faults = std::sync::Mutex::new(faults.into_iter());
        service.wire.plan(move |call| {
            let fault = (call.operation == operation).then(|| faults.lock().unwrap().next());
            fault.flatten().unwrap_or(Fault::None)
        });
    };
    plan("Query", vec![Fault::ServerError; 100]);
    assert_eq!(ada.analyze("a.pdf", file.clone()).await.expect(503).code(), "service_unavailable");
    // errors of the file are reported all the same
    ada.analyze("bad.pdf", b"no PDF".to_vec()).await.expect(422);
    service.wire.heal();
    assert_eq!(ada.used().await, 0);
    Snapshot::of(&service).await.check();

    let mut stored = Vec::new();
    for (operation, faults) in [
        ("Query", vec![Fault::Throttle, Fault::LostRequest]),
        ("Query", vec![Fault::LostAnswer]),
        ("TransactWriteItems", vec![Fault::LostAnswer; 3]),
        ("TransactWriteItems", vec![Fault::Conflict, Fault::LostRequest]),
    ] {
        plan(operation, faults);
        stored.push(ada.analyze("a.pdf", file.clone()).await.expect(200).json["data"].clone());
        service.wire.heal();
        Snapshot::of(&service).await.check();
    }
    for (before, analysis) in stored.iter().enumerate() {
        assert_eq!(ids(&analysis["seen"]["same_file"]).len(), before);
    }
    all_readable(&ada, &stored).await;
    plan("TransactWriteItems", vec![Fault::LostAnswer; 3]);
    ada.delete(&format!("/pdf/{}", stored[3]["id"].as_str().unwrap())).await.expect(200);
    service.wire.heal();
    Snapshot::of(&service).await.check();
    assert_eq!(ada.used().await, 4);
}

#[tokio::test]
async fn the_analyses_of_a_file_are_listed_by_its_hash() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (file, other) = (pdf("A"), pdf("B"));
    for index in 0..7 {
        ada.analyze(&format!("{index}.pdf"), file.clone()).await.expect(200);
        ada.analyze("other.pdf", other.clone()).await.expect(200);
    }
    let hash = sha256(&file);
    let names = |answer: &Answer| -> Vec<String> {
        let rows = answer.json["data"].as_array().unwrap().iter();
        rows.map(|row| row["filename"].as_str().unwrap().trim_end_matches(".pdf").to_owned()).collect()
    };
    for per_page in [1, 2, 3, 7, 100] {
        let mut path = format!("sha256={hash}&per_page={per_page}");
        let mut met = Vec::new();
        loop {
            let answer = list(&ada, &path).await.expect(200);
            let meta = &answer.json["meta"];
            assert_eq!((&meta["per_page"], &meta["total"]), (&per_page.into(), &14.into()));
            met.extend(names(&answer));
            let link = answer.header("link").to_owned();
            assert!(
                link.starts_with(&format!("</api/v1/pdf?sha256={hash}&per_page={per_page}>; rel=\"first\"")),
                "{link}"
            );
            let Some((_, next)) = link.split_once(", </api/v1/pdf?") else { break };
            path = next.strip_suffix(">; rel=\"next\"").unwrap().to_owned();
        }
        assert_eq!(met, ["6", "5", "4", "3", "2", "1", "0"], "{per_page}");
    }
    // each row is that of the whole list
    let whole = list(&ada, "per_page=100").await.expect(200).json["data"].clone();
    let rows: Vec<_> = whole.as_array().unwrap().iter().filter(|row| row["filename"] != "other.pdf").cloned().collect();
    let shouted = list(&ada, &format!("sha256={}&page=1", hash.to_uppercase())).await.expect(200);
    assert_eq!(shouted.json["data"], Value::Array(rows));
    assert_eq!(names(&list(&ada, &format!("sha256={}", sha256(b"nothing"))).await.expect(200)), Vec::<String>::new());
    for (query, field) in [
        ("sha256=".to_owned(), "sha256"),
        (format!("sha256={}", &hash[1..]), "sha256"),
        (format!("sha256={}g", &hash[1..]), "sha256"),
        (format!("sha256={hash}&sha256={hash}"), "sha256"),
        (format!("sha256={hash}&page=2"), "page"),
        (format!("sha256={hash}&per_page=0"), "per_page"),
    ] {
        let answer = list(&ada, &query).await.expect(422);
        assert_eq!(answer.code(), "validation_failed", "{query}");
        assert!(answer.json["error"]["details"]["fields"][field][0].is_string(), "{query}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_staged_file_has_a_hash_where_it_is_read_whole_or_the_bucket_checked_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (small, large) = (pdf_of_size("Small", 500_000), pdf_of_size("Large", 3_000_000));
    let unannounced = async |file: &[u8]| {
        let ticket = ada.ticket("a.pdf", file.len()).await;
        assert!(ticket["headers"].get("x-amz-checksum-sha256").is_none());
        ada.put(&ticket, file.to_vec()).await.expect(200);
        staged(&ada, &ticket).await
    };
    let computed = |file: &[u8]| json!({ "sha256": sha256(file), "source": "computed" });
    assert_eq!(unannounced(&small).await["metadata"]["file"], computed(&small));
    let unknown = unannounced(&large).await;
    assert_eq!(unknown["metadata"]["file"], json!({ "sha256": null, "source": null }));
    // that there is none cannot be said
    assert_eq!(unknown["seen"]["same_file"], Value::Null);
    for (file, source) in [(&large, "upload"), (&small, "computed")] {
        let ticket = ticket(&ada, file.len(), &sha256(file).to_uppercase()).await;
        assert!(ticket["headers"]["x-amz-checksum-sha256"].is_string(), "{ticket}");
        ada.put(&ticket, file.clone()).await.expect(200);
        let analysis = staged(&ada, &ticket).await;
        assert_eq!(analysis["metadata"]["file"], json!({ "sha256": sha256(file), "source": source }));
    }
    // the same file, direct and staged
    let direct = analyzed(&ada, &large).await;
    assert_eq!(ids(&direct["seen"]["same_file"]).len(), 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_bucket_refuses_other_bytes_than_were_announced() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (good, mut bad) = (pdf_of_size("A", 1_000_000), pdf_of_size("A", 1_000_000));
    *bad.last_mut().unwrap() = b' ';
    let ticket = ticket(&ada, good.len(), &sha256(&good)).await;
    let refused = ada.put(&ticket, bad.clone()).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert!(refused.text.contains("BadDigest"), "{}", refused.text);
    ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(404);
    // the hash is signed: without it, or with another one, the ticket is refused
    let mut other = ticket.clone();
    other["headers"]["x-amz-checksum-sha256"] = json!(shared::file_hash::FileHash::of(&bad).base64());
    assert_eq!(ada.put(&other, bad.clone()).await.status, 403);
    other["headers"].as_object_mut().unwrap().remove("x-amz-checksum-sha256");
    assert_eq!(ada.put(&other, bad).await.status, 403);
    ada.put(&ticket, good.clone()).await.expect(200);
    assert_eq!(staged(&ada, &ticket).await["metadata"]["file"]["sha256"], sha256(&good));
    for bad in [json!(""), json!("abc"), json!(7), json!(sha256(b"")[1..])] {
        let body = json!({ "filename": "a.pdf", "file_size": 5, "sha256": bad });
        let answer = ada.post("/pdf/uploads", &body).await.expect(422);
        assert!(answer.json["error"]["details"]["fields"]["sha256"][0].is_string(), "{bad}: {}", answer.text);
    }
    let absent = json!({ "filename": "a.pdf", "file_size": 5, "sha256": null });
    ada.post("/pdf/uploads", &absent).await.expect(201);
}

/// An announced hash that the store has not verified is not used.
#[tokio::test]
async fn a_hash_that_the_store_has_not_checked_is_not_repeated() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let (good, other) = (pdf_of_size("A", 1_000_000), pdf_of_size("B", 1_000_000));
    let ticket = ticket(&ada, good.len(), &sha256(&good)).await;
    let put = service.service().s3().put_object().bucket(&service.service().template().bucket.name);
    let put = put.key(format!("uploads/{}/{}", ada.user(), ticket["upload_id"].as_str().unwrap()));
    put.metadata("filename", "a.pdf").body(other.into()).send().await.unwrap();
    assert_eq!(staged(&ada, &ticket).await["metadata"]["file"], json!({ "sha256": null, "source": null }));
}

/// A signed file is read whole for its signatures.
#[tokio::test]
async fn a_large_file_that_is_read_whole_is_hashed_on_the_way() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let signed = signed(9 << 20);
    let ticket = ada.ticket("signed.pdf", signed.len()).await;
    ada.put(&ticket, signed.clone()).await.expect(200);
    let analysis = ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200).json["data"].clone();
    assert_eq!(analysis["metadata"]["file"], json!({ "sha256": sha256(&signed), "source": "computed" }));
    assert_eq!(analysis["seen"]["same_file"], json!([]));
    let again = ada.ticket("signed.pdf", signed.len()).await;
    ada.put(&again, signed).await.expect(200);
    let again = ada.analyze_staged(again["upload_id"].as_str().unwrap()).await.expect(200).json["data"].clone();
    assert_eq!(ids(&again["seen"]["same_file"]), [analysis["id"].as_str().unwrap()]);
    Snapshot::of(&service).await.check();
}

/// Related analyses are not shown to readers of a link.
#[tokio::test]
async fn behind_a_link_there_is_nothing_else_of_the_account() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let first = analyzed(&ada, &version(ID, "A")).await;
    let second = analyzed(&ada, &version(ID, "A")).await;
    let id = second["id"].as_str().unwrap();
    assert_eq!(ids(&second["seen"]["same_file"]).len(), 1);
    let share = ada.post(&format!("/pdf/{id}/share"), &json!({})).await.expect(201);
    let url = share.json["data"]["url"].as_str().unwrap();
    for path in [url.to_owned(), format!("{url}/json")] {
        let answer = send(reqwest::Client::new().get(&path)).await.expect(200);
        assert!(!answer.text.contains(first["id"].as_str().unwrap()), "{path}");
        assert!(answer.text.contains(second["metadata"]["file"]["sha256"].as_str().unwrap()), "{path}");
    }
    let json = send(reqwest::Client::new().get(format!("{url}/json"))).await.json;
    assert_eq!(json["seen"], Value::Null);
}

/// Repeated uploads of one file do not read more each time.
#[tokio::test]
async fn a_hundred_of_a_document_are_looked_at() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(200, "ada").await;
    let (first, second) = (version(ID, "First"), version(ID, "Second"));
    let one = analyzed(&ada, &first).await;
    let mut named = Vec::new();
    for _ in 0..101 {
        named.push(analyzed(&ada, &second).await["seen"]["same_document"].clone());
    }
    let (last, rest) = named.split_last().unwrap();
    assert!(rest.iter().all(|named| ids(named) == [one["id"].as_str().unwrap()]));
    assert_eq!(last, &json!([]));
    let _ = service.wire.take();
    analyzed(&ada, &second).await;
    let mut looked_at = Vec::new();
    for query in service.wire.take().queries {
        looked_at.push(examined(&service, &query).await);
    }
    looked_at.sort_unstable();
    assert_eq!(looked_at, [10, 100]);
}
