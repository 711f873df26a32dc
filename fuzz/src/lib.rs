//! What is fuzzed, and what has to be true of it whatever the input. Each target hands its bytes to one of these.

pub mod documents;
pub mod events;
pub mod forms;
pub mod seeds;
mod storage;
pub mod tokens;
