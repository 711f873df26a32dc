//! Shows text (9.4): from the codes of a string to runs on the page.

use super::area::{AreaKind, PaintStyle};
use super::font::{Code, Drawn, Font, Meaning, is_blank};
use super::geometry::{Matrix, Rectangle, nearest};
use super::graphics::Graphics;
use super::layer::Layer;
use super::page_model::PageText;
use super::run::{Baseline, Glyph, Run, mixed};
use super::shown_glyphs::{KnownGlyphs, ShownGlyphs};

/// Minimum gap between runs; words are separated later, by position.
const MAX_GAP_EM: f64 = 0.1;
/// Height of the band in which all letters have ink; some capitals are higher.
const INK_HEIGHT_EM: f64 = 0.68;
/// The text rendering mode that paints nothing (9.3.6).
const INVISIBLE_MODE: u8 = 3;

/// Returns the box that a block character fills: horizontally in advances, vertically in font sizes.
fn block(character: char) -> Option<Rectangle> {
    // as in most fonts, from 0.2 em below the baseline to 0.8 em above it
    let cell =
        |left: f64, bottom: f64, right: f64, top: f64| Rectangle { left, bottom: bottom - 0.2, right, top: top - 0.2 };
    let eighth = |from: char| f64::from(u32::from(character) - u32::from(from)) / 8.0;
    Some(match character {
        '\u{2580}' => cell(0.0, 0.5, 1.0, 1.0),
        '\u{2581}'..='\u{2588}' => cell(0.0, 0.0, 1.0, eighth('\u{2580}')),
        '\u{2589}'..='\u{258f}' => cell(0.0, 0.0, 1.0 - eighth('\u{2588}'), 1.0),
        '\u{2590}' => cell(0.5, 0.0, 1.0, 1.0),
        // squares and bars
        '\u{25a0}' | '\u{25fc}' | '\u{2b1b}' => Rectangle { left: 0.05, bottom: 0.0, right: 0.95, top: 0.68 },
        '\u{25ac}' => Rectangle { left: 0.05, bottom: 0.2, right: 0.95, top: 0.5 },
        '\u{25ae}' => Rectangle { left: 0.1, bottom: 0.0, right: 0.9, top: 0.75 },
        _ => return None,
    })
}

/// The text and text line matrices of a text object (9.4.1).
#[derive(Debug, Clone)]
pub(super) struct TextPosition {
    line: Matrix,
    next: Matrix,
    /// Whether blanks were shown last, which have no run.
    is_after_blank: bool,
}

/// Consecutive codes of a string that form one run.
struct Piece {
    /// Start and current end, in font sizes from the start of the string.
    start: f64,
    end: f64,
    text: usize,
    /// Index of its first glyph on the page; positions are in font sizes until the run ends.
    glyphs: usize,
    undecoded: u32,
    codes: u32,
    /// Horizontal offset in vertical writing.
    across: f64,
    paint: GlyphPaint,
}

/// How glyphs paint, where that is not as their text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct GlyphPaint {
    /// Whether they paint nothing, though they are said to be characters.
    is_blank: bool,
    /// The color that they set themselves.
    color: Option<[u8; 3]>,
}

/// Shows a string on a page.
pub(super) struct Pen<'p> {
    page: &'p mut PageText,
    place: &'p mut TextPosition,
    graphics: &'p Graphics,
    font: &'p Font,
    font_number: u16,
    style: PaintStyle,
    /// Transforms font sizes to page coordinates.
    matrix: Matrix,
    /// Stroke width of stroked letters, in points.
    stroke: f32,
    /// Current position in the string, in font sizes.
    at: f64,
    piece: Option<Piece>,
    /// Boxes of block characters, in font sizes.
    blocks: Vec<Rectangle>,
    /// Start, end and code of each glyph that a procedure paints, in font sizes.
    procedures: Vec<(f64, f64, u32)>,
    /// What is known of glyphs by their procedures.
    known: KnownGlyphs,
    /// Whether the text is what glyphs draw, where that is known.
    reads_glyphs: bool,
}

impl TextPosition {
    pub(super) fn new() -> Self {
        Self { line: Matrix::IDENTITY, next: Matrix::IDENTITY, is_after_blank: false }
    }

    /// `BT` and `Tm`.
    pub(super) fn set(&mut self, matrix: Matrix) {
        self.line = matrix;
        self.next = matrix;
    }

    /// `Td` and operators defined by it.
    pub(super) fn next_line(&mut self, x: f64, y: f64) {
        self.set(Matrix::translation(x, y).then(self.line));
    }
}

