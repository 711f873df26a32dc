//! What a later revision did, one thing at a time.

use super::report::{Change, Evidence, Strength};
use super::signal::SignalId;

/// One thing that a revision did.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Number of the revision.
    pub(crate) revision: u32,
    pub(crate) deed: Deed,
    /// Where, and what was there before. Its `revision` is filled in when it is shown.
    pub(crate) evidence: Evidence,
    /// Full name of the form field, if it concerns one.
    pub(crate) field: Option<String>,
    /// Whether what is seen changed while the object that is meant to show it stayed as it was.
    pub(crate) is_hidden: bool,
}

/// Kinds of deeds, as finely as signatures tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Changed what a page shows.
    Content,
    /// Added, removed or reordered pages.
    Pages,
    /// Added, removed or changed an annotation that is no form field.
    Annotation,
    /// Filled in a form field.
    Value,
    /// Added, removed or redefined a form field.
    Field,
    /// Changed the document information dictionary or XMP.
    Metadata,
    /// Changed scripts, attachments, layers, bookmarks.
    Document,
    /// Changed how the document is tagged or first shown.
    Structure,
    /// Signed.
    Signature,
    /// Removed a signature.
    Unsigned,
    /// Added what validates signatures.
    Validation,
}

impl Deed {
    /// What it changed.
    pub(crate) fn change(self) -> Option<Change> {
        Some(match self {
            Self::Content => Change::PageContent,
            Self::Pages => Change::Pages,
            Self::Annotation => Change::Annotations,
            Self::Value | Self::Field => Change::FormFields,
            Self::Metadata => Change::Metadata,
            Self::Document => Change::Document,
            Self::Signature | Self::Unsigned | Self::Validation => Change::Signatures,
            Self::Structure => return None,
        })
    }

    /// The signal it is, and how much that weighs.
    pub(crate) fn signal(self) -> (SignalId, Strength) {
        match self {
            Self::Content => (SignalId::PageContentChanged, Strength::Conclusive),
            Self::Pages => (SignalId::PagesChanged, Strength::Conclusive),
            Self::Annotation => (SignalId::AnnotationsChanged, Strength::Conclusive),
            Self::Value | Self::Field => (SignalId::FormChanged, Strength::Conclusive),
            Self::Metadata => (SignalId::MetadataChanged, Strength::Conclusive),
            Self::Document => (SignalId::DocumentChanged, Strength::Conclusive),
            Self::Structure => (SignalId::DocumentChanged, Strength::Neutral),
            Self::Signature => (SignalId::SignatureAdded, Strength::Neutral),
            Self::Unsigned => (SignalId::SignatureRemoved, Strength::Conclusive),
            Self::Validation => (SignalId::ValidationDataAdded, Strength::Neutral),
        }
    }
}
