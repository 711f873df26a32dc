//! The configuration of SDK clients of the embedded stores.

use std::net::SocketAddr;

use aws_config::SdkConfig;
use aws_runtime::invocation_id::InvocationIdInterceptor;
use aws_runtime::request_info::RequestInfoInterceptor;
use aws_runtime::user_agent::UserAgentInterceptor;
use aws_sdk_dynamodb::config::endpoint::{Params, ResolveEndpoint};
use aws_sdk_dynamodb::config::{Intercept, StalledStreamProtectionConfig};
use aws_sdk_s3::config::{Credentials, Region};
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::endpoint::EndpointFuture;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_runtime_api::client::interceptors::context::BeforeSerializationInterceptorContextRef;
use aws_smithy_runtime_api::client::interceptors::disable_interceptor;
use aws_smithy_types::config_bag::ConfigBag;
use aws_smithy_types::endpoint::Endpoint;
use aws_smithy_types::retry::{ReconnectMode, RetryConfig};

use shared::aws;

use super::ticket_key::{TICKET_KEY_ID, TicketKey};
use crate::template::REGION;

/// Both parts of the credentials of the embedded stores: fixed, so that the AWS tools can use them too.
pub(crate) const KEY: &str = "local";

/// The configuration of a client of the store at `address`, with the transport `http`. Presigned URLs have this
/// address.
fn config(address: SocketAddr, http: SharedHttpClient) -> SdkConfig {
    let config = aws::exactly(Some(Region::from_static(REGION)), credentials(), http);
    config.into_builder().endpoint_url(endpoint(address)).build()
}

/// The same over a network, for a store in another process.
pub(crate) fn over_http(address: SocketAddr) -> SdkConfig {
    config(address, aws_smithy_http_client::Builder::new().build_http())
}

/// As [`config`], for a client in the store's process: connections need not be replaced after failures.
fn inside(address: SocketAddr, http: SharedHttpClient) -> SdkConfig {
    let config = config(address, http);
    let retries = config.retry_config().cloned().unwrap_or_else(RetryConfig::standard);
    config.into_builder().retry_config(retries.with_reconnect_mode(ReconnectMode::ReuseAllConnections)).build()
}

/// A client of the S3 in this process. It presigns with `key`, because presigned requests are used by others.
pub(crate) fn s3(address: SocketAddr, key: &TicketKey, http: SharedHttpClient) -> aws_sdk_s3::config::Builder {
    let credentials = Credentials::new(TICKET_KEY_ID, key.reveal(), None, None, "tickets");
    aws_sdk_s3::config::Builder::from(&inside(address, http)).credentials_provider(credentials)
}

/// A client of the DynamoDB in this process, without features that have no effect here: signatures, user agent and
/// retry headers, endpoint discovery, stalled-stream protection.
pub(crate) fn dynamodb(address: SocketAddr, http: SharedHttpClient) -> aws_sdk_dynamodb::config::Builder {
    let mut config = inside(address, http).into_builder();
    config.set_credentials_provider(None);
    aws_sdk_dynamodb::config::Builder::from(&config.build())
        .allow_no_auth()
        .interceptor(Nameless)
        .endpoint_resolver(Configured)
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
}

/// Omits the headers about the client and its retries.
#[derive(Debug)]
struct Nameless;

impl Intercept for Nameless {
    fn name(&self) -> &'static str {
        "Nameless"
    }

    fn read_before_execution(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        const CAUSE: &str = "the store is in this process";
        let state = config.interceptor_state();
        state.store_put(disable_interceptor::<UserAgentInterceptor>(CAUSE));
        state.store_put(disable_interceptor::<InvocationIdInterceptor>(CAUSE));
        state.store_put(disable_interceptor::<RequestInfoInterceptor>(CAUSE));
        Ok(())
    }
}

/// Resolves to the configured endpoint URL, regardless of the region.
#[derive(Debug)]
struct Configured;

impl ResolveEndpoint for Configured {
    fn resolve_endpoint<'a>(&'a self, params: &'a Params) -> EndpointFuture<'a> {
        let endpoint = params.endpoint().map(|url| Endpoint::builder().url(url.to_owned()).build());
        EndpointFuture::ready(endpoint.ok_or_else(|| "no endpoint URL is configured".into()))
    }
}

/// An address as the endpoint URL of a client.
pub(crate) fn endpoint(address: SocketAddr) -> String {
    format!("http://{address}")
}

fn credentials() -> Credentials {
    Credentials::new(KEY, KEY, None, None, "embedded stores")
}
