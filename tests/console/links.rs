//! The links in mails: what each does, once, within its hour, for the account as it was.

mod address;
mod password;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Method;
use samples::small::pdf;
use serde_json::json;
use server::Options;
use shared::deadline::Deadline;
use shared::ids::UserId;
use tests::api::send;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};
use tests::smtp::{Received, SmtpServer};
use tests::wire::Fault;

const ADA: &str = "ada@example.com";
const NEW: &str = "staple of batteries";

struct World {
    service: TestService,
    mail: SmtpServer,
    clock: TestClock,
    ada: Browser,
}

impl World {
    async fn new() -> Self {
        let (mail, clock) = (SmtpServer::start().await, TestClock::at("10:01:00"));
        let options = Options { clock: clock.clock(), mail: mail.options(), ..roomy() };
        let service = TestService::start_with(options).await;
        let mut ada = Browser::new(&service);
        ada.register("Ada", ADA, PASSWORD).await.expect(200);
        ada.log_in(ADA, PASSWORD).await.expect(303);
        service.delivered().await;
        let _ = mail.take();
        Self { service, mail, clock, ada }
    }

    /// Where Ada's address is known to be hers.
    async fn confirmed() -> Self {
        let mut world = Self::new().await;
        world.ada.post("/account/confirmation", &[]).await.expect(303);
        let path = world.path().await;
        world.anybody().post(&path, &[]).await.expect(200);
        world.ada.cookie = None;
        world.ada.log_in(ADA, PASSWORD).await.expect(303);
        world
    }

    /// The paths of a new analysis of Ada's and of a link to it.
    async fn shared_report(&mut self) -> (String, String) {
        let location = self.ada.upload("a.pdf", pdf("A")).await.expect(303).header("location").to_owned();
        let page = self.ada.post(&format!("{location}/share"), &[]).await.expect(200).text;
        let (_, rest) = page.split_once("/s/").unwrap();
        (location, format!("/s/{}", &rest[..rest.find(['"', '<']).unwrap()]))
    }

    /// The status that the API answers this token with.
    async fn status_of(&self, token: &str) -> u16 {
        send(self.ada.request(Method::GET, "/api/v1/user").bearer_auth(token)).await.status
    }

    fn anybody(&self) -> Browser {
        Browser::new(&self.service)
    }

    /// The mails since the last call.
    async fn mails(&self) -> Vec<Received> {
        self.service.delivered().await;
        self.mail.take()
    }

    /// The path of the link of the only mail since the last call.
    async fn path(&self) -> String {
        self.service.delivered().await;
        self.mail.only().path(&self.service.service().origin())
    }

    /// The path of a new link to set a password.
    async fn forgot(&self) -> String {
        self.anybody().post("/forgot", &[("email", ADA)]).await.expect(200);
        self.path().await
    }

    /// The path of a new link to the address `email`.
    async fn ask_for(&mut self, email: &str) -> String {
        let fields = [("email", email), ("email_password", PASSWORD)];
        let answer = self.ada.post("/account/email", &fields).await.expect(303);
        assert_eq!(answer.header("location"), "/account?asked");
        let mails = self.mails().await;
        let link = mails.iter().find(|mail| mail.to == [email]).expect("a mail to the new address");
        link.path(&self.service.service().origin())
    }

    async fn user(&self) -> UserId {
        self.service.store().owner_of_email(ADA, Deadline::unhurried()).await.unwrap().unwrap()
    }

    /// Checks that the link is invalid, opened or used.
    async fn is_dead(&self, path: &str) {
        let page = self.anybody().get(path).await.expect(404);
        assert!(page.text.contains("This link has expired or has been used"), "{}", page.text);
        let answer = self.anybody().post(path, &[("password", NEW)]).await.expect(404);
        assert!(answer.text.contains("This link has expired or has been used"));
    }
}

