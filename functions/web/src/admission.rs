//! How somebody comes to have an account here.

use shared::registration::Policy;
use shared::store::accounts::Address;

use crate::mail::Mailer;

/// What the operator's policy and the way that mail goes make of a registration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Admission {
    /// Nobody registers: the operator opens accounts.
    Closed,
    /// The new account's session begins at once, and an address that is taken is said to be. There may be `mail` all the
    /// same.
    AtOnce { address: Address, mail: bool },
    /// A mail to it alone tells whether the address was taken, so that a session begins with a log-in.
    ByMail { address: Address },
}

impl Admission {
    pub(crate) fn new(policy: Policy, mailer: &Mailer) -> Self {
        let address = match policy {
            Policy::Open => Address::Unconfirmed,
            Policy::Confirmed if mailer.is_there() => Address::ConfirmationRequired,
            // where there is no mail, nobody could confirm anything
            Policy::Confirmed | Policy::Closed => return Self::Closed,
        };
        if mailer.is_private() { Self::ByMail { address } } else { Self::AtOnce { address, mail: mailer.is_there() } }
    }
}
