//! Who may open an account, and how many accounts may be opened.

use std::str::FromStr;

/// How accounts come to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Everybody opens one in the console.
    Open,
    /// Everybody opens one in the console, and it is good for nothing until a mail to its address was answered.
    Confirmed,
    /// The operator opens them.
    Closed,
}

/// A policy of no known name.
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

/// How many accounts may be opened in the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistrationLimits {
    /// In an hour, by everybody together.
    pub in_all: u64,
    /// In an hour, from one network; four times as many in a day.
    pub per_network: u64,
}

impl RegistrationLimits {
    /// Mails that may be asked for in an hour, from one network.
    #[must_use]
    pub fn mails_per_network(&self) -> u64 {
        self.per_network.saturating_mul(4)
    }

    /// In a day, from one network.
    #[must_use]
    pub fn per_network_and_day(&self) -> u64 {
        self.per_network.saturating_mul(4)
    }
}
