//! The analyses of an account: the dashboard with its uploads, the page of each, and shared reports.

mod check;
mod comparison;
pub(crate) mod dashboard;
pub(crate) mod delete;
pub(crate) mod download;
pub(crate) mod examples;
mod metadata;
mod owned;
pub(crate) mod page;
pub(crate) mod refer;
pub(crate) mod report;
mod reported;
pub(crate) mod share;
pub(crate) mod shared_report;
pub(crate) mod upload;

pub use self::report::report_page;
