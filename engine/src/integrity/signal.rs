//! The closed list of signals: their ids, and what each means.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much a signal weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Worth knowing, says nothing about changes.
    Neutral,
    /// Common in files that nobody changed.
    Weak,
    /// A contradiction that no program makes at birth, or what the file says of itself.
    Strong,
    /// Both states are in the file, or a check fails.
    Conclusive,
}

/// Which signal. Ids are never renamed or used for something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignalId {
    /// One of a signature's checks fails (ISO 32000-1, 12.8).
    SignatureBroken,
    /// Later revisions do what a signature does not permit (12.8.2.2, 12.8.2.4).
    ForbiddenChangeAfterSigning,
    /// What is seen was exchanged after signing, without a rule being broken by the letter.
    ShadowContent,
    /// A signature that once was there, or must have been, is gone.
    SignatureRemoved,
    /// A later revision changes what a page shows (7.7.3.3).
    PageContentChanged,
    /// A later revision adds, removes or reorders pages (7.7.3.2).
    PagesChanged,
    /// A later revision adds, removes or changes annotations other than form fields (12.5).
    AnnotationsChanged,
    /// A later revision changes values, looks or number of form fields (12.7).
    FormChanged,
    /// A later revision changes the document's metadata (14.3).
    MetadataChanged,
    /// A later revision changes scripts, attachments, layers, bookmarks or the like (7.7.2).
    DocumentChanged,
    /// A later revision does something that no rule explains.
    UnexplainedChange,
    /// The file holds more than its cross-reference explains.
    HistoryCut,
    /// The software named is younger than the dates.
    DateBeforeSoftware,
    /// A date that cannot be.
    DateImpossible,
    /// The two layers of metadata contradict each other (14.3.2).
    InfoXmpContradict,
    /// Something in the document is dated later than the document.
    ObjectDatedLater,
    /// The history in the metadata tells of changes.
    EditHistory,
    /// It names software made for changing PDFs.
    EditingSoftware,
    /// It was written by another program than it names.
    WriterMismatch,
    /// Pages carry the marks of an editor.
    EditingMarks,
    /// A page hides a text under an area, upon which another one stands in its place.
    TextRetyped,
    /// A page hides a text under an area that was painted over it.
    TextCovered,
    /// A page has text that is painted and cannot be seen.
    TextInvisible,
    /// A text that is marked for removal is still there (12.5.6.23).
    RedactionUnapplied,
    /// Its date of change is later than that of its creation (14.3.3).
    ModifiedLater,
    /// Something follows the file's end (7.5.5).
    BytesAfterEnd,
    /// The two parts of the file identifier differ (14.4).
    IdChanged,
    /// A signature fits the file.
    SignatureIntact,
    /// A signature could not be checked.
    SignatureUnchecked,
    /// A signature fits, by a hash or a key that is weak by today's measure (NIST SP 800-131A).
    WeakAlgorithm,
    /// A signature fits, by a certificate that was not valid when it was made (RFC 5280, 4.1.2.5).
    CertificateNotValid,
    /// Later revisions do only what a signature permits.
    PermittedChangeAfterSigning,
    /// A later revision adds a signature (12.7.4.5).
    SignatureAdded,
    /// A later revision adds what validates signatures (ISO 32000-2, 12.8.4.3 and 12.8.5).
    ValidationDataAdded,
    /// The file is damaged or too complex to be followed.
    StructureDamaged,
    /// It says neither when nor by what it was made.
    MetadataMissing,
    /// It carries a manifest of its provenance, which is not checked.
    ProvenanceManifest,
    /// The pages that were read are images without text.
    PagesAreImages,
}

/// What a signal rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// What pages draw, or hide.
    Content,
    /// Saves, signatures, and objects that are left of earlier states.
    History,
    /// Dates that cannot be, or that contradict the software or what the document consists of.
    Contradiction,
    /// What the file says of the software that wrote it, and when: by itself no sign of a change.
    Software,
}

/// Where the texts of a signal's evidence come from, by which it is known who may be shown them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrigin {
    /// What a later save wrote and what was there before, of which each piece of evidence says itself what is public.
    Saves,
    /// The file's metadata, its signatures, or words of closed lists: nothing that a page could hide.
    Metadata,
    /// A text that a page hides, and what is seen in its place.
    HiddenText,
    /// Bytes or words of which it is not known whether they are seen anywhere.
    Unknown,
}

/// What the two texts of a signal's evidence, `before` and `after`, are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// What was there, and what is there.
    Change,
    /// Two things that are so at once, by what they are called.
    Named(&'static str, &'static str),
}

