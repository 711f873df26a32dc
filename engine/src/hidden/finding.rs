//! What was found: texts that pages hide, as they are told.

use super::mixed::Mixed;
use super::report::{ExaminedContent, Hidden, HiddenItem, HiddenKind};
use crate::content::{Line, around, legible};
use crate::text::shorten;

/// Findings told of, of each kind and in all.
const TOLD: usize = 50;

/// What was found on the pages that could be looked at.
#[derive(Debug)]
pub(crate) struct PageFindings {
    pub(crate) examined: ExaminedContent,
    /// The first ones of each kind, those that matter most first.
    pub(crate) findings: Vec<Finding>,
    pub(crate) total: u32,
    pub(crate) mixed: Vec<Mixed>,
}

/// A text that a page hides.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// From 1.
    pub(crate) page: u32,
    pub(crate) kind: HiddenKind,
    pub(crate) bounds: [f64; 4],
    pub(crate) characters: u32,
    pub(crate) text: String,
    /// The text that is seen in its place, if it was retyped.
    pub(crate) instead: Option<String>,
    /// What lies over it.
    pub(crate) veil: Option<Veil>,
    /// Whether it stands within a line of which the rest is seen, under what cannot be told from the page.
    pub(crate) is_whited_out: bool,
}

/// What lies over a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Veil {
    White,
    Black,
    Colored,
    Image,
    Shading,
}

impl Veil {
    /// With its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::White => "a white area",
            Self::Black => "a black area",
            Self::Colored => "a coloured area",
            Self::Image => "an image",
            Self::Shading => "a shading",
        }
    }
}

impl Finding {
    /// Of lines on a page; none if there are none.
    pub(super) fn of(lines: &[Line], page: u32, kind: HiddenKind) -> Option<Self> {
        let bounds = around(lines.iter().map(|line| line.bounds))?;
        let words = || lines.iter().flat_map(|line| &line.words);
        let characters = words().map(|word| word.text.chars().count()).sum::<usize>();
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        let text = text(lines);
        Some(Self { page, kind, bounds, characters, text, instead: None, veil: None, is_whited_out: false })
    }
}

/// Lines as one text, as much of it as is told.
pub(super) fn text(lines: &[Line]) -> String {
    let words: Vec<String> = lines.iter().flat_map(|line| &line.words).map(|word| legible(&word.text)).collect();
    let mut text = words.join(" ");
    shorten(&mut text);
    text
}

impl PageFindings {
    /// Nothing was looked at.
    pub(crate) fn nothing() -> Self {
        Self { examined: ExaminedContent::None, findings: Vec::new(), total: 0, mixed: Vec::new() }
    }

    /// Adds what was found on one more page.
    pub(super) fn add(&mut self, findings: Vec<Finding>) {
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
