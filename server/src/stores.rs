//! DynamoDB and S3, where the functions keep everything: inside this process, or AWS's.

pub(crate) mod aws;
pub(crate) mod clients;
pub(crate) mod embedded;
pub(crate) mod listen;
