//! The entries that may reference an object in addition to those that own it, by the roles of both.

use super::links::Link;
use super::role::Role::{
    self, Annotation, Annotations, Appearance, AppearanceResource, Appearances, Catalog, Extensions, Field, FieldValue,
    Form, FormResources, Metadata, Navigation, Node, Other, Page, ResourceNames, Tag, Validation, Xfa,
};
use crate::integrity::revision::vocabulary::is_among;

/// The keys that lead to a reference.
enum Keys {
    Any,
    /// These outermost keys.
    Top(&'static str),
    /// These innermost keys.
    Inner(&'static str),
    /// This outermost and this innermost key.
    Within(&'static str, &'static str),
    /// None: an element of an array.
    Element,
    /// The page of an explicit destination (12.3.2.2).
    Destination,
}
use Keys::{Any, Destination, Element, Inner, Top, Within};

/// Referenced roles, the referencing ones, and the keys in these.
type Row = (&'static [Role], &'static [Role], Keys);

/// Objects that may have actions and name their page.
const ON_PAGES: &[Role] = &[Annotation, Annotations, Field, FieldValue];
/// Keys of a field or an annotation that an action works on (12.6.4).
const ACTION_TARGETS: Keys = Inner("T Fields AN TA Annotation Annotations");

const EXPECTED: &[Row] = &[
    (&[Catalog], &[Catalog], Within("Perms", "Data")),
    (&[Catalog], &[FieldValue, Other], Inner("Data")),
    (&[Node], &[Catalog], Top("Pages")),
    (&[Node], &[Page], Top("Parent")),
    (&[Node, Page], &[Node], Any),
    (&[Page, Annotation, Field, Tag], &[Tag], Any),
    (&[Page], ON_PAGES, Inner("P Pg")),
    (&[Page], ON_PAGES, Destination),
    (&[Page], &[Page], Top("Annots AA B")),
    (&[Page], &[Catalog], Top("OpenAction Dests Names AA")),
    (&[Page], &[Navigation], Inner("P Pg Page D Names O")),
    (&[Page], &[Navigation], Destination),
    (&[Page], &[Other], Inner("P Start End")),
    (&[Annotations, Annotation, Field], &[Page], Top("Annots")),
    (&[Annotation, Field], &[Annotations], Any),
    (&[Annotation, Field], ON_PAGES, ACTION_TARGETS),
    (&[Annotation, Field], &[Navigation], ACTION_TARGETS),
    (&[Annotation], &[AppearanceResource], ACTION_TARGETS),
    (&[Annotation], ON_PAGES, Inner("Popup Parent IRT")),
    (&[Field], &[Field], Element),
    (&[Field], &[Form], Top("Fields CO")),
    (&[Field], &[Catalog], Top("AcroForm OpenAction AA")),
    (&[Field], &[Page], Top("AA")),
    (&[Field], ON_PAGES, Inner("Kids Parent Data")),
    (&[Field], &[Other], Inner("Data")),
    (&[Form], &[Catalog], Top("AcroForm")),
    (&[FormResources, ResourceNames], &[Catalog, Form, FormResources, ResourceNames, AppearanceResource], Any),
    (&[FormResources, ResourceNames], &[Field], Top("DR")),
    // whether content uses what such resources gain is compared
    (&[FormResources, ResourceNames], &[Appearance, Page, Node], Top("Resources")),
    (&[Appearances, Appearance], &[Annotation, Field], Top("AP")),
    (&[Appearances, Appearance], &[Appearances], Any),
    (&[FieldValue], &[Field], Top("V")),
    (&[FieldValue], &[Catalog], Top("Perms")),
    (&[FieldValue], &[Other], Inner("DocMDP UR3 UR")),
    (&[Validation], &[Validation], Any),
    (&[Validation], &[Catalog], Top("DSS")),
    (&[Metadata], &[Catalog], Top("Metadata")),
    (&[Extensions], &[Catalog], Top("Extensions")),
    (&[Xfa], &[Form, Catalog], Inner("XFA")),
    (&[Tag], &[Catalog], Top("StructTreeRoot")),
    (&[Tag], &[Navigation], Inner("SE SD")),
];

/// Whether an object of this role may be referenced there.
pub(super) fn is_expected(target: Role, from: Role, link: &Link) -> bool {
    EXPECTED.iter().any(|(targets, referrers, keys)| {
        targets.contains(&target)
            && referrers.contains(&from)
            && match keys {
                Any => true,
                Top(keys) => is_among(keys, link.top),
                Inner(keys) => is_among(keys, link.inner),
                Within(top, inner) => is_among(top, link.top) && is_among(inner, link.inner),
                Element => link.inner.is_empty(),
                Destination => link.is_destination,
            }
    })
}

/// The role of an object without an owner that is referenced there.
pub(super) fn path_role(from: Role, top: &[u8]) -> Role {
    let is_action = matches!(top, b"A" | b"AA" | b"PA" | b"Dest" | b"FS" | b"Movie" | b"Sound" | b"B");
    match from {
        Catalog if is_among("Outlines Names Dests OpenAction AA Threads PageLabels", top) => Navigation,
        Page | Annotation | Field | Annotations if is_action => Navigation,
        Page if matches!(top, b"Metadata" | b"PieceInfo") => Other,
        // direct annotations
        Page if top == b"Annots" => AppearanceResource,
        Node | Page => Role::PageResource,
        Annotation | Field if matches!(top, b"Lock" | b"SV" | b"OC") => Other,
        Appearance | Appearances | FormResources | ResourceNames | Annotation | Field => AppearanceResource,
        Role::PageResource | AppearanceResource | Navigation | Tag => from,
        _ => Other,
    }
}
