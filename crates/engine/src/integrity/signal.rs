//! The closed list of signals: their ids, and what each means.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The strength of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Informative, no sign of a change.
    Neutral,
    /// Common in unchanged files.
    Weak,
    /// A contradiction that no program writes on creation, or self-reported metadata.
    Strong,
    /// Both states are in the file, or a cryptographic check failed.
    Conclusive,
}

/// The id of a signal. Ids are never renamed or reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignalId {
    /// One of a signature's checks fails (ISO 32000-1, 12.8).
    SignatureBroken,
    /// Later revisions make changes that a signature does not permit (12.8.2.2, 12.8.2.4).
    ForbiddenChangeAfterSigning,
    /// Content replaced after signing without violating a permission.
    ShadowContent,
    /// A previous signature is missing.
    SignatureRemoved,
    /// A later revision changes what a page shows (7.7.3.3).
    PageContentChanged,
    /// A later revision adds, removes or reorders pages (7.7.3.2).
    PagesChanged,
    /// A later revision adds, removes or changes annotations other than form fields (12.5).
    AnnotationsChanged,
    /// A later revision changes values, appearances or number of form fields (12.7).
    FormChanged,
    /// A later revision changes the document's metadata (14.3).
    MetadataChanged,
    /// A later revision changes scripts, attachments, layers, bookmarks or the like (7.7.2).
    DocumentChanged,
    /// The file has data that its cross-reference does not account for.
    HistoryCut,
    /// The named software was released after the dates.
    DateBeforeSoftware,
    /// An impossible date.
    DateImpossible,
    /// The two layers of metadata contradict each other (14.3.2).
    InfoXmpContradict,
    /// Something in the document is dated later than the document.
    ObjectDatedLater,
    /// An attachment does not match its checksum, or readers save different files for it (7.11.4).
    AttachmentContradictory,
    /// The history in the metadata records changes.
    EditHistory,
    /// It names software for editing PDFs.
    EditingSoftware,
    /// It was saved by another program than it names.
    WriterMismatch,
    /// Pages have resource names of an editor.
    EditingMarks,
    /// A page has overprinted text: covered, with other text in its place.
    TextRetyped,
    /// A page has text under an area painted over it.
    TextCovered,
    /// A page has invisible text.
    TextInvisible,
    /// Text marked for redaction is still in the file (12.5.6.23).
    RedactionUnapplied,
    /// Its modification date is later than its creation date (14.3.3).
    ModifiedLater,
    /// Data follows the end of the file (7.5.5).
    BytesAfterEnd,
    /// The two parts of the file identifier differ (14.4).
    IdChanged,
    /// A signature matches the file.
    SignatureIntact,
    /// A signature could not be checked.
    SignatureUnchecked,
    /// A signature is intact, with a hash or key that is weak by current standards (NIST SP 800-131A).
    WeakAlgorithm,
    /// A signature is intact, with a certificate that was not valid at the signing time (RFC 5280, 4.1.2.5).
    CertificateNotValid,
    /// Later revisions make only changes that a signature permits.
    PermittedChangeAfterSigning,
    /// A later revision adds a signature (12.7.4.5).
    SignatureAdded,
    /// A later revision adds validation data (ISO 32000-2, 12.8.4.3 and 12.8.5).
    ValidationDataAdded,
    /// The cross-reference table or a changed object cannot be read.
    StructureDamaged,
    /// Date and software not recorded.
    MetadataMissing,
    /// Contains a provenance manifest, which is not checked.
    ProvenanceManifest,
    /// The pages that were read are images without text.
    PagesAreImages,
}

/// The basis of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Visible or hidden page content.
    Content,
    /// Revisions, signatures, and objects of earlier states.
    History,
    /// Impossible dates, and dates or attachments that contradict the software or other parts of the document.
    Contradiction,
    /// Self-reported software and dates: by themselves no sign of a change.
    Software,
}

/// The origin of the texts of a signal's evidence, which decides who may see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrigin {
    /// Changes of a later revision; each piece of evidence marks its public texts.
    Revisions,
    /// Metadata, signatures, or words of closed lists: nothing that a page could hide.
    Metadata,
    /// Hidden text of a page, and the visible text in its place.
    HiddenText,
    /// Bytes or words that may not be visible anywhere.
    Unknown,
}

/// The relation of the two texts of a signal's evidence, `before` and `after`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// The previous and the current text.
    Change,
    /// Two simultaneous facts, with their labels.
    Named(&'static str, &'static str),
}

