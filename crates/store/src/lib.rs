//! Storage of the functions: the types of the service (ids, secrets, quota, pages) and, above them, AWS: the single
//! table and the uploads. Two layers: *pure* ← *outside*, which depends on it.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

// pure
pub mod analysis;
mod base62;
pub mod clock;
pub mod deadline;
pub mod document_key;
pub mod error;
pub mod file_hash;
pub mod filename;
pub mod idempotency;
pub mod ids;
pub mod listing;
pub mod numbering;
pub mod outcome;
pub mod page;
pub mod quota;
pub mod redact_debug;
pub mod reference;
pub mod registration;
pub mod related_analyses;
pub mod request_cost;
pub mod secret;
mod sha256;

// outside
pub mod aws;
pub mod bucket;
pub mod table;
pub mod uploads;
