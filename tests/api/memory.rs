//! What a process needs for many large files and many passwords at once; it runs apart, so that its memory is its own.

use futures_util::StreamExt;
use reqwest::Method;
use samples::small::pdf_of_size;
use serde_json::json;
use tests::api::{Api, persistently, send};
use tests::browser::{Browser, PASSWORD};
use tests::command::Serving;
use tests::service::TestService;
use tests::victim::Victim;

use super::signatures::signed;

const LARGEST: usize = 104_857_600;
const MEGABYTE: u64 = 1_048_576;

/// Runs `count` analyses of 100 MB at once in a fresh process; its peak memory in bytes.
async fn peak(count: usize, staged: bool) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    // five tickets are open at most of one account
    let mut users = Vec::new();
    for index in 0..count.div_ceil(5) {
        users.push(service.account(&format!("user{index}")).await);
    }
    service.stop().await;
    let victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), None);
    let users: Vec<_> = users.iter().map(|user| user.at(victim.origin.clone()).patient()).collect();
    // one buffer for all of them: `Bytes` shares it
    let file = bytes::Bytes::from(pdf_of_size("Large", LARGEST));
    let uploads: Vec<_> = (0..count)
        .map(|index| {
            let (ada, file) = (users[index / 5].clone(), file.clone());
            tokio::spawn(async move { if staged { by_bucket(&ada, file).await } else { directly(&ada, file).await } })
        })
        .collect();
    for upload in uploads {
        upload.await.unwrap();
    }
    let mut used = 0;
    for user in &users {
        used += user.used().await;
    }
    assert_eq!(used, count as u64);
    victim.peak_memory().unwrap()
}

async fn by_bucket(ada: &Api, file: bytes::Bytes) {
    let ticket = ada.ticket("large.pdf", file.len()).await;
    ada.put(&ticket, file).await.expect(200);
    ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
}

async fn directly(ada: &Api, file: bytes::Bytes) {
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.pdf\"\r\n\r\n";
    let parts = [head.into(), file, "\r\n--b--\r\n".into()];
    let length: usize = parts.iter().map(bytes::Bytes::len).sum();
    let key = uuid::Uuid::new_v4().to_string();
    let request = || {
        let chunks = futures_util::stream::iter(parts.clone().map(Ok::<_, std::io::Error>));
        let request = ada.request(Method::POST, "/pdf/analyze").header("idempotency-key", &key);
        let request =
            request.header("content-type", "multipart/form-data; boundary=b").header("content-length", length);
        request.body(reqwest::Body::wrap_stream(chunks))
    };
    let answer = persistently(|| send(request())).await.expect(200);
    assert_eq!(answer.json["data"]["file_size"], json!(LARGEST));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes 2 GB; .ci/run runs it"]
async fn twenty_staged_uploads_of_100_mb_at_once() {
    let peak = peak(20, true).await / MEGABYTE;
    println!("20 staged uploads of 100 MB at once: peak {peak} MB");
    assert!(peak < 300, "{peak} MB");
}

/// Bodies share a budget of 512 MB (those that find no room wait), and a form is read where its body lies.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "sends 800 MB; .ci/run runs it"]
async fn eight_direct_uploads_of_100_mb_at_once() {
    let peak = peak(8, false).await / MEGABYTE;
    println!("8 direct uploads of 100 MB at once: peak {peak} MB");
    assert!(peak < 640, "{peak} MB");
}

/// Two pieces of 4 MiB are in memory at a time. The bucket is in the same process, and an allocator keeps a freed piece for
/// the thread that asked for it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a processor for itself; .ci/run runs it"]
async fn signatures_of_a_staged_file_of_100_mb() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = service.account("ada").await;
    service.stop().await;
    let victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), None);
    let ada = ada.at(victim.origin.clone());
    // what a process needs at all is there after a small one
    ada.analyze("signed.pdf", signed(1_000)).await.expect(200);
    let upload = ada.stage("signed.pdf", signed(100_000_000)).await;
    let before = victim.resident_memory().unwrap();
    let answer = ada.analyze_staged(&upload).await.expect(200);
    let peak = victim.peak_memory().unwrap();
    assert_eq!(answer.json["data"]["metadata"]["integrity"]["signatures"][0]["status"], "intact");
    let more = peak.saturating_sub(before) as f64 / MEGABYTE as f64;
    println!("signatures of a staged file of 100 MB: {more:.1} MB more at their peak");
    assert!(more < 32.0, "{more} MB");
}

/// Registers and logs in again.
async fn come_and_come_again(origin: String, number: usize) {
    let email = format!("{number}@example.com");
    // what is refused for want of a turn may be sent again: nothing was registered
    let register = || async { Browser::at(origin.clone()).register("Ada", &email, PASSWORD).await };
    persistently(register).await.expect(303);
    persistently(|| async { Browser::at(origin.clone()).log_in(&email, PASSWORD).await }).await.expect(303);
}

/// A password's hash takes 19 MB, which must not stay behind with every thread that computed one.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "400 password hashes and 1,000 analyses; .ci/run runs it"]
async fn many_passwords_and_analyses_leave_little_behind() {
    const PASSWORDS: usize = 200;
    const ANALYSES: usize = 1_000;
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let ada = service.account_limited_to(ANALYSES as u64, "ada").await;
    service.stop().await;
    // the server itself: a victim remembers every call for its test
    let stores = ["--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];
    let data = ["--data", folder.path().to_str().unwrap()];
    let room = ["--registrations-per-hour", "1000", "--registrations-per-network", "1000"];
    let server = Serving::start(env!("CARGO_BIN_EXE_command"), &[data.as_slice(), &stores, &room].concat(), &[]);
    let ada = ada.at(server.origin.clone()).patient();
    let (began, _) = server.memory();
    let people = (0..PASSWORDS).map(|number| come_and_come_again(server.origin.clone(), number));
    futures_util::stream::iter(people).buffer_unordered(16).collect::<Vec<()>>().await;
    let (between, _) = server.memory();
    let file = pdf_of_size("A", 100 * 1024);
    let analyses = (0..ANALYSES).map(|_| async { _ = ada.analyze("a.pdf", file.clone()).await.expect(200) });
    futures_util::stream::iter(analyses).buffer_unordered(8).collect::<Vec<()>>().await;
    let (after, peak) = server.memory();
    let [began, between, after, peak] = [began, between, after, peak].map(|bytes| bytes / MEGABYTE);
    println!(
        "{began} MB at the start, {between} MB after the passwords, {after} MB after the analyses; at most {peak} MB"
    );
    assert!(after <= 120 && peak <= 200, "{after} MB, at most {peak} MB");
}
