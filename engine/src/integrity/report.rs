//! What the examination answers: a verdict, the signals behind it, and the evidence that a person can check.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset};
use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::signal::SignalId;
pub use super::signal::{Basis, Strength};
use crate::content::Rectangle;
use crate::hidden::report::{ExaminedContent, PageOutline};
use crate::text::date::serialize_instant;

/// What programs have to know that decide by the answer.
pub const USAGE_CAUTION: &str = "Don't judge anyone on this alone. Signs of change don't show who \
    made it or why; no signs doesn't mean no change.";

/// Was this file changed after it was made, and what shows it. A file can show that it was changed, never that it was
/// not: the best unsigned answer is that there are no signs.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Integrity {
    /// The answer in one word.
    pub verdict: Verdict,
    /// What the verdict asks of who reads it: one of three words.
    pub outcome: Outcome,
    /// The answer in one sentence.
    pub summary: String,
    /// Whether it quotes only what everybody may be shown.
    pub summary_public: bool,
    /// The signals that decided, in order of weight; for `no_signs` only what was not examined.
    pub because: Vec<SignalId>,
    /// What decided above all, as lists show it.
    pub reason: Option<DecidingReason>,
    /// What later revisions prove to have been changed.
    pub changes: Vec<Change>,
    /// The same after the newest signature that covers its whole revision.
    pub changed_after_signing: Option<Vec<Change>>,
    /// The states that the file was saved in, oldest first; the newest 50.
    pub revisions: Vec<Revision>,
    /// Its signatures, oldest first; at most 50.
    pub signatures: Vec<Signature>,
    /// All that was found, each signal once, weightiest first.
    pub signals: Vec<Signal>,
    /// The first pages on which something was found; at most 5.
    pub pages: Vec<PageOutline>,
    /// What the answer rests on.
    pub examined: Examined,
    /// The version of the rules by which it was judged.
    pub rules: u32,
    /// What the answer is not good for: always the same sentence.
    #[schema(value_type = String)]
    pub usage_caution: &'static str,
}

/// What decided above all.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct DecidingReason {
    /// The signal, one of `because`.
    pub signal: SignalId,
    /// What it comes to, in a phrase of a few words that quotes nothing of the file.
    #[schema(max_length = 120)]
    pub phrase: String,
}

/// What the examination comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A later revision shows a change, and so does the one before it.
    Changed,
    /// What pages draw or hide, what is left of earlier states, or dates that contradict each other show a change.
    SignsOfChange,
    /// Another program wrote the file again, or it was saved again, after it was made; nothing shows that what it says was
    /// changed, which proves nothing.
    SavedAgain,
    /// Nothing found; which proves nothing.
    NoSigns,
    /// The bytes are those that the holder of a key signed. Who that is, is a claim.
    UnchangedSinceSigning,
    /// Since it was signed only what the signature permits was done.
    PermittedChangesSinceSigning,
    /// A signature does not fit the file, or something was done since that it does not permit.
    ChangedSinceSigning,
    /// The file could not be examined well enough to say.
    Undetermined,
}

impl Verdict {
    /// All of them, the worst first.
    pub const ALL: [Self; 8] = [
        Self::ChangedSinceSigning,
        Self::Changed,
        Self::SignsOfChange,
        Self::Undetermined,
        Self::PermittedChangesSinceSigning,
        Self::UnchangedSinceSigning,
        Self::SavedAgain,
        Self::NoSigns,
    ];
}

impl fmt::Display for Verdict {
    /// The name by which callers and the table know it, as it is serialised.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Verdict {
    type Err = value::Error;

    fn from_str(name: &str) -> Result<Self, value::Error> {
        Self::deserialize(name.into_deserializer())
    }
}

/// What a verdict asks of who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Something was found that a person has to look at.
    NeedsReview,
    /// The file could not be examined well enough, or its pages are images.
    Inconclusive,
    /// Nothing was found that speaks against the file; which proves nothing.
    NoFindings,
}

