//! The log of the one process.

use shared::runtime::filter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::template::{self, Template};

/// Logs to stderr, at `RUST_LOG` or the template's `LOG_LEVEL`.
pub(super) fn start() {
    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| {
        let template = Template::parse(template::TEXT).ok();
        let functions = template.map(|template| template.functions).unwrap_or_default();
        let level = functions.iter().find_map(|function| function.environment.get("LOG_LEVEL"));
        let level = level.map_or("info", String::as_str);
        // dynoxide notes every condition that fails
        format!("{level},dynoxide=error")
    });
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines).with(filter(&levels)).init();
    // In the log rather than beside it, with the request id of the span it happened in.
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
}
