//! Signatures, which take the whole file: always checked of what is sent directly or small, of what is large on request.

use samples::pdf::Pdf;
use samples::signed::{Key, SignedPdf, Signing};
use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::{Answer, Api};
use tests::service::TestService;

const MIB: usize = 1024 * 1024;

/// A signed PDF of so many bytes and a little more.
pub(super) fn signed(size: usize) -> Vec<u8> {
    let filled = Pdf::new(1).with_stream(99, "", &vec![b'x'; size]);
    SignedPdf::new(&filled).signed(&Signing::by(Key::Rsa)).file
}

/// The same, changed in one byte that nothing else looks at.
fn broken(size: usize) -> Vec<u8> {
    let mut file = signed(size);
    let middle = size / 2;
    assert_eq!(file[middle], b'x');
    file[middle] = b'y';
    file
}

async fn staged(ada: &Api, file: Vec<u8>, verify_signatures: &Value) -> Answer {
    let upload = ada.stage("signed.pdf", file).await;
    ada.post("/pdf/analyze", &json!({ "upload_id": upload, "verify_signatures": verify_signatures })).await
}

/// The verdict, and status and reason of the signature.
fn judged(answer: &Answer) -> [&str; 3] {
    let integrity = &answer.json["data"]["metadata"]["integrity"];
    let signature = &integrity["signatures"][0];
    [&integrity["verdict"], &signature["status"], &signature["reason"]].map(|value| value.as_str().unwrap_or("null"))
}

const INTACT: [&str; 3] = ["unchanged_since_signing", "intact", "null"];
const BROKEN: [&str; 3] = ["changed_since_signing", "broken", "digest"];

#[tokio::test]
async fn those_of_large_staged_files_are_checked_on_request() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let large = 20 * MIB;
    for verify in [json!(false), Value::Null] {
        let answer = staged(&ada, signed(large), &verify).await.expect(200);
        let [_, status, reason] = judged(&answer);
        assert_eq!((status, reason), ("unchecked", "too_large"));
        assert_eq!(answer.json["data"]["metadata"]["integrity"]["examined"]["bytes"], "needed");
    }
    let read = service.journal.take().iter().map(|entry| entry.bytes_read).max();
    assert!(read.is_some_and(|read| read < MIB as u64), "{read:?}");

    let _ = service.wire.take();
    assert_eq!(judged(&staged(&ada, signed(large), &json!(true)).await.expect(200)), INTACT);
    let traffic = service.wire.take();
    let read = service.journal.take().iter().map(|entry| entry.bytes_read).max().unwrap();
    let gets = traffic.count("GetObject");
    println!("20 MiB checked: {gets} GETs, {read} bytes");
    // each byte once, in pieces of 4 MiB: five, beside the two ends and what the answer takes anyway
    assert!((large as u64..large as u64 + MIB as u64).contains(&read), "{read}");
    assert!((7..=10).contains(&gets), "{traffic:?}");
    assert_eq!(judged(&staged(&ada, broken(large), &json!(true)).await.expect(200)), BROKEN);
}

#[tokio::test]
async fn those_of_other_files_are_always_checked() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    assert_eq!(judged(&staged(&ada, signed(7 * MIB), &json!(false)).await.expect(200)), INTACT);
    assert_eq!(judged(&staged(&ada, broken(7 * MIB), &json!(false)).await.expect(200)), BROKEN);
    assert_eq!(judged(&ada.analyze("signed.pdf", signed(20 * MIB)).await.expect(200)), INTACT);
    assert_eq!(judged(&ada.analyze("signed.pdf", broken(20 * MIB)).await.expect(200)), BROKEN);
}

#[tokio::test]
async fn a_repeat_gets_the_first_answer_whether_it_asks_for_them_or_not() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let upload = ada.stage("a.pdf", pdf("A")).await;
    let first = ada.analyze_staged(&upload).await.expect(200);
    let again = ada.post("/pdf/analyze", &json!({ "upload_id": upload, "verify_signatures": true })).await.expect(200);
    assert_eq!(again.text, first.text);
}

/// A date is held against the clock of the call.
#[tokio::test]
async fn a_date_in_the_future_is_impossible() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (date, is_impossible) in [("D:20200101000000Z", false), ("D:99990101000000Z", true)] {
        let file = Pdf::new(1).info(format!("/CreationDate ({date})")).classic();
        let answer = ada.analyze("a.pdf", file).await.expect(200);
        let signals = answer.json["data"]["metadata"]["integrity"]["signals"].as_array().unwrap();
        assert_eq!(signals.iter().any(|signal| signal["id"] == "date_impossible"), is_impossible, "{signals:?}");
    }
}
