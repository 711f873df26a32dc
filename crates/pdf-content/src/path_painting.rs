//! Path-painting operators (8.5.3) and clipping paths (8.5.4).

use super::area::{AreaKind, Effect, Rule};
use super::frame::Frame;
use super::geometry::Rectangle;
use super::graphics::OPAQUE;
use super::painter::Painter;
use super::path::Path;

/// Minimum width, in points, of a straight line that is treated as a rectangle.
const LINE_AS_RECTANGLE_MIN_WIDTH_PT: f64 = 3.0;
/// Width of the thinnest lines (8.4.3.2), in points: a pixel of 480 per inch.
const MIN_LINE_WIDTH_PT: f64 = 0.15;

impl Painter<'_, '_, '_> {
    /// Paints the path, or only clips to it (8.5.3, 8.5.4).
    pub(super) fn end_path(&mut self, operator: &[u8], frame: &mut Frame) {
        if matches!(operator, b"s" | b"b" | b"b*") {
            frame.path.close();
        }
        let path = frame.path.take();
        self.paint_path(&path, operator, frame);
        frame.path = path.emptied();
    }

    fn paint_path(&mut self, path: &Path, operator: &[u8], frame: &mut Frame) {
        let clips = frame.clips.take();
        let Some(bounds) = path.bounds() else {
            // single points enclose nothing
            if clips.is_some() && path.is_begun() {
                frame.graphics.clip_to(Rectangle::default());
            }
            return;
        };
        if matches!(operator, b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*") {
            let rule = if operator.ends_with(b"*") { Rule::EvenOdd } else { Rule::NonZero };
            self.fill(path, rule, frame);
        }
        if matches!(operator, b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*") {
            self.stroke(path, frame);
        }
        let Some(rule) = clips else { return };
        frame.graphics.clip_to(bounds);
        if path.is_rectangle() {
            return;
        }
        let outline = path.outlines().and_then(|lines| self.page.outlines.push(rule, lines));
        self.page.is_part |= outline.is_none() && !self.page.runs.is_empty();
        frame.graphics.clip_to_shape(outline, &mut self.page.outlines);
    }

    fn fill(&mut self, path: &Path, rule: Rule, frame: &Frame) {
        let style = self.paint_style(frame, Some(&frame.graphics.fill));
        if let Some(rectangles) = path.rectangles() {
            rectangles.for_each(|rectangle| self.page.push_area(AreaKind::Rectangle, rectangle, style));
        } else if let Some(bounds) = path.bounds() {
            let outline = path.outlines().and_then(|lines| self.page.outlines.push(rule, lines));
            self.page.push_shape(AreaKind::Shape, bounds, outline, style);
        }
    }

    fn stroke(&mut self, path: &Path, frame: &Frame) {
        let graphics = &frame.graphics;
        let (line, matrix) = (&graphics.line, graphics.matrix);
        let mut style = self.paint_style(frame, Some(&graphics.stroke));
        if let Some(polygons) = line.outline(path, matrix) {
            let points = polygons.iter().flatten().map(|[x, y]| (f64::from(*x), f64::from(*y)));
            let bounds = Rectangle::around(points);
            let outline = self.page.outlines.push(Rule::NonZero, polygons.iter().map(Vec::as_slice));
            self.page.push_shape(AreaKind::Shape, bounds, outline, style);
            return;
        }
        let width = line.max_width(matrix).max(MIN_LINE_WIDTH_PT);
        if let Some(dashes) = &line.dashes
            && path.length() > dashes.first() * matrix.scale()
        {
            let share = dashes.share();
            style.is_solid &= share >= f64::from(OPAQUE);
            if let Effect::Mixed { alpha, .. } = &mut style.effect {
                *alpha *= share as f32;
            }
        }
        if let Some(line) = path.straight(width).filter(|_| width >= LINE_AS_RECTANGLE_MIN_WIDTH_PT && !line.has_caps())
        {
            self.page.push_area(AreaKind::Rectangle, line, style);
        } else if let (Some(bounds), true) = (path.bounds(), width.is_finite()) {
            let rule = Rule::Stroke { width: width as f32, has_caps: line.has_caps() };
            let outline = path.outlines().and_then(|lines| self.page.outlines.push(rule, lines));
            self.page.push_shape(AreaKind::Stroke, bounds.grown(width / 2.0), outline, style);
        }
    }
}
