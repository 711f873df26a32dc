//! Events of later revisions: the kind and the subject of each change. Sentences are derived from events.

use std::fmt;

use super::clause::Clause;
use super::report::{Change, Evidence, PublicTexts, Strength};
use super::signal::SignalId;
use pdf_content::Rectangle;

/// One action of a revision.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Number of the revision.
    pub(crate) revision: u32,
    pub(crate) kind: EventKind,
    pub(crate) subject: Subject,
    /// Number of the object, if it concerns one.
    pub(crate) object: Option<u32>,
    /// Page number from 1, if it is on a page.
    pub(crate) page: Option<u32>,
    /// Bounds on the page, in points from the corner of its crop box.
    pub(crate) bounds: Option<Rectangle>,
    /// The displayed states before and after.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// Full name of the form field, if it concerns one.
    pub(crate) field: Option<String>,
    /// Whether the visible result changed while the object that should define it did not.
    pub(crate) is_hidden: bool,
    /// The name of an existing signature whose appearance it covers.
    pub(crate) covered: Option<String>,
}

impl Event {
    /// An event without further details.
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

    /// The clause of an inconclusive event; `None` for other events.
    pub(crate) fn inconclusive(&self) -> Option<&Clause> {
        if let Subject::Inconclusive(what) = &self.subject { Some(what) } else { None }
    }

    /// The key of an event: events with the same key report the same fact.
    pub(crate) fn key(&self) -> (EventKind, Option<u32>, Option<u32>, &Subject, bool) {
        (self.kind, self.object, self.page, &self.subject, self.is_hidden)
    }
}

/// The subject of an event.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// A page resource, by its type.
    PageResource(String),
    /// An entry of a page or of a page tree node.
    PageEntry(String),
    /// The order and number of pages.
    Kids,
    /// An annotation, by its subtype.
    Annotation(Option<String>),
    /// A form field, by its name and, if only one changed, its entry.
    Field(String, Option<String>),
    /// The appearance of a form field.
    Appearance(String),
    /// An entry of the form.
    Form(String),
    /// A value in the catalog, by its key.
    Catalog(&'static str),
    /// The structure tree.
    Tags,
    /// The encryption.
    Encryption,
    /// Validation data for signatures.
    ValidationData,
    /// An entry of the document information dictionary.
    Info(String),
    /// A property of XMP.
    Xmp(String),
    /// A signature, by its kind.
    Signature(Option<String>),
    /// Text on a page, changed or moved.
    Text { is_moved: bool },
    /// A displayed value that differs from the field's value.
    FieldDiscrepancy(String),
    /// An operation that is not understood.
    Inconclusive(Clause),
    /// Unreferenced bytes.
    Bytes { start: u64, end: u64 },
}

impl Subject {
    /// The place as displayed.
    fn place(&self) -> Option<String> {
        match self {
            Self::Annotation(None) | Self::Signature(None) => None,
            subject => Some(subject.to_string()).filter(|place| !place.is_empty()),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Annotation(None) | Self::Signature(None) => Ok(()),
            Self::PageResource(kind) => f.write_str(kind),
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
            Self::FieldDiscrepancy(name) => f.write_str(format!("{name} appearance and value").trim_start()),
            Self::Inconclusive(what) => what.fmt(f),
            Self::Bytes { start, end } => write!(f, "offsets {start} to {end}"),
        }
    }
}

impl Event {
    /// The evidence of this event, with the texts that are public.
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

/// Kinds of events, as fine as the permissions of signatures distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventKind {
    /// Changed page content.
    Content,
    /// Added, removed or reordered pages.
    Pages,
    /// Added, removed or changed an annotation other than a widget.
    Annotation,
    /// Filled in a form field.
    Value,
    /// Replaced the appearance of a form field by another one that shows the same value.
    Redrawn,
    /// Changed the appearance of a form field but not its value.
    Appearance,
    /// Added resources for displaying values, such as a font of the form.
    FormResource,
    /// Added, removed or redefined a form field.
    Field,
    /// Changed the document information dictionary or XMP.
    Metadata,
    /// Changed scripts, attachments, layers, bookmarks.
    Document,
    /// Changed how the document opens.
    View,
    /// Tagged an object added by signing.
    Tags,
    /// Changed the structure tree.
    Tagging,
    /// Added an invisible signature.
    Signature,
    /// Added a signature with an appearance on a page.
    VisibleSignature,
    /// Added a field for a signature.
    SignatureField,
    /// Added a document time-stamp (ISO 32000-2, 12.8.5).
    TimeStamp,
    /// Removed or changed a signature.
    Unsigned,
    /// Added validation data.
    Validation,
    /// Made a change that readers may interpret differently or that cannot be read here.
    Ambiguous,
}

impl EventKind {
    /// The category of the change, if it is one.
    pub(crate) fn change(self) -> Option<Change> {
        Some(match self {
            Self::Content => Change::PageContent,
            Self::Pages => Change::Pages,
            Self::Annotation => Change::Annotations,
            Self::Value | Self::Redrawn | Self::Appearance | Self::FormResource | Self::Field => Change::FormFields,
            Self::Metadata => Change::Metadata,
            Self::Document => Change::Document,
            Self::Signature
            | Self::VisibleSignature
            | Self::SignatureField
            | Self::TimeStamp
            | Self::Unsigned
            | Self::Validation => Change::Signatures,
            Self::View | Self::Tags | Self::Tagging | Self::Ambiguous => return None,
        })
    }

    /// Its signal and strength.
    pub(crate) fn signal(self) -> (SignalId, Strength) {
        match self {
            Self::Content => (SignalId::PageContentChanged, Strength::Conclusive),
            Self::Pages => (SignalId::PagesChanged, Strength::Conclusive),
            Self::Annotation => (SignalId::AnnotationsChanged, Strength::Conclusive),
            Self::Value | Self::Redrawn | Self::Appearance | Self::Field => {
                (SignalId::FormChanged, Strength::Conclusive)
            }
            Self::FormResource | Self::SignatureField => (SignalId::FormChanged, Strength::Neutral),
            Self::Metadata => (SignalId::MetadataChanged, Strength::Conclusive),
            Self::Document => (SignalId::DocumentChanged, Strength::Conclusive),
            Self::View | Self::Tags | Self::Tagging => (SignalId::DocumentChanged, Strength::Neutral),
            Self::Signature | Self::VisibleSignature => (SignalId::SignatureAdded, Strength::Neutral),
            Self::Unsigned => (SignalId::SignatureRemoved, Strength::Conclusive),
            Self::TimeStamp | Self::Validation => (SignalId::ValidationDataAdded, Strength::Neutral),
            Self::Ambiguous => (SignalId::StructureDamaged, Strength::Neutral),
        }
    }

    /// Whether it adds only signatures, validation data or other entries without effect on the content.
    pub(crate) fn changes_nothing(self) -> bool {
        matches!(self, Self::Signature | Self::TimeStamp | Self::Validation | Self::Tags | Self::View | Self::Ambiguous)
    }
}
