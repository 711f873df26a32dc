//! `/account`: another password, and the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use reqwest::Method;
use samples::small::pdf;
use shared::deadline::Deadline;
use shared::ids::{UploadId, UserId};
use shared::quota::Day;
use tests::api::send;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::rows::fill;
use tests::service::TestService;
use tests::wire::Fault;

const NEW: &str = "staple of batteries";

#[tokio::test]
async fn a_new_password_is_to_be_sound_and_needs_the_old_one() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    for (current, new, said) in [
        ("wrong password", NEW, "Current password is not"),
        (PASSWORD, "short", "at least 8"),
        (PASSWORD, "", "is required"),
    ] {
        let page = browser.post("/account/password", &[("current_password", current), ("password", new)]).await;
        assert!(page.clone().expect(422).text.contains(said), "{}", page.text);
        assert!(!page.text.contains(current));
    }
    browser.get("/dashboard").await.expect(200);
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn a_new_password_ends_every_other_session() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let mut other = Browser::new(&service);
    other.log_in("ada@example.com", PASSWORD).await.expect(303);
    let before = browser.clone();
    let answer = browser.post("/account/password", &[("current_password", PASSWORD), ("password", NEW)]).await;
    assert_eq!(answer.expect(303).header("location"), "/account?changed");
    assert!(browser.get("/account?changed").await.expect(200).text.contains("password is changed"));
    other.get("/dashboard").await.expect(303);
    before.get("/dashboard").await.expect(303);
    other.cookie = None;
    other.log_in("ada@example.com", PASSWORD).await.expect(422);
    other.log_in("ada@example.com", NEW).await.expect(303);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn an_account_is_deleted_by_its_password_only() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    for wrong in ["", "wrong password", "ada@example.com"] {
        let refused = ada.post("/account/delete", &[("confirm_password", wrong)]).await.expect(422);
        assert!(refused.text.contains("is not the password of this account"), "{}", refused.text);
    }
    let done = ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    assert!(done.text.contains("is deleted") && done.header("set-cookie").contains("Max-Age=0"));
}

#[tokio::test]
async fn deleting_leaves_nothing_of_the_account_and_all_of_others() {
    let service = TestService::start().await;
    let bob = Browser::registered(&service, "bob").await;
    bob.upload("b.pdf", pdf("B")).await.expect(303);
    let kept = bob.stage("b.pdf", pdf("staged")).await;
    let untouched = Snapshot::of(&service).await.text_without("ADDRESS#");

    let mut ada = Browser::registered(&service, "ada").await;
    for number in 0..30 {
        ada.upload(&format!("{number}.pdf"), pdf("A")).await.expect(303);
    }
    for number in 0..3 {
        ada.stage(&format!("{number}.pdf"), pdf("staged")).await;
    }
    ada.token().await;
    Browser::new(&service).log_in("ada@example.com", "wrong password").await.expect(422);
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(303);

    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    let left = Snapshot::of(&service).await;
    left.check();
    assert_eq!(left.text_without("ADDRESS#"), untouched);
    let objects: Vec<_> = left.objects().iter().collect();
    assert!(matches!(objects.as_slice(), [only] if only.ends_with(&kept)), "{objects:?}");
}

#[tokio::test]
async fn a_deleted_account_opens_nothing_and_its_address_is_free() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    ada.upload("a.pdf", pdf("A")).await.expect(303);
    let token = ada.token().await;
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    send(ada.request(Method::GET, "/api/v1/user").bearer_auth(&token)).await.expect(401);
    ada.cookie = None;
    ada.log_in("ada@example.com", PASSWORD).await.expect(422);
    ada.register("Ada", "ada@example.com", PASSWORD).await.expect(303);
    assert!(ada.get("/dashboard").await.text.contains("50</strong>"));
}

/// Sixteen calls of 25 rows at once.
#[tokio::test]
async fn ten_thousand_rows_are_deleted_in_few_round_trips() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    let token = ada.token().await;
    fill(&service, &service.access(&token), 10_000, |_| None).await;
    service.wire.set_latency(Duration::from_millis(20));
    let _ = service.wire.take();
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    let traffic = service.wire.take();
    let deletions = traffic.count("BatchWriteItem");
    assert!((401..=410).contains(&deletions), "{deletions}");
    assert!(traffic.rounds <= 40, "{}", traffic.rounds);
    assert_eq!(Snapshot::of(&service).await.text_without("ADDRESS#"), "");
}

#[tokio::test]
async fn a_deletion_that_was_cut_short_is_closed_and_can_be_repeated() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    for number in 0..20 {
        ada.upload(&format!("{number}.pdf"), pdf("A")).await.expect(303);
    }
    let token = ada.token().await;
    let csrf = ada.csrf().await;
    let delete = async || {
        let request = ada.request(Method::POST, "/account/delete").header("origin", ada.origin());
        send(request.form(&[("csrf", csrf.as_str()), ("confirm_password", PASSWORD)])).await
    };
    service.wire.plan(|call| if call.operation == "BatchWriteItem" { Fault::ServerError } else { Fault::None });
    let cut = delete().await.expect(503);
    assert!(cut.text.contains("Go on deleting") && cut.text.contains(&csrf));
    ada.get("/dashboard").await.expect(303);
    send(ada.request(Method::GET, "/api/v1/user").bearer_auth(&token)).await.expect(401);
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(422);

    service.wire.heal();
    delete().await.expect(200);
    assert_eq!(Snapshot::of(&service).await.text_without("ADDRESS#"), "");
}

