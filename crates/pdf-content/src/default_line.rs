//! Lines that viewers draw for line annotations without an appearance stream (ISO 32000-2, 12.5.6.7): leader lines, a
//! caption and line endings, in whose places they differ.

use super::default_drawing::{Drawing, THIN_LINE_MAX_WIDTH_PT};
use super::font::max_width;
use super::geometry::{Matrix, Rectangle};
use super::path_operators::{ellipse, numbers, path};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::text::text_string;

/// Size of line endings, in line widths.
const ENDING_WIDTHS: f64 = 5.0;
/// Size of the letters of a line's caption, in points, and the distance around it in which other words join it.
const CAPTION_SIZE_PT: f64 = 12.0;
const CAPTION_GAP_PT: f64 = 6.0;

impl Drawing<'_> {
    /// Draws a line.
    pub(super) fn line(&mut self, view: &mut View) -> Result<(), Fault> {
        let points = numbers(view, self.annotation.get(b"L"))?;
        self.stroke(&path(&points));
        let [x, y, .., to_x, to_y] = points[..] else { return Ok(()) };
        self.caption(view, [x, y, to_x, to_y])?;
        self.leaders(view, [x, y, to_x, to_y])?;
        self.endings(view, &points)
    }

    /// Draws leader lines, and the line that they move, at both sides: viewers differ in the side.
    fn leaders(&mut self, view: &mut View, [x, y, to_x, to_y]: [f64; 4]) -> Result<(), Fault> {
        let mut lengths = [0.0; 3];
        for (length, key) in lengths.iter_mut().zip([b"LL".as_slice(), b"LLO", b"LLE"]) {
            *length = view.number(self.annotation.get(key))?.unwrap_or(0.0);
        }
        let [line, offset, extension] = lengths;
        if line == 0.0 && offset == 0.0 {
            return Ok(());
        }
        self.is_certain = false;
        let length = (to_x - x).hypot(to_y - y).max(f64::EPSILON);
        let (across, up) = ((to_y - y) / length, (x - to_x) / length);
        for by in [line, line + offset, line - offset, -line, -line - offset, offset - line] {
            let moved = |x: f64, y: f64, by: f64| [x + by * across, y + by * up];
            let reach = by + extension.abs().copysign(by);
            let ([from, to], [far, to_far]) =
                ([moved(x, y, by), moved(to_x, to_y, by)], [moved(x, y, reach), moved(to_x, to_y, reach)]);
            for [[x, y], [to_x, to_y]] in [[from, to], [[x, y], far], [[to_x, to_y], to_far]] {
                self.stroke_further(self.width, &path(&[x, y, to_x, to_y]));
            }
        }
        Ok(())
    }

    /// Draws the endings of a line: their reach, if they are thick, filled or light. What they hide there is unknown.
    pub(super) fn endings(&mut self, view: &mut View, line: &[f64]) -> Result<(), Fault> {
        let endings = view.array(self.annotation.get(b"LE"), 2)?;
        let is_thick = self.interior.is_some() || self.is_light || self.width > THIN_LINE_MAX_WIDTH_PT;
        let ([x, y, .., to_x, to_y], true) = (line, is_thick) else { return Ok(()) };
        let ends = [(*x, *y), (*to_x, *to_y)].into_iter().zip(endings.elements());
        for (end, _) in ends.filter(|(_, ending)| !ending.is_name(b"None")) {
            self.is_certain &= self.interior.is_some();
            self.cover(&ellipse(Rectangle::around([end]).grown(ENDING_WIDTHS * self.width)));
        }
        Ok(())
    }

    /// Draws the box of a line's caption: in its middle or above it, as it is and moved as the annotation says, which
    /// viewers do differently. Its letters are as wide as those of the widest font in which viewers draw it.
    fn caption(&mut self, view: &mut View, [x, y, to_x, to_y]: [f64; 4]) -> Result<(), Fault> {
        let is_shown = view.resolve(self.annotation.get(b"Cap"))?.as_bool() == Some(true);
        let words = view.resolve(self.annotation.get(b"Contents"))?;
        let words = words.as_string().map(text_string::characters).unwrap_or_default();
        if !is_shown || words.is_empty() {
            return Ok(());
        }
        let length = (to_x - x).hypot(to_y - y).max(f64::EPSILON);
        let (across, up) = ((to_x - x) / length, (to_y - y) / length);
        let along_line = Matrix([across, up, -up, across, x, y]);
        let moved = numbers(view, self.annotation.get(b"CO"))?;
        let [along, off] = [0, 1].map(|place| moved.get(place).copied().unwrap_or(0.0));
        let width = max_width(&words) * CAPTION_SIZE_PT + 2.0 * CAPTION_GAP_PT;
        let above = if self.annotation.get(b"CP").is_name(b"Top") { CAPTION_SIZE_PT } else { 0.0 };
        for (along, middle) in [(0.0, above), (along, off + above), (along, off)] {
            let left = (length - width) / 2.0 + along;
            let [bottom, top] = [-0.5, 0.5].map(|side| middle + side * CAPTION_SIZE_PT);
            let place = Rectangle { left, bottom, right: left + width, top };
            let corners: Vec<f64> = along_line.quad(place).iter().flatten().copied().map(f64::from).collect();
            self.cover_perhaps(&path(&corners));
            if moved.iter().all(|by| *by == 0.0) {
                break;
            }
        }
        Ok(())
    }
}
