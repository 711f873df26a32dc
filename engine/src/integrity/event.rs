//! What a later revision did, one thing at a time: of what kind it is and what it concerns. Texts for people are made of
//! that last.

use std::fmt;

use super::report::{Change, Evidence, PublicTexts, Strength};
use super::signal::SignalId;
use crate::content::Rectangle;

/// One thing that a revision did.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Number of the revision.
    pub(crate) revision: u32,
    pub(crate) kind: EventKind,
    pub(crate) subject: Subject,
    /// Number of the object, if it is one.
    pub(crate) object: Option<u32>,
    /// The page, from 1, if it is on one.
    pub(crate) page: Option<u32>,
    /// Where on the page, in points from the corner of its crop box.
    pub(crate) bounds: Option<Rectangle>,
    /// The state before and after, as it is shown.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// Full name of the form field, if it concerns one.
    pub(crate) field: Option<String>,
    /// Whether what is seen changed while the object that is meant to show it stayed as it was.
    pub(crate) is_hidden: bool,
    /// The name of a signature that was there, whose appearance it covers.
    pub(crate) covered: Option<String>,
}

impl Event {
    /// That a revision did something to a subject, of which nothing more is known.
    pub(crate) fn of(revision: u32, kind: EventKind, subject: Subject) -> Self {
        Self {
            revision,
            kind,
            subject,
            object: None,
            page: None,
            bounds: None,
            before: None,
            after: None,
            field: None,
            is_hidden: false,
            covered: None,
        }
    }

    /// What is not understood of a revision, as a clause; none if it tells of something else.
    pub(crate) fn inconclusive(&self) -> Option<&str> {
        if let Subject::Inconclusive(what) = &self.subject { Some(what) } else { None }
    }

    /// What tells it from others: those of the same key tell of the same thing.
    pub(crate) fn key(&self) -> (EventKind, Option<u32>, Option<u32>, &Subject, bool) {
        (self.kind, self.object, self.page, &self.subject, self.is_hidden)
    }
}

/// What an event concerns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// An object that says nothing of itself.
    Object,
    /// Something that pages draw with, by its kind.
    Drawn(String),
    /// An entry of a page or of a node above it.
    PageEntry(String),
    /// The order and number of pages.
    Kids,
    /// An annotation, by its subtype.
    Annotation(Option<String>),
    /// A form field, by its name, and the entry of it.
    Field(String, Option<String>),
    /// What a form field is shown with.
    Appearance(String),
    /// An entry of the form.
    Form(String),
    /// What a key of the catalog leads to.
    Catalog(&'static str),
    /// How the document is tagged.
    Tags,
    /// How the file is encrypted.
    Encryption,
    /// What validates signatures.
    ValidationData,
    /// An entry of the document information dictionary.
    Info(String),
    /// A property of XMP.
    Xmp(String),
    /// A signature itself, by its kind.
    Signature(Option<String>),
    /// Words that a page shows, or that only moved.
    Text { is_moved: bool },
    /// What a form field shows, which is not its value.
    Shown(String),
    /// What is not understood, as a clause.
    Inconclusive(String),
    /// Bytes that nothing leads to.
    Bytes { start: u64, end: u64 },
}

impl Subject {
    /// The place as it is shown.
    fn place(&self) -> Option<String> {
        match self {
            Self::Object | Self::Annotation(None) | Self::Signature(None) => None,
            subject => Some(subject.to_string()).filter(|place| !place.is_empty()),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object | Self::Annotation(None) | Self::Signature(None) => Ok(()),
            Self::Drawn(kind) => f.write_str(kind),
            Self::PageEntry(key) | Self::Form(key) => f.write_str(key),
            Self::Kids => f.write_str("Kids"),
            Self::Annotation(Some(subtype)) => f.write_str(subtype),
            Self::Field(name, None) => f.write_str(name),
            Self::Field(name, Some(key)) => f.write_str(format!("{name} /{key}").trim_start()),
            Self::Appearance(name) => f.write_str(format!("{name} appearance").trim_start()),
            Self::Catalog(key) => f.write_str(key),
            Self::Tags => f.write_str("StructTreeRoot"),
            Self::Encryption => f.write_str("Encrypt"),
            Self::ValidationData => f.write_str("DSS"),
            Self::Info(key) => write!(f, "Info /{key}"),
            Self::Xmp(property) => write!(f, "XMP {property}"),
            Self::Signature(Some(kind)) => f.write_str(kind),
            Self::Text { is_moved: false } => f.write_str("text"),
            Self::Text { is_moved: true } => f.write_str("text moved"),
            Self::Shown(name) => f.write_str(format!("{name} appearance and value").trim_start()),
            Self::Inconclusive(what) => f.write_str(what),
            Self::Bytes { start, end } => write!(f, "offsets {start} to {end}"),
        }
    }
}

