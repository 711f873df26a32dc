//! Metrics for Prometheus: counts without personal data, on a separate address.

use reqwest::Client;
use reqwest::multipart::{Form, Part};
use samples::histories;
use tests::command::Serving;

use crate::PROGRAM;

/// The value of a series; nothing if it is not there.
fn value(text: &str, series: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
}

async fn analyze(client: &Client, serving: &Serving, token: &str, file: Vec<u8>) -> u16 {
    let form = Form::new().part("file", Part::bytes(file).file_name("secret-name.pdf"));
    let request = client.post(format!("{}/api/v1/pdf/analyze", serving.origin)).bearer_auth(token).multipart(form);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn what_was_asked_and_what_came_of_it_is_counted_and_nobody_is_named() {
    let stores = ["--fresh", "--dynamodb-listen", "127.0.0.1:0", "--s3-listen", "127.0.0.1:0"];
    let serving = Serving::start(PROGRAM, &[&stores[..], &["--metrics-listen", "127.0.0.1:0"]].concat(), &[]);
    let token = serving.greeting.lines().find_map(|line| line.trim().strip_prefix("pdfa_")).unwrap();
    let token = format!("pdfa_{token}");
    let address = serving.greeting.lines().find_map(|line| line.trim().strip_prefix("Metrics   ")).unwrap();
    let client = Client::new();

    let history = histories::all().into_iter().find(|history| history.verdict == "changed").unwrap();
    assert_eq!(analyze(&client, &serving, &token, history.file).await, 200);
    assert_eq!(analyze(&client, &serving, &token, b"no PDF".to_vec()).await, 422);
    for path in ["/metrics", "/nowhere/ada@example.com"] {
        assert_eq!(client.get(format!("{}{path}", serving.origin)).send().await.unwrap().status(), 404, "{path}");
    }

    let answer = client.get(address).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4");
    let text = answer.text().await.unwrap();
    let route = r#"route="POST /api/v1/pdf/analyze""#;
    let duration = "pdf_analysis_http_request_duration_seconds";
    for (series, expected) in [
        (format!(r#"pdf_analysis_http_requests_total{{{route},status="2xx"}}"#), 1.0),
        (format!(r#"pdf_analysis_http_requests_total{{{route},status="4xx"}}"#), 1.0),
        (r#"pdf_analysis_http_requests_total{route="$default",status="4xx"}"#.to_owned(), 2.0),
        (format!(r#"{duration}_bucket{{{route},le="+Inf"}}"#), 2.0),
        (format!("{duration}_count{{{route}}}"), 2.0),
        (r#"pdf_analysis_errors_total{code="analysis_failed"}"#.to_owned(), 1.0),
        (r#"pdf_analysis_analyses_total{outcome="stored"}"#.to_owned(), 1.0),
        (r#"pdf_analysis_analyses_total{outcome="failed"}"#.to_owned(), 1.0),
        (r#"pdf_analysis_verdicts_total{verdict="changed"}"#.to_owned(), 1.0),
        ("pdf_analysis_connections".to_owned(), 1.0),
        ("pdf_analysis_waiting_mails".to_owned(), 0.0),
    ] {
        assert_eq!(value(&text, &series), Some(expected), "{series}: {text}");
    }
    for somebody_s in ["pdfa_", "@", "secret", "nowhere", "127.0.0.1"] {
        assert!(!text.contains(somebody_s), "{somebody_s}: {text}");
    }
    for elsewhere in ["", "/metrics/"] {
        let asked = client.get(format!("{}{elsewhere}", address.trim_end_matches("/metrics"))).send().await.unwrap();
        assert_eq!(asked.status(), 404, "{elsewhere}");
    }
    assert!(serving.stop());
}
