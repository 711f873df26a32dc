//! Appearances that viewers generate for annotations without an appearance stream (ISO 32000-2, 12.5.6): lines, borders
//! and backgrounds.

use pdf_content::{Rectangle, max_width};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Minimum share of a glyph that counts as touched, and as hidden.
pub(super) const MIN_TOUCHED_SHARE: f64 = 0.05;
pub(super) const MIN_HIDDEN_SHARE: f64 = 0.5;
/// Sample points across and up a glyph.
const SAMPLES_ACROSS: usize = 6;
const SAMPLES_UP: usize = 10;
/// Maximum lines, and maximum other shapes, with sample points.
const MAX_SAMPLED_LINES: usize = 200;
/// Thickness of an underline, in heights of the marked text.
const UNDERLINE_HEIGHTS: f64 = 1.0 / 12.0;
/// Size of line endings, in line widths (12.5.6.7).
const LINE_ENDING_WIDTHS: f64 = 5.0;
/// How far the arcs of a cloudy border reach at an intensity of 1, in points, and its maximum.
const CLOUD_REACH_PT: f64 = 4.0;
const MAX_CLOUD_INTENSITY: f64 = 4.0;
/// The size of an icon, in points (12.5.6.4).
const ICON_SIZE_PT: f64 = 24.0;
/// Minimum opacity that hides text.
const MIN_HIDING_ALPHA: f64 = 0.7;
/// Minimum contrast of words under a highlight, of 1, and on paper.
const MIN_LEGIBLE_CONTRAST: f64 = 0.15;
const MIN_SEEN_CONTRAST: f64 = 0.3;
/// Size of the letters of a line's caption, in points, and the distance around it in which other words join it.
const CAPTION_SIZE_PT: f64 = 12.0;
const CAPTION_GAP_PT: f64 = 6.0;
const CAPTION_PART_PT: f64 = 6.0;
/// Minimum mean of the color components of a light line, of 1.
const LIGHT_LINE_SHARE: f64 = 0.78;
/// Maximum width of a line that hides nothing, in points.
const MAX_THIN_LINE_PT: f64 = 3.0;

type Point = (f64, f64);

/// The painted shape, in user space of the page.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Lines with their widths.
    lines: Vec<(Point, Point, f64)>,
    /// Filled polygons, and filled ellipses by their bounds.
    polygons: Vec<Vec<Point>>,
    ellipses: Vec<Rectangle>,
    /// The color that darkens what it is over, of 1; none if it paints over it.
    multiplied: Option<[f64; 3]>,
    /// Whether it is opaque.
    pub(super) is_opaque: bool,
    /// Whether it has a background.
    pub(super) has_ground: bool,
    /// Whether it has only thin lines.
    pub(super) is_line: bool,
}

