//! `/login` and its limits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use shared::deadline::Deadline;
use shared::secret::PasswordHash;
use shared::store::accounts::{Address, NewAccount};
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::events::{all, invoke};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;
use tokio::time::Instant;

/// A minute into a quarter of an hour, in which log-ins are counted.
fn clock() -> TestClock {
    TestClock::at("10:01:00")
}

#[tokio::test]
async fn only_the_right_password_opens_in_any_spelling_of_the_address() {
    let service = TestService::start().await;
    Browser::registered(&service, "ada").await;
    let mut browser = Browser::new(&service);
    for (email, password) in [
        ("ada@example.com", "correct horse batterx"),
        ("ada@example.com", "CORRECT HORSE BATTERY"),
        ("bob@example.com", PASSWORD),
        ("ada@example.com ADA", PASSWORD),
    ] {
        let page = browser.log_in(email, password).await.expect(422);
        assert!(page.text.contains("Wrong e-mail or password"), "{}", page.text);
        assert!(page.text.contains(&format!("value=\"{email}\"")) && !page.text.contains(password));
        assert!(browser.cookie.is_none());
    }
    let empty = browser.log_in("", "").await.expect(422);
    assert!(empty.text.contains("E-mail is required") && empty.text.contains("Password is required"));
    assert_eq!(browser.log_in(" ADA@example.com ", PASSWORD).await.expect(303).header("location"), "/dashboard");
    browser.get("/dashboard").await.expect(200);
}

#[tokio::test]
async fn known_and_unknown_addresses_answer_alike() {
    let service = TestService::start().await;
    Browser::registered(&service, "ada").await;
    service.account("tokenonly").await;
    let mut browser = Browser::new(&service);
    let emails = ["ada@example.com", "bob@example.com", "tokenonly@example.com"];
    let mut fastest = [Duration::MAX; 3];
    let mut pages = Vec::new();
    let mut traffic = Vec::new();
    let are_alike = |fastest: &[Duration; 3]| {
        let (least, most) = (fastest.iter().min().unwrap(), fastest.iter().max().unwrap());
        *most < *least * 3
    };
    // a busy machine delays some of them, but none is ever faster than its password hash; ten failures are the limit
    for round in 0..9 {
        if round >= 4 && are_alike(&fastest) {
            break;
        }
        for (index, email) in emails.into_iter().enumerate() {
            let _ = service.wire.take();
            let start = Instant::now();
            let page = browser.log_in(email, "wrong password").await.expect(422);
            fastest[index] = fastest[index].min(start.elapsed());
            pages.push(page.text.replace(email, "-"));
            traffic.push(service.wire.take().operations);
        }
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
    traffic.dedup();
    assert_eq!(traffic.len(), 1, "{traffic:?}");
    assert!(are_alike(&fastest), "{fastest:?}");
}

#[tokio::test]
async fn ten_failures_of_an_account_from_an_address_are_enough() {
    let clock = clock();
    let service = TestService::start_at(&clock).await;
    Browser::registered(&service, "ada").await;
    Browser::registered(&service, "bob").await;
    let mut browser = Browser::new(&service);
    for _ in 0..10 {
        browser.log_in("ada@example.com", "wrong password").await.expect(422);
    }
    // also with the right password, and however the address is written
    for email in ["ada@example.com", "ADA@example.com"] {
        let refused = browser.log_in(email, PASSWORD).await.expect(429);
        assert_eq!(refused.header("retry-after"), "840");
        assert!(refused.header("content-type").starts_with("text/html"));
    }
    browser.log_in("bob@example.com", PASSWORD).await.expect(303);
    clock.advance(840);
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn fifty_failures_from_an_address_are_enough_and_right_ones_do_not_count() {
    let service = TestService::start_at(&clock()).await;
    Browser::registered(&service, "ada").await;
    for _ in 0..12 {
        Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(303);
    }
    let tries = (0..60).map(|index| {
        let mut browser = Browser::new(&service);
        tokio::spawn(async move { browser.log_in(&format!("u{index}@example.com"), "wrong password").await.status })
    });
    let (mut wrong, mut refused) = (0, 0);
    for attempt in tries.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            422 => wrong += 1,
            429 => refused += 1,
            status => panic!("{status}"),
        }
    }
    assert_eq!((wrong, refused), (50, 10));
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(429);
}

/// Everybody behind one address shares its counter: log-ins meet there.
#[tokio::test]
async fn right_ones_do_not_count_either_where_log_ins_meet() {
    for fault in [Fault::Conflict, Fault::InProgress] {
        let service = TestService::start_at(&clock()).await;
        Browser::registered(&service, "ada").await;
        for _ in 0..12 {
            // an attempt is counted in three places, then taken back there
            let (meets, counts) = (fault.clone(), AtomicU64::new(0));
            service.wire.plan(move |call| match (call.operation.as_str(), call.parts) {
                ("TransactWriteItems", 3) if counts.fetch_add(1, Ordering::SeqCst) == 1 => meets.clone(),
                _ => Fault::None,
            });
            Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(303);
        }
    }
}

#[tokio::test]
async fn a_hundred_failures_of_an_account_from_anywhere_are_enough() {
    let service = TestService::start_at(&clock()).await;
    Browser::registered(&service, "ada").await;
    let event = all("")["web-login"].clone();
    let body = "email=ada%40example.com&password=wrong+horse";
    let from = async |address: String, body: &str| {
        let mut event = event.clone();
        event["requestContext"]["http"]["sourceIp"] = json!(address);
        event["body"] = json!(body);
        event["isBase64Encoded"] = json!(false);
        invoke(&service, &event).await.status().as_u16()
    };
    for index in 0..100 {
        assert_eq!(from(format!("203.0.113.{}", index / 9), body).await, 422, "{index}");
    }
    assert_eq!(from("198.51.100.1".to_owned(), body).await, 429);
    // one IPv6 network counts as one address
    let other = "email=bob%40example.com&password=wrong+horse";
    for index in 0..10 {
        assert_eq!(from(format!("2001:db8:0:1::{index}"), other).await, 422);
    }
    assert_eq!(from("2001:db8:0:1:ffff::".to_owned(), other).await, 429);
    assert_eq!(from("2001:db8:0:2::".to_owned(), other).await, 422);
}

