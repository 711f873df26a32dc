//! The single table: a partition per user, so that ownership is structural. Keys are built only from the authenticated
//! caller.

mod account_deletion;
pub mod accounts;
pub mod analyses;
pub mod analysis_deletion;
mod backoff;
mod batch;
pub mod commit;
mod counters;
mod day;
mod finding;
pub mod idempotency;
mod item;
mod item_update;
mod key;
pub mod logins;
pub mod mails;
pub mod operator;
pub mod outbox;
mod passwords;
pub mod references;
pub mod registrations;
pub mod related_analyses;
mod retry;
pub mod sessions;
pub mod shares;
pub mod tickets;
pub mod tokens;
mod transact;
pub mod trust;

pub use batch::Rows;
pub use commit::queues::Queues;
pub use finding::unpacked as finding_json;
pub use key::{Purpose, Row};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::error::{Cause, Error};

/// The table, reached through the AWS SDK.
#[derive(Clone, Debug)]
pub struct Store {
    client: Client,
    table: String,
    queues: Queues,
}

impl Store {
    /// The table called `table`.
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self::with_queues(client, table.into(), Queues::default())
    }

    /// The table called `table` for one of several functions in a process, which share `queues`.
    pub fn with_queues(client: Client, table: String, queues: Queues) -> Self {
        Self { client, table, queues }
    }
}

/// The error code of the embedded DynamoDB when the disk is full, which a retry does not change.
pub const STORAGE_FULL: &str = "InsufficientStorage";

/// The error of a failed call. A malformed or forbidden request is a bug in this code or the deployment; any other
/// failure may be temporary.
fn failure<E, R>(error: &SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug + 'static,
{
    let code = error.as_service_error().and_then(ProvideErrorMetadata::code);
    let ours = matches!(code, Some("ValidationException" | "AccessDeniedException" | "ResourceNotFoundException"));
    if ours { Error::Internal(Cause::of(error)) } else { Error::Unavailable(Cause::of(error)) }
}
