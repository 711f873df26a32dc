//! Appearances of text markup annotations (ISO 32000-2, 12.5.6.10): lines along words, or light areas over them.

use pdf_content::{Area, AreaKind, PageText, Rectangle, Run, component_sum};

use super::{HIGHLIGHT_COLOR, MAX_LINE_HEIGHT_SHARE, quoted};

/// Minimum height of a line, in points.
const LINE_HEIGHT_PT: f64 = 3.0;
/// Minimum share of a word that a line is under or over.
const MIN_MARKED_SHARE: f64 = 0.9;
/// Minimum length of a line that changes no single letter, and maximum length of the end of one, in font sizes.
const LONG_LINE_EM: f64 = 2.0;
const TOUCHED_EM: f64 = 0.25;
/// Maximum height of an underline, and the places of a strikeout, above the baseline, in font sizes.
const UNDERLINE_MAX_EM: f64 = 0.25;
const STRIKEOUT_EM: [f64; 2] = [0.1, 0.65];
/// Minimum contrast of letters under a highlight, of 1.
const MIN_WASHED_CONTRAST: f64 = 0.1;

/// Whether an appearance has what its kind of markup has, for words of this height.
pub(super) fn is_plain(over: &PageText, subtype: &[u8], height: f64) -> bool {
    let max = (MAX_LINE_HEIGHT_SHARE * height).max(LINE_HEIGHT_PT);
    let is_light = |area: &Area| area.color_on_paper().is_some_and(|color| component_sum(color) >= HIGHLIGHT_COLOR);
    let is_thin =
        |area: &Area| over.pieces(area).iter().all(|piece| piece.bounds.height().min(piece.bounds.width()) <= max);
    let mut areas = over.areas.iter().filter(|area| !area.is_off);
    !over.runs.iter().any(Run::is_painted)
        && areas.all(|area| if subtype == b"Highlight" { is_light(area) } else { is_thin(area) })
}

/// Whether a highlight takes most of the contrast of light letters, which are then hardly seen.
pub(super) fn washes_out(below: &PageText, over: &PageText, words: Rectangle) -> bool {
    let areas = over.areas.iter().filter(|area| !area.is_off && area.bounds.meets(words));
    let alphas = areas.map(|area| area.opacity().map_or(0.0, f64::from));
    let left: f64 = alphas.map(|alpha| 1.0 - alpha).product();
    below.runs.iter().filter(|run| run.is_painted() && run.bounds == words).any(|run| {
        let Some(color) = run.color else { return true };
        let contrast = color.iter().map(|part| 1.0 - f64::from(*part) / f64::from(u8::MAX)).fold(0.0, f64::max);
        left < 1.0 && contrast * left < MIN_WASHED_CONTRAST
    })
}

/// The signed word that a line passes over in part only, or not where the lines of its kind are, as a clause: it may
/// change a letter.
pub(super) fn partial_line(below: &PageText, over: &PageText, subtype: &[u8], page: u32) -> Option<String> {
    let areas = over.areas.iter().filter(|area| !area.is_off && area.kind != AreaKind::Image);
    let lines: Vec<Rectangle> = areas.flat_map(|area| over.pieces(area)).map(|piece| piece.bounds).collect();
    let words = below.runs.iter().filter(|run| run.annotation.is_none() && run.is_painted());
    let is_partial = |run: &&Run| {
        let (own, em) = (run.own_bounds(), run.size.max(1.0));
        let text = below.text(run);
        let is_word = !text.contains(char::is_numeric);
        let mut lines = lines.iter().filter(|line| line.meets(run.bounds)).map(|line| run.turned(*line));
        lines.any(|line| {
            let both = line.clipped(own);
            let is_long = line.width() >= LONG_LINE_EM * em;
            let is_over = both.width() >= MIN_MARKED_SHARE * own.width();
            // the end of a line along another word
            let is_end = both.width() < TOUCHED_EM * em && !(own.left..=own.right).contains(&line.middle().0);
            let is_placed = match subtype {
                b"StrikeOut" => (STRIKEOUT_EM[0] * em..=STRIKEOUT_EM[1] * em).contains(&line.middle().1),
                _ => line.top <= UNDERLINE_MAX_EM * em,
            };
            let is_marked = if is_long { is_over || is_word } else { is_over && is_placed };
            !both.is_empty() && !is_end && !is_marked
        })
    };
    let word = words.into_iter().find(is_partial)?;
    Some(format!("a line on page {page} marks only a part of {}", quoted(below.text(word))))
}
