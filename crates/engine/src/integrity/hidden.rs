//! Hidden text as evidence of changes.

use std::collections::BTreeSet;

use super::DocumentContext;
use super::findings::Findings;
use super::report::{Evidence, Strength};
use super::revision::History;
use super::signal::SignalId;
use crate::Options;
use pdf_content::ContentReader;
use pdf_content::hidden::report::{ExaminedContent, HiddenKind};
use pdf_content::hidden::{self, Cover, HiddenText, LeftoverKind, PageFindings};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;

/// Inspects the pages, first those that later revisions changed.
pub(super) fn inspect(
    document: &mut Document,
    contents: &mut ContentReader,
    given: &DocumentContext,
    history: &History,
    options: &Options,
) -> Result<PageFindings, Fault> {
    if options.skip_content {
        return Ok(PageFindings::default());
    }
    let touched: BTreeSet<u32> = history.revisions.iter().flat_map(|revision| revision.pages.iter().copied()).collect();
    // later revisions are compared with the oldest one
    let oldest = match history.total {
        _ if document.xref.is_repaired() => None,
        0 | 1 => Some(State(0)),
        _ => history.ends.get(&1).map(|&end| document.state_at(end)),
    };
    hidden::inspect(document, contents, &touched, (given.pages, oldest))
}

/// Records the findings as signals.
pub(super) fn record(results: &PageFindings, findings: &mut Findings) {
    for finding in &results.findings {
        let (id, strength) = signal(finding);
        findings.add(id, strength, finding.into());
    }
    for leftover in &results.leftovers {
        let evidence = Evidence::of(leftover.kind.name(), Some(&leftover.text), None);
        let evidence = Evidence { object: Some(leftover.object), ..evidence };
        let id = match leftover.kind {
            LeftoverKind::SignatureAppearance => SignalId::SignatureRemoved,
            _ => SignalId::HistoryCut,
        };
        findings.add(id, Strength::Strong, evidence);
    }
}

fn signal(finding: &HiddenText) -> (SignalId, Strength) {
    match finding.kind {
        HiddenKind::Retyped => (SignalId::TextRetyped, Strength::Strong),
        HiddenKind::Covered if finding.change.is_some() => (SignalId::TextCovered, Strength::Strong),
        HiddenKind::Covered => (SignalId::TextCovered, Strength::Neutral),
        HiddenKind::RedactionUnapplied => (SignalId::RedactionUnapplied, Strength::Neutral),
        HiddenKind::Invisible if finding.cover == Some(Cover::Annotation) => {
            (SignalId::TextInvisible, Strength::Strong)
        }
        HiddenKind::Invisible | HiddenKind::Tiny | HiddenKind::HiddenLayer | HiddenKind::OffPage => {
            (SignalId::TextInvisible, Strength::Neutral)
        }
    }
}

/// Returns the extent of examined page content, for hidden text and, if changes had to be described, for changes in
/// words.
pub(super) fn examined(changes: Option<ExaminedContent>, results: &PageFindings, options: &Options) -> ExaminedContent {
    match (changes, results.examined) {
        (None, examined) => examined,
        (Some(examined), _) if options.skip_content => examined,
        (Some(changes), results) if changes == results => changes,
        _ => ExaminedContent::Part,
    }
}

impl From<&HiddenText> for Evidence {
    fn from(finding: &HiddenText) -> Self {
        let place = match (finding.kind, finding.cover) {
            (HiddenKind::Retyped | HiddenKind::Covered, Some(cover)) => cover.place(),
            (HiddenKind::Retyped | HiddenKind::Covered, None) => "under an area".to_owned(),
            (HiddenKind::RedactionUnapplied, _) => "Redact".to_owned(),
            (HiddenKind::Invisible, Some(cover)) => cover.place(),
            (HiddenKind::Invisible, None) => "invisible".to_owned(),
            (HiddenKind::Tiny, _) => "smaller than a point".to_owned(),
            (HiddenKind::HiddenLayer, _) => "in a layer that is off".to_owned(),
            (HiddenKind::OffPage, _) => "outside of the page".to_owned(),
        };
        Self {
            page: Some(finding.page),
            place: Some(place),
            before: Some(finding.change.as_ref().map_or(&finding.text, |change| &change.before).clone()),
            after: finding.change.as_ref().map(|change| change.now.clone()).filter(|now| !now.is_empty()),
            r#box: Some(finding.bounds),
            ..Self::default()
        }
    }
}
