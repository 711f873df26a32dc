//! How SDK clients reach the embedded stores.

use std::net::SocketAddr;

use aws_config::SdkConfig;
use aws_sdk_dynamodb as dynamodb;
use aws_sdk_s3 as s3;
use aws_sdk_s3::config::{Credentials, Region};

use shared::aws;

use crate::template::REGION;

/// Both parts of the credentials of the embedded stores: fixed, so that the AWS tools can use them too.
pub(crate) const KEY: &str = "local";

/// The configuration of a client for the embedded DynamoDB.
pub(crate) fn dynamodb(address: SocketAddr) -> dynamodb::config::Builder {
    (&at(address)).into()
}

/// The configuration of a client for the embedded S3.
pub(crate) fn s3(address: SocketAddr) -> s3::config::Builder {
    (&at(address)).into()
}

fn at(address: SocketAddr) -> SdkConfig {
    let http = aws_smithy_http_client::Builder::new().build_http();
    let config = aws::exactly(Some(Region::from_static(REGION)), credentials(), http);
    config.into_builder().endpoint_url(endpoint(address)).build()
}

/// An address as the endpoint URL of a client.
pub(crate) fn endpoint(address: SocketAddr) -> String {
    format!("http://{address}")
}

fn credentials() -> Credentials {
    Credentials::new(KEY, KEY, None, None, "embedded stores")
}