impl fmt::Display for SignalId {
    /// Its id as serialized.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl SignalId {
    /// Its basis, and the origin and relation of the texts of its evidence.
    fn about(self) -> (Basis, TextOrigin, Sides) {
        use Basis::{Content, Contradiction, History, Software};
        use Sides::{Change, Named};
        use TextOrigin::{HiddenText, Metadata, Revisions, Unknown};
        match self {
            Self::SignatureBroken => (History, Metadata, Named("Kind", "Algorithm")),
            Self::ForbiddenChangeAfterSigning => (History, Revisions, Change),
            Self::ShadowContent => (History, Revisions, Change),
            Self::SignatureRemoved => (History, Revisions, Change),
            Self::PageContentChanged => (History, Revisions, Change),
            Self::PagesChanged => (History, Revisions, Change),
            Self::AnnotationsChanged => (History, Revisions, Change),
            Self::FormChanged => (History, Revisions, Change),
            Self::MetadataChanged => (History, Revisions, Change),
            Self::DocumentChanged => (History, Revisions, Change),
            Self::HistoryCut => (History, HiddenText, Named("What is there", "")),
            Self::DateBeforeSoftware => (Contradiction, Metadata, Named("The software", "Date in the file")),
            Self::DateImpossible => (Contradiction, Metadata, Named("Created", "Modified")),
            Self::InfoXmpContradict => (Software, Metadata, Named("The document information says", "XMP says")),
            Self::ObjectDatedLater => (Contradiction, Metadata, Named("Newest date of the document", "Date of this")),
            Self::AttachmentContradictory => (Contradiction, Unknown, Named("One reading", "The other")),
            Self::EditHistory => (Software, Metadata, Named("Created", "Entry")),
            Self::EditingSoftware => (Software, Metadata, Named("", "It names")),
            Self::WriterMismatch => (Software, Metadata, Named("The file names", "Such files are written by")),
            Self::EditingMarks => (Software, Metadata, Named("", "As left by")),
            Self::TextRetyped => (Content, HiddenText, Named("Beneath", "Upon it")),
            Self::TextCovered => (Content, HiddenText, Named("Beneath", "")),
            Self::TextInvisible => (Content, HiddenText, Named("Beneath", "")),
            Self::RedactionUnapplied => (Content, HiddenText, Named("Beneath", "")),
            Self::ModifiedLater => (Software, Metadata, Named("Created", "Modified")),
            Self::BytesAfterEnd => (History, Unknown, Named("", "First bytes")),
            Self::IdChanged => {
                (Software, Metadata, Named("First part, kept for good", "Second part, new with each save"))
            }
            Self::SignatureIntact => (History, Metadata, Named("Name in the certificate", "Algorithm")),
            Self::SignatureUnchecked => (History, Metadata, Named("Kind", "Algorithm")),
            Self::WeakAlgorithm => (History, Metadata, Named("", "What is weak")),
            Self::CertificateNotValid => (History, Metadata, Named("The certificate is valid", "Signed")),
            Self::PermittedChangeAfterSigning => (History, Revisions, Change),
            Self::SignatureAdded => (History, Revisions, Named("", "Kind")),
            Self::ValidationDataAdded => (History, Revisions, Named("", "Kind")),
            Self::StructureDamaged => (History, Revisions, Change),
            Self::MetadataMissing => (Software, Metadata, Change),
            Self::ProvenanceManifest => (Software, Metadata, Change),
            Self::PagesAreImages => (Content, Metadata, Change),
        }
    }

    /// The kind of evidence that it is based on.
    #[must_use]
    pub fn basis(self) -> Basis {
        self.about().0
    }

    /// The origin of the texts of its evidence.
    #[must_use]
    pub fn origin(self) -> TextOrigin {
        self.about().1
    }

    /// The relation of the texts of its evidence; an empty label for a missing one.
    #[must_use]
    pub fn sides(self) -> Sides {
        self.about().2
    }

