//! Mail: what is sent when, to whom, and what is answered meanwhile.

use std::time::Duration;

use server::Options;
use shared::registration::Policy;
use tests::browser::{Browser, PASSWORD};
use tests::clock::TestClock;
use tests::events::{all, invoke};
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};
use tests::smtp::{FROM, Mood, SmtpServer};
use tokio::time::Instant;

const ADA: &str = "ada@example.com";
const FORGOT: &str = "/forgot";

/// A service with a mail server, where Ada has registered and looked into her mailbox.
async fn with_ada() -> (TestService, SmtpServer, Browser) {
    let mail = SmtpServer::start().await;
    let service = TestService::start_mailing(&mail).await;
    let ada = registered(&service).await;
    let _ = mail.take();
    (service, mail, ada)
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

#[tokio::test]
async fn registering_a_taken_address_is_answered_as_a_new_one_and_the_mail_tells() {
    let (service, mail, _) = with_ada().await;
    let mut eve = Browser::new(&service);
    let mut pages = Vec::new();
    let mut times = Vec::new();
    for email in ["ADA@example.com", "new@example.com", "ada@example.com", "other@example.com"] {
        let began = Instant::now();
        let answer = eve.register("Buy at evil.example", email, "another password").await.expect(200);
        times.push(began.elapsed());
        pages.push((answer.text.clone(), answer.header("set-cookie").to_owned()));
    }
    pages.dedup();
    assert_eq!(pages.len(), 1, "{pages:?}");
    assert!(*times.iter().max().unwrap() < *times.iter().min().unwrap() + Duration::from_millis(400), "{times:?}");
    let mails = mail.take();
    let subjects: Vec<_> = mails.iter().map(|mail| (mail.to[0].as_str(), mail.header("Subject"))).collect();
    let (taken, new) = ("You have an account already", "Confirm your e-mail address");
    let expected = [("ADA@example.com", taken), ("new@example.com", new), (ADA, taken), ("other@example.com", new)];
    assert_eq!(subjects, expected);
    for mail in &mails {
        assert!(!mail.raw.contains("evil.example"), "strangers write in nobody's mail: {}", mail.raw);
        assert_eq!((mail.from.as_str(), mail.login.as_deref()), ("pdf@example.com", Some("pdf")));
        assert_eq!(
            (mail.header("From"), mail.header("Auto-Submitted")),
            ("\"PDF Analysis\" <pdf@example.com>", "auto-generated")
        );
        assert!(FROM.contains("pdf@example.com") && mail.header("Message-ID").ends_with("@example.com>"));
        for word in ["src=", "<img", "<script", "<link"] {
            assert!(!mail.part("text/html").contains(word));
        }
    }
    // Ada's account is as it was
    Browser::new(&service).log_in(ADA, PASSWORD).await.expect(303);
    eve.log_in(ADA, "another password").await.expect(422);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.users(), 3);
}

#[tokio::test]
async fn nobody_s_mailbox_is_filled_by_who_tries_its_address() {
    let (service, mail, _) = with_ada().await;
    for _ in 0..7 {
        Browser::new(&service).register("Eve", ADA, "another password").await.expect(200);
    }
    assert_eq!(mail.take().len(), 5);
}

