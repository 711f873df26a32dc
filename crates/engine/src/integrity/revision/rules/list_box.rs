//! Compares the appearance of a list box with its options and its value (ISO 32000-1, 12.7.4.4).

use super::text_appearance::{AppearanceMatch, letters, text_only};
use super::value_layout::has_same_blanks;
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{
    Area, AreaKind, ExpectedGlyphs, Line, PageText, Rectangle, RowVisibility, letters_within_sides, row_visibility,
    subpath_boxes,
};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Minimum sides of a ground or of a frame around all rows, as a share of the list's.
const MIN_GROUND_PART: f64 = 0.9;
/// Maximum thickness of a side of the frame, and maximum distance from the list's side, in points.
const MAX_SIDE_PT: f64 = 3.0;
/// Minimum part of a row that the bar behind it or the frame around it takes; a bar may reach into the next rows.
const MIN_ROW_PART: f64 = 0.5;
/// Minimum distance of two rows, as a share of the height of one.
const MIN_PITCH_PART: f64 = 0.7;
/// Maximum part of the letters of a row, larger than its list, that the list's side leaves.
const MAX_LARGE_ROW_PART: f64 = 0.7;

/// The match of a list that shows nothing but its options, with its value; none if it shows anything else.
///
/// A row is one option, complete and on its own line, and the rows are options in their order. What marks any of them marks
/// those of the value; if nothing does, one of the value's is a row, or the list starts with its first option and is full.
pub(super) fn list_match(
    examiner: &mut Examiner,
    (step, state): (&Step, State),
    field: &Field,
    widget: &Dictionary,
) -> Result<Option<AppearanceMatch>, Fault> {
    let Some(drawn) = text_only(examiner, (step, state), widget, (ExpectedGlyphs::Rows, None))? else {
        return Ok(None);
    };
    let Some(bounds) = Rectangle::read(widget.get(b"Rect")) else { return Ok(None) };
    let value = examiner.document.view(state).resolve(&field.value)?.into_owned();
    let text = |value: &Object| Some(text_string::characters(value.as_string()?).trim().to_owned());
    let values: Vec<String> = match &value {
        Object::Array(elements) => elements.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    };
    let options = field.options().into_iter().map(|option| option.map(|text| text.trim().to_owned()));
    // a row without words is not seen
    let options: Vec<[String; 2]> = options.filter(|[_, shown]| !shown.is_empty()).collect();
    let names = joined(&options);
    let rows = rows(&drawn);
    if rows.is_empty() || !rows.iter().all(|row| names.contains(&letters(&row.text))) {
        return Ok(None);
    }
    let is_value = shows_value(&List { drawn, rows, options, bounds }, &values);
    Ok(Some(if is_value { AppearanceMatch::Value } else { AppearanceMatch::Unknown }))
}

/// A list that is drawn, with its options.
struct List {
    drawn: PageText,
    rows: Vec<Row>,
    options: Vec<[String; 2]>,
    bounds: Rectangle,
}

fn shows_value(list: &List, values: &[String]) -> bool {
    let List { rows, options, .. } = list;
    let bars = bars(list);
    let Some(first) = (0..options.len()).find(|first| is_window(rows, options.get(*first..).unwrap_or_default()))
    else {
        return bars.is_empty() && is_one_line(list);
    };
    let is_export = |text: &String| options.iter().any(|[export, _]| export == text);
    let is_chosen =
        |[export, shown]: &[String; 2]| values.contains(export) || values.contains(shown) && !is_export(shown);
    let chosen: Vec<bool> = options.iter().skip(first).take(rows.len()).map(is_chosen).collect();
    let marked: Vec<bool> = rows.iter().map(|row| row.is_marked(&bars)).collect();
    // the color and font of a row are a mark as well
    if !is_alike(rows, &marked) {
        return false;
    }
    if marked.contains(&true) {
        let is_row_bar = |bar: &Rectangle| rows.iter().any(|row| row.is_marked(&[*bar]));
        // iText marks the first of several
        let is_as_chosen = marked.iter().zip(&chosen).all(|(is_marked, is_chosen)| *is_chosen || !is_marked);
        return is_as_chosen && is_read(rows, &marked) && bars.iter().all(is_row_bar);
    }
    // some programs mark no option
    let says_nothing = first == 0 && is_start(list);
    bars.is_empty() && (says_nothing || chosen.contains(&true) && is_read(rows, &chosen))
}

/// A row of a list.
struct Row {
    text: String,
    bounds: Rectangle,
    /// The color and the font of its words.
    paint: Vec<(Option<[u8; 3]>, u16)>,
    runs: Vec<usize>,
    visibility: RowVisibility,
}

