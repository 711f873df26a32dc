//! The log of the one process.

use tracing_subscriber::EnvFilter;

use crate::template::{self, Template};

/// Logs to stderr, at `RUST_LOG` or the template's `LOG_LEVEL`.
pub(super) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        let template = Template::parse(template::TEXT).ok();
        let functions = template.map(|template| template.functions).unwrap_or_default();
        let level = functions.iter().find_map(|function| function.environment.get("LOG_LEVEL"));
        let level = level.map_or("info", String::as_str);
        // s3s-fs notes every request down with all its headers, dynoxide every condition that fails.
        EnvFilter::new(format!("{level},dynoxide=error,s3s=off,s3s_fs=off"))
    });
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    // In the log rather than beside it, with the request id of the span it happened in.
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
}
