//! What the binaries write down: one line for a request, with its metrics; one document for X-Ray.

use serde_json::Value;
use tests::events;
use tests::lambda::Bootstrap;
use tests::service::TestService;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs release binaries; .ci/run builds them"]
async fn a_request_is_one_line_and_one_subsegment() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let function = Bootstrap::of(&service, "PdfFunction").await;
    let event = events::all(&ada.token()).remove("pdf-analyze").unwrap();
    function.invoke(&event.to_string()).await.unwrap();

    let document = function.traced().await;
    assert_eq!(document["trace_id"], "1-5759e988-bd862e3fe1be46a994272793");
    assert_eq!(document["parent_id"], "53995c3f42cd8ad8");
    assert_eq!(document["annotations"]["route"], "POST /api/v1/pdf/analyze");
    assert_eq!(document["annotations"]["analysis"], "stored");
    assert_eq!(document["annotations"]["user"], ada.user().to_string());
    assert!(document["end_time"].as_f64() > document["start_time"].as_f64());

    let lines = function.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!((&line["status"], &line["analysis"]), (&200.into(), &"stored".into()));
    assert_eq!(line["Analyses"], 1);
    assert_eq!(line["_aws"]["CloudWatchMetrics"][0]["Namespace"], "local");
    for secret in [&ada.token(), "event.pdf"] {
        assert!(!lines[0].contains(secret) && !document.to_string().contains(secret), "{}", lines[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs release binaries; .ci/run builds them"]
async fn a_failure_of_ours_is_explained_in_a_line_of_its_own() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let function = service.service().template().functions[0].clone();
    assert_eq!(function.binary, "user");
    let mut environment = function.environment;
    environment.insert("AWS_ENDPOINT_URL_DYNAMODB".to_owned(), "http://127.0.0.1:1".to_owned());
    let function = Bootstrap::start(&tests::lambda::binary("user"), &environment).await;
    let event = events::all(&ada.token()).remove("user-show").unwrap();
    let answer = function.invoke(&event.to_string()).await.unwrap();
    assert_eq!((&answer["statusCode"], &answer["headers"]["retry-after"]), (&503.into(), &"1".into()));
    function.traced().await;
    let lines: Vec<Value> = function.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failure = lines.iter().find(|line| line["level"] == "ERROR").unwrap();
    assert_eq!(failure["fields"]["request_id"], "WqhX1hP5liAEJ6g=");
    assert!(failure["fields"]["cause"].as_str().unwrap().contains("unavailable"));
    assert!(lines.iter().any(|line| line["status"] == 503 && line["error"] == "service_unavailable"));
}
