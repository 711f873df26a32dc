//! Presigned uploads: exactly what was signed, once, in time.

use std::time::{Duration, SystemTime};

use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use reqwest::{Client, Response, StatusCode};
use server::{Options, Service};

/// An upload of five bytes under `key`, signed at `start` for a minute.
async fn signed_at(service: &Service, key: &str, start: SystemTime) -> PresignedRequest {
    let minute = PresigningConfig::builder().start_time(start).expires_in(Duration::from_secs(60));
    let bucket = &service.template().bucket.name;
    let put = service.s3().put_object().bucket(bucket).key(key).content_length(5).if_none_match("*");
    put.metadata("filename", "a.pdf").presigned(minute.build().unwrap()).await.unwrap()
}

async fn signed(service: &Service, key: &str) -> PresignedRequest {
    signed_at(service, key, SystemTime::now()).await
}

/// Sends a signed upload, `url` in place of its own.
async fn send(signed: &PresignedRequest, url: &str, body: impl Into<reqwest::Body>) -> Response {
    let mut request = Client::new().put(url);
    for (name, value) in signed.headers().filter(|(name, _)| *name != "content-length") {
        request = request.header(name, value);
    }
    request.body(body).send().await.unwrap()
}

async fn refused(response: Response, status: StatusCode, code: &str) {
    assert_eq!(response.status(), status);
    let xml = response.text().await.unwrap();
    assert!(xml.starts_with("<?xml") && xml.contains(&format!("<Code>{code}</Code>")), "{xml}");
}

#[tokio::test]
async fn it_holds_what_was_signed_and_once() {
    let service = Service::start(Options::default()).await.unwrap();
    let signed = signed(&service, "uploads/u/1").await;
    for body in ["1234", "123456", ""] {
        refused(send(&signed, signed.uri(), body).await, StatusCode::FORBIDDEN, "SignatureDoesNotMatch").await;
    }
    let stream = futures_util::stream::iter([Ok::<_, std::io::Error>("12345")]);
    let unsized_body = reqwest::Body::wrap_stream(stream);
    refused(send(&signed, signed.uri(), unsized_body).await, StatusCode::FORBIDDEN, "SignatureDoesNotMatch").await;
    assert_eq!(send(&signed, signed.uri(), "12345").await.status(), StatusCode::OK);
    refused(send(&signed, signed.uri(), "54321").await, StatusCode::PRECONDITION_FAILED, "PreconditionFailed").await;
    let bucket = &service.template().bucket.name;
    let stored = service.s3().get_object().bucket(bucket).key("uploads/u/1").send().await.unwrap();
    assert_eq!(stored.metadata().unwrap()["filename"], "a.pdf");
    assert_eq!(stored.body.collect().await.unwrap().to_vec(), b"12345");
}

#[tokio::test]
async fn an_altered_or_expired_address_is_refused() {
    let service = Service::start(Options::default()).await.unwrap();
    let signed = signed(&service, "uploads/u/1").await;
    for (from, to) in [("/u/1?", "/u/2?"), ("Expires=60", "Expires=6000"), ("x-id=PutObject", "x-id=GetObject")] {
        let altered = signed.uri().replace(from, to);
        assert_ne!(altered, signed.uri());
        refused(send(&signed, &altered, "12345").await, StatusCode::FORBIDDEN, "SignatureDoesNotMatch").await;
    }
    let read = Client::new().get(signed.uri()).send().await.unwrap();
    refused(read, StatusCode::FORBIDDEN, "SignatureDoesNotMatch").await;
    let expired = signed_at(&service, "uploads/u/1", SystemTime::now() - Duration::from_secs(61)).await;
    refused(send(&expired, expired.uri(), "12345").await, StatusCode::FORBIDDEN, "AccessDenied").await;
}

#[tokio::test]
async fn headers_nobody_signed_are_refused() {
    let service = Service::start(Options::default()).await.unwrap();
    let signed = signed(&service, "uploads/u/1").await;
    let mut more = Client::new().put(signed.uri()).header("x-amz-meta-more", "1").body("12345");
    for (name, value) in signed.headers().filter(|(name, _)| *name != "content-length") {
        more = more.header(name, value);
    }
    refused(more.send().await.unwrap(), StatusCode::FORBIDDEN, "AccessDenied").await;
    let fewer = Client::new().put(signed.uri()).body("12345").send().await.unwrap();
    refused(fewer, StatusCode::FORBIDDEN, "SignatureDoesNotMatch").await;
}

#[tokio::test]
async fn of_many_at_once_one_wins() {
    let service = Service::start(Options::default()).await.unwrap();
    let signed = signed(&service, "uploads/u/1").await;
    let slow = |bytes: [&'static str; 2]| {
        let parts = futures_util::stream::unfold(bytes.into_iter(), |mut bytes| async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Some((Ok::<_, std::io::Error>(bytes.next()?), bytes))
        });
        reqwest::Body::wrap_stream(parts)
    };
    let upload = || async {
        let mut request = Client::new().put(signed.uri());
        for (name, value) in signed.headers() {
            request = request.header(name, value);
        }
        request.body(slow(["123", "45"])).send().await.unwrap().status()
    };
    let statuses = futures_util::future::join_all((0..8).map(|_| upload())).await;
    let won = statuses.iter().filter(|status| **status == StatusCode::OK).count();
    let lost = statuses.iter().filter(|status| **status == StatusCode::PRECONDITION_FAILED).count();
    assert_eq!((won, lost), (1, 7), "{statuses:?}");
}
