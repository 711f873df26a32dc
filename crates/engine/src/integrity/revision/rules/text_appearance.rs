//! Appearances that show text only, as filled fields, lists and buttons have (ISO 32000-1, 12.7.3.3).

use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{ContentReader, Expected, ExpectedGlyphs, PageText};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Steps to read an appearance, its fonts and their programs.
const MAX_PAINT_STEPS: u64 = 1 << 22;

/// What the appearance of a widget draws; none if that is anything but such glyphs, in `cells` of a comb.
pub(super) fn text_only(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    widget: &Dictionary,
    (glyphs, cells): (ExpectedGlyphs, Option<i64>),
) -> Result<Option<PageText>, Fault> {
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let expected = Expected { glyphs, cells, changed: &step.changed };
    contents.text_only(examiner.document, state, widget, expected)
}

/// A text without white space.
pub(super) fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The match of a widget's appearance with its field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppearanceMatch {
    Value,
    Other,
    Unknown,
}
