//! Thousands of mixed requests of many users while storage fails at random.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use samples::small::pdf;
use serde_json::{Value, json};
use shared::secret::MailSecret;
use tests::api::{Answer, Api};
use tests::browser::Browser;
use tests::invariants::{Snapshot, all_readable};
use tests::random::Random;
use tests::service::TestService;
use tests::smtp::SmtpServer;
use tests::wire::Fault;

const USERS: u64 = 20;
const AT_ONCE: u64 = 40;
/// One wire call in so many meets a fault.
const FAULT_EVERY: u64 = 15;

const TABLE_FAULTS: [Fault; 6] =
    [Fault::Throttle, Fault::ServerError, Fault::LostRequest, Fault::LostAnswer, Fault::Timeout, Fault::Conflict];
const BUCKET_FAULTS: [Fault; 7] = [
    Fault::Throttle,
    Fault::ServerError,
    Fault::LostRequest,
    Fault::LostAnswer,
    Fault::Timeout,
    Fault::ShortBody,
    Fault::Refused(412, "PreconditionFailed"),
];

/// What one worker saw: the analyses that were acknowledged, by user and key.
#[derive(Default)]
struct Seen {
    acknowledged: Vec<(u64, Option<String>, Value)>,
    /// Whether the deletion of an analysis, by its id, was acknowledged; it may have been carried out in any case.
    deleted: BTreeMap<String, bool>,
    statuses: BTreeMap<u16, u64>,
}

/// The console's links to a new password: every mail has one, and each works once.
struct Links {
    mail: SmtpServer,
    origin: String,
    sent: Mutex<Vec<String>>,
    /// How often each was used with success.
    used: Mutex<BTreeMap<String, u64>>,
}

impl Links {
    /// Asks for one more.
    async fn ask(&self, user: u64) -> Answer {
        let email = format!("user{user}@example.com");
        let answer = Browser::at(self.origin.clone()).post("/forgot", &[("email", &email)]).await;
        self.look();
        answer
    }

    /// Takes the mails that have come since the last look.
    fn look(&self) {
        let mails = self.mail.take().into_iter().filter(|mail| mail.header("Subject") == "Set a new password");
        self.sent.lock().unwrap().extend(mails.map(|mail| mail.path(&self.origin)));
    }

    /// Clicks on one twice at once, new or used.
    async fn click(&self, random: &Random) -> Option<Answer> {
        let path = {
            let sent = self.sent.lock().unwrap();
            sent.get(usize::try_from(random.below((sent.len() as u64).max(1))).unwrap())?.clone()
        };
        Some(self.use_twice(path).await)
    }

    /// Clicks on all of them, so that it is not left to chance whether one that works is among those clicked on.
    async fn click_on_all(&self) {
        let sent = self.sent.lock().unwrap().clone();
        for path in sent {
            self.use_twice(path).await;
        }
    }

    async fn use_twice(&self, path: String) -> Answer {
        let (mut one, mut other) = (Browser::at(self.origin.clone()), Browser::at(self.origin.clone()));
        let answers = tokio::join!(
            one.post(&path, &[("password", "the first password")]),
            other.post(&path, &[("password", "the other password")])
        );
        let good = [&answers.0, &answers.1].into_iter().filter(|answer| answer.status == 200).count() as u64;
        *self.used.lock().unwrap().entry(path).or_default() += good;
        answers.1
    }
}