impl fmt::Display for SignalId {
    /// Its id, as it is serialised.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl SignalId {
    /// What it rests on, where the texts of its evidence come from, and what they are to each other.
    fn about(self) -> (Basis, TextOrigin, Sides) {
        use Basis::{Content, Contradiction, History, Software};
        use Sides::{Change, Named};
        use TextOrigin::{HiddenText, Metadata, Saves, Unknown};
        match self {
            Self::SignatureBroken => (History, Metadata, Named("Kind", "Algorithm")),
            Self::ForbiddenChangeAfterSigning => (History, Saves, Change),
            Self::ShadowContent => (History, Saves, Change),
            Self::SignatureRemoved => (History, Saves, Change),
            Self::PageContentChanged => (History, Saves, Change),
            Self::PagesChanged => (History, Saves, Change),
            Self::AnnotationsChanged => (History, Saves, Change),
            Self::FormChanged => (History, Saves, Change),
            Self::MetadataChanged => (History, Saves, Change),
            Self::DocumentChanged => (History, Saves, Change),
            Self::UnexplainedChange => (History, Saves, Change),
            Self::HistoryCut => (History, Metadata, Named("What is there", "")),
            Self::DateBeforeSoftware => (Contradiction, Metadata, Named("The software", "Date in the file")),
            Self::DateImpossible => (Contradiction, Metadata, Named("Created", "Modified")),
            Self::InfoXmpContradict => (Software, Metadata, Named("The document information says", "XMP says")),
            Self::ObjectDatedLater => (Contradiction, Metadata, Named("Newest date of the document", "Date of this")),
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
            Self::PermittedChangeAfterSigning => (History, Saves, Change),
            Self::SignatureAdded => (History, Saves, Named("", "Kind")),
            Self::ValidationDataAdded => (History, Saves, Named("", "Kind")),
            Self::StructureDamaged => (History, Saves, Change),
            Self::MetadataMissing => (Software, Metadata, Change),
            Self::ProvenanceManifest => (Software, Metadata, Change),
            Self::PagesAreImages => (Content, Metadata, Change),
        }
    }

    /// What it rests on.
    #[must_use]
    pub fn basis(self) -> Basis {
        self.about().0
    }

    /// Where the texts of its evidence come from.
    #[must_use]
    pub fn origin(self) -> TextOrigin {
        self.about().1
    }

    /// What the texts of its evidence are to each other; an empty name where there is none.
    #[must_use]
    pub fn sides(self) -> Sides {
        self.about().2
    }

