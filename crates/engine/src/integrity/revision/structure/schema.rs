//! The meaning of dictionary entries, by the role of their object. Unlisted entries are relevant.

use super::role::Role;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::syntax::object::Object;

/// The relevance of an entry and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryRelevance {
    /// The object there has this role, wherever else it is referenced.
    Owns(Role),
    /// Relevant, as is its target in this role.
    Seen(Role),
    /// A relevant link with an independent target.
    Points,
    /// Without visible effect.
    Housekeeping,
}
use EntryRelevance::{Housekeeping, Owns, Points, Seen};

/// Rows by keys.
type Table = [(&'static [&'static [u8]], EntryRelevance)];

const CATALOG: &Table = &[
    (&[b"Pages"], Owns(Role::Node)),
    (&[b"AcroForm"], Owns(Role::Form)),
    (&[b"Metadata"], Owns(Role::Metadata)),
    (&[b"DSS"], Owns(Role::Validation)),
    (&[b"StructTreeRoot"], Owns(Role::Structure)),
    (&[b"Perms"], Seen(Role::Permissions)),
    (&[b"Names"], Seen(Role::Names)),
    (&[b"Version", b"Extensions", b"PieceInfo", b"LastModified", b"ModDate"], Housekeeping),
];
const NODE: &Table = &[
    (&[b"Kids"], Owns(Role::Node)),
    (&[b"Parent"], Seen(Role::Node)),
    // no entry that pages inherit; pdf.js inherits it, too
    (&[b"Annots"], Owns(Role::Annotations)),
];
const PAGE: &Table = &[
    (&[b"Parent"], Seen(Role::Node)),
    (&[b"Annots"], Owns(Role::Annotations)),
    (&[b"AA"], Seen(Role::Document("AA"))),
    (&[b"LastModified", b"PieceInfo", b"Tabs", b"B", b"Thumb", b"Metadata", b"ID", b"PZ"], Housekeeping),
];
/// For streams only: a dictionary may map names that equal keys.
const STREAM: &Table =
    &[(&[b"PieceInfo", b"LastModified", b"Metadata", b"StructParent", b"StructParents"], Housekeeping)];
const ANNOTATION: &Table = &[
    (&[b"Type", b"P"], Points),
    (&[b"Parent", b"StructParent", b"NM"], Housekeeping),
    (&[b"AP"], Seen(Role::AppearanceResource)),
];
const FORM: &Table =
    &[(&[b"Fields"], Owns(Role::Field)), (&[b"XFA"], Owns(Role::Xfa)), (&[b"DR"], Owns(Role::FormResources))];
const FIELD: &Table = &[
    (&[b"Parent"], Seen(Role::Field)),
    (&[b"Kids"], Owns(Role::Field)),
    (&[b"V"], Owns(Role::FieldValue)),
    (&[b"RV", b"I"], Seen(Role::FieldValue)),
    (&[b"AS", b"AP", b"MK", b"DA", b"F", b"BS", b"Border", b"Q"], Seen(Role::Appearance)),
    (&[b"Type", b"P"], Points),
    (&[b"StructParent", b"M", b"NM"], Housekeeping),
];
/// Usage rights decide what Acrobat Reader offers, not what is seen (12.8.2.3).
const PERMISSIONS: &Table = &[(&[b"UR", b"UR3"], Housekeeping)];
const SIGNATURE: &Table = &[(&[b"Data"], Housekeeping)];
/// An element of the structure tree, or a node of its number trees (14.7.2).
const TAG: &Table = &[(&[b"K", b"ParentTree", b"IDTree", b"Kids", b"Nums"], Owns(Role::Tag))];
const OUTLINES: &Table = &[(&[b"SE"], Points)];