impl<'p> Pen<'p> {
    pub(super) fn new(
        page: &'p mut PageText,
        place: &'p mut TextPosition,
        graphics: &'p Graphics,
        font: &'p Font,
        style: PaintStyle,
    ) -> Self {
        let text = &graphics.text;
        let sizes = Matrix([text.size * text.scale, 0.0, 0.0, text.size, 0.0, text.rise]);
        let matrix = sizes.then(place.next).then(graphics.matrix);
        let font_number = page.font_number(&font.name);
        let stroke = graphics.line.max_width(graphics.matrix) as f32;
        let (at, piece, blocks, procedures) = (0.0, None, Vec::new(), Vec::new());
        let (known, reads_glyphs) = (KnownGlyphs::new(), false);
        Self {
            page,
            place,
            graphics,
            font,
            font_number,
            style,
            matrix,
            stroke,
            at,
            piece,
            blocks,
            procedures,
            known,
            reads_glyphs,
        }
    }

    /// Sets what is known of glyphs by their procedures, and whether the text is what glyphs draw.
    pub(super) fn knowing(self, known: KnownGlyphs, reads_glyphs: bool) -> Self {
        Self { known, reads_glyphs, ..self }
    }

    /// Shows a string.
    pub(super) fn show(&mut self, string: &[u8]) {
        let text = &self.graphics.text;
        let in_sizes = |space: f64| if text.size == 0.0 { 0.0 } else { space / text.size };
        let (char_space, word_space) = (in_sizes(text.char_space), in_sizes(text.word_space));
        let sign = if self.font.is_vertical() { -1.0 } else { 1.0 };
        let font = self.font;
        for code in font.codes(string) {
            self.show_code(&code);
            let space = char_space + if code.is_space { word_space } else { 0.0 };
            // in vertical writing advances are negative, and so is spacing
            self.at += code.advance + sign * space;
            if space.abs() > MAX_GAP_EM * font.em {
                self.end_piece(false);
            }
        }
    }

    /// Returns what a glyph draws, if it is something else than it is said to be.
    fn drawn(&self, code: &Code) -> Option<Drawn> {
        let by_procedure = self.known.get(&code.number).and_then(|glyph| glyph.drawn);
        match (by_procedure, code.meaning) {
            (_, Meaning::Undecoded) => None,
            (Some(Drawn::Letter(drawn)), Meaning::Char(said)) => Drawn::instead_of(&said.to_string(), drawn),
            (Some(Drawn::Letter(drawn)), Meaning::Text(said)) => Drawn::instead_of(said, drawn),
            (Some(Drawn::Nothing), _) => Some(Drawn::Nothing),
            _ => code.drawn,
        }
    }

    fn show_code(&mut self, code: &Code) {
        if self.font.procedures.is_some() {
            self.procedures.push((self.at, self.at + code.advance, code.number));
        }
        let drawn = self.drawn(code);
        let mut meaning = code.meaning;
        if let Some(Drawn::Letter(letter)) = drawn {
            self.page.has_other_glyphs = true;
            meaning = if self.reads_glyphs { Meaning::Char(letter) } else { meaning };
        }
        if matches!(meaning, Meaning::Char(character) if is_blank(character)) {
            self.end_piece(true);
            self.place.is_after_blank = true;
            return;
        }
        // paint beyond the cell is no letter
        let letter = self.known.get(&code.number).filter(|glyph| glyph.is_within_cell(self.font, code.advance));
        let color = letter.and_then(|glyph| glyph.color);
        let paint = GlyphPaint { is_blank: drawn == Some(Drawn::Nothing), color };
        if self.piece.as_ref().is_some_and(|piece| piece.paint != paint) {
            self.end_piece(false);
        }
        let piece = self.piece.get_or_insert_with(|| Piece {
            start: self.at,
            end: self.at,
            text: self.page.text_end(),
            glyphs: self.page.glyphs.len(),
            undecoded: 0,
            codes: 0,
            across: code.origin.0,
            paint,
        });
        piece.end = self.at + code.advance;
        match meaning {
            Meaning::Char(character) => self.page.push_char(character),
            Meaning::Text(text) => text.chars().for_each(|character| self.page.push_char(character)),
            Meaning::Undecoded => {
                piece.undecoded += 1;
                piece.codes = mixed(piece.codes, code.number);
                self.page.push_char(char::REPLACEMENT_CHARACTER);
            }
        }
        if let Meaning::Char(character @ '\u{2580}'..='\u{2b1b}') = code.meaning
            && let Some(block) = block(character)
        {
            let at = |part: f64| self.at + part * code.advance;
            self.blocks.push(Rectangle { left: at(block.left), right: at(block.right), ..block });
        }
        let (start, end) = (self.at as f32, (self.at + code.advance) as f32);
        let text = self.page.text_end() as u32;
        self.page.glyphs.push(Glyph { start, end, text, code: code.number });
    }

    /// Applies a number in a `TJ` array, in thousandths.
    pub(super) fn shift(&mut self, number: f64) {
        let shift = -number / 1000.0;
        self.at += shift;
        if shift.abs() > MAX_GAP_EM * self.font.em {
            self.end_piece(false);
        }
    }