/// The shape that viewers draw for an annotation.
pub(super) fn shape(view: &mut View, annotation: &Dictionary) -> Result<Shape, Fault> {
    let mut shape =
        Shape { is_opaque: view.number(annotation.get(b"CA"))?.unwrap_or(1.0) >= MIN_HIDING_ALPHA, ..Shape::default() };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let width = width(view, annotation)?;
    let is_filled = !view.resolve(annotation.get(b"IC"))?.elements().is_empty();
    let is_light = is_light(view, annotation)?;
    let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) else { return Ok(shape) };
    match subtype {
        b"Popup" => {}
        b"Highlight" => {
            let color = view.array(annotation.get(b"C"), 5)?;
            let parts: Vec<f64> = color.elements().iter().filter_map(Object::as_number).collect();
            shape.multiplied = Some(match parts[..] {
                [gray] => [gray; 3],
                [red, green, blue] => [red, green, blue],
                [cyan, magenta, yellow, black] => [cyan, magenta, yellow].map(|part| (1.0 - black) * (1.0 - part)),
                _ => [1.0; 3],
            });
            shape.polygons.extend(quads(view, annotation, rectangle)?);
        }
        b"Underline" | b"Squiggly" | b"StrikeOut" => {
            for (quad, height) in heights(view, annotation, rectangle)? {
                let bounds = Rectangle::around(quad);
                let y = if subtype == b"StrikeOut" { bounds.middle().1 } else { bounds.bottom };
                let thick = (UNDERLINE_HEIGHTS * height.max(bounds.height())).max(1.0);
                shape.lines.push(((bounds.left, y), (bounds.right, y), thick));
            }
            if is_turned(view, annotation)? {
                shape.is_opaque = false;
                shape.polygons.extend(quads(view, annotation, rectangle)?);
            }
        }
        b"Line" => {
            let points = points(view, annotation.get(b"L"))?;
            shape.line(&points, width, false);
            let caption = caption(view, annotation, &points)?;
            shape.is_opaque &= caption.is_empty();
            shape.polygons.extend(caption);
            // leader lines move the line (12.5.6.7), and viewers differ in the side
            let lengths = [b"LL".as_slice(), b"LLO", b"LLE"].map(|key| view.number(annotation.get(key)));
            let [line, offset, extension] = lengths;
            let (line, offset, extension) =
                (line?.unwrap_or(0.0), offset?.unwrap_or(0.0), extension?.unwrap_or(0.0).abs());
            if let ([(x, y), (to_x, to_y), ..], true) = (&points[..], line != 0.0 || offset != 0.0) {
                shape.is_opaque = false;
                let length = (to_x - x).hypot(to_y - y).max(f64::EPSILON);
                let (across, up) = ((to_y - y) / length, (x - to_x) / length);
                let moved = |(x, y): Point, by: f64| (x + by * across, y + by * up);
                for by in [line, line + offset, line - offset] {
                    for by in [by, -by] {
                        shape.line(&[moved((*x, *y), by), moved((*to_x, *to_y), by)], width, false);
                        let reach = by + extension.copysign(by);
                        shape.line(&[(*x, *y), moved((*x, *y), reach)], width, false);
                        shape.line(&[(*to_x, *to_y), moved((*to_x, *to_y), reach)], width, false);
                    }
                }
            }
            let [first, .., last] = points[..] else { return Ok(shape) };
            shape.endings(view, annotation, ([first, last], width, [is_filled, is_light]))?;
        }
        b"PolyLine" | b"Polygon" => {
            let points = points(view, annotation.get(b"Vertices"))?;
            shape.line(&points, width, subtype == b"Polygon");
            if let ([first, .., last], b"PolyLine") = (&points[..], subtype) {
                shape.endings(view, annotation, ([*first, *last], width, [is_filled, is_light]))?;
            }
            shape.polygons.extend(is_filled.then_some(points));
        }
        b"Ink" => {
            for stroke in view.resolve(annotation.get(b"InkList"))?.elements() {
                let points = points(view, stroke)?;
                shape.line(&points, width, false);
            }
        }
        b"Square" | b"Link" => {
            shape.border(rectangle, width);
            shape.polygons.extend((is_filled && subtype == b"Square").then(|| corners(rectangle)));
        }
        b"Circle" => {
            shape.ring(rectangle, width);
            shape.ellipses.extend(is_filled.then_some(rectangle));
        }
        b"FreeText" => {
            let has_ground = !view.resolve(annotation.get(b"C"))?.elements().is_empty();
            // differences that are negative (12.5.6.6, `/RD`) enlarge it in some viewers
            let differences = view.array(annotation.get(b"RD"), 4)?;
            let differences = differences.elements().iter().filter_map(Object::as_number);
            let reach = differences.fold(0.0, |reach: f64, difference| reach.max(-difference));
            shape.polygons.push(corners(rectangle.grown(reach)));
            // the line of a callout (12.5.6.6)
            let callout = points(view, annotation.get(b"CL"))?;
            shape.is_opaque &= reach == 0.0 && (has_ground || !callout.is_empty());
            shape.line(&callout, width, false);
        }
        b"Text" | b"FileAttachment" | b"Sound" => {
            let left_top =
                Rectangle { right: rectangle.left + ICON_SIZE_PT, bottom: rectangle.top - ICON_SIZE_PT, ..rectangle };
            shape.polygons.push(corners(left_top));
        }
        b"Widget" => {
            let characteristics = view.dictionary(annotation.get(b"MK"))?.into_owned();
            let is_drawn =
                !characteristics.is_empty() || annotation.has(b"V") && !annotation.get(b"FT").is_name(b"Sig");
            shape.polygons.extend(is_drawn.then(|| corners(rectangle)));
            shape.has_ground = !view.resolve(characteristics.get(b"BG"))?.elements().is_empty();
        }
        // a stamp is drawn as letters in a frame
        _ => {
            shape.polygons.push(corners(rectangle));
            shape.is_opaque = false;
        }
    }
    let effect = view.dictionary(annotation.get(b"BE"))?.into_owned();
    if effect.get(b"S").is_name(b"C") {
        let intensity = view.number(effect.get(b"I"))?.unwrap_or(0.0).clamp(0.0, MAX_CLOUD_INTENSITY);
        shape.cloud(CLOUD_REACH_PT * intensity + width, is_filled);
    }
    let is_thin = |(_, _, width): &(Point, Point, f64)| *width <= MAX_THIN_LINE_PT;
    let has_lines_only = shape.polygons.is_empty() && shape.ellipses.is_empty();
    // a light line erases what it crosses
    shape.is_line = has_lines_only && shape.lines.iter().all(is_thin) && (!is_light || subtype == b"Link");
    Ok(shape)
}

