//! Heuristics on self-reported metadata: contradictions between dates, software names, identifiers,
//! attachments and file layout.

mod attachments;
mod dates;
mod editing_marks;
mod file_end;
mod identity;
mod layers;
mod object_dates;
mod second_file;
mod signing_flags;
mod software;
mod text_conflicts;
mod unreferenced_data;
mod writer;

use super::DocumentContext;
use super::findings::Findings;
use super::revision::History;
use crate::Options;
pub(crate) use layers::{Layer, MetadataLayers, Moment};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;

/// Runs all heuristics.
pub(crate) fn examine(
    document: &mut Document,
    context: &DocumentContext,
    history: &History,
    options: &Options,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let DocumentContext { catalog, form, first, page, layers, identifier, .. } = *context;
    dates::examine(layers, history, options.now, findings);
    text_conflicts::examine(layers, findings);
    software::examine(layers, findings);
    identity::examine(layers, identifier, findings);
    writer::examine(document, layers, history, findings)?;
    object_dates::examine(document, catalog, page.filter(|_| !options.skip_content), layers, findings)?;
    if !options.skip_content {
        attachments::examine(document, catalog, findings)?;
    }
    if !document.xref.is_repaired() {
        file_end::examine(document, findings)?;
        unreferenced_data::examine(document, history, findings)?;
        signing_flags::examine(catalog, form, findings);
        editing_marks::examine(document, first, findings)?;
    }
    Ok(())
}