    /// Ends the current run, if there is one.
    fn end_piece(&mut self, before_blank: bool) {
        let Some(piece) = self.piece.take() else { return };
        let text = &self.graphics.text;
        let is_vertical = self.font.is_vertical();
        let em = self.font.em;
        let (bounds, start, end, direction) = if is_vertical {
            let left = -piece.across;
            let bounds = Rectangle { left, right: left + 2.0 * piece.across, bottom: piece.end, top: piece.start };
            (bounds, (0.0, piece.start), (0.0, piece.end), (0.0, -em))
        } else {
            let (bottom, top) = (self.font.descent, self.font.ascent);
            let bounds = Rectangle { left: piece.start, right: piece.end, bottom, top };
            (bounds, (piece.start, 0.0), (piece.end, 0.0), (em, 0.0))
        };
        let bounds = self.matrix.rectangle(bounds);
        let direction = self.matrix.vector(direction.0, direction.1);
        let em_length = direction.0.hypot(direction.1);
        let up = self.matrix.vector(0.0, em);
        if !bounds.is_finite() || !em_length.is_finite() {
            self.page.is_part = true;
            return;
        }
        let unit = if em_length > 0.0 { em_length } else { 1.0 };
        let direction = match em_length > 0.0 {
            true => (direction.0 / unit, direction.1 / unit),
            // text scaled to zero width still has a direction
            false => self.baseline_direction(),
        };
        let height = |(x, y): (f64, f64)| y * direction.0 - x * direction.1;
        let reach = match is_vertical {
            true => (-piece.across * unit / em, piece.across * unit / em),
            false => {
                let (down, top) =
                    (self.matrix.vector(0.0, self.font.descent), self.matrix.vector(0.0, self.font.ascent));
                (height(down), height(top))
            }
        };
        let ink = if is_vertical { (0.8 * reach.0, 0.8 * reach.1) } else { (0.0, INK_HEIGHT_EM * height(up)) };
        let scale = if is_vertical { -em_length / em } else { em_length / em };
        for glyph in self.page.glyphs.get_mut(piece.glyphs..).unwrap_or_default() {
            let place = |at: f32| ((f64::from(at) - piece.start) * scale) as f32;
            let (start, end) = (place(glyph.start), place(glyph.end));
            (glyph.start, glyph.end) = (start.min(end), start.max(end));
        }
        let run = Run {
            text: piece.text as u32..self.page.text_end() as u32,
            glyphs: piece.glyphs as u32..self.page.glyphs.len() as u32,
            undecoded: piece.undecoded,
            codes: piece.codes,
            bounds: bounds.rounded(),
            font: self.font_number,
            size: nearest(up.0.hypot(up.1) * 100.0) / 100.0,
            color: piece.paint.color.or(self.style.color),
            alpha: self.style.alpha,
            // as text that is neither filled nor stroked
            mode: if piece.paint.is_blank { INVISIBLE_MODE } else { text.mode },
            clip: self.style.clip.rounded(),
            is_off: self.style.layer == Layer::Off,
            is_optional: self.style.layer != Layer::None,
            is_actual: false,
            annotation: self.style.annotation,
            order: 0,
            effect: self.style.effect,
            stroke: if matches!(text.mode, 1 | 2 | 5 | 6) { self.stroke } else { 0.0 },
            rise: height(self.place.next.then(self.graphics.matrix).vector(0.0, text.rise)) as f32,
            has_outline: matches!(text.mode, 2 | 6) && self.graphics.stroke.color != self.graphics.fill.color,
            is_type3: self.font.is_type3,
            clip_shape: self.style.clip_shape,
            line: Baseline {
                start: self.matrix.point(start.0, start.1),
                end: self.matrix.point(end.0, end.1),
                direction,
                em: em_length,
                reach,
                ink,
            },
            skipped: 0.0,
            after_blank: self.place.is_after_blank,
            before_blank,
        };
        self.place.is_after_blank = false;
        self.page.push_run(run);
        for block in std::mem::take(&mut self.blocks) {
            let (quad, bounds) = (self.matrix.quad(block), self.matrix.rectangle(block));
            let outline = self.page.outlines.push_quad(quad).filter(|_| bounds.is_finite());
            self.page.push_shape(AreaKind::Block, bounds, outline, self.style);
        }
    }

    /// Returns the direction of text without the horizontal scaling.
    fn baseline_direction(&self) -> (f64, f64) {
        let (across, up) = self.place.next.then(self.graphics.matrix).vector(1.0, 0.0);
        let length = across.hypot(up);
        if length > 0.0 { (across / length, up / length) } else { (1.0, 0.0) }
    }

    /// Ends the string, moves the text matrix to its end, and returns the glyphs that procedures paint.
    pub(super) fn finish(mut self) -> ShownGlyphs {
        self.end_piece(false);
        let text = &self.graphics.text;
        let move_on = if self.font.is_vertical() {
            Matrix::translation(0.0, self.at * text.size)
        } else {
            Matrix::translation(self.at * text.size * text.scale, 0.0)
        };
        self.place.next = move_on.then(self.place.next);
        ShownGlyphs { matrix: self.matrix, glyphs: self.procedures }
    }
}
