//! The whole service as one process: `template.yaml` read, DynamoDB and S3 embedded, and a gateway
//! before the same functions that run on Lambda.

mod aws;
pub mod cli;
mod clients;
mod embedded;
pub mod events;
mod functions;
mod gateway;
mod lingering;
mod listen;
mod options;
mod serve;
mod service;
pub mod template;

pub use embedded::Embedded;
pub use options::{AwsStores, Customize, Listen, Options};
pub use service::{Service, StartError};