impl Shape {
    /// A shape that fills a rectangle, such as the text of a field.
    pub(super) fn filling(rectangle: Rectangle) -> Self {
        Self { polygons: vec![corners(rectangle)], ..Self::default() }
    }

    /// The box around all paint; `None` if there is none.
    pub(super) fn bounds(&self) -> Option<Rectangle> {
        let lines = self.lines.iter().map(|&(from, to, width)| Rectangle::around([from, to]).grown(width / 2.0));
        let polygons = self.polygons.iter().map(|polygon| Rectangle::around(polygon.iter().copied()));
        lines.chain(polygons).chain(self.ellipses.iter().copied()).reduce(Rectangle::with)
    }

    /// Whether it hides content in a color that it is over: with the blend mode Multiply, what has its own color.
    pub(super) fn hides(&self, color: Option<[u8; 3]>) -> bool {
        let Some(multiplied) = self.multiplied else { return true };
        let Some(color) = color.map(|color| color.map(|part| 1.0 - f64::from(part) / f64::from(u8::MAX))) else {
            return false;
        };
        let contrast = multiplied.iter().zip(color).map(|(part, dark)| part * dark).fold(0.0, f64::max);
        contrast < MIN_LEGIBLE_CONTRAST && color.into_iter().fold(0.0, f64::max) >= MIN_SEEN_CONTRAST
    }

    /// The painted share of a rectangle, from 0 to 1.
    pub(super) fn part_of(&self, bounds: Rectangle) -> f64 {
        let painted = samples(bounds).filter(|point| self.has(*point));
        painted.count() as f64 / (SAMPLES_ACROSS * SAMPLES_UP) as f64
    }

    /// Points that are painted.
    pub(super) fn points(&self) -> Vec<Point> {
        let along = |&((x, y), (to_x, to_y), _): &(Point, Point, f64)| {
            (0..SAMPLES_UP).map(move |place| (sample(place, SAMPLES_UP, x, to_x), sample(place, SAMPLES_UP, y, to_y)))
        };
        let lines = self.lines.iter().filter(|(_, _, width)| *width > 0.0).take(MAX_SAMPLED_LINES).flat_map(along);
        let bounds = self.polygons.iter().map(|polygon| Rectangle::around(polygon.iter().copied()));
        let within = bounds.chain(self.ellipses.iter().copied()).take(MAX_SAMPLED_LINES).flat_map(samples);
        lines.chain(within.filter(|point| self.has(*point))).collect()
    }

    fn has(&self, point: Point) -> bool {
        self.lines.iter().any(|&(from, to, width)| distance(point, from, to) <= width / 2.0)
            || self.ellipses.iter().any(|bounds| is_within_ellipse(point, *bounds))
            || self.polygons.iter().any(|polygon| is_within(point, polygon))
    }

