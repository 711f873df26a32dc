//! Staged uploads: a ticket, a PUT straight to the bucket, an analysis by ranged reads.

use std::time::Duration;

use aws_sdk_s3::config::Region;
use aws_sdk_s3::presigning::PresigningConfig;
use reqwest::{Method, Url};
use samples::pdf::{Cipher, Pdf, encrypted};
use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use server::Options;
use tests::api::{Answer, Api};
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::service::{TestService, local, plain_http, roomy};

#[tokio::test]
async fn a_staged_file_is_analysed_once_and_deleted() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let ticket = ada.ticket("r\u{e9}sum\u{e9} 50%.pdf", pdf("A").len()).await;
    assert_eq!(ticket["method"], "PUT");
    assert!(ticket["expires_at"].as_str().unwrap().ends_with('Z'));
    ada.put(&ticket, pdf("A")).await.expect(200);
    let upload = ticket["upload_id"].as_str().unwrap();

    let first = ada.analyze_staged(upload).await.expect(200);
    assert_eq!(first.json["data"]["filename"], "r\u{e9}sum\u{e9} 50%.pdf");
    assert_eq!(first.json["data"]["metadata"]["document"]["title"], "A");
    assert_eq!(first.json["remaining_checks"], 49);
    assert!(Snapshot::of(&service).await.objects().is_empty());

    let repeat = ada.analyze_staged(upload).await.expect(200);
    assert_eq!(repeat.text, first.text);
    assert_eq!(ada.used().await, 1);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_large_staged_file_is_read_by_its_ends() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let upload = ada.stage("large.pdf", pdf_of_size("Large", 104_857_600)).await;
    service.wire.set_latency(Duration::from_millis(20));
    let _ = service.wire.take();
    let answer = ada.analyze_staged(&upload).await.expect(200);
    assert_eq!(answer.json["data"]["file_size"], 104_857_600);
    let traffic = service.wire.take();
    let gets = traffic.count("GetObject");
    println!("100 MB staged: {gets} GETs, {} rounds, {} bytes", traffic.get_rounds, traffic.got);
    assert!(gets <= 8 && traffic.get_rounds <= 3 && traffic.got < 1_000_000, "{traffic:?}");
    // beside them: authentication, last_used_at, the commit, the deletion
    assert!(traffic.rounds <= traffic.get_rounds + 4, "{traffic:?}");
}

#[tokio::test]
async fn a_damaged_staged_file_is_scanned_in_large_steps() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut pdf = Pdf::new(1).info("/Title (Repaired)");
    for number in 100..1100 {
        pdf = pdf.with_stream(number, "", &[b'x'; 10_000]);
    }
    let file = replaced(pdf.classic(), b"startxref", b"startxxxx");
    let upload = ada.stage("damaged.pdf", file).await;
    let _ = service.wire.take();
    let answer = ada.analyze_staged(&upload).await.expect(200);
    assert_eq!(answer.json["data"]["metadata"]["structure"]["repaired"], true);
    assert_eq!(answer.json["data"]["metadata"]["document"]["title"], "Repaired");
    let traffic = service.wire.take();
    let gets = traffic.count("GetObject");
    assert!(gets <= 30, "{gets} GETs for 10 MB");
}

fn replaced(mut file: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = file.windows(old.len()).rposition(|window| window == old).unwrap();
    file[at..at + new.len()].copy_from_slice(new);
    file
}

#[tokio::test]
async fn what_was_not_staged_by_the_caller_is_not_found() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let foreign = ada.stage("a.pdf", pdf("A")).await;
    let empty = ada.ticket("b.pdf", 100).await["upload_id"].as_str().unwrap().to_owned();
    for (api, upload) in [
        (&bob, foreign.as_str()),
        (&ada, empty.as_str()),
        (&ada, "00000000-0000-4000-8000-000000000000"),
        (&ada, "../../etc/passwd"),
        (&ada, ""),
    ] {
        let pair = api.post("/pdf/compare", &json!({ "before": upload, "after": upload })).await;
        for answer in [api.analyze_staged(upload).await, pair] {
            let answer = answer.expect(404);
            assert_eq!(answer.code(), "not_found", "{upload}");
            let said = answer.json["message"].as_str().unwrap();
            assert!(said.starts_with("No uploaded file has this upload_id"), "{said}");
        }
    }
    assert_eq!((ada.used().await, bob.used().await), (0, 0));
    ada.analyze_staged(&foreign).await.expect(200);
}

