//! Limits of concurrent connections, in total and per network, so that no client can use up the connections of others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use shared::store::logins::network;

use crate::connection_limits::ConnectionLimits;

/// The open connections.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    limits: ConnectionLimits,
    open: Arc<Mutex<HashMap<String, usize>>>,
}

/// A connection's slot, released when dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    of: Connections,
    network: String,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self { limits, open: Arc::default() }
    }

    /// The number of open connections.
    pub(crate) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// A slot for a connection from `address`, if one is free.
    pub(super) fn admit(&self, address: IpAddr) -> Option<ConnectionSlot> {
        let network = network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let from_there = open.get(&network).copied().unwrap_or_default();
        if from_there >= self.limits.each_network || open.values().sum::<usize>() >= self.limits.in_all {
            return None;
        }
        open.insert(network.clone(), from_there + 1);
        Some(ConnectionSlot { of: self.clone(), network })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.of.open.lock().unwrap_or_else(PoisonError::into_inner);
        match open.get_mut(&self.network) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(open.remove(&self.network)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLimits, Connections};

    #[test]
    fn no_network_takes_all_and_places_are_given_back() {
        let connections = Connections::new(ConnectionLimits { in_all: 3, each_network: 2 });
        let from = |last| connections.admit([203, 0, 113, last].into());
        let held = [from(1).unwrap(), from(1).unwrap()];
        assert!(from(1).is_none());
        let other = from(2).unwrap();
        assert!(from(3).is_none());
        drop(held);
        let again = [from(1).unwrap(), from(3).unwrap()];
        drop((other, again));
        assert!(connections.open.lock().unwrap().is_empty());
    }
}
