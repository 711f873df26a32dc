//! The text of a page by visibility: the only place that decides this, for analyses and comparisons.

use std::collections::BTreeSet;

use super::invisible_text;
use super::page_visibility::PageVisibility;
use super::partly_covered::covered;
use crate::{PageText, Run};

/// Visible and concealed text of a page.
#[derive(Debug, Default)]
pub struct TextByVisibility {
    /// Indices of invisible runs, such as white or tiny ones.
    pub invisible: BTreeSet<usize>,
    /// Text that is visible and not covered.
    pub shown: Vec<Run>,
    /// The rest: invisible, covered, clipped, or marked for redaction.
    pub concealed: Vec<Run>,
}

impl TextByVisibility {
    /// Returns the text of a page by visibility; none if that takes more than `checks`.
    pub fn of(page: &PageText, checks: &mut usize) -> Option<Self> {
        let visible = PageVisibility::new(page, checks)?;
        let invisible: BTreeSet<usize> = invisible_text::places(&visible, checks)?.into_values().flatten().collect();
        let covered = covered(page, checks)?;
        let mut text = Self::default();
        for (place, run) in page.runs.iter().enumerate() {
            let is_shown = |glyph| visible.visibility.is_seen(place, glyph);
            if invisible.contains(&place) || covered.contains(&place) || !run.is_painted() {
                text.concealed.push(run.clone());
            } else {
                page.cut(run, is_shown, &mut text.shown);
                page.cut(run, |glyph| !is_shown(glyph), &mut text.concealed);
            }
        }
        text.invisible = invisible;
        Some(text)
    }
}
