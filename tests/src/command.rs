//! The `server` binary, run as a person runs it.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run of the binary left.
#[derive(Clone, Debug)]
pub struct Run {
    /// Whether it ended well.
    pub success: bool,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

/// Runs `program` (the `command` binary) to its end; `input` is what it is typed.
#[must_use]
pub fn run(program: &str, arguments: &[&str], input: &str) -> Run {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // it may end without having read anything
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let ended = child.wait_with_output().unwrap();
    Run {
        success: ended.status.success(),
        output: String::from_utf8(ended.stdout).unwrap(),
        errors: String::from_utf8(ended.stderr).unwrap(),
    }
}
