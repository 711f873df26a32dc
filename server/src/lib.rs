//! The whole service as one process: `template.yaml` read, DynamoDB and S3 embedded, and a gateway
//! before the same functions that run on Lambda.

pub mod cli;
mod data;
mod embedded;
pub mod events;
mod functions;
mod gateway;
mod lingering;
mod options;
mod serve;
mod service;
mod sweeper;
pub mod template;

pub use options::{Customize, Options};
pub use service::{Service, StartError};
