//! The log filter. At level `trace` some libraries log whole requests with tokens, passwords and presigned addresses:
//! they are limited at every level.

use tracing_subscriber::filter::{LevelFilter, Targets};

/// Libraries that log bodies, headers or addresses, with their maximum level.
const MAX_LEVELS: [(&str, LevelFilter); 5] = [
    ("aws_sigv4", LevelFilter::INFO),
    ("aws_smithy_runtime", LevelFilter::INFO),
    ("lambda_runtime", LevelFilter::INFO),
    ("s3s", LevelFilter::OFF),
    ("s3s_fs", LevelFilter::OFF),
];

/// The filter for `levels`, a level or targets with theirs, as in `info` or `warn,pdf=debug`; `info` if they cannot be
/// parsed.
#[must_use]
pub fn filter(levels: &str) -> Targets {
    let levels = levels.parse().unwrap_or_else(|_| Targets::new().with_default(LevelFilter::INFO));
    levels.with_targets(MAX_LEVELS)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;

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
        let lines = tracing_subscriber::fmt::layer().with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(lines).with(filter("trace"));
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
