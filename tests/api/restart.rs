//! What was acknowledged is there after a restart.

use samples::small::pdf;
use tests::invariants::{Snapshot, all_readable};
use tests::service::TestService;

#[tokio::test]
async fn everything_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = service.account("ada").await;
    let mut acknowledged = Vec::new();
    for index in 0..3 {
        acknowledged.push(ada.analyze(&format!("{index}.pdf"), pdf("A")).await.expect(200).json["data"].clone());
    }
    service.stop().await;

    let service = TestService::start_in(folder.path()).await;
    let ada = ada.at(service.service().origin());
    all_readable(&ada, &acknowledged).await;
    assert_eq!(ada.used().await, 3);
    let next = ada.analyze("next.pdf", pdf("B")).await.expect(200);
    assert_eq!(next.json["remaining_checks"], 46);
    Snapshot::of(&service).await.check();
}
