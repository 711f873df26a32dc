//! The result of the examination: a verdict, its signals, and evidence that a person can verify.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, FixedOffset};
use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::signal::SignalId;
pub use super::signal::{Basis, Strength};
use pdf_content::Rectangle;
use pdf_content::hidden::report::{ExaminedContent, PageOutline};
pub use pdf_signature::report::{
    AnchorSource, RevocationStatus, SignatureReason, SignatureStatus, SignerCertificate, TimeSource, Trust,
    TrustAnchor, TrustStatus,
};
use pdf_syntax::text::date::serialize_instant;

/// Caution for programs that decide by the result.
pub const USAGE_CAUTION: &str = "Don't judge anyone on this alone. Signs of change don't show who \
    made it or why; no signs doesn't mean no change.";

/// Was this file changed after it was made, and what shows it. A file can show that it was changed, never that it was
/// not: the best unsigned answer is that there are no signs.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Integrity {
    /// The answer in one word.
    pub verdict: Verdict,
    /// The action that the verdict asks for, one of three.
    pub outcome: Outcome,
    /// The answer in one sentence.
    pub summary: String,
    /// Whether it quotes only text that is public.
    pub summary_public: bool,
    /// The deciding signals, strongest first; for `no_signs` only what was not examined.
    pub because: Vec<SignalId>,
    /// The deciding reason, as shown in lists.
    pub reason: Option<DecidingReason>,
    /// Changes that later revisions prove.
    pub changes: Vec<Change>,
    /// The same after the newest signature that covers its whole revision.
    pub changed_after_signing: Option<Vec<Change>>,
    /// Its revisions, oldest first; the newest 50.
    pub revisions: Vec<Revision>,
    /// Its signatures, oldest first; at most 50.
    pub signatures: Vec<Signature>,
    /// All signals, each once, strongest first.
    pub signals: Vec<Signal>,
    /// The first pages on which something was found; at most 5.
    pub pages: Vec<PageOutline>,
    /// What was examined.
    pub examined: Examined,
    /// The version of the verdict rules.
    pub rules: u32,
    /// What the answer must not be used for; always the same sentence.
    #[schema(value_type = String)]
    pub usage_caution: &'static str,
}

/// The deciding reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct DecidingReason {
    /// The signal, one of `because`.
    pub signal: SignalId,
    /// A short phrase that quotes nothing from the file.
    #[schema(max_length = 120)]
    pub phrase: String,
}

/// The result of the examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Both the original and the changed state are in the file.
    Changed,
    /// What pages draw or hide, what is left of earlier states, or dates that contradict each other show a change.
    SignsOfChange,
    /// Another program wrote the file again, or it was saved again, after it was made; nothing shows that what it says was
    /// changed, which proves nothing.
    SavedAgain,
    /// Nothing was found, which proves nothing.
    NoSigns,
    /// The bytes are those that the holder of a key signed. The holder's identity is a claim.
    UnchangedSinceSigning,
    /// Only changes that the signature permits were made since signing.
    PermittedChangesSinceSigning,
    /// A signature does not match the file, or changes were made since that it does not permit.
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
    /// Its name as serialized.
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

/// The action that a verdict asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A person has to review the findings.
    NeedsReview,
    /// The file could not be examined well enough, or its pages are images.
    Inconclusive,
    /// Nothing was found against the file, which proves nothing.
    NoFindings,
}

impl Outcome {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::NeedsReview, Self::Inconclusive, Self::NoFindings];

    /// The outcome of a verdict. If pages are images, only a signature covers their content.
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

    /// The outcome of a verdict with this reason, as stored for lists.
    #[must_use]
    pub fn of_reason(verdict: Verdict, reason: Option<&DecidingReason>) -> Self {
        Self::of(verdict, reason.is_some_and(|reason| reason.signal == SignalId::PagesAreImages))
    }
}

impl fmt::Display for Outcome {
    /// Its name as serialized.
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
    /// Page content, resources or boxes.
    PageContent,
    /// Pages added, removed or reordered.
    Pages,
    /// Annotations other than form fields.
    Annotations,
    /// Values, appearances or number of form fields.
    FormFields,
    /// Document information dictionary or XMP.
    Metadata,
    /// Scripts, attachments, layers, bookmarks and other values in the catalog.
    Document,
    /// Signatures and validation data.
    Signatures,
}

