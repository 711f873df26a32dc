//! The output of the binaries: one line per request, with its metrics.

use serde_json::Value;
use tests::events;
use tests::lambda::Bootstrap;
use tests::service::TestService;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the functions' binaries; .ci/run builds them"]
async fn a_request_is_one_line() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let function = Bootstrap::of(&service, "PdfFunction").await;
    let event = events::all(&ada.token()).remove("pdf-analyze").unwrap();
    function.invoke(&event.to_string()).await.unwrap();

    let lines = function.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let line: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!((&line["status"], &line["analysis"]), (&200.into(), &"stored".into()));
    assert_eq!((&line["route"], &line["user"]), (&"POST /api/v1/pdf/analyze".into(), &ada.user().to_string().into()));
    assert_eq!(line["Analyses"], 1);
    assert_eq!(line["_aws"]["CloudWatchMetrics"][0]["Namespace"], "local");
    for secret in [&ada.token(), "event.pdf"] {
        assert!(!lines[0].contains(secret), "{}", lines[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the functions' binaries; .ci/run builds them"]
async fn a_failure_of_ours_is_explained_in_a_line_of_its_own() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let nowhere = [("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1".to_owned())];
    let function = Bootstrap::with(&service, "UserFunction", &nowhere).await;
    let event = events::all(&ada.token()).remove("user-show").unwrap();
    let answer = function.invoke(&event.to_string()).await.unwrap();
    assert_eq!((&answer["statusCode"], &answer["headers"]["retry-after"]), (&503.into(), &"1".into()));
    let lines: Vec<Value> = function.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failure = lines.iter().find(|line| line["level"] == "ERROR").unwrap();
    assert_eq!(failure["fields"]["request_id"], "WqhX1hP5liAEJ6g=");
    assert!(failure["fields"]["cause"].as_str().unwrap().contains("unavailable"));
    assert!(lines.iter().any(|line| line["status"] == 503 && line["error"] == "service_unavailable"));
}
