//! AWS's DynamoDB and S3, in the place of the embedded stores.

use shared::aws;
use shared::deadline::Deadline;
use shared::error::Error;
use shared::ids::UserId;
use shared::store::{Row, Store};

use crate::stores::clients::Builders;

/// The table is not to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AwsError {
    #[error("no AWS region is set; set AWS_REGION, or AWS_PROFILE to a profile that has one")]
    NoRegion,
    #[error("the table {table} cannot be read; check its name, the region and the credentials. The cause:\n{cause}")]
    Table { table: String, cause: Error },
}

/// Clients with what the process finds around it: the environment, a profile, the role of its container
/// or machine. Reads `table` once, so that what is missing is said now and not to the first caller.
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
