//! XMP namespaces (ISO 16684-1, 8; ISO 19005-1, 6.7.11; ISO 14289-1, 5; ISO 15930-7, 6.3) and the prefixes bound to
//! them.

use quick_xml::name::{PrefixDeclaration, QName};

/// A namespace; only those with reported properties are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its usual prefix")]
pub(super) enum Namespace {
    /// No namespace, or an undeclared prefix.
    None,
    Other,
    Xml,
    Rdf,
    Dc,
    Pdf,
    Xmp,
    XmpMm,
    StEvt,
    PdfAId,
    PdfAExtension,
    PdfUaId,
    PdfXId,
    PdfX,
}

pub(super) const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub(super) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
pub(super) const META: &str = "adobe:ns:meta/";

/// Namespaces with the prefixes that some readers know them by, whatever they are bound to (ISO 16684-1, 8 and annexes).
const STANDARD: [(&str, &str); 33] = [
    ("x", META),
    ("xml", XML),
    ("rdf", RDF),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("xmp", "http://ns.adobe.com/xap/1.0/"),
    ("xap", "http://ns.adobe.com/xap/1.0/"),
    ("xmpMM", "http://ns.adobe.com/xap/1.0/mm/"),
    ("xapMM", "http://ns.adobe.com/xap/1.0/mm/"),
    ("xmpRights", "http://ns.adobe.com/xap/1.0/rights/"),
    ("xapRights", "http://ns.adobe.com/xap/1.0/rights/"),
    ("xmpBJ", "http://ns.adobe.com/xap/1.0/bj/"),
    ("xmpTPg", "http://ns.adobe.com/xap/1.0/t/pg/"),
    ("xmpG", "http://ns.adobe.com/xap/1.0/g/"),
    ("xmpDM", "http://ns.adobe.com/xmp/1.0/DynamicMedia/"),
    ("stEvt", "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"),
    ("stRef", "http://ns.adobe.com/xap/1.0/sType/ResourceRef#"),
    ("stDim", "http://ns.adobe.com/xap/1.0/sType/Dimensions#"),
    ("stFnt", "http://ns.adobe.com/xap/1.0/sType/Font#"),
    ("stVer", "http://ns.adobe.com/xap/1.0/sType/Version#"),
    ("pdf", "http://ns.adobe.com/pdf/1.3/"),
    ("pdfx", "http://ns.adobe.com/pdfx/1.3/"),
    ("pdfxid", "http://www.npes.org/pdfx/ns/id/"),
    ("pdfaid", "http://www.aiim.org/pdfa/ns/id/"),
    ("pdfuaid", "http://www.aiim.org/pdfua/ns/id/"),
    ("pdfaExtension", "http://www.aiim.org/pdfa/ns/extension/"),
    ("pdfaSchema", "http://www.aiim.org/pdfa/ns/schema#"),
    ("pdfaProperty", "http://www.aiim.org/pdfa/ns/property#"),
    ("pdfaType", "http://www.aiim.org/pdfa/ns/type#"),
    ("pdfaField", "http://www.aiim.org/pdfa/ns/field#"),
    ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
    ("tiff", "http://ns.adobe.com/tiff/1.0/"),
    ("exif", "http://ns.adobe.com/exif/1.0/"),
];

/// The namespace that a prefix stands for by standard, if any.
pub(super) fn standard_uri(prefix: &str) -> Option<&'static str> {
    STANDARD.iter().find(|(standard, _)| *standard == prefix).map(|(_, uri)| *uri)
}

/// Whether a URI resembles that of a standard namespace, which only lenient readers resolve to it.
pub(super) fn is_misspelled(uri: &str) -> bool {
    let is_like = |standard: &str| simplified(standard) == simplified(uri);
    STANDARD.iter().any(|(_, standard)| is_like(standard)) && STANDARD.iter().all(|(_, standard)| *standard != uri)
}

fn simplified(uri: &str) -> String {
    let uri = uri.trim().to_ascii_lowercase();
    let uri = uri.strip_prefix("https://").or(uri.strip_prefix("http://")).unwrap_or(&uri);
    uri.trim_end_matches(['/', '#']).to_owned()
}

impl Namespace {
    /// Some writers omit the final `/` or `#`.
    pub(super) fn of(uri: &str) -> Self {
        match uri.trim().trim_end_matches(['/', '#']) {
            "" => Self::None,
            "http://www.w3.org/1999/02/22-rdf-syntax-ns" => Self::Rdf,
            "http://purl.org/dc/elements/1.1" => Self::Dc,
            "http://ns.adobe.com/pdf/1.3" => Self::Pdf,
            "http://ns.adobe.com/xap/1.0" => Self::Xmp,
            "http://ns.adobe.com/xap/1.0/mm" => Self::XmpMm,
            "http://ns.adobe.com/xap/1.0/sType/ResourceEvent" => Self::StEvt,
            "http://www.aiim.org/pdfa/ns/id" => Self::PdfAId,
            "http://www.aiim.org/pdfa/ns/extension" => Self::PdfAExtension,
            "http://www.aiim.org/pdfua/ns/id" => Self::PdfUaId,
            "http://www.npes.org/pdfx/ns/id" => Self::PdfXId,
            "http://ns.adobe.com/pdfx/1.3" => Self::PdfX,
            _ => Self::Other,
        }
    }
}

/// Maximum declarations in scope.
const MAX_BINDINGS: usize = 256;

/// Namespaces by prefix, the innermost declaration last.
#[derive(Debug, Default)]
pub(super) struct Scope(Vec<(String, Namespace)>);

impl Scope {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes all but the first `length` declarations.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    pub(super) fn bind(&mut self, prefix: PrefixDeclaration, uri: &str) {
        let prefix = match prefix {
            PrefixDeclaration::Default => "",
            PrefixDeclaration::Named(prefix) => prefix,
        };
        if self.0.len() < MAX_BINDINGS {
            self.0.push((prefix.to_owned(), Namespace::of(uri)));
        }
    }

    pub(super) fn of_element(&self, name: QName) -> Namespace {
        self.of_prefix(name.0.split_once(':').map_or("", |(prefix, _)| prefix))
    }

    /// Returns an attribute's namespace; none without a prefix, as the default namespace does not apply to attributes.
    pub(super) fn of_attribute(&self, name: QName) -> Namespace {
        name.0.split_once(':').map_or(Namespace::None, |(prefix, _)| self.of_prefix(prefix))
    }

    fn of_prefix(&self, prefix: &str) -> Namespace {
        let bound = self.0.iter().rev().find(|(bound, _)| bound == prefix);
        bound.map_or(if prefix == "xml" { Namespace::Xml } else { Namespace::None }, |(_, namespace)| *namespace)
    }
}