async fn soak(seed: u64, requests: u64, over_sockets: bool) {
    println!("seed {seed}");
    let random = Arc::new(Random::new(seed));
    let mail = SmtpServer::start().await;
    let service = match over_sockets {
        true => TestService::start_mailing_over_sockets(&mail).await,
        false => TestService::start_mailing(&mail).await,
    };
    let origin = service.service().origin();
    let links = Arc::new(Links { mail, origin, sent: Mutex::default(), used: Mutex::default() });
    let mut users = Vec::new();
    for index in 0..USERS {
        users.push(service.account(&format!("user{index}")).await);
    }
    // writes meet each other, as they do in AWS
    service.wire.contend();
    service.wire.set_latency(Duration::from_millis(1));
    let dice = Arc::clone(&random);
    service.wire.plan(move |call| {
        if dice.below(FAULT_EVERY) != 0 {
            return Fault::None;
        }
        match call.operation.as_str() {
            "GetObject" => dice.pick(&BUCKET_FAULTS).clone(),
            "DeleteObject" => dice.pick(&BUCKET_FAULTS[..5]).clone(),
            "TransactWriteItems" => dice.pick(&TABLE_FAULTS).clone(),
            _ => dice.pick(&TABLE_FAULTS[..5]).clone(),
        }
    });
    let users = Arc::new(users);
    let workers: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (random, users, links) = (Arc::clone(&random), Arc::clone(&users), Arc::clone(&links));
            tokio::spawn(async move {
                let mut seen = Seen::default();
                for _ in 0..requests / AT_ONCE {
                    step(&random, &users, &links, &mut seen).await;
                }
                seen
            })
        })
        .collect();
    let mut all = Seen::default();
    for worker in workers {
        let seen = worker.await.unwrap();
        all.acknowledged.extend(seen.acknowledged);
        for (id, acknowledged) in seen.deleted {
            *all.deleted.entry(id).or_default() |= acknowledged;
        }
        for (status, count) in seen.statuses {
            *all.statuses.entry(status).or_default() += count;
        }
    }
    service.wire.heal();
    // what could not be sent goes with the next mail
    for index in 0.. {
        let email = format!("nobody{index}@example.com");
        Browser::at(links.origin.clone()).post("/forgot", &[("email", &email)]).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        if service.outbox().await == 0 {
            break;
        }
    }
    links.look();
    links.click_on_all().await;
    println!("seed {seed}: {:?}, {} analyses acknowledged", all.statuses, all.acknowledged.len());
    verify(&service, &users, &all).await;
    verify_links(&service, &links).await;
}

/// One request of one user, or the three of a staged upload.
async fn step(random: &Random, users: &[Api], links: &Links, seen: &mut Seen) {
    let user = random.below(USERS);
    let api = &users[usize::try_from(user).unwrap()];
    let mut acknowledge = |key: Option<String>, answer: &Answer| {
        if answer.status == 200 {
            seen.acknowledged.push((user, key, answer.json["data"].clone()));
        }
    };
    let answer = match random.below(100) {
        0..40 => {
            let answer = api.analyze("a.pdf", pdf("A")).await;
            acknowledge(None, &answer);
            answer
        }
        40..55 => {
            let key = format!("key-{}", random.below(10));
            let answer = api.analyze_once(&key, "a.pdf", pdf("A")).await;
            acknowledge(Some(key), &answer);
            answer
        }
        55..65 => {
            let ticket = api.post("/pdf/uploads", &json!({ "filename": "s.pdf", "file_size": pdf("S").len() })).await;
            if ticket.status == 201 {
                let ticket = &ticket.json["data"];
                api.put(ticket, pdf("S")).await.expect(200);
                let upload = ticket["upload_id"].as_str().unwrap();
                // twice at once: the second is the first's repeat
                let (one, other) = tokio::join!(api.analyze_staged(upload), api.analyze_staged(upload));
                acknowledge(Some(upload.to_owned()), &one);
                acknowledge(Some(upload.to_owned()), &other);
                other
            } else {
                ticket
            }
        }
        65..70 => api.analyze("bad.pdf", b"%PDF-1.4 broken".to_vec()).await,
        70..85 => api.get("/user").await,
        85..87 => api.get("/pdf?per_page=5").await,
        87..89 => links.ask(user).await,
        89..91 => match links.click(random).await {
            Some(answer) => answer,
            None => links.ask(user).await,
        },
        91..95 => {
            let of_user = seen.acknowledged.iter().filter(|(of, _, _)| *of == user);
            let ids: Vec<_> = of_user.map(|(_, _, data)| data["id"].as_str().unwrap().to_owned()).collect();
            if ids.is_empty() {
                api.get("/pdf?page=2&per_page=3").await
            } else {
                let id = random.pick(&ids);
                let answer = api.delete(&format!("/pdf/{id}")).await;
                *seen.deleted.entry(id.clone()).or_default() |= answer.status == 200;
                answer
            }
        }
        _ => {
            let made = api.post("/tokens", &json!({ "name": "t" })).await;
            match made.json["data"]["id"].as_str() {
                Some(id) => api.delete(&format!("/tokens/{id}")).await,
                None => made,
            }
        }
    };
    *seen.statuses.entry(answer.status).or_default() += 1;
    assert!(matches!(answer.status, 200 | 201 | 404 | 422 | 429 | 503), "{}: {}", answer.status, answer.text);
    assert_eq!(answer.status == 503, answer.header("retry-after") == "1", "{}", answer.text);
}

