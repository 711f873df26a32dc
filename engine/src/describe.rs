//! What an opened document says about itself, group by group of the metadata.

mod document_info;
mod features;
mod page;
mod pages;
mod security;
mod structure;

use crate::Options;
use crate::document::{Document, header};
use crate::failure::Fault;
use crate::integrity;
use crate::metadata::{Basic, FileDigest, Metadata};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use document_info::Info;

/// Raised when answers change.
const ENGINE: u32 = 2;

/// Everything that an opened file says.
pub(crate) fn describe(document: &mut Document, options: &Options) -> Result<Metadata, Fault> {
    let catalog = document.catalog()?;
    let root = document.node(catalog.get(Key::Pages))?;
    let first = pages::first(document, &root.dictionary)?;
    let pages = pages::count(document, catalog.get(Key::Pages), &root, first.as_ref().map(|first| first.depth))?;
    if pages == 0 {
        return Err(document.no_pages());
    }
    let info = Info::read(document, &catalog)?;
    let page = first.as_ref().map(|first| &*first.page);
    let structure = structure::describe(document)?;
    let layers = info.layers(document)?;
    let features = features::find(document, &catalog)?;
    let basic = Basic { pages, pdf_version: version(document, &catalog) };
    let texts = info.texts(document, &catalog, &layers)?;
    let first_page = page::describe(document, page)?;
    let given = integrity::Given {
        catalog: &catalog,
        page,
        page_id: first.as_ref().and_then(|first| first.id),
        layers: &layers,
        identifier: [&structure.document_id.original, &structure.document_id.current].map(Option::as_deref),
        pages,
        is_signed: features.signatures,
    };
    // last, so that what it spends is missed by nothing else
    let (integrity, hidden) = integrity::examine(document, &given, options)?;
    Ok(Metadata {
        file: FileDigest::default(),
        basic,
        page_count: pages,
        document: texts,
        dates: document_info::dates(&layers),
        security: security::describe(document.security.as_ref()),
        page: first_page,
        features,
        conformance: info.conformance(),
        xmp: info.xmp(),
        integrity,
        hidden,
        structure,
        engine: ENGINE,
    })
}

/// The newer of the header's and the catalog's version.
fn version(document: &Document, catalog: &Picked) -> Option<String> {
    let catalog = catalog.get(Key::Version).as_name().and_then(header::Version::parse);
    document.header.version.max(catalog).map(|version| version.to_string())
}
