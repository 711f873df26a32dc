//! How SDK clients reach the embedded stores.

use std::net::SocketAddr;

use aws_config::SdkConfig;
use aws_sdk_s3::config::{Credentials, Region};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use shared::aws;

use crate::template::REGION;

/// Both parts of the credentials of the embedded stores: fixed, so that the AWS tools can use them too.
pub(crate) const KEY: &str = "local";

/// The configuration of a client of the store at `address`, which it calls over `http`. The address is what presigned
/// URLs point to.
pub(crate) fn config(address: SocketAddr, http: SharedHttpClient) -> SdkConfig {
    let config = aws::exactly(Some(Region::from_static(REGION)), credentials(), http);
    config.into_builder().endpoint_url(endpoint(address)).build()
}

/// The same over a network, as for a store that another process has embedded.
pub(crate) fn over_http(address: SocketAddr) -> SdkConfig {
    config(address, aws_smithy_http_client::Builder::new().build_http())
}

/// As [`config`] of DynamoDB's, of a client that signs nothing: nobody would look at it.
pub(crate) fn unsigned(address: SocketAddr, http: SharedHttpClient) -> aws_sdk_dynamodb::config::Builder {
    let mut config = config(address, http).into_builder();
    config.set_credentials_provider(None);
    aws_sdk_dynamodb::config::Builder::from(&config.build()).allow_no_auth()
}

/// An address as the endpoint URL of a client.
pub(crate) fn endpoint(address: SocketAddr) -> String {
    format!("http://{address}")
}

fn credentials() -> Credentials {
    Credentials::new(KEY, KEY, None, None, "embedded stores")
}
