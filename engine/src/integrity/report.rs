//! What the examination answers.

/// What a signature is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureKind {
    /// Somebody agrees to what is there.
    Approval,
    /// The author says what may be changed afterwards (12.8.2.2).
    Certification,
    /// A time-stamp of the whole file (ISO 32000-2, 12.8.5).
    Timestamp,
}

/// Whether a signature fits the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureStatus {
    /// The bytes are those that were signed.
    Intact,
    /// They are not, or the signature does not fit its certificate.
    Broken,
    /// It could not be checked.
    Unchecked,
}

/// Why a signature is broken or unchecked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureReason {
    /// `/ByteRange` leaves out more than the signature itself.
    Range,
    /// The bytes are not those that were signed.
    Digest,
    /// The signature does not fit the key.
    Value,
    /// A key or digest that cannot be checked here.
    Algorithm,
    /// A kind of signature, or a form of it, that cannot be checked here.
    Format,
    /// It has no certificate.
    NoCertificate,
    /// The file is too large to be read whole.
    TooLarge,
}
