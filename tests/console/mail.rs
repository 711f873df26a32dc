//! Mail: what is sent when, to whom, and what is answered meanwhile.

mod waiting;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use server::Options;
use shared::deadline::Deadline;
use shared::registration::Policy;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::events::{all, invoke};
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};
use tests::smtp::{FROM, Mood, Received, SmtpServer};
use uuid::Uuid;

const ADA: &str = "ada@example.com";
const FORGOT: &str = "/forgot";

/// A service with a mail server, where Ada has registered and opened her mails.
async fn with_ada() -> (TestService, SmtpServer, Browser) {
    let mail = SmtpServer::start().await;
    let service = TestService::start_mailing(&mail).await;
    let ada = registered(&service).await;
    service.delivered().await;
    let _ = mail.take();
    (service, mail, ada)
}

/// Ada confirms her address by the link of the one mail that came, and logs in again.
async fn confirm(service: &TestService, mail: &SmtpServer, ada: &mut Browser) {
    service.delivered().await;
    let path = mail.only().path(&service.service().origin());
    Browser::new(service).post(&path, &[]).await.expect(200);
    ada.cookie = None;
    ada.log_in(ADA, PASSWORD).await.expect(303);
}

/// Registers Ada, who logs in with her password.
async fn registered(service: &TestService) -> Browser {
    let mut ada = Browser::new(service);
    let answer = ada.register("Ada", ADA, PASSWORD).await.expect(200);
    assert!(answer.text.contains("Look into your mailbox"), "{}", answer.text);
    assert!(ada.cookie.is_none(), "registering tells whether the address is taken");
    ada.log_in(ADA, PASSWORD).await.expect(303);
    ada
}

/// The answers to a stranger who registers Ada's address and others in turn, and the resulting mails.
async fn tried(service: &TestService, mail: &SmtpServer) -> (Vec<(String, String)>, Vec<Received>) {
    let mut eve = Browser::new(service);
    let (mut pages, mut mails) = (Vec::new(), Vec::new());
    for email in ["ADA@example.com", "new@example.com", "ada@example.com", "other@example.com"] {
        let answer = eve.register("Buy at evil.example", email, "another password").await.expect(200);
        pages.push((answer.text.clone(), answer.header("set-cookie").to_owned()));
        service.delivered().await;
        mails.extend(mail.take());
    }
    (pages, mails)
}

#[tokio::test]
async fn registering_a_taken_address_is_answered_as_a_new_one() {
    let (service, mail, _) = with_ada().await;
    let _ = service.journal.take();
    let (mut pages, _) = tried(&service, &mail).await;
    pages.dedup();
    assert_eq!(pages.len(), 1, "{pages:?}");
    let mut work = work(&service, "POST /register");
    work.dedup();
    assert_eq!(work.len(), 1, "what is done before the answer tells: {work:?}");
}

#[tokio::test]
async fn registering_a_taken_address_leaves_its_account_as_it_was_and_a_mail_tells() {
    let (service, mail, _) = with_ada().await;
    let (_, mails) = tried(&service, &mail).await;
    let subjects: Vec<_> = mails.iter().map(|mail| (mail.to[0].as_str(), mail.header("Subject"))).collect();
    let (taken, new) = ("You have an account already", "Confirm your e-mail address");
    let expected = [("ADA@example.com", taken), ("new@example.com", new), (ADA, taken), ("other@example.com", new)];
    assert_eq!(subjects, expected);
    Browser::new(&service).log_in(ADA, PASSWORD).await.expect(303);
    Browser::new(&service).log_in(ADA, "another password").await.expect(422);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.users(), 3);
}

#[tokio::test]
async fn a_mail_has_its_sender_s_headers_and_nothing_of_strangers_or_other_sites() {
    let (service, mail, _) = with_ada().await;
    let (_, mails) = tried(&service, &mail).await;
    assert_eq!(mails.len(), 4);
    for mail in &mails {
        assert!(!mail.raw.contains("evil.example"), "strangers write in nobody's mail: {}", mail.raw);
        assert_eq!((mail.from.as_str(), mail.login.as_deref()), ("pdf@example.com", Some("pdf")));
        assert_eq!(
            (mail.header("From"), mail.header("Auto-Submitted")),
            ("\"PDF Analysis\" <pdf@example.com>", "auto-generated")
        );
        assert!(FROM.contains("pdf@example.com") && mail.header("Message-ID").ends_with("@example.com>"));
        for word in ["src=", "<img", "<script", "<link"] {
            assert!(!mail.part("text/html").contains(word), "{word}: {}", mail.raw);
        }
    }
}

