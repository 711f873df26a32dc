//! Log-in attempts, counted by account and address in windows of 15 minutes, and who has an
//! e-mail address.
//!
//! An attempt is counted before its password is looked at and taken back when it was right, so
//! that many at once cannot outrun the limits.

use std::net::{IpAddr, Ipv6Addr};

use chrono::{DateTime, Utc};

use super::Store;
use super::item::{Item, number};
use super::key::{ItemKey, SK, address_login_key, email_key, email_login_key};
use super::transact::{AsPart, update};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::quota::timestamp;

/// Length of a window, seconds.
pub(super) const WINDOW: i64 = 15 * 60;
/// Failed log-ins in one window: of one account from one address, of one account, from one address.
const LIMITS: [u64; 3] = [10, 100, 50];

/// One try to log in.
#[derive(Clone, Debug)]
pub struct Attempt {
    email: String,
    /// An IPv4 address, or the /64 that an IPv6 address belongs to.
    network: String,
    /// When its window began, epoch seconds.
    window: i64,
    now: DateTime<Utc>,
}

impl Attempt {
    /// A try with `email` from `address` at `now`.
    #[must_use]
    pub fn new(email: &str, address: IpAddr, now: DateTime<Utc>) -> Self {
        let window = now.timestamp() - now.timestamp().rem_euclid(WINDOW);
        Self { email: email.to_owned(), network: network(address), window, now }
    }

    /// The counters, in the order of [`LIMITS`].
    fn counters(&self) -> [ItemKey; 3] {
        let window = DateTime::from_timestamp(self.window, 0).map(timestamp).unwrap_or_default();
        [
            email_login_key(&self.email, &format!("{window}#{}", self.network)),
            email_login_key(&self.email, &window),
            address_login_key(&self.network, &window),
        ]
    }

    fn refusal(&self) -> Error {
        Error::TooManyLogins { retry_after: self.window + WINDOW - self.now.timestamp() }
    }
}

impl Store {
    /// Counts the attempt and says whose e-mail address it is about, if anybody's.
    ///
    /// # Errors
    /// [`Error::TooManyLogins`] at a limit, and then nothing is counted; [`Error::Unavailable`].
    pub async fn begin_login(&self, attempt: &Attempt, deadline: Deadline) -> Result<Option<UserId>, Error> {
        let counters = attempt.counters();
        let email = email_key(&attempt.email);
        let wanted = counters.iter().cloned().chain([email]).collect();
        let found = self.read_keys(wanted, deadline).await?;
        for (counter, limit) in counters.iter().zip(LIMITS) {
            let item = found.iter().find(|item| item.is_at(counter));
            if item.map_or(Ok(0), |item| item.number("failed"))? >= limit {
                return Err(attempt.refusal());
            }
        }
        self.count(attempt, deadline).await?;
        let owner = found.iter().find(|item| item.optional_text(SK) == Some("EMAIL"));
        owner.map(owner_of).transpose()
    }

    /// Takes an attempt back whose password was right. Best effort.
    pub async fn forgive_login(&self, attempt: &Attempt, deadline: Deadline) {
        let items = attempt.counters().into_iter().map(|counter| {
            update(self, counter)
                .update_expression("ADD failed :minus_one")
                .condition_expression("failed > :none")
                .expression_attribute_values(":minus_one", number(-1))
                .expression_attribute_values(":none", number(0))
                .part()
        });
        let taken_back = match items.collect::<Result<_, Error>>() {
            // a counter that is at nothing, or has expired, has nothing to give back
            Ok(items) => {
                self.settle(items, deadline, (), |reasons, _| {
                    (0..LIMITS.len()).any(|index| reasons.refused(index)).then_some(Ok(()))
                })
                .await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = taken_back {
            tracing::warn!(cause = %error, "a log-in attempt was not taken back");
        }
    }

    /// All three counters together, or none at a limit.
    async fn count(&self, attempt: &Attempt, deadline: Deadline) -> Result<(), Error> {
        let items = attempt.counters().into_iter().zip(LIMITS).map(|(counter, limit)| {
            update(self, counter)
                .update_expression("ADD failed :one SET expires = :expires")
                .condition_expression("attribute_not_exists(failed) OR failed < :limit")
                .expression_attribute_values(":one", number(1))
                .expression_attribute_values(":limit", number(limit))
                .expression_attribute_values(":expires", number(attempt.window + WINDOW))
                .part()
        });
        self.settle(items.collect::<Result<_, Error>>()?, deadline, (), |reasons, _| {
            (0..LIMITS.len()).any(|index| reasons.refused(index)).then(|| Err(attempt.refusal()))
        })
        .await
    }
}

/// Who has the e-mail address of this item.
pub(super) fn owner_of(item: &Item) -> Result<UserId, Error> {
    item.id("user", UserId::parse)
}

/// The network that a client's limits are of: an IPv4 address, or the /64 of an IPv6 address, all of which one has.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let prefix = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(prefix))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::network;

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
}