impl Event {
    /// What shows it, of which these texts are public.
    pub(crate) fn evidence(&self, public: PublicTexts) -> Evidence {
        Evidence {
            revision: Some(self.revision),
            object: self.object,
            page: self.page,
            place: self.subject.place(),
            before: self.before.clone(),
            after: self.after.clone(),
            r#box: self.bounds,
            public,
        }
    }
}

/// Kinds of events, as finely as signatures tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventKind {
    /// Changed what a page shows.
    Content,
    /// Added, removed or reordered pages.
    Pages,
    /// Added, removed or changed an annotation that is no form field.
    Annotation,
    /// Filled in a form field.
    Value,
    /// Changed what a form field looks like while its value stayed.
    Appearance,
    /// Added what values may be shown with, such as a font of the form.
    FormResource,
    /// Added, removed or redefined a form field.
    Field,
    /// Changed the document information dictionary or XMP.
    Metadata,
    /// Changed scripts, attachments, layers, bookmarks.
    Document,
    /// Changed how the document is first shown.
    View,
    /// Tagged what was added by signing.
    Tags,
    /// Changed how the document is tagged.
    Tagging,
    /// Signed without anything to be seen.
    Signature,
    /// Signed, with an appearance on a page.
    VisibleSignature,
    /// Added a field to be signed.
    SignatureField,
    /// Added a time-stamp of the document (ISO 32000-2, 12.8.5).
    TimeStamp,
    /// Removed a signature, or changed one.
    Unsigned,
    /// Added what validates signatures.
    Validation,
    /// Did something that no rule explains.
    Unexplained,
    /// Did something that readers may take for different things, or that cannot be read here.
    Ambiguous,
}

impl EventKind {
    /// What it changed.
    pub(crate) fn change(self) -> Option<Change> {
        Some(match self {
            Self::Content => Change::PageContent,
            Self::Pages => Change::Pages,
            Self::Annotation => Change::Annotations,
            Self::Value | Self::Appearance | Self::FormResource | Self::Field => Change::FormFields,
            Self::Metadata => Change::Metadata,
            Self::Document | Self::Unexplained => Change::Document,
            Self::Signature
            | Self::VisibleSignature
            | Self::SignatureField
            | Self::TimeStamp
            | Self::Unsigned
            | Self::Validation => Change::Signatures,
            Self::View | Self::Tags | Self::Tagging | Self::Ambiguous => return None,
        })
    }

    /// The signal it is, and how much that weighs.
    pub(crate) fn signal(self) -> (SignalId, Strength) {
        match self {
            Self::Content => (SignalId::PageContentChanged, Strength::Conclusive),
            Self::Pages => (SignalId::PagesChanged, Strength::Conclusive),
            Self::Annotation => (SignalId::AnnotationsChanged, Strength::Conclusive),
            Self::Value | Self::Appearance | Self::Field => (SignalId::FormChanged, Strength::Conclusive),
            Self::FormResource | Self::SignatureField => (SignalId::FormChanged, Strength::Neutral),
            Self::Metadata => (SignalId::MetadataChanged, Strength::Conclusive),
            Self::Document => (SignalId::DocumentChanged, Strength::Conclusive),
            Self::View | Self::Tags | Self::Tagging => (SignalId::DocumentChanged, Strength::Neutral),
            Self::Signature | Self::VisibleSignature => (SignalId::SignatureAdded, Strength::Neutral),
            Self::Unsigned => (SignalId::SignatureRemoved, Strength::Conclusive),
            Self::TimeStamp | Self::Validation => (SignalId::ValidationDataAdded, Strength::Neutral),
            Self::Unexplained => (SignalId::UnexplainedChange, Strength::Conclusive),
            Self::Ambiguous => (SignalId::StructureDamaged, Strength::Neutral),
        }
    }

    /// Whether it leaves everything as it was but for who signed it.
    pub(crate) fn changes_nothing(self) -> bool {
        matches!(self, Self::Signature | Self::TimeStamp | Self::Validation | Self::Tags | Self::View | Self::Ambiguous)
    }
}
