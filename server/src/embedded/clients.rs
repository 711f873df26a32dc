//! How SDK clients reach the embedded stores.

use std::net::SocketAddr;

use aws_sdk_dynamodb as dynamodb;
use aws_sdk_s3 as s3;
use aws_sdk_s3::config::{Credentials, Region};

use shared::aws;

use crate::template::REGION;

/// Both parts of the credentials of the embedded stores: fixed, so that the AWS tools can use them too.
pub(crate) const KEY: &str = "local";

/// The configuration of a client for the embedded DynamoDB.
pub(crate) fn dynamodb(address: SocketAddr) -> dynamodb::config::Builder {
    dynamodb::Config::builder()
        .behavior_version(dynamodb::config::BehaviorVersion::latest())
        .endpoint_url(endpoint(address))
        .region(Region::from_static(REGION))
        .credentials_provider(credentials())
        .http_client(aws::metered(aws_smithy_http_client::Builder::new().build_http()))
        .timeout_config(aws::timeouts())
        .retry_config(aws::retries())
}

/// The configuration of a client for the embedded S3.
pub(crate) fn s3(address: SocketAddr) -> s3::config::Builder {
    s3::Config::builder()
        .behavior_version(s3::config::BehaviorVersion::latest())
        .endpoint_url(endpoint(address))
        .region(Region::from_static(REGION))
        .credentials_provider(credentials())
        .http_client(aws::metered(aws_smithy_http_client::Builder::new().build_http()))
        .timeout_config(aws::timeouts())
        .retry_config(aws::retries())
}

/// An address as the endpoint URL of a client.
pub(crate) fn endpoint(address: SocketAddr) -> String {
    format!("http://{address}")
}

fn credentials() -> Credentials {
    Credentials::new(KEY, KEY, None, None, "embedded stores")
}