    /// What it is in a phrase of a few words, for a list.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Self::SignatureBroken => "What was signed has been changed",
            Self::ForbiddenChangeAfterSigning => "Changed in a way that its signature does not permit",
            Self::ShadowContent => "What is seen was exchanged after signing",
            Self::SignatureRemoved => "A signature is gone",
            Self::PageContentChanged => "What a page shows was changed",
            Self::PagesChanged => "Pages were added, removed or reordered",
            Self::AnnotationsChanged => "Annotations were changed",
            Self::FormChanged => "Form fields were changed",
            Self::MetadataChanged => "Its metadata were changed",
            Self::DocumentChanged => "Scripts, attachments or bookmarks were changed",
            Self::UnexplainedChange => "Changed in a way that nothing explains",
            Self::HistoryCut => "An earlier state was cut off",
            Self::DateBeforeSoftware => "Older than the software that it names",
            Self::DateImpossible => "It bears a date that cannot be",
            Self::InfoXmpContradict => "Its metadata contradict each other",
            Self::ObjectDatedLater => "A part of it is dated later than the file",
            Self::EditHistory => "Its history tells of later saves",
            Self::EditingSoftware => "Written again by another program",
            Self::WriterMismatch => "Written by another program than it names",
            Self::EditingMarks => "Its pages carry an editor's marks",
            Self::TextRetyped => "A text was painted over and retyped",
            Self::TextCovered => "A text was painted over",
            Self::TextInvisible => "Text that people do not see",
            Self::RedactionUnapplied => "A redaction that was never carried out",
            Self::ModifiedLater => "Saved again after it was made",
            Self::BytesAfterEnd => "Objects follow its end",
            Self::IdChanged => "The parts of its identifier differ",
            Self::SignatureIntact => "Its signature fits",
            Self::SignatureUnchecked => "A signature could not be checked",
            Self::WeakAlgorithm => "A signature by a weak algorithm",
            Self::CertificateNotValid => "Signed when the certificate was not valid",
            Self::PermittedChangeAfterSigning => "Only what its signature permits was done",
            Self::SignatureAdded => "A signature was added",
            Self::ValidationDataAdded => "Data for validating signatures were added",
            Self::StructureDamaged => "Damaged or too complex to be compared",
            Self::MetadataMissing => "It says neither when nor by what it was made",
            Self::ProvenanceManifest => "It carries a manifest of its provenance",
            Self::PagesAreImages => "Pages are images; their text was not examined",
        }
    }

    /// What it means when it has this strength, in one sentence.
    #[must_use]
    pub fn sentence(self, strength: Strength) -> &'static str {
        let is_strong = strength >= Strength::Strong;
        match self {
            Self::SignatureBroken => "A signature does not fit the file: what was signed has been changed.",
            Self::ForbiddenChangeAfterSigning => "After a signature something was changed that it does not permit.",
            Self::ShadowContent => "What is seen was exchanged or covered after signing.",
            Self::SignatureRemoved if strength == Strength::Conclusive => {
                "A signature that an earlier revision has is gone."
            }
            Self::SignatureRemoved => "The form says that there are signatures, but there are none.",
            Self::PageContentChanged => "A later revision changed what pages show; the earlier state is in the file.",
            Self::PagesChanged => "A later revision added, removed or reordered pages.",
            Self::AnnotationsChanged => "A later revision added, removed or changed annotations.",
            Self::FormChanged => "A later revision changed form fields.",
            Self::MetadataChanged => "A later revision changed what the document says about itself.",
            Self::DocumentChanged if strength == Strength::Neutral => {
                "A later revision changed how the document is structured or shown."
            }
            Self::DocumentChanged => "A later revision changed scripts, attachments, layers, bookmarks or the like.",
            Self::UnexplainedChange => "A later revision changed something in a way that nothing explains.",
            Self::HistoryCut => "The file holds an earlier state that its cross-reference no longer leads to.",
            Self::DateBeforeSoftware => "The software that the file names did not exist yet at the dates it bears.",
            Self::DateImpossible if strength == Strength::Neutral => {
                "The file bears the first day of a clock as its date, as programs without a clock write it."
            }
            Self::DateImpossible => "The file bears a date that cannot be.",
            Self::InfoXmpContradict if is_strong => "Its two layers of metadata contradict each other.",
            Self::InfoXmpContradict => "Its two layers of metadata differ in their texts.",
            Self::ObjectDatedLater => "Something in the document is dated later than the document itself.",
            Self::EditHistory if is_strong => "The history in its metadata tells of changes after it was made.",
            Self::EditHistory => "Its metadata tells of earlier versions or another document it was made from.",
            Self::EditingSoftware if is_strong => "It names software that is made for changing PDFs.",
            Self::EditingSoftware => "It names software that processes existing PDFs.",
            Self::WriterMismatch => "The file was written by another program than the one it names.",
            Self::EditingMarks => "Pages carry the marks that editing software leaves.",
            Self::TextRetyped => "Under what a page shows lies another text, which was painted over.",
            Self::TextCovered if is_strong => "Within a line of a page, a text was painted over so that nothing shows.",
            Self::TextCovered => {
                "Text lies under something that was painted over it, as under a redaction that only paints."
            }
            Self::TextInvisible => "A page has text that people do not see, but programs read.",
            Self::RedactionUnapplied => "Text is marked for removal and was not removed.",
            Self::ModifiedLater if is_strong => {
                "It says itself that it was saved again more than a day after it was made."
            }
            Self::ModifiedLater => {
                "It says itself that it was saved again after it was made, as after every later save."
            }
            Self::BytesAfterEnd if is_strong => "Objects follow the end of the file.",
            Self::BytesAfterEnd => "Something follows the end of the file.",
            Self::IdChanged => "The two parts of its identifier differ, as after a change; many programs write it so.",
            Self::SignatureIntact => {
                "The signed bytes are those that the holder of the key signed; who that is, is a claim."
            }
            Self::SignatureUnchecked => "A signature could not be checked.",
            Self::WeakAlgorithm => "A signature fits, but rests on an algorithm that is no longer thought safe.",
            Self::CertificateNotValid => "A signature fits, but its certificate was not valid at the time it bears.",
            Self::PermittedChangeAfterSigning => "After a signature only what it permits was done.",
            Self::SignatureAdded => "A later revision added a signature.",
            Self::ValidationDataAdded => "A later revision added what validates signatures.",
            Self::StructureDamaged => "The file is damaged or too complex; its revisions cannot be told apart.",
            Self::MetadataMissing => "It does not say when or by what it was made.",
            Self::ProvenanceManifest => "It carries a manifest of its provenance (C2PA), which is not checked here.",
            Self::PagesAreImages => "Pages are images; their text was not examined.",
        }
    }
}
