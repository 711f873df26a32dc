//! The analyses of an account: the dashboard with its uploads, the page of each, and the report that a link leads to.

pub(crate) mod dashboard;
pub(crate) mod delete;
pub(crate) mod download;
mod file;
mod metadata;
mod own;
pub(crate) mod page;
mod report;
pub(crate) mod share;
pub(crate) mod shared_report;
pub(crate) mod upload;
