//! What an object is there for: what leads to it from the catalog (ISO 32000-1, 7.7).

use crate::document::objects::Body;
use crate::syntax::dictionary::Dictionary;

/// What an object is there for. One that several places lead to has several roles, each of which it is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Catalog,
    /// A node of the page tree above the pages (7.7.3.2).
    Node,
    /// A page.
    Page,
    /// Drawn with by a page.
    Drawn,
    /// An array of annotations of a page.
    Annotations,
    /// An annotation that is no form field.
    Annotation,
    /// Part of an annotation.
    Attached,
    /// What an annotation is drawn with, where names only look like keys.
    Look,
    /// The form's own dictionary.
    Form,
    /// The resources of the form, by their kinds.
    FormResources,
    /// Those of one kind, by their names.
    ResourceNames,
    /// What is found there, and what else the form has.
    FormPart,
    /// The form in XML (12.7.8).
    Xfa,
    /// A form field, its widget, or an array of them.
    Field,
    /// What a field's value is kept in.
    FieldValue,
    /// What a field is shown with.
    Appearance,
    /// Another part of a field.
    FieldPart,
    /// A signature, or part of one.
    Signature,
    /// What certifications permit, by the catalog (12.8.4).
    Permissions,
    /// The document's XMP.
    Metadata,
    /// What validates signatures.
    Validation,
    /// The catalog's names, tree by tree.
    Names,
    /// Part of what this key of the catalog leads to.
    Document(&'static str),
    /// How the document is tagged. What it leads to is followed only when that matters: nothing is seen through it.
    Structure,
    /// Part of that.
    Tag,
}

impl Role {
    /// How many ranks there are.
    pub(crate) const RANKS: usize = 5;

    /// Those that tell others what they are come first.
    pub(crate) fn rank(self) -> usize {
        match self {
            Self::Catalog | Self::Node | Self::Page => 0,
            Self::Annotations | Self::Annotation => 1,
            Self::Form | Self::Field => 2,
            Self::Drawn => 3,
            _ => 4,
        }
    }

    /// Whether it stands in a tree of its own, pages or fields: what merely points at it, such as a destination or an
    /// action, does not lead on from there.
    pub(crate) fn is_landmark(self) -> bool {
        matches!(self, Self::Catalog | Self::Node | Self::Page | Self::Annotation | Self::Form | Self::Field)
    }

    /// Whether it may point at landmarks without meaning what they hold.
    pub(crate) fn points(self) -> bool {
        matches!(
            self,
            Self::Attached
                | Self::Look
                | Self::FormResources
                | Self::ResourceNames
                | Self::FormPart
                | Self::FieldPart
                | Self::Signature
                | Self::Permissions
                | Self::Validation
                | Self::Names
                | Self::Document(_)
                | Self::Tag
        )
    }

    /// What an object turns out to be once it is looked at.
    pub(crate) fn refined(self, dictionary: Option<&Dictionary>) -> Self {
        let Some(dictionary) = dictionary else { return self };
        let is_widget = || dictionary.get(b"Subtype").is_name(b"Widget");
        match self {
            Self::Node if !dictionary.has(b"Kids") => Self::Page,
            Self::Annotations | Self::Annotation if is_widget() => Self::Field,
            Self::Attached if is_widget() && has_rectangle(dictionary) => Self::Field,
            Self::Annotations => Self::Annotation,
            // a reply or a pop-up, which the page has among its annotations
            Self::Attached if dictionary.get(b"Subtype").as_name().is_some() && has_rectangle(dictionary) => {
                Self::Annotation
            }
            Self::FieldValue if is_signature(dictionary) => Self::Signature,
            role => role,
        }
    }
}

/// Whether it says where on a page it is, as annotations do (12.5.2).
fn has_rectangle(dictionary: &Dictionary) -> bool {
    let corners = dictionary.get(b"Rect").elements();
    corners.len() == 4 && corners.iter().all(|corner| corner.as_number().is_some())
}

/// Whether it is a signature's value (12.8.1).
pub(crate) fn is_signature(dictionary: &Dictionary) -> bool {
    dictionary.has(b"ByteRange") || dictionary.is_type(b"Sig") || dictionary.is_type(b"DocTimeStamp")
}

/// What an object looks like, where it is not known what leads to it; none if that tells nothing.
pub(crate) fn guess(body: &Body) -> Option<Role> {
    let dictionary = body.dictionary()?;
    let subtype = dictionary.get(b"Subtype").as_name().unwrap_or_default();
    Some(match dictionary.get(b"Type").as_name().unwrap_or_default() {
        b"Page" => Role::Page,
        b"Pages" => Role::Node,
        b"Catalog" => Role::Catalog,
        b"Annot" if subtype != b"Widget" => Role::Annotation,
        b"Sig" | b"DocTimeStamp" | b"SigRef" | b"SigFieldLock" | b"TransformParams" => Role::Signature,
        b"DSS" | b"VRI" => Role::Validation,
        b"StructElem" | b"StructTreeRoot" | b"MCR" | b"OBJR" => Role::Structure,
        b"OCG" | b"OCMD" => Role::Document("OCProperties"),
        b"Outlines" => Role::Document("Outlines"),
        b"Filespec" | b"F" | b"EmbeddedFile" => Role::Document("EmbeddedFiles"),
        b"XObject" | b"Font" | b"FontDescriptor" | b"ExtGState" | b"Pattern" | b"Encoding" | b"CMap" => Role::Drawn,
        _ if subtype == b"Widget" || dictionary.has(b"FT") => Role::Field,
        _ if is_signature(dictionary) => Role::Signature,
        _ if dictionary.has(b"Rect") && dictionary.has(b"Subtype") => Role::Annotation,
        _ if dictionary.has(b"Title") && dictionary.has(b"Parent") => Role::Document("Outlines"),
        _ if dictionary.has(b"Font") || dictionary.has(b"XObject") || dictionary.has(b"ProcSet") => Role::Drawn,
        b"Metadata" => return None,
        _ if body.stream.is_some() => Role::Drawn,
        _ => return None,
    })
}
