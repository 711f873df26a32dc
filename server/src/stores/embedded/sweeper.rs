//! Deletes periodically what DynamoDB's time to live and S3's lifecycle rules would delete.

use std::time::Duration;

use shared::clock::Clock;

use super::dynamodb::Store;
use super::s3;
use crate::template::Bucket;

/// AWS sweeps within days; this is often enough and costs nothing.
const INTERVAL: Duration = Duration::from_secs(600);

/// Delay of the first sweep, so that it does not slow down the start.
const FIRST_DELAY: Duration = Duration::from_secs(30);

/// The stores to sweep.
#[derive(Clone)]
pub(crate) struct Sweeper {
    pub(crate) store: Store,
    /// The table, and its attribute for the time to live.
    pub(crate) table: (String, String),
    pub(crate) s3: aws_sdk_s3::Client,
    pub(crate) bucket: Bucket,
    pub(crate) clock: Clock,
}

impl Sweeper {
    /// Sweeps once. Items expire by the system's clock, objects by the service's.
    pub(crate) async fn sweep(&self) {
        let (store, (table, attribute)) = (self.store.clone(), self.table.clone());
        let swept = tokio::task::spawn_blocking(move || store.sweep(&table, &attribute)).await;
        if let Ok(Err(error)) = swept {
            tracing::warn!(%error, "expired items were not deleted");
        }
        s3::sweep(&self.s3, &self.bucket, self.clock.now().into()).await;
    }

    /// Sweeps until the task is aborted.
    pub(crate) async fn run(self) {
        tokio::time::sleep(FIRST_DELAY).await;
        loop {
            self.sweep().await;
            tokio::time::sleep(INTERVAL).await;
        }
    }
}
