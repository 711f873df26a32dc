//! The gateway: CORS, size limits, requests that are none.

use std::io;
use std::time::{Duration, Instant};

use futures_util::stream;
use reqwest::{Body, Client, Method, RequestBuilder, Response, StatusCode};
use samples::small::pdf_of_size;
use serde_json::Value;
use server::{Options, Service};
use tests::api::Api;
use tests::service::TestService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const MIB: usize = 1024 * 1024;

async fn limited(cloud_limits: bool) -> Service {
    Service::start(Options { cloud_limits, ..Options::default() }).await.unwrap()
}

/// So many bytes as a form to analyze.
fn form(service: &Service, body: impl Into<Body>) -> RequestBuilder {
    let url = format!("{}/api/v1/pdf/analyze", service.origin());
    Client::new().post(url).header("content-type", "multipart/form-data; boundary=x").body(body)
}

/// Posts them without a token, so the function's own answer is 401.
async fn post(service: &Service, body: impl Into<Body>) -> Response {
    form(service, body).send().await.unwrap()
}

/// Sends bytes as they are and gives the answer up to the end of the connection.
async fn raw(service: &Service, request: &str) -> String {
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn preflights_are_answered_here_for_every_path() {
    let service = limited(false).await;
    for path in ["/api/v1/user", "/api/v1/nowhere"] {
        let request = Client::new().request(Method::OPTIONS, format!("{}{path}", service.origin()));
        let request = request.header("Origin", "https://example.com").header("Access-Control-Request-Method", "GET");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::NO_CONTENT);
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], "*");
        assert_eq!(headers["access-control-allow-headers"], "authorization,content-type,idempotency-key");
        assert_eq!(headers["access-control-max-age"], "86400");
    }
    let get = Client::new().get(format!("{}/api/v1/user", service.origin()));
    let response = get.header("Origin", "https://example.com").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert!(response.headers()["access-control-expose-headers"].to_str().unwrap().contains("x-request-id"));
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_before_it_is_read() {
    let service = TestService::start().await;
    let token = service.account("ada").await.token();
    let service = service.service();
    let head = format!(
        "POST /api/v1/pdf/analyze HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 106000000\r\n\
         Connection: close\r\nContent-Type: multipart/form-data; boundary=x\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    let answer = raw(service, &head).await;
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("\r\nratelimit: "), "{answer}");

    let refused = form(service, vec![0; 102 * MIB]).bearer_auth(&token).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let id = refused.headers()["x-request-id"].to_str().unwrap().to_owned();
    let body: Value = refused.json().await.unwrap();
    assert_eq!(body["error"]["code"], "file_too_large");
    assert_eq!(body["error"]["request_id"], id);

    let chunks = || Body::wrap_stream(stream::iter((0..102).map(|_| Ok::<_, io::Error>(vec![0; MIB]))));
    let refused = form(service, chunks()).bearer_auth(&token).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    // who it is comes first, as with every other body
    assert_eq!(post(service, chunks()).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn large_bodies_wait_for_each_other() {
    let service = TestService::start().await;
    let token = service.account("ada").await.token();
    // without a declared length each reserves room for the largest: two at a time of one account
    let chunks = || stream::iter((0..2).map(|_| Ok::<_, io::Error>(vec![0; MIB])));
    let posts = (0..12).map(|_| form(service.service(), Body::wrap_stream(chunks())).bearer_auth(&token).send());
    for response in futures_util::future::join_all(posts).await {
        assert_eq!(response.unwrap().status(), StatusCode::BAD_REQUEST);
    }
}

/// Announces the largest body and sends nothing of it.
async fn idle(service: &Service, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    let head = format!(
        "POST /api/v1/pdf/analyze HTTP/1.1\r\nHost: x\r\nContent-Length: 104000000\r\n\
         Content-Type: multipart/form-data; boundary=x\r\n{token}\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// How long an upload of 2 MB takes: the shortest of three, for the machine may have other work.
async fn honest(ada: &Api) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let file = pdf_of_size("Honest", 2 * MIB);
        let began = Instant::now();
        ada.analyze("honest.pdf", file).await.expect(200);
        shortest = shortest.min(began.elapsed());
    }
    shortest
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_of_nobody_delay_no_upload() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let alone = honest(&ada).await;
    let mut held = Vec::new();
    let forged = format!("Authorization: Bearer {}\r\n", ada.token().replace("pdfa_", "pdfx_"));
    for token in ["", "", "", forged.as_str(), forged.as_str(), "Cookie: session=x\r\n"] {
        held.push(idle(service.service(), token).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let beside = honest(&ada).await;
    println!("2 MB in {} ms alone, in {} ms beside six idle connections", alone.as_millis(), beside.as_millis());
    assert!(beside < alone + Duration::from_secs(1), "{beside:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_holds_its_own_share_of_the_memory_and_waits_ten_seconds_for_more() {
    let service = TestService::start().await;
    let (ada, eve) = (service.account("ada").await, service.account("eve").await);
    let alone = honest(&ada).await;
    let token = format!("Authorization: Bearer {}\r\n", eve.token());
    let mut held = Vec::new();
    for _ in 0..6 {
        held.push(idle(service.service(), &token).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let (began, of_eve) = (Instant::now(), eve.clone());
    let more = tokio::spawn(async move { of_eve.analyze("more.pdf", pdf_of_size("More", 8 * MIB)).await });
    let beside = honest(&ada).await;
    assert!(beside < alone + Duration::from_secs(1), "{beside:?}");
    let refused = more.await.unwrap().expect(503);
    let waited = began.elapsed().as_secs_f64();
    assert_eq!((refused.code(), refused.header("retry-after")), ("service_unavailable", "1"));
    assert!((9.5..14.0).contains(&waited), "{waited}");
    assert_eq!(eve.used().await, 0);
}

#[tokio::test]
async fn the_cloud_s_limits_are_in_the_cloud_s_words() {
    let service = limited(true).await;
    assert_eq!(post(&service, vec![0; 4 * MIB]).await.status(), StatusCode::UNAUTHORIZED);
    // in base64 the event is over Lambda's 6 MB; then over API Gateway's 10 MB
    for size in [5 * MIB, 11 * MIB] {
        let response = post(&service, vec![0; size]).await;
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(response.text().await.unwrap(), r#"{"message":"Request Entity Too Large"}"#);
    }
}

#[tokio::test]
async fn requests_that_are_none_are_refused_without_harm() {
    let service = limited(false).await;
    for request in [
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "nonsense\r\n\r\n",
    ] {
        let answer = raw(&service, request).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{request:?}: {answer}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "\"".repeat(30_000));
    assert!(raw(&service, &long).await.starts_with("HTTP/1.1 414"));
    for odd in ["/api/v1/user%00", "/%2e%2e/%2e%2e/etc/passwd", "/api/v1/pdf/%FF%FE", "//x//", "/api/v1/pdf/a%23b%3Fc"]
    {
        let answer = raw(&service, &format!("GET {odd} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await;
        let client_error = ["HTTP/1.1 401", "HTTP/1.1 404"].iter().any(|status| answer.starts_with(status));
        assert!(client_error, "{odd}: {answer}");
    }
}
