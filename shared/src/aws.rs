//! The AWS SDK's clients, as every process builds them.

mod metered;

pub use metered::metered;

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls::{self, rustls_provider::CryptoMode};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;

/// How long a call may take: a healthy DynamoDB answers in milliseconds, and a request has to
/// leave time for another try.
#[must_use]
pub fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(3))
        .operation_timeout(Duration::from_secs(8))
        .build()
}

/// The SDK's standard retries: 3 attempts with jitter.
#[must_use]
pub fn retries() -> RetryConfig {
    RetryConfig::standard()
}

/// The configuration of a process in AWS: region and credentials from its surroundings.
pub async fn config() -> SdkConfig {
    let http =
        aws_smithy_http_client::Builder::new().tls_provider(tls::Provider::Rustls(CryptoMode::Ring)).build_https();
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(metered(http))
        .timeout_config(timeouts())
        .retry_config(retries())
        .load()
        .await
}