impl Outcome {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::NeedsReview, Self::Inconclusive, Self::NoFindings];

    /// The outcome of a verdict: the one table of both. Where pages are images, only a signature covers what they show.
    #[must_use]
    pub fn of(verdict: Verdict, pages_are_images: bool) -> Self {
        match verdict {
            Verdict::ChangedSinceSigning | Verdict::Changed | Verdict::SignsOfChange => Self::NeedsReview,
            Verdict::Undetermined => Self::Inconclusive,
            Verdict::SavedAgain | Verdict::NoSigns if pages_are_images => Self::Inconclusive,
            Verdict::SavedAgain
            | Verdict::NoSigns
            | Verdict::UnchangedSinceSigning
            | Verdict::PermittedChangesSinceSigning => Self::NoFindings,
        }
    }

    /// The outcome of a verdict that comes with this reason, as rows of lists keep both.
    #[must_use]
    pub fn of_reason(verdict: Verdict, reason: Option<&DecidingReason>) -> Self {
        Self::of(verdict, reason.is_some_and(|reason| reason.signal == SignalId::PagesAreImages))
    }
}

impl fmt::Display for Outcome {
    /// Its name, as it is serialized.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Outcome {
    type Err = value::Error;

    fn from_str(name: &str) -> Result<Self, value::Error> {
        Self::deserialize(name.into_deserializer())
    }
}

/// What was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// What a page shows: its content, its resources, its boxes.
    PageContent,
    /// Pages added, removed or put in another order.
    Pages,
    /// Annotations other than form fields.
    Annotations,
    /// Values, looks or number of form fields.
    FormFields,
    /// Document information dictionary or XMP.
    Metadata,
    /// Scripts, attachments, layers, bookmarks and whatever else the catalog leads to.
    Document,
    /// Signatures, and what validates them.
    Signatures,
}

/// A state that the file was saved in (ISO 32000-1, 7.5.6).
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Revision {
    /// 1 for the oldest.
    pub number: u32,
    /// Where it ends: offset in bytes, behind its `%%EOF`.
    pub end: u64,
    /// When it was saved, as it says itself: the newest of its dates.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub saved_at: Option<DateTime<FixedOffset>>,
    /// `/Producer` of its document information dictionary, or `pdf:Producer`.
    pub producer: Option<String>,
    /// How many objects it touched.
    pub objects: Objects,
    /// What it changed of the revision before it.
    pub changes: Vec<Change>,
    /// The pages it changed, numbered from 1; at most 50.
    pub pages: Vec<u32>,
    /// Whether it added a signature.
    pub signed: bool,
}

/// Numbers of objects by what a revision did to them; for the oldest one, all that it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Objects {
    /// New ones.
    pub added: u32,
    /// Written anew with another content.
    pub changed: u32,
    /// Deleted.
    pub removed: u32,
}

/// A digital signature (ISO 32000-1, 12.8). Names are those of its certificate, which nobody vouches for here.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Signature {
    /// The full name of its field.
    pub field: Option<String>,
    /// What it is for.
    pub kind: SignatureKind,
    /// Whether it fits the file.
    pub status: SignatureStatus,
    /// Why it is not intact.
    pub reason: Option<SignatureReason>,
    /// `/SubFilter`, such as `ETSI.CAdES.detached`.
    pub sub_filter: Option<String>,
    /// Key and digest, such as `RSA-SHA256`.
    pub algorithm: Option<String>,
    /// The name in the certificate.
    pub signer: Option<String>,
    /// Who issued the certificate, by its own words.
    pub issuer: Option<String>,
    /// Whether the issuer's key verifies the certificate.
    pub issuer_verified: Option<bool>,
    /// Whether the certificate vouches for itself.
    pub self_signed: Option<bool>,
    /// By what its certificate is told from all others.
    pub certificate: Option<SignerCertificate>,
    /// When it was made, by the signer's clock.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub claimed_at: Option<DateTime<FixedOffset>>,
    /// When it was made, by a time-stamp in it.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub timestamped_at: Option<DateTime<FixedOffset>>,
    /// When it was made, by the better of both.
    #[serde(default)]
    pub signed_at: SignedAt,
    /// Its level of PAdES (ETSI EN 319 142-1, 6).
    pub level: Option<Level>,
    /// Whether its signer leads to a trusted issuer; null where none is named.
    pub trust: Option<Trust>,
    /// The revision it ends with.
    pub revision: u32,
    /// How much of the file it covers.
    pub covers: Covers,
    /// What the signer permits, `/P` of DocMDP (12.8.2.2, table 254): 1 nothing, 2 form values and signatures, 3
    /// annotations too.
    #[schema(minimum = 1, maximum = 3)]
    pub permits: Option<u8>,
    /// What was done after it; null if not known.
    pub after: Option<After>,
}