/// The bucket forgets by whole days, within two of them; nothing is analyzed after one.
#[tokio::test]
async fn a_file_whose_ticket_is_a_day_old_is_not_found() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let mut uploads = Vec::new();
    for name in ["a.pdf", "b.pdf"] {
        let upload = ada.ticket(name, pdf("A").len()).await["upload_id"].as_str().unwrap().to_owned();
        // beside the ticket, whose signature is good on another day only
        let put = service.service().s3().put_object().bucket(&service.service().template().bucket.name);
        let put = put.key(format!("uploads/{}/{upload}", ada.user())).metadata("filename", name);
        put.body(pdf("A").into()).send().await.unwrap();
        uploads.push(upload);
    }
    clock.advance(24 * 3600);
    ada.analyze_staged(&uploads[0]).await.expect(200);
    clock.advance(1);
    assert_eq!(ada.analyze_staged(&uploads[1]).await.expect(404).code(), "not_found");
    // what was answered is answered for as long as answers are kept
    ada.analyze_staged(&uploads[0]).await.expect(200);
}

#[tokio::test]
async fn tickets_are_checked() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (body, status, code) in [
        (json!({}), 422, "validation_failed"),
        (json!({ "filename": "a.pdf" }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": 0 }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": -1 }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": 1.5 }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": "01" }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": "1" }), 201, ""),
        (json!({ "filename": 1, "file_size": 1 }), 422, "validation_failed"),
        (json!({ "filename": "a.pdf", "file_size": 104_857_601 }), 413, "file_too_large"),
        (json!({ "filename": "a.pdf", "file_size": 104_857_600 }), 201, ""),
        (json!({ "filename": "a.pdf", "file_size": 5.0 }), 201, ""),
    ] {
        let answer = ada.post("/pdf/uploads", &body).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{body}: {}", answer.text);
    }
    for (size, words) in [
        (Value::Null, "is required: "),
        (json!(-1), "must be a whole number"),
        (json!(1.5), "must be a whole number"),
        (json!("x"), "must be a whole number"),
    ] {
        let answer = ada.post("/pdf/uploads", &json!({ "filename": "a.pdf", "file_size": size })).await.expect(422);
        let said = answer.json["error"]["details"]["fields"]["file_size"][0].as_str().unwrap();
        assert!(said.starts_with(words), "{size}: {said}");
    }
    for body in [json!({}), json!({ "upload_id": 5 }), json!({ "upload_id": "x", "password": 5 })] {
        let answer = ada.post("/pdf/analyze", &body).await.expect(422);
        assert_eq!(answer.code(), "validation_failed", "{body}");
    }
}

#[tokio::test]
async fn any_name_gets_a_ticket() {
    let service = TestService::start().await;
    let long = "\u{e9}".repeat(20_000);
    let names = [
        "",
        "..",
        "../../etc/passwd",
        "a\0b",
        "\u{202e}",
        "C:\\x\\y.pdf",
        "\u{1f600}.pdf",
        "\r\nX-Evil: 1",
        long.as_str(),
    ];
    for (index, name) in names.into_iter().enumerate() {
        let ada = service.account(&format!("ada{index}")).await;
        let body = json!({ "filename": name, "file_size": 104_857_600 });
        ada.post("/pdf/uploads", &body).await.expect(201);
    }
}

