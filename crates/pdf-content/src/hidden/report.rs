//! Reported hidden text of pages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Rectangle;

/// Text that is on the pages and cannot be seen there.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct Hidden {
    /// How many of the pages were looked at.
    pub examined: ExaminedContent,
    /// What was found; the 50 that matter most.
    pub items: Vec<HiddenItem>,
    /// How many there are in all.
    pub total: u32,
}

/// A text that is on a page and cannot be seen there.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, ToSchema)]
pub struct HiddenItem {
    /// Number of the page, from 1.
    pub page: u32,
    /// Where: left, bottom, right and top in points of the page before it is turned.
    #[schema(value_type = [f64; 4])]
    pub r#box: Rectangle,
    /// How it is hidden.
    pub kind: HiddenKind,
    /// How many characters it has, blanks not counted.
    pub characters: u32,
    /// The text, at most 200 characters of it. Null where others are shown the analysis.
    pub text: Option<String>,
}

/// Where words stand on a page of the newest state, those that can be seen. It says nothing of what they are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct PageOutline {
    /// Number of the page, from 1.
    pub page: u32,
    /// Width and height of what is shown of it before it is turned, in points.
    pub size: [i32; 2],
    /// How far it is turned clockwise to be shown, in degrees.
    pub rotation: u16,
    /// Its lines: of each bottom and top in points, then left and right of each word. At most 500 words.
    pub lines: Vec<Vec<i32>>,
}

/// How a text is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HiddenKind {
    /// Covered, perhaps covered or invisible, with another text, a picture or letters drawn as shapes in its place.
    Retyped,
    /// Under an area that was painted over it.
    Covered,
    /// Under an annotation that marks it for removal, which was never carried out (ISO 32000-1, 12.5.6.23).
    RedactionUnapplied,
    /// Painted with nothing, fully transparent, clipped away, or in the color of what lies beneath. What a text recognition laid under or
    /// over a scan is none of these.
    Invisible,
    /// Smaller than one point.
    Tiny,
    /// In a layer that is off at first (8.11).
    HiddenLayer,
    /// Outside of what is shown of the page.
    OffPage,
}

/// How much was read of what pages show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExaminedContent {
    /// All of it.
    All,
    /// Part of it: there are more pages than are looked at, too much is on them, or something of what they show cannot
    /// be told, as where words lie across others.
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