/// When a signature was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct SignedAt {
    /// When.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub value: Option<DateTime<FixedOffset>>,
    /// Who says so.
    pub source: Option<TimeSource>,
    /// Who made the time-stamp.
    pub authority: Option<String>,
}

/// Who says when a signature was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeSource {
    /// A time-stamp that fits.
    Timestamp,
    /// The signer, by his own clock.
    Claimed,
}

/// Levels of PAdES (ETSI EN 319 142-1, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
pub enum Level {
    /// With the signer's certificate among what is signed.
    #[serde(rename = "B-B")]
    Basic,
    /// With a time-stamp.
    #[serde(rename = "B-T")]
    Timestamped,
    /// With what tells of revocation.
    #[serde(rename = "B-LT")]
    LongTerm,
    /// With a time-stamp over that.
    #[serde(rename = "B-LTA")]
    Archived,
}

/// Whether a signer leads to an issuer whom the reader trusts, by the certificates and the statements about them that the file
/// brings along. Nothing is looked up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Trust {
    /// The answer. Every doubt is one against it.
    pub status: TrustStatus,
    /// The trusted issuer.
    pub anchor: Option<TrustAnchor>,
    /// Names from the signer up, each verified by the next.
    pub chain: Vec<String>,
    /// The time for which it holds.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub at: Option<DateTime<FixedOffset>>,
    /// Who says that it was then.
    pub at_source: Option<TimeSource>,
    /// Whether one of them was revoked.
    pub revocation: RevocationStatus,
    /// Why, in a sentence.
    pub because: String,
}

impl Trust {
    /// Whether its answer is that the signer is.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.status == TrustStatus::Trusted
    }
}

/// Whether a signer is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrustStatus {
    /// A chain that holds leads to a trusted issuer.
    Trusted,
    /// None does.
    NotTrusted,
    /// One would, but was not valid when it was signed.
    NotValidThen,
    /// One would, but was revoked.
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
    /// Whoever runs it.
    Operator,
}

/// Whether certificates were revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevocationStatus {
    /// None, by statements that fit.
    Good,
    /// One.
    Revoked,
    /// It is not known of all.
    NotChecked,
}

/// What a certificate is recognised by.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct SignerCertificate {
    /// Its number (RFC 5280, 4.1.2.2), in hexadecimal digits.
    pub serial: String,
    /// From when on it is good, by its own words.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_from: Option<DateTime<FixedOffset>>,
    /// Until when it is good.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_until: Option<DateTime<FixedOffset>>,
    /// SHA-256 of all its bytes, its fingerprint.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
}

/// What a signature is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureKind {
    /// Somebody agrees to what is there.
    Approval,
    /// The author says what may be changed afterwards (12.8.2.2).
    Certification,
    /// A time-stamp of the whole file (ISO 32000-2, 12.8.5).
    Timestamp,
}

/// Whether a signature fits the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureStatus {
    /// The bytes are those that were signed.
    Intact,
    /// They are not, or the signature does not fit its certificate.
    Broken,
    /// It could not be checked.
    Unchecked,
}

/// Why a signature is broken or unchecked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
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
    /// Its certificate is not the one that was signed (RFC 5035, 3).
    Certificate,
    /// It has no certificate.
    NoCertificate,
    /// There are more signatures, or more bytes to be read for them, than one file may have.
    TooMany,
    /// There are more certificates, or statements about them, than are verified for one file.
    TooManyCertificates,
}

