//! Limits of concurrent connections.

use rustix::process::{Resource, getrlimit};

/// Largest limit, if the process may have twice as many file descriptors.
const MAX_CONNECTIONS: usize = 2048;

/// Limits of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In all.
    pub in_all: usize,
    /// From one network: an IPv4 address or the /64 of an IPv6 address.
    pub each_network: usize,
}

impl ConnectionLimits {
    /// For listeners that only this machine's programs reach.
    pub(crate) const UNLIMITED: Self = Self { in_all: usize::MAX, each_network: usize::MAX };

    /// Derived from the process's file descriptors, some of which it uses itself. A network gets half of them, or all
    /// behind a proxy, from which all connections come.
    pub(crate) fn of_process(behind_proxy: bool) -> Self {
        let descriptors = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
        let in_all = descriptors.map_or(MAX_CONNECTIONS, |descriptors| MAX_CONNECTIONS.min(descriptors / 2));
        Self { in_all, each_network: if behind_proxy { in_all } else { in_all / 2 } }
    }
}
