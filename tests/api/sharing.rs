//! POST and DELETE /pdf/{id}/share, and what a link opens.

mod opened;

use futures_util::future::join_all;
use reqwest::Method;
use samples::pdf::Pdf;
use samples::small::pdf;
use serde_json::{Value, json};
use server::{Listen, Options};
use shared::secret::ShareSecret;
use tests::api::{Answer, Api, persistently, send};
use tests::browser::Browser;
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::rows::fill;
use tests::service::{TestService, roomy};
use tests::wire::Fault;

const DAY: u64 = 24 * 60 * 60;

async fn analyzed(api: &Api, name: &str) -> Value {
    api.patient().analyze(name, pdf(name)).await.expect(200).json["data"].clone()
}

async fn share(api: &Api, id: &str, days: Option<u64>) -> Answer {
    let (path, body) = (format!("/pdf/{id}/share"), json!({ "expires_in_days": days }));
    api.post(&path, &body).await
}

/// The path of the link that an answer gives.
fn link(answer: &Answer, api: &Browser) -> String {
    let url = answer.json["data"]["url"].as_str().unwrap();
    url.strip_prefix(api.origin()).unwrap().to_owned()
}

/// What listens everywhere, or stands behind a proxy, is called as its users call it, unless it is told.
#[tokio::test]
async fn a_link_of_a_server_behind_a_proxy_leads_to_the_host_that_was_asked() {
    let everywhere = Listen::At(([0, 0, 0, 0], 0).into());
    let told = Some("https://told.example.com".to_owned());
    for (options, origin) in [
        (Options { behind_proxy: true, ..roomy() }, "https://pdf.example.com"),
        (Options { listen: everywhere, behind_proxy: true, ..roomy() }, "https://pdf.example.com"),
        (Options { listen: everywhere, ..roomy() }, "http://pdf.example.com"),
        (Options { behind_proxy: true, origin: told, ..roomy() }, "https://told.example.com"),
    ] {
        let service = TestService::start_with(options).await;
        let ada = service.account("ada").await;
        let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
        let request = ada.request(Method::POST, &format!("/pdf/{id}/share"));
        let request = request.header("host", "pdf.example.com").header("x-forwarded-for", "203.0.113.7");
        let shared = send(request.header("x-forwarded-proto", "https").json(&json!({}))).await.expect(201);
        let url = shared.json["data"]["url"].as_str().unwrap();
        assert!(url.starts_with(&format!("{origin}/s/")), "{url}");
    }
}

#[tokio::test]
async fn a_link_leads_to_the_console_whatever_a_request_calls_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
    let request = ada.request(Method::POST, &format!("/pdf/{id}/share")).header("host", "evil.example");
    let shared = send(request.json(&json!({}))).await.expect(201);
    link(&shared, &Browser::new(&service));

    let eve = Browser::registered(&service, "eve").await;
    let location = eve.upload("a.pdf", pdf("A")).await.expect(303).header("location").to_owned();
    for path in [format!("{location}/share"), "/tokens".to_owned()] {
        let request = eve.request(Method::POST, &path).header("host", "evil.example");
        let request = request.header("origin", "http://evil.example");
        let page = send(request.form(&[("csrf", &eve.csrf().await), ("name", &"laptop".to_owned())])).await.expect(200);
        assert!(page.text.contains(eve.origin()) && !page.text.contains("evil.example"), "{path}: {}", page.text);
    }
}

