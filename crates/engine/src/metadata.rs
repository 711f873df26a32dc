//! The engine's result: the metadata of a PDF, as in the API.

use chrono::{DateTime, FixedOffset};
use serde::Serialize;
use utoipa::ToSchema;

use crate::integrity::report::Integrity;
use pdf_content::hidden::report::Hidden;
use pdf_syntax::encryption::handler::Algorithm;
use pdf_syntax::text::date::serialize_instant;
use pdf_syntax::xref::XrefKind;

/// The metadata of a PDF. A value that it does not have is null.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Metadata {
    /// The file's bytes as a whole. An engine that reads ranges does not know them: its caller fills them in.
    pub file: FileDigest,
    /// Size and age of the format.
    pub basic: Basic,
    /// The same as `basic.pages`, for older clients.
    pub page_count: u64,
    /// Texts about the document.
    pub document: Texts,
    /// When it was created and modified.
    pub dates: Dates,
    /// Encryption and what it permits.
    pub security: Security,
    /// How the file is built.
    pub structure: Structure,
    /// The first page.
    pub page: Page,
    /// The kinds of content of the document.
    pub features: Features,
    /// The standards that it claims to conform to.
    pub conformance: Conformance,
    /// Whether it was changed after it was created, with the evidence.
    pub integrity: Integrity,
    /// What its pages hide.
    pub hidden: Hidden,
    /// The XMP packet.
    pub xmp: Xmp,
    /// The version of the engine that made this; it increases when answers change.
    pub engine: u32,
}

/// What identifies the analyzed file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct FileDigest {
    /// SHA-256 of all its bytes, in hexadecimal digits. Null if it was not read completely and no hash was announced.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    pub sha256: Option<String>,
    /// Who says so.
    pub source: Option<DigestSource>,
}

/// The source of a file's hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DigestSource {
    /// Computed from the analyzed bytes.
    Computed,
    /// Announced before the upload; the store refused other bytes.
    Upload,
}

/// Size and age of the format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Basic {
    /// Number of pages: leaves of the page tree (ISO 32000-1, 7.7.3).
    pub pages: u64,
    /// The newer of the header's (7.5.2) and the catalog's (7.7.2), such as `1.7`.
    pub pdf_version: Option<String>,
}

/// Texts about the document, from the document information dictionary (ISO 32000-1, 14.3.3) or, where that lacks
/// them, from XMP (14.3.2). At most 4,096 characters each, on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Texts {
    /// `/Title`, or `dc:title`.
    pub title: Option<String>,
    /// `/Author`, or `dc:creator`, several joined by commas.
    pub author: Option<String>,
    /// `/Subject`, or `dc:description`.
    pub subject: Option<String>,
    /// `/Keywords`, or `pdf:Keywords`.
    pub keywords: Option<String>,
    /// The application that made the original document: `/Creator`, or `xmp:CreatorTool`.
    pub creator: Option<String>,
    /// The application that made the PDF: `/Producer`, or `pdf:Producer`.
    pub producer: Option<String>,
    /// The natural language, such as `en-GB`: the catalog's `/Lang` (14.9.2).
    pub language: Option<String>,
}

/// When the document was created and modified.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Dates {
    /// `/CreationDate` (ISO 32000-1, 14.3.3), or `xmp:CreateDate`.
    pub created: Date,
    /// `/ModDate`, or `xmp:ModifyDate`.
    pub modified: Date,
    /// Both dates could be read and `modified` is a later instant than `created`.
    pub was_modified: bool,
}

/// A date as written in the file (ISO 32000-1, 7.9.4), and its meaning.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Date {
    /// The text in the file.
    pub raw: Option<String>,
    /// The instant, such as `2025-01-15T10:30:00+01:00`; a date without a zone counts as UTC.
    #[serde(serialize_with = "serialize_instant")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub iso8601: Option<DateTime<FixedOffset>>,
    /// Whether the text could be read as a date.
    pub parsed: bool,
}

/// Encryption (ISO 32000-1, 7.6) and what it permits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Security {
    /// Whether the file is encrypted, even if the empty password opens it.
    pub encrypted: bool,
    /// The cipher of its streams.
    pub algorithm: Option<Algorithm>,
    /// Length of its key in bits.
    pub key_bits: Option<u32>,
    /// What a user without the owner's password may do.
    pub permissions: Permissions,
    /// Whether `/Perms` confirms the permissions (ISO 32000-2, 7.6.4.4.12): false if it is missing or disagrees, so that they
    /// may have been edited. Null if not encrypted, or before revision 5, which has no such check.
    pub permissions_verified: Option<bool>,
}

