//! Compares the appearance of a list box with its options and its value (ISO 32000-1, 12.7.4.4).

use super::text_appearance::{letters, text_only};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{Area, AreaKind, ExpectedGlyphs, Line, PageText, Rectangle, subpath_boxes};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Minimum sides of a ground or of a frame around all rows, as a share of the list's.
const MIN_GROUND_PART: f64 = 0.9;
/// Maximum thickness of a side of the frame, and maximum distance from the list's side, in points.
const MAX_SIDE_PT: f64 = 3.0;
/// Minimum part of a row that the bar behind it or the frame around it takes; a bar may reach into the next rows.
const MIN_ROW_PART: f64 = 0.5;

/// Whether the rows are options in their order, and what marks any of them, if anything does, marks those of the value.
pub(super) fn shows_value(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    field: &Field,
    widget: &Dictionary,
) -> Result<bool, Fault> {
    let Some(drawn) = text_only(examiner, (step, state), widget, (ExpectedGlyphs::Rows, None))? else {
        return Ok(false);
    };
    let value = examiner.document.view(state).resolve(&field.value)?.into_owned();
    let values: Vec<String> = match &value {
        Object::Array(elements) => elements.iter().filter_map(evidence_text::text).collect(),
        value => evidence_text::text(value).into_iter().collect(),
    };
    // a row without words is not seen
    let options: Vec<[String; 2]> =
        field.options().into_iter().filter(|[_, shown]| !letters(shown).is_empty()).collect();
    let rows = rows(&drawn);
    // pypdf writes all options on one line
    let shown: String = rows.iter().map(|row| letters(&row.text)).collect();
    let all: Vec<String> = options.iter().map(|[_, shown]| letters(shown)).collect();
    let is_from = |first: &usize| all.get(*first..).is_some_and(|from| from.concat().starts_with(&shown));
    let Some(first) = (0..all.len()).find(is_from).filter(|_| !shown.is_empty()) else {
        return Ok(false);
    };
    let Some(list) = Rectangle::read(widget.get(b"Rect")) else { return Ok(false) };
    let bars = drawn
        .areas
        .iter()
        .flat_map(|area| boxes(&drawn, area))
        .filter(|bar| bar.meets(list))
        .map(|bar| bar.clipped(list));
    let bars: Vec<Rectangle> = bars.filter(|bar| !is_ground(*bar, list)).collect();
    let is_marked = |row: &Row| bars.iter().any(|bar| part(*bar, row.bounds) >= MIN_ROW_PART);
    let marked: Vec<bool> = rows.iter().map(is_marked).collect();
    let is_chosen = |option: &[String; 2]| option.iter().any(|text| values.contains(text));
    let chosen: Vec<bool> = options.iter().skip(first).take(rows.len()).map(is_chosen).collect();
    // some programs mark no option, iText the first of several
    let is_as_chosen = marked.iter().zip(&chosen).all(|(is_marked, is_chosen)| *is_chosen || !is_marked);
    let is_any = !bars.is_empty() && marked.contains(&true);
    let chosen = if is_any { marked } else { chosen };
    let is_row_bar = |bar: &Rectangle| rows.iter().any(|row| part(*bar, row.bounds) >= MIN_ROW_PART);
    // the color and font of a row are a mark as well
    let is_alike = rows.iter().zip(&chosen).all(|(row, is_chosen)| {
        let same = rows.iter().zip(&chosen).filter(|(_, other)| *other == is_chosen);
        same.map(|(other, _)| other).all(|other| other.paint == row.paint)
    });
    Ok(is_as_chosen && is_alike && bars.iter().all(is_row_bar))
}

/// A row of a list.
struct Row {
    text: String,
    bounds: Rectangle,
    /// The color and the font of its words.
    paint: Vec<(Option<[u8; 3]>, u16)>,
}

/// The rows inside the list's box, from top to bottom.
fn rows(drawn: &PageText) -> Vec<Row> {
    let is_inside =
        |bounds: Rectangle| drawn.runs.iter().any(|run| run.bounds.meets(bounds) && run.clip.has(bounds.middle()));
    let row = |line: &Line| {
        let places = line.words.iter().flat_map(|word| &word.runs);
        let mut paint: Vec<_> =
            places.filter_map(|place| drawn.runs.get(*place)).map(|run| (run.color, run.font)).collect();
        paint.dedup();
        Row { text: line.text(), bounds: line.bounds, paint }
    };
    drawn.lines().iter().filter(|line| is_inside(line.bounds)).map(row).collect()
}

/// The boxes that an area fills or frames.
fn boxes(drawn: &PageText, area: &Area) -> Vec<Rectangle> {
    match area.kind {
        AreaKind::Stroke => subpath_boxes(drawn, area).unwrap_or_else(|| vec![area.bounds]),
        _ => vec![area.bounds],
    }
}

/// Whether a box is the ground or the frame of the list, or a side of that.
fn is_ground(bounds: Rectangle, list: Rectangle) -> bool {
    let is_wide = bounds.width() >= MIN_GROUND_PART * list.width();
    let is_high = bounds.height() >= MIN_GROUND_PART * list.height();
    let is_at = |side: f64, at: [f64; 2]| at.iter().all(|at| (at - side).abs() <= MAX_SIDE_PT);
    let is_flat = [list.bottom, list.top].iter().any(|side| is_at(*side, [bounds.bottom, bounds.top]));
    let is_upright = [list.left, list.right].iter().any(|side| is_at(*side, [bounds.left, bounds.right]));
    is_wide && (is_high || is_flat) || is_high && is_upright
}

/// The part of a row's height that a box beside, behind or around it takes.
fn part(bar: Rectangle, row: Rectangle) -> f64 {
    (bar.top.min(row.top) - bar.bottom.max(row.bottom)) / row.height()
}