#[tokio::test]
async fn five_tickets_are_open_at_once_until_their_files_are_analysed_or_they_expire() {
    let clock = TestClock::at("23:50:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let file = pdf("A");
    let take = async || ada.post("/pdf/uploads", &json!({ "filename": "a.pdf", "file_size": file.len() })).await;
    let mut uploads = Vec::new();
    for _ in 0..5 {
        uploads.push(take().await.expect(201).json["data"].clone());
        clock.advance(60);
    }
    let refused = take().await.expect(429);
    assert_eq!((refused.code(), refused.header("retry-after")), ("rate_limited", "600"));
    // whoever else has theirs
    service.account("bob").await.ticket("b.pdf", 5).await;
    // a file that cannot be read makes room as one that can
    let put = |ticket: &serde_json::Value, name: &str, body: Vec<u8>| {
        let key = format!("uploads/{}/{}", ada.user(), ticket["upload_id"].as_str().unwrap());
        let bucket = &service.service().template().bucket.name;
        service.service().s3().put_object().bucket(bucket).key(key).metadata("filename", name).body(body.into()).send()
    };
    put(&uploads[3], "good.pdf", pdf("Good")).await.unwrap();
    put(&uploads[4], "bad.pdf", b"no PDF".to_vec()).await.unwrap();
    ada.analyze_staged(uploads[3]["upload_id"].as_str().unwrap()).await.expect(200);
    ada.analyze_staged(uploads[4]["upload_id"].as_str().unwrap()).await.expect(422);
    take().await.expect(201);
    take().await.expect(201);
    take().await.expect(429);
    // another day (00:05) closes none, but time does: the first two have expired
    clock.advance(10 * 60);
    take().await.expect(201);
    clock.advance(60);
    take().await.expect(201);
    take().await.expect(429);
    Snapshot::of(&service).await.check();
}

/// A ticket is in the row of the day that it was given on, and open until then or until its file is analyzed, whatever day
/// that is.
#[tokio::test]
async fn a_ticket_of_yesterday_is_closed_by_its_analysis() {
    let clock = TestClock::at("23:58:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let take = async || ada.post("/pdf/uploads", &json!({ "filename": "a.pdf", "file_size": 5 })).await;
    let mut uploads = Vec::new();
    for _ in 0..5 {
        uploads.push(take().await.expect(201).json["data"]["upload_id"].as_str().unwrap().to_owned());
    }
    clock.advance(180);
    take().await.expect(429);
    let locked = encrypted(&Pdf::new(1).classic(), Cipher::Aes256, "open sesame", "owner");
    for (upload, file, status) in
        [(&uploads[0], pdf("Good"), 200), (&uploads[1], b"no PDF".to_vec(), 422), (&uploads[2], locked, 422)]
    {
        let key = format!("uploads/{}/{upload}", ada.user());
        let put = service.service().s3().put_object().bucket(&service.service().template().bucket.name);
        put.key(key).metadata("filename", "a.pdf").body(file.into()).send().await.unwrap();
        ada.analyze_staged(upload).await.expect(status);
        take().await.expect(201);
        take().await.expect(429);
    }
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn twice_as_many_tickets_a_day_as_analyses_and_none_without_an_analysis_left() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account_limited_to(2, "ada").await;
    for _ in 0..4 {
        ada.ticket("a.pdf", 5).await;
        clock.advance(15 * 60);
    }
    let refused = ada.post("/pdf/uploads", &json!({ "filename": "a.pdf", "file_size": 5 })).await.expect(429);
    assert_eq!((refused.code(), refused.header("retry-after")), ("rate_limited", (13 * 3600).to_string().as_str()));
    // the announcement is not even looked at where nothing is left to analyze
    let bob = service.account_limited_to(1, "bob").await;
    bob.analyze("b.pdf", pdf("B")).await.expect(200);
    assert_eq!(bob.post("/pdf/uploads", &json!({})).await.expect(429).code(), "daily_limit_exceeded");
    clock.advance(13 * 3600);
    ada.ticket("a.pdf", 5).await;
    Snapshot::of(&service).await.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn five_open_tickets_are_five_also_in_a_race() {
    let service = TestService::start().await;
    let ada = service.account("ada").await.patient();
    let tries = (0..20).map(|_| {
        let ada = ada.clone();
        tokio::spawn(async move {
            let body = json!({ "filename": "a.pdf", "file_size": 5 });
            let ask = || ada.post("/pdf/uploads", &body);
            tests::api::persistently(ask).await.status
        })
    });
    let mut given = 0;
    for attempt in tries.collect::<Vec<_>>() {
        match attempt.await.unwrap() {
            201 => given += 1,
            status => assert_eq!(status, 429),
        }
    }
    assert_eq!(given, 5);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_bucket_takes_exactly_what_was_announced_and_only_once() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = pdf("A");
    let ticket = ada.ticket("a.pdf", file.len()).await;
    let short = file[..file.len() - 1].to_vec();
    let long = [file.clone(), b"x".to_vec()].concat();
    for other in [short, long] {
        assert_eq!(ada.put(&ticket, other).await.status, 403);
    }
    let mut renamed = ticket.clone();
    renamed["headers"]["x-amz-meta-filename"] = json!("other");
    assert_eq!(ada.put(&renamed, file.clone()).await.status, 403);
    let mut elsewhere = ticket.clone();
    let url = ticket["url"].as_str().unwrap().replace(&ada.user().to_string(), "00000000-0000-4000-8000-000000000000");
    elsewhere["url"] = json!(url);
    assert_eq!(ada.put(&elsewhere, file.clone()).await.status, 403);

    ada.put(&ticket, file.clone()).await.expect(200);
    assert_eq!(ada.put(&ticket, file).await.status, 412);
}

/// A ticket that somebody behind a proxy is given; `host` is what the proxy says that the service is called.
async fn ticket_at(service: &TestService, ada: &Api, host: &str, size: usize) -> Value {
    let request = reqwest::Client::new().post(format!("{}/api/v1/pdf/uploads", service.service().origin()));
    let request = request.header("host", host).header("x-forwarded-for", "203.0.113.7");
    let request = request.header("x-forwarded-proto", "https").bearer_auth(ada.token());
    let answer = request.json(&json!({ "filename": "a.pdf", "file_size": size })).send().await.unwrap();
    Answer::of(answer).await.expect(201).json["data"].clone()
}

/// The same ticket for who reaches the service without the proxy.
fn without_proxy(service: &TestService, ticket: &Value) -> Value {
    let mut ticket = ticket.clone();
    let url = Url::parse(ticket["url"].as_str().unwrap()).unwrap();
    let (path, query) = (url.path(), url.query().unwrap());
    ticket["url"] = json!(format!("{}{path}?{query}", service.service().origin()));
    ticket
}

#[tokio::test]
async fn tickets_lead_to_the_origin_that_was_called_or_is_configured() {
    for (configured, expected) in [(None, "https://pdf.example.com"), (Some("https://files.example.com"), "")] {
        let origin = configured.map(str::to_owned);
        let service = TestService::start_with(Options { behind_proxy: true, origin, ..roomy() }).await;
        let ada = service.account("ada").await;
        let ticket = ticket_at(&service, &ada, "pdf.example.com", pdf("A").len()).await;
        let start = format!("{}/uploads/{}/", configured.unwrap_or(expected), ada.user());
        assert!(ticket["url"].as_str().unwrap().starts_with(&start), "{ticket}");
        ada.put(&without_proxy(&service, &ticket), pdf("A")).await.expect(200);
        ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
    }
}

/// The bucket's own credentials are no secret, and good for programs of this machine only.
#[tokio::test]
async fn the_service_s_origin_passes_on_nothing_but_what_a_ticket_admits() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let file = pdf("A");
    let bucket = service.service().template().bucket.name.clone();
    let config = aws_sdk_s3::Config::builder()
        .behavior_version_latest()
        .region(Region::from_static("local"))
        .credentials_provider(local())
        .endpoint_url(service.service().embedded().unwrap().s3_endpoint())
        .http_client(plain_http())
        .force_path_style(true);
    let everybody_s = aws_sdk_s3::Client::from_conf(config.build());
    let hour = PresigningConfig::expires_in(Duration::from_secs(3600)).unwrap();
    let key = format!("uploads/{}/{}", ada.user(), "00000000-0000-4000-8000-000000000000");
    let forged = everybody_s.put_object().bucket(&bucket).key(&key).presigned(hour).await.unwrap();
    let own = |url: &str| {
        let url = Url::parse(url).unwrap();
        let path = url.path().strip_prefix(&format!("/{bucket}")).unwrap_or(url.path()).to_owned();
        format!("{}{path}?{}", service.service().origin(), url.query().unwrap_or_default())
    };
    let http = reqwest::Client::new();
    let put = async |url: String| http.put(url).body(file.clone()).send().await.unwrap().status().as_u16();
    assert_eq!(put(forged.uri().to_owned()).await, 200, "as ever on this machine");
    assert_eq!(put(own(forged.uri())).await, 403);

    let ticket = ada.ticket("a.pdf", file.len()).await;
    let url = ticket["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{}/uploads/", service.service().origin())), "{url}");
    let (path, query) = url.split_once('?').unwrap();
    let upload = ticket["upload_id"].as_str().unwrap();
    for other in [
        path.to_owned(),
        format!("{path}?X-Amz-Credential=tickets/x&X-Amz-Signature=0"),
        url.replace("X-Amz-Signature=", "X-Amz-Signature=0"),
        url.replace("X-Amz-Expires=900", "X-Amz-Expires=86400"),
        url.replace("X-Amz-Credential=tickets", "X-Amz-Credential=local"),
        url.replace(upload, "00000000-0000-4000-8000-000000000000"),
        url.replace("/uploads/", "/uploads/../"),
        format!("{}/uploads/../?{query}", service.service().origin()),
    ] {
        let mut other_ticket = ticket.clone();
        other_ticket["url"] = json!(other);
        let status = ada.put(&other_ticket, file.clone()).await.status;
        assert!(matches!(status, 400 | 403..=405), "{status}: {other}");
    }
    // a body without a length is none that was signed
    let chunked = reqwest::Body::wrap_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(file.clone())]));
    assert_eq!(ada.put(&ticket, chunked).await.status, 403);
    for method in [Method::GET, Method::DELETE, Method::POST] {
        let status = http.request(method.clone(), url).send().await.unwrap().status().as_u16();
        assert!(matches!(status, 403..=405), "{method}: {status}");
    }

    // whoever sends its token along is served too; a page of another origin asks first
    let request = http.request(Method::OPTIONS, url).header("origin", "https://other.example");
    let request = request.header("access-control-request-method", "PUT");
    let preflight = request.header("access-control-request-headers", "content-type").send().await.unwrap();
    assert!(preflight.headers().contains_key("access-control-allow-origin"), "{preflight:?}");
    let mut sent = ticket.clone();
    sent["headers"]["authorization"] = json!("Bearer pdfa_x");
    sent["headers"]["cookie"] = json!("session=x");
    ada.put(&sent, file.clone()).await.expect(200);
    assert_eq!(ada.put(&ticket, file).await.status, 412);
    ada.analyze_staged(upload).await.expect(200);
}