    /// A short phrase for lists.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::SignatureBroken => "Signed content was changed",
            Self::ForbiddenChangeAfterSigning => "Changed in a way the signature does not permit",
            Self::ShadowContent => "Content replaced after signing",
            Self::SignatureRemoved => "A signature was removed",
            Self::PageContentChanged => "Page content was changed",
            Self::PagesChanged => "Pages were added, removed or reordered",
            Self::AnnotationsChanged => "Annotations were changed",
            Self::FormChanged => "Form fields were changed",
            Self::MetadataChanged => "Metadata was changed",
            Self::DocumentChanged => "Scripts, attachments or bookmarks were changed",
            Self::HistoryCut => "Contains an earlier state that nothing shows",
            Self::DateBeforeSoftware => "Dated before its software existed",
            Self::DateImpossible => "Contains an impossible date",
            Self::InfoXmpContradict => "Contradictory metadata",
            Self::ObjectDatedLater => "A part is dated later than the file",
            Self::AttachmentContradictory => "An attachment contradicts itself",
            Self::EditHistory => "Its edit history lists later saves",
            Self::EditingSoftware => "Saved again by another program",
            Self::WriterMismatch => "Saved by a different program than it names",
            Self::EditingMarks => "Pages contain marks of an editor",
            Self::TextRetyped => "Text was hidden and replaced",
            Self::TextCovered => "Text was painted over",
            Self::TextInvisible => "Text that is not visible",
            Self::RedactionUnapplied => "Redaction marked, not applied",
            Self::ModifiedLater => "Saved again after it was made",
            Self::BytesAfterEnd => "Objects after the end of the file",
            Self::IdChanged => "The two parts of the file identifier differ",
            Self::SignatureIntact => "Signature matches the file",
            Self::SignatureUnchecked => "A signature could not be checked",
            Self::WeakAlgorithm => "Signature with a weak algorithm",
            Self::CertificateNotValid => "Signed when the certificate was not valid",
            Self::PermittedChangeAfterSigning => "Only changes that the signature permits",
            Self::SignatureAdded => "A signature was added",
            Self::ValidationDataAdded => "Validation data was added",
            Self::StructureDamaged => "Damaged; revisions cannot be compared",
            Self::MetadataMissing => "Date and software not recorded",
            Self::ProvenanceManifest => "Contains a provenance manifest",
            Self::PagesAreImages => "Pages are images; their text was not examined",
        }
    }

    /// Its meaning with this strength, in one sentence.
    #[must_use]
    pub fn sentence(self, strength: Strength) -> &'static str {
        let is_strong = strength >= Strength::Strong;
        match self {
            Self::SignatureBroken => {
                "A signature does not match the file: signed content or its byte range was changed."
            }
            Self::ForbiddenChangeAfterSigning => {
                "After signing, something was changed that the signature does not permit."
            }
            Self::ShadowContent => "Visible content was replaced or covered after signing.",
            Self::SignatureRemoved if strength == Strength::Conclusive => {
                "A signature of an earlier revision was removed."
            }
            Self::SignatureRemoved => "Parts of a signature are left, but the signature is not there.",
            Self::PageContentChanged => "A later revision changed page content; the earlier version is in the file.",
            Self::PagesChanged => "A later revision added, removed or reordered pages.",
            Self::AnnotationsChanged => "A later revision added, removed or changed annotations.",
            Self::FormChanged => "A later revision changed form fields.",
            Self::MetadataChanged => "A later revision changed metadata.",
            Self::DocumentChanged if strength == Strength::Neutral => {
                "A later revision changed how the document is structured or shown."
            }
            Self::DocumentChanged => "A later revision changed scripts, attachments, layers, bookmarks or the like.",
            Self::HistoryCut => "The file contains an earlier state that nothing shows.",
            Self::DateBeforeSoftware => "The software that the file names did not exist yet on the dates it contains.",
            Self::DateImpossible if strength == Strength::Neutral => {
                "The file is dated the first day of a clock, as by programs without one."
            }
            Self::DateImpossible => "The file contains an impossible date.",
            Self::InfoXmpContradict if is_strong => "The Info dictionary and XMP contradict each other.",
            Self::InfoXmpContradict => "The Info dictionary and XMP contain different texts.",
            Self::ObjectDatedLater => "Something in the document is dated later than the document itself.",
            Self::AttachmentContradictory => {
                "An attachment does not match its checksum, or readers save different files for it."
            }
            Self::EditHistory if is_strong => "The history in its metadata lists changes after it was made.",
            Self::EditHistory => "Its metadata names earlier versions or another document it was made from.",
            Self::EditingSoftware if is_strong => "It names software made for editing PDFs.",
            Self::EditingSoftware => "It names software that processes existing PDFs.",
            Self::WriterMismatch => "The file was saved by a different program than the one it names.",
            Self::EditingMarks => "Pages contain marks that editing software leaves.",
            Self::TextRetyped => "Text on a page was painted over or made invisible, and replaced.",
            Self::TextCovered if is_strong => "A line, or text within one, was painted over without a visible trace.",
            Self::TextCovered => "Text is covered, as by a redaction that only paints over it.",
            Self::TextInvisible if is_strong => "A note or a stamp is in the file with its words, but not shown.",
            Self::TextInvisible => "A page contains text that is not visible, but that programs read.",
            Self::RedactionUnapplied => "Text is marked for redaction and was not removed.",
            Self::ModifiedLater if is_strong => {
                "By its own dates, it was saved again more than a day after it was made."
            }
            Self::ModifiedLater => "By its own dates, it was saved again after it was made.",
            Self::BytesAfterEnd if is_strong => "Objects follow the end of the file.",
            Self::BytesAfterEnd => "Something follows the end of the file.",
            Self::IdChanged => {
                "The two parts of the file identifier differ, as after a change; many programs write them that way."
            }
            Self::SignatureIntact => "The signed bytes are unchanged; who signed them is only claimed.",
            Self::SignatureUnchecked => "A signature could not be checked.",
            Self::WeakAlgorithm => "A signature matches, but uses an algorithm that is no longer considered secure.",
            Self::CertificateNotValid => {
                "A signature matches, but its certificate was not valid at the stated signing time."
            }
            Self::PermittedChangeAfterSigning => "After signing, only changes that the signature permits were made.",
            Self::SignatureAdded => "A later revision added a signature.",
            Self::ValidationDataAdded => "A later revision added validation data.",
            Self::StructureDamaged => "The file is damaged, so its revisions cannot be compared.",
            Self::MetadataMissing => "Its date and software are not recorded.",
            Self::ProvenanceManifest => "It contains a provenance manifest (C2PA), which is not checked here.",
            Self::PagesAreImages => "Pages are images; their text was not examined.",
        }
    }
}
