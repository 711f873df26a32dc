//! What the tools do: as the API's calls, for the same token.

use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

use super::Client;

/// Uploads as a ticket's `curl` line does.
async fn upload(ticket: &Value, file: Vec<u8>) {
    let mut request = reqwest::Client::new().put(ticket["url"].as_str().unwrap()).body(file);
    for (name, value) in ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length") {
        request = request.header(name, value.as_str().unwrap());
    }
    assert_eq!(request.send().await.unwrap().status(), 200);
}

async fn staged(client: &Client, filename: &str, file: Vec<u8>) -> Value {
    let ticket = client.call("prepare_upload", json!({ "filename": filename, "size": file.len() })).await;
    upload(ticket.data(), file).await;
    ticket.data()["upload_id"].clone()
}

#[tokio::test]
async fn a_file_is_uploaded_analysed_and_read_again_without_a_byte_of_it_in_a_message() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let client = Client::of(&service, &ada);
    let file = pdf_of_size("Report", 5_000_000);
    let ticket = client.call("prepare_upload", json!({ "filename": "a/report.pdf", "size": file.len() })).await;
    let ticket = ticket.data();
    let line = ticket["curl"].as_str().unwrap();
    assert!(
        line.contains("--upload-file 'a/report.pdf'")
            && line.ends_with(&format!("'{}'", ticket["url"].as_str().unwrap()))
    );
    upload(ticket, file).await;

    let analyzed = client.call("analyze", json!({ "upload_id": ticket["upload_id"] })).await;
    let data = analyzed.data();
    assert_eq!(
        (&data["verdict"], &data["pages"], &data["remaining_checks"]),
        (&json!("no_signs"), &json!(1), &json!(49))
    );
    assert_eq!(data["untrusted"]["texts"]["title"], "Report");
    assert_eq!(data["untrusted"]["texts"]["filename"], "report.pdf");
    assert_eq!(analyzed.answer.header("ratelimit").split(';').nth(1), Some("r=49"));

    // the same as the API has, and charged once
    let stored = ada.get(&format!("/pdf/{}", data["id"].as_str().unwrap())).await.expect(200);
    assert_eq!(stored.json["data"]["file_size"], 5_000_000);
    let again = client.call("analyze", json!({ "upload_id": ticket["upload_id"] })).await;
    assert_eq!(again.data(), data);
    let usage = client.call("usage", json!({})).await;
    assert_eq!((&usage.data()["checks_used_today"], &usage.data()["remaining_checks"]), (&json!(1), &json!(49)));

    for part in ["summary", "signals", "metadata"] {
        let told = client.call("get_analysis", json!({ "id": data["id"], "part": part })).await;
        assert_eq!((&told.data()["part"], &told.data()["verdict"]), (&json!(part), &json!("no_signs")));
        assert!(part == "metadata" || told.data().to_string().len() <= 4096, "{}", told.answer.text);
    }
    let listed = client.call("list_analyses", json!({})).await;
    assert_eq!((&listed.data()["analyses"][0]["id"], &listed.data()["total"]), (&data["id"], &json!(1)));
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn two_uploaded_files_are_compared_once() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let client = Client::of(&service, &ada);
    let long = "\u{1f600}".repeat(60);
    let mut pairs = Vec::new();
    for number in 0..10 {
        let before = staged(&client, &format!("{long}{number}.pdf"), pdf("Earlier")).await;
        let after = staged(&client, &format!("{long}{number}.pdf"), pdf("Later")).await;
        let pair = json!({ "before": before, "after": after });
        let compared = client.call("compare", pair.clone()).await.data().clone();
        pairs.push((pair, compared));
    }
    let (pair, compared) = pairs.first().unwrap();
    assert_eq!((&compared["remaining_checks"], &compared["examined"]), (&json!(48), &json!("none")));
    assert_eq!(compared["untrusted"]["texts"]["metadata[0].after"], "Later");
    assert_eq!(client.call("compare", pair.clone()).await.data(), compared);
    let read = client.call("get_analysis", json!({ "id": compared["id"] })).await;
    assert_eq!((&read.data()["words"], &read.data()["files"]), (&compared["words"], &compared["files"]));
    let listed = client.call("list_analyses", json!({})).await;
    assert_eq!(listed.data()["analyses"][9]["compared_with"], json!({ "relation": null }));
    assert!(listed.data().to_string().len() <= 4096, "{}", listed.answer.text);
    assert_eq!(ada.used().await, 20);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_list_goes_on_and_is_filtered() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let client = Client::of(&service, &ada);
    for number in 0..12 {
        ada.analyze(&format!("{}{number}.pdf", "\u{1f600}".repeat(60)), pdf("A")).await.expect(200);
    }
    let first = client.call("list_analyses", json!({})).await;
    assert_eq!(first.data()["analyses"].as_array().unwrap().len(), 10);
    assert!(first.data().to_string().len() <= 4096, "{}", first.answer.text);
    let rest = client.call("list_analyses", json!({ "before": first.data()["next_before"] })).await;
    assert_eq!(rest.data()["analyses"].as_array().unwrap().len(), 2);
    assert_eq!(rest.data()["next_before"], Value::Null);
    let none = client.call("list_analyses", json!({ "verdict": "changed" })).await;
    assert_eq!((&none.data()["analyses"], &none.data()["total"]), (&json!([]), &json!(12)));
    let wrong = client.call("list_analyses", json!({ "verdict": "Changed", "before": "7" })).await.error();
    let fields = wrong["details"]["fields"].as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["before", "verdict"]);
}

