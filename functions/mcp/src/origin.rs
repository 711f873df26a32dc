//! Checks `Origin`: pages of other sites must not use a server on the browser's own machine (2026-07-28, streamable
//! HTTP, security).

use shared::error::Error;
use shared::http::Call;

/// Requests outside of browsers have no `Origin`. With one, a request must come from the console's pages, at the
/// configured origin, or at the requested origin if that cannot be forged: with TLS, or a local name.
///
/// # Errors
/// [`Error::Forbidden`]
pub(crate) fn check(call: &Call, console: Option<&str>) -> Result<(), Error> {
    if !call.has_header("origin") {
        return Ok(());
    }
    let origin = call.header("origin").ok_or(Error::Forbidden)?;
    let is_own = call.origin().as_deref() == Some(origin) && is_certain(origin);
    if is_own || console == Some(origin) { Ok(()) } else { Err(Error::Forbidden) }
}

/// Whether a name is safe against DNS rebinding.
fn is_certain(origin: &str) -> bool {
    let Some(host) = origin.strip_prefix("http://") else { return origin.starts_with("https://") };
    let port = |rest: &str| rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.strip_prefix(name).is_some_and(port))
}

#[cfg(test)]
mod tests {
    use super::is_certain;

    #[test]
    fn only_names_that_lead_to_one_place_are_certain() {
        for good in ["https://pdf.example.com", "http://127.0.0.1:3000", "http://localhost", "http://[::1]:80"] {
            assert!(is_certain(good), "{good}");
        }
        for bad in ["null", "http://pdf.example.com", "http://localhost.example.com", "http://127.0.0.1:x", "file://"] {
            assert!(!is_certain(bad), "{bad}");
        }
    }
}
