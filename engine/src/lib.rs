//! Reads what a PDF says about itself: pages, texts, dates, encryption, structure, features; and whether it was changed
//! since it was made or signed, with what shows it. [`analyze`] is the way in.
//!
//! # Features
//! - Any [`Source`] that can read ranges: memory, a local file, an object in a bucket. An intact file is read in a few
//!   rounds and hardly at all, however large it is, unless it is signed: then it is read whole, once. What is answered depends
//!   on the bytes, the password and the time given alone, not on the source.
//! - PDF 1.0 to 2.0: cross-reference tables and streams, both in one file, updates, object streams, linearized files.
//! - Encryption by the standard security handler, RC4 and AES with 40 to 256 bits, by the user's or the owner's password.
//! - Files as they are: wrong offsets and lengths, junk around the file, missing ends. A file that cannot be read the
//!   usual way is scanned once, in constant memory, and its cross-reference rebuilt.
//! - What each later revision did to the one before it, page by page and field by field; digital signatures, checked
//!   by range, digest and value (RSA, ECDSA, Ed25519), and held against what they permit; dates, software and layout that
//!   contradict each other. Every finding names its place and both states.
//! - Text that pages hide: under what was painted over it, in the colour of the paper, marked for a redaction that was never
//!   carried out.
//! - Hostile files: every loop spends from a budget of steps, memory and reads, and the caller may limit processor time
//!   and set a deadline. No input takes more than 48 MB beside the file.
//!
//! # Limitations
//! - Nothing is rendered: what is said of pages is their number and the first one's size. The content of the first 20 pages,
//!   and of those that later revisions touched, is read for text and for what lies over it, as far as its budget goes; pictures
//!   are not looked into.
//! - Public-key security handlers and those of other makers are refused, as is what they encrypt.
//! - Of a damaged file, the last object of each number counts; what a later update has deleted may come back, and what
//!   stands in streams that cannot be decoded is lost.
//! - Whom a certificate belongs to is only told by issuers whom the caller names ([`Anchor`]); no list of them is built in,
//!   and nothing is looked up, revocation neither. Claims of conformance are reported, not verified.
//! - A file that was written anew as a whole shows nothing of its earlier states; of a damaged one they are not compared.
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
//! Section numbers in this crate refer to ISO 32000-1 unless they say otherwise.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

mod budget;
mod compare;
mod content;
mod describe;
mod document;
mod encryption;
mod failure;
mod hidden;
mod input;
mod integrity;
mod metadata;
mod stream;
mod syntax;
mod text;
mod xref;

pub use compare::{Comparison, FieldChange, MetadataChange, PlacedWords, Relation, Side, WordChange, compare};
pub use content::{Area, AreaKind, Line, PageText, Rectangle, Run, Word, page_texts};
pub use encryption::handler::Algorithm;
pub use failure::{Failure, Reason, SourceError};
pub use hidden::report::{ExaminedContent, Hidden, HiddenItem, HiddenKind, PageOutline};
pub use input::reader::Stats;
pub use input::source::{LocalFile, Memory, Source};
pub use integrity::report::{
    After, AnchorSource, Basis, Change, Covers, DecidingReason, Evidence, Examined, ExaminedBytes, ExaminedRevisions,
    Integrity, Level, Objects, Outcome, PublicTexts, Revision, RevocationStatus, Signal, Signature, SignatureKind,
    SignatureReason, SignatureStatus, SignedAt, SignerCertificate, Strength, TimeSource, Trust, TrustAnchor,
    TrustStatus, USAGE_CAUTION, Verdict,
};
pub use integrity::signal::{Sides, SignalId, TextOrigin};
pub use integrity::signature::{Anchor, AnchorFault};
pub use integrity::summary::{AS_TRUSTED, for_others, joined};
pub use metadata::{
    Basic, Conformance, Date, Dates, DigestSource, DocumentId, ExaminedFeatures, Features, FileDigest, Form, Metadata,
    Page, PageFormat, Permissions, Security, Structure, Texts, Xmp,
};

pub use text::is_unseen;
pub use xref::XrefKind;

use chrono::{DateTime, Utc};
use describe::describe;
use document::Document;
use failure::Fault;

/// What the caller has to say about an analysis. Not `Debug`: it holds a password.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// A password to try when the empty one does not open the file: the user's or the owner's.
    pub password: Option<&'a str>,
    /// When to give up with [`Failure::Source`]: until then the file could not be read, whatever kept it waiting.
    pub deadline: Option<Instant>,
    /// How much of a processor's time it may take, beyond which it is [`Reason::TooComplex`].
    pub processor_time: Option<Duration>,
    /// The time of the analysis, against which dates in the file are held; without it none lies in the future.
    pub now: Option<DateTime<Utc>>,
    /// Whether what pages show is only read where a later revision changed it. What they hide is not told then, nor that an
    /// annotation is dated later than the document.
    pub skip_content: bool,
    /// Issuers whom the reader trusts; without any nobody is told to be trusted or not.
    pub anchors: &'a [Anchor],
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
    // no input is known to make the engine panic. Should one be found, it must not take the process with it.
    let result = catch_unwind(AssertUnwindSafe(|| read(source, options, &mut stats)));
    (result.unwrap_or(Err(Fault::Damaged)).map_err(Failure::from), stats)
}

fn read(source: &dyn Source, options: &Options, stats: &mut Stats) -> Result<Metadata, Fault> {
    let mut document = Document::open(source, options)?;
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
