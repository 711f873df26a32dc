//! Was this file changed after it was made, and what shows it: signals, the verdict that follows, and the evidence.
//!
//! A file can show that it was changed, or that it was not changed since it was signed; never that it was never
//! changed. What is not understood is said to be so; it never costs the rest of the metadata.

pub(crate) mod claims;
mod event;
mod findings;
mod hidden;
mod judgement;
mod publicity;
pub(crate) mod report;
mod revision;
pub(crate) mod signal;
pub(crate) mod signature;
pub(crate) mod summary;
mod verdict;

use std::collections::BTreeSet;

use crate::Options;
use crate::content::Contents;
use crate::document::Document;
use crate::document::form::FormFields;
use crate::document::pages::PageLeaf;
use crate::failure::{Fault, tried};
use crate::hidden::PageFindings;
use crate::hidden::report::{Hidden, PageOutline};
use crate::syntax::dictionary::Dictionary;
use claims::MetadataLayers;
use findings::Findings;
use judgement::{Ground, Judged};
use publicity::Publicity;
use report::{
    After, Change, Examined, ExaminedBytes, Integrity, Outcome, Signal, Signature, SignatureStatus, Strength,
    USAGE_CAUTION,
};
use revision::History;
pub(crate) use revision::seen_lines;
use signal::SignalId;
use signature::Signatures;
use summary::Grounds;
use verdict::Facts;

/// Version of the rules.
const RULES: u32 = 5;

/// Signatures told of.
const SIGNATURES: usize = 50;

/// Pages that are drawn.
const OUTLINES: usize = 5;

/// What was learnt of the file already.
pub(crate) struct Given<'g> {
    pub(crate) catalog: &'g Dictionary,
    pub(crate) form: &'g FormFields,
    /// Number of the first page's object.
    pub(crate) first: Option<u32>,
    /// The first page, with what it inherits.
    pub(crate) page: Option<&'g Dictionary>,
    pub(crate) layers: &'g MetadataLayers,
    /// The two parts of the file identifier, in hexadecimal digits.
    pub(crate) identifier: [Option<&'g str>; 2],
    /// How many pages there are.
    pub(crate) pages: u64,
    /// Whether its form may hold signatures.
    pub(crate) is_signed: bool,
}

/// What examining a file comes to.
pub(crate) struct Examination {
    pub(crate) integrity: Integrity,
    pub(crate) hidden: Hidden,
    /// Whether the pages that were looked at are pictures alone; none if none was.
    pub(crate) image_only: Option<bool>,
    /// Those pages.
    pub(crate) looked_at: Vec<PageLeaf>,
    /// SHA-256 of the whole file in hexadecimal digits, if it was read whole.
    pub(crate) sha256: Option<String>,
}

/// Examines an opened file, and what its pages hide.
///
/// # Errors
/// Only when the source cannot be read.
pub(crate) fn examine(document: &mut Document, given: &Given, options: &Options) -> Result<Examination, Fault> {
    let mut findings = Findings::default();
    let checked = signatures(document, given, options, &mut findings)?;
    let mut history = history(document, given, &checked)?;
    let mut contents = Contents::new(document);
    let told = revision::describe(document, &mut contents, &mut history)?;
    let looked = hidden::look(document, &mut contents, given, &history, options)?;
    // after what reads more of the same; what is found before a budget runs out counts
    tried(claims::examine(document, given, &history, options, &mut findings))?;
    let publicity = Publicity { events: &history.events, pages: &looked.pages };
    for event in history.events.iter().filter(|event| event.inconclusive().is_none()) {
        let (id, strength) = event.kind.signal();
        findings.add(id, strength, publicity.evidence(event));
    }
    hidden::note(&looked, &mut findings);
    if looked.image_only == Some(true) {
        findings.note(SignalId::PagesAreImages, Strength::Neutral);
    }
    if document.xref.is_repaired() {
        findings.note(SignalId::StructureDamaged, Strength::Neutral);
    }
    signature::weakness::note(&checked.checked, &mut findings);
    // what is not known of a signature is never nothing
    if checked.left_out {
        findings.note(SignalId::SignatureUnchecked, Strength::Neutral);
    }
    let ground = Ground { history: &history, publicity: &publicity, end: document.reader.len() };
    let judged = judgement::judge(&checked.checked, &ground, &mut findings);
    let examined = Examined {
        revisions: history.examined,
        saves: history.deviating.clone(),
        bytes: if checked.file.is_some() { ExaminedBytes::All } else { ExaminedBytes::Needed },
        content: hidden::examined(told, &looked, options),
    };
    let integrity = put_together((&history, &looked, &publicity), judged, findings, examined);
    let (hidden, image_only) = (looked.report(), looked.image_only);
    Ok(Examination { integrity, hidden, image_only, looked_at: looked.looked_at, sha256: checked.file })
}

