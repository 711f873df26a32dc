//! The visible and hidden words of a page, which determine the texts disclosed to readers other than the owner.

use std::collections::BTreeSet;

use super::page_visibility::PageVisibility;
use super::partly_covered::covered;
use super::report::PageOutline;
use crate::{Line, Run, covered_part, legible};

/// Minimum share of a run inside its clip that counts as completely visible.
const UNCLIPPED_MIN_PART: f64 = 0.9;
/// Maximum words whose positions are kept.
const MAX_WORDS: usize = 500;

/// The visible and hidden words of a page in the newest revision.
#[derive(Debug)]
pub struct PageWords {
    /// Lines from top to bottom, words separated by blanks.
    shown: String,
    /// Letters and digits of each run that is not completely visible.
    hidden: Vec<String>,
    /// Size, rotation and word positions of the page.
    outline: PageOutline,
}

impl PageWords {
    /// Returns the words of a page with these invisible runs; none if that takes more than `checks`.
    pub(super) fn of(visible: &PageVisibility, invisible: &BTreeSet<usize>, checks: &mut usize) -> Option<Self> {
        let page = visible.page;
        let covered = covered(page, checks)?;
        let (mut shown, mut hidden) = (Vec::new(), Vec::new());
        for (place, run) in page.runs.iter().enumerate() {
            match covered.contains(&place) || invisible.contains(&place) || !is_complete(run) {
                true => hidden.push(letters(page.text(run))),
                false => shown.push(place),
            }
        }
        let lines = visible.lines(&shown);
        let [width, height] = page.size;
        let size = [width.round() as i32, height.round() as i32];
        let outline = PageOutline { page: 0, size, rotation: page.rotation, lines: places(&lines) };
        Some(Self { shown: text(&lines), hidden, outline })
    }

    /// Returns the page's outline with its number.
    pub fn outline(&self, page: u32) -> PageOutline {
        PageOutline { page, ..self.outline.clone() }
    }

    /// Whether the page shows this text, word by word on one line or on consecutive lines.
    pub fn shows(&self, text: &str) -> bool {
        let text = text.trim_end_matches(" …");
        self.shown.match_indices(text).any(|(start, found)| {
            let (before, after) = (self.shown.get(..start), self.shown.get(start + found.len()..));
            before.is_some_and(|it| it.is_empty() || it.ends_with(' '))
                && after.is_some_and(|it| it.is_empty() || it.starts_with(' '))
        })
    }

    /// Whether any of these words, which the page does not show, may be part of its hidden text.
    pub fn hides(&self, words: &[&str]) -> bool {
        let words: Vec<String> = words.iter().map(|word| letters(word)).filter(|word| !word.is_empty()).collect();
        // undecoded text may be any of them
        let is_in = |hidden: &str, word: &String| word.contains(hidden) || hidden.contains(word.as_str());
        self.hidden.iter().any(|hidden| words.iter().any(|word| is_in(hidden, word)))
    }
}

/// Whether a run is painted and completely inside its clip.
fn is_complete(run: &Run) -> bool {
    run.is_painted() && covered_part(run.bounds, run.clip) >= UNCLIPPED_MIN_PART
}

/// Returns word positions by line, in whole points.
fn places(lines: &[Line]) -> Vec<Vec<i32>> {
    let mut left = MAX_WORDS;
    let place = |line: &Line| {
        let words = line.words.get(..left.min(line.words.len())).unwrap_or_default();
        left -= words.len();
        let sides = words.iter().flat_map(|word| [word.bounds.left, word.bounds.right]);
        let heights = [line.bounds.bottom, line.bounds.top].into_iter();
        heights.chain(sides).map(|length| length.round() as i32).collect()
    };
    let mut places: Vec<Vec<i32>> = lines.iter().map(place).collect();
    places.retain(|line| line.len() > 2);
    places
}

/// Returns the letters and digits of a text, the key for comparing words.
pub fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn text(lines: &[Line]) -> String {
    let words = lines.iter().flat_map(|line| &line.words).map(|word| legible(&word.text));
    words.collect::<Vec<_>>().join(" ")
}
