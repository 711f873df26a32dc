//! The role of an object, by the path from the catalog (ISO 32000-1, 7.7).

use pdf_syntax::document::objects::Body;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// The role of an object. An object that is referenced at several places has several roles and is judged by each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Catalog,
    /// A node of the page tree above the pages (7.7.3.2).
    Node,
    /// A page.
    Page,
    /// A resource of a page.
    PageResource,
    /// An array of annotations of a page.
    Annotations,
    /// An annotation that is no form field.
    Annotation,
    /// A part of an annotation.
    Attached,
    /// A resource of an appearance, whose names may equal annotation keys.
    AppearanceResource,
    /// The form's own dictionary.
    Form,
    /// The resources of the form, by their kinds.
    FormResources,
    /// The resources of one category.
    ResourceNames,
    /// A resource of the form, or another part of it.
    FormPart,
    /// The form in XML, or a packet of it (12.7.8).
    Xfa,
    /// A form field, its widget, or an array of them.
    Field,
    /// A field's value.
    FieldValue,
    /// An appearance dictionary, or the appearances of its states (12.5.5).
    Appearances,
    /// An appearance stream, or another entry that a field is drawn with.
    Appearance,
    /// Another part of a field.
    FieldPart,
    /// A signature, or part of one.
    Signature,
    /// The permissions in the catalog (12.8.4).
    Permissions,
    /// The document information dictionary.
    Information,
    /// The document's XMP.
    Metadata,
    /// The developer extensions that the document uses (7.12).
    Extensions,
    /// Validation data for signatures.
    Validation,
    /// The name trees in the catalog.
    Names,
    /// A value of this key in the catalog.
    Document(&'static str),
    /// The structure tree. It is invisible, and followed only if needed.
    Structure,
    /// A part of it.
    Tag,
    /// An action, a destination, a bookmark or a name.
    Navigation,
    /// Anything else.
    Other,
}

impl Role {
    /// The number of ranks.
    pub(crate) const RANKS: usize = 5;

    /// The order of traversal: roles that determine others come first.
    pub(crate) fn rank(self) -> usize {
        match self {
            Self::Catalog | Self::Node | Self::Page => 0,
            Self::Annotations | Self::Annotation => 1,
            Self::Form | Self::Field => 2,
            Self::PageResource => 3,
            _ => 4,
        }
    }

    /// Whether it belongs to a tree, of pages or fields, so that other references to it, such as destinations or
    /// actions, are not followed.
    pub(crate) fn is_landmark(self) -> bool {
        matches!(self, Self::Catalog | Self::Node | Self::Page | Self::Annotation | Self::Form | Self::Field)
    }

    /// Whether it may reference pages and fields without owning them.
    pub(crate) fn points(self) -> bool {
        matches!(
            self,
            Self::Attached
                | Self::AppearanceResource
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

    /// Whether it is a resource of the form, or one category of them.
    pub(crate) fn is_form_resource(self) -> bool {
        matches!(self, Self::FormResources | Self::ResourceNames)
    }

    /// Whether arrays contain objects of this role.
    pub(super) fn is_listed(self) -> bool {
        matches!(self, Self::Node | Self::Annotations | Self::Field | Self::Xfa | Self::Validation | Self::Tag)
    }

    /// Whether an object of this type can have this role.
    pub(super) fn fits(self, body: &Body) -> bool {
        let (is_stream, object) = (body.stream.is_some(), &body.object);
        let is_array = matches!(object, Object::Array(_));
        let is_dictionary = !is_stream && object.as_dictionary().is_some();
        match self {
            Self::Annotations => is_array,
            Self::Node | Self::Field => is_array || is_dictionary,
            Self::Appearance | Self::Metadata | Self::Xfa => is_stream,
            Self::FieldValue => !is_stream || object.as_dictionary().is_some(),
            Self::Validation | Self::Tag => is_array || object.as_dictionary().is_some(),
            _ => is_dictionary,
        }
    }

    /// Whether both states of an object can have this role. A list remains one.
    pub(crate) fn fits_both(self, old: &Body, new: &Body) -> bool {
        let [was_list, is_list] = [old, new].map(|body| matches!(body.object, Object::Array(_)));
        let is_either = matches!(self, Self::Node | Self::Field) && was_list != is_list;
        self.fits(old) && self.fits(new) && !is_either
    }

    /// The role of a value that is owned in this role; `None` if it has another type.
    pub(super) fn owned_as(self, value: &Object, is_stream: bool, is_indirect: bool) -> Option<Self> {
        match (self, value) {
            (Self::Node | Self::Field, Object::Array(_)) => Some(self),
            (Self::Annotation | Self::Field, _) if !is_indirect => None,
            (Self::Node | Self::Annotation | Self::Field, Object::Dictionary(entries)) => {
                Some(self.refined(Some(entries)))
            }
            (Self::Node | Self::Annotation | Self::Field, _) => None,
            (Self::Appearances, _) if is_stream => Some(Self::Appearance),
            (Self::Structure, _) => Some(Self::Tag),
            _ => Some(self),
        }
    }

    /// The more specific role of a parsed object.
    pub(crate) fn refined(self, dictionary: Option<&Dictionary>) -> Self {
        let Some(dictionary) = dictionary else { return self };
        let is_widget = || dictionary.get(b"Subtype").is_name(b"Widget");
        match self {
            Self::Node if !dictionary.has(b"Kids") => Self::Page,
            Self::Annotations | Self::Annotation if is_widget() => Self::Field,
            Self::Attached if is_widget() && has_rectangle(dictionary) => Self::Field,
            Self::Annotations => Self::Annotation,
            // a reply or a pop-up, which the page lists among its annotations
            Self::Attached if dictionary.get(b"Subtype").as_name().is_some() && has_rectangle(dictionary) => {
                Self::Annotation
            }
            Self::FieldValue if is_signature(dictionary) => Self::Signature,
            role => role,
        }
    }
}

/// Whether it has a rectangle on a page, as annotations have (12.5.2).
fn has_rectangle(dictionary: &Dictionary) -> bool {
    let corners = dictionary.get(b"Rect").elements();
    corners.len() == 4 && corners.iter().all(|corner| corner.as_number().is_some())
}

/// Whether it is a signature dictionary (12.8.1).
pub(crate) fn is_signature(dictionary: &Dictionary) -> bool {
    dictionary.has(b"ByteRange") || dictionary.is_type(b"Sig") || dictionary.is_type(b"DocTimeStamp")
}

/// The likely role of an object without a known reference, by its content; `None` if unknown.
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
        b"XObject" | b"Font" | b"FontDescriptor" | b"ExtGState" | b"Pattern" | b"Encoding" | b"CMap" => {
            Role::PageResource
        }
        _ if subtype == b"Widget" || dictionary.has(b"FT") => Role::Field,
        _ if is_signature(dictionary) => Role::Signature,
        _ if dictionary.has(b"Rect") && dictionary.has(b"Subtype") => Role::Annotation,
        _ if dictionary.has(b"Title") && dictionary.has(b"Parent") => Role::Document("Outlines"),
        _ if dictionary.has(b"Font") || dictionary.has(b"XObject") || dictionary.has(b"ProcSet") => Role::PageResource,
        b"Metadata" => return None,
        _ if body.stream.is_some() => Role::PageResource,
        _ => return None,
    })
}
