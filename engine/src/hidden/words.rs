//! The words that a page shows, and those that are on it and are not shown, by which it is known what may be told to others.

use std::collections::BTreeSet;

use super::page_visibility::Sight;
use super::partly_covered::covered;
use super::report::PageOutline;
use crate::content::{Line, Run, covered_part, legible};

/// The part of a run that must lie within its clip for all of it to be seen.
const COVERED: f64 = 0.9;
/// Words whose places are kept.
const WORDS: usize = 500;

/// What a page of the newest state shows and hides, in words.
#[derive(Debug)]
pub(crate) struct PageWords {
    /// Lines from top to bottom, with a blank between each two words.
    shown: String,
    /// Letters and digits of each run that is not shown.
    hidden: Vec<String>,
    /// The page's size and rotation, and where the words stand.
    outline: PageOutline,
}

impl PageWords {
    /// Of a page on which the runs in these places cannot be seen; none if telling so takes more than `checks`.
    pub(super) fn of(sight: &Sight, unseen: &BTreeSet<usize>, checks: &mut usize) -> Option<Self> {
        let page = sight.page;
        let covered = covered(page, checks)?;
        let (mut shown, mut hidden) = (Vec::new(), Vec::new());
        for (place, run) in page.runs.iter().enumerate() {
            match covered.contains(&place) || unseen.contains(&place) || !is_whole(run) {
                true => hidden.push(letters(page.text(run))),
                false => shown.push(place),
            }
        }
        let lines = sight.lines(&shown);
        let [width, height] = page.size;
        let size = [width.round() as i32, height.round() as i32];
        let outline = PageOutline { page: 0, size, rotation: page.rotation, lines: places(&lines) };
        Some(Self { shown: text(&lines), hidden, outline })
    }

    /// The page as it is drawn, under its number.
    pub(crate) fn outline(&self, page: u32) -> PageOutline {
        PageOutline { page, ..self.outline.clone() }
    }

    /// Whether the page shows this text, word by word on one line or on lines that follow each other.
    pub(crate) fn shows(&self, text: &str) -> bool {
        let text = text.trim_end_matches(" …");
        self.shown.match_indices(text).any(|(start, found)| {
            let (before, after) = (self.shown.get(..start), self.shown.get(start + found.len()..));
            before.is_some_and(|it| it.is_empty() || it.ends_with(' '))
                && after.is_some_and(|it| it.is_empty() || it.starts_with(' '))
        })
    }

    /// Whether one of these words, which the page does not show, may be among what it hides.
    pub(crate) fn hides(&self, words: &[&str]) -> bool {
        let words: Vec<String> = words.iter().map(|word| letters(word)).filter(|word| !word.is_empty()).collect();
        // what cannot be read may be any of them
        let is_in = |hidden: &str, word: &String| word.contains(hidden) || hidden.contains(word.as_str());
        self.hidden.iter().any(|hidden| words.iter().any(|word| is_in(hidden, word)))
    }
}

/// Whether a run is painted where all of it can be seen.
fn is_whole(run: &Run) -> bool {
    run.is_painted() && covered_part(run.bounds, run.clip) >= COVERED
}

/// Where words stand, line by line, in whole points.
fn places(lines: &[Line]) -> Vec<Vec<i32>> {
    let mut left = WORDS;
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

/// The letters and digits of a text: what distinguishes a word from another one.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn text(lines: &[Line]) -> String {
    let words = lines.iter().flat_map(|line| &line.words).map(|word| legible(&word.text));
    words.collect::<Vec<_>>().join(" ")
}
