//! Black-box tests of the local substitutes for AWS: DynamoDB, S3, API Gateway.
#![allow(clippy::unwrap_used)] // a helper that fails is a test that fails

mod batch;
mod cloud;
mod containers;
mod disk;
mod dynamodb;
mod gateway;
mod s3_cors;
mod s3_objects;
mod s3_presigned;
mod sam_local;
mod start;
mod workflows;
