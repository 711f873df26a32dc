//! Reported findings of hidden text.

use std::collections::BTreeMap;

use super::report::{ExaminedContent, Hidden, HiddenItem, HiddenKind};
use super::words::PageWords;
use crate::{Line, PageText, Rectangle, Run, Word, legible};
use pdf_syntax::document::pages::PageLeaf;
use pdf_syntax::text::shorten;

/// Maximum findings reported, per kind and in total.
const MAX_REPORTED: usize = 50;

/// Findings of all inspected pages.
#[derive(Debug, Default)]
pub struct PageFindings {
    /// How much was inspected.
    pub examined: ExaminedContent,
    /// The first findings of each kind, the most important kinds first.
    pub findings: Vec<HiddenText>,
    /// The number of findings, reported or not.
    pub total: u32,
    /// Whether every inspected page has images and no visible text; none if no page was inspected.
    pub image_only: Option<bool>,
    /// The inspected pages.
    pub inspected_pages: Vec<PageLeaf>,
    /// Unreferenced objects with words that no page has.
    pub leftovers: Vec<Leftover>,
    /// Words of pages that later revisions changed, or that hide something.
    pub pages: BTreeMap<u32, PageWords>,
}

/// Hidden text.
#[derive(Debug, Clone)]
pub struct HiddenText {
    /// Page number, from 1.
    pub page: u32,
    /// How it is hidden.
    pub kind: HiddenKind,
    /// Its box, in points of the page.
    pub bounds: Rectangle,
    /// The number of hidden characters.
    pub characters: u32,
    /// The hidden text, cut to what evidence shows.
    pub text: String,
    /// Its line before and now, if they differ.
    pub change: Option<LineChange>,
    /// What covers it.
    pub cover: Option<Cover>,
}

/// An unreferenced object with words that no page has.
#[derive(Debug, Clone, PartialEq)]
pub struct Leftover {
    pub object: u32,
    pub kind: LeftoverKind,
    /// The lines with such words.
    pub text: String,
}

/// What an object with words that no page has is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftoverKind {
    /// A page outside of the page tree.
    Page,
    /// A page too small to be seen.
    TinyPage,
    /// A content stream of no page.
    Content,
    /// A form, pattern or glyph in the resources that no page paints.
    Unpainted,
    /// A field or a note that another one replaced.
    Annotation,
    /// The appearance of a signature in a field without one.
    SignatureAppearance,
}

impl LeftoverKind {
    /// Returns its name with the article.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "a page outside of the page tree",
            Self::TinyPage => "a page too small to be seen",
            Self::Content => "a content stream of no page",
            Self::Unpainted => "a drawing that no page paints",
            Self::Annotation => "a field or a note that nothing references",
            Self::SignatureAppearance => "the appearance of a signature field without a signature",
        }
    }
}

/// A line before it was covered, and its visible version.
#[derive(Debug, Clone)]
pub struct LineChange {
    pub before: String,
    pub now: String,
}

/// What covers a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// An area of nearly white color.
    White,
    /// An area of nearly black color.
    Black,
    /// An area of another color.
    Colored,
    /// An image.
    Image,
    /// A shading.
    Shading,
    /// No cover: the text is painted invisibly.
    None,
    /// No cover: the text belongs to a layer that is off.
    Layer,
    /// Something that may hide it.
    Perhaps,
    /// No cover: only some viewers show it.
    Viewers,
    /// No cover: annotations that are only printed show another text.
    Print,
    /// No cover: it is in a comment of the content.
    Comment,
    /// No cover: it is the replacement text of other words.
    ReplacementText,
    /// No cover: its glyphs are other letters.
    Glyphs,
    /// No cover: the value of a field that does not show it.
    Field,
    /// No cover: the text of an annotation that is not shown.
    Annotation,
}

