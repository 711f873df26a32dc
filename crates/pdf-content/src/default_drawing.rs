//! The paint of annotations without an appearance stream, by subtype (ISO 32000-2, 12.5.6), as content in page
//! coordinates.

use std::fmt::Write;

use super::border::Border;
use super::default_text::text;
use super::geometry::Rectangle;
use super::path_operators::{color, color_operator, ellipse, inset, numbers, path, quadrilaterals, rectangle_path};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum lists of points of an annotation.
const MAX_LISTS: usize = 200;
/// Minimum width of a link's border that may hide anything, and maximum width of a line that hides nothing, in points.
const LINK_BORDER_MIN_WIDTH_PT: f64 = 3.0;
pub(super) const THIN_LINE_MAX_WIDTH_PT: f64 = 3.0;
/// Minimum mean of the color components of a light line, of 1, which erases what it crosses.
const LIGHT_LINE_MIN_PART: f64 = 0.78;
/// Minimum opacity that hides text.
const HIDING_MIN_ALPHA: f64 = 0.7;
/// Thickness of a line that marks text, in heights of the text, and its minimum, in points.
const MARK_HEIGHTS: f64 = 1.0 / 12.0;
const MARK_MIN_WIDTH_PT: f64 = 1.0;
/// How far the arcs of a cloudy border reach at an intensity of 1, in points, and its maximum.
const CLOUD_REACH_PT: f64 = 4.0;
const MAX_CLOUD_INTENSITY: f64 = 4.0;
/// The size of an icon, in points (12.5.6.4).
const ICON_SIZE_PT: f64 = 24.0;

/// An annotation as viewers draw it, in page coordinates.
pub(super) struct Drawing<'d> {
    pub(super) annotation: &'d Dictionary,
    /// Width of its lines, in points.
    pub(super) width: f64,
    /// The operators that set its color and the color of its interior; none if transparent or not given.
    color: Option<String>,
    pub(super) interior: Option<String>,
    pub(super) is_light: bool,
    /// What viewers draw alike.
    pub(super) content: String,
    /// What some of them draw, or all in forms of their own.
    pub(super) further: String,
    /// Whether what it covers is hidden in all of them.
    pub(super) is_certain: bool,
    /// Whether it consists of thin lines, which hide nothing.
    pub(super) is_thin: bool,
}

