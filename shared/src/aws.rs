//! The AWS SDK's clients, as every process builds them.

mod metered;

pub use metered::metered;

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig};
use aws_smithy_http_client::tls::{self, TlsContext, TrustStore, rustls_provider::CryptoMode};
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

/// Amazon's own root certificates, <https://www.amazontrust.com/repository/>: AWS's endpoints show
/// certificates of these. The system's 140 others would take longer to read than all else of a
/// cold start, and are so many more that could vouch for a false endpoint.
const AMAZON: &[u8] = include_bytes!("aws/amazon-roots.pem");

/// The configuration of a process in AWS: region and credentials from its surroundings; trusts
/// Amazon's roots, or those in the file that `AWS_CA_BUNDLE` names, as the AWS tools do.
pub async fn config() -> SdkConfig {
    let bundle = std::env::var_os("AWS_CA_BUNDLE").and_then(|path| std::fs::read(path).ok());
    let roots = TrustStore::empty().with_pem_certificate(bundle.unwrap_or_else(|| AMAZON.to_vec()));
    let client = aws_smithy_http_client::Builder::new().tls_provider(tls::Provider::Rustls(CryptoMode::Ring));
    let http = match TlsContext::builder().with_trust_store(roots).build() {
        Ok(context) => client.tls_context(context).build_https(),
        Err(_) => client.build_https(),
    };
    aws_config::defaults(BehaviorVersion::latest())
        .http_client(metered(http))
        .timeout_config(timeouts())
        .retry_config(retries())
        .load()
        .await
}
