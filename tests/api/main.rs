//! Black-box tests: every one starts a whole service of its own and talks HTTP to it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod analyze;
mod bad_input;
mod compare;
mod contract;
mod deletion;
mod disabled;
mod documented;
mod errors;
mod faults;
mod glossary;
mod hostile;
mod idempotency;
mod input_paths;
mod isolation;
mod journal;
mod kill;
mod layers;
mod limits;
mod list;
mod mcp;
mod memory;
mod negotiation;
mod overload;
mod permissions;
mod quota;
mod refer;
mod reference;
mod related_analyses;
mod restart;
mod round_trips;
mod sharing;
mod signatures;
mod soak;
mod stored;
mod threat_model;
mod tokens;
mod trust;
mod uploads;
mod user;
mod waiting;
mod walk;
mod withheld;
