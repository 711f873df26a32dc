//! What requests hand in, read once and trusted from then on.

pub mod announcement;
pub mod share;
pub mod submission;
pub mod token;
pub mod trust;
pub mod upload_form;