impl SignatureReason {
    /// What a signature is for this reason.
    pub(crate) fn status(self) -> SignatureStatus {
        match self {
            Self::Range | Self::Digest | Self::Value | Self::Certificate => SignatureStatus::Broken,
            Self::Algorithm | Self::Format | Self::NoCertificate | Self::TooMany | Self::TooManyCertificates => {
                SignatureStatus::Unchecked
            }
        }
    }
}

/// How much of the file a signature covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// All of it.
    File,
    /// All of its revision, behind which there are others.
    Revision,
    /// Less than its revision.
    Part,
}

/// What was done after a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// Nothing but further signatures, what validates them, and housekeeping.
    Nothing,
    /// What it permits.
    Permitted,
    /// Something that it does not permit.
    Forbidden,
}

/// Something found in the file that bears on whether it was changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Signal {
    /// Which one; ids are never renamed or used for something else.
    pub id: SignalId,
    /// How much it weighs.
    pub strength: Strength,
    /// What it rests on.
    pub basis: Basis,
    /// What it means, in one sentence.
    pub summary: String,
    /// Where it shows; at most 10 places.
    pub evidence: Vec<Evidence>,
    /// How many places there are in all.
    pub evidence_total: u32,
}

/// A place that shows a signal. A key that does not apply is null. Texts have at most 200 characters.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct Evidence {
    /// Number of the revision.
    pub revision: Option<u32>,
    /// Number of the object.
    pub object: Option<u32>,
    /// Number of the page, from 1.
    pub page: Option<u32>,
    /// What it is: a key, a field's name, a kind of annotation.
    pub place: Option<String>,
    /// What was there before, or what one place says.
    pub before: Option<String>,
    /// What is there now, or what the other place says.
    pub after: Option<String>,
    /// Where on the page: left, bottom, right and top in points of the page before it is turned, from the corner of its
    /// crop box (14.11.2).
    #[schema(value_type = Option<[f64; 4]>)]
    pub r#box: Option<Rectangle>,
    /// Which of its texts others than the owner are shown; the rest is null to them.
    #[serde(default = "PublicTexts::unsaid")]
    pub public: PublicTexts,
}

/// Which texts of a piece of evidence everybody may be shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicTexts {
    /// Not even what is there now.
    #[default]
    None,
    /// What is there now, which pages of the newest state show; also that nothing is.
    Now,
    /// That, and what stood there before, which it replaced; and what the file says of itself.
    Both,
}

impl PublicTexts {
    /// What is stored without a word about it lacks nothing.
    fn unsaid() -> Self {
        Self::Both
    }
}

impl Evidence {
    /// What a place says, and what another one does or what is known of it.
    pub(crate) fn of(place: impl Into<String>, before: Option<&str>, after: Option<&str>) -> Self {
        let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
        Self { place: Some(place.into()), before, after, ..Self::default() }
    }

    /// Whether what was there before was left out, or may have been.
    #[must_use]
    pub fn lacks_before(&self) -> bool {
        let is_left_out = match self.public {
            PublicTexts::Both => false,
            PublicTexts::Now => true,
            PublicTexts::None => self.after.is_none(),
        };
        self.before.is_none() && is_left_out
    }

    /// Whether what is there now was left out.
    #[must_use]
    pub fn lacks_after(&self) -> bool {
        self.after.is_none() && self.public == PublicTexts::None
    }
}

/// What the answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Examined {
    /// Which revisions were compared.
    pub revisions: ExaminedRevisions,
    /// Numbers of later revisions that are not canonical: written again from what was parsed, they have other bytes (7.5).
    #[serde(default)]
    #[schema(required = true)]
    pub saves: Vec<u32>,
    /// Which bytes were read.
    pub bytes: ExaminedBytes,
    /// How much was read of what pages show.
    #[serde(default)]
    pub content: ExaminedContent,
}

/// Which revisions were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedRevisions {
    /// Every one.
    All,
    /// Not all of them, or not all of each: there are too many, or too much in them.
    Newest,
    /// None: the file is damaged.
    #[default]
    None,
}

/// Which bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedBytes {
    /// All that signatures cover.
    All,
    /// Those that answering took.
    Needed,
}
