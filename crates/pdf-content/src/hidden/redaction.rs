//! Text marked by a redaction annotation that was not applied (12.5.6.23).

use super::finding::HiddenText;
use super::page_visibility::{PageVisibility, is_meaningful};
use super::report::HiddenKind;
use crate::{AnnotationKind, Run, covered_part};

/// Share of a text that must be inside the marks.
const MARKED_MIN_PART: f64 = 0.5;

/// Returns the marked text of a page, one finding per annotation.
pub(super) fn find(visible: &PageVisibility, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let mut findings = Vec::new();
    for annotation in &visible.page.annotations {
        let AnnotationKind::Redact(boxes) = &annotation.kind else { continue };
        *checks = checks.checked_sub(boxes.len() * visible.page.runs.len())?;
        let is_marked = |run: &Run| {
            run.annotation.is_none()
                && run.is_painted()
                && is_meaningful(visible.page.text(run))
                && boxes.iter().any(|marked| covered_part(run.bounds, *marked) >= MARKED_MIN_PART)
        };
        let runs: Vec<Run> = visible.page.runs.iter().filter(|run| is_marked(run)).cloned().collect();
        let lines = visible.page.lines_of(&runs);
        findings.extend(HiddenText::of(&lines, number, HiddenKind::RedactionUnapplied));
    }
    Some(findings)
}
