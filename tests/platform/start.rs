//! Starting: many at once, and the sentences when it cannot be.

use std::time::{Duration, Instant};

use server::{Listen, Options, Service};
use shared::runtime::trusted_issuers;
use tests::trust::authority;

/// A service whose data stays in `folder`.
pub(crate) async fn kept(folder: &tempfile::TempDir) -> Service {
    let data = Some(folder.path().to_owned());
    Service::start(Options { data, ..Options::default() }).await.unwrap()
}

#[tokio::test]
async fn many_services_start_quickly_side_by_side() {
    let mut services = Vec::new();
    let mut quickest = Duration::MAX;
    for _ in 0..10 {
        let began = Instant::now();
        services.push(Service::start(Options::default()).await.unwrap());
        quickest = quickest.min(began.elapsed());
    }
    assert!(quickest < Duration::from_millis(200), "{quickest:?}");
    for service in services {
        service.shutdown().await;
    }
}

#[tokio::test]
async fn what_prevents_a_start_is_said_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let running = kept(&folder).await;
    let data = Some(folder.path().to_owned());
    let taken = running.address();
    let everywhere = Listen::From(([0, 0, 0, 0], 0).into());
    let cases = [
        (Options { data, ..Options::default() }, "another server is using the data folder"),
        (Options { listen: Listen::At(taken), ..Options::default() }, "choose another address with --listen"),
        (Options { s3_listen: Listen::At(taken), ..Options::default() }, "choose another address with --s3-listen"),
        (Options { dynamodb_listen: everywhere, ..Options::default() }, "is not a loopback address"),
    ];
    for (options, sentence) in cases {
        let error = Service::start(options).await.err().unwrap().to_string();
        assert!(error.contains(sentence), "{error}");
    }
}

/// An analysis without the operator's issuers would be stored with a wrong answer.
#[tokio::test]
async fn a_function_starts_with_the_trusted_issuers_of_the_operator_or_not_at_all() {
    let service = Service::start(Options::default()).await.unwrap();
    let (s3, bucket) = (service.s3(), &service.template().bucket.name);
    for (key, pem) in [("trusted/issuers.pem", authority("Root")), ("trusted/empty.pem", "none".to_owned())] {
        s3.put_object().bucket(bucket).key(key).body(pem.into_bytes().into()).send().await.unwrap();
    }
    let read = async |key| trusted_issuers(s3.config(), bucket, key).await.map(|anchors| anchors.len());
    assert_eq!(read("trusted/issuers.pem").await.unwrap(), 1);
    read("trusted/empty.pem").await.unwrap_err();
    read("trusted/missing.pem").await.unwrap_err();
}

#[tokio::test]
async fn beside_a_default_port_that_is_taken_it_takes_another() {
    let first = Service::start(Options::default()).await.unwrap();
    let wanted = Listen::From(first.address());
    let options = Options { listen: wanted, dynamodb_listen: wanted, s3_listen: wanted, ..Options::default() };
    let second = Service::start(options).await.unwrap();
    assert_ne!(second.address(), first.address());
    assert_eq!(second.address().ip(), first.address().ip());
    second.shutdown().await;
    // if the port is free, it is the default one
    let free = first.address();
    first.shutdown().await;
    let third = Service::start(Options { listen: Listen::From(free), ..Options::default() }).await.unwrap();
    assert_eq!(third.address(), free);
}
