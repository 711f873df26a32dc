//! `/register`.

use std::sync::Mutex;

use serde_json::json;
use tests::browser::{Browser, PASSWORD};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

#[tokio::test]
async fn a_newcomer_is_logged_in_at_once() {
    let service = TestService::start().await;
    let mut browser = Browser::new(&service);
    let answer = browser.register("  Ada <b>Lovelace</b> ", " Ada@Example.com ", PASSWORD).await.expect(303);
    assert_eq!(answer.header("location"), "/dashboard");
    let page = browser.get("/dashboard").await.expect(200);
    assert!(page.text.contains("Ada &lt;b&gt;Lovelace&lt;/b&gt;") && !page.text.contains("<b>Lovelace"));
    assert!(page.text.contains("50</strong> of <span id=\"limit\">50</span>"), "{}", page.text);
    assert_eq!(browser.get("/register").await.expect(303).header("location"), "/dashboard");
    let account = browser.get("/account").await.expect(200);
    assert!(account.text.contains("Ada@Example.com"));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_is_wrong_is_said_and_the_rest_kept() {
    let service = TestService::start().await;
    let mut browser = Browser::new(&service);
    let long = "x".repeat(129);
    for (name, email, password, said) in [
        ("", "ada@example.com", PASSWORD, "Name is required"),
        ("Ada\u{202e}", "ada@example.com", PASSWORD, "Name must not have"),
        ("Ada", "ada", PASSWORD, "E-mail must be"),
        ("Ada", "", PASSWORD, "E-mail must be"),
        ("Ada", "ada@example.com", "1234567", "at least 8"),
        ("Ada", "ada@example.com", "", "Password is required"),
        ("Ada", "ada@example.com", &long, "at most 128"),
    ] {
        let page = browser.register(name, email, password).await.expect(422);
        assert!(page.text.contains(said), "{said}: {}", page.text);
        assert!(page.text.contains("aria-invalid=\"true\""));
        assert!(name.is_empty() || page.text.contains(&format!("value=\"{name}\"")));
        assert!(email.is_empty() || page.text.contains(&format!("value=\"{email}\"")));
        assert!(password.is_empty() || !page.text.contains(password));
        assert!(page.header("set-cookie").is_empty());
    }
    assert!(Snapshot::of(&service).await.is_empty());
    browser.register("Ada", "ada@example.com", &"\u{e9}".repeat(128)).await.expect(303);
}

#[tokio::test]
async fn an_address_is_taken_once_also_in_a_race_and_in_any_case() {
    let service = TestService::start().await;
    let addresses = ["ada@example.com", "ADA@example.com", "Ada@Example.Com", "aDA@EXAMPLE.com"];
    let tries = addresses.into_iter().cycle().take(12).map(|email| {
        let mut browser = Browser::new(&service);
        tokio::spawn(async move { browser.register("Ada", email, PASSWORD).await })
    });
    let mut made = 0;
    for attempt in tries.collect::<Vec<_>>() {
        let answer = attempt.await.unwrap();
        match answer.status {
            303 => made += 1,
            _ => assert!(answer.expect(422).text.contains("registered already")),
        }
    }
    assert_eq!(made, 1);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.users(), 1);
}

#[tokio::test]
async fn a_stored_password_is_argon2id_with_the_recommended_parameters() {
    let service = TestService::start().await;
    Browser::registered(&service, "ada").await;
    let text = Snapshot::of(&service).await.text();
    assert!(text.contains("$argon2id$v=19$m=19456,t=2,p=1$"), "{text}");
    assert!(!text.contains(PASSWORD));
}

/// DynamoDB stores a transaction item by item: a second try can find the address of the first one already there, and its
/// account still on the way.
#[tokio::test]
async fn an_account_that_is_stored_while_it_is_tried_again_is_its_owner_s() {
    let service = TestService::start().await;
    let taken = json!([{ "Code": "TransactionConflict" }, { "Code": "ConditionalCheckFailed" }]);
    let faults = [vec![Fault::LostAnswer; 3], vec![Fault::Cancelled(taken); 2]].concat();
    let faults = Mutex::new(faults.into_iter());
    service.wire.plan(move |call| match call.writes.iter().any(|(_, sort_key)| sort_key == "ACCOUNT") {
        true => faults.lock().unwrap().next().unwrap_or(Fault::None),
        false => Fault::None,
    });
    let ada = Browser::registered(&service, "ada").await;
    service.wire.heal();
    ada.get("/dashboard").await.expect(200);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.users(), 1);
}
