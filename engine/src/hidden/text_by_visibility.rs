//! The text of a page by whether it is shown: the one place that decides for analyses and comparisons alike.

use std::collections::BTreeSet;

use super::invisible_text;
use super::page_visibility::Sight;
use super::partly_covered::covered;
use crate::content::{PageText, Run};

/// What of a page's text is shown and what is not.
#[derive(Debug, Default)]
pub(crate) struct TextByVisibility {
    /// The places of the runs that cannot be seen, such as white or tiny ones.
    pub(crate) unseen: BTreeSet<usize>,
    /// All that is seen and lies under nothing.
    pub(crate) shown: Vec<Run>,
    /// The rest: what cannot be seen, is covered or clipped, or marked for removal.
    pub(crate) concealed: Vec<Run>,
}

impl TextByVisibility {
    /// Of a page; none if telling so takes more than `checks`.
    pub(crate) fn of(page: &PageText, checks: &mut usize) -> Option<Self> {
        let sight = Sight::new(page, checks)?;
        let unseen: BTreeSet<usize> = invisible_text::places(&sight, checks)?.into_values().flatten().collect();
        let covered = covered(page, checks)?;
        let mut text = Self::default();
        for (place, run) in page.runs.iter().enumerate() {
            let is_shown = |glyph| sight.visibility.is_seen(place, glyph);
            if unseen.contains(&place) || covered.contains(&place) || !run.is_painted() {
                text.concealed.push(run.clone());
            } else {
                page.cut(run, is_shown, &mut text.shown);
                page.cut(run, |glyph| !is_shown(glyph), &mut text.concealed);
            }
        }
        text.unseen = unseen;
        Some(text)
    }
}
