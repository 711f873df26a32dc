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

/// Credentials that end are renewed so long before: what they sign ends with them. A machine in EC2 finds new ones five
/// minutes before the old ones end.
const RENEW: Duration = Duration::from_secs(4 * 60);

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(1);

/// How long a call may take: a healthy DynamoDB answers in milliseconds, and a request has to
/// leave time for another try.
fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .operation_attempt_timeout(Duration::from_secs(3))
        .operation_timeout(Duration::from_secs(8))
        .build()
}

/// The SDK's standard retries: 3 attempts with jitter.
fn retries() -> RetryConfig {
    RetryConfig::standard()
}

/// Amazon's own root certificates, <https://www.amazontrust.com/repository/>: AWS's endpoints show
/// certificates of these. The system's 140 others would take longer to read than all else of a
/// cold start, and are so many more that could vouch for a false endpoint.
const AMAZON: &[u8] = include_bytes!("aws/amazon-roots.pem");

/// The configuration of a function: region and credentials are those that Lambda puts into its
/// environment. Nothing else is looked for, and the code that would look is not even in the binary:
/// a cold start would take a third longer.
pub async fn config() -> SdkConfig {
    let region = EnvironmentVariableRegionProvider::new().region().await;
    exactly(region, EnvironmentVariableCredentialsProvider::new(), https())
}

/// The configuration of just this, with our timeouts and retries; what is sent is metered.
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

/// What loads the configuration of any process: region and credentials from wherever the AWS tools
/// look for them.
#[must_use]
pub fn loader() -> ConfigLoader {
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(metered(https()))
        .identity_cache(IdentityCache::lazy().buffer_time(RENEW).build())
        .timeout_config(timeouts())
        .retry_config(retries())
}

/// One pool of connections for all clients, with TLS set up now rather than in the first request.
/// Trusts Amazon's roots, or those in the file that `AWS_CA_BUNDLE` names, as the AWS tools do.
fn https() -> SharedHttpClient {
    let bundle = std::env::var_os("AWS_CA_BUNDLE").and_then(|path| std::fs::read(path).ok());
    let roots = TrustStore::empty().with_pem_certificate(bundle.unwrap_or_else(|| AMAZON.to_vec()));
    let connector = Connector::builder()
        .tls_provider(tls::Provider::Rustls(CryptoMode::Ring))
        .connector_settings(HttpConnectorSettings::builder().connect_timeout(CONNECT).build())
        .sleep_impl(TokioSleep::new());
    let connector = match TlsContext::builder().with_trust_store(roots).build() {
        Ok(context) => connector.tls_context(context),
        Err(_) => connector,
    };
    let connector = SharedHttpConnector::new(connector.build());
    http_client_fn(move |_, _| connector.clone())
}