#[tokio::test]
async fn a_link_ends_with_its_time_its_analysis_and_its_account() {
    let clock = TestClock::at("12:00:00");
    let service = TestService::start_at(&clock).await;
    let (ada, anybody) = (service.account("ada").await, Browser::new(&service));
    let mut links = Vec::new();
    for days in [Some(7), Some(30), Some(90), None] {
        let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
        let shared = share(&ada, &id, days).await.expect(201);
        links.push((id, link(&shared, &anybody)));
    }
    let opened = async || {
        let answers = join_all(links.iter().map(|(_, path)| anybody.get(path))).await;
        answers.iter().map(|answer| answer.status).collect::<Vec<_>>()
    };
    clock.advance(7 * DAY - 1);
    assert_eq!(opened().await, [200, 200, 200, 200]);
    clock.advance(1);
    assert_eq!(opened().await, [404, 200, 200, 200]);
    // what has ended by itself cannot be ended
    ada.delete(&format!("/pdf/{}/share", links[0].0)).await.expect(404);
    clock.advance(83 * DAY - 1);
    assert_eq!(opened().await, [404, 404, 200, 200]);
    clock.advance(1_000 * DAY);
    assert_eq!(opened().await, [404, 404, 404, 200]);
    Snapshot::of(&service).await.check();
    for (id, _) in &links[..2] {
        ada.delete(&format!("/pdf/{id}")).await.expect(200);
    }
    Snapshot::of(&service).await.check();
    ada.delete(&format!("/pdf/{}", links[3].0)).await.expect(200);
    assert_eq!(opened().await, [404; 4]);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.links(), 1, "that of the third is left to the table");
}

#[tokio::test]
async fn the_links_of_a_closed_account_open_nothing() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let anybody = Browser::new(&service);
    let mut links = Vec::new();
    for account in [&ada, &bob] {
        let id = analyzed(account, "a.pdf").await["id"].as_str().unwrap().to_owned();
        links.push(link(&share(account, &id, None).await.expect(201), &anybody));
    }
    let store = service.store();
    let deadline = shared::deadline::Deadline::unhurried;
    store.disable_account(ada.user(), chrono::Utc::now(), deadline()).await.unwrap();
    anybody.get(&links[0]).await.expect(404);
    store.enable_account(ada.user(), deadline()).await.unwrap();
    anybody.get(&links[0]).await.expect(200);
    store.delete_account(ada.user(), None, deadline()).await.unwrap();
    anybody.get(&links[0]).await.expect(404);
    anybody.get(&links[1]).await.expect(200);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.links(), 1);
}

