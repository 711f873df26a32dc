//! The places that may reference an object of each role, and the zones of those without a role.

use super::links::Link;
use super::{Part, Place, Zone};

/// The zone of an entry's targets.
pub(super) fn zone_below(part: Part, top: &[u8]) -> Zone {
    let is_action = matches!(top, b"A" | b"AA" | b"PA" | b"Dest" | b"FS" | b"Movie" | b"Sound" | b"B");
    match part {
        Part::Catalog => match top {
            b"Outlines" | b"Names" | b"Dests" | b"OpenAction" | b"AA" | b"Threads" | b"PageLabels" => Zone::Navigation,
            _ => Zone::Other,
        },
        Part::Page if is_action => Zone::Navigation,
        Part::Page if matches!(top, b"Metadata" | b"PieceInfo") => Zone::Other,
        // direct annotations
        Part::Page if top == b"Annots" => Zone::AppearanceResource,
        Part::Node | Part::Page => Zone::PageResource,
        Part::Annotation | Part::Field | Part::AnnotationList if is_action => Zone::Navigation,
        Part::Annotation | Part::Field if matches!(top, b"Lock" | b"SV" | b"OC") => Zone::Other,
        Part::Appearance | Part::Appearances | Part::FormResources | Part::Annotation | Part::Field => {
            Zone::AppearanceResource
        }
        Part::Tags => Zone::Tags,
        _ => Zone::Other,
    }
}

/// Whether an object with this role may be referenced from there in addition to its typed path.
pub(super) fn is_expected(target: Place, (number, from, zone): (u32, Option<Place>, Zone), link: &Link) -> bool {
    let by = from.map(|place| place.part);
    let is_by = |parts: &[Part]| by.is_some_and(|by| parts.contains(&by));
    let is_within = |zones: &[Zone]| by.is_none() && zones.contains(&zone);
    let is_parts = is_by(&[Part::Annotation, Part::Field, Part::AnnotationList, Part::Value]);
    match target.part {
        Part::Catalog => {
            link.inner == b"Data"
                && (is_by(&[Part::Value])
                    || is_within(&[Zone::Other])
                    || is_by(&[Part::Catalog]) && link.top == b"Perms")
        }
        Part::Node => {
            is_by(&[Part::Catalog]) && link.top == b"Pages"
                || is_by(&[Part::Node, Part::NodeList])
                || is_by(&[Part::Page]) && link.top == b"Parent"
        }
        Part::NodeList => is_by(&[Part::Node, Part::NodeList]),
        Part::Page => {
            is_by(&[Part::Node, Part::NodeList])
                || is_by(&[Part::Tags])
                || is_parts && (link.inner == b"P" || link.inner == b"Pg" || link.is_destination)
                || is_by(&[Part::Page]) && matches!(link.top, b"Annots" | b"AA" | b"B")
                || is_by(&[Part::Catalog]) && matches!(link.top, b"OpenAction" | b"Dests" | b"Names" | b"AA")
                || is_within(&[Zone::Navigation])
                    && (link.is_destination || matches!(link.inner, b"P" | b"Pg" | b"Page" | b"D" | b"Names" | b"O"))
                || is_within(&[Zone::Tags])
                || is_within(&[Zone::Other]) && matches!(link.inner, b"P" | b"Start" | b"End")
        }
        Part::AnnotationList => is_by(&[Part::Page]) && link.top == b"Annots" && target.owner == number,
        Part::Annotation => {
            is_by(&[Part::AnnotationList]) && target.owner == from.map_or(0, |place| place.owner)
                || is_by(&[Part::Page]) && link.top == b"Annots" && target.owner == number
                || is_parts && matches!(link.inner, b"Popup" | b"Parent" | b"IRT")
                || is_within(&[Zone::Navigation, Zone::AppearanceResource]) && is_action_target(link)
                || is_parts && is_action_target(link)
                || is_by(&[Part::Tags])
        }
        Part::Field => {
            is_by(&[Part::FieldList, Part::AnnotationList])
                || is_by(&[Part::Form]) && matches!(link.top, b"Fields" | b"CO")
                || is_by(&[Part::Catalog]) && matches!(link.top, b"AcroForm" | b"OpenAction" | b"AA")
                || is_by(&[Part::Page]) && matches!(link.top, b"Annots" | b"AA")
                || is_parts && (matches!(link.inner, b"Kids" | b"Parent" | b"Data") || is_action_target(link))
                || is_within(&[Zone::Navigation]) && is_action_target(link)
                || is_within(&[Zone::Other]) && link.inner == b"Data"
                || is_by(&[Part::Tags])
        }
        Part::Form => is_by(&[Part::Catalog]) && link.top == b"AcroForm",
        Part::FieldList => {
            is_by(&[Part::Form, Part::Catalog]) && matches!(link.inner, b"Fields")
                || is_by(&[Part::Field]) && link.top == b"Kids" && target.owner == number
        }
        Part::FormResources => {
            is_by(&[Part::Form, Part::FormResources, Part::Catalog])
                || is_by(&[Part::Field]) && link.top == b"DR"
                // whether content uses what such resources gain is compared
                || is_by(&[Part::Appearance, Part::Page, Part::Node]) && link.top == b"Resources"
                || is_within(&[Zone::AppearanceResource])
        }
        Part::Appearances => {
            from.is_some_and(|place| place.owner == target.owner || number == target.owner)
                && (link.top == b"AP" || is_by(&[Part::Appearances]))
        }
        Part::Appearance => {
            from.is_some_and(|place| place.owner == target.owner || number == target.owner)
                && (link.top == b"AP" || is_by(&[Part::Appearances]))
        }
        Part::Value => {
            is_by(&[Part::Field]) && link.top == b"V"
                || is_by(&[Part::Catalog]) && link.top == b"Perms"
                || is_within(&[Zone::Other]) && matches!(link.inner, b"DocMDP" | b"UR3" | b"UR")
        }
        Part::Validation => is_by(&[Part::Validation]) || is_by(&[Part::Catalog]) && link.top == b"DSS",
        Part::Information => false,
        Part::Metadata => is_by(&[Part::Catalog]) && link.top == b"Metadata",
        Part::Tags => {
            is_within(&[Zone::Navigation]) && matches!(link.inner, b"SE" | b"SD")
                || is_by(&[Part::Tags])
                || is_by(&[Part::Catalog]) && link.top == b"StructTreeRoot"
        }
    }
}

/// Whether it is a field or an annotation that an action works on (12.6.4).
fn is_action_target(link: &Link) -> bool {
    matches!(link.inner, b"T" | b"Fields" | b"AN" | b"TA" | b"Annotation" | b"Annotations")
}
