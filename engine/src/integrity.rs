//! Was this file changed after it was made, and what shows it: signals, the verdict that follows, and the evidence.
//!
//! A file can show that it was changed, or that it was not changed since it was signed; never that it was never
//! changed. What is not understood is said to be so; it never costs the rest of the metadata.

pub(crate) mod claims;
mod event;
mod findings;
mod permission;
pub(crate) mod report;
mod revision;
pub(crate) mod signal;
mod signature;
mod summary;
mod verdict;

use std::collections::BTreeSet;

use crate::Options;
use crate::document::Document;
use crate::failure::Fault;
use crate::metadata::Structure;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Id;
use claims::Layers;
use findings::Findings;
use permission::Ground;
use report::{Change, Evidence, Examined, ExaminedBytes, ExaminedRevisions, Integrity, Signature, Strength};
use revision::History;
use signal::SignalId;
use signature::Signatures;
use summary::Told;
use verdict::Facts;

/// Version of the rules.
const RULES: u32 = 1;

/// Signatures told of.
const SIGNATURES: usize = 50;

/// What was learnt of the file already.
pub(crate) struct Given<'g> {
    pub(crate) catalog: &'g Picked,
    /// The first page, with what it inherits.
    pub(crate) page: Option<&'g Picked>,
    pub(crate) page_id: Option<Id>,
    pub(crate) layers: &'g Layers,
    pub(crate) structure: &'g Structure,
    /// Whether its form may hold signatures.
    pub(crate) is_signed: bool,
}

/// Examines an opened file.
///
/// # Errors
/// Only when the source cannot be read.
pub(crate) fn examine(document: &mut Document, given: &Given, options: &Options) -> Result<Integrity, Fault> {
    let mut findings = Findings::default();
    let history = history(document, given)?;
    // what was found before a budget ran out counts
    if let Err(Fault::Source(error)) = claims::examine(document, given, &history, options, &mut findings) {
        return Err(Fault::Source(error));
    }
    for event in &history.events {
        let (id, strength) = event.deed.signal();
        findings.add(id, strength, Evidence { revision: Some(event.revision), ..event.evidence.clone() });
    }
    if document.xref.is_repaired() {
        findings.note(SignalId::StructureDamaged, Strength::Neutral);
    }
    let checked = signatures(document, given, options, &mut findings)?;
    let ground = Ground { history: &history, end: document.reader.len() };
    let mut signatures = permission::judge(&checked.checked, &ground, &mut findings);
    signatures.truncate(SIGNATURES);
    let examined = Examined {
        revisions: history.examined,
        bytes: if checked.read_all { ExaminedBytes::All } else { ExaminedBytes::Needed },
    };
    Ok(put_together(history, signatures, findings, examined))
}

/// The signatures, checked; those of a repaired file too: what range, digest and value say does not depend on its
/// cross-reference. What cannot be read at all is no reason to see nothing wrong.
fn signatures(
    document: &mut Document,
    given: &Given,
    options: &Options,
    findings: &mut Findings,
) -> Result<Signatures, Fault> {
    if !given.is_signed && !given.catalog.has(Key::Perms) {
        return Ok(Signatures::default());
    }
    match signature::check(document, given.catalog, options) {
        Err(Fault::Source(error)) => Err(Fault::Source(error)),
        Err(_) => {
            findings.note(SignalId::StructureDamaged, Strength::Neutral);
            Ok(Signatures::default())
        }
        checked => checked,
    }
}

/// What the revisions did; nothing of a repaired file, whose offsets are guessed.
fn history(document: &mut Document, given: &Given) -> Result<History, Fault> {
    let unknown = |examined| History { revisions: Vec::new(), total: 0, events: Vec::new(), examined };
    if document.xref.is_repaired() {
        return Ok(unknown(ExaminedRevisions::None));
    }
    match revision::examine(document, given) {
        Err(Fault::Source(error)) => Err(Fault::Source(error)),
        Err(_) => Ok(unknown(ExaminedRevisions::None)),
        history => history,
    }
}

/// The answer that follows.
fn put_together(history: History, signatures: Vec<Signature>, findings: Findings, examined: Examined) -> Integrity {
    let signals = findings.finish();
    let (verdict, because) = verdict::decide(&Facts { signals: &signals, signatures: &signatures, examined });
    let told = Told {
        verdict,
        because: &because,
        signals: &signals,
        signatures: &signatures,
        revisions: &history.revisions,
        total: history.total,
    };
    let summary = summary::sentence(&told);
    let since = |revision: u32| -> Vec<Change> {
        let later = history.events.iter().filter(|event| event.revision > revision);
        let changes: BTreeSet<Change> = later.filter_map(|event| event.deed.change()).collect();
        changes.into_iter().collect()
    };
    Integrity {
        verdict,
        summary,
        because,
        changes: since(1),
        changed_after_signing: verdict::newest_covering(&signatures).map(|signature| since(signature.revision)),
        revisions: history.revisions,
        signatures,
        signals,
        examined,
        rules: RULES,
    }
}