#[tokio::test]
async fn guessing_links_is_limited_by_network() {
    let clock = TestClock::at("12:00:00");
    let service = TestService::start_at(&clock).await;
    let (ada, anybody) = (service.account("ada").await, Browser::new(&service));
    let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
    let path = link(&share(&ada, &id, None).await.expect(201), &anybody);
    // what is right, and what cannot be, is not counted
    for _ in 0..30 {
        anybody.get(&path).await.expect(200);
        anybody.get("/s/x").await.expect(404);
    }
    for _ in 0..50 {
        let guess = ShareSecret::random().unwrap().reveal();
        anybody.get(&format!("/s/{guess}")).await.expect(404);
    }
    let refused = anybody.get(&format!("/s/{}/json", ShareSecret::random().unwrap().reveal())).await.expect(429);
    assert_eq!((refused.header("retry-after"), refused.header("x-robots-tag")), ("900", "noindex"));
    // a link that is good is no guess, whoever else of the network has guessed
    anybody.get(&path).await.expect(200);
    anybody.get(&format!("{path}/json")).await.expect(200);
    clock.advance(15 * 60);
    anybody.get(&format!("/s/{}", ShareSecret::random().unwrap().reveal())).await.expect(404);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_title_is_shown_as_what_it_is() {
    let service = TestService::start().await;
    let (ada, anybody) = (service.account("ada").await, Browser::new(&service));
    // A, right-to-left override, knaB: it would read as a bank
    let file = Pdf::new(1).info("/Title <FEFF0041202E006B006E00610042>").classic();
    let id = ada.analyze("a.pdf", file).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
    let path = link(&share(&ada, &id, None).await.expect(201), &anybody);
    let page = anybody.get(&path).await.expect(200).text;
    assert!(page.contains("AknaB") && !page.contains('\u{202e}'), "{page}");
    // programs get what the file says
    let json = anybody.get(&format!("{path}/json")).await.expect(200).json;
    assert_eq!(json["metadata"]["document"]["title"], "A\u{202e}knaB");
}

#[tokio::test]
async fn a_page_of_another_site_makes_nobodys_browser_guess() {
    let clock = TestClock::at("12:00:00");
    let service = TestService::start_at(&clock).await;
    let anybody = Browser::new(&service);
    let guess = async |site: &str, dest: &str| {
        let path = format!("/s/{}", ShareSecret::random().unwrap().reveal());
        let request = anybody.request(Method::GET, &path).header("sec-fetch-site", site).header("sec-fetch-dest", dest);
        send(request).await.status
    };
    for _ in 0..60 {
        assert_eq!(guess("cross-site", "image").await, 404);
    }
    // a link that was followed is its reader's doing
    for _ in 0..50 {
        assert_eq!(guess("cross-site", "document").await, 404);
    }
    assert_eq!(guess("cross-site", "document").await, 429);
    assert_eq!(guess("cross-site", "image").await, 404);
}

#[tokio::test]
async fn what_is_asked_badly_or_is_another_s_is_refused() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
    let path = format!("/pdf/{id}/share");
    for days in [json!(8), json!(0), json!(-7), json!(7.5), json!([7]), json!("x"), json!(true)] {
        let answer = ada.post(&path, &json!({ "expires_in_days": days })).await.expect(422);
        let reason = answer.json["error"]["details"]["fields"]["expires_in_days"][0].as_str().unwrap();
        assert!(reason.contains("7, 30 or 90"), "{days}: {reason}");
    }
    ada.post(&path, &json!([])).await.expect(400);
    send(ada.request(Method::POST, &path)).await.expect(415);
    bob.post(&path, &json!({})).await.expect(404);
    bob.delete(&path).await.expect(404);
    ada.post("/pdf/x/share", &json!({})).await.expect(404);
    assert!(!Snapshot::of(&service).await.text().contains("share_sha256"));
    ada.post(&path, &json!({})).await.expect(201);
    bob.delete(&path).await.expect(404);
    ada.delete(&path).await.expect(200);
}

