//! The test harness: a whole service per test, clients for its API, and a wire that can fail.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

pub mod api;
pub mod browser;
pub mod clock;
pub mod command;
pub mod document;
pub mod events;
pub mod iam;
pub mod invariants;
pub mod lambda;
pub mod random;
pub mod rows;
pub mod service;
pub mod smtp;
pub mod template;
pub mod trust;
pub mod victim;
pub mod wire;
