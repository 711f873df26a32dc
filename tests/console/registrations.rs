//! How many accounts may be opened, and by whom.

use std::sync::Arc;

use serde_json::json;
use server::Options;
use shared::registration::Policy;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::events::{all, invoke};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tokio::sync::Semaphore;

/// With the limits that the template sets, at a minute past an hour.
async fn service(clock: &TestClock) -> TestService {
    TestService::start_with(Options { clock: clock.clock(), ..Options::default() }).await
}

/// The answer of `/register` to a client at `address`: status and `Retry-After`.
async fn register_from(service: &TestService, address: &str, email: &str) -> (u16, String) {
    let mut event = all("")["web-register"].clone();
    event["requestContext"]["http"]["sourceIp"] = json!(address);
    event["body"] = json!(format!("name=Ada&email={email}&password=correct+horse"));
    event["isBase64Encoded"] = json!(false);
    let answer = invoke(service, &event).await;
    let retry_after = answer.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
    (answer.status().as_u16(), retry_after.unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_registrations_from_one_address_make_five_accounts_and_five_hashes() {
    let service = service(&TestClock::at("10:01:00")).await;
    let turns = Arc::new(Semaphore::new(20));
    let browser = Browser::new(&service);
    let tries = (0..1000).map(|index| {
        let (mut browser, turns) = (browser.clone(), Arc::clone(&turns));
        tokio::spawn(async move {
            let _turn = turns.acquire().await.unwrap();
            browser.register("Eve", &format!("eve{index}@example.com"), PASSWORD).await
        })
    });
    let mut made = 0;
    for attempt in tries.collect::<Vec<_>>() {
        let answer = attempt.await.unwrap();
        match answer.status {
            303 => made += 1,
            _ => {
                assert!(answer.clone().expect(429).text.contains("Too many accounts"), "{}", answer.text);
                assert_eq!(answer.header("retry-after"), "3540");
            }
        }
    }
    let hashes: u32 = service.journal.take().iter().map(|entry| entry.password_hashes).sum();
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!((made, snapshot.users(), hashes), (5, 5, 5));
    assert_eq!(snapshot.text().matches("counted").count(), 3, "no row for whoever is refused");
}

#[tokio::test]
async fn a_network_has_five_an_hour_and_twenty_a_day() {
    let clock = TestClock::at("00:01:00");
    let service = service(&clock).await;
    for hour in 0..4 {
        for index in 0..5 {
            // an IPv6 network is a /64
            let address = format!("2001:db8:0:1::{index}");
            assert_eq!(register_from(&service, &address, &format!("a{hour}.{index}@example.com")).await.0, 303);
        }
        let refused = register_from(&service, "2001:db8:0:1:ffff::", "more@example.com").await;
        assert_eq!(refused, (429, "3540".to_owned()), "in hour {hour}");
        clock.advance(3600);
    }
    let refused = register_from(&service, "2001:db8:0:1::", "more@example.com").await;
    assert_eq!(refused, (429, (20 * 3600 - 60).to_string()));
    assert_eq!(register_from(&service, "2001:db8:0:2::", "b@example.com").await.0, 303);
    clock.advance(20 * 3600);
    assert_eq!(register_from(&service, "2001:db8:0:1::", "more@example.com").await.0, 303);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_flood_from_everywhere_ends_at_the_service_s_limit() {
    let clock = TestClock::at("10:59:00");
    let options = Options { clock: clock.clock(), registrations_per_hour: Some(7), ..Options::default() };
    let service = TestService::start_with(options).await;
    let mut answers = Vec::new();
    for index in 0..9 {
        let (address, email) = (format!("203.0.113.{index}"), format!("a{index}@example.com"));
        answers.push(register_from(&service, &address, &email).await);
    }
    let (made, refused) = answers.split_at(7);
    assert!(made.iter().all(|(status, _)| *status == 303), "{made:?}");
    assert!(refused.iter().all(|refused| *refused == (429, "60".to_owned())), "{refused:?}");
    clock.advance(60);
    assert_eq!(register_from(&service, "203.0.113.9", "more@example.com").await.0, 303);
}

#[tokio::test]
async fn only_what_would_be_done_is_counted_and_a_taken_address_is() {
    let service = service(&TestClock::at("10:01:00")).await;
    let mut browser = Browser::new(&service);
    for _ in 0..10 {
        browser.register("Ada", "no address", PASSWORD).await.expect(422);
    }
    browser.register("Ada", "ada@example.com", PASSWORD).await.expect(303);
    browser.cookie = None;
    for _ in 0..4 {
        let taken = browser.register("Eve", "ada@example.com", PASSWORD).await.expect(422);
        assert!(taken.text.contains("registered already"));
    }
    browser.register("Eve", "ada@example.com", PASSWORD).await.expect(429);
    // the limit is of new accounts: everything else goes on
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn where_registration_is_closed_the_console_says_so() {
    let options = Options { registration: Some(Policy::Closed), ..Options::default() };
    let service = TestService::start_with(options).await;
    let mut browser = Browser::new(&service);
    let page = browser.get("/register").await.expect(200).text;
    assert!(page.contains("the operator opens accounts") && !page.contains("<form"), "{page}");
    let refused = browser.register("Ada", "ada@example.com", PASSWORD).await.expect(403);
    assert!(refused.text.contains("the operator opens accounts"), "{}", refused.text);
    assert!(!browser.get("/").await.expect(200).text.contains("Create a free account"));
    assert!(Snapshot::of(&service).await.is_empty());
}

#[tokio::test]
async fn a_refusal_costs_one_read() {
    let service = service(&TestClock::at("10:01:00")).await;
    let mut browser = Browser::new(&service);
    for index in 0..5 {
        browser.register("Eve", &format!("eve{index}@example.com"), PASSWORD).await.expect(303);
        browser.cookie = None;
    }
    let _ = service.wire.take();
    browser.register("Eve", "more@example.com", PASSWORD).await.expect(429);
    assert_eq!(service.wire.take().operations, ["BatchGetItem"]);
}
