//! What was found: texts that pages hide, as they are told.

use std::collections::BTreeMap;

use super::report::{ExaminedContent, Hidden, HiddenItem, HiddenKind};
use super::words::PageWords;
use crate::content::{Line, PageText, Rectangle, Run, Word, legible};
use crate::document::pages::PageLeaf;
use crate::text::shorten;

/// Findings told of, of each kind and in all.
const TOLD: usize = 50;

/// What was found on the pages that could be looked at.
#[derive(Debug, Default)]
pub(crate) struct PageFindings {
    pub(crate) examined: ExaminedContent,
    /// The first ones of each kind, those that matter most first.
    pub(crate) findings: Vec<HiddenText>,
    pub(crate) total: u32,
    /// Whether every page that was looked at draws pictures and no text that can be seen; none if none was.
    pub(crate) image_only: Option<bool>,
    /// The pages that were looked at.
    pub(crate) looked_at: Vec<PageLeaf>,
    /// What nothing leads to any more, with words that no page has.
    pub(crate) leftovers: Vec<Leftover>,
    /// What those pages show that later saves touched, or that hide something.
    pub(crate) pages: BTreeMap<u32, PageWords>,
}

/// A text that a page hides.
#[derive(Debug, Clone)]
pub(crate) struct HiddenText {
    /// From 1.
    pub(crate) page: u32,
    pub(crate) kind: HiddenKind,
    pub(crate) bounds: Rectangle,
    pub(crate) characters: u32,
    pub(crate) text: String,
    /// The line that it stands in as it was and as it is seen now, if that makes it another one.
    pub(crate) change: Option<LineChange>,
    /// What lies over it.
    pub(crate) veil: Option<Veil>,
}

/// Something that nothing leads to, with words that no page has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leftover {
    pub(crate) object: u32,
    pub(crate) is_page: bool,
    /// The lines that have such words.
    pub(crate) text: String,
}

/// A line as it was and as it is seen now.
#[derive(Debug, Clone)]
pub(crate) struct LineChange {
    pub(crate) before: String,
    pub(crate) now: String,
}

/// What lies over a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Veil {
    White,
    Black,
    Colored,
    Image,
    Shading,
    /// Nothing: it is painted so that it cannot be seen.
    None,
    /// Something that perhaps hides it.
    Perhaps,
}

impl Veil {
    /// Where the text is, in a phrase.
    pub(crate) fn place(self) -> String {
        match self {
            Self::None => "invisible".to_owned(),
            Self::Perhaps => "perhaps covered".to_owned(),
            veil => format!("under {}", veil.name()),
        }
    }

    /// What became of the text, as a clause.
    pub(crate) fn clause(self) -> String {
        match self {
            Self::None => "the original text is painted so that it is not visible".to_owned(),
            Self::Perhaps => "the original text is perhaps covered".to_owned(),
            veil => format!("{} covers the original text", veil.name()),
        }
    }

    /// With its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::White => "a white area",
            Self::Black => "a black area",
            Self::Colored => "a colored area",
            Self::Image => "an image",
            Self::Shading => "a shading",
            Self::None | Self::Perhaps => "something",
        }
    }
}

impl HiddenText {
    /// Of lines on a page; none if there are none.
    pub(super) fn of(lines: &[Line], page: u32, kind: HiddenKind) -> Option<Self> {
        let bounds = lines.iter().map(|line| line.bounds).reduce(Rectangle::with)?;
        let words = || lines.iter().flat_map(|line| &line.words);
        let characters = words().map(|word| word.text.chars().count()).sum::<usize>();
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        let text = text(lines);
        Some(Self { page, kind, bounds, characters, text, change: None, veil: None })
    }
}

/// Lines as one text, as much of it as is told.
pub(super) fn text(lines: &[Line]) -> String {
    joined(lines.iter().flat_map(|line| &line.words))
}

/// The same of words.
pub(super) fn joined<'w>(words: impl Iterator<Item = &'w Word>) -> String {
    let words: Vec<String> = words.map(|word| legible(&word.text)).collect();
    let mut text = words.join(" ");
    shorten(&mut text);
    text
}

/// Texts that stand in each other's places, one after the other as they were drawn.
pub(super) fn apart(page: &PageText, pieces: &[Run]) -> String {
    let mut runs: Vec<&Run> = pieces.iter().collect();
    runs.sort_by_key(|run| run.order);
    let texts: Vec<String> = runs.iter().map(|run| legible(page.text(run).trim())).collect();
    let mut text = texts.join(" ");
    shorten(&mut text);
    text
}

/// A text without its blanks. Its signs count: they make 12,500 of 125.00.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

impl PageFindings {
    /// Adds what was found on one more page.
    pub(super) fn add(&mut self, findings: Vec<HiddenText>) {
        for finding in findings {
            self.total = self.total.saturating_add(1);
            if self.findings.iter().filter(|known| known.kind == finding.kind).count() < TOLD {
                self.findings.push(finding);
            }
        }
    }

    /// As it is answered.
    pub(crate) fn report(&self) -> Hidden {
        let items = self.findings.iter().take(TOLD).map(|finding| HiddenItem {
            page: finding.page,
            r#box: finding.bounds,
            kind: finding.kind,
            characters: finding.characters,
            text: Some(finding.text.clone()),
        });
        Hidden { examined: self.examined, items: items.collect(), total: self.total }
    }
}