#[tokio::test]
async fn known_and_unknown_addresses_are_answered_alike_and_as_late() {
    let (service, mail, _) = with_ada().await;
    service.account("tokenonly").await;
    let mut pages = Vec::new();
    let mut times = Vec::new();
    for email in [ADA, "bob@example.com", "tokenonly@example.com", "ADA@EXAMPLE.COM", "b.o.b@example.com"] {
        let began = Instant::now();
        let answer = Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(200);
        times.push(began.elapsed());
        pages.push(answer.text);
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
    let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!(*least > Duration::from_millis(1400) && *most < *least + Duration::from_millis(400), "{times:?}");
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
    assert!(mail.take().is_empty(), "none of these has an account");
}

#[tokio::test]
async fn an_account_that_waits_has_nothing_until_its_address_is_confirmed() {
    let mail = SmtpServer::start().await;
    let options = Options { mail: mail.options(), registration: Some(Policy::Confirmed), ..roomy() };
    let service = TestService::start_with(options).await;
    let mut ada = registered(&service).await;
    let first = mail.only();
    let dashboard = ada.get("/dashboard").await.expect(200).text;
    assert!(dashboard.contains("until your address is confirmed, your account has no analyses"), "{dashboard}");
    let refused = ada.upload("a.pdf", samples::small::pdf("A")).await.expect(429);
    assert!(refused.text.contains("until its e-mail address is confirmed"), "{}", refused.text);
    let body = serde_json::json!({ "filename": "a.pdf", "file_size": 100 });
    let refused = ada.script("/dashboard/uploads", &body).await.expect(429);
    assert_eq!(refused.json["error"]["code"], "daily_limit_exceeded");
    assert!(
        refused.text.contains("until its e-mail address is confirmed") && !refused.header("retry-after").is_empty()
    );
    assert!(ada.get("/tokens").await.text.contains("until your address is confirmed, your account can have no token"));
    let refused = ada.post("/tokens", &[("name", "laptop")]).await.expect(422);
    assert!(refused.text.contains("confirm your e-mail address first") && !refused.text.contains("pdfa_"));

    // another mail takes the first one's place
    assert_eq!(ada.post("/account/confirmation", &[]).await.expect(303).header("location"), "/account?sent");
    let second = mail.only();
    let stranger = Browser::new(&service);
    stranger.get(&first.path(&service.service().origin())).await.expect(404);
    let path = second.path(&service.service().origin());
    let page = stranger.get(&path).await.expect(200);
    assert!(page.text.contains("ada@example.com is your address") && page.text.contains("method=\"post\""));
    assert!(ada.upload("a.pdf", samples::small::pdf("A")).await.status == 429, "looking is not confirming");
    let done = stranger.clone().post(&path, &[]).await.expect(200);
    assert!(done.text.contains("Your address is confirmed"));
    ada.upload("a.pdf", samples::small::pdf("A")).await.expect(303);
    assert!(ada.get("/dashboard").await.text.contains("49</strong>"));
    assert!(ada.post("/tokens", &[("name", "laptop")]).await.expect(200).text.contains("pdfa_"));
    assert!(!ada.get("/account").await.text.contains("Confirm your address"));
    stranger.get(&path).await.expect(404);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn where_registration_is_open_confirming_is_offered_and_not_required() {
    let (service, mail, mut ada) = with_ada().await;
    ada.upload("a.pdf", samples::small::pdf("A")).await.expect(303);
    assert!(ada.post("/tokens", &[("name", "laptop")]).await.expect(200).text.contains("pdfa_"));
    assert!(ada.get("/account").await.text.contains("Confirm your address"));
    ada.post("/account/confirmation", &[]).await.expect(303);
    let path = mail.only().path(&service.service().origin());
    Browser::new(&service).post(&path, &[]).await.expect(200);
    assert!(!ada.get("/account").await.text.contains("Confirm your address"));
    // then there is nothing to confirm
    assert_eq!(ada.post("/account/confirmation", &[]).await.expect(303).header("location"), "/account");
    assert!(mail.take().is_empty());
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_cannot_be_sent_now_is_put_off_and_changes_nothing() {
    let (service, mail, mut ada) = with_ada().await;
    let kept = |snapshot: &Snapshot| {
        let text = snapshot.text_without("ADDRESS#");
        let lines = text.lines().filter(|line| !line.contains("LOGIN#") && !line.contains("MAILS#HOUR"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let before = kept(&Snapshot::of(&service).await);
    for mood in [
        Mood::Answering("EHLO", "421 not now"),
        Mood::Answering("AUTH", "535 who are you"),
        Mood::Answering("MAIL", "451 not now"),
        Mood::Answering("DATA", "452 no room"),
        Mood::Slow(Duration::from_secs(30)),
    ] {
        mail.set(mood.clone());
        let mut anybody = Browser::new(&service);
        let began = Instant::now();
        let (forgot, registered) = tokio::join!(
            async { Browser::new(&service).post(FORGOT, &[("email", ADA)]).await },
            anybody.register("Bob", "bob@example.com", PASSWORD)
        );
        for answer in [forgot, registered] {
            assert_eq!(answer.clone().expect(503).header("retry-after"), "1", "{mood:?}");
            assert!(answer.text.contains("try again"), "{}", answer.text);
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{mood:?}: {:?}", began.elapsed());
        assert_eq!(kept(&Snapshot::of(&service).await), before, "{mood:?}");
    }
    let change = [("email", "new@example.com"), ("email_password", PASSWORD)];
    ada.post("/account/email", &change).await.expect(503);
    assert_eq!(kept(&Snapshot::of(&service).await), before);
    mail.set(Mood::Kind);
    let _ = mail.take();
    Browser::new(&service).register("Bob", "bob@example.com", PASSWORD).await.expect(200);
    Browser::new(&service).log_in("bob@example.com", PASSWORD).await.expect(303);
}

/// Who asked would else learn which address is somebody's.
#[tokio::test]
async fn what_a_mail_server_refuses_for_good_or_is_not_there_tells_nothing() {
    let (service, mail, _) = with_ada().await;
    mail.set(Mood::Answering("RCPT", "550 no such mailbox"));
    let mut pages = Vec::new();
    for email in [ADA, "bob@example.com"] {
        pages.push(Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(200).text);
    }
    assert_eq!(pages[0], pages[1]);
    for mood in [Mood::Answering("AUTH", "535 who are you"), Mood::Answering("EHLO", "421 not now")] {
        mail.set(mood);
        for email in [ADA, "bob@example.com"] {
            Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(503);
        }
    }
    drop(mail);
    for email in [ADA, "bob@example.com"] {
        Browser::new(&service).post(FORGOT, &[("email", email)]).await.expect(503);
    }
}

#[tokio::test]
async fn a_new_password_is_noted_by_mail_and_holds_without_it() {
    let (service, mail, mut ada) = with_ada().await;
    let new = [("current_password", PASSWORD), ("password", "staple of batteries")];
    ada.post("/account/password", &new).await.expect(303);
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
