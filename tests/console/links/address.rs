//! The link to another address: who may request it, who is notified, and when the change takes effect.

use shared::deadline::Deadline;
use tests::browser::PASSWORD;
use tests::invariants::Snapshot;

use super::{ADA, World};

const LOVELACE: &str = "Ada.Lovelace@Example.org";

#[tokio::test]
async fn another_address_is_one_and_needs_the_password() {
    let mut world = World::confirmed().await;
    for (email, password, said) in [
        (LOVELACE, "wrong password", "is not the password"),
        ("no address", PASSWORD, "must be an address"),
        ("eve@example.com\r\nBcc: all@example.com", PASSWORD, "must be an address"),
        (ADA, PASSWORD, "is the address that the account has"),
    ] {
        let page =
            world.ada.post("/account/email", &[("email", email), ("email_password", password)]).await.expect(422);
        assert!(page.text.contains(said), "{}", page.text);
    }
    assert!(world.mails().await.is_empty());
}

#[tokio::test]
async fn the_old_address_is_told_that_another_one_is_asked_for() {
    let mut world = World::confirmed().await;
    world.ada.post("/account/email", &[("email", LOVELACE), ("email_password", PASSWORD)]).await.expect(303);
    assert!(world.ada.get("/account?asked").await.text.contains("A mail to the new address is on its way"));
    let (told, asked): (Vec<_>, Vec<_>) = world.mails().await.into_iter().partition(|mail| mail.to == [ADA]);
    assert_eq!((told.len(), asked.len(), asked[0].to[0].as_str()), (1, 1, LOVELACE));
    assert!(told[0].part("text/plain").contains(LOVELACE));
    let path = asked[0].path(&world.service.service().origin());
    assert!(world.anybody().get(&path).await.expect(200).text.contains(LOVELACE));
    world.anybody().log_in(ADA, PASSWORD).await.expect(303);
}

#[tokio::test]
async fn a_new_address_holds_from_the_click_on_and_both_are_told() {
    let mut world = World::confirmed().await;
    let user = world.user().await;
    let path = world.ask_for(LOVELACE).await;
    let done = world.anybody().post(&path, &[]).await.expect(200);
    assert!(done.text.contains("Your address is changed"));
    let mut told: Vec<_> =
        world.mails().await.into_iter().map(|mail| (mail.to[0].clone(), mail.header("Subject").to_owned())).collect();
    told.sort();
    let changed = "Your e-mail address is changed".to_owned();
    assert_eq!(told, [(LOVELACE.to_owned(), changed.clone()), (ADA.to_owned(), changed)]);
    world.ada.get("/dashboard").await.expect(200);
    world.anybody().log_in(ADA, PASSWORD).await.expect(422);
    world.anybody().log_in("ada.lovelace@example.org", PASSWORD).await.expect(303);
    let store = world.service.store();
    assert_eq!(store.owner_of_email(LOVELACE, Deadline::unhurried()).await.unwrap(), Some(user));
    assert_eq!(store.owner_of_email(ADA, Deadline::unhurried()).await.unwrap(), None);
    world.is_dead(&path).await;
    Snapshot::of(&world.service).await.check();
}

#[tokio::test]
async fn another_spelling_of_an_address_is_a_change_too() {
    let mut world = World::confirmed().await;
    for spelling in [LOVELACE, "ada.lovelace@example.org"] {
        let path = world.ask_for(spelling).await;
        world.anybody().post(&path, &[]).await.expect(200);
        let account = world.ada.get("/account").await.text;
        assert!(account.contains(&format!("<dd>{spelling}</dd>")), "{account}");
    }
    Snapshot::of(&world.service).await.check();
}

#[tokio::test]
async fn an_address_that_was_left_is_free() {
    let mut world = World::confirmed().await;
    let path = world.ask_for(LOVELACE).await;
    world.anybody().post(&path, &[]).await.expect(200);
    world.anybody().register("Bob", ADA, PASSWORD).await.expect(200);
    world.ada.post("/account/delete", &[("confirm_password", PASSWORD)]).await.expect(200);
    let left = Snapshot::of(&world.service).await;
    left.check();
    assert_eq!(left.users(), 1);
}

#[tokio::test]
async fn an_address_that_is_another_account_s_is_not_taken_and_not_told() {
    let mut world = World::confirmed().await;
    world.anybody().register("Bob", "bob@example.com", PASSWORD).await.expect(200);
    let _ = world.mails().await;
    let answer = world.ada.post("/account/email", &[("email", "BOB@example.com"), ("email_password", PASSWORD)]).await;
    assert_eq!(answer.expect(303).header("location"), "/account?asked");
    let mails = world.mails().await;
    let subjects: Vec<_> = mails.iter().map(|mail| mail.header("Subject")).collect();
    assert!(subjects.contains(&"This address belongs to an account already"), "{subjects:?}");
    assert!(subjects.contains(&"Your account is to have another e-mail address"), "{subjects:?}");
    assert!(!Snapshot::of(&world.service).await.text().contains("MAIL#ADDRESS"));

    // registered between the mail and the click
    let path = world.ask_for("carol@example.com").await;
    world.anybody().register("Carol", "carol@example.com", PASSWORD).await.expect(200);
    let answer = world.anybody().post(&path, &[]).await.expect(404);
    assert!(answer.text.contains("expired"));
    world.anybody().log_in(ADA, PASSWORD).await.expect(303);
    Snapshot::of(&world.service).await.check();
}
