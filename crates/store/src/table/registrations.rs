//! Limits of registrations, per network and in total, checked before an account is created.

use std::net::IpAddr;

use chrono::{DateTime, Utc};

use super::Store;
use super::counters::Counter;
use super::key::{network_key, registrations_key};
use super::logins::networks;
use crate::deadline::Deadline;
use crate::error::{Attempts, Error};
use crate::registration::RegistrationLimits;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

impl Store {
    /// Counts a registration from `address`.
    ///
    /// # Errors
    /// [`Error::TooMany`] at a limit, and then nothing is counted; [`Error::Unavailable`].
    pub async fn begin_registration(
        &self,
        address: IpAddr,
        limits: RegistrationLimits,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let mut counters = vec![Counter::new(HOUR, limits.in_all, now, registrations_key)];
        for (network, times) in networks(address) {
            let key = |name: &str, window: &str| network_key(&network, &format!("REGISTER#{name}#{window}"));
            let (hourly, daily) =
                (limits.per_network.saturating_mul(times), limits.per_network_and_day().saturating_mul(times));
            counters.push(Counter::new(HOUR, hourly, now, |window| key("HOUR", window)));
            counters.push(Counter::new(DAY, daily, now, |window| key("DAY", window)));
        }
        self.count_in(&counters, Attempts::Registrations, deadline).await
    }
}
