//! POST /pdf/analyze with a direct upload, and GET /pdf/{id}.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use samples::pdf::{Cipher, Pdf, encrypted};
use samples::small::{pdf, pdf_of_size};
use serde_json::json;
use tests::api::{Answer, Api, send};
use tests::service::TestService;

/// The answer to a report of 1 MB, by an account's first analysis of 50.
async fn report(service: &TestService) -> (Api, Answer) {
    let ada = service.account("ada").await;
    let answer = ada.analyze("report.pdf", pdf_of_size("Report", 1_048_576)).await.expect(200);
    (ada, answer)
}

#[tokio::test]
async fn an_answer_names_the_file_and_what_is_left_of_the_day() {
    let (_, answer) = report(&TestService::start().await).await;
    let data = &answer.json["data"];
    assert_eq!(answer.json["success"], true);
    assert_eq!(answer.json["remaining_checks"], 49);
    assert_eq!(data["filename"], "report.pdf");
    assert_eq!(data["file_size"], 1_048_576);
    assert_eq!(data["file_size_formatted"], "1.00 MB");
}

#[tokio::test]
async fn an_answer_says_what_the_file_says_of_itself() {
    let (_, answer) = report(&TestService::start().await).await;
    let metadata = &answer.json["data"]["metadata"];
    assert_eq!(metadata["basic"], json!({ "pages": 1, "pdf_version": "1.4" }));
    assert_eq!(metadata["page_count"], 1);
    assert_eq!(metadata["document"]["title"], "Report");
    assert_eq!(metadata["document"]["author"], "Ada");
    assert_eq!(metadata["document"]["creator"], json!(null));
    let created = json!({ "raw": "D:20250115103000+01'00'", "iso8601": "2025-01-15T10:30:00+01:00", "parsed": true });
    assert_eq!(metadata["dates"]["created"], created);
    assert_eq!(metadata["dates"]["was_modified"], true);
}

#[tokio::test]
async fn an_analysis_is_read_again_as_it_was_answered() {
    let service = TestService::start().await;
    let (ada, answer) = report(&service).await;
    let id = answer.json["data"]["id"].as_str().unwrap();
    assert_eq!(answer.header("location"), format!("/api/v1/pdf/{id}"));
    let again = ada.get(&format!("/pdf/{id}")).await.expect(200);
    let data = serde_json::to_string(&raw_data(&answer.text)).unwrap();
    assert_eq!(again.text, format!("{{\"success\":true,\"data\":{data}}}"));
}

/// `data` of an answer, byte for byte as it was sent.
fn raw_data(text: &str) -> Box<serde_json::value::RawValue> {
    #[derive(serde::Deserialize)]
    struct Envelope {
        data: Box<serde_json::value::RawValue>,
    }
    serde_json::from_str::<Envelope>(text).unwrap().data
}

#[tokio::test]
async fn filenames_travel_in_every_form() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (disposition, expected) in [
        ("filename=\"plain.pdf\"", "plain.pdf"),
        ("filename=\"C:\\\\docs\\\\win.pdf\"", "win.pdf"),
        ("filename=\"r\u{e9}sum\u{e9} \u{65e5}\u{672c}.pdf\"", "r\u{e9}sum\u{e9} \u{65e5}\u{672c}.pdf"),
        ("filename=\"a.pdf\"; filename*=UTF-8''b.pdf", "a.pdf"),
        ("filename*=UTF-8''na%C3%AFve.pdf", "na\u{ef}ve.pdf"),
        ("filename=\"..\"", "document.pdf"),
    ] {
        let mut body =
            format!("--b\r\nContent-Disposition: form-data; name=\"file\"; {disposition}\r\n\r\n").into_bytes();
        body.extend(pdf("A"));
        body.extend(b"\r\n--b--\r\n");
        let request =
            ada.request(Method::POST, "/pdf/analyze").header("content-type", "multipart/form-data; boundary=b");
        let answer = send(request.body(body)).await.expect(200);
        assert_eq!(answer.json["data"]["filename"], expected, "{disposition}");
    }
}