#[tokio::test]
async fn a_bad_staged_file_is_deleted() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let bad = ada.stage("bad.pdf", b"no PDF at all".to_vec()).await;
    ada.analyze_staged(&bad).await.expect(422);
    assert!(Snapshot::of(&service).await.objects().is_empty());
    ada.analyze_staged(&bad).await.expect(404);
    assert_eq!(ada.used().await, 0);
}

#[tokio::test]
async fn a_locked_staged_file_waits_for_its_password() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let locked = encrypted(&Pdf::new(3).classic(), Cipher::Aes256, "open sesame", "owner");
    let upload = ada.stage("locked.pdf", locked).await;
    let with =
        async |password: &str| ada.post("/pdf/analyze", &json!({ "upload_id": upload, "password": password })).await;
    let refused = ada.analyze_staged(&upload).await.expect(422);
    assert_eq!(refused.json["error"]["details"]["reason"], "password_required");
    let refused = with("sesame").await.expect(422);
    assert_eq!(refused.json["error"]["details"]["reason"], "wrong_password");
    assert_eq!(Snapshot::of(&service).await.objects().len(), 1);

    let answer = with("open sesame").await.expect(200);
    assert_eq!(answer.json["data"]["metadata"]["page_count"], 3);
    assert!(Snapshot::of(&service).await.objects().is_empty());
    // the password is no part of what a repeat is recognised by
    assert_eq!(ada.analyze_staged(&upload).await.expect(200).text, answer.text);
}

