//! Checks of the `Host` header: a page whose name resolves to a loopback address (DNS rebinding) still sends that name.

use std::net::IpAddr;

use http::{Request, header};

use crate::http::header_text;
use crate::options::Containers;

/// The containers' name of the machine that they run on.
pub(crate) const FOR_CONTAINERS: &str = "host.docker.internal";

/// The host names of a store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostNames(pub(crate) Option<Containers>);

impl HostNames {
    /// Whether the request's host is one of them, with or without a port: a loopback address, `localhost` and, if
    /// containers are served, `host.docker.internal` and the machine's address on their bridge.
    pub(super) fn include<B>(self, request: &Request<B>) -> bool {
        host(request).is_some_and(|host| {
            let name = host.host().trim_start_matches('[').trim_end_matches(']');
            match name.parse::<IpAddr>() {
                Ok(address) => address.is_loopback() || self.0.is_some_and(|here| here.bridge == Some(address)),
                Err(_) => {
                    name.eq_ignore_ascii_case("localhost")
                        || self.0.is_some() && name.eq_ignore_ascii_case(FOR_CONTAINERS)
                }
            }
        })
    }
}

fn host<B>(request: &Request<B>) -> Option<http::uri::Authority> {
    let host = match request.uri().authority() {
        Some(authority) => Some(authority.as_str()),
        None => header_text(request.headers(), header::HOST),
    };
    host.and_then(|host| host.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::HostNames;
    use crate::options::Containers;

    /// Whether a request to `host` is answered.
    fn answered(names: HostNames, host: &str) -> bool {
        names.include(&http::Request::get("/").header("host", host).body(()).unwrap())
    }

    #[test]
    fn containers_have_two_more_names_for_it() {
        let bridged = HostNames(Some(Containers { bridge: Some([172, 17, 0, 1].into()) }));
        let desktop = HostNames(Some(Containers { bridge: None }));
        for (host, by) in [
            ("127.0.0.1:8000", [true, true, true]),
            ("host.docker.internal", [false, true, true]),
            ("Host.Docker.Internal:8000", [false, true, true]),
            ("172.17.0.1:8000", [false, true, false]),
            ("172.17.0.2:8000", [false; 3]),
            ("host.docker.internal.example.org", [false; 3]),
            ("example.org", [false; 3]),
            ("0.0.0.0:8000", [false; 3]),
        ] {
            assert_eq!([HostNames(None), bridged, desktop].map(|names| answered(names, host)), by, "{host}");
        }
    }

    #[test]
    fn only_this_machine_is() {
        let with = |host: &str| answered(HostNames(None), host);
        for good in ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "127.3.2.1:1"] {
            assert!(with(good), "{good}");
        }
        for bad in ["", "example.org", "localhost.example.org:8000", "10.0.0.1", "127.0.0.1.example.org", "[::2]:1"] {
            assert!(!with(bad), "{bad}");
        }
        assert!(!HostNames(None).include(&http::Request::get("/").body(()).unwrap()));
        assert!(
            HostNames(None).include(&http::Request::get("http://127.0.0.1:1/").header("host", "x").body(()).unwrap())
        );
    }
}