#[tokio::test]
async fn what_is_no_readable_pdf_is_refused_and_only_counted_as_failed() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1, "ada").await;
    for (file, reason) in
        [(b"hello".to_vec(), "not_a_pdf"), (Vec::new(), "not_a_pdf"), (b"%PDF-1.4\nnothing else\n".to_vec(), "corrupt")]
    {
        let is_empty = file.is_empty();
        let answer = ada.analyze("x.pdf", file).await.expect(422);
        assert_eq!(answer.code(), "analysis_failed");
        assert_eq!(answer.json["error"]["details"]["reason"], reason);
        assert!(answer.json["error"]["message"].as_str().unwrap().ends_with('.'));
        assert_eq!(answer.text.contains("The file is empty (0 bytes)."), is_empty, "{}", answer.text);
    }
    assert_eq!(ada.used().await, 0);
    assert_eq!(ada.get("/pdf").await.json["meta"]["total"], 0);

    for _ in 3..10 {
        ada.analyze("x.pdf", b"hello".to_vec()).await.expect(422);
    }
    let refused = ada.analyze("good.pdf", pdf("A")).await.expect(429);
    assert_eq!(refused.code(), "rate_limited");
    assert!((1..=86_400).contains(&refused.header("retry-after").parse::<u32>().unwrap()));
    assert_eq!(ada.used().await, 0);
}

#[tokio::test]
async fn malformed_forms_are_refused_and_change_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let part = |name: &str, filename: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"{filename}\r\n\r\nx\r\n").into_bytes()
    };
    let file = part("file", "; filename=\"a.pdf\"");
    let end = b"--b--\r\n".to_vec();
    let form = "multipart/form-data; boundary=b";
    let many = part("other", "").repeat(21);
    let long =
        format!("--b\r\nContent-Disposition: form-data; name=\"other\"\r\nX-Long: {}\r\n\r\nx\r\n", "h".repeat(17_000));
    let large = format!("--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n{}\r\n", "f".repeat(70_000));
    let nameless = b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n".to_vec();
    let broken = |name: &str| [part("file", &format!("; filename=\"{name}\"")), end.clone()].concat();
    let boundary71 = format!("multipart/form-data; boundary={}", "b".repeat(71));
    let cases: [(&str, &str, Vec<u8>, u16, &str); 19] = [
        ("no boundary", "multipart/form-data", file.clone(), 400, "bad_request"),
        ("two boundaries", "multipart/form-data; boundary=b; boundary=c", file.clone(), 400, "bad_request"),
        ("long boundary", &boundary71, file.clone(), 400, "bad_request"),
        ("no final boundary", form, file.clone(), 400, "bad_request"),
        ("only text", form, b"hello".to_vec(), 400, "bad_request"),
        ("nameless part", form, [nameless, end.clone()].concat(), 400, "bad_request"),
        ("21 parts", form, [many, end.clone()].concat(), 400, "bad_request"),
        ("17 KB of headers", form, [long.into_bytes(), end.clone()].concat(), 400, "bad_request"),
        ("70 KB of fields", form, [large.into_bytes(), end.clone()].concat(), 400, "bad_request"),
        ("NUL in a header", form, broken("a\0b.pdf"), 400, "bad_request"),
        ("CR in a header", form, broken("a\rb.pdf"), 400, "bad_request"),
        ("LF in a header", form, broken("a\nb.pdf"), 400, "bad_request"),
        ("no file", form, [part("other", ""), end.clone()].concat(), 422, "validation_failed"),
        ("file without a name", form, [part("file", ""), end.clone()].concat(), 422, "validation_failed"),
        ("two files", form, [file.clone(), file.clone(), end.clone()].concat(), 422, "validation_failed"),
        ("no body", form, Vec::new(), 415, "unsupported_media_type"),
        ("another type", "application/pdf", pdf("A"), 415, "unsupported_media_type"),
        ("no type", "", pdf("A"), 415, "unsupported_media_type"),
        ("text", "text/plain", b"hello".to_vec(), 415, "unsupported_media_type"),
    ];
    for (what, content_type, body, status, code) in cases {
        let mut request = ada.request(Method::POST, "/pdf/analyze").body(body);
        if !content_type.is_empty() {
            request = request.header("content-type", content_type);
        }
        let answer = send(request).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{what}: {}", answer.text);
    }
    let encoded = ada.analyze_request("a.pdf", pdf("A")).header("content-encoding", "gzip");
    assert_eq!(send(encoded).await.expect(415).code(), "unsupported_media_type");
    let rows = tests::invariants::Snapshot::of(&service).await;
    rows.check();
    assert_eq!(rows.rows(&ada.user().to_string(), "DAY#").count(), 0);
}

