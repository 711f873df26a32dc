//! What an object is there for: what leads to it from the catalog (ISO 32000-1, 7.7), or else what it looks like.

use crate::document::states::Body;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;

/// What an object is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A node of the page tree above the pages (7.7.3.2).
    Node,
    /// A page.
    Page,
    /// Drawn with by a page.
    Content,
    /// An array of annotations of a page.
    Annotations,
    /// An annotation that is no form field, or part of one.
    Annotation,
    /// A form field, its widget, or part of one.
    Field,
    /// A signature, or part of one.
    Signature,
    /// The form's own dictionary, or its array of fields.
    Form,
    /// Fonts and defaults of the form.
    FormResource,
    Catalog,
    /// The document's XMP.
    Metadata,
    /// What validates signatures.
    Validation,
    /// Part of what this key of the catalog leads to.
    Document(&'static str),
    /// The catalog's names, tree by tree.
    Names,
    /// How the document is tagged.
    Structure,
    /// Nobody sees it.
    Dull,
}

impl Role {
    /// Those that lead to more important things come first.
    pub(crate) fn rank(self) -> usize {
        match self {
            Self::Node | Self::Page => 0,
            Self::Content => 1,
            Self::Annotations | Self::Annotation => 2,
            Self::Form | Self::Field | Self::FormResource | Self::Signature => 3,
            _ => 4,
        }
    }
    pub(crate) const RANKS: usize = 5;
}

/// What an object turns out to be once it is looked at.
pub(crate) fn refined(role: Role, body: &Body) -> Role {
    let Some(dictionary) = body.dictionary() else { return role };
    match role {
        Role::Node if !dictionary.has(b"Kids") => Role::Page,
        Role::Annotation | Role::Annotations if dictionary.get(b"Subtype").is_name(b"Widget") => Role::Field,
        Role::Annotations => Role::Annotation,
        Role::Field if is_signature(dictionary) => Role::Signature,
        role => role,
    }
}

/// Whether it is a signature's value (12.8.1).
pub(crate) fn is_signature(dictionary: &Whole) -> bool {
    dictionary.has(b"ByteRange") || dictionary.is_type(b"Sig") || dictionary.is_type(b"DocTimeStamp")
}

/// The objects that one refers to, with what they are there for.
pub(crate) fn edges(role: Role, object: &Object) -> Vec<(u32, Role)> {
    let mut edges = Vec::new();
    match (role, object) {
        (Role::Catalog, Object::Whole(catalog)) => {
            for (name, value) in catalog.iter() {
                of_catalog(name.as_bytes(), value, &mut edges);
            }
        }
        (Role::Names, Object::Whole(names)) => {
            for (name, value) in names.iter() {
                collect(value, Role::Document(tree(name.as_bytes())), &mut edges);
            }
        }
        (_, Object::Whole(dictionary)) => {
            for (name, value) in dictionary.iter() {
                if let Some(below) = below(role, name.as_bytes()) {
                    collect(value, below, &mut edges);
                }
            }
        }
        (role, object) => collect(object, role, &mut edges),
    }
    edges
}

fn of_catalog(key: &[u8], value: &Object, edges: &mut Vec<(u32, Role)>) {
    let role = match key {
        b"Pages" => Role::Node,
        b"AcroForm" => Role::Form,
        b"Metadata" => Role::Metadata,
        b"DSS" => Role::Validation,
        b"Perms" => Role::Signature,
        b"Names" => Role::Names,
        b"StructTreeRoot" => Role::Structure,
        key => Role::Document(catalog_key(key)),
    };
    // what is not referred to is part of the catalog and leads on from there
    if let (Role::Form | Role::Names, Object::Whole(_)) = (role, value) {
        edges.extend(self::edges(role, value));
    } else {
        collect(value, role, edges);
    }
}

/// What the values of a key are there for; none if they lead elsewhere, or to what nobody sees.
fn below(role: Role, key: &[u8]) -> Option<Role> {
    Some(match (role, key) {
        (Role::Node, b"Kids") => Role::Node,
        (Role::Node, b"Resources" | b"MediaBox" | b"CropBox") => Role::Content,
        (Role::Node | Role::Structure | Role::Metadata | Role::Dull, _) => return None,
        (
            _,
            b"Parent" | b"P" | b"StructParent" | b"StructParents" | b"PieceInfo" | b"LastModified" | b"Thumb" | b"B"
            | b"Pg",
        ) if role != Role::Field => return None,
        (Role::Page, b"Annots") => Role::Annotations,
        (Role::Page, b"Metadata") => return None,
        (Role::Page, b"AA") => Role::Document("AA"),
        (Role::Page, _) => Role::Content,
        (Role::Content, b"Metadata") => return None,
        (Role::Annotations, _) => Role::Annotation,
        (Role::Annotation, b"Dest") => return None,
        (Role::Form, b"Fields" | b"XFA") => Role::Field,
        (Role::Form, _) => Role::FormResource,
        (Role::Field, b"P" | b"StructParent" | b"Metadata" | b"Dest") => return None,
        (Role::Signature, b"Data") => return None,
        (role, _) => role,
    })
}

