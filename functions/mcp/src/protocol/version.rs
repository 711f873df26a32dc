//! Supported revisions of the protocol.

/// The newest supported revision.
pub const NEWEST: &str = "2026-07-28";
/// Revisions that begin with `initialize`, the newest first. They do not differ for tools.
pub const EARLIER: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// All of them, the newest first.
#[must_use]
pub fn versions() -> [&'static str; 3] {
    let [second, third] = EARLIER;
    [NEWEST, second, third]
}

/// The protocol revision of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolVersion {
    /// [`NEWEST`]: the request is self-contained.
    Newest,
    /// One of [`EARLIER`], negotiated by `initialize`.
    Earlier,
}