/// A desk that drops a folder with locked files sends the others too, and unlocks those later.
#[tokio::test]
async fn locked_staged_files_leave_room_for_others() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut locked = Vec::new();
    for number in 1..=6 {
        let file = encrypted(&Pdf::new(number).classic(), Cipher::Aes256, "open sesame", "owner");
        let upload = ada.stage("locked.pdf", file).await;
        let refused = ada.analyze_staged(&upload).await.expect(422);
        assert_eq!(refused.json["error"]["details"]["reason"], "password_required");
        locked.push(upload);
    }
    for title in ["A", "B", "C"] {
        let upload = ada.stage("good.pdf", pdf(title)).await;
        ada.analyze_staged(&upload).await.expect(200);
    }
    assert_eq!(Snapshot::of(&service).await.objects().len(), 6);
    let with = async |upload: &str, password: &str| {
        ada.post("/pdf/analyze", &json!({ "upload_id": upload, "password": password })).await
    };
    for (pages, upload) in (1..).zip(&locked) {
        assert_eq!(with(upload, "sesame").await.expect(422).json["error"]["details"]["reason"], "wrong_password");
        assert_eq!(with(upload, "open sesame").await.expect(200).json["data"]["metadata"]["page_count"], pages);
    }
    Snapshot::of(&service).await.check();
}

/// Both files of a comparison that waits for a password.
#[tokio::test]
async fn a_comparison_with_a_locked_staged_file_leaves_room_for_others() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let locked = encrypted(&Pdf::new(1).classic(), Cipher::Aes256, "open sesame", "owner");
    let mut pairs = Vec::new();
    for _ in 0..3 {
        let pair =
            json!({ "before": ada.stage("a.pdf", locked.clone()).await, "after": ada.stage("b.pdf", pdf("B")).await });
        ada.post("/pdf/compare", &pair).await.expect(422);
        pairs.push(pair);
    }
    for mut pair in pairs {
        pair["before_password"] = json!("open sesame");
        ada.post("/pdf/compare", &pair).await.expect(200);
    }
    Snapshot::of(&service).await.check();
}