/// The cost of a route's requests before their answers: storage calls, round trips, and hashes.
fn work(service: &TestService, route: &str) -> Vec<(u32, u32, u32)> {
    let entries = service.journal.take().into_iter().filter(|entry| entry.route == route);
    entries.map(|entry| (entry.storage_calls, entry.storage_rounds, entry.password_hashes)).collect()
}

/// One mail has come when Ada registered.
#[tokio::test]
async fn nobody_s_mailbox_is_filled_by_who_tries_its_address() {
    let (service, mail, _) = with_ada().await;
    for _ in 0..7 {
        Browser::new(&service).register("Eve", ADA, "another password").await.expect(200);
    }
    service.delivered().await;
    assert_eq!(mail.take().len(), 4);
}

/// An account may be registered with a stranger's address.
#[tokio::test]
async fn nobody_s_mailbox_is_filled_by_an_account_with_its_address() {
    let (service, mail, mut eve) = with_ada().await;
    let mut passwords = [PASSWORD, "staple of batteries"];
    for index in 0..8 {
        let change = [("current_password", passwords[0]), ("password", passwords[1])];
        eve.post("/account/password", &change).await.expect(303);
        passwords.swap(0, 1);
        let email = format!("eve{index}@example.com");
        let change = [("email", email.as_str()), ("email_password", passwords[0])];
        eve.post("/account/email", &change).await.expect(303);
    }
    service.delivered().await;
    let mails = mail.take();
    assert_eq!(
        (mails.len(), mails.iter().filter(|mail| mail.to == [ADA]).count()),
        (8, 0),
        "to an unconfirmed address"
    );

    // nor does its owner get more than five notes of an hour, which no stranger can ask for up
    for _ in 0..4 {
        Browser::new(&service).post(FORGOT, &[("email", ADA)]).await.expect(200);
    }
    service.delivered().await;
    let reset = mail.take().pop().unwrap().path(&service.service().origin());
    Browser::new(&service).post(FORGOT, &[("email", ADA)]).await.expect(429);
    Browser::new(&service).post(&reset, &[("password", PASSWORD)]).await.expect(200);
    let mut ada = Browser::new(&service);
    ada.log_in(ADA, PASSWORD).await.expect(303);
    let mut passwords = [PASSWORD, "staple of batteries"];
    for _ in 0..8 {
        let change = [("current_password", passwords[0]), ("password", passwords[1])];
        ada.post("/account/password", &change).await.expect(303);
        passwords.swap(0, 1);
    }
    service.delivered().await;
    let notes = mail.take();
    assert!(notes.iter().all(|note| note.to == [ADA] && note.header("Subject") == "Your password is changed"));
    assert_eq!(notes.len(), 5);
}

/// Not even by how long it takes: what is done before the answer is the same, and nothing of it is a word to the mail
/// server.
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_known_and_unknown_addresses_are_answered_alike() {
    const COUNT: usize = 200;
    let (service, mail, _) = with_ada().await;
    for index in 0..COUNT {
        service.account(&format!("known{index}")).await;
    }
    for mood in [
        Mood::Slow(Duration::from_millis(200)),
        Mood::Answering("RCPT", "550 no such mailbox"),
        Mood::Answering("RCPT", "451 not now"),
        Mood::Silent,
    ] {
        mail.set(mood.clone());
        let _ = service.journal.take();
        let (mut pages, mut times) = (BTreeSet::new(), Vec::new());
        // in an order in which neither kind comes before the other
        for index in 0..2 * COUNT {
            let kind = [0, 1, 1, 0][index % 4];
            let email = format!("{}{}@example.com", ["known", "unknown"][kind], index / 2);
            let began = Instant::now();
            let answer = Browser::new(&service).post(FORGOT, &[("email", &email)]).await;
            times.push((began.elapsed(), kind));
            let cookie = answer.header("set-cookie").to_owned();
            pages.insert((answer.status, answer.text, cookie));
        }
        assert_eq!(pages.len(), 1, "{mood:?}: {pages:?}");
        assert_eq!(pages.first().unwrap().0, 200, "{mood:?}");
        let work = work(&service, "POST /forgot");
        assert_eq!((work.len(), work.iter().collect::<BTreeSet<_>>().len()), (2 * COUNT, 1), "{mood:?}: {work:?}");
        // Mann and Whitney's U, which is normal with these moments: six deviations are no accident
        times.sort();
        let ranks: usize = times.iter().zip(1..).filter(|((_, kind), _)| *kind == 0).map(|(_, rank)| rank).sum();
        let count = COUNT as f64;
        let (mean, deviation) =
            (count * (2.0 * count + 1.0) / 2.0, (count * count * (2.0 * count + 1.0) / 12.0).sqrt());
        let score = (ranks as f64 - mean) / deviation;
        assert!(score.abs() < 6.0, "{mood:?}: {score}");
    }
}

