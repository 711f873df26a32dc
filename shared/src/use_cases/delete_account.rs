//! Deletes an account: it is closed first, then its staged files are deleted, then its rows. Used by the console and
//! the operator.

use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{SessionId, UserId};
use crate::store::Store;
use crate::uploads::Uploads;

/// Deletes the account of `user` with all its data; `session`, if given, is deleted last, so that the owner can repeat
/// a deletion that the deadline interrupted.
///
/// # Errors
/// [`Error::Unauthenticated`] if it is deleted; [`Error::Unavailable`] at the deadline: a repeat continues from there.
pub async fn delete_account(
    store: &Store,
    uploads: &Uploads,
    user: UserId,
    session: Option<SessionId>,
    deadline: Deadline,
) -> Result<(), Error> {
    // from here on no ticket is issued. An issued one is valid for its 15 minutes: a file uploaded with it later is
    // removed by the bucket's lifecycle
    store.close_for_deletion(user, deadline).await?;
    uploads.delete_all(user, deadline).await?;
    store.delete_account(user, session, deadline).await
}