impl<'d> Drawing<'d> {
    pub(super) fn of(view: &mut View, annotation: &'d Dictionary) -> Result<Self, Fault> {
        let components = numbers(view, annotation.get(b"C"))?;
        let border = Border::read(view, annotation)?;
        let alpha = view.number(annotation.get(b"CA"))?.unwrap_or(1.0);
        let mut drawing = Self {
            annotation,
            width: border.width,
            color: color_operator(&components),
            interior: color(view, annotation.get(b"IC"))?,
            is_light: is_light(&components),
            content: String::new(),
            further: String::new(),
            is_certain: alpha >= HIDING_MIN_ALPHA && !border.is_ambiguous,
            is_thin: true,
        };
        if let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) {
            drawing.draw(view, rectangle)?;
        }
        Ok(drawing)
    }

    fn draw(&mut self, view: &mut View, rectangle: Rectangle) -> Result<(), Fault> {
        let subtype = view.resolve(self.annotation.get(b"Subtype"))?.into_owned();
        let subtype = subtype.as_name().unwrap_or_default();
        self.is_thin = !self.is_light || subtype == b"Link";
        match subtype {
            b"Popup" => {}
            b"Highlight" => self.highlight(view)?,
            b"Underline" | b"Squiggly" | b"StrikeOut" => self.mark(view, subtype == b"StrikeOut")?,
            b"Ink" => {
                let lists = view.resolve(self.annotation.get(b"InkList"))?.into_owned();
                for list in lists.elements().iter().take(MAX_LISTS) {
                    self.stroke(&format!("1 J {}", path(&numbers(view, list)?)));
                }
            }
            b"Line" => self.line(view)?,
            b"PolyLine" => {
                let points = numbers(view, self.annotation.get(b"Vertices"))?;
                self.stroke(&path(&points));
                self.endings(view, &points)?;
                // the color is the one of its line endings, but some fill it
                if self.interior.is_some() {
                    self.cover_perhaps(&path(&points));
                }
            }
            b"Polygon" => {
                let points = numbers(view, self.annotation.get(b"Vertices"))?;
                self.outline(view, (&(path(&points) + " h"), 0.0))?;
            }
            b"Square" | b"Circle" => {
                let inset = inset(&numbers(view, self.annotation.get(b"RD"))?, rectangle).grown(-self.width / 2.0);
                let path = if subtype == b"Square" { rectangle_path(inset) } else { ellipse(inset) };
                self.outline(view, (&path, self.width / 2.0))?;
            }
            b"Link" => {
                let path = rectangle_path(rectangle.grown(-self.width / 2.0));
                if self.width >= LINK_BORDER_MIN_WIDTH_PT {
                    self.stroke(&path);
                } else {
                    self.stroke_further(self.width, &path);
                }
            }
            b"FreeText" => self.free_text(view, rectangle)?,
            b"Text" | b"FileAttachment" | b"Sound" => {
                let Rectangle { left, top, .. } = rectangle;
                let icon = Rectangle { right: left + ICON_SIZE_PT, bottom: top - ICON_SIZE_PT, left, top };
                self.cover(&rectangle_path(icon));
            }
            b"Widget" => {
                let is_empty = view.dictionary(self.annotation.get(b"MK"))?.is_empty();
                let is_filled = self.annotation.has(b"V") && !self.annotation.get(b"FT").is_name(b"Sig");
                if !is_empty || is_filled {
                    self.cover(&rectangle_path(rectangle));
                }
            }
            // a stamp is drawn as letters in a frame
            _ => self.cover_perhaps(&rectangle_path(rectangle)),
        }
        Ok(())
    }

    /// Draws a line of the annotation's width and color. Without a color some viewers draw it in black.
    pub(super) fn stroke(&mut self, path: &str) {
        let width = self.width;
        match &self.color {
            Some(color) if width > 0.0 => {
                _ = writeln!(self.content, "{} {width} w {path} S", color.to_uppercase());
                self.is_thin &= width <= THIN_LINE_MAX_WIDTH_PT;
            }
            _ => self.stroke_further(width, path),
        }
    }

    pub(super) fn stroke_further(&mut self, width: f64, path: &str) {
        if width > 0.0 {
            _ = writeln!(self.further, "0 G {width} w {path} S");
            self.is_thin &= width <= THIN_LINE_MAX_WIDTH_PT;
        }
    }

    /// Draws a filled shape that viewers draw in colors of their own.
    pub(super) fn cover(&mut self, path: &str) {
        _ = writeln!(self.further, "0 g {path} f");
        self.is_thin = false;
    }

    /// Draws a filled shape in whose place or form viewers differ.
    pub(super) fn cover_perhaps(&mut self, path: &str) {
        self.is_certain = false;
        self.cover(path);
    }

    /// Draws a closed line and its interior, with the arcs of a cloudy border (12.5.4), which are filled as well; the line
    /// is this far inside them.
    fn outline(&mut self, view: &mut View, (path, inset): (&str, f64)) -> Result<(), Fault> {
        if let Some(interior) = &self.interior {
            _ = writeln!(self.content, "{interior} {path} f");
            self.is_thin = false;
            let effect = view.dictionary(self.annotation.get(b"BE"))?.into_owned();
            if effect.get(b"S").is_name(b"C") {
                let intensity = view.number(effect.get(b"I"))?.unwrap_or(0.0).clamp(0.0, MAX_CLOUD_INTENSITY);
                self.stroke_further(2.0 * (CLOUD_REACH_PT * intensity + self.width + inset), path);
            }
        }
        self.stroke(path);
        Ok(())
    }

    /// Draws the quadrilaterals of a highlight, as they are and by their bounds.
    fn highlight(&mut self, view: &mut View) -> Result<(), Fault> {
        let color = self.color.as_deref().unwrap_or("1 1 0 rg");
        _ = write!(self.content, "/M gs {color} ");
        for quad in quadrilaterals(view, self.annotation)? {
            // corners are in two rows (figure 64 of ISO 32000-2), as all writers have them
            let [(x, y), (x2, y2), (x3, y3), (x4, y4)] = quad;
            _ = write!(self.content, "{x} {y} m {x2} {y2} l {x4} {y4} l {x3} {y3} l h f ");
            _ = write!(self.further, "{} f ", rectangle_path(Rectangle::around(quad)));
        }
        self.is_thin = false;
        Ok(())
    }

    /// Draws the lines under or through marked text. If the corners are in another order than all programs write,
    /// viewers draw them at different sides (12.5.6.10 has a third order).
    fn mark(&mut self, view: &mut View, is_through: bool) -> Result<(), Fault> {
        for quad in quadrilaterals(view, self.annotation)? {
            let bounds = Rectangle::around(quad);
            let [(left, one), (right, two), (left_below, three), (right_below, four)] = quad;
            let height = (left - left_below).hypot(one - three).max((right - right_below).hypot(two - four));
            let y = if is_through { bounds.middle().1 } else { bounds.bottom };
            let width = (MARK_HEIGHTS * height.max(bounds.height())).max(MARK_MIN_WIDTH_PT);
            self.stroke_further(width, &path(&[bounds.left, y, bounds.right, y]));
            if right - left < (one - two).abs() || one + two < three + four {
                self.cover_perhaps(&rectangle_path(bounds));
            }
        }
        Ok(())
    }

    /// Draws the ground and letters of a text, its box, and the line of its callout (12.5.6.6).
    fn free_text(&mut self, view: &mut View, rectangle: Rectangle) -> Result<(), Fault> {
        let differences = numbers(view, self.annotation.get(b"RD"))?;
        let inset = inset(&differences, rectangle);
        if let Some(color) = &self.color {
            _ = writeln!(self.content, "q {color} {} f Q", rectangle_path(inset));
        }
        self.content += &text(view, self.annotation, inset)?;
        let callout = numbers(view, self.annotation.get(b"CL"))?;
        // differences that are negative enlarge it in some viewers
        let reach = differences.iter().fold(0.0, |reach: f64, difference| reach.max(-difference));
        self.is_certain &= reach == 0.0 && (self.color.is_some() || !callout.is_empty());
        self.cover(&rectangle_path(rectangle.grown(reach)));
        self.stroke_further(self.width, &path(&callout));
        Ok(())
    }
}

/// Whether a line of a color erases what it crosses.
fn is_light(components: &[f64]) -> bool {
    match *components {
        [gray] => gray >= LIGHT_LINE_MIN_PART,
        [red, green, blue] => red + green + blue >= 3.0 * LIGHT_LINE_MIN_PART,
        [cyan, magenta, yellow, black] => cyan + magenta + yellow + 3.0 * black <= 3.0 * (1.0 - LIGHT_LINE_MIN_PART),
        _ => false,
    }
}
