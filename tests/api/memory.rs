//! What a process needs for many large files at once; it runs apart, so that its memory is its own.

use reqwest::Method;
use samples::small::pdf_of_size;
use serde_json::json;
use tests::api::{Api, persistently, send};
use tests::service::TestService;
use tests::victim::Victim;

const LARGEST: usize = 104_857_600;
const MEGABYTE: u64 = 1_048_576;

/// Runs `count` analyses of 100 MB at once in a fresh process; its peak memory in bytes.
async fn peak(count: usize, staged: bool) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = service.account("ada").await;
    service.stop().await;
    let victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), None);
    let ada = ada.at(victim.origin.clone());
    // one buffer for all of them: `Bytes` shares it
    let file = bytes::Bytes::from(pdf_of_size("Large", LARGEST));
    let uploads: Vec<_> = (0..count)
        .map(|_| {
            let (ada, file) = (ada.clone(), file.clone());
            tokio::spawn(async move { if staged { by_bucket(&ada, file).await } else { directly(&ada, file).await } })
        })
        .collect();
    for upload in uploads {
        upload.await.unwrap();
    }
    assert_eq!(ada.used().await, count as u64);
    victim.peak_memory().unwrap()
}

async fn by_bucket(ada: &Api, file: bytes::Bytes) {
    let size = json!({ "filename": "large.pdf", "file_size": file.len() });
    let answer = persistently(|| ada.post("/pdf/uploads", &size)).await.expect(201);
    let ticket = &answer.json["data"];
    ada.put(ticket, file).await.expect(200);
    let upload = ticket["upload_id"].as_str().unwrap();
    persistently(|| ada.analyze_staged(upload)).await.expect(200);
}

async fn directly(ada: &Api, file: bytes::Bytes) {
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.pdf\"\r\n\r\n";
    let parts = [head.into(), file, "\r\n--b--\r\n".into()];
    let length: usize = parts.iter().map(bytes::Bytes::len).sum();
    let chunks = futures_util::stream::iter(parts.map(Ok::<_, std::io::Error>));
    let request = ada
        .request(Method::POST, "/pdf/analyze")
        .header("content-type", "multipart/form-data; boundary=b")
        .header("content-length", length)
        .body(reqwest::Body::wrap_stream(chunks));
    assert_eq!(send(request).await.expect(200).json["data"]["file_size"], json!(LARGEST));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes 2 GB; .ci/run runs it"]
async fn twenty_staged_uploads_of_100_mb_at_once() {
    let peak = peak(20, true).await / MEGABYTE;
    println!("20 staged uploads of 100 MB at once: peak {peak} MB");
    assert!(peak < 300, "{peak} MB");
}

/// Bodies share a budget of 512 MB (those that find no room wait), and one form at a time holds
/// its body twice while it is taken apart.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "sends 800 MB; .ci/run runs it"]
async fn eight_direct_uploads_of_100_mb_at_once() {
    let peak = peak(8, false).await / MEGABYTE;
    println!("8 direct uploads of 100 MB at once: peak {peak} MB");
    assert!(peak < 1024, "{peak} MB");
}
