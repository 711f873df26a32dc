//! The functions' binaries, driven through the Lambda Runtime API on the embedded stores.
//! `BOOTSTRAPS` names the folder that holds them: those of the tests in `.ci/run`, release binaries every night.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on panics")]

mod answers;
mod cold_start;
mod lines;
mod mail;
