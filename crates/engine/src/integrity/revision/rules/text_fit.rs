//! Whether a text that viewers draw fits its field, whichever of their fonts they take (ISO 32000-1, 12.7.3.3).

use pdf_content::{Border, Rectangle, StandardFont};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Distance of a text from the border of its field in some viewers, in points, and width of a border that is not given.
const PADDING_PT: f64 = 2.0;
const BORDER_PT: f64 = 1.0;
/// Maximum height of a line, in font sizes.
const LINE_HEIGHT: f64 = 1.15;

/// Whether the letters of a text fit the area of its field, line by line, whichever font a viewer takes.
pub(super) fn fits(text: &str, (font, size): (&StandardFont, f64), area: Rectangle, field: &Field) -> bool {
    let width = |text: &str| font.max_width(text).map_or(f64::INFINITY, |width| width * size);
    if let Some(cells) = field.cells() {
        let cell = area.width() / cells as f64;
        return size <= area.height() && text.chars().all(|letter| width(letter.encode_utf8(&mut [0; 4])) <= cell);
    }
    let room = area.width() - PADDING_PT;
    if !field.is_multiline() {
        return width(text) <= room && size <= area.height();
    }
    let lines = text.replace("\r\n", "\n").split(['\r', '\n']).map(|line| rows(line, room, width)).sum::<Option<u32>>();
    lines.is_some_and(|lines| f64::from(lines) * LINE_HEIGHT * size <= area.height())
}

/// The rows into which a line breaks between words; `None` if a word is longer than a row.
fn rows(line: &str, room: f64, width: impl Fn(&str) -> f64) -> Option<u32> {
    let (mut rows, mut left) = (1, room);
    for word in line.split(' ') {
        let wanted = width(word);
        if wanted > left {
            rows += 1;
            left = room;
        }
        left -= Some(wanted).filter(|wanted| *wanted <= room)? + width(" ");
    }
    Some(rows)
}

/// The width of the border that viewers leave free, in points (12.5.4); `None` if they read it differently.
pub(super) fn border(view: &mut View, widget: &Dictionary) -> Result<Option<f64>, Fault> {
    let border = Border::read(view, widget)?;
    // some viewers know border styles only
    let least = if view.dictionary(widget.get(b"BS"))?.is_empty() { BORDER_PT } else { 0.0 };
    let width = if border.is_double { 2.0 * border.width } else { border.width };
    Ok((!border.is_ambiguous).then_some(width.max(least)))
}
