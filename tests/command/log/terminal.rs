//! The log in a terminal, which `script` of util-linux makes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use tests::clock::shift;

use super::{ask, is_line};
use crate::PROGRAM;

/// The binary in a terminal, ended with it.
struct Terminal(Child);

impl Terminal {
    /// Its output is printed by `script`.
    fn start(command: &str) -> (Self, impl Iterator<Item = String> + use<>) {
        let mut script = Command::new("script");
        script.args(["--quiet", "--flush", "--command", command, "/dev/null"]).envs(shift());
        script.env_remove("RUST_LOG").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = script.spawn().unwrap();
        let shown: ChildStdout = child.stdout.take().unwrap();
        (Self(child), BufReader::new(shown).lines().map_while(Result::ok))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Ctrl-C, twice to end running work
        let _ = self.0.stdin.take().map(|mut keys| keys.write_all(b"\x03\x03"));
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_terminal_shows_short_lines_without_being_asked() {
    let stores = "--dynamodb-listen 127.0.0.1:0 --s3-listen 127.0.0.1:0";
    let (_terminal, mut shown) = Terminal::start(&format!("{PROGRAM} --fresh --listen 127.0.0.1:0 {stores}"));
    let behind = |line: String, word: &str| line.trim().strip_prefix(word).map(|rest| rest.trim().to_owned());
    let origin = shown.find_map(|line| behind(line, "Console ")).unwrap();
    let token = shown.find_map(|line| behind(line, "pdfa_")).unwrap();
    ask(origin.trim_end_matches('/'), &format!("pdfa_{token}")).await;
    let mut requests = shown.filter(|line| line.contains(" /api/v1/user "));
    let (first, second) = (requests.next().unwrap(), requests.next().unwrap());
    assert!(is_line(&first, "200", "50 left") && is_line(&second, "401", "unauthenticated"), "{first} {second}");
}
