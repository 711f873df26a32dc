//! The binary as a person runs it: what it prints, and what that is good for.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod event;

use tests::command::Run;

/// Runs the binary.
pub(crate) fn run(arguments: &[&str]) -> Run {
    tests::command::run(env!("CARGO_BIN_EXE_command"), arguments, "")
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
