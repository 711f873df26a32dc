//! Hostile PDFs sent to the service: each is answered, counted rightly, and followed by a good request.

use std::time::{Duration, Instant};

use samples::hostile::named;
use samples::small::pdf;
use tests::invariants::Snapshot;
use tests::service::TestService;

/// One or two of each kind; those that cost most among them.
const CHOSEN: [&str; 20] = [
    "a billion laughs",
    "a count of 2^63-1",
    "a document without anything",
    "a million catalogs",
    "a million list items",
    "a million streams of a huge length",
    "a picture in front",
    "a revision of 2^63-1",
    "a stream of 250 MiB of zeros",
    "a title of 20 MB",
    "a tree 60,000 deep",
    "a version of 100,000 digits",
    "arrays 1,000,000 deep",
    "columns of 2^63-1",
    "deflated 4 times",
    "elements a million deep",
    "encrypted, and 100,000 headers",
    "LZW of 100 MiB",
    "nothing at all",
    "two sections in a circle",
];

#[tokio::test]
async fn hostile_files_do_no_harm() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1_000, "ada").await.patient();
    let (mut stored, mut slowest) = (0, (Duration::ZERO, ""));
    for name in CHOSEN {
        let file = named(name).make();
        let began = Instant::now();
        // by both ways: the file in the request, and the file in the bucket
        let direct = ada.analyze("hostile.pdf", file.clone()).await;
        slowest = slowest.max((began.elapsed(), name));
        let staged = if file.is_empty() {
            None
        } else {
            let upload = ada.stage("hostile.pdf", file).await;
            Some(ada.analyze_staged(&upload).await)
        };
        for answer in [Some(direct), staged].into_iter().flatten() {
            let refused = answer.status == 422 && answer.code() == "analysis_failed";
            assert!(answer.status == 200 || refused, "{name}: {} {}", answer.status, answer.text);
            stored += u64::from(answer.status == 200);
        }
        ada.analyze("good.pdf", pdf("Good")).await.expect(200);
        stored += 1;
        assert_eq!(ada.used().await, stored, "{name}");
    }
    println!("{} hostile files sent twice; slowest: {} ({} ms)", CHOSEN.len(), slowest.1, slowest.0.as_millis());
    let snapshot = Snapshot::of(&service).await;
    assert!(snapshot.objects().is_empty());
    snapshot.check();
}
