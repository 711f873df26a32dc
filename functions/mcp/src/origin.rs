//! Which pages may call: a browser says of whom a request is, and a page of a stranger's must not use a server that
//! answers on the browser's own machine (2026-07-28, streamable HTTP, security).

use shared::error::Error;
use shared::http::Call;

/// Requests that no page sends have no `Origin`. One that has is taken from the console's pages: those of the configured
/// origin, or of the origin that is called itself, if that is one that nobody can pretend to have: with TLS, or a name of
/// the machine's own.
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

/// Whether a name cannot be made to lead here by who is not asked (DNS rebinding).
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
