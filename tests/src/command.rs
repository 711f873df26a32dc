//! The binary `pdf-analysis`, run as a user runs it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::victim::memory;

use crate::clock::shift;

/// The result of a run of the binary.
#[derive(Clone, Debug)]
pub struct Run {
    /// Whether it ended well.
    pub success: bool,
    /// The exit code; `None` if it was killed by a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

/// Runs `program` (the `command` binary) to its end; `environment` is its complete environment except the time, `input`
/// its standard input.
#[must_use]
pub fn run(program: &str, arguments: &[&str], environment: &[(&str, &str)], input: &str) -> Run {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(shift()).envs(environment.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut typed, input) = (child.stdin.take().unwrap(), input.to_owned());
    // meanwhile its output is read: it may answer before it has read all; it may also end without having read anything
    let typing = thread::spawn(move || drop(typed.write_all(input.as_bytes())));
    let ended = child.wait_with_output().unwrap();
    typing.join().unwrap();
    Run {
        success: ended.status.success(),
        code: ended.status.code(),
        output: String::from_utf8(ended.stdout).unwrap(),
        errors: String::from_utf8(ended.stderr).unwrap(),
    }
}

/// The binary while it serves; killed when dropped.
#[derive(Debug)]
pub struct Serving {
    child: Child,
    /// Where it serves.
    pub origin: String,
    /// Its output at the start.
    pub greeting: String,
}

impl Serving {
    /// Starts `program` on a free port, with only `environment` and the tests' time in its environment.
    ///
    /// # Panics
    /// If it does not start to serve.
    #[must_use]
    pub fn start(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start_with(program, &[&["--listen", "127.0.0.1:0"], arguments].concat(), environment)
    }

    /// Starts `program` with only these arguments.
    ///
    /// # Panics
    /// If it does not start to serve.
    #[must_use]
    pub fn start_with(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(shift()).envs(environment.iter().copied()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let greeting: Vec<_> = lines.take_while(|line| line != "Ctrl-C stops it.").collect();
        let origin = greeting.iter().find_map(|line| line.trim().strip_prefix("Console   ")).map(str::to_owned);
        let Some(origin) = origin else { panic!("it does not serve: {:?}", child.wait()) };
        Self { child, origin: origin.trim_end_matches('/').to_owned(), greeting: greeting.join("\n") }
    }

    /// Its resident memory now and its peak, in bytes.
    ///
    /// # Panics
    /// If the system does not report it.
    #[must_use]
    pub fn memory(&self) -> (u64, u64) {
        let line = |which| memory(self.child.id(), which).unwrap();
        (line("VmRSS:"), line("VmHWM:"))
    }

    /// Asks it to stop, as a container service does; whether it ended well.
    #[must_use]
    pub fn stop(mut self) -> bool {
        let told = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        told.success() && self.child.wait().unwrap().success()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
