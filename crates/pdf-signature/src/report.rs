//! The results of checking signatures and their issuers, as the API shows them.

use chrono::{DateTime, FixedOffset};
use pdf_syntax::text::date::serialize_instant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether there is a path from a signer to a trusted issuer, by the certificates and revocation data in the file.
/// Nothing is fetched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Trust {
    /// The answer. Inconclusive checks count as not trusted.
    pub status: TrustStatus,
    /// The trusted issuer.
    pub anchor: Option<TrustAnchor>,
    /// Names from the signer up, each verified by the next.
    pub chain: Vec<String>,
    /// The time for which the path was validated.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub at: Option<DateTime<FixedOffset>>,
    /// The source of this time.
    pub at_source: Option<TimeSource>,
    /// Whether a certificate of the path was revoked.
    pub revocation: RevocationStatus,
    /// Why, in a sentence.
    pub because: String,
}

impl Trust {
    /// Whether the signer is trusted.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.status == TrustStatus::Trusted
    }
}

/// Whether a signer is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrustStatus {
    /// A valid path leads to a trusted issuer.
    Trusted,
    /// No valid path does.
    NotTrusted,
    /// A path exists, but was not valid at the time of signing.
    NotValidThen,
    /// A path exists, but one of its certificates was revoked.
    Revoked,
}

/// A trusted issuer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct TrustAnchor {
    /// The name in its certificate.
    pub name: String,
    /// SHA-256 of its certificate.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// Who trusts it.
    pub source: AnchorSource,
}

/// Who trusts an issuer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnchorSource {
    /// The account.
    Account,
    /// The operator of the service.
    Operator,
}

/// Whether certificates were revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevocationStatus {
    /// None was, by valid statements.
    Good,
    /// At least one was.
    Revoked,
    /// At least one status is unknown.
    NotChecked,
}

/// The identity of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct SignerCertificate {
    /// Its serial number (RFC 5280, 4.1.2.2), in hexadecimal digits.
    pub serial: String,
    /// Start of its validity, as it states.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_from: Option<DateTime<FixedOffset>>,
    /// End of its validity, as it states.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_until: Option<DateTime<FixedOffset>>,
    /// Its fingerprint: SHA-256 of its DER encoding.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
}

/// Whether a signature matches the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureStatus {
    /// The bytes are those that were signed.
    Intact,
    /// They are not, or the signature does not match its certificate.
    Broken,
    /// It could not be checked.
    Unchecked,
}

/// Why a signature is broken or unchecked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureReason {
    /// `/ByteRange` omits more than the signature's own value.
    Range,
    /// The bytes are not those that were signed.
    Digest,
    /// The key does not verify the value.
    Value,
    /// An unsupported key or digest.
    Algorithm,
    /// An unsupported kind or form of signature.
    Format,
    /// Its value contains several signatures (`SignerInfo`), of which PDF permits one (ISO 32000-1, 12.8.3.3.1).
    SeveralSigners,
    /// Its certificate is not the one that was signed (RFC 5035, 3).
    Certificate,
    /// It has no certificate.
    NoCertificate,
    /// There are too many signatures or signed bytes for one file.
    TooMany,
    /// There are too many certificates or revocation statements for one file.
    TooManyCertificates,
}

impl SignatureReason {
    /// The status of a signature with this reason.
    pub fn status(self) -> SignatureStatus {
        match self {
            Self::Range | Self::Digest | Self::Value | Self::Certificate => SignatureStatus::Broken,
            Self::Algorithm
            | Self::Format
            | Self::SeveralSigners
            | Self::NoCertificate
            | Self::TooMany
            | Self::TooManyCertificates => SignatureStatus::Unchecked,
        }
    }
}

/// The source of a signing time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeSource {
    /// An intact time-stamp.
    Timestamp,
    /// The signer's own claim.
    Claimed,
}
