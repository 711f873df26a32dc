//! GET /user.

use chrono::TimeDelta;
use samples::small::pdf;
use tests::clock::TestClock;
use tests::service::TestService;

#[tokio::test]
async fn shows_the_account_and_what_is_left_of_the_day() {
    let clock = TestClock::at("22:00:00");
    let midnight = clock.now() + TimeDelta::hours(2);
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    ada.analyze("a.pdf", pdf("A")).await.expect(200);

    let answer = ada.get("/user").await.expect(200);
    let reset = midnight.format("%Y-%m-%dT00:00:00Z");
    assert_eq!(
        answer.text,
        format!(
            "{{\"success\":true,\"data\":{{\"name\":\"ada\",\"email\":\"ada@example.com\",\"daily_limit\":50,\
             \"remaining_checks\":49,\"checks_used_today\":1,\"quota_resets_at\":\"{reset}\"}}}}"
        )
    );
    assert_eq!(answer.header("ratelimit-policy"), "\"daily\";q=50;w=86400");
    assert_eq!(answer.header("ratelimit"), "\"daily\";r=49;t=7200");
    assert_eq!(answer.header("x-ratelimit-limit"), "50");
    assert_eq!(answer.header("x-ratelimit-remaining"), "49");
    assert_eq!(answer.header("x-ratelimit-reset"), midnight.timestamp().to_string());
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(!answer.header("x-request-id").is_empty());
}

#[tokio::test]
async fn a_new_day_brings_a_new_quota() {
    let clock = TestClock::at("23:59:59");
    let service = TestService::start_at(&clock).await;
    let ada = service.account_limited_to(1, "ada").await;
    ada.analyze("a.pdf", pdf("A")).await.expect(200);
    let refused = ada.analyze("b.pdf", pdf("B")).await.expect(429);
    assert_eq!((refused.code(), refused.header("retry-after")), ("daily_limit_exceeded", "1"));

    clock.advance(1);
    assert_eq!(ada.used().await, 0);
    let answer = ada.analyze("b.pdf", pdf("B")).await.expect(200);
    assert_eq!(answer.json["remaining_checks"], 0);
    assert_eq!(answer.json["data"]["analyzed_at"], clock.now().format("%Y-%m-%dT00:00:00Z").to_string());
}
