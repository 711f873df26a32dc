//! AWS's DynamoDB and S3, in place of the embedded stores.

use chrono::Utc;
use shared::aws;
use shared::deadline::Deadline;
use shared::error::Error;
use shared::ids::{UploadId, UserId};
use shared::store::{Row, Store};
use shared::uploads::Uploads;

use crate::options::AwsStores;
use crate::stores::clients::Builders;

/// The table cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AwsError {
    #[error("no AWS region is set; set AWS_REGION, or AWS_PROFILE to a profile that has one")]
    NoRegion,
    #[error("the table {table} cannot be read; check its name, the region and the credentials. The cause:\n{cause}")]
    Table { table: String, cause: Error },
    #[error("the bucket {bucket} cannot be read; check its name, the region and the credentials. The cause:\n{cause}")]
    Bucket { bucket: String, cause: Error },
}

/// Clients with the credentials of the process: environment, profile, or the role of its container or machine. Reads
/// `table` once, so that missing access is reported at the start and not to the first caller.
pub(crate) async fn connect(table: &str) -> Result<Builders, AwsError> {
    let config = aws::loader().load().await;
    if config.region().is_none() {
        return Err(AwsError::NoRegion);
    }
    let builders = Builders { dynamodb: (&config).into(), s3: (&config).into() };
    let store = Store::new(builders.clone().build().dynamodb, table);
    let read = store.read(UserId::random(), &[Row::Account], Deadline::unhurried()).await;
    read.map_err(|cause| AwsError::Table { table: table.to_owned(), cause })?;
    Ok(builders)
}

/// As [`connect`], and requests a missing upload, which is no error if the bucket may be read and listed.
pub(crate) async fn connect_both(stores: &AwsStores) -> Result<Builders, AwsError> {
    let builders = connect(&stores.table).await?;
    let (now, deadline) = (Utc::now(), Deadline::unhurried());
    let uploads = Uploads::new(&builders.s3.clone().build(), &stores.bucket);
    let looked = uploads.open(UserId::random(), UploadId::new(now), now, deadline).await;
    looked.map_err(|cause| AwsError::Bucket { bucket: stores.bucket.clone(), cause })?;
    Ok(builders)
}
