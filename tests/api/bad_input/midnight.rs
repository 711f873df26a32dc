//! Midnight UTC in the middle of a request: the one reading of the clock decides.

use chrono::{TimeZone, Utc};
use samples::small::pdf;
use tests::invariants::Snapshot;
use tests::service::{TestClock, TestService};
use tests::wire::Fault;

#[tokio::test]
async fn a_request_belongs_to_the_day_on_which_it_came() {
    let clock = TestClock::at(Utc.with_ymd_and_hms(2026, 12, 31, 23, 59, 58).unwrap());
    let service = TestService::start_at(&clock).await;
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
    assert_eq!(last.json["data"]["analyzed_at"], "2026-12-31T23:59:58Z");
    assert_eq!(last.json["remaining_checks"], 0);

    let user = ada.get("/user").await.expect(200);
    assert_eq!(user.json["data"]["remaining_checks"], 2, "a new day");
    assert_eq!(user.json["data"]["quota_resets_at"], "2027-01-02T00:00:00Z");
    let first = ada.analyze("new.pdf", pdf("C")).await.expect(200);
    assert_eq!(first.json["data"]["analyzed_at"], "2027-01-01T00:00:03Z");
    assert_eq!(first.json["remaining_checks"], 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_failure_counts_for_the_day_on_which_it_came() {
    let clock = TestClock::at(Utc.with_ymd_and_hms(2026, 11, 20, 23, 59, 59).unwrap());
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
    assert_eq!(days, ["S(\"DAY#2026-11-20\")"]);
}