    fn line(&mut self, points: &[Point], width: f64, is_closed: bool) {
        let ends = points.iter().copied().zip(points.iter().copied().skip(1));
        self.lines.extend(ends.map(|(from, to)| (from, to, width)));
        if let (true, [first, .., last]) = (is_closed, points) {
            self.lines.push((*last, *first, width));
        }
    }

    /// Adds the arcs of a cloudy border (12.5.4) around all polygons and ellipses, which are filled as the shape is.
    fn cloud(&mut self, reach: f64, is_filled: bool) {
        let polygons = if is_filled { self.polygons.clone() } else { Vec::new() };
        for polygon in polygons {
            self.line(&polygon, 2.0 * reach, true);
        }
        self.ellipses.iter_mut().filter(|_| is_filled).for_each(|ellipse| *ellipse = ellipse.grown(reach));
    }

    /// Adds the endings of a line: their reach, if they are thick, filled or light. What they hide there is unknown.
    fn endings(
        &mut self,
        view: &mut View,
        annotation: &Dictionary,
        (ends, width, [is_filled, is_light]): ([Point; 2], f64, [bool; 2]),
    ) -> Result<(), Fault> {
        let endings = view.array(annotation.get(b"LE"), 2)?;
        let by = LINE_ENDING_WIDTHS * width;
        let drawn = ends.iter().zip(endings.elements()).filter(|(_, ending)| !ending.is_name(b"None"));
        let around = drawn.map(|(&(x, y), _)| Rectangle { left: x, bottom: y, right: x, top: y }.grown(by));
        let around: Vec<Rectangle> = around.filter(|_| is_filled || is_light || width > MAX_THIN_LINE_PT).collect();
        self.is_opaque &= is_filled || around.is_empty();
        self.ellipses.extend(around);
        Ok(())
    }

    /// Adds a border inside a rectangle.
    fn border(&mut self, rectangle: Rectangle, width: f64) {
        self.line(&corners(rectangle.grown(-width / 2.0)), width, true);
    }

    /// Adds a border inside an ellipse, as a polygon.
    fn ring(&mut self, rectangle: Rectangle, width: f64) {
        const SIDES: usize = 48;
        let (x, y) = rectangle.middle();
        let (across, up) = ((rectangle.width() - width) / 2.0, (rectangle.height() - width) / 2.0);
        let point = |side: usize| {
            let angle = side as f64 / SIDES as f64 * std::f64::consts::TAU;
            (x + across * angle.cos(), y + up * angle.sin())
        };
        self.line(&(0..SIDES).map(point).collect::<Vec<_>>(), width, true);
    }
}

/// Whether an annotation's lines are light.
fn is_light(view: &mut View, annotation: &Dictionary) -> Result<bool, Fault> {
    let color = view.array(annotation.get(b"C"), 5)?;
    let parts: Vec<f64> = color.elements().iter().filter_map(Object::as_number).collect();
    Ok(match parts[..] {
        [gray] => gray >= LIGHT_LINE_SHARE,
        [_, _, _] => parts.iter().sum::<f64>() >= 3.0 * LIGHT_LINE_SHARE,
        [cyan, magenta, yellow, black] => cyan + magenta + yellow + 3.0 * black <= 3.0 * (1.0 - LIGHT_LINE_SHARE),
        _ => false,
    })
}

/// The smallest height of the quadrilaterals of a markup annotation.
pub(super) fn quad_height(view: &mut View, annotation: &Dictionary) -> Result<Option<f64>, Fault> {
    let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) else { return Ok(None) };
    let quads = quads(view, annotation, rectangle)?;
    let sizes = quads.iter().map(|quad| Rectangle::around(quad.iter().copied()));
    Ok(sizes.map(|bounds| bounds.height().min(bounds.width())).reduce(f64::min))
}

