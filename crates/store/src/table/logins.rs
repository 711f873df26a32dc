//! Log-in attempts, counted by account and network in windows of 15 minutes, and the owners of e-mail addresses.
//!
//! An attempt is counted before its password is verified and removed if it was correct, so that concurrent attempts
//! cannot exceed the limits.

use std::net::{IpAddr, Ipv6Addr};

use chrono::{DateTime, Utc};

use super::Store;
use super::counters::Counter;
use super::item::Item;
use super::key::{SK, email_key, email_login_key, network_key, session_login_key};
use crate::deadline::Deadline;
use crate::error::{Attempts, Error};
use crate::ids::{SessionId, UserId};

/// Length of a window, seconds.
pub(super) const WINDOW: i64 = 15 * 60;
/// Failed log-ins per window, account and network, and per session.
const MAX_PER_ACCOUNT_AND_NETWORK: u64 = 10;
/// Failed log-ins per window and account.
const MAX_PER_ACCOUNT: u64 = 100;
/// Failed log-ins per window and network.
const MAX_PER_NETWORK: u64 = 50;

/// One password attempt.
#[derive(Debug)]
pub struct Attempt {
    counters: Vec<Counter>,
}

impl Attempt {
    /// An attempt to log in with `email` from `address` at `now`.
    #[must_use]
    pub fn new(email: &str, address: IpAddr, now: DateTime<Utc>) -> Self {
        let counter = |limit, name: &str, of_account: bool| {
            Counter::new(WINDOW, limit, now, |window| match of_account {
                true => email_login_key(email, &format!("{window}{name}")),
                false => network_key(name, &format!("LOGIN#{window}")),
            })
        };
        let mut counters = vec![counter(MAX_PER_ACCOUNT, "", true)];
        for (network, times) in networks(address) {
            counters.push(counter(MAX_PER_ACCOUNT_AND_NETWORK * times, &format!("#{network}"), true));
            counters.push(counter(MAX_PER_NETWORK * times, &network, false));
        }
        Self { counters }
    }

    /// An attempt within the session `id` of `user`: failed log-ins of others do not count there.
    #[must_use]
    pub fn within(user: UserId, id: SessionId, now: DateTime<Utc>) -> Self {
        let key = |window: &str| session_login_key(user, id, window);
        Self { counters: vec![Counter::new(WINDOW, MAX_PER_ACCOUNT_AND_NETWORK, now, key)] }
    }
}

impl Store {
    /// Counts the attempt and returns the account with the address `email`, if any.
    ///
    /// # Errors
    /// [`Error::TooMany`] at a limit, and then nothing is counted; [`Error::Unavailable`].
    pub async fn begin_login(
        &self,
        attempt: &Attempt,
        email: &str,
        deadline: Deadline,
    ) -> Result<Option<UserId>, Error> {
        let found = self.count_reading(&attempt.counters, Attempts::LogIns, &[email_key(email)], deadline).await?;
        let owner = found.iter().find(|item| item.optional_text(SK) == Some("EMAIL"));
        owner.map(owner_of).transpose()
    }

    /// Removes an attempt whose password was correct. Best effort.
    pub async fn forgive_login(&self, attempt: &Attempt, deadline: Deadline) {
        if let Err(error) = self.uncount(&attempt.counters, deadline).await {
            tracing::warn!(cause = %error, "a log-in attempt was not taken back");
        }
    }
}

/// The account that has the e-mail address of this item.
pub(super) fn owner_of(item: &Item) -> Result<UserId, Error> {
    item.id("user", UserId::parse)
}

/// The network for a client's rate limits: an IPv4 address, or the /64 of an IPv6 address, which belongs to one
/// subscriber.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => prefix(address, 64),
    }
}

/// The same, and the larger IPv6 networks that one customer may have, each with the factor of its limit.
pub(super) fn networks(address: IpAddr) -> Vec<(String, u64)> {
    let larger = match address.to_canonical() {
        IpAddr::V4(_) => Vec::new(),
        IpAddr::V6(address) => vec![(prefix(address, 56), 2), (prefix(address, 48), 4)],
    };
    [(network(address), 1)].into_iter().chain(larger).collect()
}

fn prefix(address: Ipv6Addr, bits: u32) -> String {
    let rest = 128 - bits;
    format!("{}/{bits}", Ipv6Addr::from_bits(address.to_bits() >> rest << rest))
}

#[cfg(test)]
mod tests {
    use super::{network, networks};

    #[test]
    fn an_ipv6_address_counts_as_its_network() {
        for (address, expected) in [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(network(address.parse().unwrap()), expected);
        }
    }

    #[test]
    fn an_ipv6_customer_counts_as_one() {
        let of = |address: &str| networks(address.parse().unwrap());
        let expected = [("2001:db8:1:2ff::/64", 1), ("2001:db8:1:200::/56", 2), ("2001:db8:1::/48", 4)];
        assert_eq!(of("2001:db8:1:2ff::1"), expected.map(|(name, times)| (name.to_owned(), times)));
        assert_eq!(of("203.0.113.7"), [("203.0.113.7".to_owned(), 1)]);
    }
}