/// The last step of a deletion is retried although it was carried out, after its owner has registered again.
#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_leaves_the_address_to_whoever_has_registered_it_since() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    let csrf = ada.csrf().await;
    let tries = Arc::new(AtomicU64::new(0));
    let of_wire = Arc::clone(&tries);
    service.wire.plan(move |call| {
        // account, address and session: the three attempts of the first try are carried out
        if !call.writes.iter().any(|(_, row)| row.starts_with("SESSION#")) || call.parts != 3 {
            Fault::None
        } else if of_wire.fetch_add(1, Ordering::SeqCst) < 3 {
            Fault::LostAnswer
        } else {
            Fault::Throttle
        }
    });
    let request = ada.request(Method::POST, "/account/delete").header("origin", ada.origin());
    let request = request.form(&[("csrf", csrf.as_str()), ("confirm_password", PASSWORD)]);
    let deletion = tokio::spawn(send(request));
    while tries.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut anew = Browser::registered(&service, "ada").await;
    service.wire.heal();
    deletion.await.unwrap().expect(200);
    Snapshot::of(&service).await.check();
    anew.get("/dashboard").await.expect(200);
    anew.cookie = None;
    anew.log_in("ada@example.com", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn an_interrupted_deletion_is_continued_by_a_log_in_with_the_password_only() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    for number in 0..20 {
        ada.upload(&format!("{number}.pdf"), pdf("A")).await.expect(303);
    }
    service.wire.plan(|call| if call.operation == "BatchWriteItem" { Fault::ServerError } else { Fault::None });
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(503);
    service.wire.heal();
    // without the counters of attempts
    let rows = async || {
        let text = Snapshot::of(&service).await.text_without("ADDRESS#");
        text.lines().filter(|row| !row.contains("LOGIN#")).map(str::to_owned).collect::<Vec<_>>()
    };
    let left = rows().await;
    // neither work nor time shows a stranger that the account is being deleted
    let mut stranger = Browser::new(&service);
    let mut failure = async |email: &str| {
        let _ = service.wire.take();
        let page = stranger.log_in(email, "wrong password").await.expect(422);
        assert!(page.text.contains("Wrong e-mail or password"), "{}", page.text);
        service.wire.take().operations
    };
    assert_eq!(failure("ada@example.com").await, failure("bob@example.com").await);
    assert!(rows().await == left, "a stranger has deleted something");
    // the cookie is lost; the owner gets the usual error
    let mut owner = Browser::new(&service);
    let page = owner.log_in("ADA@example.com", PASSWORD).await.expect(422);
    assert!(page.text.contains("Wrong e-mail or password"));
    assert!(rows().await.is_empty());
    owner.register("Ada", "ada@example.com", PASSWORD).await.expect(303);
    Snapshot::of(&service).await.check();
}

/// Failures after the deletion are not counted.
#[tokio::test]
async fn what_a_request_under_way_leaves_of_a_deleted_account_expires() {
    let service = TestService::start().await;
    let (user, now) = (UserId::random(), Utc::now());
    let yesterdays = UploadId::new(now - TimeDelta::days(1));
    let day = Day::of(now);
    service.store().count_failure(user, day, &[yesterdays], Deadline::unhurried()).await;
    let snapshot = Snapshot::of(&service).await;
    let user = user.to_string();
    let left: Vec<_> = snapshot.rows(&user, "").map(|row| row.contains_key("expires")).collect();
    assert_eq!(left, [true]);
}

#[tokio::test]
async fn a_deletion_that_the_bucket_cut_short_leaves_no_file_without_its_account() {
    let service = TestService::start().await;
    let ada = Browser::registered(&service, "ada").await;
    for number in 0..3 {
        ada.stage(&format!("{number}.pdf"), pdf("staged")).await;
    }
    let csrf = ada.csrf().await;
    for operation in ["ListObjectsV2", "DeleteObject"] {
        service.wire.plan(move |call| if call.operation == operation { Fault::ServerError } else { Fault::None });
        let request = ada.request(Method::POST, "/account/delete").header("origin", ada.origin());
        let form = [("csrf", csrf.as_str()), ("confirm_password", PASSWORD)];
        send(request.form(&form)).await.expect(503);
        Snapshot::of(&service).await.check();
    }
    service.wire.heal();
    Browser::new(&service).log_in("ada@example.com", PASSWORD).await.expect(422);
    let left = Snapshot::of(&service).await;
    assert!(left.objects().is_empty() && left.text_without("ADDRESS#").is_empty());
}

#[tokio::test]
async fn guessing_the_password_of_an_open_session_is_limited() {
    let service = TestService::start_at(&TestClock::at("10:01:00")).await;
    let mut ada = Browser::registered(&service, "ada").await;
    for _ in 0..10 {
        ada.post("/account/delete", &[("confirm_password", "wrong password")]).await.expect(422);
    }
    ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(429);
    ada.get("/dashboard").await.expect(200);
}
