//! The shared memory of large bodies, with limits in total, per account and per network.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shared::store::logins::network;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::callers::Client;

pub(super) const MIB: u64 = 1024 * 1024;

/// Total in MiB: five of the largest bodies, so that the process with its analyses stays below 1 GiB.
const TOTAL_MIB: usize = 512;
/// Limit per account in MiB: two of the largest bodies.
const ACCOUNT_MIB: usize = 204;
/// Limit per network in MiB: three of the largest bodies.
const NETWORK_MIB: usize = 306;
/// Limits of bodies from unidentified senders, 1 MiB each: in total, and per network.
const UNIDENTIFIED_MIB: usize = 128;
const UNIDENTIFIED_PER_NETWORK: usize = 32;
/// Longest wait for a permit.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The memory.
#[derive(Clone, Debug)]
pub(super) struct MemoryPermits {
    total: Arc<Semaphore>,
    unidentified: Arc<Semaphore>,
    clients: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

/// A part of the memory, released when dropped.
#[derive(Debug)]
pub(super) struct MemoryPermit {
    _held: Vec<OwnedSemaphorePermit>,
}

impl MemoryPermits {
    pub(super) fn new() -> Self {
        let [total, unidentified] = [TOTAL_MIB, UNIDENTIFIED_MIB].map(|most| Arc::new(Semaphore::new(most)));
        Self { total, unidentified, clients: Arc::default() }
    }

    /// A permit for a body of `length` bytes; `None` if it is not available within ten seconds.
    pub(super) async fn take(&self, client: Client, length: u64) -> Option<MemoryPermit> {
        let mebibytes = u32::try_from(length.div_ceil(MIB)).ok()?;
        let network = network(client.address);
        let account = client.user.map_or_else(|| format!("nobody at {network}"), |user| format!("account {user}"));
        let account = self.of(account, ACCOUNT_MIB);
        let network = self.of(format!("network {network}"), NETWORK_MIB);
        let permits = async {
            // the total comes last, to be available to others while waiting for the other limits
            let account = account.acquire_many_owned(mebibytes).await.ok()?;
            let network = network.acquire_many_owned(mebibytes).await.ok()?;
            let total = Arc::clone(&self.total).acquire_many_owned(mebibytes).await.ok()?;
            Some(MemoryPermit { _held: vec![account, network, total] })
        };
        timeout(MAX_WAIT, permits).await.ok().flatten()
    }

    /// A permit of 1 MiB for a body from `address`, whose sender is not identified; `None` if none is free.
    pub(super) fn take_unidentified(&self, address: IpAddr) -> Option<MemoryPermit> {
        let network = self.of(format!("unidentified at {}", network(address)), UNIDENTIFIED_PER_NETWORK);
        let network = network.try_acquire_owned().ok()?;
        Some(MemoryPermit { _held: vec![network, Arc::clone(&self.unidentified).try_acquire_owned().ok()?] })
    }

    fn of(&self, client: String, most: usize) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        // entries without permits and waiters have only this reference
        clients.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        Arc::clone(clients.entry(client).or_insert_with(|| Arc::new(Semaphore::new(most))))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use shared::ids::UserId;
    use tokio::time::Instant;

    use super::super::callers::Client;
    use super::{MIB, MemoryPermits};

    #[test]
    fn what_nobody_is_asked_for_is_little() {
        let permits = MemoryPermits::new();
        let mut held = Vec::new();
        for network in 0..5 {
            held.extend(std::iter::from_fn(|| permits.take_unidentified([203, 0, 113, network].into())));
            assert_eq!(held.len(), if network < 4 { 32 * (usize::from(network) + 1) } else { 128 });
        }
        drop(held);
        assert!(permits.take_unidentified([203, 0, 113, 9].into()).is_some());
    }

    const LARGEST: u64 = 101 * MIB;

    fn client(address: [u8; 4]) -> Client {
        Client { user: Some(UserId::random()), address: IpAddr::from(address) }
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_takes_what_is_everybody_s() {
        let permits = MemoryPermits::new();
        let (eve, ada) = (client([203, 0, 113, 7]), client([198, 51, 100, 1]));
        let held = [permits.take(eve, LARGEST).await.unwrap(), permits.take(eve, LARGEST).await.unwrap()];
        let began = Instant::now();
        assert!(permits.take(eve, LARGEST).await.is_none());
        assert_eq!(began.elapsed().as_secs(), 10);
        // another account of the same network has one more, and no other
        let third = permits.take(client([203, 0, 113, 7]), LARGEST).await.unwrap();
        assert!(permits.take(client([203, 0, 113, 7]), LARGEST).await.is_none());
        let began = Instant::now();
        let others = [permits.take(ada, LARGEST).await.unwrap(), permits.take(ada, LARGEST).await.unwrap()];
        assert!(began.elapsed().is_zero());
        drop((held, third, others));
        assert!(permits.take(eve, LARGEST).await.is_some());
        assert_eq!(permits.clients.lock().unwrap().len(), 2, "eve and her network: nobody else holds anything");
    }
}
