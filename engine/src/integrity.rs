//! Was this file changed after it was made, and what shows it: signals, the verdict that follows, and the evidence.
//!
//! A file can show that it was changed, or that it was not changed since it was signed; never that it was never
//! changed. What is not understood is said to be so; it never costs the rest of the metadata.

mod findings;
pub(crate) mod report;
pub(crate) mod signal;
mod signature;
mod summary;
mod verdict;

use crate::Options;
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use findings::Findings;
use report::{After, Examined, ExaminedBytes, ExaminedRevisions, Integrity};
use signature::Signatures;
use summary::Told;
use verdict::Facts;

/// Version of the rules.
const RULES: u32 = 1;

/// Examines an opened file; `is_signed` says that its form may hold signatures.
///
/// # Errors
/// Only when the source cannot be read.
pub(crate) fn examine(
    document: &mut Document,
    catalog: &Picked,
    is_signed: bool,
    options: &Options,
) -> Result<Integrity, Fault> {
    let findings = Findings::default();
    let checked = if is_signed || catalog.has(Key::Perms) {
        signature::check(document, catalog, options)?
    } else {
        Signatures::default()
    };
    let examined = Examined {
        revisions: ExaminedRevisions::All,
        bytes: if checked.read_all { ExaminedBytes::All } else { ExaminedBytes::Needed },
    };
    let revisions = Vec::new();
    let signatures: Vec<_> = checked.checked.iter().map(|checked| checked.told(1, After::Nothing)).collect();
    let signals = findings.finish();
    let (verdict, because) = verdict::decide(&Facts { signals: &signals, signatures: &signatures, examined });
    let told = Told {
        verdict,
        because: &because,
        signals: &signals,
        signatures: &signatures,
        revisions: &revisions,
        total: revisions.len() as u32,
    };
    let summary = summary::sentence(&told);
    Ok(Integrity {
        verdict,
        summary,
        because,
        changes: Vec::new(),
        changed_after_signing: None,
        revisions,
        signatures,
        signals,
        examined,
        rules: RULES,
    })
}