impl Cover {
    /// Returns the place of the text as a phrase.
    pub fn place(self) -> String {
        match self {
            Self::None => "invisible".to_owned(),
            Self::Layer => "in a layer that is off".to_owned(),
            Self::Perhaps => "perhaps covered".to_owned(),
            Self::Viewers => "not shown by all viewers".to_owned(),
            Self::Print => "not printed".to_owned(),
            Self::Comment => "in a comment of the content".to_owned(),
            Self::ReplacementText => "the replacement text of other words".to_owned(),
            Self::Glyphs => "text of glyphs that show another one".to_owned(),
            Self::Field => "the value of a field that does not show it".to_owned(),
            Self::Annotation => "an annotation that is not shown".to_owned(),
            cover => format!("under {}", cover.name()),
        }
    }

    /// Returns what happened to the text as a clause.
    pub fn clause(self) -> String {
        match self {
            Self::None => "the original text is painted so that it is not visible".to_owned(),
            Self::Layer => "the original text is in a layer that is off".to_owned(),
            Self::Perhaps => "the original text is perhaps covered".to_owned(),
            Self::Viewers => "viewers show different texts".to_owned(),
            Self::Print => "another text is printed in its place".to_owned(),
            Self::Comment => "the original text is in a comment of the content".to_owned(),
            Self::ReplacementText => "the original text is the replacement text of these words".to_owned(),
            Self::Glyphs => "the original text is read from glyphs that show another one".to_owned(),
            Self::Field => "the original text is the value of a field that does not show it".to_owned(),
            Self::Annotation => "the original text is that of an annotation that is not shown".to_owned(),
            cover => format!("{} covers the original text", cover.name()),
        }
    }

    /// Returns its name with the article.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "a white area",
            Self::Black => "a black area",
            Self::Colored => "a colored area",
            Self::Image => "an image",
            Self::Shading => "a shading",
            Self::None | Self::Layer | Self::Perhaps | Self::Viewers | Self::Print => "something",
            Self::Comment | Self::ReplacementText | Self::Glyphs | Self::Field | Self::Annotation => "something",
        }
    }
}

impl HiddenText {
    /// Returns a finding for these lines; none if there are none.
    pub(super) fn of(lines: &[Line], page: u32, kind: HiddenKind) -> Option<Self> {
        let bounds = lines.iter().map(|line| line.bounds).reduce(Rectangle::with)?;
        let words = || lines.iter().flat_map(|line| &line.words);
        let characters = words().map(|word| word.text.chars().count()).sum::<usize>();
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        let text = text(lines);
        Some(Self { page, kind, bounds, characters, text, change: None, cover: None })
    }
}

/// Joins lines, shortened.
pub(super) fn text(lines: &[Line]) -> String {
    joined(lines.iter().flat_map(|line| &line.words))
}

/// Joins words, shortened.
pub(super) fn joined<'w>(words: impl Iterator<Item = &'w Word>) -> String {
    let words: Vec<String> = words.map(|word| legible(&word.text)).collect();
    let mut text = words.join(" ");
    shorten(&mut text);
    text
}

/// Joins overlapping texts in painting order, shortened.
pub(super) fn in_painting_order(page: &PageText, pieces: &[Run]) -> String {
    let mut runs: Vec<&Run> = pieces.iter().collect();
    runs.sort_by_key(|run| run.order);
    let texts: Vec<String> = runs.iter().map(|run| legible(page.text(run).trim())).collect();
    let mut text = texts.join(" ");
    shorten(&mut text);
    text
}

/// Returns a text without blanks. Punctuation stays: it distinguishes 12,500 from 125.00.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

impl PageFindings {
    /// Adds the findings of a page.
    pub(super) fn add(&mut self, findings: Vec<HiddenText>) {
        for finding in findings {
            self.total = self.total.saturating_add(1);
            if self.findings.iter().filter(|known| known.kind == finding.kind).count() < MAX_REPORTED {
                self.findings.push(finding);
            }
        }
    }

    /// Returns the findings as part of an analysis.
    pub fn report(&self) -> Hidden {
        let items = self.findings.iter().take(MAX_REPORTED).map(|finding| HiddenItem {
            page: finding.page,
            r#box: finding.bounds,
            kind: finding.kind,
            characters: finding.characters,
            text: Some(finding.text.clone()),
        });
        Hidden { examined: self.examined, items: items.collect(), total: self.total }
    }
}
