//! The end of an account: closed first, then what it has staged goes, then its rows. The console and the operator call it.

use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{SessionId, UserId};
use crate::store::Store;
use crate::uploads::Uploads;

/// Deletes the account of `user` with all that is in it; `session`, if there is one, goes last, so that its owner can repeat
/// what the deadline cut short.
///
/// # Errors
/// [`Error::Unauthenticated`] if it is gone; [`Error::Unavailable`] when the deadline comes first: a repeat goes on from there.
pub async fn delete_account(
    store: &Store,
    uploads: &Uploads,
    user: UserId,
    session: Option<SessionId>,
    deadline: Deadline,
) -> Result<(), Error> {
    // from here on no ticket is given. One that was given is good for its quarter of an hour: what is put with it after
    // this is nobody's, and goes as a leftover does
    store.close_for_deletion(user, deadline).await?;
    uploads.delete_all(user, deadline).await?;
    store.delete_account(user, session, deadline).await
}
