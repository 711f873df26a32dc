//! The whole service as one process: `template.yaml` read, DynamoDB and S3 embedded, and a gateway
//! before the same functions that run on Lambda.

pub mod cli;
mod connection_limits;
pub mod events;
mod functions;
mod gateway;
mod http;
mod metrics;
mod options;
mod service;
mod stores;
pub mod template;

pub use connection_limits::ConnectionLimits;
pub use options::{AwsStores, Containers, Customize, Listen, MailOptions, Options, Wire};
pub use service::{Service, StartError};
pub use stores::embedded::Embedded;