/// The boxes of a line's caption (12.5.6.7), in parts that are as wide as a glyph: in its middle or above it, as it is and
/// moved as the annotation says, which viewers do differently. Its letters are as wide as those of the widest font in which
/// viewers draw it.
fn caption(view: &mut View, annotation: &Dictionary, line: &[Point]) -> Result<Vec<Vec<Point>>, Fault> {
    let is_shown = view.resolve(annotation.get(b"Cap"))?.as_bool() == Some(true);
    let words = view.resolve(annotation.get(b"Contents"))?.as_string().map(text_string::characters).unwrap_or_default();
    let ([(x, y), (to_x, to_y), ..], true) = (line, is_shown && !words.is_empty()) else { return Ok(Vec::new()) };
    let length = (to_x - x).hypot(to_y - y).max(f64::EPSILON);
    let (across, up) = ((to_x - x) / length, (to_y - y) / length);
    let moved = view.array(annotation.get(b"CO"), 2)?;
    let moved = [0, 1].map(|place| moved.elements().get(place).and_then(Object::as_number).unwrap_or(0.0));
    let width = max_width(&words) * CAPTION_SIZE_PT + 2.0 * CAPTION_GAP_PT;
    let parts = ((width / CAPTION_PART_PT).ceil() as usize).clamp(1, MAX_SAMPLED_LINES);
    let part = width / parts as f64;
    let above = if annotation.get(b"CP").is_name(b"Top") { CAPTION_SIZE_PT } else { 0.0 };
    let [along, off] = moved;
    let mut offsets = vec![[0.0, above], [along, off + above], [along, off]];
    offsets.truncate(if moved == [0.0; 2] { 1 } else { offsets.len() });
    let boxes = offsets.into_iter().flat_map(|[along, middle]| {
        let start = (length - width) / 2.0 + along;
        let corner = move |along: f64, side: f64| {
            let off = middle + side * CAPTION_SIZE_PT / 2.0;
            (x + along * across - off * up, y + along * up + off * across)
        };
        (0..parts).map(move |place| {
            let (from, to) = (start + place as f64 * part, start + (place + 1) as f64 * part);
            [(from, -1.0), (to, -1.0), (to, 1.0), (from, 1.0)].map(|(along, side)| corner(along, side)).to_vec()
        })
    });
    Ok(boxes.collect())
}

/// Whether the corners of a quadrilateral are in another order than all programs write, so that viewers draw its line at
/// different sides (12.5.6.10 has a third order).
fn is_turned(view: &mut View, annotation: &Dictionary) -> Result<bool, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    let is_usual = |quad: &[Point]| match quad {
        [(left, one), (right, two), (_, three), (_, four)] => {
            right - left >= (one - two).abs() && one + two >= three + four
        }
        _ => true,
    };
    Ok(!points.chunks_exact(4).all(is_usual))
}

/// The line width of an annotation (12.5.4): 0 for none.
fn width(view: &mut View, annotation: &Dictionary) -> Result<f64, Fault> {
    let style = view.dictionary(annotation.get(b"BS"))?.into_owned();
    if !style.is_empty() {
        return Ok(view.number(style.get(b"W"))?.unwrap_or(1.0));
    }
    let border = view.array(annotation.get(b"Border"), 4)?;
    Ok(border.elements().get(2).map_or(1.0, |width| width.as_number().unwrap_or(1.0)))
}

fn points(view: &mut View, object: &Object) -> Result<Vec<Point>, Fault> {
    const POINTS: usize = 4_000;
    let numbers: Vec<f64> = view.array(object, POINTS)?.elements().iter().filter_map(Object::as_number).collect();
    Ok(numbers.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))).collect())
}

/// The same with the line heights that viewers derive from the distance of the corners.
fn heights(view: &mut View, annotation: &Dictionary, rectangle: Rectangle) -> Result<Vec<(Vec<Point>, f64)>, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    let apart = |one: Option<&Point>, other: Option<&Point>| {
        one.zip(other).map_or(0.0, |((x, y), (u, v))| (x - u).hypot(y - v))
    };
    let height = |quad: &[Point]| apart(quad.first(), quad.get(2)).max(apart(quad.get(1), quad.get(3)));
    let own = points.chunks_exact(4).map(height).chain(std::iter::repeat(0.0));
    Ok(quads(view, annotation, rectangle)?.into_iter().zip(own).collect())
}

