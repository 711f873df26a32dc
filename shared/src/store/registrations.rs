//! New accounts, counted by network and in all before anything is done for them.

use std::net::IpAddr;

use chrono::{DateTime, Utc};

use super::Store;
use super::counters::Counter;
use super::key::{network_key, registrations_key};
use super::logins::network;
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
        let network = network(address);
        let from_network = |name: &'static str| move |window: &str| network_key(&network, &format!("{name}#{window}"));
        let counters = [
            Counter::new(HOUR, limits.per_network, now, from_network.clone()("REGISTER#HOUR")),
            Counter::new(DAY, limits.per_network_and_day(), now, from_network("REGISTER#DAY")),
            Counter::new(HOUR, limits.in_all, now, registrations_key),
        ];
        match self.count_in(&counters, deadline).await? {
            None => Ok(()),
            Some(full) => Err(Error::TooMany { what: Attempts::Registrations, retry_after: full.left(now) }),
        }
    }
}