/// All references in a value.
fn collect(object: &Object, role: Role, edges: &mut Vec<(u32, Role)>) {
    match object {
        Object::Reference(id) => edges.push((id.number, role)),
        Object::Array(elements) => elements.iter().for_each(|element| collect(element, role, edges)),
        // a page's or a field's own parts lead on by their keys as objects of their own would
        Object::Whole(_) => edges.extend(self::edges(role, object)),
        _ => {}
    }
}

/// The catalog's key as it is told.
pub(crate) fn catalog_key(key: &[u8]) -> &'static str {
    const KEYS: [&str; 22] = [
        "OpenAction",
        "AA",
        "OCProperties",
        "Outlines",
        "PageLabels",
        "Dests",
        "Threads",
        "URI",
        "AF",
        "Collection",
        "Requirements",
        "Legal",
        "OutputIntents",
        "SpiderInfo",
        "ViewerPreferences",
        "PageMode",
        "PageLayout",
        "Lang",
        "MarkInfo",
        "DPartRoot",
        "NeedsRendering",
        "PieceInfo",
    ];
    KEYS.into_iter().find(|known| known.as_bytes() == key).unwrap_or("other entries")
}

/// The name tree of the catalog's `/Names` as it is told (7.7.4).
pub(crate) fn tree(key: &[u8]) -> &'static str {
    const TREES: [&str; 10] = [
        "JavaScript",
        "EmbeddedFiles",
        "Dests",
        "AP",
        "Pages",
        "Templates",
        "IDS",
        "URLS",
        "AlternatePresentations",
        "Renditions",
    ];
    TREES.into_iter().find(|known| known.as_bytes() == key).unwrap_or("Names")
}

/// Whether a change there only concerns how the document is tagged, labelled or first shown.
pub(crate) fn is_neutral(key: &str) -> bool {
    matches!(
        key,
        "Dests"
            | "Threads"
            | "ViewerPreferences"
            | "PageMode"
            | "PageLayout"
            | "Lang"
            | "MarkInfo"
            | "PieceInfo"
            | "SpiderInfo"
            | "other entries"
            | "IDS"
            | "URLS"
            | "Pages"
    )
}

/// What an object looks like, where it is not known what leads to it.
pub(crate) fn guess(body: &Body) -> Role {
    let Some(dictionary) = body.dictionary() else { return Role::Dull };
    let subtype = dictionary.get(b"Subtype").as_name().unwrap_or_default();
    match dictionary.get(b"Type").as_name().unwrap_or_default() {
        b"Page" => Role::Page,
        b"Pages" => Role::Node,
        b"Catalog" => Role::Catalog,
        b"Annot" if subtype != b"Widget" => Role::Annotation,
        b"Sig" | b"DocTimeStamp" | b"SigRef" | b"SigFieldLock" | b"TransformParams" => Role::Signature,
        b"DSS" | b"VRI" => Role::Validation,
        b"Metadata" => Role::Dull,
        b"StructElem" | b"StructTreeRoot" | b"MCR" | b"OBJR" => Role::Structure,
        b"OCG" | b"OCMD" => Role::Document("OCProperties"),
        b"Outlines" => Role::Document("Outlines"),
        b"Filespec" | b"F" | b"EmbeddedFile" => Role::Document("EmbeddedFiles"),
        b"XObject" | b"Font" | b"FontDescriptor" | b"ExtGState" | b"Pattern" | b"Encoding" | b"CMap" => Role::Content,
        _ if subtype == b"Widget" || dictionary.has(b"FT") => Role::Field,
        _ if is_signature(dictionary) => Role::Signature,
        _ if dictionary.has(b"Rect") && dictionary.has(b"Subtype") => Role::Annotation,
        _ if dictionary.has(b"Title") && dictionary.has(b"Parent") => Role::Document("Outlines"),
        _ if dictionary.has(b"Font") || dictionary.has(b"XObject") || dictionary.has(b"ProcSet") => Role::Content,
        _ if body.stream.is_some() => Role::Content,
        _ => Role::Dull,
    }
}
