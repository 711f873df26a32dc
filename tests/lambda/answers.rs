//! Every answer of the binaries is the answer of the same functions behind this server's gateway.

use std::collections::BTreeMap;

use aws_smithy_types::base64;
use chrono::Utc;
use http::Method;
use reqwest::header::HeaderMap;
use samples::small::{pdf, pdf_of_size};
use serde_json::{Value, json};
use tests::api::{Answer, Api};
use tests::events;
use tests::lambda::Bootstrap;
use tests::service::TestService;

/// A request, sent to the gateway as HTTP and to a binary as an event.
#[derive(Clone, Default)]
struct Sent {
    /// `GET /api/v1/pdf/{id}`
    route: &'static str,
    method: Method,
    path: String,
    query: &'static str,
    /// In the order sent; repeated names are joined in the event.
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// The parts of an answer that have to be equal.
#[derive(Debug, PartialEq)]
struct Seen {
    status: u64,
    headers: BTreeMap<String, String>,
    body: String,
}

impl Sent {
    fn get(route: &'static str, path: impl Into<String>) -> Self {
        Self { route, method: Method::GET, path: path.into(), ..Self::default() }
    }

    fn post(route: &'static str, path: impl Into<String>, content_type: &str, body: Vec<u8>) -> Self {
        let headers = vec![("content-type", content_type.to_owned())];
        Self { route, method: Method::POST, path: path.into(), headers, body, ..Self::default() }
    }

    fn query(self, query: &'static str) -> Self {
        Self { query, ..self }
    }

    fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    async fn over_http(&self, api: &Api) -> Seen {
        let mut url = self.path.clone();
        if !self.query.is_empty() {
            url = format!("{url}?{}", self.query);
        }
        let mut request = api.request(self.method.clone(), url.strip_prefix("/api/v1").unwrap());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let answer = Answer::of(request.body(self.body.clone()).send().await.unwrap()).await;
        Seen { status: answer.status.into(), headers: shown(&answer.headers), body: without_ids(&answer.text) }
    }

    async fn through_lambda(&self, bootstrap: &Bootstrap, api: &Api) -> Seen {
        let answer = bootstrap.invoke(&self.event(api).to_string()).await.unwrap();
        let mut headers = HeaderMap::new();
        for (name, value) in answer["headers"].as_object().unwrap() {
            let name: http::HeaderName = name.parse().unwrap();
            headers.insert(name, value.as_str().unwrap().parse().unwrap());
        }
        assert_eq!(answer["isBase64Encoded"], false);
        Seen {
            status: answer["statusCode"].as_u64().unwrap(),
            headers: shown(&headers),
            body: without_ids(answer["body"].as_str().unwrap_or_default()),
        }
    }

