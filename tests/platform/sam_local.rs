//! The script that runs the functions in Docker, as far as it goes without.

use std::net::TcpListener;
use std::process::Command;

use tests::events::root;

#[test]
fn a_port_that_is_taken_is_named() {
    // if this fails, another program has it
    let _taken = TcpListener::bind("127.0.0.1:8000");
    let run = Command::new(root().join("tests/sam-local/run")).output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(!run.status.success() && said.contains("needs port 8000, which another program listens on"), "{said}");
}