/// The signatures, checked; those of a repaired file too: what range, digest and value say does not depend on its
/// cross-reference. What cannot be read at all is no reason to see nothing wrong.
fn signatures(
    document: &mut Document,
    given: &Given,
    options: &Options,
    findings: &mut Findings,
) -> Result<Signatures, Fault> {
    if !given.is_signed && !given.catalog.has(b"Perms") {
        return Ok(Signatures::default());
    }
    let checked = tried(signature::check(document, given.catalog, given.form, options.anchors))?;
    if checked.is_none() {
        // one that takes too long is not one without signatures
        document.budget.deadline.check()?;
        findings.note(SignalId::StructureDamaged, Strength::Neutral);
    }
    Ok(checked.unwrap_or_default())
}

/// What the revisions did; nothing of a repaired file, whose offsets are guessed.
fn history(document: &mut Document, given: &Given, signatures: &Signatures) -> Result<History, Fault> {
    if document.xref.is_repaired() {
        return Ok(History::default());
    }
    Ok(tried(revision::examine(document, given, signatures))?.unwrap_or_default())
}

/// The answer that follows.
fn put_together(
    (history, looked, publicity): (&History, &PageFindings, &Publicity),
    judged: Judged,
    findings: Findings,
    examined: Examined,
) -> Integrity {
    let Judged { signatures, forbidden, permitted } = judged;
    let signals = findings.finish();
    let (verdict, because) =
        verdict::decide(&Facts { signals: &signals, signatures: &signatures, examined: &examined });
    let grounds = Grounds {
        verdict,
        because: &because,
        signals: &signals,
        signatures: &signatures,
        history,
        looked,
        content: examined.content,
        publicity,
        forbidden: forbidden.first().copied(),
        permitted: &permitted,
    };
    let (summary, reason) = (summary::sentence(&grounds), summary::reason(&grounds));
    let since = |revision: u32| -> Vec<Change> {
        let later = history.events.iter().filter(|event| event.revision > revision);
        let changes: BTreeSet<Change> = later.filter_map(|event| event.kind.change()).collect();
        changes.into_iter().collect()
    };
    Integrity {
        verdict,
        outcome: Outcome::of(verdict, because.contains(&SignalId::PagesAreImages)),
        summary: summary.text,
        summary_public: summary.is_public,
        because,
        reason,
        changes: since(1),
        changed_after_signing: verdict::newest_covering(&signatures).map(|signature| since(signature.revision)),
        revisions: history.revisions.clone(),
        signatures: shown(signatures),
        pages: outlines(looked, &signals),
        signals,
        examined,
        rules: RULES,
        usage_caution: USAGE_CAUTION,
    }
}

/// The pages to be drawn: those that pieces of evidence have a place on, and those that hide something.
fn outlines(looked: &PageFindings, signals: &[Signal]) -> Vec<PageOutline> {
    let evidence = signals.iter().flat_map(|signal| &signal.evidence);
    let shown = evidence.filter(|evidence| evidence.r#box.is_some()).filter_map(|evidence| evidence.page);
    let pages: BTreeSet<u32> = shown.chain(looked.findings.iter().map(|finding| finding.page)).collect();
    pages.iter().filter_map(|page| Some(looked.pages.get(page)?.outline(*page))).take(OUTLINES).collect()
}

/// As many signatures as are told of, oldest first: those that decide, then the newest.
fn shown(mut signatures: Vec<Signature>) -> Vec<Signature> {
    let mut surplus = signatures.len().saturating_sub(SIGNATURES);
    signatures.retain(|signature| {
        let is_quiet = signature.status == SignatureStatus::Intact && signature.after == Some(After::Nothing);
        let goes = surplus > 0 && is_quiet;
        surplus -= usize::from(goes);
        !goes
    });
    signatures.truncate(SIGNATURES);
    signatures
}
