//! Objects: who may reach them, how they are read, and that they go without a trace.

use std::time::Duration;

use aws_sdk_s3::error::ProvideErrorMetadata;
use chrono::Utc;
use server::{Options, Service};
use shared::clock::Clock;

use crate::start::kept;

async fn put(service: &Service, key: &str, body: impl Into<Vec<u8>>) -> Result<(), String> {
    let put = service.s3().put_object().bucket(&service.template().bucket.name).key(key);
    let sent = put.metadata("filename", "a.pdf").body(body.into().into()).send().await;
    sent.map(drop).map_err(|error| error.code().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn nobody_gets_in_without_a_signature() {
    let service = Service::start(Options::default()).await.unwrap();
    put(&service, "uploads/u/1", b"x").await.unwrap();
    let (endpoint, bucket) = (service.embedded().unwrap().s3_endpoint(), &service.template().bucket.name);
    for path in [String::new(), bucket.clone(), format!("{bucket}/uploads/u/1"), format!("{bucket}/uploads/u")] {
        for method in [reqwest::Method::GET, reqwest::Method::PUT, reqwest::Method::DELETE, reqwest::Method::POST] {
            let request = reqwest::Client::new().request(method.clone(), format!("{endpoint}/{path}"));
            let response = request.body("x").send().await.unwrap();
            assert_eq!(response.status(), reqwest::StatusCode::FORBIDDEN, "{method} {path}");
            let xml = response.text().await.unwrap();
            assert!(xml.contains("<Error><Code>AccessDenied</Code>"), "{method} {path}: {xml}");
        }
    }
}

#[tokio::test]
async fn a_key_stays_in_the_bucket() {
    let folder = tempfile::tempdir().unwrap();
    let service = kept(&folder).await;
    let long = "x".repeat(200);
    for key in ["../out", "a/../../out", "./a", "a/./b", "a//b", "/a", "a/", "a\\b", long.as_str()] {
        let refused = put(&service, key, b"x").await.unwrap_err();
        assert!(["InvalidArgument", "KeyTooLongError"].contains(&refused.as_str()), "{key}: {refused}");
    }
    let other = service.s3().put_object().bucket("other").key("a").send().await.unwrap_err();
    assert_eq!(other.code(), Some("NoSuchBucket"));
    put(&service, "uploads/u/1", b"x").await.unwrap();
    let bucket = &service.template().bucket.name;
    let head = service.s3().head_object().bucket(bucket).key("uploads/u").send().await.unwrap_err();
    assert!(head.into_service_error().is_not_found());
    let get = service.s3().get_object().bucket(bucket).key("uploads").send().await.unwrap_err();
    assert_eq!(get.code(), Some("NoSuchKey"));
}

#[tokio::test]
async fn a_range_is_read_and_not_what_follows_it() {
    let service = Service::start(Options::default()).await.unwrap();
    put(&service, "uploads/u/1", vec![b'x'; 10_000_000]).await.unwrap();
    let get = service.s3().get_object().bucket(&service.template().bucket.name).key("uploads/u/1");
    let mut body = get.range("bytes=5-9999").send().await.unwrap().body;
    let mut sizes = Vec::new();
    while let Some(piece) = body.next().await {
        sizes.push(piece.unwrap().len());
    }
    assert_eq!(sizes.iter().sum::<usize>(), 9_995);
    assert!(sizes.len() <= 4, "{} pieces", sizes.len());
}

#[tokio::test]
async fn ranges_and_pins_are_honoured() {
    let service = Service::start(Options::default()).await.unwrap();
    put(&service, "uploads/u/1", b"0123456789").await.unwrap();
    let get = || service.s3().get_object().bucket(&service.template().bucket.name).key("uploads/u/1");
    let tail = get().range("bytes=-3").send().await.unwrap();
    let e_tag = tail.e_tag().unwrap().to_owned();
    assert_eq!(tail.content_range(), Some("bytes 7-9/10"));
    assert_eq!(tail.body.collect().await.unwrap().to_vec(), b"789");
    let whole = get().range("bytes=-65536").if_match(&e_tag).send().await.unwrap();
    assert_eq!(whole.content_range(), Some("bytes 0-9/10"));
    let beyond = get().range("bytes=10-20").send().await.unwrap_err();
    assert_eq!(beyond.code(), Some("InvalidRange"));
    put(&service, "uploads/u/1", b"9876543210").await.unwrap();
    let changed = get().range("bytes=0-1").if_match(e_tag).send().await.unwrap_err();
    assert_eq!(changed.code(), Some("PreconditionFailed"));
}

#[tokio::test]
async fn deleted_and_damaged_uploads_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let service = kept(&folder).await;
    let bucket = &service.template().bucket.name;
    put(&service, "uploads/u/1", b"x").await.unwrap();
    for _ in 0..2 {
        service.s3().delete_object().bucket(bucket).key("uploads/u/1").send().await.unwrap();
    }
    let damaged = service.s3().put_object().bucket(bucket).key("uploads/u/2").body(b"x".to_vec().into());
    let refused = damaged.content_md5("AAAAAAAAAAAAAAAAAAAAAA==").send().await.unwrap_err();
    assert_eq!(refused.code(), Some("BadDigest"));
    let left: Vec<_> =
        std::fs::read_dir(folder.path().join("s3")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [bucket.as_str()]);
    let listed = service.s3().list_objects_v2().bucket(bucket).send().await.unwrap();
    assert_eq!(listed.key_count(), Some(0));
}

#[tokio::test]
async fn leftovers_expire() {
    let later = Clock::new(|| Utc::now() + Duration::from_secs(25 * 3600));
    for (clock, left) in [(Clock::system(), 1), (later, 0)] {
        let service = Service::start(Options { clock, ..Options::default() }).await.unwrap();
        put(&service, "uploads/u/1", b"x").await.unwrap();
        service.sweep().await;
        let list = service.s3().list_objects_v2().bucket(&service.template().bucket.name);
        assert_eq!(list.send().await.unwrap().key_count(), Some(left));
    }
}
