//! Sessions: their cookie, their end, and what else is no key to the console or the API.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tests::api::send;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::events::{all, invoke};
use tests::invariants::Snapshot;
use tests::service::TestService;

/// Pages that only an account's owner sees.
const OWN: [&str; 7] = [
    "/dashboard",
    "/tokens",
    "/account",
    "/logout",
    "/analyses/00000000-0001-8614-bd98-f44607e6fa02",
    "/analyses/00000000-0001-8614-bd98-f44607e6fa02/json",
    "/analyses/x",
];

#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
    let service = TestService::start().await;
    let answer = Browser::new(&service).register("Ada", "ada@example.com", PASSWORD).await.expect(303);
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("session="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"), "{cookie}");

    // the event comes over HTTPS
    let mut event = all("")["web-login"].clone();
    event["body"] = json!(format!("email=ada@example.com&password={PASSWORD}"));
    event["isBase64Encoded"] = json!(false);
    let answer = invoke(&service, &event).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-session="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    let value = cookie.split_once('=').unwrap().1.split(';').next().unwrap();
    let mut event = all("")["web-dashboard"].clone();
    event["cookies"] = json!([format!("session={value}")]);
    assert_eq!(invoke(&service, &event).await.status(), 303, "over HTTPS only the protected name counts");
    event["cookies"] = json!(["other=1", format!("__Host-session={value}")]);
    assert_eq!(invoke(&service, &event).await.status(), 200);
}

#[tokio::test]
async fn without_a_session_there_is_the_log_in_page() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut browser = Browser::new(&service);
    let good = Browser::registered(&service, "bob").await.cookie.unwrap();
    let mut changed = good.clone();
    let last = if changed.pop() == Some('x') { 'y' } else { 'x' };
    changed.push(last);
    for cookie in
        ["", "session=", "session=x", "session=\u{1}", changed.as_str(), good.replace("session=", "s=").as_str()]
    {
        browser.cookie = (!cookie.is_empty() && !cookie.contains('\u{1}')).then(|| cookie.to_owned());
        for path in OWN {
            let answer = browser.get(path).await.expect(303);
            assert!(answer.header("location").starts_with("/login"), "{path}");
            // a bearer token is no session
            let answer = send(browser.request(Method::GET, path).bearer_auth(ada.token())).await.expect(303);
            assert!(answer.header("location").starts_with("/login"), "{path}");
        }
    }
}

#[tokio::test]
async fn the_api_takes_no_notice_of_cookies() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    for path in ["/api/v1/user", "/api/v1/pdf", "/api/v1/tokens", "/api/v1/nowhere"] {
        browser.get(path).await.expect(401);
    }
}

#[tokio::test]
async fn logging_out_ends_the_session_on_the_server() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let mut other = Browser::new(&service);
    other.log_in("ada@example.com", PASSWORD).await.expect(303);
    let kept = browser.clone();
    let answer = browser.post("/logout", &[]).await.expect(303);
    assert_eq!(answer.header("location"), "/");
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    for path in OWN {
        assert!(kept.get(path).await.expect(303).header("location").starts_with("/login"));
    }
    other.get("/dashboard").await.expect(200);
    let snapshot = Snapshot::of(&service).await;
    assert!(!snapshot.text().contains(&kept.cookie.unwrap()[60..]));
    snapshot.check();
}

#[tokio::test]
async fn a_session_ends_after_twelve_hours() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let browser = Browser::registered(&service, "ada").await;
    clock.advance(12 * 3600 - 1);
    browser.get("/dashboard").await.expect(200);
    clock.advance(1);
    browser.get("/dashboard").await.expect(303);
}

/// Whoever knows the password can log in as often as they like; what that leaves is bounded, and costs a log-in no time.
#[tokio::test]
async fn the_newest_twenty_sessions_of_an_account_stay() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let mut browsers = vec![Browser::registered(&service, "ada").await];
    // calls that are sent together overlap
    service.wire.set_latency(Duration::from_millis(10));
    let _ = service.journal.take();
    for _ in 1..23 {
        clock.advance(1);
        let mut browser = Browser::new(&service);
        browser.log_in("ada@example.com", PASSWORD).await.expect(303);
        browsers.push(browser);
    }
    let mut rounds: Vec<_> = service.journal.take().iter().map(|entry| entry.storage_rounds).collect();
    rounds.dedup();
    assert_eq!(rounds, [5], "two of the attempt, the account, what the right password takes back, the session");
    service.wire.set_latency(Duration::ZERO);
    let mut statuses = Vec::new();
    for browser in &browsers {
        statuses.push(browser.get("/dashboard").await.status);
    }
    assert_eq!(statuses, [vec![303; 3], vec![200; 20]].concat());
}

#[tokio::test]
async fn logging_in_anew_gives_a_new_session_and_ends_the_old() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let old = browser.clone();
    browser.log_in("ada@example.com", PASSWORD).await.expect(303);
    assert_ne!(browser.cookie, old.cookie);
    browser.get("/dashboard").await.expect(200);
    old.get("/dashboard").await.expect(303);
}

#[tokio::test]
async fn a_page_costs_one_round_trip_for_the_session() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    for (path, operations) in [
        ("/account", vec!["BatchGetItem"]),
        ("/analyses/00000000-0001-8614-bd98-f44607e6fa02", vec!["BatchGetItem"]),
        ("/tokens", vec!["BatchGetItem", "Query"]),
    ] {
        let _ = service.wire.take();
        browser.get(path).await;
        assert_eq!(service.wire.take().operations, operations, "{path}");
    }
    let _ = service.wire.take();
    Browser::new(&service).get("/").await.expect(200);
    assert!(service.wire.take().operations.is_empty());
}
