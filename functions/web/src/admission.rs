//! Opening of accounts, by the registration policy.

use shared::registration::Policy;
use shared::store::accounts::Address;

use crate::mail::Mailer;

/// The effect of the operator's policy and of mail on registrations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Admission {
    /// No registration: the operator opens accounts.
    Closed,
    /// The new account's session begins immediately, and a taken address is reported. Mail may be configured (`mail`).
    AtOnce { address: Address, mail: bool },
    /// Only a mail to the address reveals whether it is taken, so a session begins with a log-in.
    ByMail { address: Address },
}

impl Admission {
    pub(crate) fn new(policy: Policy, mailer: &Mailer) -> Self {
        let address = match policy {
            Policy::Open => Address::Unconfirmed,
            Policy::Confirmed if mailer.is_there() => Address::ConfirmationRequired,
            // without mail, no address could be confirmed
            Policy::Confirmed | Policy::Closed => return Self::Closed,
        };
        if mailer.is_private() { Self::ByMail { address } } else { Self::AtOnce { address, mail: mailer.is_there() } }
    }
}
