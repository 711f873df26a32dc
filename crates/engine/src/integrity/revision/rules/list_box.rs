//! Compares the appearance of a list box with its options and its value (ISO 32000-1, 12.7.4.4).

use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, AreaKind, ContentReader, Expected, ExpectedGlyphs, PageText, Rectangle, subpath_boxes};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Steps to read an appearance, its fonts and their programs.
const MAX_PAINT_STEPS: u64 = 1 << 22;
/// Maximum height of a bar behind a row, or of a frame around it, in heights of its text.
const MAX_BAR_HEIGHTS: f64 = 2.0;
/// Maximum height of a bar, as a share of the list's: the ground and the frame are higher.
const MAX_BAR_PART: f64 = 0.9;

/// Whether the rows are options in their order, and the bars or frames that mark them, if there are any, are those of the value.
pub(super) fn shows_value(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    field: &Field,
    widget: &Dictionary,
) -> Result<bool, Fault> {
    let expected = Expected { glyphs: ExpectedGlyphs::Rows, cells: None, touched: &step.touched };
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let Some(drawn) = contents.text_only(examiner.document, state, widget, expected)? else {
        return Ok(false);
    };
    let value = examiner.document.view(state).resolve(&field.value)?.into_owned();
    let values: Vec<String> = match &value {
        Object::Array(elements) => elements.iter().filter_map(evidence_text::text).collect(),
        value => evidence_text::text(value).into_iter().collect(),
    };
    let options = field.options();
    let rows = rows(&drawn);
    // pypdf writes all options on one line
    let shown: String = rows.iter().map(|(text, _)| letters(text)).collect();
    let all: Vec<String> = options.iter().map(|[_, shown]| letters(shown)).collect();
    let is_from = |first: &usize| all.get(*first..).is_some_and(|from| from.concat().starts_with(&shown));
    let Some(first) = (0..all.len()).find(is_from).filter(|_| !shown.is_empty()) else {
        return Ok(false);
    };
    let Some(list) = Rectangle::read(widget.get(b"Rect")) else { return Ok(false) };
    let mut bars: Vec<Rectangle> = drawn.areas.iter().flat_map(|area| boxes(&drawn, area)).collect();
    bars.retain(|bar| bar.height() < MAX_BAR_PART * list.height());
    let is_marked = |bounds: Rectangle| bars.iter().any(|bar| is_bar(*bar, bounds));
    let marked: Vec<bool> = rows.iter().map(|(_, bounds)| is_marked(*bounds)).collect();
    let is_chosen = |option: &[String; 2]| option.iter().any(|text| values.contains(text));
    let is_as_chosen = marked.iter().copied().eq(options.iter().skip(first).take(rows.len()).map(is_chosen));
    // some programs mark no option
    Ok(is_as_chosen || !marked.contains(&true))
}

/// The rows inside the list's box, from top to bottom.
fn rows(drawn: &PageText) -> Vec<(String, Rectangle)> {
    let is_inside =
        |bounds: Rectangle| drawn.runs.iter().any(|run| run.bounds.meets(bounds) && run.clip.has(bounds.middle()));
    let lines = drawn.lines().into_iter().map(|line| (line.text(), line.bounds));
    lines.filter(|(_, bounds)| is_inside(*bounds)).collect()
}

/// The boxes that an area fills or frames.
fn boxes(drawn: &PageText, area: &Area) -> Vec<Rectangle> {
    match area.kind {
        AreaKind::Stroke => subpath_boxes(drawn, area).unwrap_or_default(),
        AreaKind::Shape => Vec::new(),
        _ => vec![area.bounds],
    }
}

/// Whether a box marks one row.
fn is_bar(bar: Rectangle, row: Rectangle) -> bool {
    bar.has(row.middle()) && bar.height() <= MAX_BAR_HEIGHTS * row.height()
}

fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}