/// An account's ids, newest first.
async fn ids(api: &Api, count: usize) -> Vec<String> {
    let mut found = Vec::new();
    while found.len() < count {
        let page = api.get(&format!("/pdf?per_page=100&page={}", found.len() / 100 + 1)).await.expect(200);
        found.extend(page.json["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()));
    }
    found
}

#[tokio::test]
async fn an_account_has_a_hundred_active_links_and_those_that_ended_count_no_more() {
    let clock = TestClock::at("12:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 140, |_| None).await;
    let ids = ids(&ada, 140).await;
    for id in &ids[..60] {
        share(&ada, id, Some(7)).await.expect(201);
    }
    for id in &ids[60..100] {
        share(&ada, id, None).await.expect(201);
    }
    let refused = share(&ada, &ids[100], Some(7)).await.expect(422);
    assert_eq!(refused.code(), "validation_failed");
    assert!(refused.json["error"]["details"]["fields"]["id"][0].as_str().unwrap().contains("100 links"));
    // another link in an old one's place is no more than there were
    share(&ada, &ids[0], Some(7)).await.expect(201);
    // one that is ended or goes with its analysis makes room
    ada.delete(&format!("/pdf/{}/share", ids[99])).await.expect(200);
    share(&ada, &ids[100], None).await.expect(201);
    ada.delete(&format!("/pdf/{}", ids[100])).await.expect(200);
    share(&ada, &ids[101], None).await.expect(201);
    share(&ada, &ids[102], None).await.expect(422);
    // sixty end by themselves, and room is made for sixty
    clock.advance(7 * DAY);
    for id in ids[102..140].iter().chain(&ids[..21]).chain(&ids[99..100]) {
        share(&ada, id, None).await.expect(201);
    }
    let left: Vec<_> = ids[21..60].iter().collect();
    share(&ada, left[0], None).await.expect(422);
    let snapshot = Snapshot::of(&service).await;
    snapshot.check_numbers(&ada.user().to_string());
}

#[tokio::test]
async fn what_fails_on_the_way_shares_whole_or_not_at_all() {
    for fault in
        [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout, Fault::Conflict]
    {
        let service = TestService::start().await;
        let (ada, anybody) = (service.account("ada").await, Browser::new(&service));
        let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
        let fail_once = || {
            let (met, hit) = (std::sync::atomic::AtomicBool::new(false), fault.clone());
            service.wire.plan(move |call| {
                let meets =
                    call.operation == "TransactWriteItems" && !met.swap(true, std::sync::atomic::Ordering::SeqCst);
                if meets { hit.clone() } else { Fault::None }
            });
        };
        for _ in 0..2 {
            fail_once();
            let shared = share(&ada, &id, Some(7)).await.expect(201);
            anybody.get(&link(&shared, &anybody)).await.expect(200);
            Snapshot::of(&service).await.check();
        }
        fail_once();
        ada.delete(&format!("/pdf/{id}/share")).await.expect(200);
        Snapshot::of(&service).await.check();
        share(&ada, &id, None).await.expect(201);
        fail_once();
        ada.delete(&format!("/pdf/{id}")).await.expect(200);
        let snapshot = Snapshot::of(&service).await;
        snapshot.check();
        assert_eq!(snapshot.links(), 0, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_links_at_once_one_stays_and_none_outlives_its_analysis() {
    let service = TestService::start().await;
    let (ada, anybody) = (service.account("ada").await.patient(), Browser::new(&service));
    let id = analyzed(&ada, "a.pdf").await["id"].as_str().unwrap().to_owned();
    service.wire.contend();
    let path = format!("/pdf/{id}/share");
    let once = || persistently(|| async { share(&ada, &id, Some(30)).await });
    let made = join_all((0..12).map(|_| once())).await;
    let opened = join_all(made.into_iter().map(|answer| {
        let path = link(&answer.expect(201), &anybody);
        let anybody = anybody.clone();
        async move { anybody.get(&path).await.status }
    }));
    let opened = opened.await;
    assert_eq!(opened.iter().filter(|status| **status == 200).count(), 1, "{opened:?}");
    Snapshot::of(&service).await.check();
    // links made and ended while the analysis goes
    let makes = join_all((0..6).map(|_| once()));
    let ends = join_all((0..6).map(|_| persistently(|| ada.delete(&path))));
    let gone = format!("/pdf/{id}");
    let (makes, ends, deleted) = tokio::join!(makes, ends, persistently(|| ada.delete(&gone)));
    deleted.expect(200);
    assert!(makes.iter().all(|answer| [201, 404].contains(&answer.status)));
    assert!(ends.iter().all(|answer| [200, 404].contains(&answer.status)));
    let snapshot = Snapshot::of(&service).await;
    snapshot.check();
    assert_eq!(snapshot.links(), 0);
}

/// Each is counted in the account by what the others left.
#[tokio::test(flavor = "multi_thread")]
async fn links_to_many_analyses_at_once_are_all_made() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 60, |_| None).await;
    let ids = ids(&ada, 60).await;
    service.wire.contend();
    let made = join_all(ids.iter().map(|id| share(&ada, id, Some(7)))).await;
    assert!(made.iter().all(|answer| answer.status == 201), "{made:?}");
    let ended = join_all(ids.iter().map(|id| {
        let ada = &ada;
        async move { ada.delete(&format!("/pdf/{id}/share")).await }
    }))
    .await;
    assert!(ended.iter().all(|answer| answer.status == 200), "{ended:?}");
    let snapshot = Snapshot::of(&service).await;
    snapshot.check_numbers(&ada.user().to_string());
    assert_eq!(snapshot.links(), 0);
}
