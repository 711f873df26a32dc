//! Waiting is not complexity: waits of the service do not count against the file.

use std::collections::BTreeMap;
use std::time::Duration;

use samples::pdf::Pdf;
use samples::small::pdf;
use tests::api::Api;
use tests::invariants::Snapshot;
use tests::service::TestService;

/// Of many small streams and without the way to its cross-reference: it has to be read whole, in pieces.
fn damaged(megabytes: u32) -> Vec<u8> {
    let mut pdf = Pdf::new(1).info("/Title (Damaged)");
    for number in 0..megabytes * 100 {
        pdf = pdf.with_stream(100 + number, "", &[b'x'; 10_000]);
    }
    let mut file = pdf.classic();
    let at = file.windows(9).rposition(|window| window == b"startxref").unwrap();
    file[at..at + 9].copy_from_slice(b"startxxxx");
    file
}

#[tokio::test]
async fn a_slow_bucket_is_503_and_the_staged_file_is_kept() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let upload = ada.stage("slow.pdf", damaged(10)).await;
    service.wire.set_latency(Duration::from_millis(4500));
    let refused = ada.analyze_staged(&upload).await.expect(503);
    assert_eq!((refused.code(), refused.header("retry-after")), ("service_unavailable", "1"));
    service.wire.set_latency(Duration::ZERO);
    let snapshot = Snapshot::of(&service).await;
    assert_eq!(snapshot.objects().len(), 1);
    assert!(!snapshot.text_of(&ada.user().to_string()).contains("failed"), "nothing is counted");
    let answer = ada.analyze_staged(&upload).await.expect(200);
    assert_eq!(answer.json["data"]["metadata"]["structure"]["repaired"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_slow_files_and_then_a_good_one_are_answered_or_put_off() {
    let service = TestService::start().await;
    let mut uploads = Vec::new();
    for index in 0..20 {
        let user = service.account(&format!("user{index}")).await;
        for _ in 0..3 {
            uploads.push((user.clone(), user.stage("slow.pdf", damaged(3)).await));
        }
    }
    service.wire.set_latency(Duration::from_millis(1500));
    let slow: Vec<_> = uploads
        .into_iter()
        .map(|(user, upload)| tokio::spawn(async move { user.analyze_staged(&upload).await.status }))
        .collect();
    let ada = service.account("ada").await;
    let mut good = Vec::new();
    for _ in 0..4 {
        // also between the fifteenth second, when the engine's time is over, and the twentieth
        tokio::time::sleep(Duration::from_secs(4)).await;
        let ada: Api = ada.clone();
        good.push(tokio::spawn(async move { ada.analyze("good.pdf", pdf("Good")).await.status }));
    }
    let mut statuses: BTreeMap<u16, u32> = BTreeMap::new();
    for answer in slow.into_iter().chain(good) {
        *statuses.entry(answer.await.unwrap()).or_default() += 1;
    }
    println!("{statuses:?}");
    assert!(statuses.keys().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses[&503] > 0, "more than could be done: {statuses:?}");
    service.wire.set_latency(Duration::ZERO);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    let text = snapshot.text();
    let counted = text.split("\"failed\": ").skip(1).filter(|rest| !rest.starts_with("N(\"0\")"));
    assert_eq!(counted.count(), 0, "nothing stays counted");
}