/// An account registered by a stranger beforehand gives no access after the owner of the address confirms it.
#[tokio::test]
async fn the_first_proof_of_an_address_ends_all_that_was_made_before() {
    for purpose in ["confirm", "reset", "address"] {
        let mut world = World::new().await;
        let token = world.ada.token().await;
        let (location, shared) = world.shared_report().await;
        world.anybody().get(&shared).await.expect(200);
        assert_eq!(world.status_of(&token).await, 200);
        let before = world.ada.clone();

        let (path, fields): (_, &[(&str, &str)]) = match purpose {
            "confirm" => {
                world.ada.post("/account/confirmation", &[]).await.expect(303);
                (world.path().await, &[])
            }
            "reset" => (world.forgot().await, &[("password", NEW)]),
            _ => (world.ask_for("new@example.com").await, &[]),
        };
        assert!(world.anybody().get(&path).await.expect(200).status == 200);
        // rows that are removed afterwards are invalid already
        world.service.wire.plan(|call| match call.operation.as_str() {
            "Query" => Fault::ServerError,
            _ => Fault::None,
        });
        world.anybody().post(&path, fields).await.expect(200);
        world.service.wire.heal();
        assert_eq!(before.get("/dashboard").await.status, 303, "{purpose}");
        assert_eq!(world.status_of(&token).await, 401, "{purpose}");
        assert_eq!(world.anybody().get(&shared).await.status, 404, "{purpose}");

        world.ada.cookie = None;
        let (email, password) = match purpose {
            "reset" => (ADA, NEW),
            "address" => ("new@example.com", PASSWORD),
            _ => (ADA, PASSWORD),
        };
        world.ada.log_in(email, password).await.expect(303);
        assert!(!world.ada.get(&location).await.expect(200).text.contains("A link to this report is active"));
        let token = world.ada.token().await;
        assert_eq!(world.status_of(&token).await, 200, "{purpose}");
        // what is proven once is proven: the next password keeps tokens
        Snapshot::of(&world.service).await.check();
    }
}

/// Rows of earlier versions do not say whether they were made before.
#[tokio::test]
async fn a_first_proof_ends_what_an_earlier_version_has_made_too() {
    let mut world = World::new().await;
    let token = world.ada.token().await;
    let (_, shared) = world.shared_report().await;
    let user = world.user().await.to_string();
    // as that left them
    let (dynamodb, table) = (world.service.service().dynamodb(), &world.service.service().template().table.name);
    let snapshot = Snapshot::of(&world.service).await;
    for row in snapshot.rows(&user, "TOKEN#").chain(snapshot.rows(&user, "ANALYSIS#")) {
        let change = dynamodb.update_item().table_name(table).update_expression("REMOVE generation, share_unconfirmed");
        change.key("pk", row["pk"].clone()).key("sk", row["sk"].clone()).send().await.unwrap();
    }
    assert_eq!(world.status_of(&token).await, 200);
    world.anybody().get(&shared).await.expect(200);
    let path = world.forgot().await;
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    assert_eq!(world.status_of(&token).await, 401);
    world.anybody().get(&shared).await.expect(404);
    let left = Snapshot::of(&world.service).await;
    left.check();
    assert_eq!((left.rows(&user, "TOKEN#").count(), left.links()), (0, 0));
}

#[tokio::test]
async fn of_what_a_first_proof_ended_nothing_is_left() {
    let mut world = World::new().await;
    for _ in 0..3 {
        world.ada.token().await;
    }
    world.shared_report().await;
    let path = world.forgot().await;
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    let left = Snapshot::of(&world.service).await;
    left.check();
    let user = world.user().await.to_string();
    assert_eq!((left.rows(&user, "TOKEN#").count(), left.links()), (0, 0));
}

#[tokio::test]
async fn a_link_is_good_for_an_hour_and_for_the_account_as_it_was() {
    let mut world = World::new().await;
    // requests for more links invalidate none
    let links = [world.forgot().await, world.forgot().await];
    world.clock.advance(3599);
    for link in &links {
        world.anybody().get(link).await.expect(200);
    }
    world.clock.advance(1);
    for link in &links {
        world.is_dead(link).await;
    }
    world.ada.log_in(ADA, PASSWORD).await.expect(303);

    // another password ends links to a password and to an address, not the one that confirms
    world.ada.post("/account/confirmation", &[]).await.expect(303);
    let confirm = world.path().await;
    let (reset, address) = (world.forgot().await, world.ask_for("new@example.com").await);
    let change = |from, to| [("current_password", from), ("password", to)];
    world.ada.post("/account/password", &change(PASSWORD, NEW)).await.expect(303);
    world.ada.post("/account/password", &change(NEW, PASSWORD)).await.expect(303);
    let _ = world.mails().await;
    world.is_dead(&reset).await;
    world.is_dead(&address).await;
    world.anybody().get(&confirm).await.expect(200);

    // another address ends all of them
    let (reset, address) = (world.forgot().await, world.ask_for("new@example.com").await);
    world.anybody().post(&address, &[]).await.expect(200);
    let _ = world.mails().await;
    for path in [&reset, &address, &confirm] {
        world.is_dead(path).await;
    }
    Snapshot::of(&world.service).await.check();
}

