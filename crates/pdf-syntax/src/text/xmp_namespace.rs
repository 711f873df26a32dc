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
    PdfUaId,
    PdfXId,
    PdfX,
}

impl Namespace {
    /// Some writers omit the final `/` or `#`.
    fn of(uri: &str) -> Self {
        match uri.trim().trim_end_matches(['/', '#']) {
            "" => Self::None,
            "http://www.w3.org/1999/02/22-rdf-syntax-ns" => Self::Rdf,
            "http://purl.org/dc/elements/1.1" => Self::Dc,
            "http://ns.adobe.com/pdf/1.3" => Self::Pdf,
            "http://ns.adobe.com/xap/1.0" => Self::Xmp,
            "http://ns.adobe.com/xap/1.0/mm" => Self::XmpMm,
            "http://ns.adobe.com/xap/1.0/sType/ResourceEvent" => Self::StEvt,
            "http://www.aiim.org/pdfa/ns/id" => Self::PdfAId,
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