/// The quadrilaterals of a markup annotation (12.5.6.10), by their bounds.
fn quads(view: &mut View, annotation: &Dictionary, rectangle: Rectangle) -> Result<Vec<Vec<Point>>, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    if points.len() < 4 {
        return Ok(vec![corners(rectangle)]);
    }
    Ok(points.chunks_exact(4).map(|quad| corners(Rectangle::around(quad.iter().copied()))).collect())
}

/// The middles of the cells of a grid over a rectangle.
fn samples(Rectangle { left, bottom, right, top }: Rectangle) -> impl Iterator<Item = Point> {
    let cells = (0..SAMPLES_ACROSS).flat_map(|x| (0..SAMPLES_UP).map(move |y| (x, y)));
    cells.map(move |(x, y)| (sample(x, SAMPLES_ACROSS, left, right), sample(y, SAMPLES_UP, bottom, top)))
}

/// The middle of one of equal parts of a distance.
fn sample(place: usize, all: usize, from: f64, to: f64) -> f64 {
    from + (to - from) * (place as f64 + 0.5) / all as f64
}

fn corners(Rectangle { left, bottom, right, top }: Rectangle) -> Vec<Point> {
    vec![(left, bottom), (right, bottom), (right, top), (left, top)]
}

fn distance((x, y): Point, (from_x, from_y): Point, (to_x, to_y): Point) -> f64 {
    let (across, up) = (to_x - from_x, to_y - from_y);
    let length = across * across + up * up;
    let along = if length > 0.0 { (((x - from_x) * across + (y - from_y) * up) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - from_x - along * across).hypot(y - from_y - along * up)
}

fn is_within_ellipse((x, y): Point, bounds: Rectangle) -> bool {
    let (middle_x, middle_y) = bounds.middle();
    let (across, up) = ((x - middle_x) / (bounds.width() / 2.0), (y - middle_y) / (bounds.height() / 2.0));
    across * across + up * up <= 1.0
}

/// Whether a point is in a polygon, by the even-odd rule.
fn is_within((x, y): Point, polygon: &[Point]) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = sides.filter(|((from_x, from_y), (to_x, to_y))| {
        (*from_y > y) != (*to_y > y) && x < (to_x - from_x) * (y - from_y) / (to_y - from_y) + from_x
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyph(left: f64, bottom: f64) -> Rectangle {
        Rectangle { left, bottom, right: left + 6.0, top: bottom + 10.0 }
    }

    #[test]
    fn lines_hide_what_they_are_thicker_than() {
        let mut shape = Shape::default();
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 1.0, false);
        assert!(shape.part_of(glyph(20.0, 0.0)) < MIN_HIDDEN_SHARE);
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 12.0, false);
        assert!(shape.part_of(glyph(20.0, 0.0)) > MIN_HIDDEN_SHARE);
        assert!(shape.part_of(glyph(120.0, 0.0)) < MIN_TOUCHED_SHARE);
    }

    #[test]
    fn the_box_contains_everything_that_is_painted() {
        let mut shape = Shape { ellipses: vec![glyph(-5.0, 20.0)], ..Shape::default() };
        assert!(Shape::default().bounds().is_none());
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 4.0, false);
        shape.polygons.push(corners(glyph(200.0, -8.0)));
        let bounds = shape.bounds().expect("paint");
        assert_eq!(bounds, Rectangle { left: -5.0, bottom: -8.0, right: 206.0, top: 30.0 });
    }

    #[test]
    fn borders_hide_by_their_width() {
        let bounds = Rectangle { left: 0.0, bottom: 0.0, right: 100.0, top: 20.0 };
        for (width, is_hidden) in [(1.0, false), (10.0, true)] {
            let mut border = Shape::default();
            border.border(bounds, width);
            assert_eq!(border.part_of(glyph(50.0, 5.0)) >= MIN_HIDDEN_SHARE, is_hidden, "{width}");
        }
        let mut ring = Shape::default();
        ring.ring(bounds, 10.0);
        assert!(ring.part_of(glyph(50.0, 12.0)) >= MIN_HIDDEN_SHARE);
    }
}
