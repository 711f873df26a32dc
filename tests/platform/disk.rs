//! A disk that is full: what would be stored is refused at once and nothing is lost; with room again all goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use samples::small::pdf;
use server::Options;
use shared::disk_space::DiskSpace;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};

const MEGABYTE: u64 = 1 << 20;

/// A service on a disk with this much room.
async fn on_a_disk(free: &Arc<AtomicU64>) -> TestService {
    let told = Arc::clone(free);
    let disk_space = DiskSpace::of(move || Some(told.load(Ordering::SeqCst)));
    let metrics_listen = Some(([127, 0, 0, 1], 0).into());
    TestService::start_with(Options { disk_space: Some(disk_space), metrics_listen, ..roomy() }).await
}

#[tokio::test]
async fn a_full_disk_refuses_at_once_what_would_be_stored_and_nothing_is_lost() {
    let free = Arc::new(AtomicU64::new(100 * MEGABYTE));
    let service = on_a_disk(&free).await;
    let ada = service.account("ada").await;
    let kept = ada.analyze("kept.pdf", pdf("A")).await.expect(200);
    let ticket = ada.ticket("b.pdf", pdf("B").len()).await;
    free.store(MEGABYTE, Ordering::SeqCst);
    let began = Instant::now();
    let refused = ada.analyze("a.pdf", pdf("A")).await.expect(503);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert_eq!(refused.code(), "service_unavailable");
    // S3's own refusal is XML
    assert_eq!(ada.put(&ticket, pdf("B")).await.status, 503);
    // what is there is read, and makes room by its deletion
    let id = kept.json["data"]["id"].as_str().unwrap();
    ada.get(&format!("/pdf/{id}")).await.expect(200);
    ada.delete(&format!("/pdf/{id}")).await.expect(200);
    free.store(100 * MEGABYTE, Ordering::SeqCst);
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    assert_eq!(ada.used().await, 2);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn monitors_learn_of_a_full_disk() {
    let free = Arc::new(AtomicU64::new(100 * MEGABYTE));
    let service = on_a_disk(&free).await;
    let health = format!("{}/health", service.service().origin());
    let status = async |address: &str| reqwest::get(address).await.unwrap().status().as_u16();
    assert_eq!(status(&health).await, 200);
    let metrics = service.service().metrics().unwrap();
    let told = reqwest::get(&metrics).await.unwrap().text().await.unwrap();
    assert!(told.contains("pdf_analysis_free_bytes 104857600"), "{told}");
    free.store(MEGABYTE, Ordering::SeqCst);
    assert_eq!(status(&health).await, 503);
}

#[tokio::test]
async fn the_room_on_the_data_s_disk_is_told() {
    let metrics_listen = Some(([127, 0, 0, 1], 0).into());
    let service = TestService::start_with(Options { metrics_listen, ..roomy() }).await;
    let told = reqwest::get(service.service().metrics().unwrap()).await.unwrap().text().await.unwrap();
    let free = told.lines().find_map(|line| line.strip_prefix("pdf_analysis_free_bytes ")).unwrap();
    assert!(free.parse::<f64>().unwrap() > 1e6, "{free}");
}
