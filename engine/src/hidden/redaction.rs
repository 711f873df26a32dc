//! Text that an annotation marks for removal, and that is still there (12.5.6.23).

use super::finding::HiddenText;
use super::page_visibility::{Sight, says_something};
use super::report::HiddenKind;
use crate::content::{AnnotationKind, Run, covered_part};

/// The part of a text that must lie within the marks.
const MARKED: f64 = 0.5;

/// What is marked on a page, one finding for each annotation.
pub(super) fn find(sight: &Sight, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let mut findings = Vec::new();
    for annotation in &sight.page.annotations {
        let AnnotationKind::Redact(boxes) = &annotation.kind else { continue };
        *checks = checks.checked_sub(boxes.len() * sight.page.runs.len())?;
        let is_marked = |run: &Run| {
            run.annotation.is_none()
                && run.is_painted()
                && says_something(sight.page.text(run))
                && boxes.iter().any(|marked| covered_part(run.bounds, *marked) >= MARKED)
        };
        let runs: Vec<Run> = sight.page.runs.iter().filter(|run| is_marked(run)).cloned().collect();
        let lines = sight.page.lines_of(&runs);
        findings.extend(HiddenText::of(&lines, number, HiddenKind::RedactionUnapplied));
    }
    Some(findings)
}
