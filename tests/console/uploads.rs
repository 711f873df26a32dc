//! The dashboard's uploads: the three steps of its script, and the form without one.

use serde_json::json;

use samples::small::pdf;
use server::Options;
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};

#[tokio::test]
async fn three_steps_lead_to_a_stored_analysis() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let upload = browser.stage("r\u{e9}sum\u{e9}.pdf", pdf("A & B")).await;
    let answer = browser.script("/dashboard/analyses", &json!({ "upload_id": upload })).await.expect(200);
    assert_eq!((answer.json["remaining_checks"].as_u64(), answer.json["success"].as_bool()), (Some(49), Some(true)));
    let id = answer.json["data"]["id"].as_str().unwrap();
    let repeat = browser.script("/dashboard/analyses", &json!({ "upload_id": upload })).await.expect(200);
    assert_eq!(repeat.text, answer.text);

    let dashboard = browser.get("/dashboard").await.text;
    assert!(dashboard.contains(&format!("/analyses/{id}")) && dashboard.contains("r\u{e9}sum\u{e9}.pdf"));
    assert!(dashboard.contains("<strong id=\"left\">49</strong>"));
    let page = browser.get(&format!("/analyses/{id}")).await.expect(200).text;
    for shown in [
        "A &amp; B",
        "15 Jan 2025, 09:30 UTC",
        "D:20250115103000+01",
        "1 day later",
        "Not encrypted",
        "210 × 297 mm",
        "A4",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let json = browser.get(&format!("/analyses/{id}/json")).await.expect(200);
    assert_eq!(json.json, answer.json["data"]);
    assert_eq!(json.header("content-disposition"), format!("attachment; filename=\"analysis-{id}.json\""));
    let snapshot = Snapshot::of(&service).await;
    assert!(snapshot.objects().is_empty());
    snapshot.check();
}

#[tokio::test]
async fn a_form_without_a_script_does_the_same() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let path = browser.upload("plain.pdf", pdf("Plain")).await.expect(303).header("location").to_owned();
    assert!(browser.get(&path).await.expect(200).text.contains("Plain"));

    let bad = browser.upload("bad.pdf", b"no PDF".to_vec()).await.expect(422);
    assert!(bad.text.contains("role=\"alert\"") && bad.text.contains("plain.pdf"), "{}", bad.text);
    let none = browser.upload("", Vec::new()).await.expect(422);
    assert!(none.text.contains("Choose a PDF first"));
    // over what the gateway takes
    let large = browser.upload("large.pdf", vec![0; 102 << 20]).await.expect(413);
    assert!(large.text.contains("role=\"alert\"") && large.text.contains("larger than 100 MB"), "{}", large.text);
    Snapshot::of(&service).await.check();
}

/// Nobody but this machine reaches the embedded bucket; in the cloud, and with its limits, browsers do.
#[tokio::test]
async fn the_script_uploads_to_the_page_s_own_origin_or_to_a_bucket_that_the_page_names() {
    let announced = json!({ "filename": "a.pdf", "file_size": 10 });
    for cloud_limits in [false, true] {
        let service = TestService::start_with(Options { cloud_limits, ..roomy() }).await;
        let browser = Browser::registered(&service, "ada").await;
        let ticket = browser.script("/dashboard/uploads", &announced).await.expect(201);
        let url = ticket.json["data"]["url"].as_str().unwrap();
        let policy = browser.get("/dashboard").await.expect(200).header("content-security-policy").to_owned();
        let bucket = service.service().embedded().unwrap().s3_endpoint();
        assert_eq!(url.starts_with("/uploads/"), !cloud_limits, "{url}");
        assert_eq!(url.starts_with(&bucket), cloud_limits, "{url}");
        assert_eq!(policy.contains(&bucket), cloud_limits, "{policy}");
    }
}

#[tokio::test]
async fn a_used_up_quota_is_said_before_anything_is_uploaded() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    for number in 0..50 {
        browser.upload(&format!("{number}.pdf"), pdf("A")).await.expect(303);
    }
    let refused = browser.upload("more.pdf", pdf("A")).await.expect(429);
    assert!(refused.text.contains("ve used today") && !refused.header("retry-after").is_empty());
    let body = json!({ "filename": "more.pdf", "file_size": 10 });
    let refused = browser.script("/dashboard/uploads", &body).await.expect(429);
    assert_eq!(refused.code(), "daily_limit_exceeded");
    let page = browser.get("/dashboard").await.text;
    assert!(page.contains("<strong id=\"left\">0</strong>") && !page.contains("type=\"file\""));
    let (first, second) = (page, browser.get("/dashboard?page=3").await.text);
    assert_eq!(first.matches("href=\"/analyses/").count(), 20);
    assert_eq!(second.matches("href=\"/analyses/").count(), 10);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn scripts_are_answered_in_json_without_a_session_too() {
    let service = TestService::start().await;
    let browser = Browser::new(&service);
    for path in ["/dashboard/uploads", "/dashboard/analyses"] {
        let refused = browser.script(path, &json!({ "upload_id": "x" })).await.expect(401);
        assert_eq!(refused.code(), "unauthenticated");
    }
    let ada = Browser::registered(&service, "ada").await;
    for (body, status) in [
        (json!({}), 422),
        (json!({ "filename": "a.pdf", "file_size": 104_857_601 }), 413),
        (json!({ "filename": "a.pdf", "file_size": 0 }), 422),
    ] {
        ada.script("/dashboard/uploads", &body).await.expect(status);
    }
    ada.script("/dashboard/analyses", &json!({ "upload_id": "x" })).await.expect(404);
}

#[tokio::test]
async fn a_form_that_is_sent_again_is_a_repeat_and_another_file_is_not() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let page = browser.get("/dashboard").await.expect(200).text;
    let nonce = page.split_once("name=\"nonce\" value=\"").unwrap().1.split('"').next().unwrap().to_owned();
    assert!(!browser.get("/dashboard").await.text.contains(&nonce), "each page has its own");
    let send = async |name: &str, title: &str| {
        let answer = browser.upload_from_page(&nonce, name, pdf(title)).await.expect(303);
        answer.header("location").to_owned()
    };
    let first = send("a.pdf", "A").await;
    assert_eq!(send("a.pdf", "A").await, first, "a reload");
    let second = send("b.pdf", "B").await;
    assert_ne!(second, first, "another file by the back button");
    assert_eq!(send("a.pdf", "A").await, first);
    assert!(browser.get("/dashboard").await.text.contains("<strong id=\"left\">48</strong>"));
    Snapshot::of(&service).await.check();
}
