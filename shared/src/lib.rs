//! Code of all functions, in three layers that depend one way: *pure* (ids, secrets, quota, pages) ← *outside* (AWS:
//! the table, uploads) ← *front* (authentication, HTTP, the Lambda runtime).

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

// pure
pub mod analysis;
mod base62;
pub mod clock;
pub mod deadline;
pub mod disk_space;
pub mod document_key;
pub mod error;
pub mod file_hash;
pub mod filename;
pub mod idempotency;
pub mod ids;
pub mod listing;
pub mod mail;
pub mod numbering;
pub mod outcome;
pub mod page;
pub mod quota;
mod redact_debug;
pub mod reference;
pub mod registration;
pub mod related_analyses;
pub mod request_cost;
pub mod secret;
mod sha256;
pub mod size_limit;
pub mod worker;

// outside
pub mod aws;
pub mod bucket;
pub mod journal;
pub mod platform;
pub mod store;
pub mod uploads;

// front
pub mod auth;
pub mod function;
pub mod http;
pub mod inputs;
pub mod runtime;
pub mod use_cases;
