//! Reported hidden text of pages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Rectangle;

/// Text of pages that cannot be seen.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Hidden {
    /// How much of the pages was examined.
    pub examined: ExaminedContent,
    /// The 50 most important findings.
    pub items: Vec<HiddenItem>,
    /// Number of all findings.
    pub total: u32,
}

/// A text of a page that cannot be seen.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct HiddenItem {
    /// Number of the page, from 1.
    pub page: u32,
    /// Its place: left, bottom, right and top in points of the page before rotation.
    #[schema(value_type = [f64; 4])]
    pub r#box: Rectangle,
    /// How it is hidden.
    pub kind: HiddenKind,
    /// How many characters it has, blanks not counted.
    pub characters: u32,
    /// The text, at most 200 characters. Null where it is withheld from readers other than the owner.
    pub text: Option<String>,
}

/// Places of the visible words on a page of the newest state, without the words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct PageOutline {
    /// Number of the page, from 1.
    pub page: u32,
    /// Width and height of its crop box before rotation, in points.
    pub size: [i32; 2],
    /// By how many degrees it is shown rotated, clockwise.
    pub rotation: u16,
    /// Its lines: bottom and top in points, then left and right of each word. At most 500 words.
    pub lines: Vec<Vec<i32>>,
}

/// How a text is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HiddenKind {
    /// Covered, perhaps covered or invisible, with another text, an image or outlined letters in its place.
    Retyped,
    /// Under an area that was painted over it.
    Covered,
    /// Under a redaction annotation that was not applied (ISO 32000-1, 12.5.6.23).
    RedactionUnapplied,
    /// Neither filled nor stroked, fully transparent, clipped, or in the background's color; not recognized text (OCR)
    /// under or over a scan.
    Invisible,
    /// Smaller than one point.
    Tiny,
    /// In an optional content group that is off by default (8.11).
    HiddenLayer,
    /// Outside of the crop box.
    OffPage,
}

/// How much of the page content was examined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedContent {
    /// All of it.
    All,
    /// Part of it: there are more pages than are examined, too much is on them, or something that they show is
    /// inconclusive, such as words across others.
    Part,
    /// None: it was not asked for, or none could be read.
    #[default]
    None,
}

impl ExaminedContent {
    /// Returns how much was examined: nothing, part or all.
    pub fn of(is_read: bool, is_part: bool) -> Self {
        match (is_read, is_part) {
            (false, _) => Self::None,
            (true, true) => Self::Part,
            (true, false) => Self::All,
        }
    }
}