/// No request waits for a mail server, which delays one process at most.
#[tokio::test]
async fn a_mail_server_that_says_nothing_holds_up_nobody() {
    let (service, mail, ada) = with_ada().await;
    for index in 0..10 {
        service.account(&format!("known{index}")).await;
    }
    mail.set(Mood::Silent);
    let _ = mail.commands();
    for index in 0..10 {
        Browser::new(&service).post(FORGOT, &[("email", &format!("known{index}@example.com"))]).await.expect(200);
    }
    ada.get("/dashboard").await.expect(200);
    assert!(mail.take().is_empty() && mail.commands().is_empty());
    let waiting = service.store().waiting_mails(Utc::now(), Deadline::unhurried()).await.unwrap();
    assert_eq!(waiting.len(), 10, "all were answered before any was sent");
    let (other, now) = (Uuid::new_v4(), Utc::now());
    assert!(!service.store().begin_sending(other, now, Deadline::unhurried()).await.unwrap(), "one sends at a time");
    let later = now + TimeDelta::seconds(31);
    assert!(service.store().begin_sending(other, later, Deadline::unhurried()).await.unwrap(), "but not for ever");
}

#[tokio::test]
async fn a_mail_to_an_unknown_address_is_none() {
    let (service, mail, _) = with_ada().await;
    service.account("tokenonly").await;
    let mut pages = Vec::new();
    for email in [ADA, "bob@example.com", "tokenonly@example.com", "ADA@EXAMPLE.COM", "b.o.b@example.com"] {
        pages.push(Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(200).text);
        service.delivered().await;
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
    let to: Vec<_> = mail.take().into_iter().map(|mail| mail.to[0].clone()).collect();
    assert_eq!(to, [ADA, "tokenonly@example.com", ADA], "to the address as it was registered");
}

#[tokio::test]
async fn five_mails_an_hour_to_an_address_and_twenty_from_a_network() {
    let mail = SmtpServer::start().await;
    let clock = TestClock::at("10:01:00");
    let options = Options { clock: clock.clock(), mail: mail.options(), ..Options::default() };
    let service = TestService::start_with(options).await;
    let forgot = async |address: String, email: &str| {
        let mut event = all("")["web-forgot"].clone();
        event["requestContext"]["http"]["sourceIp"] = address.into();
        event["body"] = format!("email={email}").into();
        event["isBase64Encoded"] = false.into();
        let answer = invoke(&service, &event).await;
        let retry = answer.headers().get("retry-after").map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), retry.unwrap_or_default())
    };
    // nobody's address
    for index in 0..5 {
        assert_eq!(forgot(format!("203.0.113.{index}"), "bob%40example.com").await.0, 200);
    }
    assert_eq!(forgot("203.0.113.9".to_owned(), "BOB%40example.com").await, (429, "3540".to_owned()));
    let from_network = async |index: u32| {
        let (address, email) = (format!("2001:db8::{index}"), format!("a{index}%40example.com"));
        forgot(address, &email).await
    };
    let answers = futures_util::future::join_all((0..21).map(from_network)).await;
    let refused: Vec<_> = answers.iter().filter(|(status, _)| *status == 429).collect();
    assert_eq!((refused.len(), answers.len()), (1, 21), "{answers:?}");
    clock.advance(3540);
    assert_eq!(from_network(0).await.0, 200);
    service.delivered().await;
    assert!(mail.take().is_empty(), "none of these has an account");
}

/// Nobody learns by an answer what the mail server says; what may pass is sent when it has passed.
#[tokio::test]
async fn what_cannot_be_sent_now_is_sent_with_the_next_mail() {
    for mood in [
        Mood::Answering("EHLO", "421 not now"),
        Mood::Answering("AUTH", "535 who are you"),
        Mood::Answering("MAIL", "451 not now"),
        Mood::Answering("DATA", "452 no room"),
        Mood::Slow(Duration::from_secs(30)),
    ] {
        let (service, mail, mut ada) = with_ada().await;
        mail.set(mood.clone());
        let mut anybody = Browser::new(&service);
        anybody.post(FORGOT, &[("email", ADA)]).await.expect(200);
        anybody.post(FORGOT, &[("email", "nobody@example.com")]).await.expect(200);
        anybody.register("Bob", "bob@example.com", PASSWORD).await.expect(200);
        let change = [("email", "new@example.com"), ("email_password", PASSWORD)];
        ada.post("/account/email", &change).await.expect(303);
        // until each was tried
        while service.outbox().await != 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(mail.take().is_empty(), "{mood:?}");
        Browser::new(&service).log_in("bob@example.com", PASSWORD).await.expect(303);
        mail.set(Mood::Kind);
        anybody.post(FORGOT, &[("email", "nobody@example.com")]).await.expect(200);
        service.delivered().await;
        let mut mails: Vec<_> =
            mail.take().into_iter().map(|mail| (mail.to[0].clone(), mail.header("Subject").to_owned())).collect();
        mails.sort();
        let expected = [
            (ADA, "Set a new password"),
            ("bob@example.com", "Confirm your e-mail address"),
            ("new@example.com", "Confirm your new e-mail address"),
        ];
        assert_eq!(mails, expected.map(|(to, about)| (to.to_owned(), about.to_owned())), "{mood:?}");
        Snapshot::of(&service).await.check();
    }
}

