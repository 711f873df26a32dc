//! Sizes at their limits.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::small::{pdf, pdf_of_size};
use tests::api::send;
use tests::invariants::Snapshot;
use tests::service::TestService;

const LARGEST: usize = 104_857_600;

#[tokio::test]
async fn the_largest_file_passes_and_one_byte_more_does_not() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let answer = ada.analyze("large.pdf", pdf_of_size("Large", LARGEST)).await.expect(200);
    assert_eq!(answer.json["data"]["file_size"], LARGEST);
    assert_eq!(answer.json["data"]["file_size_formatted"], "100.00 MB");
    assert_eq!(answer.json["data"]["metadata"]["document"]["title"], "Large");

    let refused = ada.analyze("larger.pdf", pdf_of_size("Larger", LARGEST + 1)).await.expect(413);
    assert_eq!((refused.code(), refused.header("x-ratelimit-remaining")), ("file_too_large", "49"));
    assert_eq!(ada.used().await, 1);
}

#[tokio::test]
async fn two_files_over_the_limit_together_are_to_be_staged() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let half = || Part::bytes(pdf_of_size("Half", LARGEST / 2 + 1_000_000)).file_name("half.pdf");
    let form = Form::new().part("before", half()).part("after", half());
    let refused = send(ada.request(Method::POST, "/pdf/compare").multipart(form)).await.expect(413);
    assert_eq!(refused.code(), "file_too_large");
    let said = refused.json["message"].as_str().unwrap();
    assert!(said.contains("together") && said.contains("POST /pdf/uploads"), "{said}");
}

#[tokio::test]
async fn more_than_the_gateway_takes_is_refused_in_the_same_order() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1, "ada").await;
    let much = bytes::Bytes::from(vec![0; LARGEST + 2 * 1024 * 1024]);
    let post =
        |kind: &'static str| ada.request(Method::POST, "/pdf/analyze").header("content-type", kind).body(much.clone());
    let form = "multipart/form-data; boundary=b";
    let refused = send(post(form)).await.expect(413);
    assert_eq!((refused.code(), refused.header("x-ratelimit-remaining")), ("file_too_large", "1"));
    assert_eq!(send(post("application/pdf")).await.expect(415).header("x-ratelimit-remaining"), "1");
    assert_eq!(send(post("multipart/form-data")).await.expect(400).header("x-ratelimit-remaining"), "1");
    ada.analyze_once("key", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(send(post(form)).await.expect(429).code(), "daily_limit_exceeded");
    assert_eq!(send(post(form).header("idempotency-key", "key")).await.expect(413).code(), "file_too_large");
    Snapshot::of(&service).await.check();
}
