//! DynamoDB and S3, the stores of all data: inside this process, or AWS's.

pub(crate) mod aws;
pub(crate) mod clients;
pub(crate) mod embedded;
pub(crate) mod listen;
