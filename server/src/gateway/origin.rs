//! The origin of a request: the addresses of its connection, or those from a proxy's headers.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use serde_json::Value;

/// A connection's addresses, and whether the peer is a trusted proxy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    pub(super) peer: SocketAddr,
    pub(super) local: SocketAddr,
    pub(super) behind_proxy: bool,
}

impl Connection {
    /// The client's address: the peer's, or the one reported by a proxy.
    pub(super) fn client(&self, headers: &HeaderMap) -> IpAddr {
        let chain = headers.get_all("x-forwarded-for").iter().next_back().and_then(|last| last.to_str().ok());
        self.named(chain).unwrap_or_else(|| self.peer.ip())
    }

    /// The client that a proxy appends to `x-forwarded-for`.
    fn named(&self, chain: Option<&str>) -> Option<IpAddr> {
        chain.filter(|_| self.behind_proxy).and_then(last)?.parse().ok()
    }

    /// Writes the `x-forwarded` headers for the function, and returns the client's address.
    ///
    /// Without a proxy the client's own values stay in `x-forwarded-for` without effect. A proxy appends the client's
    /// address and sets protocol and port.
    pub(super) fn forward(&self, headers: &mut Value) -> IpAddr {
        let said = |name: &str| headers[name].as_str().map(str::to_owned);
        let (chain, proto, port) = (said("x-forwarded-for"), said("x-forwarded-proto"), said("x-forwarded-port"));
        let local_port = self.local.port().to_string();
        if let Some(client) = self.named(chain.as_deref()) {
            let https = proto.as_deref().and_then(last).is_some_and(|last| last.eq_ignore_ascii_case("https"));
            headers["x-forwarded-proto"] = if https { "https" } else { "http" }.into();
            headers["x-forwarded-port"] = port.as_deref().and_then(last).unwrap_or(&local_port).into();
            return client;
        }
        let peer = self.peer.ip();
        headers["x-forwarded-for"] = chain.map_or_else(|| peer.to_string(), |chain| format!("{chain}, {peer}")).into();
        headers["x-forwarded-proto"] = "http".into();
        headers["x-forwarded-port"] = local_port.into();
        peer
    }
}

/// The last entry of a list: the nearest proxy's.
fn last(list: &str) -> Option<&str> {
    list.rsplit(',').next().map(str::trim).filter(|last| !last.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Connection;

    fn forwarded(behind_proxy: bool, mut headers: Value) -> (String, Value) {
        let connection =
            Connection { peer: ([10, 0, 0, 9], 5000).into(), local: ([127, 0, 0, 1], 3000).into(), behind_proxy };
        let client = connection.forward(&mut headers);
        (client.to_string(), headers)
    }

    #[test]
    fn a_client_s_own_claims_count_for_nothing() {
        let claims = json!({"x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https", "x-forwarded-port": "443"});
        let (client, headers) = forwarded(false, claims);
        assert_eq!(client, "10.0.0.9");
        let seen = json!({
            "x-forwarded-for": "1.2.3.4, 10.0.0.9", "x-forwarded-proto": "http", "x-forwarded-port": "3000",
        });
        assert_eq!(headers, seen);
    }

    #[test]
    fn a_proxy_says_who_the_client_is_and_how_it_came() {
        let said = json!({"x-forwarded-for": "6.6.6.6, 203.0.113.7", "x-forwarded-proto": "https"});
        let (client, headers) = forwarded(true, said);
        assert_eq!(client, "203.0.113.7");
        assert_eq!(headers["x-forwarded-for"], "6.6.6.6, 203.0.113.7");
        assert_eq!((&headers["x-forwarded-proto"], &headers["x-forwarded-port"]), (&json!("https"), &json!("3000")));
        let (client, headers) = forwarded(true, json!({"x-forwarded-for": "2001:db8::1", "x-forwarded-port": "443"}));
        assert_eq!(client, "2001:db8::1");
        assert_eq!((&headers["x-forwarded-proto"], &headers["x-forwarded-port"]), (&json!("http"), &json!("443")));
    }

    #[test]
    fn what_a_proxy_cannot_have_said_is_no_address() {
        for odd in [json!({}), json!({"x-forwarded-for": "somebody", "x-forwarded-proto": "https"})] {
            let (client, headers) = forwarded(true, odd);
            assert_eq!((client.as_str(), &headers["x-forwarded-proto"]), ("10.0.0.9", &json!("http")));
        }
    }
}