#[tokio::test]
async fn a_closed_account_s_links_are_good_for_nothing() {
    let world = World::new().await;
    let (path, user) = (world.forgot().await, world.user().await);
    let store = world.service.store();
    store.disable_account(user, world.clock.now(), Deadline::unhurried()).await.unwrap();
    world.is_dead(&path).await;
    world.anybody().post("/forgot", &[("email", ADA)]).await.expect(200);
    assert!(world.mails().await.is_empty());
    store.enable_account(user, Deadline::unhurried()).await.unwrap();
    let path = world.forgot().await;
    store.delete_account(user, None, Deadline::unhurried()).await.unwrap();
    world.is_dead(&path).await;
    assert_eq!(Snapshot::of(&world.service).await.text_without("ADDRESS#"), "");
}

#[tokio::test]
async fn what_is_no_link_of_this_kind_is_answered_by_one_page() {
    let mut world = World::new().await;
    let reset = world.forgot().await;
    let secret = reset.strip_prefix("/reset/").unwrap().to_owned();
    let address = world.ask_for("new@example.com").await;
    let other = address.strip_prefix("/address/").unwrap().to_owned();
    let mut changed = secret.clone();
    let last = if changed.pop() == Some('0') { '1' } else { '0' };
    changed.push(last);
    let long = "A".repeat(5000);
    let none = world.anybody().get("/reset/x").await.expect(404).text;
    for wrong in ["x", "%00", "..%2f", &changed, &secret[1..], &format!("{secret}0"), &other, &"z".repeat(65), &long] {
        for way in ["/reset/", "/confirm/", "/address/"] {
            if format!("{way}{wrong}") == address {
                continue;
            }
            let page = world.anybody().get(&format!("{way}{wrong}")).await.expect(404);
            assert_eq!(page.text, none, "{way}{wrong}");
        }
    }
    for way in ["/confirm/", "/address/"] {
        world.is_dead(&format!("{way}{secret}")).await;
    }
    world.anybody().get(&reset).await.expect(200);
    assert_eq!(
        world.service.journal.take().iter().map(|entry| entry.password_hashes).max(),
        Some(1),
        "none for what is no link"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_clicks_are_one_use() {
    let mut world = World::new().await;
    let path = world.forgot().await;
    let clicks = (0..12).map(|index| {
        let (mut browser, path) = (world.anybody(), path.clone());
        tokio::spawn(
            async move { (index, browser.post(&path, &[("password", &format!("password number {index}"))]).await) },
        )
    });
    let mut used = Vec::new();
    for click in clicks.collect::<Vec<_>>() {
        let (index, answer) = click.await.unwrap();
        match answer.status {
            200 => used.push(index),
            _ => assert!(answer.expect(404).text.contains("has been used")),
        }
    }
    assert_eq!(used.len(), 1);
    world.anybody().log_in(ADA, &format!("password number {}", used[0])).await.expect(303);
    let _ = world.mails().await;

    let password = format!("password number {}", used[0]);
    world.ada.cookie = None;
    world.ada.log_in(ADA, &password).await.expect(303);
    let fields = [("email", "new@example.com"), ("email_password", password.as_str())];
    world.ada.post("/account/email", &fields).await.expect(303);
    let mails = world.mails().await;
    let path =
        mails.iter().find(|mail| mail.to == ["new@example.com"]).unwrap().path(&world.service.service().origin());
    let clicks = (0..12).map(|_| {
        let (mut browser, path) = (world.anybody(), path.clone());
        tokio::spawn(async move { browser.post(&path, &[]).await.status })
    });
    let mut used = 0;
    for click in clicks.collect::<Vec<_>>() {
        used += usize::from(click.await.unwrap() == 200);
    }
    assert_eq!(used, 1);
    Snapshot::of(&world.service).await.check();
}

#[tokio::test]
async fn a_use_whose_answer_was_lost_is_one_use() {
    for fault in [Fault::LostAnswer, Fault::LostRequest, Fault::Conflict] {
        let world = World::new().await;
        let path = world.forgot().await;
        let (met, times) = (fault.clone(), AtomicU64::new(0));
        world.service.wire.plan(move |call| match call.operation.as_str() {
            "TransactWriteItems" if times.fetch_add(1, Ordering::SeqCst) < 4 => met.clone(),
            _ => Fault::None,
        });
        world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
        world.service.wire.heal();
        world.anybody().log_in(ADA, NEW).await.expect(303);
        world.is_dead(&path).await;
        Snapshot::of(&world.service).await.check();
    }
}

/// DynamoDB stores a transaction item by item: a second try can find the secret gone, and the account still as it was.
#[tokio::test]
async fn a_use_that_is_stored_while_it_is_tried_again_is_one_use() {
    let world = World::new().await;
    let path = world.forgot().await;
    let gone = json!([{ "Code": "TransactionConflict" }, { "Code": "ConditionalCheckFailed" }]);
    let faults = [vec![Fault::LostAnswer; 3], vec![Fault::Cancelled(gone); 2]].concat();
    let faults = Mutex::new(faults.into_iter());
    world.service.wire.plan(move |call| match call.writes.iter().any(|(_, sort_key)| sort_key.starts_with("MAIL#")) {
        true => faults.lock().unwrap().next().unwrap_or(Fault::None),
        false => Fault::None,
    });
    world.anybody().post(&path, &[("password", NEW)]).await.expect(200);
    world.service.wire.heal();
    world.anybody().log_in(ADA, NEW).await.expect(303);
    Snapshot::of(&world.service).await.check();
}

#[tokio::test]
async fn a_new_password_whose_answer_was_lost_is_set_and_noted() {
    let mut world = World::confirmed().await;
    let times = AtomicU64::new(0);
    world.service.wire.plan(move |call| {
        let account = call.operation == "UpdateItem" && call.writes.iter().any(|(_, sort_key)| sort_key == "ACCOUNT");
        if account && times.fetch_add(1, Ordering::SeqCst) == 0 { Fault::LostAnswer } else { Fault::None }
    });
    let change = [("current_password", PASSWORD), ("password", NEW)];
    assert_eq!(world.ada.post("/account/password", &change).await.expect(303).header("location"), "/account?changed");
    world.service.wire.heal();
    world.ada.get("/dashboard").await.expect(200);
    assert_eq!(world.mails().await.remove(0).header("Subject"), "Your password is changed");
}

#[tokio::test]
async fn links_lead_to_the_console_whatever_a_request_calls_it() {
    let world = World::new().await;
    let request = world.anybody().request(Method::POST, "/forgot");
    let request = request.header("host", "evil.example").header("origin", "http://evil.example");
    send(request.form(&[("email", ADA)])).await.expect(200);
    let mail = world.mails().await.remove(0);
    assert!(!mail.raw.contains("evil.example"), "{}", mail.raw);
    assert!(mail.path(&world.service.service().origin()).starts_with("/reset/"));
}

#[tokio::test]
async fn no_other_site_uses_a_link() {
    let world = World::new().await;
    let path = world.forgot().await;
    let origin = world.service.service().origin();
    let cases: [&[(&str, &str)]; 6] = [
        &[("origin", "https://evil.example")],
        &[("sec-fetch-site", "cross-site"), ("origin", "null")],
        &[("sec-fetch-site", "same-site"), ("origin", &origin)],
        &[("sec-fetch-site", "none")],
        &[("origin", "null"), ("origin", "https://evil.example")],
        &[],
    ];
    for headers in cases {
        let request = world.anybody().request(Method::POST, &path).form(&[("password", NEW)]);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        send(request).await.expect(403);
    }
    // a page without a referrer, in a browser that does not say which site it is
    let request = world.anybody().request(Method::POST, &path).header("origin", "null");
    send(request.form(&[("password", NEW)])).await.expect(200);
}
