//! Whether a file was changed after it was made, and the evidence: signals and the verdict that follows from them. A
//! file can show a change, or that it is unchanged since it was signed; it can never show that it was never changed.
//! Inconclusive results are reported as such and never cost the rest of the metadata.

mod clause;
mod disclosure;
mod event;
mod findings;
pub(crate) mod heuristics;
mod hidden;
mod judgement;
pub(crate) mod report;
mod revision;
pub(crate) mod signal;
pub(crate) mod signature;
pub(crate) mod summary;
mod verdict;

use std::collections::BTreeSet;

use crate::Options;
use disclosure::Disclosure;
use findings::Findings;
use heuristics::MetadataLayers;
use judgement::{JudgementContext, SignatureAssessment};
use pdf_content::ContentReader;
use pdf_content::hidden::PageFindings;
use pdf_content::hidden::report::{Hidden, PageOutline};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;
use report::{
    After, Change, Evidence, Examined, ExaminedBytes, Integrity, Outcome, Signal, Signature, SignatureStatus, Strength,
    USAGE_CAUTION,
};
use revision::History;
pub(crate) use revision::visible_lines;
use signal::SignalId;
use signature::Signatures;
use summary::{Reader, SummaryInput};
use verdict::Facts;

/// Version of the verdict rules, stored with each report.
const RULES: u32 = 7;

/// Maximum signatures reported.
const MAX_SIGNATURES: usize = 50;

/// Maximum page outlines reported.
const MAX_OUTLINES: usize = 5;

/// Document context from the earlier stages of the analysis.
pub(crate) struct DocumentContext<'g> {
    pub(crate) catalog: &'g Dictionary,
    pub(crate) form: &'g FormFields,
    /// Object number of the first page.
    pub(crate) first: Option<u32>,
    /// The first page with its inherited entries.
    pub(crate) page: Option<&'g Dictionary>,
    pub(crate) layers: &'g MetadataLayers,
    /// Both parts of the file identifier, in hexadecimal digits.
    pub(crate) identifier: [Option<&'g str>; 2],
    /// Number of pages.
    pub(crate) pages: u64,
    /// Whether the form may contain signatures.
    pub(crate) is_signed: bool,
}

/// The result of the examination.
pub(crate) struct Examination {
    pub(crate) integrity: Integrity,
    pub(crate) hidden: Hidden,
    /// Whether the examined pages are images without text; `None` if none was examined.
    pub(crate) image_only: Option<bool>,
    /// The examined pages.
    pub(crate) looked_at: Vec<PageLeaf>,
    /// SHA-256 of the file in hexadecimal digits, if all of it was read.
    pub(crate) sha256: Option<String>,
}

/// Examines an opened file and the hidden text of its pages.
///
/// # Errors
/// Only when the source cannot be read.
pub(crate) fn examine(
    document: &mut Document,
    context: &DocumentContext,
    options: &Options,
) -> Result<Examination, Fault> {
    let mut findings = Findings::default();
    let is_signed = context.is_signed || context.catalog.has(b"Perms");
    let mut checked =
        if is_signed { signatures(document, context, options, &mut findings)? } else { Signatures::default() };
    let mut history = compare(document, context, &checked)?;
    let mut contents = ContentReader::new(document);
    let has_signatures = !checked.checked.is_empty() || checked.is_truncated;
    let mut text_coverage = revision::describe(document, &mut contents, &mut history, has_signatures)?;
    let looked = hidden::inspect(document, &mut contents, context, &history, options)?;
    let shown = &looked.inspected_pages;
    if !is_signed && tried(signature::has_shown(document, shown, context.form))?.unwrap_or_default() {
        checked = signatures(document, context, options, &mut findings)?;
        history = compare(document, context, &checked)?;
        text_coverage = revision::describe(document, &mut contents, &mut history, true)?;
    }
    // after the stages that read more of the same data; findings from before an exhausted budget count
    tried(heuristics::examine(document, context, &history, options, &mut findings))?;
    let disclosure = Disclosure { events: &history.events, pages: &looked.pages };
    for event in history.events.iter().filter(|event| event.inconclusive().is_none()) {
        let (id, strength) = event.kind.signal();
        findings.add(id, strength, disclosure.evidence(event));
    }
    hidden::record(&looked, &mut findings);
    if looked.image_only == Some(true) {
        findings.record(SignalId::PagesAreImages, Strength::Neutral);
    }
    if document.xref.is_repaired() {
        let place = Evidence::of("cross-reference table", None, None);
        findings.add(SignalId::StructureDamaged, Strength::Neutral, place);
    }
    signature::weakness::record(&checked.checked, &mut findings);
    // an unknown signature is never treated as none
    if checked.is_truncated {
        findings.record(SignalId::SignatureUnchecked, Strength::Neutral);
    }
    let judgement_context =
        JudgementContext { history: &history, disclosure: &disclosure, end: document.reader.file_size() };
    let assessment = judgement::judge(&checked.checked, &judgement_context, &mut findings);
    let examined = Examined {
        revisions: history.examined,
        saves: history.deviating.clone(),
        bytes: if checked.file.is_some() { ExaminedBytes::All } else { ExaminedBytes::Needed },
        content: hidden::examined(text_coverage, &looked, options),
    };
    let integrity = assemble((&history, &looked, &disclosure), assessment, findings, examined);
    let (hidden, image_only) = (looked.report(), looked.image_only);
    Ok(Examination { integrity, hidden, image_only, looked_at: looked.inspected_pages, sha256: checked.file })
}

