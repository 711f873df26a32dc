//! A service in a process of its own, which a test can kill and whose memory it can read.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tokio::sync::oneshot;

/// The process; killed when dropped.
#[derive(Debug)]
pub struct Victim {
    child: Child,
    stalled: oneshot::Receiver<()>,
    /// Where it serves.
    pub origin: String,
}

impl Victim {
    /// Starts `program` (the `victim` binary) on the data in `folder`; `stall` says at which call
    /// of the SDK clients it is to stop for ever, and whether `before` or `after` it.
    #[must_use]
    pub fn start(program: &str, folder: &Path, stall: Option<(u64, &str)>) -> Self {
        let mut command = Command::new(program);
        command.arg(folder).stdout(Stdio::piped());
        if let Some((call, moment)) = stall {
            command.arg(call.to_string()).arg(moment);
        }
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let origin = output.next().unwrap().unwrap();
        let (tell, stalled) = oneshot::channel();
        std::thread::spawn(move || {
            if output.any(|line| line.is_ok_and(|line| line == "stalled")) {
                let _ = tell.send(());
            }
        });
        Self { child, stalled, origin }
    }

    /// Waits until it stalls.
    pub async fn stalled(&mut self) {
        (&mut self.stalled).await.unwrap();
    }

    /// Its peak resident memory in bytes; `None` if the system does not report it.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        memory(self.child.id(), "VmHWM:")
    }

    /// Its resident memory in bytes; `None` if the system does not report it.
    #[must_use]
    pub fn resident_memory(&self) -> Option<u64> {
        memory(self.child.id(), "VmRSS:")
    }

    /// SIGKILL: no chance to tidy up.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line of a process's status (Linux) in bytes; `None` if the system does not report it.
pub(crate) fn memory(process: u32, which: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024)
}
