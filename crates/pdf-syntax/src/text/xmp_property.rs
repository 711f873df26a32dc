//! The XMP properties that are reported.

use super::xmp_namespace::Namespace;

/// A property (ISO 16684-1, 8; ISO 19005-1, 6.7.11; ISO 14289-1, 5; ISO 15930).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after the property it stands for")]
pub enum Property {
    DcTitle,
    DcCreator,
    DcDescription,
    PdfKeywords,
    PdfProducer,
    CreatorTool,
    CreateDate,
    ModifyDate,
    DocumentId,
    InstanceId,
    PdfAPart,
    PdfAConformance,
    PdfUaPart,
    PdfXVersion,
    PdfXConformance,
}

impl Property {
    /// Whether several values are language alternatives, not a list.
    pub(super) fn is_alternatives(self) -> bool {
        matches!(self, Self::DcTitle | Self::DcDescription)
    }

    pub(super) fn named(namespace: Namespace, name: &str) -> Option<Self> {
        Some(match (namespace, name) {
            (Namespace::Dc, "title") => Self::DcTitle,
            (Namespace::Dc, "creator") => Self::DcCreator,
            (Namespace::Dc, "description") => Self::DcDescription,
            (Namespace::Pdf, "Keywords") => Self::PdfKeywords,
            (Namespace::Pdf, "Producer") => Self::PdfProducer,
            (Namespace::Xmp, "CreatorTool") => Self::CreatorTool,
            (Namespace::Xmp, "CreateDate") => Self::CreateDate,
            (Namespace::Xmp, "ModifyDate") => Self::ModifyDate,
            (Namespace::XmpMm, "DocumentID") => Self::DocumentId,
            (Namespace::XmpMm, "InstanceID") => Self::InstanceId,
            (Namespace::PdfAId, "part") => Self::PdfAPart,
            (Namespace::PdfAId, "conformance") => Self::PdfAConformance,
            (Namespace::PdfUaId, "part") => Self::PdfUaPart,
            (Namespace::PdfXId | Namespace::PdfX, "GTS_PDFXVersion") => Self::PdfXVersion,
            (Namespace::PdfX, "GTS_PDFXConformance") => Self::PdfXConformance,
            _ => return None,
        })
    }
}
