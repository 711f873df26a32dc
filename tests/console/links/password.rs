//! The link to a new password: what it shows, does, ends and proves.

use tests::browser::PASSWORD;
use tests::invariants::Snapshot;

use super::{ADA, NEW, World};

/// Programs that scan mail open links.
#[tokio::test]
async fn a_link_that_is_looked_at_is_not_used() {
    let world = World::confirmed().await;
    let path = world.forgot().await;
    let before = Snapshot::of(&world.service).await.text();
    for _ in 0..3 {
        let page = world.anybody().get(&path).await.expect(200);
        assert!(page.text.contains("Set a new password") && page.text.contains(ADA), "{}", page.text);
        assert_eq!((page.header("referrer-policy"), page.header("cache-control")), ("no-referrer", "no-store"));
    }
    assert_eq!(Snapshot::of(&world.service).await.text(), before);
}

#[tokio::test]
async fn neither_the_table_nor_the_log_has_the_secret_of_a_link() {
    let world = World::confirmed().await;
    let path = world.forgot().await;
    assert_eq!(path.len(), "/reset/".len() + 65);
    let kept = Snapshot::of(&world.service).await.text();
    assert!(!kept.contains(&path[7..]) && !kept.contains(&path[40..]), "the table keeps its hash only");
    world.anybody().get(&path).await.expect(200);
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    let lines = serde_json::to_string(&world.service.journal.take()).unwrap();
    assert!(lines.contains("POST /reset/{secret}") && !lines.contains(&path[7..30]), "{lines}");
}

#[tokio::test]
async fn a_forgotten_password_is_set_anew_once() {
    let world = World::confirmed().await;
    let path = world.forgot().await;
    let mut anybody = world.anybody();
    assert!(anybody.post(&path, &[("password", "short")]).await.expect(422).text.contains("at least 8"));
    let done = anybody.post(&path, &[("password", NEW)]).await.expect(200);
    assert!(done.text.contains("Every browser is logged out. API tokens are good as before"), "{}", done.text);
    assert!(done.header("set-cookie").is_empty() && done.header("referrer-policy") == "no-referrer");
    assert_eq!(world.mails().await.remove(0).header("Subject"), "Your password is changed");
    world.anybody().log_in(ADA, PASSWORD).await.expect(422);
    world.anybody().log_in(ADA, NEW).await.expect(303);
    world.is_dead(&path).await;
    let left = Snapshot::of(&world.service).await;
    left.check();
    assert!(!left.text().contains("MAIL#RESET"));
}

#[tokio::test]
async fn a_password_that_is_set_anew_ends_sessions_but_no_tokens() {
    let mut world = World::confirmed().await;
    let token = world.ada.token().await;
    let path = world.forgot().await;
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    world.ada.get("/dashboard").await.expect(303);
    assert_eq!(world.status_of(&token).await, 200);
}

#[tokio::test]
async fn a_reset_ends_all_tokens_if_it_is_asked_to() {
    let mut world = World::confirmed().await;
    let token = world.ada.token().await;
    let path = world.forgot().await;
    assert!(world.anybody().get(&path).await.expect(200).text.contains("End all API tokens, too"));
    let done = world.anybody().post(&path, &[("password", NEW), ("end_tokens", "yes")]).await.expect(200);
    assert!(done.text.contains("all API tokens are ended"), "{}", done.text);
    assert_eq!(world.status_of(&token).await, 401);
    let left = Snapshot::of(&world.service).await;
    left.check();
    assert_eq!(left.rows(&world.user().await.to_string(), "TOKEN#").count(), 0);
}

/// Whoever read the mail has the address.
#[tokio::test]
async fn whoever_sets_a_password_anew_has_nothing_more_to_confirm() {
    let mut world = World::new().await;
    assert!(world.ada.get("/account").await.expect(200).text.contains("Confirm your address"));
    let path = world.forgot().await;
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    world.ada.cookie = None;
    world.ada.log_in(ADA, NEW).await.expect(303);
    assert!(!world.ada.get("/account").await.expect(200).text.contains("Confirm your address"));
}
