//! Revisions of the protocol that are spoken here.

/// The newest revision that is spoken here.
pub const NEWEST: &str = "2026-07-28";
/// Those that begin with `initialize`, the newest first. Nothing that tools use differs between them.
pub const EARLIER: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// All of them, the newest first.
#[must_use]
pub fn versions() -> [&'static str; 3] {
    let [second, third] = EARLIER;
    [NEWEST, second, third]
}

/// The protocol that a request is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolVersion {
    /// [`NEWEST`]: the request stands alone.
    Newest,
    /// One of [`EARLIER`], agreed upon by `initialize`.
    Earlier,
}
