//! The runtime of every Lambda function.

mod event;
mod log;

pub use event::{Unreadable, request, request_of};
pub use log::filter;

use std::convert::Infallible;
use std::future::Future;

use aws_config::SdkConfig;
use aws_sdk_s3::error::DisplayErrorContext;
use engine::{Anchor, AnchorSource};
use lambda_http::{Body, Context, LambdaEvent, Request, RequestExt, Response, service_fn};
use lambda_runtime::Runtime;
use lambda_runtime::layers::TracingLayer;
use serde_json::value::RawValue;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::aws;
use crate::clock::Clock;
use crate::function::Function;
use crate::journal::Journal;
use crate::mail::Mail;
use crate::platform::{Config, Platform, Process};

/// Builds the function's platform: log level, configuration, AWS clients.
///
/// # Errors
/// An environment value of `template.yaml` is missing.
async fn platform() -> Result<Platform, lambda_http::Error> {
    let level = std::env::var("LOG_LEVEL").unwrap_or_else(|_| "info".to_owned());
    let lines = tracing_subscriber::fmt::layer().json().without_time();
    tracing_subscriber::registry().with(lines).with(filter(&level)).init();
    let value = |name: &str| std::env::var(name).ok();
    let config = Config::read(value)?;
    let journal = Journal::cloudwatch(config.metrics_namespace.clone());
    let sdk = aws::config().await;
    let mut dynamodb = aws_sdk_dynamodb::config::Builder::from(&sdk);
    dynamodb.set_endpoint_url(value("AWS_ENDPOINT_URL_DYNAMODB"));
    let s3 = s3(&sdk, value);
    let mut process = Process::default();
    if let Some(key) = &config.trusted_issuers {
        process.anchors = trusted_issuers(&s3, &config.upload_bucket, key).await?.into();
    }
    Ok(Platform {
        dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
        s3,
        config,
        mail: Mail::read(value),
        clock: Clock::system(),
        journal,
        process,
    })
}

/// The configuration of S3's client; `get` returns the environment value of an endpoint other than AWS's.
pub fn s3(sdk: &SdkConfig, get: impl Fn(&str) -> Option<String>) -> aws_sdk_s3::Config {
    let mut s3 = aws_sdk_s3::config::Builder::from(sdk);
    let endpoint = get("AWS_ENDPOINT_URL_S3");
    // AWS's endpoints have TLS and a host name per bucket; others have neither
    s3.set_force_path_style(endpoint.as_deref().map(|url| url.starts_with("http://")));
    s3.set_endpoint_url(endpoint);
    s3.build()
}

/// The issuers in an object of the bucket. A function does not start without them: an analysis is stored once, and one
/// made without these issuers would keep a wrong answer about its signers.
///
/// # Errors
/// The object cannot be read, or has no certificates.
pub async fn trusted_issuers(
    s3: &aws_sdk_s3::Config,
    bucket: &str,
    key: &str,
) -> Result<Vec<Anchor>, lambda_http::Error> {
    let read = async {
        let object = aws_sdk_s3::Client::from_conf(s3.clone()).get_object().bucket(bucket).key(key).send().await?;
        let pem = object.body.collect().await?.into_bytes();
        Ok::<_, lambda_http::Error>(Anchor::read(&pem, AnchorSource::Operator)?)
    };
    read.await.inspect_err(|error| {
        let cause = DisplayErrorContext(error.as_ref()).to_string();
        tracing::error!(cause, "the trusted issuers, s3://{bucket}/{key}, cannot be read");
    })
}

/// Builds the function and answers its events until Lambda ends the process.
///
/// # Errors
/// An environment value of `template.yaml` is missing, or the runtime API failed.
pub async fn run<F: Function>() -> Result<(), lambda_http::Error> {
    let platform = platform().await?;
    let function = F::new(platform.clone());
    let (platform, function) = (&platform, &function);
    // boxed: otherwise the type is too complex for the compiler
    let answering = service_fn(|event: LambdaEvent<Box<RawValue>>| {
        Box::pin(async move {
            let (text, context) = (event.payload.get(), event.context);
            let answer = answer(text, context, platform, |request| function.handle(request), || function.due()).await;
            Ok::<_, Infallible>(event::payload(answer))
        })
    });
    Runtime::new(answering).layer(TracingLayer::new()).run().await
}

/// Answers one event (JSON): a request by `handle`, a scheduled event after `due`, others by 400, which is recorded in
/// the journal of `platform`.
pub async fn answer<A, W>(
    event: &str,
    context: Context,
    platform: &Platform,
    handle: impl FnOnce(Request) -> A,
    due: impl FnOnce() -> W,
) -> Response<Body>
where
    A: Future<Output = Response<Body>>,
    W: Future<Output = ()>,
{
    match event::request(event) {
        Ok(request) => handle(request.with_lambda_context(context)).await,
        Err(_) if event::is_scheduled(event) => {
            due().await;
            Response::default()
        }
        Err(unreadable) => {
            platform.journal.record(&unreadable.entry(platform.clock.now()));
            unreadable.answer()
        }
    }
}