    /// The event of payload format 2.0.
    fn event(&self, api: &Api) -> Value {
        let mut headers = BTreeMap::from([("host", "api.example.com".to_owned())]);
        let authorization = ("authorization", format!("Bearer {}", api.token()));
        for (name, value) in std::iter::once(&authorization).chain(&self.headers) {
            headers.entry(name).and_modify(|joined| *joined = format!("{joined},{value}")).or_insert(value.clone());
        }
        let template = self.route.split(' ').nth(1).unwrap_or_default();
        let parameters = template.split('/').zip(self.path.split('/')).filter(|(name, _)| name.starts_with('{'));
        let parameters: BTreeMap<_, _> =
            parameters.map(|(name, value)| (name.trim_matches(['{', '}']), value)).collect();
        let now = Utc::now();
        let http = json!({ "method": self.method.as_str(), "path": self.path, "protocol": "HTTP/1.1",
            "sourceIp": "203.0.113.7", "userAgent": "tests" });
        let context = json!({ "accountId": "123456789012", "apiId": "api", "domainName": "api.example.com",
            "domainPrefix": "api", "http": http, "requestId": "r", "routeKey": self.route, "stage": "$default",
            "time": now.format("%d/%b/%Y:%H:%M:%S %z").to_string(), "timeEpoch": now.timestamp_millis() });
        let is_json = headers.get("content-type").is_some_and(|kind| kind == "application/json");
        let body = if is_json { String::from_utf8(self.body.clone()).unwrap() } else { base64::encode(&self.body) };
        json!({ "version": "2.0", "routeKey": self.route, "rawPath": self.path, "rawQueryString": self.query,
            "headers": headers, "pathParameters": parameters, "requestContext": context,
            "body": (!self.body.is_empty()).then_some(body), "isBase64Encoded": !is_json && !self.body.is_empty() })
    }
}

/// The headers but for those that the connection or the moment decides.
fn shown(headers: &HeaderMap) -> BTreeMap<String, String> {
    let left_out = ["content-length", "date", "connection", "x-request-id", "access-control-allow-origin", "vary"];
    let shown = headers.iter().filter(|(name, _)| !left_out.contains(&name.as_str()));
    shown.map(|(name, value)| (name.to_string(), without_ids(value.to_str().unwrap()))).collect()
}

/// A text with everything replaced that is new in every answer: ids, tokens, times, names of accounts.
fn without_ids(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "-_:.=@".contains(c);
    let mut done = String::new();
    for piece in text.split_inclusive(|c| !word(c)) {
        let (piece, end) = piece.split_at(piece.trim_end_matches(|c| !word(c)).len());
        let uuid = piece.len() == 36 && piece.matches('-').count() == 4;
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let time = piece.len() >= 20 && digits == 4 && piece.ends_with('Z');
        let token = piece.starts_with("pdfa_") && piece.len() > 70;
        let reset = piece.starts_with("t=") || (piece.len(), digits) == (10, 10) || piece == "r";
        let account = piece.starts_with("ada") || piece.starts_with("bob");
        let signed = piece.starts_with("X-Amz-Signature=") || piece.starts_with("X-Amz-Date=");
        let port = piece.starts_with("127.0.0.1:");
        let hint = done.ends_with("\"hint\":\"");
        done.push_str(if uuid || time || token || reset || account || signed || port || hint { "…" } else { piece });
        done.push_str(end);
    }
    done
}

/// A ticket's text without the place of its bucket and the name of its key: embedded stores serve tickets on the service's own
/// origin.
fn without_bucket(text: &str) -> String {
    let parts = text.split_once("\"url\":\"http").and_then(|(before, url)| Some((before, url.split_once('?')?.1)));
    let Some((before, query)) = parts else { return text.to_owned() };
    let query = query.replace("X-Amz-Credential=local%2F", "X-Amz-Credential=tickets%2F");
    format!("{before}\"url\":\"…?{query}")
}

fn form(filename: &str, pdf: &[u8]) -> (String, Vec<u8>) {
    let head = format!("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{filename}\"\r\n\r\n");
    let body = [head.as_bytes(), pdf, b"\r\n--b--\r\n"].concat();
    ("multipart/form-data; boundary=b".to_owned(), body)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the functions' binaries; .ci/run builds them"]
async fn requests_of_every_kind_are_answered_alike() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let (user, pdfs, tokens, web) = (
        Bootstrap::of(&service, "UserFunction").await,
        Bootstrap::of(&service, "PdfFunction").await,
        Bootstrap::of(&service, "TokensFunction").await,
        Bootstrap::of(&service, "WebFunction").await,
    );
    let analyze = "POST /api/v1/pdf/analyze";
    let form_of = |filename: &str, file: &[u8]| {
        let (kind, body) = form(filename, file);
        Sent::post(analyze, "/api/v1/pdf/analyze", &kind, body)
    };
    let text = |body: &str| Sent::post("POST /api/v1/tokens", "/api/v1/tokens", "application/json", body.into());
    let cases: Vec<(&Bootstrap, Sent)> = vec![
        (&user, Sent::get("GET /api/v1/user", "/api/v1/user")),
        (&user, Sent { method: Method::DELETE, ..Sent::get("ANY /api/v1/user", "/api/v1/user") }),
        (&user, Sent::get("GET /api/v1/user", "/api/v1/user").header("authorization", "Bearer another")),
        (&pdfs, form_of("r\u{e9}sum\u{e9} \u{1f4c4}.pdf", &pdf("A"))),
        (&pdfs, form_of("large.pdf", &pdf_of_size("B", 3_000_000)).header("idempotency-key", "k")),
        (&pdfs, form_of("large.pdf", &pdf_of_size("B", 3_000_000)).header("idempotency-key", "k")),
        (&pdfs, form_of("other.pdf", &pdf("C")).header("idempotency-key", "k")),
        (&pdfs, form_of("a.pdf", b"no PDF")),
        (&pdfs, Sent::post(analyze, "/api/v1/pdf/analyze", "application/pdf", pdf("A"))),
        (&pdfs, Sent::post(analyze, "/api/v1/pdf/analyze", "multipart/form-data; boundary=b", b"--b".to_vec())),
        (&pdfs, Sent::post(analyze, "/api/v1/pdf/analyze", "application/json", b"{\"upload_id\":1}".to_vec())),
        (&pdfs, Sent::get("GET /api/v1/pdf", "/api/v1/pdf").query("per_page=1&page=2")),
        (&pdfs, Sent::get("GET /api/v1/pdf", "/api/v1/pdf").query("per_page=1&per_page=2")),
        (&pdfs, Sent::get("GET /api/v1/pdf", "/api/v1/pdf").query("page=%D9%A1")),
        (&pdfs, Sent::get("GET /api/v1/pdf/{id}", "/api/v1/pdf/00000000-0001-8614-bd98-f44607e6fa02")),
        (&tokens, Sent::get("GET /api/v1/tokens", "/api/v1/tokens")),
        (&tokens, text(r#"{"name":"laptop"}"#)),
        (&tokens, text(r#"{"name":"a","name":"b"}"#)),
        (&tokens, text(r#"{"name":""}"#)),
        (
            &tokens,
            Sent::post(
                "POST /api/v1/tokens",
                "/api/v1/tokens",
                "application/x-www-form-urlencoded",
                b"name=a%20b".to_vec(),
            ),
        ),
        (&tokens, Sent { method: Method::DELETE, ..Sent::get("DELETE /api/v1/tokens/{id}", "/api/v1/tokens/x") }),
        (&web, Sent::get("$default", "/api/v1/nothing")),
    ];
    for (bootstrap, sent) in &cases {
        let (here, there) = (sent.over_http(&bob).await, sent.through_lambda(bootstrap, &ada).await);
        assert_eq!(there, here, "{} {}?{}", sent.method, sent.path, sent.query);
    }
    assert_eq!((ada.used().await, bob.used().await), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the functions' binaries; .ci/run builds them"]
async fn the_events_of_every_route_are_answered_alike() {
    // two services in the same state, because the events name accounts
    let (service, other) = (TestService::start().await, TestService::start().await);
    let (ada, bob) = (service.account("ada").await, other.account("ada").await);
    let mut bootstraps = BTreeMap::new();
    for function in &service.service().template().functions {
        let bootstrap = Bootstrap::of(&service, &function.logical_id).await;
        bootstraps.insert(function.logical_id.clone(), bootstrap);
    }
    let (to_lambda, to_process) = (events::all(&ada.token()), events::all(&bob.token()));
    assert!(to_lambda.len() >= 29);
    for (name, event) in &to_lambda {
        let route = service.service().template().routes.iter().find(|route| route.key == event["routeKey"]).unwrap();
        let there = bootstraps[&route.function].invoke(&event.to_string()).await.unwrap();
        let here = events::invoke(&other, &to_process[name]).await;
        assert_eq!(there["statusCode"], here.status().as_u16(), "{name}");
        let body = String::from_utf8_lossy(here.body()).into_owned();
        let said = without_ids(there["body"].as_str().unwrap_or_default());
        assert_eq!(without_bucket(&said), without_bucket(&without_ids(&body)), "{name}");
        let headers = there["headers"].as_object().unwrap();
        assert_eq!(headers["x-request-id"], "WqhX1hP5liAEJ6g=", "{name}");
        assert_eq!(headers.get("location").is_some(), here.headers().contains_key("location"), "{name}");
    }
}
