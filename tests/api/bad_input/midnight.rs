//! Midnight UTC in the middle of a request: the one reading of the clock decides.

use chrono::{Datelike, Month};
use samples::small::pdf;
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

#[tokio::test]
async fn a_request_belongs_to_the_day_on_which_it_came() {
    let clock = TestClock::at_next(31, Month::December, "23:59:58");
    let (old, new) = (clock.now().year(), clock.now().year() + 1);
    a_day_begins(&clock, [format!("{old}-12-31"), format!("{new}-01-01"), format!("{new}-01-02")]).await;
}

#[tokio::test]
async fn the_day_that_some_years_have_is_one() {
    let clock = TestClock::at_next(29, Month::February, "23:59:58");
    let year = clock.now().year();
    a_day_begins(&clock, ["02-29", "03-01", "03-02"].map(|day| format!("{year}-{day}"))).await;
}

/// Of three days, the second begins while an analysis is at work that came on the first.
async fn a_day_begins(clock: &TestClock, [old, new, next]: [String; 3]) {
    let service = TestService::start_at(clock).await;
    let ada = service.account_limited_to(2, "ada").await;
    ada.analyze("first.pdf", pdf("A")).await.expect(200);

    let moving = clock.clone();
    service.wire.plan(move |call| {
        if call.operation == "TransactWriteItems" {
            moving.advance(5);
        }
        Fault::None
    });
    let last = ada.analyze("last.pdf", pdf("B")).await.expect(200);
    service.wire.heal();
    assert_eq!(last.json["data"]["analyzed_at"], format!("{old}T23:59:58Z"));
    assert_eq!(last.json["remaining_checks"], 0);

    let user = ada.get("/user").await.expect(200);
    assert_eq!(user.json["data"]["remaining_checks"], 2, "a new day");
    assert_eq!(user.json["data"]["quota_resets_at"], format!("{next}T00:00:00Z"));
    let first = ada.analyze("new.pdf", pdf("C")).await.expect(200);
    assert_eq!(first.json["data"]["analyzed_at"], format!("{new}T00:00:03Z"));
    assert_eq!(first.json["remaining_checks"], 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_failure_counts_for_the_day_on_which_it_came() {
    let clock = TestClock::at("23:59:59");
    let day = clock.now().date_naive();
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let moving = clock.clone();
    service.wire.plan(move |call| {
        if call.operation == "UpdateItem" {
            moving.advance(5);
        }
        Fault::None
    });
    ada.analyze("bad.pdf", b"no PDF".to_vec()).await.expect(422);
    let snapshot = Snapshot::of(&service).await;
    let days: Vec<_> = snapshot.rows(&ada.user().to_string(), "DAY#").map(|day| format!("{:?}", day["sk"])).collect();
    assert_eq!(days, [format!("S(\"DAY#{day}\")")]);
}
