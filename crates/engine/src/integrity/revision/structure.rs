//! The structure of one state of a file: objects, pages, fields, signatures.

pub(super) mod expected;
pub(super) mod graph;
pub(super) mod links;
pub(super) mod role;
pub(super) mod schema;
pub(super) mod signatures;
pub(super) mod walk;
