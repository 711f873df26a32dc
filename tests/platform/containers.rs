//! The embedded stores for containers of the same machine. Another loopback address plays Docker's bridge.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use aws_sdk_s3::presigning::PresigningConfig;
use chrono::Utc;
use reqwest::Client;
use serde_json::Value;
use server::{Containers, Options, Service};
use shared::ids::{UploadId, UserId};
use shared::uploads::{Announced, Uploads};
use tests::service::{local, plain_http};

const BRIDGE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const NAME: &str = "host.docker.internal";

async fn bridged() -> Service {
    let containers = Some(Containers { bridge: Some(BRIDGE.into()) });
    Service::start(Options { containers, ..Options::default() }).await.unwrap()
}

/// A client for which `host.docker.internal` is `address`, as `--add-host` has it inside a container.
fn inside(address: impl Into<IpAddr>, port: u16) -> Client {
    Client::builder().resolve(NAME, SocketAddr::new(address.into(), port)).build().unwrap()
}

#[tokio::test]
async fn they_are_answered_at_the_bridge_and_nobody_is_without_being_asked_for() {
    for (service, there) in [(bridged().await, true), (Service::start(Options::default()).await.unwrap(), false)] {
        let (dynamodb, s3) = service.embedded().unwrap().ports();
        for port in [dynamodb, s3] {
            let connected = tokio::net::TcpStream::connect((BRIDGE, port)).await;
            assert_eq!(connected.is_ok(), there, "{connected:?}");
        }
        let config = service.dynamodb().config().to_builder().endpoint_url(format!("http://{BRIDGE}:{dynamodb}"));
        let config = config.http_client(plain_http()).credentials_provider(local());
        let config = config.retry_config(aws_sdk_dynamodb::config::retry::RetryConfig::disabled());
        let read =
            aws_sdk_dynamodb::Client::from_conf(config.build()).scan().table_name(&service.template().table.name);
        assert_eq!(read.send().await.is_ok(), there);
    }
}

#[tokio::test]
async fn no_browser_and_no_other_name_is_answered() {
    let (bridged, alone) = (bridged().await, Service::start(Options::default()).await.unwrap());
    for (service, host, dynamodb, s3) in [
        // these are unsigned
        (&bridged, NAME, 400, "Access Denied"),
        (&bridged, "localhost", 400, "Access Denied"),
        (&bridged, "example.org", 403, "Only requests to this machine"),
        (&bridged, "host.docker.internal.example.org", 403, "Only requests to this machine"),
        (&alone, NAME, 403, "Only requests to this machine"),
        (&alone, "localhost", 400, "Access Denied"),
    ] {
        let stores = service.embedded().unwrap();
        let post = Client::new().post(stores.dynamodb_endpoint()).header("host", host);
        assert_eq!(post.send().await.unwrap().status(), dynamodb, "{host}");
        let get = Client::new().get(stores.s3_endpoint()).header("host", host).send().await.unwrap();
        let said = get.text().await.unwrap();
        assert!(said.contains(s3), "{host}: {said}");
    }
    let (port, _) = bridged.embedded().unwrap().ports();
    let page = inside(BRIDGE, port).post(format!("http://{NAME}:{port}/")).header("origin", "http://example.org");
    assert_eq!(page.send().await.unwrap().status(), 403);
}

/// A function in a container signs for the name, the server for the bridge.
#[tokio::test]
async fn what_is_signed_is_good_inside_and_outside() {
    let service = bridged().await;
    let (_, port) = service.embedded().unwrap().ports();
    let config =
        service.s3().config().to_builder().endpoint_url(format!("http://{NAME}:{port}")).force_path_style(true);
    let client = aws_sdk_s3::Client::from_conf(config.build());
    let outside = Ipv4Addr::LOCALHOST;
    for (key, client_at) in [("uploads/u/1", BRIDGE), ("uploads/u/2", outside)] {
        let put = client.put_object().bucket(&service.template().bucket.name).key(key).content_length(1);
        let signed = put.presigned(PresigningConfig::expires_in(Duration::from_secs(60)).unwrap()).await.unwrap();
        let put = inside(client_at, port).put(signed.uri()).body("x").send().await.unwrap();
        assert_eq!(put.status(), 200, "{client_at}");
    }
    let platform = service.platform("PdfFunction").unwrap();
    let uploads = Uploads::new(&platform.s3, &platform.config.upload_bucket);
    let file = Announced { name: "a.pdf", size: 1, hash: None };
    let ticket = uploads.ticket(UserId::random(), UploadId::new(Utc::now()), &file, None, Utc::now()).await.unwrap();
    let ticket = serde_json::to_value(&ticket).unwrap();
    let url = ticket["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://{BRIDGE}:{port}/")), "{url}");
    let headers = ticket["headers"].as_object().unwrap().iter().filter(|(name, _)| *name != "content-length");
    let put = headers.fold(Client::new().put(url), |put, (name, value)| put.header(name, value.as_str().unwrap_or("")));
    assert_eq!(put.body("x").send().await.unwrap().status(), 200);
    assert_ne!(ticket["headers"], Value::Null);
}
