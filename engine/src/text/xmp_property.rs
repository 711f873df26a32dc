//! The XMP properties we look for, and how their names are told by namespace.

use quick_xml::name::QName;

/// A property (ISO 16684-1, 8; ISO 19005-1, 6.7.11; ISO 14289-1, 5; ISO 15930).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after the property it stands for")]
pub(crate) enum Property {
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
    /// Whether several values are the same in other languages, not a list.
    pub(crate) fn is_alternatives(self) -> bool {
        matches!(self, Self::DcTitle | Self::DcDescription)
    }

    fn named(prefix: &str, name: &str) -> Option<Self> {
        Some(match (prefix, name) {
            ("dc", "title") => Self::DcTitle,
            ("dc", "creator") => Self::DcCreator,
            ("dc", "description") => Self::DcDescription,
            ("pdf", "Keywords") => Self::PdfKeywords,
            ("pdf", "Producer") => Self::PdfProducer,
            ("xmp" | "xap", "CreatorTool") => Self::CreatorTool,
            ("xmp" | "xap", "CreateDate") => Self::CreateDate,
            ("xmp" | "xap", "ModifyDate") => Self::ModifyDate,
            ("xmpMM" | "xapMM", "DocumentID") => Self::DocumentId,
            ("xmpMM" | "xapMM", "InstanceID") => Self::InstanceId,
            ("pdfaid", "part") => Self::PdfAPart,
            ("pdfaid", "conformance") => Self::PdfAConformance,
            ("pdfuaid", "part") => Self::PdfUaPart,
            ("pdfxid" | "pdfx", "GTS_PDFXVersion") => Self::PdfXVersion,
            ("pdfx", "GTS_PDFXConformance") => Self::PdfXConformance,
            _ => return None,
        })
    }
}

/// Prefixes bound to namespaces we know under another name. Hardly any file has one.
#[derive(Debug, Default)]
pub(crate) struct Bindings(Vec<(String, &'static str)>);

/// How many unusual prefixes are remembered.
const BINDINGS: usize = 32;

impl Bindings {
    /// Takes note of a namespace declaration; whether it was one.
    pub(crate) fn bind(&mut self, key: QName, uri: &str) -> bool {
        let Some(prefix) = key.0.strip_prefix("xmlns") else { return false };
        let prefix = prefix.trim_start_matches(':');
        if let Some(usual) = usual_prefix(uri).filter(|&usual| usual != prefix)
            && self.0.len() < BINDINGS
        {
            self.0.push((prefix.to_owned(), usual));
        }
        true
    }

    /// The property of this name.
    pub(crate) fn property(&self, name: QName) -> Option<Property> {
        let (prefix, local) = name.0.split_once(':').unwrap_or(("", name.0));
        let bound = self.0.iter().rev().find(|(bound, _)| bound == prefix);
        Property::named(bound.map_or(prefix, |(_, usual)| usual), local)
    }
}

fn usual_prefix(uri: &str) -> Option<&'static str> {
    Some(match uri {
        "http://purl.org/dc/elements/1.1/" => "dc",
        "http://ns.adobe.com/pdf/1.3/" => "pdf",
        "http://ns.adobe.com/xap/1.0/" => "xmp",
        "http://ns.adobe.com/xap/1.0/mm/" => "xmpMM",
        "http://www.aiim.org/pdfa/ns/id/" => "pdfaid",
        "http://www.aiim.org/pdfua/ns/id/" => "pdfuaid",
        "http://www.npes.org/pdfx/ns/id/" => "pdfxid",
        "http://ns.adobe.com/pdfx/1.3/" => "pdfx",
        _ => return None,
    })
}
