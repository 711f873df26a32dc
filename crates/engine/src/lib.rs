//! Reads the metadata of a PDF: pages, texts, dates, encryption, structure, features; and examines whether it was changed
//! since it was created or signed, with evidence. The entry point is [`analyze`].
//!
//! # Features
//! - Any [`Source`] that can read ranges: memory, a local file, an object in a bucket. An intact file is read in a few
//!   rounds and only in small parts, regardless of its size. A signed file is read completely, once. The result depends
//!   only on the bytes, the password and the given time, not on the source.
//! - PDF 1.0 to 2.0: cross-reference tables and streams, both in one file, updates, object streams, linearized files.
//! - Encryption by the standard security handler, RC4 and AES with 40 to 256 bits, by the user's or the owner's password.
//! - Damaged files: wrong offsets and lengths, junk around the file, missing ends. A file that cannot be read the usual
//!   way is scanned once, in constant memory, and its cross-reference is rebuilt.
//! - Changes of each incremental update, by page and field; digital signatures, validated by byte range, digest and
//!   value (RSA, ECDSA, Ed25519), and the changes that they permit; contradictory dates, software and layout. Every
//!   finding has its place and both states.
//! - Hidden text: under later paint, in the color of the paper, marked for a redaction that was not applied.
//! - Hostile files: every loop spends from a budget of steps, memory and reads, and the caller may limit processor time
//!   and set a deadline. No input takes more than 48 MB beside the file.
//!
//! # Limitations
//! - Nothing is rendered: only the number of pages and the size of the first one are reported. The content of the first
//!   20 pages (500 in small files), and of pages changed by later revisions, is read for text and its covers, within a
//!   budget; there is no
//!   text recognition in images.
//! - Public-key and vendor-specific security handlers are refused.
//! - In a damaged file, the last object of each number counts; objects that a later update deleted may reappear, and
//!   objects in streams that cannot be decoded are lost.
//! - Signers are verified only against issuers that the caller provides ([`Anchor`]); no list of them is built in, and
//!   nothing is fetched, not even revocation data. Claims of conformance are reported, not verified.
//! - A file that was rewritten completely has no earlier revisions; those of a damaged file are not compared.
//! - A page tree without a usable count is walked up to 50,000 nodes; beyond, the file is [`Reason::TooComplex`].
//!
//! # Example
//! ```
//! use engine::{LocalFile, Options, analyze};
//!
//! # fn titles() -> Result<(), Box<dyn std::error::Error>> {
//! let file = LocalFile::open("report.pdf".as_ref())?;
//! let metadata = analyze(&file, &Options::default())?;
//! println!("{} pages, {:?}", metadata.basic.pages, metadata.document.title);
//! # Ok(())
//! # }
//! ```
//!
//! Section numbers in this crate refer to ISO 32000-1 unless another standard is named.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

mod compare;
mod describe;
mod integrity;
mod metadata;
mod page_texts;

pub use compare::{Comparison, FieldChange, MetadataChange, PlacedWords, Relation, Side, WordChange, compare};
pub use integrity::report::{
    After, AnchorSource, Basis, Change, Covers, DecidingReason, Evidence, Examined, ExaminedBytes, ExaminedRevisions,
    Integrity, Level, Objects, Outcome, PublicTexts, Revision, RevocationStatus, Signal, Signature, SignatureKind,
    SignatureReason, SignatureStatus, SignedAt, SignerCertificate, Strength, TimeSource, Trust, TrustAnchor,
    TrustStatus, USAGE_CAUTION, Verdict,
};
pub use integrity::signal::{Sides, SignalId, TextOrigin};
pub use integrity::signature::{Anchor, AnchorFault};
pub use integrity::summary::{is_trusted_by_account, joined, rebuilt_for_others};
pub use metadata::{
    Basic, Conformance, Date, Dates, DigestSource, DocumentId, ExaminedFeatures, Features, FileDigest, Form, Metadata,
    Page, PageFormat, Permissions, Security, Structure, Texts, Xmp,
};
pub use page_texts::page_texts;
pub use pdf_content::hidden::report::{ExaminedContent, Hidden, HiddenItem, HiddenKind, PageOutline};
pub use pdf_content::{Area, AreaKind, Line, PageText, Rectangle, Run, Word};
pub use pdf_syntax::encryption::handler::Algorithm;
pub use pdf_syntax::failure::{Failure, Reason, SourceError};
pub use pdf_syntax::input::reader::Stats;
pub use pdf_syntax::input::source::{LocalFile, Memory, Source};

pub use pdf_syntax::text::is_unseen;
pub use pdf_syntax::xref::XrefKind;

use chrono::{DateTime, Utc};
use describe::describe;
use pdf_syntax::budget::TimeLimit;
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;

/// Options of an analysis. Not `Debug`: they contain a password.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// A password to try when the empty one does not open the file: the user's or the owner's.
    pub password: Option<&'a str>,
    /// When to give up with [`Failure::Source`], as the file could not be read in time.
    pub deadline: Option<Instant>,
    /// Maximum processor time, beyond which the file is [`Reason::TooComplex`].
    pub processor_time: Option<Duration>,
    /// The time of the analysis, with which dates in the file are compared; without it no date is in the future.
    pub now: Option<DateTime<Utc>>,
    /// Whether page content is read only where a later revision changed it. Hidden text, and annotations dated later
    /// than the document, are not reported then.
    pub skip_content: bool,
    /// Trusted issuers; without any, no signer is reported as trusted or untrusted.
    pub anchors: &'a [Anchor],
}

impl Options<'_> {
    /// The time limit of an analysis that starts now on this thread.
    fn time_limit(&self) -> TimeLimit {
        TimeLimit::new(self.deadline, self.processor_time)
    }
}

/// Extracts the metadata of the PDF in `source`.
///
/// # Errors
/// [`Failure::Rejected`] if something is wrong with the file, [`Failure::Source`] if it could not be read.
pub fn analyze(source: &dyn Source, options: &Options) -> Result<Metadata, Failure> {
    analyze_measured(source, options).0
}

/// Like [`analyze`], and returns the cost.
pub fn analyze_measured(source: &dyn Source, options: &Options) -> (Result<Metadata, Failure>, Stats) {
    let mut stats = Stats { file_size: source.len(), ..Stats::default() };
    // no input is known to make the engine panic; if there is one, it must not end the process
    let result = catch_unwind(AssertUnwindSafe(|| read(source, options, &mut stats)));
    (result.unwrap_or(Err(Fault::Damaged)).map_err(Failure::from), stats)
}

fn read(source: &dyn Source, options: &Options, stats: &mut Stats) -> Result<Metadata, Fault> {
    let mut document = Document::open(source, options.time_limit())?;
    let intact = document.load(options.password).and_then(|()| describe(&mut document, options));
    let metadata = match intact {
        Err(Fault::Damaged) => document.repair(options.password).and_then(|()| describe(&mut document, options)),
        intact => intact,
    };
    *stats = Stats { steps: document.budget.steps_spent(), ..document.reader.stats() };
    match metadata {
        Err(Fault::Damaged | Fault::Rejected(Reason::NoPages)) if document.header.is_missing => {
            Err(Fault::Rejected(Reason::NotAPdf))
        }
        metadata => metadata,
    }
}