#[tokio::test]
async fn what_a_tool_refuses_is_its_result_in_the_api_s_words() {
    let service = TestService::start().await;
    let (ada, eve) = (service.account("ada").await, service.account("eve").await);
    let client = Client::of(&service, &ada);
    let foreign = eve.analyze("e.pdf", pdf("E")).await.expect(200).json["data"]["id"].clone();
    let not_a_pdf = staged(&client, "a.pdf", b"no PDF at all".to_vec()).await;
    for (tool, arguments, code) in [
        ("prepare_upload", json!({}), "validation_failed"),
        ("prepare_upload", json!({ "filename": "a.pdf", "size": "07" }), "validation_failed"),
        ("prepare_upload", json!({ "filename": "a.pdf", "size": 7, "sha256": "7" }), "validation_failed"),
        ("prepare_upload", json!({ "filename": "a.pdf", "size": 104_857_601 }), "file_too_large"),
        ("analyze", json!({}), "validation_failed"),
        ("analyze", json!({ "upload_id": "../../etc/passwd" }), "not_found"),
        ("analyze", json!({ "upload_id": not_a_pdf }), "analysis_failed"),
        ("get_analysis", json!({}), "validation_failed"),
        ("get_analysis", json!({ "id": foreign }), "not_found"),
        ("get_analysis", json!({ "id": foreign, "part": "all" }), "validation_failed"),
        ("list_analyses", json!({ "before": foreign }), "validation_failed"),
        ("usage", json!({ "sha-256": "7" }), "validation_failed"),
    ] {
        let error = client.call(tool, arguments.clone()).await.error();
        assert_eq!(error["code"], code, "{tool} {arguments}: {error}");
        assert!(
            error["message"].as_str().unwrap().ends_with('.') && (tool == "usage" || error["request_id"].is_string()),
            "{error}"
        );
    }
    assert_eq!(ada.used().await, 0);
}

#[tokio::test]
async fn the_quota_is_the_account_s() {
    let service = TestService::start().await;
    let ada = service.account_limited_to(1, "ada").await;
    let client = Client::of(&service, &ada);
    let (first, second) = (staged(&client, "a.pdf", pdf("A")).await, staged(&client, "b.pdf", pdf("B")).await);
    assert_eq!(client.call("analyze", json!({ "upload_id": first })).await.data()["remaining_checks"], 0);
    for (tool, arguments) in
        [("analyze", json!({ "upload_id": second })), ("prepare_upload", json!({ "filename": "c.pdf", "size": 7 }))]
    {
        let refused = client.call(tool, arguments).await;
        let error = refused.error();
        assert_eq!(error["code"], "daily_limit_exceeded");
        assert!((1..=86_400).contains(&error["retry_after"].as_u64().unwrap()), "{error}");
    }
    // a repeat is answered all the same
    assert_eq!(client.call("analyze", json!({ "upload_id": first })).await.data()["remaining_checks"], 0);
    assert_eq!(ada.used().await, 1);
    let outcomes: Vec<_> = service.journal.take().into_iter().filter_map(|entry| entry.error).collect();
    assert_eq!(outcomes, ["daily_limit_exceeded", "daily_limit_exceeded"]);
}

#[tokio::test]
async fn a_store_that_fails_is_a_503_and_charges_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let client = Client::of(&service, &ada);
    let upload = staged(&client, "a.pdf", pdf("A")).await;
    let params = json!({ "name": "analyze", "arguments": { "upload_id": upload } });
    for operation in ["BatchGetItem", "GetObject", "TransactWriteItems"] {
        service.wire.plan(move |call| if call.operation == operation { Fault::ServerError } else { Fault::None });
        let refused = client.ask_newest("tools/call", params.clone()).await.expect(503);
        assert_eq!((refused.code(), refused.header("retry-after")), ("service_unavailable", "1"), "{operation}");
        service.wire.heal();
        assert_eq!(ada.used().await, 0, "{operation}");
    }
    assert_eq!(client.call("analyze", json!({ "upload_id": upload })).await.data()["remaining_checks"], 49);
}
