//! What the `main` of every Lambda function does.

use std::future::Future;

use lambda_http::{Body, Request, Response, service_fn};
use tracing_subscriber::EnvFilter;

use crate::aws;
use crate::clock::Clock;
use crate::journal::{Daemon, Journal};
use crate::platform::{Config, Platform};

/// Reads the function's surroundings: log level, configuration, AWS clients.
///
/// # Errors
/// An environment value of `template.yaml` is missing.
pub async fn platform() -> Result<Platform, lambda_http::Error> {
    let level = std::env::var("LOG_LEVEL").unwrap_or_else(|_| "info".to_owned());
    tracing_subscriber::fmt().json().with_env_filter(EnvFilter::new(level)).without_time().init();
    let value = |name: &str| std::env::var(name).ok();
    let config = Config::read(value)?;
    let daemon = value("AWS_XRAY_DAEMON_ADDRESS").as_deref().and_then(Daemon::at);
    let journal = Journal::cloudwatch(config.metrics_namespace.clone(), daemon);
    let sdk = aws::config().await;
    Ok(Platform {
        dynamodb: aws_sdk_dynamodb::Client::new(&sdk),
        s3: aws_sdk_s3::Client::new(&sdk),
        config,
        clock: Clock::system(),
        journal,
    })
}

/// Answers the function's events with `handle` until Lambda ends the process.
///
/// # Errors
/// The runtime API failed.
pub async fn run<F, A>(handle: F) -> Result<(), lambda_http::Error>
where
    F: Fn(Request) -> A,
    A: Future<Output = Response<Body>> + Send,
{
    lambda_http::run(service_fn(|request| {
        let answer = handle(request);
        async { Ok::<_, std::convert::Infallible>(answer.await) }
    }))
    .await
}
