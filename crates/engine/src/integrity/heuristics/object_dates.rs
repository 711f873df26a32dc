//! Objects with their own dates or provenance.

use super::layers::{Dated, MetadataLayers};
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Maximum associated files examined.
const MAX_ASSOCIATED_FILES: usize = 50;
/// Annotations of the first page that are examined, the last ones, as new ones are appended, and programs with data in it.
const LAST_ANNOTATIONS: usize = 4;
/// Kinds of annotations that programs date and that say and hide nothing: fields that were filled in, and marked words.
const UNDATED_KINDS: [&[u8]; 5] = [b"Widget", b"Popup", b"Highlight", b"Underline", b"Squiggly"];
/// Tolerance in seconds; if either date has no time zone, any zone offset.
const TOLERANCE_SECONDS: i64 = 60;
const MAX_ZONE_SECONDS: i64 = 14 * 60 * 60;

pub(super) fn examine(
    document: &mut Document,
    catalog: &Dictionary,
    page: Option<&Dictionary>,
    layers: &MetadataLayers,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let has_dates =
        |page: &&Dictionary| [&b"Annots"[..], b"LastModified", b"PieceInfo"].iter().any(|key| page.has(key));
    if let Some(page) = page.filter(has_dates)
        && let Some(newest) = layers.newest().filter(|newest| !newest.is_epoch())
    {
        dated_later(&mut document.view(State(0)), page, newest, findings)?;
    }
    manifest(&mut document.view(State(0)), catalog, findings)
}

/// Annotations and the page itself with dates later than the document's.
fn dated_later(view: &mut View, page: &Dictionary, newest: Dated, findings: &mut Findings) -> Result<(), Fault> {
    later(&*view.resolve(page.get(b"LastModified"))?, None, "page /LastModified", newest, findings);
    // what programs keep with a page has the date of its last change (14.5)
    let pieces = view.dictionary(page.get(b"PieceInfo"))?.into_owned();
    for (_, piece) in pieces.iter().take(LAST_ANNOTATIONS) {
        let piece = view.dictionary(piece)?;
        later(&*view.resolve(piece.get(b"LastModified"))?, None, "page /PieceInfo", newest, findings);
    }
    let annotations = view.resolve(page.get(b"Annots"))?;
    let annotations = annotations.elements();
    let last = annotations.get(annotations.len().saturating_sub(LAST_ANNOTATIONS)..).unwrap_or_default();
    view.prefetch_many(last)?;
    for annotation in last {
        let number = annotation.as_reference().map(|id| id.number);
        let annotation = view.dictionary(annotation)?;
        if annotation.get(b"Subtype").as_name().is_some_and(|kind| UNDATED_KINDS.contains(&kind)) {
            continue;
        }
        later(&*view.resolve(annotation.get(b"M"))?, number, "annotation /M", newest, findings);
    }
    Ok(())
}

fn later(date: &Object, object: Option<u32>, place: &str, newest: Dated, findings: &mut Findings) {
    let text = date.as_string().and_then(text_string::decode);
    let Some(date) = Dated::read(text.as_ref()) else { return };
    let slack = if date.has_zone && newest.has_zone { TOLERANCE_SECONDS } else { MAX_ZONE_SECONDS };
    if date.seconds_after(newest) > slack {
        let evidence = Evidence::of(place, Some(newest.text), Some(date.text));
        findings.add(SignalId::ObjectDatedLater, Strength::Strong, Evidence { object, page: Some(1), ..evidence });
    }
}

/// An associated or embedded provenance manifest (C2PA).
fn manifest(view: &mut View, catalog: &Dictionary, findings: &mut Findings) -> Result<(), Fault> {
    let names = view.dictionary(catalog.get(b"Names"))?;
    let embedded = view.dictionary(names.get(b"EmbeddedFiles"))?;
    let mut files = view.resolve(catalog.get(b"AF"))?.elements().to_vec();
    files.extend_from_slice(view.resolve(embedded.get(b"Names"))?.elements());
    files.truncate(MAX_ASSOCIATED_FILES);
    view.prefetch_many(&files)?;
    for file in &files {
        let specification = view.dictionary(file)?;
        if view.resolve(specification.get(b"AFRelationship"))?.is_name(b"C2PA_Manifest") {
            let object = file.as_reference().map(|id| id.number);
            let evidence = Evidence { object, ..Evidence::of("C2PA_Manifest", None, None) };
            findings.add(SignalId::ProvenanceManifest, Strength::Neutral, evidence);
            return Ok(());
        }
    }
    Ok(())
}
