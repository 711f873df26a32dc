//! A signature as reported: who signed, when, how much of the file, and what came after it.

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use pdf_signature::report::{SignatureReason, SignatureStatus, SignerCertificate, TimeSource, Trust};
use pdf_syntax::text::date::serialize_instant;

/// A digital signature (ISO 32000-1, 12.8). Names are those in its certificate, which are not verified here.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Signature {
    /// The full name of its field.
    pub field: Option<String>,
    /// Its kind.
    pub kind: SignatureKind,
    /// Whether it matches the file.
    pub status: SignatureStatus,
    /// Why it is not intact.
    pub reason: Option<SignatureReason>,
    /// `/SubFilter`, such as `ETSI.CAdES.detached`.
    pub sub_filter: Option<String>,
    /// Key and digest, such as `RSA-SHA256`.
    pub algorithm: Option<String>,
    /// The name in the certificate.
    pub signer: Option<String>,
    /// The issuer's name in the certificate.
    pub issuer: Option<String>,
    /// Whether the issuer's key verifies the certificate.
    pub issuer_verified: Option<bool>,
    /// Whether the certificate is self-signed.
    pub self_signed: Option<bool>,
    /// The identity of its certificate.
    pub certificate: Option<SignerCertificate>,
    /// The signing time that the signer claims.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub claimed_at: Option<DateTime<FixedOffset>>,
    /// The time of a time-stamp in it.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub timestamped_at: Option<DateTime<FixedOffset>>,
    /// The signing time by the better source.
    #[serde(default)]
    pub signed_at: SignedAt,
    /// Its level of PAdES (ETSI EN 319 142-1, 6).
    pub level: Option<Level>,
    /// Whether its signer has a path to a trusted issuer; null without trusted issuers.
    pub trust: Option<Trust>,
    /// The revision that it covers, or covers in part.
    pub revision: u32,
    /// How much of the file it covers.
    pub covers: Covers,
    /// What the signer permits, `/P` of DocMDP (12.8.2.2, table 254): 1 nothing, 2 form values and signatures, 3
    /// annotations too.
    #[schema(minimum = 1, maximum = 3)]
    pub permits: Option<u8>,
    /// The changes after it; null if unknown.
    pub after: Option<After>,
}

/// The signing time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct SignedAt {
    /// When.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub value: Option<DateTime<FixedOffset>>,
    /// Who says so.
    pub source: Option<TimeSource>,
    /// The time-stamp authority.
    pub authority: Option<String>,
}

/// Levels of PAdES (ETSI EN 319 142-1, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
pub enum Level {
    /// With the signer's certificate as a signed attribute.
    #[serde(rename = "B-B")]
    Basic,
    /// With a time-stamp.
    #[serde(rename = "B-T")]
    Timestamped,
    /// With revocation data.
    #[serde(rename = "B-LT")]
    LongTerm,
    /// With a time-stamp over that.
    #[serde(rename = "B-LTA")]
    Archived,
}

/// The kind of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureKind {
    /// The signer agrees to the content.
    Approval,
    /// The author sets the permitted changes (12.8.2.2).
    Certification,
    /// A time-stamp of the whole file (ISO 32000-2, 12.8.5).
    Timestamp,
}

/// How much of the file a signature covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// All of it.
    File,
    /// All of its revision, which others follow.
    Revision,
    /// Less than its revision.
    Part,
}

/// The changes after a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Only signatures, validation data and maintenance.
    Nothing,
    /// Changes that it permits.
    Permitted,
    /// Changes that it does not permit.
    Forbidden,
}
