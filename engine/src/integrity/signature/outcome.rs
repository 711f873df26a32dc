//! What verifying a signature comes to.

/// What verification comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Verified,
    Refuted,
    /// It could not be tried.
    Unsupported,
}