/// What the user may do (ISO 32000-1, 7.6.3.2, table 22, `/P`); everything if the file is not encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Permissions {
    /// Print.
    pub print: bool,
    /// Print in high quality.
    pub print_high_quality: bool,
    /// Change the contents.
    pub modify: bool,
    /// Copy text and graphics.
    pub copy: bool,
    /// Add and change annotations.
    pub annotate: bool,
    /// Fill in form fields.
    pub fill_forms: bool,
    /// Extract text to make it accessible.
    pub accessibility: bool,
    /// Insert, delete and rotate pages.
    pub assemble: bool,
}

/// How the file is built (ISO 32000-1, 7.5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Structure {
    /// Whether it is arranged for viewing while it downloads (annex F).
    pub linearized: bool,
    /// How often it was saved: 1, and 1 for each incremental update (7.5.6).
    pub revisions: u32,
    /// How its newest cross-reference is written.
    pub xref: Option<XrefKind>,
    /// Number of objects, free ones included.
    pub objects: u64,
    /// The file identifier (14.4).
    pub document_id: DocumentId,
    /// Bytes before the header.
    pub header_offset: u64,
    /// Whether the cross-reference was unusable and was rebuilt.
    pub repaired: bool,
    /// Whether its end is missing, such as after an incomplete transfer (7.5.5).
    pub truncated: bool,
}

/// The two parts of the file identifier (ISO 32000-1, 14.4), in hexadecimal digits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentId {
    /// Stays the same through all changes.
    pub original: Option<String>,
    /// Changes with each.
    pub current: Option<String>,
}

/// The first page (ISO 32000-1, 7.7.3.3).
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Page {
    /// Width of the media box, unrotated, in points of 1/72 inch.
    pub width_pt: Option<f64>,
    /// Height of the media box, unrotated, in points of 1/72 inch.
    pub height_pt: Option<f64>,
    /// By how many degrees it is shown rotated, clockwise: 0, 90, 180 or 270.
    #[schema(maximum = 270, multiple_of = 90)]
    pub rotation: u16,
    /// The paper size, to within 2 points.
    pub format: Option<PageFormat>,
}

/// A paper size: ISO 216 or North American.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum PageFormat {
    A0,
    A1,
    A2,
    A3,
    A4,
    A5,
    A6,
    Letter,
    Legal,
    Tabloid,
}

/// The kinds of content of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Features {
    /// Tagged for accessibility: `/Marked` (14.7.1).
    pub tagged: bool,
    /// Signed: a signature field with a value (12.7.4.5), or a certification (12.8.4).
    pub signatures: bool,
    /// Signature fields (12.7.4.5), signed or not.
    pub signature_fields: bool,
    /// Scripts (12.6.4.16) of the document, its form, its pages or their annotations; those of bookmarks are not
    /// searched for.
    pub javascript: bool,
    /// Embedded files: named ones (7.11.4), associated ones (ISO 32000-2, 14.13), or those of annotations (12.5.6.15).
    pub attachments: bool,
    /// Bookmarks (12.3.3).
    pub outlines: bool,
    /// Optional content (8.11).
    pub layers: bool,
    /// The kind of form.
    pub form: Form,
    /// Whether the inspected pages are only images, such as scans, whose content is not examined. Null if no page was
    /// inspected.
    pub image_only: Option<bool>,
    /// How far the file was searched for scripts and attachments, if one of them was not found.
    pub examined: ExaminedFeatures,
}

/// How far a file was searched for scripts and attachments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExaminedFeatures {
    /// All of it.
    All,
    /// The catalog, the form, and the pages whose content was read; there are more pages.
    Part,
}

/// A kind of interactive form (ISO 32000-1, 12.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// No fields.
    None,
    /// Fields of PDF's own.
    AcroForm,
    /// An XFA form, with or without fields beside it (12.7.8).
    Xfa,
}

/// Standards that the XMP claims; nothing is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Conformance {
    /// Part and level of PDF/A (ISO 19005), such as `2b`.
    pub pdf_a: Option<String>,
    /// Part of PDF/UA (ISO 14289), such as `1`.
    pub pdf_ua: Option<String>,
    /// Version of PDF/X (ISO 15930), such as `4`.
    pub pdf_x: Option<String>,
}

/// The document's XMP packet (ISO 16684-1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Xmp {
    /// Whether there is one.
    pub present: bool,
    /// `xmp:CreatorTool`.
    pub creator_tool: Option<String>,
    /// `xmp:CreateDate`, as written.
    pub create_date: Option<String>,
    /// `xmp:ModifyDate`, as written.
    pub modify_date: Option<String>,
    /// `xmpMM:DocumentID`.
    pub document_id: Option<String>,
    /// `xmpMM:InstanceID`.
    pub instance_id: Option<String>,
}
