//! DynamoDB and S3 as real servers inside this process, on loopback addresses.

pub(crate) mod clients;
pub(crate) mod dynamodb;
mod host;
pub(crate) mod s3;
