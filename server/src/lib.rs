//! The complete service as one process: it reads `template.yaml`, embeds DynamoDB and S3, and runs a gateway before the
//! same functions as on Lambda.

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