/// The relevance of a key in a dictionary or stream dictionary of this role.
pub(crate) fn row(role: Role, key: &[u8], is_stream: bool) -> EntryRelevance {
    let table: &Table = match role {
        Role::Catalog => CATALOG,
        Role::Node => NODE,
        Role::Page => PAGE,
        Role::PageResource | Role::Attached | Role::AppearanceResource | Role::Appearance if is_stream => STREAM,
        Role::Annotation | Role::Annotations => ANNOTATION,
        Role::Form => FORM,
        Role::Field => FIELD,
        Role::Permissions => PERMISSIONS,
        Role::Signature => SIGNATURE,
        Role::Tag => TAG,
        Role::Document("Outlines") => OUTLINES,
        _ => &[],
    };
    let listed = table.iter().find(|(keys, _)| keys.contains(&key)).map(|(_, row)| *row);
    listed.unwrap_or_else(|| match role {
        Role::Catalog => Seen(Role::Document(catalog_key(key))),
        Role::Names => Seen(Role::Document(tree(key))),
        Role::Node | Role::Page => Seen(Role::PageResource),
        Role::Annotation | Role::Annotations => Seen(Role::Attached),
        Role::Attached if is_stream || key == b"Resources" => Seen(Role::AppearanceResource),
        Role::FormResources => Owns(Role::ResourceNames),
        Role::Appearances | Role::Validation => Owns(role),
        Role::Form | Role::ResourceNames => Seen(Role::FormPart),
        Role::Field => Seen(Role::FieldPart),
        Role::Permissions => Seen(Role::Signature),
        role => Seen(role),
    })
}

impl EntryRelevance {
    /// The role of the entry's target; `None` if it has no visible effect.
    pub(crate) fn below(self) -> Option<Role> {
        match self {
            Owns(role) | Seen(role) => Some(role),
            Points | Housekeeping => None,
        }
    }
}

/// The role of the object that an entry owns, if it owns one.
pub(super) fn owned(role: Role, key: &[u8]) -> Option<Role> {
    match row(role, key, false) {
        // without visible effect, but an object of its own may only be that
        _ if key == b"Extensions" && role == Role::Catalog => Some(Role::Extensions),
        _ if key == b"AP" && matches!(role, Role::Annotation | Role::Field) => Some(Role::Appearances),
        Owns(role) => Some(role),
        _ => None,
    }
}

/// The objects that an object of this role references, with their roles.
pub(crate) fn edges(role: Role, object: &Object, is_stream: bool) -> Vec<(u32, Role)> {
    let mut edges = Vec::new();
    collect(role, object, is_stream, &mut edges);
    edges
}

fn collect(role: Role, object: &Object, is_stream: bool, edges: &mut Vec<(u32, Role)>) {
    match object {
        Object::Reference(id) => edges.push((id.number, role)),
        // tagged content is visible without its tags
        _ if role == Role::Structure => {}
        Object::Array(elements) => elements.iter().for_each(|element| collect(role, element, false, edges)),
        Object::Dictionary(dictionary) => {
            // names within an object may equal annotation keys
            let role = if role == Role::Attached { role } else { role.refined(Some(dictionary)) };
            for (name, value) in dictionary.iter() {
                if let Some(below) = row(role, name.as_bytes(), is_stream).below() {
                    collect(below, value, false, edges);
                }
            }
        }
        _ => {}
    }
}

/// The reported name of a catalog key (7.7.2).
pub(crate) fn catalog_key(key: &[u8]) -> &'static str {
    const KEYS: &str = "\
        OpenAction AA OCProperties Outlines PageLabels Dests Threads URI AF Collection Requirements Legal \
        OutputIntents SpiderInfo ViewerPreferences PageMode PageLayout Lang MarkInfo DPartRoot NeedsRendering Type";
    KEYS.split(' ').find(|known| known.as_bytes() == key).unwrap_or("other entries")
}

/// The reported name of a name tree in `/Names` (7.7.4).
pub(crate) fn tree(key: &[u8]) -> &'static str {
    const TREES: &str = "\
        JavaScript EmbeddedFiles Dests AP Pages Templates IDS URLS AlternatePresentations Renditions";
    TREES.split(' ').find(|known| known.as_bytes() == key).unwrap_or("Names")
}

/// Whether a change there affects only tagging, page labels or the initial view.
pub(crate) fn is_view(key: &str) -> bool {
    const VIEW: &str = "\
        Dests Threads ViewerPreferences PageMode PageLayout Lang MarkInfo SpiderInfo Type Requirements Legal \
        OutputIntents DPartRoot PageLabels IDS URLS Pages";
    key == "other entries" || is_among(VIEW, key.as_bytes())
}