async fn verify(service: &TestService, users: &[Api], seen: &Seen) {
    let snapshot = Snapshot::of(service).await;
    snapshot.check();
    let mut ids_by_key: BTreeMap<(u64, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut keyless = BTreeSet::new();
    for (user, key, data) in &seen.acknowledged {
        let id = data["id"].as_str().unwrap();
        match key {
            Some(key) => {
                ids_by_key.entry((*user, key)).or_default().insert(id);
            }
            None => assert!(keyless.insert(id), "two requests got the same analysis {id}"),
        }
    }
    for (key, ids) in &ids_by_key {
        assert_eq!(ids.len(), 1, "more than one analysis for {key:?}");
    }
    for (index, api) in (0_u64..).zip(users.iter().map(Api::patient)) {
        let of_user = seen.acknowledged.iter().filter(|(user, _, _)| *user == index);
        let (deleted, kept): (Vec<_>, Vec<_>) = of_user
            .map(|(_, _, data)| data.clone())
            .partition(|data| seen.deleted.contains_key(data["id"].as_str().unwrap()));
        all_readable(&api, &kept).await;
        for id in deleted.iter().map(|data| data["id"].as_str().unwrap()).filter(|id| seen.deleted[*id]) {
            api.get(&format!("/pdf/{id}")).await.expect(404);
        }
        assert_eq!(
            snapshot.rows(&api.user().to_string(), "TOKEN#").count(),
            usize::try_from(tokens_listed(&api).await).unwrap()
        );
    }
}

/// A secret works once, and is gone then.
async fn verify_links(service: &TestService, links: &Links) {
    let snapshot = Snapshot::of(service).await;
    let used = links.used.lock().unwrap().clone();
    for (path, times) in &used {
        assert!(*times <= 1, "{path} was used {times} times");
        let secret = MailSecret::parse(path.strip_prefix("/reset/").unwrap()).unwrap();
        let user = secret.user.to_string();
        let rows = snapshot.rows(&user, "MAIL#RESET").filter(|row| {
            row.get("secret_sha256")
                .and_then(|hash| hash.as_b().ok())
                .is_some_and(|hash| hash.as_ref() == secret.hash().as_bytes())
        });
        assert!(*times == 0 || rows.count() == 0, "{path} was used and is still there");
    }
    let (sent, good) = (links.sent.lock().unwrap().len(), used.values().sum::<u64>());
    println!("{sent} links sent, {} clicked on, {good} used", used.len());
    assert!(sent > 0 && good > 0);
}

async fn tokens_listed(api: &Api) -> u64 {
    api.get("/tokens").await.expect(200).json["data"].as_array().unwrap().len() as u64
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_requests_with_faults() {
    soak(4, 1_000, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_requests_with_faults_over_sockets() {
    soak(5, 200, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; runs every night"]
async fn five_thousand_requests_with_faults_seed_1() {
    soak(1, 5_000, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; runs every night"]
async fn five_thousand_requests_with_faults_seed_2() {
    soak(2, 5_000, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; runs every night"]
async fn five_thousand_requests_with_faults_seed_3() {
    soak(3, 5_000, false).await;
}
