//! The meaning of dictionary entries, by the role of their object. Unlisted entries are relevant.

use super::role::Role;
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::syntax::object::Object;

/// The relevance of an entry and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryRelevance {
    /// Its target has a specific role.
    Follow(Role),
    /// Relevant, as is its target in this role.
    Seen(Role),
    /// Changed by filling in a form (12.7.3.1, 12.5.2).
    Value(Role),
    /// A relevant link with an independent target.
    Points,
    /// Without visible effect.
    Housekeeping,
}
use EntryRelevance::{Follow, Housekeeping, Points, Seen, Value};

/// Rows by key.
type Table = [(&'static [u8], EntryRelevance)];

const CATALOG: &Table = &[
    (b"Pages", Follow(Role::Node)),
    (b"AcroForm", Follow(Role::Form)),
    (b"Metadata", Follow(Role::Metadata)),
    (b"DSS", Follow(Role::Validation)),
    (b"Perms", Follow(Role::Permissions)),
    (b"Names", Follow(Role::Names)),
    (b"StructTreeRoot", Follow(Role::Structure)),
    (b"Version", Housekeeping),
    (b"Extensions", Housekeeping),
    (b"PieceInfo", Housekeeping),
    (b"LastModified", Housekeeping),
    (b"ModDate", Housekeeping),
];
const NODE: &Table = &[(b"Kids", Follow(Role::Node)), (b"Parent", Follow(Role::Node))];
const PAGE: &Table = &[
    (b"Parent", Follow(Role::Node)),
    (b"Annots", Follow(Role::Annotations)),
    (b"AA", Follow(Role::Document("AA"))),
    (b"LastModified", Housekeeping),
    (b"PieceInfo", Housekeeping),
    (b"Tabs", Housekeeping),
    (b"B", Housekeeping),
    (b"Thumb", Housekeeping),
    (b"Metadata", Housekeeping),
    (b"ID", Housekeeping),
    (b"PZ", Housekeeping),
];
/// For streams only: a dictionary may map names that equal keys.
const STREAM: &Table = &[
    (b"PieceInfo", Housekeeping),
    (b"LastModified", Housekeeping),
    (b"Metadata", Housekeeping),
    (b"StructParent", Housekeeping),
    (b"StructParents", Housekeeping),
];
const ANNOTATION: &Table = &[
    (b"Type", Points),
    (b"P", Points),
    (b"Parent", Housekeeping),
    (b"StructParent", Housekeeping),
    (b"NM", Housekeeping),
    (b"AP", Seen(Role::AppearanceResource)),
];
const FORM: &Table =
    &[(b"Fields", Follow(Role::Field)), (b"XFA", Follow(Role::Xfa)), (b"DR", Follow(Role::FormResources))];
const FIELD: &Table = &[
    (b"Parent", Follow(Role::Field)),
    (b"Kids", Follow(Role::Field)),
    (b"V", Value(Role::FieldValue)),
    (b"RV", Value(Role::FieldValue)),
    (b"I", Value(Role::FieldValue)),
    (b"AS", Value(Role::Appearance)),
    (b"AP", Value(Role::Appearance)),
    (b"MK", Value(Role::Appearance)),
    (b"DA", Value(Role::Appearance)),
    (b"F", Value(Role::Appearance)),
    (b"BS", Value(Role::Appearance)),
    (b"Border", Value(Role::Appearance)),
    (b"Q", Value(Role::Appearance)),
    (b"Type", Points),
    (b"P", Points),
    (b"StructParent", Housekeeping),
    (b"M", Housekeeping),
    (b"NM", Housekeeping),
];
const SIGNATURE: &Table = &[(b"Data", Housekeeping)];
const OUTLINES: &Table = &[(b"SE", Points)];

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
        Role::Signature => SIGNATURE,
        Role::Document("Outlines") => OUTLINES,
        _ => &[],
    };
    let listed = table.iter().find(|(listed, _)| *listed == key).map(|(_, row)| *row);
    listed.unwrap_or_else(|| match role {
        Role::Catalog => Seen(Role::Document(catalog_key(key))),
        Role::Names => Seen(Role::Document(tree(key))),
        Role::Node | Role::Page => Seen(Role::PageResource),
        Role::Annotation | Role::Annotations => Seen(Role::Attached),
        Role::Attached if is_stream || key == b"Resources" => Seen(Role::AppearanceResource),
        Role::FormResources => Seen(Role::ResourceNames),
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
            Follow(role) | Seen(role) | Value(role) => Some(role),
            Points | Housekeeping => None,
        }
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
