//! The memory that large bodies share: so much in all, so much for an account, so much for a network.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shared::store::logins::network;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::callers::Client;

pub(super) const MIB: u64 = 1024 * 1024;

/// What all of them may hold together: five of the largest at once, so that the process with its analyses
/// stays below 1 GiB.
const TOGETHER: usize = 512;
/// What bodies of one account may hold: two of the largest. Nobody takes all of it.
const EACH_ACCOUNT: usize = 204;
/// What bodies from one network may hold: three of the largest.
const EACH_NETWORK: usize = 306;
/// What bodies of whoever is not asked for may hold, each a mebibyte: in all, and from one network.
const UNASKED: usize = 128;
const UNASKED_EACH_NETWORK: usize = 32;
/// How long one waits for a share.
const PATIENCE: Duration = Duration::from_secs(10);

/// The memory.
#[derive(Clone, Debug)]
pub(super) struct Allotments {
    together: Arc<Semaphore>,
    unasked: Arc<Semaphore>,
    clients: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

/// A share of the memory, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Allotment {
    _held: Vec<OwnedSemaphorePermit>,
}

impl Allotments {
    pub(super) fn new() -> Self {
        let [together, unasked] = [TOGETHER, UNASKED].map(|most| Arc::new(Semaphore::new(most)));
        Self { together, unasked, clients: Arc::default() }
    }

    /// A share for a body of `length` bytes; `None` if there is none to be had in ten seconds.
    pub(super) async fn take(&self, client: Client, length: u64) -> Option<Allotment> {
        let mebibytes = u32::try_from(length.div_ceil(MIB)).ok()?;
        let network = network(client.address);
        let account = client.user.map_or_else(|| format!("nobody at {network}"), |user| format!("account {user}"));
        let account = self.of(account, EACH_ACCOUNT);
        let network = self.of(format!("network {network}"), EACH_NETWORK);
        let allotments = async {
            // what is everybody's comes last: nobody keeps it while waiting for what is their own
            let account = account.acquire_many_owned(mebibytes).await.ok()?;
            let network = network.acquire_many_owned(mebibytes).await.ok()?;
            let together = Arc::clone(&self.together).acquire_many_owned(mebibytes).await.ok()?;
            Some(Allotment { _held: vec![account, network, together] })
        };
        timeout(PATIENCE, allotments).await.ok().flatten()
    }

    /// A mebibyte for a body from `address`, whoever sends it; `None` if there is none at this moment.
    pub(super) fn take_unasked(&self, address: IpAddr) -> Option<Allotment> {
        let network = self.of(format!("unasked at {}", network(address)), UNASKED_EACH_NETWORK);
        let network = network.try_acquire_owned().ok()?;
        Some(Allotment { _held: vec![network, Arc::clone(&self.unasked).try_acquire_owned().ok()?] })
    }

    fn of(&self, client: String, most: usize) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        // of whoever holds nothing and waits for nothing there is only this one
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
    use super::{Allotments, MIB};

    #[test]
    fn what_nobody_is_asked_for_is_little() {
        let allotments = Allotments::new();
        let mut held = Vec::new();
        for network in 0..5 {
            held.extend(std::iter::from_fn(|| allotments.take_unasked([203, 0, 113, network].into())));
            assert_eq!(held.len(), if network < 4 { 32 * (usize::from(network) + 1) } else { 128 });
        }
        drop(held);
        assert!(allotments.take_unasked([203, 0, 113, 9].into()).is_some());
    }

    const LARGEST: u64 = 101 * MIB;

    fn client(address: [u8; 4]) -> Client {
        Client { user: Some(UserId::random()), address: IpAddr::from(address) }
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_takes_what_is_everybody_s() {
        let allotments = Allotments::new();
        let (eve, ada) = (client([203, 0, 113, 7]), client([198, 51, 100, 1]));
        let held = [allotments.take(eve, LARGEST).await.unwrap(), allotments.take(eve, LARGEST).await.unwrap()];
        let began = Instant::now();
        assert!(allotments.take(eve, LARGEST).await.is_none());
        assert_eq!(began.elapsed().as_secs(), 10);
        // another account of the same network has one more, and no other
        let third = allotments.take(client([203, 0, 113, 7]), LARGEST).await.unwrap();
        assert!(allotments.take(client([203, 0, 113, 7]), LARGEST).await.is_none());
        let began = Instant::now();
        let others = [allotments.take(ada, LARGEST).await.unwrap(), allotments.take(ada, LARGEST).await.unwrap()];
        assert!(began.elapsed().is_zero());
        drop((held, third, others));
        assert!(allotments.take(eve, LARGEST).await.is_some());
        assert_eq!(allotments.clients.lock().unwrap().len(), 2, "eve and her network: nobody else holds anything");
    }
}
