//! A revision of the file, and what it changed.

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use pdf_syntax::text::date::serialize_instant;

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
    pub(in crate::integrity) const MAX_PAGES: usize = 50;
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
