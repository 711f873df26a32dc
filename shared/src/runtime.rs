//! What the `main` of every Lambda function does.

mod event;
mod log;

pub use event::{Unreadable, request, request_of};
pub use log::filter;

use std::convert::Infallible;
use std::future::Future;

use lambda_http::{Body, Context, LambdaEvent, Request, RequestExt, Response, service_fn};
use lambda_runtime::layers::TracingLayer;
use lambda_runtime::tower::ServiceExt;
use lambda_runtime::tower::layer::layer_fn;
use lambda_runtime::{LambdaInvocation, Runtime};
use serde_json::value::RawValue;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::afterwards::Afterwards;
use crate::aws;
use crate::clock::Clock;
use crate::journal::{Daemon, Journal};
use crate::mail::Mail;
use crate::platform::{Config, Platform, Process};

/// Reads the function's surroundings: log level, configuration, AWS clients.
///
/// # Errors
/// An environment value of `template.yaml` is missing.
pub async fn platform() -> Result<Platform, lambda_http::Error> {
    let level = std::env::var("LOG_LEVEL").unwrap_or_else(|_| "info".to_owned());
    let lines = tracing_subscriber::fmt::layer().json().without_time();
    tracing_subscriber::registry().with(lines).with(filter(&level)).init();
    let value = |name: &str| std::env::var(name).ok();
    let config = Config::read(value)?;
    let daemon = value("AWS_XRAY_DAEMON_ADDRESS").as_deref().and_then(Daemon::at);
    let journal = Journal::cloudwatch(config.metrics_namespace.clone(), daemon);
    let sdk = aws::config().await;
    let mut dynamodb = aws_sdk_dynamodb::config::Builder::from(&sdk);
    dynamodb.set_endpoint_url(value("AWS_ENDPOINT_URL_DYNAMODB"));
    let mut s3 = aws_sdk_s3::config::Builder::from(&sdk);
    let endpoint = value("AWS_ENDPOINT_URL_S3");
    // AWS's endpoints have TLS, and a name for every bucket; others have neither
    s3.set_force_path_style(endpoint.as_deref().map(|url| url.starts_with("http://")));
    s3.set_endpoint_url(endpoint);
    Ok(Platform {
        dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb.build()),
        s3: s3.build(),
        config,
        mail: Mail::read(value),
        clock: Clock::system(),
        journal,
        process: Process { afterwards: Afterwards::kept(), ..Process::default() },
    })
}

/// Answers the events of the function on `platform` with `handle` until Lambda ends the process. What is left to be done
/// after an answer is done when that is sent: Lambda passes it on at once, and lets the process go on until it asks for
/// the next event.
///
/// # Errors
/// The runtime API failed.
pub async fn run<F, A>(platform: &Platform, handle: F) -> Result<(), lambda_http::Error>
where
    F: Fn(Request) -> A,
    A: Future<Output = Response<Body>> + Send,
{
    let (handle, afterwards) = (&handle, &platform.process.afterwards);
    // boxed: the compiler gives up on the type of the whole otherwise
    let answering = service_fn(|event: LambdaEvent<Box<RawValue>>| {
        Box::pin(async move {
            let answer = answer(event.payload.get(), event.context, platform, handle).await;
            Ok::<_, Infallible>(event::payload(answer))
        })
    });
    let finishing = layer_fn(|service| {
        ServiceExt::<LambdaInvocation>::then(service, move |sent| async move {
            afterwards.finish().await;
            sent
        })
    });
    Runtime::new(answering).layer(TracingLayer::new()).layer(finishing).run().await
}

/// Answers one event (JSON): with `handle`, or 400 where no request can be made of it, which is noted in the journal
/// of `platform`.
pub async fn answer<A>(
    event: &str,
    context: Context,
    platform: &Platform,
    handle: impl FnOnce(Request) -> A,
) -> Response<Body>
where
    A: Future<Output = Response<Body>>,
{
    match event::request(event) {
        Ok(request) => handle(request.with_lambda_context(context)).await,
        Err(unreadable) => {
            platform.journal.note(&unreadable.entry(platform.clock.now(), &context));
            unreadable.answer()
        }
    }
}