/// Checks the signatures, also in a repaired file: byte range, digest and value don't depend on the cross-reference.
/// Unreadable signatures are reported as unchecked ones, not as none.
fn signatures(
    document: &mut Document,
    context: &DocumentContext,
    options: &Options,
    findings: &mut Findings,
) -> Result<Signatures, Fault> {
    let checked = tried(signature::check(document, context.catalog, context.form, options.anchors))?;
    if checked.is_none() {
        // a timeout is not the absence of signatures
        document.budget.deadline.check()?;
        findings.record(SignalId::SignatureUnchecked, Strength::Neutral);
    }
    Ok(checked.unwrap_or_default())
}

/// Compares the revisions; skipped for a repaired file, whose offsets are reconstructed.
fn compare(document: &mut Document, context: &DocumentContext, signatures: &Signatures) -> Result<History, Fault> {
    if document.xref.is_repaired() {
        return Ok(History::default());
    }
    Ok(tried(revision::examine(document, context, signatures))?.unwrap_or_default())
}

/// Assembles the report.
fn assemble(
    (history, looked, disclosure): (&History, &PageFindings, &Disclosure),
    assessment: SignatureAssessment,
    findings: Findings,
    examined: Examined,
) -> Integrity {
    let SignatureAssessment { signatures, forbidden, permitted } = assessment;
    let signals = findings.finish();
    let (verdict, because) =
        verdict::decide(&Facts { signals: &signals, signatures: &signatures, examined: &examined });
    let input = SummaryInput {
        verdict,
        because: &because,
        signals: &signals,
        signatures: &signatures,
        history,
        looked,
        content: examined.content,
        disclosure,
        forbidden: forbidden.first().copied(),
        permitted: &permitted,
        reader: Reader::Account,
    };
    let (summary, reason) = (summary::sentence(&input), summary::reason(&input));
    let since = |revision: u32| -> Vec<Change> {
        let later = history.events.iter().filter(|event| event.revision > revision);
        let changes: BTreeSet<Change> = later.filter_map(|event| event.kind.change()).collect();
        changes.into_iter().collect()
    };
    Integrity {
        verdict,
        outcome: Outcome::of(verdict, because.contains(&SignalId::PagesAreImages)),
        summary_shared: summary::for_others(&input, &summary),
        summary: summary.text,
        summary_public: summary.is_public,
        because,
        reason,
        changes: since(1),
        changed_after_signing: verdict::newest_covering(&signatures).map(|signature| since(signature.revision)),
        revisions: history.revisions.clone(),
        signatures: reported(signatures),
        pages: outlines(looked, &signals),
        signals,
        examined,
        rules: RULES,
        usage_caution: USAGE_CAUTION,
    }
}

/// Outlines of the pages with located evidence or hidden text.
fn outlines(looked: &PageFindings, signals: &[Signal]) -> Vec<PageOutline> {
    let evidence = signals.iter().flat_map(|signal| &signal.evidence);
    let shown = evidence.filter(|evidence| evidence.r#box.is_some()).filter_map(|evidence| evidence.page);
    let pages: BTreeSet<u32> = shown.chain(looked.findings.iter().map(|finding| finding.page)).collect();
    pages.iter().filter_map(|page| Some(looked.pages.get(page)?.outline(*page))).take(MAX_OUTLINES).collect()
}

/// The signatures to report, oldest first: if there are too many, unremarkable old ones are dropped first.
fn reported(mut signatures: Vec<Signature>) -> Vec<Signature> {
    let mut surplus = signatures.len().saturating_sub(MAX_SIGNATURES);
    signatures.retain(|signature| {
        let is_quiet = signature.status == SignatureStatus::Intact && signature.after == Some(After::Nothing);
        let goes = surplus > 0 && is_quiet;
        surplus -= usize::from(goes);
        !goes
    });
    signatures.truncate(MAX_SIGNATURES);
    signatures
}
