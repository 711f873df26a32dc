//! Where the letters of a value are in the appearance of its field: in comb cells, or with its blanks (ISO 32000-1,
//! 12.7.4.3).

use pdf_content::{PageText, Rectangle, cell_texts};
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum comb cells.
const MAX_CELLS: usize = 1_000;
/// Maximum distance of letters that are not spread over cells, in widths of a cell.
const WORD_MAX_PITCH_CELLS: f64 = 0.6;

/// Whether each letter of a value is in its comb cell.
pub(super) fn is_in_cells(drawn: &PageText, (cells, quadding): (i64, i64), widget: &Dictionary, value: &str) -> bool {
    let (Ok(cells), Some(bounds)) = (usize::try_from(cells), Rectangle::read(widget.get(b"Rect"))) else {
        return false;
    };
    let Some(texts) = cell_texts(drawn, cells.min(MAX_CELLS), bounds) else { return false };
    let written: Vec<String> = value.trim_end().chars().map(String::from).collect();
    let Some(free) = cells.checked_sub(written.len()) else { return false };
    // MuPDF begins with the first cell in any case
    let first = match quadding {
        1 => vec![0, free / 2, free.div_ceil(2)],
        2 => vec![free],
        _ => vec![0],
    };
    let is_from = |first: usize| {
        texts.iter().enumerate().all(|(cell, text)| {
            let written = cell.checked_sub(first).and_then(|place| written.get(place));
            text.trim() == written.map_or("", |written| written.trim())
        })
    };
    first.into_iter().any(is_from)
}

/// Whether a value is written without regard to comb cells, as one text whose letters are so near each other that they read
/// as a word.
pub(super) fn is_one_word(drawn: &PageText, cells: i64, widget: &Dictionary) -> bool {
    let Some(bounds) = Rectangle::read(widget.get(b"Rect")) else { return false };
    let cell = bounds.width() / cells.max(1) as f64;
    match &drawn.runs[..] {
        [text] => drawn.glyphs(text).len() > 1 && drawn.pitch(text) <= WORD_MAX_PITCH_CELLS * cell,
        _ => false,
    }
}

/// Whether the lines of a text have blanks where the value of the same letters has white space. Lines may break at blanks,
/// and within a word that is no number if the field has several lines.
pub(super) fn has_same_blanks(value: &str, shown: &str, is_multiline: bool) -> bool {
    let (mut value, mut shown) = (value.trim().chars().peekable(), shown.trim().chars().peekable());
    let mut last = ' ';
    while let Some(letter) = shown.next() {
        if !letter.is_whitespace() {
            last = letter;
            value.next();
            continue;
        }
        let mut is_break = letter == '\n';
        while let Some(blank) = shown.next_if(|blank| blank.is_whitespace()) {
            is_break |= blank == '\n';
        }
        let mut has_blank = false;
        while value.next_if(|blank| blank.is_whitespace()).is_some() {
            has_blank = true;
        }
        let is_within_number = last.is_ascii_digit() && value.peek().is_some_and(char::is_ascii_digit);
        if !has_blank && (!is_break || !is_multiline || is_within_number) {
            return false;
        }
    }
    // white space of the value that is not shown remains
    value.next().is_none()
}