impl Row {
    fn is_complete(&self) -> bool {
        self.visibility == RowVisibility::Complete
    }

    fn is_marked(&self, bars: &[Rectangle]) -> bool {
        bars.iter().any(|bar| part(*bar, self.bounds) >= MIN_ROW_PART)
    }
}

/// The rows that are seen, from top to bottom.
fn rows(drawn: &PageText) -> Vec<Row> {
    let row = |line: &Line| {
        let runs: Vec<usize> = line.words.iter().flat_map(|word| word.runs.clone()).collect();
        let mut paint: Vec<_> =
            runs.iter().filter_map(|place| drawn.runs.get(*place)).map(|run| (run.color, run.font)).collect();
        paint.dedup();
        Row { text: line.text(), bounds: line.bounds, paint, visibility: row_visibility(drawn, &runs), runs }
    };
    drawn.lines().iter().map(row).filter(|row| row.visibility != RowVisibility::Outside).collect()
}

/// Whether rows are the first of these options, each below the other and complete but for the first and the last row.
fn is_window(rows: &[Row], options: &[[String; 2]]) -> bool {
    let ends = [0, rows.len().saturating_sub(1)];
    let is_below = |pair: &[Row]| match pair {
        [one, other] => one.bounds.bottom - other.bounds.bottom >= MIN_PITCH_PART * one.bounds.height(),
        _ => false,
    };
    let is_option = |(row, [_, shown]): (&Row, &[String; 2])| {
        letters(&row.text) == letters(shown) && has_same_blanks(shown, &row.text, false)
    };
    rows.len() <= options.len()
        && rows.iter().zip(options).all(is_option)
        && rows.windows(2).all(is_below)
        && rows.iter().enumerate().all(|(place, row)| row.is_complete() || ends.contains(&place))
}

/// The letters of all options.
fn joined(options: &[[String; 2]]) -> String {
    options.iter().map(|[_, shown]| letters(shown)).collect()
}

/// Whether a list shows all of its options on one line, as pypdf writes them, which join no numbers.
fn is_one_line(List { rows, options, .. }: &List) -> bool {
    let names = joined(options);
    matches!(&rows[..], [row] if row.is_complete() && letters(&row.text) == names) && !names.contains(char::is_numeric)
}

/// Whether the rows that are marked have one color and font, and so have the others.
fn is_alike(rows: &[Row], marked: &[bool]) -> bool {
    rows.iter().zip(marked).all(|(row, is_marked)| {
        let same = rows.iter().zip(marked).filter(|(_, other)| *other == is_marked);
        same.map(|(other, _)| other).all(|other| other.paint == row.paint)
    })
}

/// Whether no row is cut off at a side, and the chosen ones are complete.
fn is_read(rows: &[Row], chosen: &[bool]) -> bool {
    rows.iter().zip(chosen).all(|(row, is_chosen)| match row.visibility {
        RowVisibility::Complete => true,
        RowVisibility::CutAtEdge => !is_chosen,
        RowVisibility::CutAtSide | RowVisibility::Outside => false,
    })
}

/// Whether a list starts with its first options, as many as have room: without a mark that is no value.
fn is_start(list: &List) -> bool {
    let is_all = list.rows.len() == list.options.len();
    match &list.rows[..] {
        // PDFBox makes rows as high as the list
        [row] if row.visibility == RowVisibility::CutAtSide => is_large(list, row),
        [row] => is_all && row.is_complete(),
        [first, second, ..] => {
            let pitch = first.bounds.bottom - second.bounds.bottom;
            let is_full =
                is_all || list.rows.last().is_some_and(|last| last.bounds.bottom - pitch < list.bounds.bottom);
            let is_uncut = list.rows.iter().all(|row| row.visibility != RowVisibility::CutAtSide);
            is_full && is_uncut && first.is_complete() && second.is_complete()
        }
        [] => false,
    }
}

/// Whether a row is as high as its list, which shows so little of it that this is no option nor a number.
fn is_large(List { drawn, bounds, .. }: &List, row: &Row) -> bool {
    let (seen, all) = letters_within_sides(drawn, &row.runs);
    row.bounds.height() >= bounds.height()
        && row.bounds.left >= bounds.left
        && seen as f64 <= MAX_LARGE_ROW_PART * all as f64
        && !row.text.chars().any(char::is_numeric)
}

/// What marks rows in a list: what is painted in it, but its ground and its frame.
fn bars(List { drawn, bounds, .. }: &List) -> Vec<Rectangle> {
    let all = drawn.areas.iter().flat_map(|area| boxes(drawn, area));
    let seen = all.filter(|bar| bar.meets(*bounds)).map(|bar| bar.clipped(*bounds));
    seen.filter(|bar| !is_ground(*bar, *bounds)).collect()
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
