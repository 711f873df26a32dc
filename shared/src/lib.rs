//! Common code of all functions, in two layers: *platform* (the environment of a function) ← *front* (authentication,
//! HTTP, the Lambda runtime), which depends on it. Storage and its types are in `store`.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

pub(crate) use ::store::redact_debug;
pub use ::store::{
    analysis, aws, bucket, clock, deadline, document_key, error, file_hash, filename, idempotency, ids, listing,
    numbering, outcome, page, quota, reference, registration, related_analyses, request_cost, secret, table as store,
    uploads,
};

// platform
pub mod disk_space;
pub mod journal;
pub mod mail;
pub mod platform;
pub mod size_limit;
pub mod worker;

// front
pub mod auth;
pub mod function;
pub mod http;
pub mod inputs;
pub mod runtime;
pub mod use_cases;
