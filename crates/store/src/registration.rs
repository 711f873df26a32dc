//! Who may open accounts, and the limits of registrations.

use std::str::FromStr;

/// Who may open accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Anyone, in the console.
    Open,
    /// Anyone, in the console; the account is suspended until its address is confirmed.
    Confirmed,
    /// Only the operator.
    Closed,
}

/// An unknown policy name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not open, confirmed or closed")]
pub struct UnknownPolicy;

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Self, UnknownPolicy> {
        match name {
            "open" => Ok(Self::Open),
            "confirmed" => Ok(Self::Confirmed),
            "closed" => Ok(Self::Closed),
            _ => Err(UnknownPolicy),
        }
    }
}

/// Limits of registrations in the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationLimits {
    /// Per hour, in total.
    pub in_all: u64,
    /// Per hour and network; four times as many per day.
    pub per_network: u64,
}

impl RegistrationLimits {
    /// Requested mails per hour and network.
    #[must_use]
    pub fn mails_per_network(&self) -> u64 {
        self.per_network.saturating_mul(4)
    }

    /// Registrations per day and network.
    #[must_use]
    pub fn per_network_and_day(&self) -> u64 {
        self.per_network.saturating_mul(4)
    }
}
