//! The page model: runs of text and filled areas in painting order.

use std::ops::Range;

use super::area::{Area, AreaKind, Effect, Outlines, PaintStyle, are_beside};
use super::geometry::{Matrix, Rectangle};
use super::layer::Layer;
use super::run::{CODE_HASH_PRIME, Glyph, Run, UNDECODABLE, mixed};

/// Maximum runs and areas of a file's pages, and maximum bytes of a page's text.
pub(super) const MAX_RUNS_AND_AREAS: usize = 50_000;
const MAX_TEXT_BYTES: usize = 4 << 20;
/// Maximum distinct fonts per page (linear search).
const MAX_FONTS: usize = 256;

/// Maximum visible share of a glyph that counts as clipped away.
const CLIPPED_AWAY_MAX_PART: f64 = 0.1;

/// An image that fills its box, which is the unit square of its matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedImage {
    /// Its position in the painting order.
    pub(super) order: u32,
    pub(super) matrix: Matrix,
    /// Whether device color spaces are others where it was painted (8.6.5.6).
    pub(super) has_default_spaces: bool,
}

/// The content of a page, in painting order.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    /// Width and height of the crop box (14.11.2), without rotation, in points. All positions are relative to the lower
    /// left corner of the crop box.
    pub size: [f64; 2],
    /// Rotation of the page clockwise, in degrees: 0, 90, 180 or 270 (7.7.3.3).
    pub rotation: u16,
    /// The text, in painting order.
    pub runs: Vec<Run>,
    /// The filled areas, in painting order.
    pub areas: Vec<Area>,
    /// Whether content is missing because it is too large or unreadable.
    pub is_part: bool,
    /// Whether viewers decrypt a stream that it draws, or a part of one of its fonts, differently.
    pub is_decrypted_differently: bool,
    /// Whether viewers read some of its content differently.
    pub(crate) is_irregular: bool,
    /// Whether a viewer does not read all of its content.
    pub(crate) is_ended: bool,
    /// Whether comments in it may be operations that show text.
    pub(crate) has_comments: bool,
    /// Whether annotations on it are printed and not shown on the screen.
    pub(crate) prints_more: bool,
    /// Whether windows of notes on it have appearance streams, which Poppler draws.
    pub(crate) has_popups: bool,
    /// Whether glyphs on it are known to be other letters than their fonts say.
    pub(crate) has_other_glyphs: bool,
    /// Replacement texts that contradict the text that is shown.
    pub(crate) untrusted: Vec<UntrustedText>,
    /// Marked-content identifiers of its content, with the indices of their runs.
    pub(crate) marked: Vec<(i64, Range<usize>)>,
    /// The lower left corner of the crop box in content coordinates.
    pub corner: (f64, f64),
    /// Widgets and redaction annotations.
    pub annotations: Vec<Annotation>,
    /// Whether it is the appearance of an annotation alone.
    pub(super) is_appearance: bool,
    /// Glyphs of the runs.
    pub(super) glyphs: Vec<Glyph>,
    /// Outlines of areas that are not rectangles, and clips.
    pub(super) outlines: Outlines,
    /// Images that fill their boxes.
    pub(super) images: Vec<PlacedImage>,
    /// The characters of the runs.
    pub(super) text: String,
    fonts: Vec<String>,
    /// Number of runs and areas painted.
    painted: u32,
    /// Maximum number of runs and areas.
    room: usize,
}

/// `/ActualText` that contradicts the text that is shown (14.9.4).
#[derive(Debug, Clone)]
pub(crate) struct UntrustedText {
    pub(crate) text: String,
    pub(crate) shown: String,
    pub(crate) bounds: Rectangle,
}

/// An annotation with a meaning beyond its appearance.
#[derive(Debug, Clone)]
pub struct Annotation {
    /// Its object number; 0 if it is direct.
    pub number: u32,
    pub kind: AnnotationKind,
}

/// The kind of such an annotation (12.5.6).
#[derive(Debug, Clone)]
pub enum AnnotationKind {
    /// Shows a form field.
    Widget,
    /// Shows a push button, a field without a value.
    PushButton,
    /// Marks these boxes for removal.
    Redact(Vec<Rectangle>),
}

