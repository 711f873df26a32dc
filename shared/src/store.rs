//! The one table: a partition per user, so that ownership is structural. Keys are built
//! from the authenticated caller and nowhere else.

pub mod accounts;
pub mod analyses;
mod backoff;
mod batch;
mod change;
pub mod commit;
mod deletion;
mod item;
mod key;
mod lanes;
pub mod logins;
mod passwords;
pub mod requests;
pub mod sessions;
pub mod supervision;
pub mod tokens;
mod transact;

pub use batch::Rows;
pub use key::Row;

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use tokio::time::{Instant, timeout_at};

use self::lanes::Lanes;
use crate::error::{Cause, Error};

/// The table, reached through the AWS SDK.
#[derive(Clone, Debug)]
pub struct Store {
    client: Client,
    table: String,
    lanes: Lanes,
}

/// Until when a request may wait for the table.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// The longest that a request waits for contended or failing storage.
    const LONGEST: Duration = Duration::from_secs(20);
    /// Kept back for writing the answer.
    const RESERVE: Duration = Duration::from_secs(2);

    /// For a request that has `remaining` until its function is stopped.
    #[must_use]
    pub fn within(remaining: Duration) -> Self {
        Self(Instant::now() + remaining.saturating_sub(Self::RESERVE).min(Self::LONGEST))
    }

    /// For work outside a request.
    #[must_use]
    pub fn unhurried() -> Self {
        Self(Instant::now() + Self::LONGEST)
    }

    /// The instant.
    #[must_use]
    pub fn instant(&self) -> Instant {
        self.0
    }

    /// `work`, unless the deadline comes first. It is boxed: a call of the SDK takes kilobytes, and
    /// whatever waits for it would take up as much again.
    ///
    /// # Errors
    /// [`Error::Unavailable`] at the deadline; whether a write was carried out is not known then.
    pub fn limit<T>(&self, work: impl Future<Output = T> + Send) -> impl Future<Output = Result<T, Error>> + Send {
        let work = timeout_at(self.0, Box::pin(work));
        async { work.await.map_err(|_| Error::Unavailable(Cause::text("no answer until the deadline"))) }
    }
}

impl Store {
    /// The table called `table`.
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self { client, table: table.into(), lanes: Lanes::new() }
    }
}

/// What a failed call means: a request that DynamoDB finds malformed or forbidden is a bug of
/// ours or of the deployment, anything else may pass.
fn failure<E, R>(error: &SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug + 'static,
{
    let code = error.as_service_error().and_then(ProvideErrorMetadata::code);
    let ours = matches!(code, Some("ValidationException" | "AccessDeniedException" | "ResourceNotFoundException"));
    if ours { Error::Internal(Cause::of(error)) } else { Error::Unavailable(Cause::of(error)) }
}