/// Nobody else has to ask for one.
#[tokio::test]
async fn what_cannot_be_sent_now_is_sent_in_a_minute_and_after_a_restart() {
    let (mail, folder) = (SmtpServer::start().await, tempfile::tempdir().unwrap());
    let options = || Options { data: Some(folder.path().to_owned()), mail: mail.options(), ..roomy() };
    let service = TestService::start_with(options()).await;
    let reset = async |service: &TestService| {
        mail.set(Mood::Answering("EHLO", "421 not now"));
        let _ = mail.commands();
        Browser::new(service).post(FORGOT, &[("email", ADA)]).await.expect(200);
        while mail.commands().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // nobody sends any more
        while service.outbox().await != 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        mail.set(Mood::Kind);
    };
    service.account("ada").await;
    reset(&service).await;
    loop {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(61)).await;
        tokio::time::resume();
        // a round that the next minute cut short is tried again
        if tokio::time::timeout(Duration::from_secs(2), service.delivered()).await.is_ok() {
            break;
        }
    }
    assert_eq!(mail.only().to, [ADA]);

    reset(&service).await;
    service.stop().await;
    let service = TestService::start_with(options()).await;
    service.delivered().await;
    assert_eq!(mail.only().to, [ADA]);
}

/// Another try would end the same.
#[tokio::test]
async fn what_a_mail_server_refuses_for_good_is_not_sent_again() {
    let (service, mail, _) = with_ada().await;
    mail.set(Mood::Answering("RCPT", "550 no such mailbox"));
    Browser::new(&service).post(FORGOT, &[("email", ADA)]).await.expect(200);
    service.delivered().await;
    mail.set(Mood::Kind);
    Browser::new(&service).post(FORGOT, &[("email", "bob@example.com")]).await.expect(200);
    service.delivered().await;
    assert!(mail.take().is_empty());
    drop(mail);
    for email in [ADA, "bob@example.com"] {
        Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(200);
    }
}

#[tokio::test]
async fn a_new_password_is_noted_by_mail_and_holds_without_it() {
    let (service, mail, mut ada) = with_ada().await;
    ada.post("/account/confirmation", &[]).await.expect(303);
    confirm(&service, &mail, &mut ada).await;
    let new = [("current_password", PASSWORD), ("password", "staple of batteries")];
    ada.post("/account/password", &new).await.expect(303);
    service.delivered().await;
    let note = mail.only();
    assert_eq!((note.header("Subject"), note.to[0].as_str()), ("Your password is changed", ADA));
    mail.set(Mood::Answering("EHLO", "421 not now"));
    let new = [("current_password", "staple of batteries"), ("password", PASSWORD)];
    ada.post("/account/password", &new).await.expect(303);
    Browser::new(&service).log_in(ADA, PASSWORD).await.expect(303);
}

#[tokio::test]
async fn without_mail_the_pages_say_so_and_offer_nothing() {
    let service = TestService::start().await;
    let mut ada = Browser::registered(&service, "ada").await;
    for browser in [&ada, &Browser::new(&service)] {
        let page = browser.get(FORGOT).await.expect(200).text;
        assert!(
            page.contains("This service sends no mail. Ask its operator") && !page.contains("name=\"email\""),
            "{page}"
        );
    }
    let account = ada.get("/account").await.text;
    assert!(!account.contains("/account/email") && !account.contains("/account/confirmation"), "{account}");
    for (path, fields) in [
        (FORGOT, vec![("email", ADA)]),
        ("/account/email", vec![("email", "new@example.com"), ("email_password", PASSWORD)]),
        ("/account/confirmation", vec![]),
    ] {
        let refused = ada.post(path, &fields).await.expect(403);
        assert!(refused.text.contains("This service sends no mail"), "{path}: {}", refused.text);
    }
    // who may not confirm cannot register
    let options = Options { registration: Some(Policy::Confirmed), ..roomy() };
    let refused = server::Service::start(options).await.err().unwrap().to_string();
    assert!(refused.contains("--mail-url"), "{refused}");
}
