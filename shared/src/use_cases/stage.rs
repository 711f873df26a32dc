//! Issues upload tickets to callers who may analyze. Used by the API and the console.

use crate::auth::Caller;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UploadId;
use crate::inputs::announcement::Announcement;
use crate::store::Store;
use crate::uploads::{Announced, TICKET_LIFETIME, Ticket, Uploads};

/// Issues a ticket for the announced file, on `origin` if the service forwards uploads. Refused if the file could not
/// be analyzed today; counted before it is issued.
///
/// # Errors
/// Those of [`Caller::admit`]; [`Error::TooMany`]; [`Error::Unavailable`].
pub async fn stage(
    store: &Store,
    uploads: &Uploads,
    caller: &Caller,
    file: &Announcement,
    origin: Option<&str>,
    deadline: Deadline,
) -> Result<Ticket, Error> {
    stage_as(store, uploads, caller, file, (None, origin), deadline).await
}

/// The same for a given upload id, if any.
///
/// # Errors
/// Those of [`stage`].
pub async fn stage_as(
    store: &Store,
    uploads: &Uploads,
    caller: &Caller,
    file: &Announcement,
    (upload, origin): (Option<UploadId>, Option<&str>),
    deadline: Deadline,
) -> Result<Ticket, Error> {
    let (user, quota) = (caller.user, &caller.quota);
    let upload = upload.unwrap_or_else(|| UploadId::new(quota.now));
    store.count_ticket(user, quota, upload, TICKET_LIFETIME, deadline).await?;
    let announced = Announced { name: &file.filename, size: file.file_size, hash: file.sha256 };
    uploads.ticket(user, upload, &announced, origin, quota.now).await
}
