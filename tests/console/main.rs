//! The web console over HTTP: what its pages do and what they refuse. How they look and behave
//! in a browser is tested in `tests/browser`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod account;
mod csrf;
mod deletion;
mod guides;
mod home;
mod integrity;
mod links;
mod login;
mod mail;
mod pages;
mod references;
mod register;
mod registrations;
mod sessions;
mod sharing;
mod tokens;
mod uploads;