/// A revision of the file (ISO 32000-1, 7.5.6).
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Revision {
    /// 1 for the oldest.
    pub number: u32,
    /// The offset of its end, after its `%%EOF`, in bytes.
    pub end: u64,
    /// When it was saved, as it reports itself: the newest of its dates.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub saved_at: Option<DateTime<FixedOffset>>,
    /// `/Producer` of its document information dictionary, or `pdf:Producer`.
    pub producer: Option<String>,
    /// Numbers of the objects that it added, changed and removed.
    pub objects: Objects,
    /// Its changes of the previous revision.
    pub changes: Vec<Change>,
    /// The pages it changed, numbered from 1; at most 50.
    pub pages: Vec<u32>,
    /// Whether it added a signature.
    pub signed: bool,
}

impl Revision {
    /// Maximum pages that are reported as changed.
    pub(super) const MAX_PAGES: usize = 50;
}

/// Numbers of objects by what a revision did to them; for the oldest one, all that it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Objects {
    /// New ones.
    pub added: u32,
    /// Existing ones with other content.
    pub changed: u32,
    /// Deleted.
    pub removed: u32,
}

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

/// A finding about whether the file was changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Signal {
    /// Its id; ids are never renamed or reused.
    pub id: SignalId,
    /// Its strength.
    pub strength: Strength,
    /// Its basis.
    pub basis: Basis,
    /// Its meaning in one sentence.
    pub summary: String,
    /// Its evidence; at most 10 places.
    pub evidence: Vec<Evidence>,
    /// The number of all places.
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
    /// The previous text, or the text of one place.
    pub before: Option<String>,
    /// The current text, or the text of the other place.
    pub after: Option<String>,
    /// Where on the page: left, bottom, right and top in points of the page before it is turned, from the corner of its
    /// crop box (14.11.2).
    #[schema(value_type = Option<[f64; 4]>)]
    pub r#box: Option<Rectangle>,
    /// Which of its texts readers other than the owner see; the others are null for them.
    #[serde(default = "PublicTexts::legacy_default")]
    pub public: PublicTexts,
}

/// Which texts of a piece of evidence are public.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicTexts {
    /// Neither.
    #[default]
    None,
    /// The current text, which the newest pages show, or its absence.
    Now,
    /// Also the text that it replaced; and metadata.
    Both,
}

impl PublicTexts {
    /// The value of evidence that was stored without this field: complete.
    fn legacy_default() -> Self {
        Self::Both
    }
}

impl Evidence {
    /// Evidence of a place with two texts.
    pub(crate) fn of(place: impl Into<String>, before: Option<&str>, after: Option<&str>) -> Self {
        let (before, after) = (before.map(str::to_owned), after.map(str::to_owned));
        Self { place: Some(place.into()), before, after, ..Self::default() }
    }

    /// Whether the previous text was withheld, or may have been.
    #[must_use]
    pub fn lacks_before(&self) -> bool {
        let is_left_out = match self.public {
            PublicTexts::Both => false,
            PublicTexts::Now => true,
            PublicTexts::None => self.after.is_none(),
        };
        self.before.is_none() && is_left_out
    }

    /// Whether the current text was withheld.
    #[must_use]
    pub fn lacks_after(&self) -> bool {
        self.after.is_none() && self.public == PublicTexts::None
    }
}

/// What was examined.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct Examined {
    /// How completely revisions were compared: `newest` if some changes were not, as they reach a limit or cannot be read as
    /// the rules compare them; `none` in a damaged file.
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

/// How completely revisions were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedRevisions {
    /// Every one.
    All,
    /// Some changes were not fully compared: a limit was reached, or a part cannot be read as the rules compare it.
    Newest,
    /// None: the file is damaged.
    #[default]
    None,
}

/// Which bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedBytes {
    /// All signed bytes.
    All,
    /// Only the byte ranges needed.
    Needed,
}
