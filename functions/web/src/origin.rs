//! Whether a POST comes from one of the console's own pages.

use shared::error::Error;
use shared::http::Call;

/// By `Sec-Fetch-Site`, which no page can forge; where a browser does not send it, by `Origin`.
///
/// # Errors
/// [`Error::Forbidden`] when both are missing or one names another site.
pub(crate) fn check(call: &Call) -> Result<(), Error> {
    let own = if call.has_header("sec-fetch-site") {
        call.header("sec-fetch-site") == Some("same-origin")
    } else {
        call.header("origin").is_some_and(|origin| call.origin().as_deref() == Some(origin))
    };
    if own { Ok(()) } else { Err(Error::Forbidden) }
}

/// The same for a page without referrer: browsers without `Sec-Fetch-Site` send `Origin: null` for it. The secret in
/// the page's address proves the origin.
///
/// # Errors
/// [`Error::Forbidden`] when a header names another site.
pub(crate) fn check_secret_page(call: &Call) -> Result<(), Error> {
    let quiet = !call.has_header("sec-fetch-site") && call.header("origin") == Some("null");
    if quiet { Ok(()) } else { check(call) }
}
