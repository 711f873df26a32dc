//! More than one machine can do at once: hostile uploads by the hundred, while others are served.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::hostile::named;
use tests::api::{Api, send};
use tests::service::TestService;
use tests::victim::Victim;

const MEGABYTE: u64 = 1_048_576;
const AT_ONCE: usize = 200;

/// Small files that take much: 48 MB of memory, a tenth of a second, a scan.
const FILES: [&str; 4] = [
    "a stream of 250 MiB of zeros",
    "LZW of 100 MiB",
    "20,000 entries at one array",
    "an object stream of one huge array",
];

/// Sends a hostile file, some of them so slowly that it is never complete; gives the status.
async fn upload(ada: Api, file: Bytes, slowly: bool) -> Option<u16> {
    if !slowly {
        return Some(send(ada.analyze_request("a.pdf", file.to_vec())).await.status);
    }
    let chunks = futures_util::stream::unfold(0, |sent| async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b"--b\r\n")), sent + 1))
    });
    let request = ada.request(Method::POST, "/pdf/analyze").header("content-type", "multipart/form-data; boundary=b");
    let request = request.body(reqwest::Body::wrap_stream(chunks)).send();
    // the client gives up, as they do
    tokio::time::timeout(Duration::from_secs(5), request).await.ok()?.ok().map(|answer| answer.status().as_u16())
}

/// How long each `GET /user` took until `done`.
async fn watch(bob: Api, done: Arc<AtomicBool>) -> Vec<Duration> {
    let mut times = Vec::new();
    while !done.load(Ordering::SeqCst) {
        let began = Instant::now();
        bob.get("/user").await.expect(200);
        times.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    times.sort();
    times
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes a minute and both cores; .ci/run runs it"]
async fn two_hundred_hostile_uploads_keep_nobody_else_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let (ada, bob) = (service.account_limited_to(100_000, "ada").await, service.account("bob").await);
    service.stop().await;
    let victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), None);
    let (ada, bob) = (ada.at(victim.origin.clone()), bob.at(victim.origin.clone()));
    let files: Vec<Bytes> = FILES.iter().map(|name| named(name).make().into()).collect();
    let mut resident = Vec::new();
    for round in 0..4 {
        let done = Arc::new(AtomicBool::new(false));
        let watching = tokio::spawn(watch(bob.clone(), Arc::clone(&done)));
        let uploads: Vec<_> = (0..AT_ONCE)
            .map(|index| tokio::spawn(upload(ada.clone(), files[index % files.len()].clone(), index % 4 == 3)))
            .collect();
        let mut statuses = std::collections::BTreeMap::new();
        for upload in uploads {
            *statuses.entry(upload.await.unwrap()).or_insert(0) += 1;
        }
        done.store(true, Ordering::SeqCst);
        let times = watching.await.unwrap();
        let (middle, longest) = (times[times.len() / 2], times[times.len() - 1]);
        resident.push(victim.resident_memory().unwrap() / MEGABYTE);
        println!(
            "round {round}: {statuses:?}; GET /user {} times, half within {} ms, all within {} ms; {} MB",
            times.len(),
            middle.as_millis(),
            longest.as_millis(),
            resident[round]
        );
        assert!(statuses.keys().all(|status| [None, Some(200), Some(422), Some(503)].contains(status)), "{statuses:?}");
        assert!(times.len() > 10 && middle < Duration::from_secs(1) && longest < Duration::from_secs(10));
    }
    let peak = victim.peak_memory().unwrap() / MEGABYTE;
    println!("peak {peak} MB; after each round {resident:?} MB");
    // eight analyses of 48 MB, the bodies, the process; and once every thread has had its share of
    // the work (the first round), and keeps what it freed, what stays does not become more
    assert!(peak < 800, "{peak} MB");
    assert!(resident[3] < resident[1] + 100, "{resident:?}");
}

/// A comparison of a file with itself that takes long: 60,000 updates of one object.
fn slow_pair() -> Form {
    let file = named("60,000 updates of one object").make();
    let part = || Part::bytes(file.clone()).file_name("a.pdf");
    Form::new().part("before", part()).part("after", part())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures; .ci/run runs it"]
async fn another_accounts_upload_waits_for_none_of_twenty_four_hostile_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    let service = TestService::start_in(folder.path()).await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    service.stop().await;
    let victim = Victim::start(env!("CARGO_BIN_EXE_victim"), folder.path(), None);
    let (ada, bob) = (ada.at(victim.origin.clone()), bob.at(victim.origin.clone()));
    let hostile: Vec<_> = (0..24)
        .map(|_| {
            let request = ada.request(Method::POST, "/pdf/compare").multipart(slow_pair());
            tokio::spawn(async move { send(request).await.status })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (mut times, mut beside) = (Vec::new(), 0);
    while times.len() < 15 {
        let began = Instant::now();
        bob.analyze("small.pdf", samples::small::pdf("A")).await.expect(200);
        times.push(began.elapsed());
        beside += usize::from(hostile.iter().any(|one| !one.is_finished()));
    }
    let mut statuses = std::collections::BTreeMap::new();
    for one in hostile {
        *statuses.entry(one.await.unwrap()).or_insert(0) += 1;
    }
    times.sort();
    let (middle, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{beside} uploads beside {statuses:?}: half within {} ms, all within {} ms",
        middle.as_millis(),
        longest.as_millis()
    );
    assert!(beside >= 10, "the comparisons are over too soon to say anything: {beside}");
    assert!(middle <= Duration::from_secs(1), "{times:?}");
}
