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
mod integrity;
mod metadata;
mod stream;
mod syntax;
mod text;
mod xref;

pub use failure::{Failure, Reason, SourceError};
pub use input::reader::Stats;
pub use input::source::{LocalFile, Memory, Source};
pub use integrity::report::{
    After, Change, Covers, Evidence, Examined, ExaminedBytes, ExaminedRevisions, Integrity, Objects, Revision, Signal,
    Signature, SignatureKind, SignatureReason, SignatureStatus, Strength, Verdict,
};
pub use integrity::signal::SignalId;
pub use metadata::{
    Algorithm, Basic, Conformance, Date, Dates, DocumentId, Features, Form, Metadata, Page, PageFormat, Permissions,
    Security, Structure, Texts, Xmp, XrefKind,
};

use chrono::{DateTime, Utc};
use describe::describe;
use document::Document;
use failure::Fault;

/// What the caller has to say about an analysis. Not `Debug`: it holds a password.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// A password to try when the empty one does not open the file: the user's or the owner's.
    pub password: Option<&'a str>,
    /// When to give up with [`Reason::TooComplex`].
    pub deadline: Option<Instant>,
    /// The time of the analysis, against which dates in the file are held; without it none lies in the future.
    pub now: Option<DateTime<Utc>>,
    /// Whether a file that is neither small nor in memory is read whole to check its signatures. Without it they are
    /// [`SignatureStatus::Unchecked`].
    pub verify_signatures: bool,
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
    let mut document = Document::open(source, options.deadline)?;
    let intact = document.load(options.password).and_then(|()| describe(&mut document, options));
    let metadata = match intact {
        Err(Fault::Damaged) => document.repair(options.password).and_then(|()| describe(&mut document, options)),
        intact => intact,
    };
    *stats = document.reader.stats();
    match metadata {
        Err(Fault::Damaged | Fault::Rejected(Reason::NoPages)) if document.header.is_missing => {
            Err(Fault::Rejected(Reason::NotAPdf))
        }
        metadata => metadata,
    }
}
