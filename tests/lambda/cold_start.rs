//! The cost of the binaries before and between requests, compared with an empty function. Times are printed, not
//! asserted: machines differ.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chrono::Utc;
use serde_json::json;
use server::events::EventDraft;
use tests::events;
use tests::lambda::{Bootstrap, binary};
use tests::service::TestService;

/// Starts of each binary, taken in turns.
const STARTS: usize = 21;
/// Rounds of warm requests, after one that is not counted, and requests of each kind in a round.
const ROUNDS: usize = 5;
const REQUESTS: u32 = 100;

#[derive(Default)]
struct Measured {
    to_poll: Vec<Duration>,
    processor: Vec<Duration>,
    to_answer: Vec<Duration>,
    memory_kib: u64,
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// The resident memory of a process at its highest, KiB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs release binaries; runs every night"]
async fn cold_starts_beside_a_function_that_does_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut measured: BTreeMap<&str, Measured> = BTreeMap::new();
    for _ in 0..STARTS {
        let started = Instant::now();
        let hello = Bootstrap::start(&binary("hello"), &BTreeMap::new()).await;
        let event = events::all("").remove("user-show").unwrap().to_string();
        hello.invoke(&event).await.unwrap();
        note(measured.entry("hello").or_default(), &hello, started);
        for (function, name, event) in [
            ("UserFunction", "user", "user-show"),
            ("PdfFunction", "pdf", "pdf-list"),
            ("TokensFunction", "tokens", "tokens-list"),
            ("WebFunction", "web", "web-health"),
            ("McpFunction", "mcp", "mcp-message"),
        ] {
            let event = events::all(&ada.token()).remove(event).unwrap().to_string();
            let started = Instant::now();
            let bootstrap = Bootstrap::of(&service, function).await;
            assert_eq!(bootstrap.invoke(&event).await.unwrap()["statusCode"], 200, "{name}");
            note(measured.entry(name).or_default(), &bootstrap, started);
        }
        let started = Instant::now();
        let batch = Bootstrap::start(&binary("batch"), &batch_environment(&service)).await;
        let plan = json!({ "task": "plan", "run": "first", "cursor": null }).to_string();
        assert_eq!(batch.invoke(&plan).await.unwrap()["listed"], 0);
        note(measured.entry("batch").or_default(), &batch, started);
    }
    let hello = measured.get_mut("hello").unwrap();
    let hello = (median(&mut hello.to_poll), median(&mut hello.processor));
    println!("binary   size MB  first poll ms  x hello  processor ms  x hello  first answer ms  memory MB");
    for (name, times) in &mut measured {
        let (size, memory) =
            (std::fs::metadata(binary(name)).unwrap().len() as f64 / 1e6, times.memory_kib as f64 / 1024.0);
        let (poll, processor) = (median(&mut times.to_poll), median(&mut times.processor));
        let answer = median(&mut times.to_answer);
        let (of_poll, of_processor) = (poll / hello.0, processor / hello.1);
        println!(
            "{name:8} {size:7.2} {poll:14.2} {of_poll:8.2} {processor:13.2} {of_processor:8.2} {answer:16.2} {memory:10.1}"
        );
        assert!(times.memory_kib > 0 && memory < 64.0, "{name} takes {memory} MiB");
        assert!(size < 30.0, "{name} has {size} MB");
    }
}

/// The environment of the batch stack's functions, on the bucket of `service`.
fn batch_environment(service: &TestService) -> BTreeMap<String, String> {
    let service = service.service();
    let bucket = &service.template().bucket.name;
    let values = [
        ("SOURCE_BUCKET", bucket.as_str()),
        ("SOURCE_PREFIX", "claims/"),
        ("OUTPUT_BUCKET", bucket),
        ("OUTPUT_PREFIX", "pdf-analysis/"),
        ("ANY_NAME", "false"),
        ("TAG_OBJECTS", "false"),
        ("AWS_ENDPOINT_URL_S3", &service.embedded().unwrap().s3_endpoint()),
    ];
    values.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

fn note(measured: &mut Measured, bootstrap: &Bootstrap, started: Instant) {
    measured.to_answer.push(started.elapsed());
    measured.to_poll.push(bootstrap.cold_start);
    measured.processor.push(bootstrap.cold_processor);
    measured.memory_kib = measured.memory_kib.max(memory(bootstrap.process()));
}

/// Processor time of warm requests, in turns with the function that does nothing.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs release binaries; runs every night"]
async fn warm_requests_beside_a_function_that_does_nothing() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(100_000, "ada").await;
    let events = events::all(&ada.token());
    let hello = Bootstrap::start(&binary("hello"), &BTreeMap::new()).await;
    let mut contenders = vec![("hello", hello, events["user-show"].to_string())];
    for (function, event) in [
        ("UserFunction", "user-show"),
        ("PdfFunction", "pdf-list"),
        ("PdfFunction", "pdf-analyze"),
        ("TokensFunction", "tokens-list"),
    ] {
        contenders.push((event, Bootstrap::of(&service, function).await, events[event].to_string()));
    }
    let mut taken: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for round in 0..=ROUNDS {
        for (name, bootstrap, event) in &contenders {
            let before = bootstrap.processor_time();
            for _ in 0..REQUESTS {
                assert_eq!(bootstrap.invoke(event).await.unwrap()["statusCode"], 200, "{name}");
            }
            if round > 0 {
                taken.entry(name).or_default().push((bootstrap.processor_time() - before) / REQUESTS);
            }
        }
    }
    let hello = median(taken.get_mut("hello").unwrap());
    println!("request      processor ms  x hello");
    for (name, times) in &mut taken {
        let processor = median(times);
        println!("{name:12} {processor:12.3} {:8.2}", processor / hello);
        assert!(processor > 0.0, "{name} took no time");
    }
}

/// Sends one binary many requests of one kind, for counting instructions: `FUNCTION`, `EVENT`, `FILE`
/// (a PDF to analyze) and `REQUESTS` say which and how many. The difference of two runs is what
/// requests cost.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs release binaries; runs every night"]
async fn warm_requests() {
    let variable = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let service = TestService::start().await;
    let ada = service.account_limited_to(100_000, "ada").await;
    let mut event = EventDraft::new(&variable("EVENT", "user-show"), Utc::now()).unwrap();
    event.authorize(&ada.token()).unwrap();
    if let Some(file) = std::env::var_os("FILE") {
        event.attach("file.pdf", &std::fs::read(file).unwrap()).unwrap();
    }
    let event = event.finish().to_string();
    let bootstrap = match variable("FUNCTION", "UserFunction").as_str() {
        "hello" => Bootstrap::start(&binary("hello"), &BTreeMap::new()).await,
        function => Bootstrap::of(&service, function).await,
    };
    for _ in 0..variable("REQUESTS", "50").parse().unwrap() {
        assert_eq!(bootstrap.invoke(&event).await.unwrap()["statusCode"], 200);
    }
}
