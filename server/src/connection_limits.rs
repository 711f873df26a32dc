//! How many connections a service has at a time.

use rustix::process::{Resource, getrlimit};

/// The most of a service, if the system gives a process descriptors for twice as many.
const MOST: usize = 2048;

/// How many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In all.
    pub in_all: usize,
    /// From one network: an IPv4 address or the /64 of an IPv6 address.
    pub each_network: usize,
}

impl ConnectionLimits {
    /// For whoever only this machine's programs reach.
    pub(crate) const NONE: Self = Self { in_all: usize::MAX, each_network: usize::MAX };

    /// As many as the process has descriptors for, of which it needs some itself, and half of them from one network:
    /// behind a proxy they all come from there.
    pub(crate) fn of_process(behind_proxy: bool) -> Self {
        let descriptors = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
        let in_all = descriptors.map_or(MOST, |descriptors| MOST.min(descriptors / 2));
        Self { in_all, each_network: if behind_proxy { in_all } else { in_all / 2 } }
    }
}
