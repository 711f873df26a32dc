//! The metadata of an open document, by group.

mod document_info;
mod features;
mod page;
mod scripts;
mod security;
mod structure;

use crate::Options;
use crate::integrity::{self, Examination};
use crate::metadata::{Basic, DigestSource, FileDigest, Metadata};
use document_info::Info;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::pages::{self, PageLeaf, Pages};
use pdf_syntax::document::{Document, header};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Raised when answers change.
const ENGINE: u32 = 4;

/// Returns all metadata of an open file.
pub(crate) fn describe(document: &mut Document, options: &Options) -> Result<Metadata, Fault> {
    let catalog = &*document.catalog()?;
    pages::prefetch_kids(document, catalog.get(b"Pages"))?;
    let first = Pages::read(&mut document.newest(), 1)?.leaves.into_iter().next();
    let pages = match pages::count(document, catalog.get(b"Pages"))? {
        // the tree may be locked in an object stream that cannot be decrypted
        0 if document.xref.is_repaired() => structure::linearized_pages(document)?.min(pages::possible(document)),
        pages => pages,
    };
    if pages == 0 {
        return Err(document.no_pages());
    }
    let page = first.as_ref().map_or(Ok(None), |first| first.dictionary(&mut document.newest()))?;
    let page = page.as_ref();
    let info = Info::read(document, catalog)?;
    let structure = structure::describe(document)?;
    let layers = info.layers(document)?;
    let form = FormFields::read(&mut document.newest())?;
    let mut features = features::find(document, catalog, &form)?;
    let basic = Basic { pages, pdf_version: version(document, catalog)? };
    let texts = info.texts(document, catalog, &layers)?;
    let conformance = info.conformance(document)?;
    let first_page = page::describe(document, page)?;
    let context = integrity::DocumentContext {
        catalog,
        form: &form,
        first: first.as_ref().and_then(PageLeaf::object),
        page,
        layers: &layers,
        identifier: [&structure.document_id.original, &structure.document_id.current].map(Option::as_deref),
        pages,
        is_signed: features.signatures,
    };
    // last, so that its use of the budget affects nothing else
    let Examination { integrity, hidden, image_only, sha256, looked_at } =
        integrity::examine(document, &context, options)?;
    features.image_only = image_only;
    features.signatures |= !integrity.signatures.is_empty();
    features::find_on_pages(document, &looked_at, pages, &mut features)?;
    Ok(Metadata {
        file: FileDigest { source: sha256.as_ref().map(|_| DigestSource::Computed), sha256 },
        basic,
        page_count: pages,
        document: texts,
        dates: document_info::dates(&layers),
        security: security::describe(document.security.as_ref()),
        page: first_page,
        features,
        conformance,
        xmp: info.xmp(),
        integrity,
        hidden,
        structure,
        engine: ENGINE,
    })
}

/// The newer of the header's and the catalog's version.
fn version(document: &mut Document, catalog: &Dictionary) -> Result<Option<String>, Fault> {
    let catalog = document.newest().resolve(catalog.get(b"Version"))?.as_name().and_then(header::Version::parse);
    Ok(document.header.version.max(catalog).map(|version| version.to_string()))
}
