//! PDF metadata extraction: reads what a document says about itself, and no more of the file than that takes.
//!
//! A file is read in few rounds from wherever it is, only the objects that matter are parsed, and everything has a
//! budget. Section numbers in these modules refer to ISO 32000-1 unless they say otherwise.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

mod budget;
mod describe;
mod document;
mod encryption;
mod failure;
mod input;
mod metadata;
mod stream;
mod syntax;
mod text;
mod xref;

pub use failure::{Failure, Reason, SourceError};
pub use input::reader::Stats;
pub use input::source::{LocalFile, Memory, Source};
pub use metadata::{
    Algorithm, Basic, Conformance, Date, Dates, DocumentId, Features, Form, Metadata, Page, PageFormat, Permissions,
    Security, Structure, Texts, Xmp,
};
pub use xref::XrefKind;

use describe::document_info::Info;
use describe::{features, page, pages, security, structure};
use document::{File, header};
use failure::Fault;
use syntax::object::Dictionary;

/// What the caller has to say about an analysis. Not `Debug`: it holds a password.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// A password to try when the empty one does not open the file: the user's or the owner's.
    pub password: Option<&'a str>,
    /// When to give up with [`Reason::TooComplex`].
    pub deadline: Option<Instant>,
}

/// Extracts the metadata of the PDF in `source`.
///
/// # Errors
/// [`Failure::Rejected`] says what is wrong with the file, [`Failure::Source`] that it could not be read.
pub fn analyze(source: &dyn Source, options: &Options) -> Result<Metadata, Failure> {
    analyze_measured(source, options).0
}

/// Like [`analyze`], and says what it cost.
pub fn analyze_measured(source: &dyn Source, options: &Options) -> (Result<Metadata, Failure>, Stats) {
    let mut stats = Stats { file_size: source.len(), ..Stats::default() };
    // No input is known to make the engine panic. Should one be found, it must not take the process with it.
    let result = catch_unwind(AssertUnwindSafe(|| read(source, options, &mut stats)));
    (result.unwrap_or(Err(Fault::Damaged)).map_err(Failure::from), stats)
}

fn read(source: &dyn Source, options: &Options, stats: &mut Stats) -> Result<Metadata, Fault> {
    let mut file = File::open(source, options.deadline)?;
    let intact = file.load(options.password).and_then(|()| describe(&mut file));
    let metadata = match intact {
        Err(Fault::Damaged) => file.repair(options.password).and_then(|()| describe(&mut file)),
        intact => intact,
    };
    *stats = file.reader.stats();
    match metadata {
        Err(Fault::Damaged | Fault::Rejected(Reason::NoPages)) if file.header.is_missing => {
            Err(Fault::Rejected(Reason::NotAPdf))
        }
        metadata => metadata,
    }
}

/// Everything that an opened file says.
fn describe(file: &mut File) -> Result<Metadata, Fault> {
    let catalog = file.catalog()?;
    let root = file.dictionary(catalog.get(b"Pages"))?;
    let first = pages::first(file, &root)?;
    let pages = pages::count(file, catalog.get(b"Pages"), &root, first.as_ref().map(|first| first.depth))?;
    if pages == 0 {
        return Err(file.no_pages());
    }
    let info = Info::read(file, &catalog)?;
    Ok(Metadata {
        basic: Basic { pages, pdf_version: version(file, &catalog) },
        page_count: pages,
        document: info.texts(file, &catalog)?,
        dates: info.dates(file)?,
        security: security::describe(file.crypt.as_ref()),
        structure: structure::describe(file)?,
        page: page::describe(file, first.as_ref().map(|first| &*first.page))?,
        features: features::find(file, &catalog)?,
        conformance: info.conformance(),
        xmp: info.xmp(),
    })
}

/// The newer of the header's and the catalog's version.
fn version(file: &File, catalog: &Dictionary) -> Option<String> {
    let catalog = catalog.get(b"Version").as_name().and_then(header::Version::parse);
    file.header.version.max(catalog).map(|version| version.to_string())
}
