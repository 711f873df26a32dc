//! The line that every request leaves behind.

use reqwest::Method;
use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use shared::journal::{AnalysisOutcome, JournalEntry};
use tests::api::send;
use tests::browser::Browser;
use tests::service::TestService;

#[tokio::test]
async fn an_event_that_no_request_can_be_made_of_is_noted() {
    let service = TestService::start().await;
    let mut event = tests::events::all("")["pdf-analyze"].clone();
    event["body"] = "no base64".into();
    for (event, route) in [(event.to_string(), "POST /api/v1/pdf/analyze"), ("{}".to_owned(), "")] {
        let answer = tests::events::invoke_text(&service, "POST /api/v1/pdf/analyze", &event).await;
        assert_eq!(answer.status(), 400);
        let entry = only(&service);
        assert_eq!((entry.status, entry.error, entry.route.as_str()), (400, Some("bad_request"), route), "{entry:?}");
    }
}

/// The one entry since the last look.
fn only(service: &TestService) -> JournalEntry {
    let mut entries = service.journal.take();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

#[tokio::test]
async fn a_request_leaves_one_line_that_says_what_it_was_and_what_it_cost() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let _ = service.wire.take();
    let answer = ada.get("/user").await.expect(200);
    let entry = only(&service);
    assert_eq!((entry.route.as_str(), entry.status), ("GET /api/v1/user", 200));
    assert_eq!(entry.request_id, answer.header("x-request-id"));
    assert_eq!(entry.user, Some(ada.user().to_string()));
    assert_eq!((entry.analysis, entry.error, entry.reason), (None, None, None));
    assert!(entry.latency_ms > 0.0);
    let traffic = service.wire.take();
    assert_eq!(entry.storage_calls as usize, traffic.operations.len());
    assert_eq!(entry.storage_rounds as usize, traffic.rounds);
}

#[tokio::test]
async fn calls_that_are_sent_together_are_one_round() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    service.wire.set_latency(std::time::Duration::from_millis(300));
    let _ = service.journal.take();
    ada.get("/tokens").await.expect(200);
    let entry = only(&service);
    assert_eq!((entry.storage_calls, entry.storage_rounds), (2, 1));
}

#[tokio::test]
async fn an_analysis_says_what_became_of_it() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(2, "ada").await;
    ada.analyze_once("k", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(only(&service).analysis, Some(AnalysisOutcome::Stored));
    ada.analyze_once("k", "a.pdf", pdf("A")).await.expect(200);
    assert_eq!(only(&service).analysis, Some(AnalysisOutcome::Repeated));
    ada.analyze("b.pdf", b"no PDF".to_vec()).await.expect(422);
    let failed = only(&service);
    assert_eq!((failed.analysis, failed.error), (Some(AnalysisOutcome::Failed), Some("analysis_failed")));
    assert_eq!(failed.reason, Some("not_a_pdf"));

    let size = 300_000;
    let upload = ada.stage("c.pdf", pdf_of_size("C", size)).await;
    let _ = service.journal.take();
    ada.post("/pdf/analyze", &json!({ "upload_id": upload })).await.expect(200);
    let staged = only(&service);
    assert_eq!(staged.analysis, Some(AnalysisOutcome::Stored));
    assert!(staged.bytes_read > 0 && staged.bytes_read < size as u64, "{staged:?}");

    ada.analyze("d.pdf", pdf("D")).await.expect(429);
    let refused = only(&service);
    assert_eq!((refused.analysis, refused.error), (Some(AnalysisOutcome::Refused), Some("daily_limit_exceeded")));
}

#[tokio::test]
async fn strangers_and_the_console_leave_lines_too_and_nobody_s_secrets() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    send(ada.anonymous(Method::GET, "/user")).await.expect(401);
    let entry = only(&service);
    assert_eq!((entry.status, entry.user.clone(), entry.error), (401, None, Some("unauthenticated")));

    let mut eve = Browser::registered(&service, "eve").await;
    eve.get("/dashboard").await.expect(200);
    let token = eve.token().await.replace("pdfa_", "");
    ada.analyze("confidential.pdf", pdf("secret title")).await.expect(200);
    let entries = service.journal.take();
    assert!(entries.iter().any(|entry| entry.route == "GET /dashboard" && entry.user.is_some()));
    let lines = serde_json::to_string(&entries).unwrap();
    let cookie = eve.cookie.clone().unwrap();
    let session = cookie.split_once('=').map_or(&*cookie, |(_, value)| value);
    for secret in [&ada.token(), &token, session, tests::browser::PASSWORD, "confidential", "secret title"] {
        assert!(!lines.contains(secret), "{secret} is in {lines}");
    }
}

#[tokio::test]
async fn health_needs_no_token_and_no_storage() {
    let service = TestService::start().await;
    service.wire.plan(|_| tests::wire::Fault::ServerError);
    let _ = service.wire.take();
    let http = reqwest::Client::new();
    let url = format!("{}/health", service.service().origin());
    let answer = send(http.get(&url)).await.expect(200);
    let expected = json!({ "success": true, "data": { "status": "ok", "version": env!("CARGO_PKG_VERSION") } });
    assert_eq!(answer.json, expected);
    assert_eq!(service.wire.take().operations.len(), 0);
    let refused = send(http.post(&url)).await.expect(405);
    assert_eq!((refused.code(), refused.header("allow")), ("method_not_allowed", "GET, HEAD"));
    assert_ne!(refused.json["error"]["request_id"], Value::Null);
}