/// One customer with many IPv6 networks does not use up an account's limit for all.
#[tokio::test]
async fn one_ipv6_site_shuts_nobody_out() {
    let service = TestService::start_at(&clock()).await;
    let mut ada = Browser::registered(&service, "ada").await;
    let mut event = all("")["web-login"].clone();
    event["body"] = json!("email=ada%40example.com&password=wrong+horse");
    event["isBase64Encoded"] = json!(false);
    let mut tried = [0, 0];
    for network in 0..20 {
        for address in 0..10 {
            event["requestContext"]["http"]["sourceIp"] = json!(format!("2001:db8:0:{:x}::{address}", network * 64));
            let status = invoke(&service, &event).await.status().as_u16();
            tried[usize::from(status == 429)] += 1;
            assert!(matches!(status, 422 | 429), "{status}");
        }
    }
    assert_eq!(tried, [40, 160]);
    ada.cookie = None;
    ada.log_in("ada@example.com", PASSWORD).await.expect(303);
}

/// Whoever guesses at the door does not keep the owner from changing the password, nor from deleting the account.
#[tokio::test]
async fn guesses_at_the_door_do_not_count_within_a_session() {
    let service = TestService::start_at(&clock()).await;
    let mut ada = Browser::registered(&service, "ada").await;
    let mut event = all("")["web-login"].clone();
    event["body"] = json!("email=ada%40example.com&password=wrong+horse");
    event["isBase64Encoded"] = json!(false);
    for index in 0..101 {
        event["requestContext"]["http"]["sourceIp"] = json!(format!("203.0.113.{}", index / 9));
        let status = invoke(&service, &event).await.status().as_u16();
        assert_eq!(status, if index < 100 { 422 } else { 429 });
    }
    let change = [("current_password", PASSWORD), ("password", "staple of batteries")];
    ada.post("/account/password", &change).await.expect(303);
    ada.post("/account/delete", &[("confirm_password", "staple of batteries")]).await.expect(200);
}

#[tokio::test]
async fn a_hash_of_other_parameters_is_made_anew_at_the_log_in_and_the_session_goes_on() {
    // `argon2 saltsaltsaltsalt -id -t 1 -k 4096 -p 1 -e`, of the password of all browsers
    const WEAK: &str =
        "$argon2id$v=19$m=4096,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$5wT5iOXqh4YrDU4uUgeNofh2FYGzW+jZFyMIXyKI6rg";
    let service = TestService::start().await;
    let hash = PasswordHash::new(WEAK);
    let new = NewAccount {
        name: "Ada",
        email: "ada@example.com",
        password_hash: Some(&hash),
        daily_limit: 50,
        address: Address::Known,
    };
    let created = service.store().create_account(&new, chrono::Utc::now(), Deadline::unhurried()).await;
    created.unwrap().unwrap();
    let mut browser = Browser::new(&service);
    browser.log_in("ada@example.com", "wrong password").await.expect(422);
    assert!(Snapshot::of(&service).await.text().contains("m=4096,t=1,p=1"));
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    let text = Snapshot::of(&service).await.text();
    assert!(text.contains("$argon2id$v=19$m=19456,t=2,p=1$") && !text.contains("m=4096"), "{text}");
    browser.get("/dashboard").await.expect(200);
    let _ = service.journal.take();
    let mut again = Browser::new(&service);
    again.log_in("ada@example.com", PASSWORD).await.expect(303);
    let hashes: u32 = service.journal.take().iter().map(|entry| entry.password_hashes).sum();
    assert_eq!(hashes, 1, "a hash of the right parameters stays");
    browser.get("/dashboard").await.expect(200);
}

#[tokio::test]
async fn a_link_to_a_report_leads_there_after_the_log_in() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let report = ada.upload("offer.pdf", samples::small::pdf("Offer")).await.expect(303).header("location").to_owned();
    for page in [report.as_str(), "/dashboard?page=1&search=offer", "/tokens"] {
        let mut visitor = Browser::new(&service);
        let login = visitor.get(page).await.expect(303).header("location").to_owned();
        let form = visitor.get(&login).await.expect(200).text;
        let escaped = page.replace('&', "&amp;");
        assert!(form.contains("Log in to read this page.") && form.contains(&format!("value=\"{escaped}\"")), "{form}");
        assert_eq!(ada.get(&login).await.expect(303).header("location"), page, "who is logged in already");
        let fields = [("email", "ada@example.com"), ("password", "wrong password"), ("next", page)];
        assert!(visitor.post("/login", &fields).await.expect(422).text.contains(&format!("value=\"{escaped}\"")));
        let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("next", page)];
        assert_eq!(visitor.post("/login", &fields).await.expect(303).header("location"), page);
        visitor.get(page).await.expect(200);
    }
    for other in ["https://evil.example/", "//evil.example", "/s/x", "/logout", "/dashboard/../docs"] {
        let form = Browser::new(&service).get(&format!("/login?next={other}")).await.expect(200).text;
        assert!(!form.contains("Log in to read this page.") && !form.contains(other), "{form}");
        let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("next", other)];
        let answer = Browser::new(&service).post("/login", &fields).await.expect(303);
        assert_eq!(answer.header("location"), "/dashboard", "{other}");
    }
}
