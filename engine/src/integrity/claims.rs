//! What the file says of itself, held against itself: dates, names of software, identifiers, and the layout of its bytes.

mod cut;
mod dates;
mod file_end;
mod identity;
mod layers;
mod marks;
mod objects;
mod signing;
mod software;
mod texts;
mod writer;

use super::Given;
use super::findings::Findings;
use super::revision::History;
use crate::Options;
use crate::document::Document;
use crate::failure::Fault;
pub(crate) use layers::{Layer, MetadataLayers, Moment};

/// Looks for everything that a file says against itself.
pub(crate) fn examine(
    document: &mut Document,
    given: &Given,
    history: &History,
    options: &Options,
    findings: &mut Findings,
) -> Result<(), Fault> {
    let Given { catalog, form, first, page, layers, identifier, .. } = *given;
    dates::examine(layers, history, options.now, findings);
    texts::examine(layers, findings);
    software::examine(layers, findings);
    identity::examine(layers, identifier, findings);
    writer::examine(document, layers, history, findings)?;
    objects::examine(document, catalog, page.filter(|_| !options.skip_content), layers, findings)?;
    if !document.xref.is_repaired() {
        file_end::examine(document, findings)?;
        cut::examine(document, history, findings)?;
        signing::examine(catalog, form, findings);
        marks::examine(document, first, findings)?;
    }
    Ok(())
}
