//! Whether a request was meant for this machine: a page that has its own name resolve to a
//! loopback address (DNS rebinding) still sends that name.

use std::net::IpAddr;

use http::{Request, header};

/// Whether the request's host is a loopback address or `localhost`, with or without a port.
pub(super) fn is_loopback<B>(request: &Request<B>) -> bool {
    let host = match request.uri().authority() {
        Some(authority) => Some(authority.as_str()),
        None => request.headers().get(header::HOST).and_then(|host| host.to_str().ok()),
    };
    let Some(host) = host.and_then(|host| host.parse::<http::uri::Authority>().ok()) else {
        return false;
    };
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_this_machine_is() {
        let with = |host: &str| is_loopback(&http::Request::get("/").header("host", host).body(()).unwrap());
        for good in ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "127.3.2.1:1"] {
            assert!(with(good), "{good}");
        }
        for bad in ["", "example.org", "localhost.example.org:8000", "10.0.0.1", "127.0.0.1.example.org", "[::2]:1"] {
            assert!(!with(bad), "{bad}");
        }
        assert!(!is_loopback(&http::Request::get("/").body(()).unwrap()));
        assert!(is_loopback(&http::Request::get("http://127.0.0.1:1/").header("host", "x").body(()).unwrap()));
    }
}
