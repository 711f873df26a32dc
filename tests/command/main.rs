//! The binary as a user runs it: its output and its effects.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod account;
mod aws;
mod canaries;
mod event;
mod evidence;
mod flood;
mod image;
mod inspect;
mod log;
mod mail;
mod mcp;
mod metrics;
mod start;
mod trust;

use tests::command::Run;
use tests::service::TestService;

/// The binary `pdf-analysis`.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_command");

/// Runs the binary.
pub(crate) fn run(arguments: &[&str]) -> Run {
    tests::command::run(PROGRAM, arguments, &[], "")
}

/// The output of a run that has to end well.
pub(crate) fn output(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert!(run.success, "{arguments:?}: {}", run.errors);
    run.output
}

/// What a run that has to fail says.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert!(!run.success && run.output.is_empty(), "{arguments:?}: {}", run.output);
    run.errors
}

/// The environment in which the SDK takes a service's embedded stores for AWS.
pub(crate) fn surroundings(service: &TestService) -> Vec<(&'static str, String)> {
    let stores = service.service().embedded().unwrap();
    vec![
        ("AWS_ENDPOINT_URL_DYNAMODB", stores.dynamodb_endpoint()),
        ("AWS_ENDPOINT_URL_S3", stores.s3_endpoint()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ACCESS_KEY_ID", "local".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "local".to_owned()),
    ]
}
