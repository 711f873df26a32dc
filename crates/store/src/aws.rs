//! The AWS SDK's clients, as every process builds them.

mod metered;

pub use metered::metered;

use std::time::Duration;

use aws_config::environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider};
use aws_config::identity::IdentityCache;
use aws_config::meta::region::ProvideRegion;
use aws_config::{BehaviorVersion, ConfigLoader, SdkConfig};
use aws_sdk_dynamodb::config::{ProvideCredentials, Region, SharedCredentialsProvider};
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::Connector;
use aws_smithy_http_client::tls::{self, TlsContext, TrustStore, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::{
    HttpConnectorSettings, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;

/// Time before their expiry at which credentials are renewed: presigned addresses expire with them. On EC2, new ones
/// are available five minutes before.
const CREDENTIAL_RENEWAL: Duration = Duration::from_secs(4 * 60);

/// Connect timeout.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Timeouts of a call: a healthy DynamoDB answers in milliseconds, and a request has to leave time for another try.
fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(Duration::from_secs(3))
        .operation_timeout(Duration::from_secs(8))
        .build()
}

/// The SDK's standard retries: 3 attempts with jitter.
fn retries() -> RetryConfig {
    RetryConfig::standard()
}

/// Amazon's own root certificates, <https://www.amazontrust.com/repository/>: AWS's endpoints have certificates issued
/// by these. Reading the system's 140 others would take longer than the rest of a cold start, and each of them could
/// authenticate a false endpoint.
const AMAZON_ROOTS: &[u8] = include_bytes!("aws/amazon-roots.pem");

/// The configuration of a function: region and credentials are those that Lambda puts into its environment. No other
/// provider is linked: they would make a cold start a third longer.
pub async fn config() -> SdkConfig {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    exactly(region, EnvironmentVariableCredentialsProvider::new(), https())
}

/// The configuration with this service's timeouts and retries; calls are metered.
#[must_use]
pub fn exactly(
    region: Option<Region>,
    credentials: impl ProvideCredentials + 'static,
    http: SharedHttpClient,
) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(region)
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .http_client(metered(http))
        .timeout_config(timeouts())
        .retry_config(retries())
        .build()
}

/// The loader of any process's configuration: region and credentials from the sources that the AWS tools use.
#[must_use]
pub fn loader() -> ConfigLoader {
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(metered(https()))
        .identity_cache(IdentityCache::lazy().buffer_time(CREDENTIAL_RENEWAL).build())
        .timeout_config(timeouts())
        .retry_config(retries())
}

/// One pool of connections for all clients, with TLS set up now rather than in the first request.
/// Trusts Amazon's roots, or those in the file that `AWS_CA_BUNDLE` names, as the AWS tools do.
fn https() -> SharedHttpClient {
    let bundle = std::env::var_os("AWS_CA_BUNDLE").and_then(|path| std::fs::read(path).ok());
    let roots = TrustStore::empty().with_pem_certificate(bundle.unwrap_or_else(|| AMAZON_ROOTS.to_vec()));
    let connector = Connector::builder()
        .tls_provider(tls::Provider::Rustls(CryptoMode::Ring))
        .connector_settings(HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).build())
        .sleep_impl(TokioSleep::new());
    let connector = match TlsContext::builder().with_trust_store(roots).build() {
        Ok(context) => connector.tls_context(context),
        Err(_) => connector,
    };
    let connector = SharedHttpConnector::new(connector.build());
    http_client_fn(move |_, _| connector.clone())
}