impl PageText {
    /// Returns an empty page with room for `room` runs and areas.
    pub(super) fn with_room(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// Clears the page, keeping its buffers.
    pub(super) fn emptied(mut self, room: usize) -> Self {
        self.runs.clear();
        self.areas.clear();
        self.glyphs.clear();
        self.text.clear();
        self.outlines.clear();
        let Self { runs, areas, glyphs, text, outlines, .. } = self;
        Self { runs, areas, glyphs, text, outlines, room, ..Self::default() }
    }

    /// Returns the page with another limit.
    pub(super) fn within(self, room: usize) -> Self {
        let is_part = self.is_part || self.runs.len() + self.areas.len() > room;
        Self { room, is_part, ..self }
    }

    /// Returns the number of runs and areas that may be added.
    pub(super) fn room_left(&self) -> usize {
        self.room.saturating_sub(self.runs.len() + self.areas.len())
    }

    /// Returns the characters of a run; U+FFFD for each undecoded code.
    pub fn text(&self, run: &Run) -> &str {
        if run.text == UNDECODABLE {
            return "\u{fffd}";
        }
        self.text_between(run.text.start, run.text.end)
    }

    /// Returns the glyphs of a run, in the order in which they were shown.
    pub fn glyphs(&self, run: &Run) -> &[Glyph] {
        self.glyphs.get(run.glyphs.start as usize..run.glyphs.end as usize).unwrap_or_default()
    }

    /// Returns the characters of a glyph; none in a run with `/ActualText`.
    pub(crate) fn glyph_text(&self, run: &Run, glyph: usize) -> Option<&str> {
        if run.is_actual {
            return None;
        }
        let glyphs = self.glyphs(run);
        let before = glyph.checked_sub(1).and_then(|before| glyphs.get(before));
        let start = before.map_or(run.text.start, |before| before.text);
        self.text.get(start as usize..glyphs.get(glyph)?.text as usize)
    }

    /// Returns a range of the page's text.
    pub(super) fn text_between(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the box of a part of a run, as `bounds`.
    pub(crate) fn box_of(&self, run: &Run, start: f32, end: f32) -> Rectangle {
        let (low, high) = run.line.reach;
        let corner = |along: f32, off: f64| run.line.point(f64::from(along - run.skipped), off);
        Rectangle::around([corner(start, low), corner(start, high), corner(end, low), corner(end, high)]).rounded()
    }

    /// Returns the mean distance of the starts of a run's glyphs, in points; 0 for a single one.
    pub fn pitch(&self, run: &Run) -> f64 {
        let (Some(first), [.., last]) = (self.glyphs(run).first(), self.glyphs(run)) else { return 0.0 };
        f64::from((last.start - first.start).abs()) / (self.glyphs(run).len() - 1).max(1) as f64
    }

    /// Returns the box of a glyph, as `bounds`.
    pub fn glyph_box(&self, run: &Run, glyph: usize) -> Option<Rectangle> {
        self.glyphs(run).get(glyph).map(|glyph| self.box_of(run, glyph.start, glyph.end))
    }

    /// Returns start and end of a run's glyphs along the baseline of another run.
    pub fn extents(&self, run: &Run, along: &Run) -> Vec<(f64, f64)> {
        let place = |at: f32| along.line.measure(run.line.point(f64::from(at - run.skipped), 0.0)).0;
        let ends = self.glyphs(run).iter().map(|glyph| (place(glyph.start), place(glyph.end)));
        ends.map(|(one, other)| (one.min(other), one.max(other))).collect()
    }

    /// Whether a run is inside its clip's box.
    pub(crate) fn is_unclipped(run: &Run) -> bool {
        run.clip.holds(run.bounds)
    }

    /// Whether the center of a glyph is inside its run's clip box.
    pub(super) fn is_within_clip(&self, run: &Run, glyph: usize) -> bool {
        let Some(glyph) = self.glyphs(run).get(glyph) else { return true };
        let (bottom, top) = run.line.ink;
        let along = f64::from(glyph.start + glyph.end) / 2.0 - f64::from(run.skipped);
        run.clip.has(run.line.point(along, (bottom + top) / 2.0))
    }

    /// Whether a glyph is clipped away. Some writers draw a line in strips that each show a part of its letters.
    pub(super) fn is_clipped_away(&self, run: &Run, glyph: usize) -> bool {
        if Self::is_unclipped(run) {
            return false;
        }
        let Some(bounds) = self.glyph_box(run, glyph).filter(|bounds| !bounds.is_empty()) else { return false };
        bounds.clipped(run.clip).area() <= CLIPPED_AWAY_MAX_PART * bounds.area()
    }

    /// Adds the pieces of a run that have the wanted glyphs.
    pub fn cut(&self, run: &Run, is_wanted: impl Fn(usize) -> bool, pieces: &mut Vec<Run>) {
        let glyphs = self.glyphs(run);
        let mut start = 0;
        while start < glyphs.len() {
            let wanted = (start..glyphs.len()).take_while(|glyph| is_wanted(*glyph)).count();
            if wanted == glyphs.len() {
                pieces.push(run.clone());
            } else if wanted > 0 {
                pieces.extend(self.piece(run, start..start + wanted));
            }
            start += wanted.max(1);
        }
        if glyphs.is_empty() && is_wanted(0) {
            pieces.push(run.clone());
        }
    }

    /// Whether a run has glyphs whose procedures paint beyond their cells.
    pub(crate) fn is_glyph_cover(&self, run: &Run) -> bool {
        let next = self.areas.binary_search_by_key(&(run.order + 1), |area| area.order);
        let next = next.ok().and_then(|place| self.areas.get(place));
        run.is_type3 && next.is_some_and(|area| area.kind == AreaKind::Block && area.effect == Effect::Unknown)
    }

    /// Returns these glyphs as a run. A part of an `/ActualText` for several glyphs is undecodable.
    fn piece(&self, run: &Run, range: Range<usize>) -> Option<Run> {
        let all = self.glyphs(run);
        let (glyphs, last) = (all.get(range.clone())?, all.get(range.end.checked_sub(1)?)?);
        let before = range.start.checked_sub(1).and_then(|before| all.get(before));
        let start = glyphs.iter().map(|glyph| glyph.start).fold(f32::INFINITY, f32::min);
        let end = glyphs.iter().map(|glyph| glyph.end).fold(f32::NEG_INFINITY, f32::max);
        let mut piece = run.clone();
        piece.bounds = self.box_of(run, start, end);
        piece.line.start = run.line.point(f64::from(start), 0.0);
        piece.line.end = run.line.point(f64::from(end), 0.0);
        piece.skipped = start;
        piece.glyphs = run.glyphs.start + range.start as u32..run.glyphs.start + range.end as u32;
        (piece.after_blank, piece.before_blank) =
            (run.after_blank && range.start == 0, run.before_blank && range.end == all.len());
        if run.is_actual {
            let share = self.text.get(run.text.start as usize..run.text.end as usize)?;
            let each: Vec<(usize, char)> = share.char_indices().collect();
            if each.len() != all.len() {
                (piece.text, piece.undecoded) = (UNDECODABLE, 1);
                return Some(piece);
            }
            let at = |glyph: usize| each.get(glyph).map_or(share.len(), |(at, _)| *at) as u32;
            piece.text = run.text.start + at(range.start)..run.text.start + at(range.end);
            return Some(piece);
        }
        piece.text = before.map_or(run.text.start, |before| before.text)..last.text;
        let mut at = piece.text.start;
        (piece.undecoded, piece.codes) = (0, 0);
        for glyph in glyphs {
            if self.text_between(at, glyph.text).starts_with(char::REPLACEMENT_CHARACTER) {
                piece.undecoded += 1;
                piece.codes = mixed(piece.codes, glyph.code);
            }
            at = glyph.text;
        }
        Some(piece)
    }

    /// Returns the checksum of the undecoded codes of these runs.
    pub fn codes(runs: &[Run], places: &[usize]) -> u32 {
        places.iter().filter_map(|place| runs.get(*place)).fold(0, |codes: u32, run| {
            codes.wrapping_mul(CODE_HASH_PRIME.wrapping_pow(run.undecoded)).wrapping_add(run.codes)
        })
    }

    /// Returns the name of a run's font, including the subset tag.
    pub fn font(&self, run: &Run) -> &str {
        self.fonts.get(usize::from(run.font)).map(String::as_str).unwrap_or_default()
    }

    /// Returns the index of a font, which is added if new.
    pub(super) fn font_number(&mut self, name: &str) -> u16 {
        let known = self.fonts.iter().rposition(|known| known == name);
        let number = known.unwrap_or_else(|| {
            if self.fonts.len() < MAX_FONTS {
                self.fonts.push(name.to_owned());
            }
            self.fonts.len() - 1
        });
        number as u16
    }

    /// Returns the end of the page's text.
    pub(super) fn text_end(&self) -> usize {
        self.text.len()
    }

    pub(super) fn push_text(&mut self, text: &str) {
        if self.text.len() < MAX_TEXT_BYTES {
            self.text.push_str(text);
        }
    }

    /// Adds a character; ligatures are split into letters.
    pub(super) fn push_char(&mut self, character: char) {
        match character {
            '\u{fb00}' => self.push_text("ff"),
            '\u{fb01}' => self.push_text("fi"),
            '\u{fb02}' => self.push_text("fl"),
            '\u{fb03}' => self.push_text("ffi"),
            '\u{fb04}' => self.push_text("ffl"),
            '\u{fb05}' | '\u{fb06}' => self.push_text("st"),
            character if self.text.len() < MAX_TEXT_BYTES => self.text.push(character),
            _ => {}
        }
    }

    /// Adds a run; returns false if there is no room.
    pub(super) fn push_run(&mut self, run: Run) -> bool {
        let has_room = self.has_room();
        if has_room {
            self.painted += 1;
            self.runs.push(Run { order: self.painted, ..run });
        }
        has_room
    }

    /// Appends a filled path; merges it with the previous one if style matches and they touch.
    pub(super) fn push_shape(
        &mut self,
        kind: AreaKind,
        place: Rectangle,
        outline: Option<Range<u32>>,
        style: PaintStyle,
    ) {
        if outline.as_ref().is_some_and(Range::is_empty) {
            return;
        }
        // the extent of a path that was not kept is unknown
        self.is_part |= outline.is_none() && style.is_solid && self.has_text_in(place);
        let painted = self.painted;
        // transparent layers of an appearance hide more than one of them
        let is_layered = !style.is_solid && (style.annotation.is_some() || self.is_appearance);
        let last = self.areas.last_mut().filter(|last| {
            last.kind == kind
                && !(is_layered && overlaps(last.bounds, place))
                && last.order == painted
                && (last.is_off, last.annotation, last.clip)
                    == (style.layer == Layer::Off, style.annotation, style.clip_shape)
                && last.is_solid == (style.is_solid && outline.is_some())
                && last.effect == style.effect
                && outline.as_ref().is_none_or(|outline| last.outline.end == outline.start)
        });
        let place = place.clipped(style.clip);
        match last {
            Some(last) if !place.is_empty() && place.is_finite() && are_beside(last.bounds, place.rounded()) => {
                last.bounds = last.bounds.with(place).rounded();
                last.color = last.color.filter(|color| Some(*color) == style.color);
                last.outline.end = outline.map_or(last.outline.end, |outline| outline.end);
            }
            _ => {
                let is_solid = style.is_solid && outline.is_some();
                self.push(kind, place, outline.unwrap_or_default(), (false, PaintStyle { is_solid, ..style }));
            }
        }
    }

    /// Appends a box, clipped.
    pub(super) fn push_area(&mut self, kind: AreaKind, place: Rectangle, style: PaintStyle) {
        self.push(kind, place, 0..0, (style.is_solid && style.clip_shape.is_none(), style));
    }

    fn push(&mut self, kind: AreaKind, place: Rectangle, outline: Range<u32>, (is_opaque, style): (bool, PaintStyle)) {
        if !place.is_finite() {
            self.is_part = true;
            return;
        }
        let place = place.clipped(style.clip);
        if place.is_empty() || !self.has_room() {
            return;
        }
        self.painted += 1;
        let PaintStyle { color, is_solid, effect, layer, annotation, object, clip_shape: clip, .. } = style;
        let (bounds, order) = (place.rounded(), self.painted);
        self.areas.push(Area {
            kind,
            bounds,
            color,
            is_opaque,
            is_solid,
            is_off: layer == Layer::Off,
            annotation,
            object,
            order,
            effect,
            outline,
            clip,
        });
    }

    /// Appends an image that fills its box, which is the unit square of this matrix.
    pub(super) fn push_image(
        &mut self,
        (matrix, has_default_spaces): (Matrix, bool),
        place: Rectangle,
        style: PaintStyle,
    ) {
        let count = self.areas.len();
        self.push_area(AreaKind::Image, place, style);
        if self.areas.len() > count {
            self.images.push(PlacedImage { order: self.painted, matrix, has_default_spaces });
        }
    }

    /// Whether text was painted in a box.
    pub(super) fn has_text_in(&self, place: Rectangle) -> bool {
        self.runs.iter().any(|run| !place.clipped(run.bounds).is_empty())
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.room_left() > 0 && self.text.len() < MAX_TEXT_BYTES;
        self.is_part |= !has_room;
        has_room
    }
}

/// Whether two boxes have half of the smaller one in common.
fn overlaps(one: Rectangle, other: Rectangle) -> bool {
    2.0 * one.clipped(other).area() >= one.area().min(other.area())
}
