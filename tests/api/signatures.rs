//! Signatures, which take the whole file: always checked, in one pass.

use samples::pdf::Pdf;
use samples::signed::{Key, SignedPdf, Signing};
use serde_json::{Value, json};
use shared::file_hash::FileHash;
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

async fn staged(ada: &Api, file: Vec<u8>) -> Answer {
    let upload = ada.stage("signed.pdf", file).await;
    ada.analyze_staged(&upload).await
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
async fn those_of_large_staged_files_are_checked_in_one_pass() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let large = 20 * MIB;
    let file = signed(large);
    let _ = service.wire.take();
    let answer = staged(&ada, file.clone()).await.expect(200);
    assert_eq!(judged(&answer), INTACT);
    let metadata = &answer.json["data"]["metadata"];
    assert_eq!(metadata["integrity"]["examined"]["bytes"], "all");
    assert_eq!(metadata["file"], json!({ "sha256": FileHash::of(&file).to_string(), "source": "computed" }));
    let traffic = service.wire.take();
    let read = service.journal.take().iter().map(|entry| entry.bytes_read).max().unwrap();
    let gets = traffic.count("GetObject");
    println!("20 MiB checked: {gets} GETs, {read} bytes");
    // each byte once, in pieces of 4 MiB: five, beside the two ends and what the answer takes anyway
    assert!((large as u64..large as u64 + MIB as u64).contains(&read), "{read}");
    assert!((7..=10).contains(&gets), "{traffic:?}");
    assert_eq!(judged(&staged(&ada, broken(large)).await.expect(200)), BROKEN);
}

#[tokio::test]
async fn those_of_other_files_are_always_checked() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    assert_eq!(judged(&staged(&ada, signed(7 * MIB)).await.expect(200)), INTACT);
    assert_eq!(judged(&staged(&ada, broken(7 * MIB)).await.expect(200)), BROKEN);
    assert_eq!(judged(&ada.analyze("signed.pdf", signed(20 * MIB)).await.expect(200)), INTACT);
    assert_eq!(judged(&ada.analyze("signed.pdf", broken(20 * MIB)).await.expect(200)), BROKEN);
}

/// A field that is not known is ignored.
#[tokio::test]
async fn an_unknown_field_changes_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for verify in [json!(true), json!(0), Value::Null] {
        let upload = ada.stage("signed.pdf", signed(9 * MIB)).await;
        let body = json!({ "upload_id": upload, "verify_signatures": verify });
        let first = ada.post("/pdf/analyze", &body).await.expect(200);
        assert_eq!(judged(&first), INTACT);
        assert_eq!(ada.analyze_staged(&upload).await.expect(200).text, first.text);
    }
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