#[tokio::test]
async fn a_missing_file_is_explained_by_field() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let form = Form::new().part("document", Part::bytes(pdf("A")).file_name("a.pdf"));
    let answer = send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(422);
    let reasons = answer.json["error"]["details"]["fields"]["file"].as_array().unwrap();
    assert_eq!(reasons.len(), 1);
}

#[tokio::test]
async fn a_locked_file_opens_by_the_password_field() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let locked = encrypted(&Pdf::new(2).classic(), Cipher::Aes128, "s\u{e9}same", "owner");
    let analyze = async |password: Option<&'static str>| {
        let mut form = Form::new().part("file", Part::bytes(locked.clone()).file_name("locked.pdf"));
        if let Some(password) = password {
            form = form.text("password", password);
        }
        send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await
    };
    for (password, reason) in [(None, "password_required"), (Some("sesame"), "wrong_password")] {
        let answer = analyze(password).await.expect(422);
        assert_eq!(answer.json["error"]["details"]["reason"], reason);
    }
    let answer = analyze(Some("owner")).await.expect(200);
    assert_eq!(answer.json["data"]["metadata"]["security"]["algorithm"], "AES-128");
    assert_eq!(ada.used().await, 1);
}

#[tokio::test]
async fn neither_token_nor_password_nor_file_is_kept() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let locked = encrypted(&Pdf::new(1).classic(), Cipher::Aes256, "open-sesame-canary", "owner");
    let form =
        Form::new().part("file", Part::bytes(locked).file_name("locked.pdf")).text("password", "open-sesame-canary");
    send(ada.request(Method::POST, "/pdf/analyze").multipart(form)).await.expect(200);
    let kept = format!("{:?}", tests::invariants::Snapshot::of(&service).await);
    assert!(kept.contains("locked.pdf"));
    // neither as a whole nor the part of the token that is secret
    for secret in ["open-sesame-canary", &ada.token(), &ada.token()[48..75]] {
        assert!(!kept.contains(secret));
    }
}

#[tokio::test]
async fn another_account_sees_nothing() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let id = ada.analyze("a.pdf", pdf("A")).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
    let absent = shared::ids::AnalysisId::new(1).to_string();

    let without_request_id = |answer: Answer| {
        let request_id = answer.json["error"]["request_id"].as_str().unwrap().to_owned();
        answer.text.replace(&request_id, "")
    };
    let foreign = without_request_id(bob.get(&format!("/pdf/{id}")).await.expect(404));
    for path in [
        format!("/pdf/{absent}"),
        format!("/pdf/{}", id.to_uppercase()),
        "/pdf/x".to_owned(),
        format!("/pdf/{}", "1".repeat(300)),
        "/nowhere".to_owned(),
    ] {
        assert_eq!(without_request_id(bob.get(&path).await.expect(404)), foreign, "{path}");
    }
    assert_eq!(bob.get("/pdf").await.expect(200).json["data"], json!([]));
    assert_eq!(bob.used().await, 0);
    ada.get(&format!("/pdf/{id}")).await.expect(200);
}
