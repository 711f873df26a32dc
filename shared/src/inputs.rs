//! The inputs of requests, parsed and validated once.

pub mod announcement;
pub mod form_parts;
pub mod pair;
pub mod reference;
pub mod share;
pub mod submission;
pub mod token;
pub mod trust;
pub mod upload_form;
