//! Things in the document that bear dates of their own or tell where it comes from; those at hand only.

use super::layers::{Dated, MetadataLayers};
use crate::document::Document;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Object;
use crate::text::text_string;

/// Associated files that are looked at.
const MOST: usize = 50;
/// Annotations of the first page that are looked at: the last ones, for what is added is added behind the others.
const LAST: usize = 4;
/// By how much a date may be later, in seconds; by any zone if one of them does not say in which it is.
const MINUTE: i64 = 60;
const ZONES: i64 = 14 * 60 * 60;

pub(super) fn examine(
    document: &mut Document,
    catalog: &Picked,
    page: Option<&Picked>,
    layers: &MetadataLayers,
    findings: &mut Findings,
) -> Result<(), Fault> {
    if let Some(page) = page.filter(|page| page.has(Key::Annots) || page.has(Key::LastModified))
        && let Some(newest) = layers.newest()
    {
        dated_later(document, page, newest, findings)?;
    }
    manifest(document, catalog, findings)
}

/// Annotations, and the page itself, that are dated later than the document.
fn dated_later(document: &mut Document, page: &Picked, newest: Dated, findings: &mut Findings) -> Result<(), Fault> {
    let changed = document.peek(page.get(Key::LastModified))?;
    later(&changed, None, "page /LastModified", newest, findings);
    let annotations = document.peek(page.get(Key::Annots))?;
    for annotation in annotations.elements().iter().rev().take(LAST).rev() {
        let number = annotation.as_reference().map(|id| id.number);
        let Object::Dictionary(annotation) = document.peek(annotation)? else { continue };
        later(annotation.get(Key::M), number, "annotation /M", newest, findings);
    }
    Ok(())
}

fn later(date: &Object, object: Option<u32>, place: &str, newest: Dated, findings: &mut Findings) {
    let text = date.as_string().and_then(text_string::decode);
    let Some(date) = Dated::read(text.as_ref()) else { return };
    let slack = if date.has_zone && newest.has_zone { MINUTE } else { ZONES };
    if date.seconds_after(newest) > slack {
        let evidence = Evidence {
            object,
            page: Some(1),
            place: Some(place.to_owned()),
            before: Some(newest.text.to_owned()),
            after: Some(date.text.to_owned()),
            ..Evidence::default()
        };
        findings.add(SignalId::ObjectDatedLater, Strength::Strong, evidence);
    }
}

/// An associated or embedded file that is a manifest of the document's provenance (C2PA).
fn manifest(document: &mut Document, catalog: &Picked, findings: &mut Findings) -> Result<(), Fault> {
    let mut files = document.peek(catalog.get(Key::AF))?.elements().to_vec();
    if let Object::Dictionary(names) = document.peek(catalog.get(Key::Names))?
        && let Object::Dictionary(tree) = document.peek(names.get(Key::EmbeddedFiles))?
    {
        files.extend_from_slice(document.peek(tree.get(Key::Names))?.elements());
    }
    for file in files.iter().take(MOST) {
        let Object::Dictionary(specification) = document.peek(file)? else { continue };
        if specification.get(Key::AFRelationship).is_name(b"C2PA_Manifest") {
            let object = file.as_reference().map(|id| id.number);
            let evidence = Evidence { object, place: Some("C2PA_Manifest".to_owned()), ..Evidence::default() };
            findings.add(SignalId::ProvenanceManifest, Strength::Neutral, evidence);
            return Ok(());
        }
    }
    Ok(())
}
