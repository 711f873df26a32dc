//! Requests in the log: a short line for people, or JSON for programs.

#[cfg(target_os = "linux")]
mod terminal;

use std::fs;

use serde_json::Value;
use tempfile::tempdir;
use tests::api::send;

use crate::canaries::Talkative;

/// The log, in this format, of one request with the demo account's token and one without; and the token.
async fn logged(arguments: &[&str]) -> (Vec<String>, String) {
    let folder = tempdir().unwrap();
    let server = Talkative::start(folder.path(), arguments, &[("RUST_LOG", "info")]);
    let greeting = fs::read_to_string(folder.path().join("stdout")).unwrap();
    let token = greeting.lines().find_map(|line| line.trim().strip_prefix("pdfa_")).unwrap().to_owned();
    ask(&server.origin, &format!("pdfa_{token}")).await;
    server.stop();
    let log = fs::read_to_string(folder.path().join("stderr")).unwrap();
    (log.lines().map(str::to_owned).collect(), token)
}

async fn ask(origin: &str, token: &str) {
    let user = reqwest::Client::new().get(format!("{origin}/api/v1/user"));
    send(user.try_clone().unwrap().bearer_auth(token)).await.expect(200);
    send(user).await.expect(401);
}

/// Whether it is the line of `GET /api/v1/user` for people, with this status and end.
fn is_line(line: &str, status: &str, end: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [time, "GET", "/api/v1/user", found, milliseconds, "ms", rest @ ..] = words.as_slice() else { return false };
    let is_time = time.len() == 9 && time.ends_with('Z') && time.matches(':').count() == 2;
    is_time && *found == status && milliseconds.parse::<u32>().is_ok() && rest.join(" ") == end
}

#[tokio::test]
async fn programs_get_json_without_asking_for_it() {
    let (log, token) = logged(&[]).await;
    let lines: Vec<Value> = log.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["route"] == "GET /api/v1/user").collect();
    assert_eq!(requests.len(), 2, "{log:?}");
    assert_eq!((&requests[0]["status"], &requests[0]["remaining_checks"]), (&200.into(), &50.into()));
    assert_eq!((&requests[1]["status"], &requests[1]["remaining_checks"]), (&401.into(), &Value::Null));
    assert!(requests.iter().all(|line| line["latency_ms"].is_f64() && line["time"].is_string()), "{log:?}");
    assert!(!log.concat().contains(&token));
    // what is no request is JSON too
    assert!(lines.iter().any(|line| line["fields"]["message"].as_str().is_some_and(|it| it.contains("stopping"))));
}

#[tokio::test]
async fn people_get_a_short_line_where_they_ask_for_it() {
    let (log, token) = logged(&["--log", "text"]).await;
    let requests: Vec<_> = log.iter().filter(|line| line.contains(" /api/v1/user ")).collect();
    assert_eq!(requests.len(), 2, "{log:?}");
    assert!(is_line(requests[0], "200", "50 left") && is_line(requests[1], "401", "unauthenticated"), "{log:?}");
    assert!(!log.concat().contains(&token) && log.iter().all(|line| line.len() < 120), "{log:?}");
}
