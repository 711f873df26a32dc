//! What is logged. Some libraries, told to trace, write whole requests down, and with them tokens,
//! passwords and presigned addresses: those are held back whatever the level.

use tracing_subscriber::EnvFilter;

/// Libraries that log bodies, headers or addresses, and the most that each may say.
const DISCREET: &str = "aws_sigv4=info,aws_smithy_runtime=info,lambda_runtime=info,s3s=off,s3s_fs=off";

/// The filter for `levels`, which are written as in `RUST_LOG`.
#[must_use]
pub fn filter(levels: &str) -> EnvFilter {
    EnvFilter::new(format!("{levels},{DISCREET}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::filter;

    /// What is written down.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn requests_are_not_written_down_at_any_level() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_env_filter(filter("trace"));
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::trace!("ours");
            tracing::trace!(target: "lambda_runtime::layers::api_response", "an event");
            tracing::trace!(target: "aws_smithy_runtime::client::orchestrator", "a row");
            tracing::debug!(target: "s3s::service", "an address");
            tracing::warn!(target: "lambda_runtime", "a warning");
        });
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let said = |what: &str| log.contains(what);
        assert!(said("ours") && said("a warning"), "{log}");
        assert!(!said("an event") && !said("a row") && !said("an address"), "{log}");
    }
}
