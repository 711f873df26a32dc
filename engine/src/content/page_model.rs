//! What a page draws, in painting order: runs of text and areas.

use std::cmp::Ordering;
use std::ops::Range;

use super::area::{Area, AreaKind, Effect, Outlines, PaintStyle, are_beside};
use super::blend::{contrast, parts};
use super::geometry::Rectangle;

/// Runs and areas that the pages of a file may have, in all; and bytes of the text of one.
pub(super) const THINGS: usize = 50_000;
const TEXT: usize = 4 << 20;
/// Fonts that are told apart; each is looked for among the others whenever it shows text.
const FONTS: usize = 256;

/// Where a text stands of which nothing is known but that it is there.
const UNSURE: Range<u32> = u32::MAX..u32::MAX;

/// What codes are multiplied by in their checksum.
const MIXING: u32 = 16_777_619;

/// How wide letters are at least that can be read, in sizes.
const SQUEEZED: f64 = 0.1;
/// How far colors are apart at most that look alike, in parts of 1.
const LOST: f32 = 6.0 / 255.0;

/// The part of a glyph up to which nothing of it can be seen.
const STRIP: f64 = 0.1;

/// How far runs of one line may be off it, in sizes of the font.
const OFF_LINE: f64 = 0.1;

/// What one page draws, in painting order.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    /// Width and height of the page before it is turned, in points: those of its crop box (14.11.2), in whose lower left
    /// corner all places are counted from.
    pub size: [f64; 2],
    /// How far the page is turned clockwise to be shown, in degrees: 0, 90, 180 or 270 (7.7.3.3).
    pub rotation: u16,
    /// The text, in painting order.
    pub runs: Vec<Run>,
    /// What is filled, in painting order.
    pub areas: Vec<Area>,
    /// Whether there is more than could be looked at.
    pub is_part: bool,
    /// That corner of the crop box in the coordinates of the page's content.
    pub(crate) corner: (f64, f64),
    /// The annotations that stand for more than what they look like.
    pub(crate) annotations: Vec<Annotation>,
    /// The glyphs of the runs.
    pub(super) glyphs: Vec<Glyph>,
    /// What areas are that are no rectangles.
    pub(super) outlines: Outlines,
    text: String,
    fonts: Vec<String>,
    /// How many things were painted.
    painted: u32,
    /// How many runs and areas there may be.
    room: usize,
}

/// A piece of text of one look and on one line, drawn at once and without blanks.
#[derive(Debug, Clone)]
pub struct Run {
    /// Where its characters stand in the page's text.
    pub(super) text: Range<u32>,
    /// Where its glyphs stand among those of the page.
    pub(super) glyphs: Range<u32>,
    /// How many of its codes stand for no character that is sure; each is U+FFFD in the text.
    pub undecoded: u32,
    /// A checksum of these codes, which tells such texts apart.
    pub(super) codes: u32,
    /// The box around it, in points, rounded to 0.01.
    pub bounds: Rectangle,
    /// Which of the page's fonts it is drawn in.
    pub font: u16,
    /// The size of the font in points on the page.
    pub size: f64,
    /// What it is painted with: red, green and blue; none for patterns and what only a profile would tell.
    pub color: Option<[u8; 3]>,
    /// How opaque that is, from 0 to 1.
    pub alpha: f32,
    /// The text rendering mode (9.3.6): 3 and 7 paint nothing.
    pub mode: u8,
    /// The box around what it is clipped to, as `bounds`.
    pub clip: Rectangle,
    /// Whether it belongs to optional content that is off (8.11).
    pub is_off: bool,
    /// Whether its text is `/ActualText` (14.9.4) instead of what its glyphs stand for.
    pub is_actual: bool,
    /// The number of the annotation to whose appearance it belongs; none if it is the page's own.
    pub annotation: Option<u32>,
    /// Its place in the painting order of runs and areas.
    pub order: u32,
    /// How its color is mixed with what lies beneath.
    pub(crate) effect: Effect,
    /// How wide its letters are stroked, in points; 0 if they are not.
    pub(crate) stroke: f32,
    /// How far it is raised above its line (9.3.7), in points.
    pub(crate) rise: f32,
    /// Whether its letters are filled and have outlines of another color.
    pub(crate) has_outline: bool,
    /// Whether its glyphs are content streams (9.6.5), which may paint anything.
    pub(crate) is_type3: bool,
    /// What it is clipped to besides the box, by its place among the page's clips.
    pub(super) clip_shape: Option<u32>,
    pub(super) line: Baseline,
    /// How far behind the place from which its glyphs are counted it begins: none, but for a piece of a run.
    pub(super) skipped: f32,
    /// Whether blanks come before or after it.
    pub(super) after_blank: bool,
    pub(super) before_blank: bool,
}

impl Run {
    /// A checksum of those of its codes that stand for no character that is sure, and how many there are.
    pub(crate) fn unread(&self) -> (u32, u32) {
        (self.undecoded, self.codes)
    }

    /// Whether its letters are known to be painted in a color: in no mask, clip or pattern of which that is not known.
    pub(crate) fn is_known(&self) -> bool {
        self.effect != Effect::Unknown
    }

    /// Whether it is a piece of another run that has this one of its glyphs.
    pub(crate) fn has_glyph(&self, run: &Self, glyph: usize) -> bool {
        self.glyphs.contains(&(run.glyphs.start + glyph as u32))
    }

    /// The level on which it would stand if it were not raised.
    pub(crate) fn unraised_level(&self) -> LineLevel {
        let level = self.level();
        LineLevel { off: level.off - f64::from(self.rise), ..level }
    }

    /// Whether it is scaled to so little width that nobody can read it.
    pub(crate) fn is_squeezed(&self) -> bool {
        self.line.em <= SQUEEZED * self.size
    }

    /// Whether its letters cannot be told from a ground of this color.
    pub(crate) fn is_lost_on(&self, ground: [u8; 3]) -> bool {
        let (Some(color), Effect::Mixed { blend, alpha, .. }) = (self.color.map(parts), self.effect) else {
            return false;
        };
        let ground = parts(ground);
        blend.composite(ground, color, alpha).is_some_and(|shown| contrast(shown, ground) <= LOST)
    }

    /// The level on which it stands.
    pub(crate) fn level(&self) -> LineLevel {
        let (across, up) = self.line.direction;
        let angle = if up == 0.0 && across > 0.0 { 0 } else { up.atan2(across).to_degrees().round() as i32 };
        let (x, y) = self.line.start;
        LineLevel { angle, off: y * across - x * up }
    }

    /// Makes it one of which nothing is known but that it is there.
    pub(super) fn doubt(&mut self) {
        (self.text, self.undecoded) = (UNSURE, 1);
    }

    /// Moves it onto a level that is near.
    pub(crate) fn lay_on(&mut self, level: LineLevel) {
        let (across, up) = self.line.direction;
        let off = level.off - self.level().off;
        for (x, y) in [&mut self.line.start, &mut self.line.end] {
            (*x, *y) = (*x - off * up, *y + off * across);
        }
    }
}

/// On what text stands: a straight line through the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineLevel {
    /// Which way it goes, in whole degrees.
    angle: i32,
    /// How far it is off the corner of the page.
    off: f64,
}

impl LineLevel {
    /// Whether it goes from left to right.
    pub(crate) fn is_upright(self) -> bool {
        self.angle == 0
    }

    /// Whether another one goes the same way.
    pub(super) fn is_along(self, other: Self) -> bool {
        self.angle == other.angle
    }

    /// Whether it is at most so far away as well.
    pub(crate) fn is_near(self, other: Self, far: f64) -> bool {
        self.is_along(other) && (self.off - other.off).abs() <= far
    }

    /// Whether it comes before all that are so near to another one.
    pub(crate) fn is_below(self, other: Self, far: f64) -> bool {
        self.angle < other.angle || (self.angle == other.angle && self.off < other.off - far)
    }

    /// By its direction, then from the lowest one on.
    pub(crate) fn order(self, other: Self) -> Ordering {
        self.angle.cmp(&other.angle).then(self.off.total_cmp(&other.off))
    }
}

/// A glyph of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Glyph {
    /// From where to where it goes along the run's line, in points from where that begins.
    pub(crate) start: f32,
    pub(crate) end: f32,
    /// Where its characters end in the page's text.
    pub(super) text: u32,
    /// The code that it was drawn with.
    pub(crate) code: u32,
}

/// Where the glyphs of a run stand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Baseline {
    /// Where the first glyph begins and the last one ends.
    pub(super) start: (f64, f64),
    pub(super) end: (f64, f64),
    /// Of length 1.
    pub(super) direction: (f64, f64),
    /// The size of the font along the line.
    pub(super) em: f64,
    /// How far its letters reach below and above the line, in points; the other way round where it is mirrored.
    pub(super) reach: (f64, f64),
    /// The part of that in which all letters have ink: from the line to where small ones end and capitals nearly do.
    pub(super) ink: (f64, f64),
}

impl Baseline {
    /// How far a point lies along this line from its start, and how far off it.
    pub(super) fn measure(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = (point.0 - self.start.0, point.1 - self.start.1);
        let (across, up) = self.direction;
        (x * across + y * up, y * across - x * up)
    }

    /// A point so far along this line and off it.
    pub(super) fn point(&self, along: f64, off: f64) -> (f64, f64) {
        let (across, up) = self.direction;
        (self.start.0 + along * across - off * up, self.start.1 + along * up + off * across)
    }

    /// Whether another one goes on in the same direction on the same line.
    pub(super) fn is_followed_by(&self, other: &Self) -> bool {
        let same_direction = self.direction.0 * other.direction.0 + self.direction.1 * other.direction.1 > 0.999;
        let (_, off) = self.measure(other.start);
        same_direction && off.abs() <= OFF_LINE * self.em.max(other.em)
    }
}

/// An annotation that readers do something with of their own.
#[derive(Debug, Clone)]
pub(crate) struct Annotation {
    /// Its number; 0 if it has none.
    pub(crate) number: u32,
    pub(crate) kind: AnnotationKind,
}

/// What such an annotation is (12.5.6).
#[derive(Debug, Clone)]
pub(crate) enum AnnotationKind {
    /// It shows a form field.
    Widget,
    /// It marks what is to be removed, in these boxes.
    Redact(Vec<Rectangle>),
}

/// A checksum with one more code in it.
pub(super) fn mixed(codes: u32, code: u32) -> u32 {
    codes.wrapping_mul(MIXING).wrapping_add(code).wrapping_add(1)
}

impl PageText {
    /// With room for so many runs and areas.
    pub(super) fn with_room(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// Nothing, with room for so many runs and areas, that takes the memory of what it was.
    pub(super) fn emptied(mut self, room: usize) -> Self {
        self.runs.clear();
        self.areas.clear();
        self.glyphs.clear();
        self.text.clear();
        self.outlines.clear();
        let Self { runs, areas, glyphs, text, outlines, .. } = self;
        Self { runs, areas, glyphs, text, outlines, room, ..Self::default() }
    }

    /// The same with this room instead of its own.
    pub(super) fn within(self, room: usize) -> Self {
        let is_part = self.is_part || self.runs.len() + self.areas.len() > room;
        Self { room, is_part, ..self }
    }

    /// How many more there may be.
    pub(super) fn room_left(&self) -> usize {
        self.room.saturating_sub(self.runs.len() + self.areas.len())
    }

    /// The characters of a run; U+FFFD for each code that stands for none that is sure.
    pub fn text(&self, run: &Run) -> &str {
        if run.text == UNSURE {
            return "\u{fffd}";
        }
        self.text_between(run.text.start, run.text.end)
    }

    /// The glyphs of a run, in the order in which they were drawn.
    pub(crate) fn glyphs(&self, run: &Run) -> &[Glyph] {
        self.glyphs.get(run.glyphs.start as usize..run.glyphs.end as usize).unwrap_or_default()
    }

    /// The characters of one of its glyphs; none of what a text stands for that is not told glyph by glyph.
    pub(crate) fn glyph_text(&self, run: &Run, glyph: usize) -> Option<&str> {
        if run.is_actual {
            return None;
        }
        let glyphs = self.glyphs(run);
        let before = glyph.checked_sub(1).and_then(|before| glyphs.get(before));
        let start = before.map_or(run.text.start, |before| before.text);
        self.text.get(start as usize..glyphs.get(glyph)?.text as usize)
    }

    /// What stands between two places of the page's text.
    pub(super) fn text_between(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The box around the glyphs of a run from one place on its line to another, as `bounds`.
    pub(crate) fn box_of(&self, run: &Run, start: f32, end: f32) -> Rectangle {
        let (low, high) = run.line.reach;
        let corner = |along: f32, off: f64| run.line.point(f64::from(along - run.skipped), off);
        Rectangle::around([corner(start, low), corner(start, high), corner(end, low), corner(end, high)]).rounded()
    }

    /// The box around a glyph of a run, as `bounds`.
    pub(crate) fn glyph_box(&self, run: &Run, glyph: usize) -> Option<Rectangle> {
        self.glyphs(run).get(glyph).map(|glyph| self.box_of(run, glyph.start, glyph.end))
    }

    /// From where to where the glyphs of a run go along the line of another one, from where that begins.
    pub(crate) fn extents(&self, run: &Run, along: &Run) -> Vec<(f64, f64)> {
        let place = |at: f32| along.line.measure(run.line.point(f64::from(at - run.skipped), 0.0)).0;
        let ends = self.glyphs(run).iter().map(|glyph| (place(glyph.start), place(glyph.end)));
        ends.map(|(one, other)| (one.min(other), one.max(other))).collect()
    }

    /// Whether all of a run lies within what it is clipped to.
    pub(crate) fn is_unclipped(run: &Run) -> bool {
        run.clip.holds(run.bounds)
    }

    /// Whether the middle of a glyph lies within what its run is clipped to.
    pub(super) fn is_within_clip(&self, run: &Run, glyph: usize) -> bool {
        let Some(glyph) = self.glyphs(run).get(glyph) else { return true };
        let (bottom, top) = run.line.ink;
        let along = f64::from(glyph.start + glyph.end) / 2.0 - f64::from(run.skipped);
        run.clip.has(run.line.point(along, (bottom + top) / 2.0))
    }

    /// Whether hardly anything of a glyph lies within the box that its run is clipped to. Some writers draw a line in strips,
    /// of which each shows a part of its letters.
    pub(super) fn is_clipped_away(&self, run: &Run, glyph: usize) -> bool {
        let Some(bounds) = self.glyph_box(run, glyph).filter(|bounds| !bounds.is_empty()) else { return false };
        bounds.clipped(run.clip).area() <= STRIP * bounds.area()
    }

    /// Cuts a run to those of its glyphs that are wanted: the pieces of it that are left.
    pub(crate) fn cut(&self, run: &Run, is_wanted: impl Fn(usize) -> bool, pieces: &mut Vec<Run>) {
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

    /// These glyphs of a run, as one of their own. Of a text that stands for all of them no part is known.
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
                (piece.text, piece.undecoded) = (UNSURE, 1);
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

    /// A checksum of those codes of runs that stand for no character that is sure, by their places.
    pub(crate) fn codes(runs: &[Run], places: &[usize]) -> u32 {
        places
            .iter()
            .filter_map(|place| runs.get(*place))
            .fold(0, |codes: u32, run| codes.wrapping_mul(MIXING.wrapping_pow(run.undecoded)).wrapping_add(run.codes))
    }

    /// The name of a run's font, with the tag of a subset before it if there is one.
    pub fn font(&self, run: &Run) -> &str {
        self.fonts.get(usize::from(run.font)).map(String::as_str).unwrap_or_default()
    }

    /// The number of a font among those of the page.
    pub(super) fn font_number(&mut self, name: &str) -> u16 {
        let known = self.fonts.iter().rposition(|known| known == name);
        let number = known.unwrap_or_else(|| {
            if self.fonts.len() < FONTS {
                self.fonts.push(name.to_owned());
            }
            self.fonts.len() - 1
        });
        number as u16
    }

    /// Where the next text will stand.
    pub(super) fn text_end(&self) -> usize {
        self.text.len()
    }

    pub(super) fn push_text(&mut self, text: &str) {
        if self.text.len() < TEXT {
            self.text.push_str(text);
        }
    }

    /// Adds a character; letters that are one glyph come one by one.
    pub(super) fn push_char(&mut self, character: char) {
        match character {
            '\u{fb00}' => self.push_text("ff"),
            '\u{fb01}' => self.push_text("fi"),
            '\u{fb02}' => self.push_text("fl"),
            '\u{fb03}' => self.push_text("ffi"),
            '\u{fb04}' => self.push_text("ffl"),
            '\u{fb05}' | '\u{fb06}' => self.push_text("st"),
            character if self.text.len() < TEXT => self.text.push(character),
            _ => {}
        }
    }

    /// Adds a run; false if there are too many.
    pub(super) fn push_run(&mut self, run: Run) -> bool {
        let has_room = self.has_room();
        if has_room {
            self.painted += 1;
            self.runs.push(Run { order: self.painted, ..run });
        }
        has_room
    }

    /// Lets a text stand for the runs from one on (14.9.4): word by word if there are as many, else all in the first.
    pub(super) fn replace(&mut self, first: usize, text: &str) {
        let count = self.runs.len().saturating_sub(first);
        let words: Vec<&str> = text.split_whitespace().collect();
        let own: String = self.runs.iter().skip(first).map(|run| self.text(run)).collect();
        // no honest one makes nothing of words, or other digits of digits
        if is_denied(&own, text) {
            return;
        }
        if words.is_empty() {
            self.runs.truncate(first);
            return;
        }
        let mut texts = Vec::with_capacity(words.len());
        if words.len() == count {
            texts.extend(words);
        } else {
            texts.push(text.trim());
            self.join(first);
        }
        for (index, text) in (first..).zip(texts) {
            let start = self.text.len();
            text.chars().for_each(|character| self.push_char(character));
            let end = self.text.len();
            if let Some(run) = self.runs.get_mut(index) {
                run.text = start as u32..end as u32;
                (run.undecoded, run.codes) = (0, 0);
                run.is_actual = true;
            }
        }
    }

    /// Makes one run of those from one on.
    fn join(&mut self, first: usize) {
        let Some((run, others)) = self.runs.get_mut(first..).and_then(<[Run]>::split_first_mut) else { return };
        for other in others.iter() {
            run.bounds = run.bounds.with(other.bounds).rounded();
            run.before_blank = other.before_blank;
            let (from, _) = run.line.measure(other.line.start);
            let (length, reach) = (run.line.measure(run.line.end).0, run.line.measure(other.line.end).0);
            let is_on_line = run.line.is_followed_by(&other.line);
            let before = if is_on_line { from.min(0.0) } else { 0.0 };
            if is_on_line {
                let (start, end) = (run.line.point(before, 0.0), run.line.point(length.max(reach), 0.0));
                (run.line.start, run.line.end) = (start, end);
            }
            let (own, others) = (run.glyphs.clone(), other.glyphs.clone());
            for (range, shift) in [(own, -before), (others, from - before)] {
                for glyph in self.glyphs.get_mut(range.start as usize..range.end as usize).unwrap_or_default() {
                    // what stands elsewhere has no place on this line
                    let moved = |at: f32| if is_on_line || shift == 0.0 { at + shift as f32 } else { 0.0 };
                    (glyph.start, glyph.end) = (moved(glyph.start), moved(glyph.end));
                }
            }
            run.glyphs.end = other.glyphs.end;
        }
        self.runs.truncate(first + 1);
    }

    /// Adds what has these outlines, if they enclose anything; to what was painted last, if that looks alike and lies beside it.
    pub(super) fn push_shape(
        &mut self,
        kind: AreaKind,
        place: Rectangle,
        outline: Option<Range<u32>>,
        look: PaintStyle,
    ) {
        if outline.as_ref().is_some_and(Range::is_empty) {
            return;
        }
        // of what could not be kept it is not known where it lies
        self.is_part |= outline.is_none() && look.is_solid && self.has_text_in(place);
        let painted = self.painted;
        let last = self.areas.last_mut().filter(|last| {
            last.kind == kind
                && last.order == painted
                && (last.is_off, last.annotation, last.clip) == (look.is_off, look.annotation, look.clip_shape)
                && last.is_solid == (look.is_solid && outline.is_some())
                && last.effect == look.effect
                && outline.as_ref().is_none_or(|outline| last.outline.end == outline.start)
        });
        let place = place.clipped(look.clip);
        match last {
            Some(last) if !place.is_empty() && place.is_finite() && are_beside(last.bounds, place.rounded()) => {
                last.bounds = last.bounds.with(place).rounded();
                last.color = last.color.filter(|color| Some(*color) == look.color);
                last.outline.end = outline.map_or(last.outline.end, |outline| outline.end);
            }
            _ => {
                let is_solid = look.is_solid && outline.is_some();
                self.push(kind, place, outline.unwrap_or_default(), (false, PaintStyle { is_solid, ..look }));
            }
        }
    }

    /// Adds an area that is a box, as far as it is not clipped away.
    pub(super) fn push_area(&mut self, kind: AreaKind, place: Rectangle, look: PaintStyle) {
        self.push(kind, place, 0..0, (look.is_solid && look.clip_shape.is_none(), look));
    }

    fn push(&mut self, kind: AreaKind, place: Rectangle, outline: Range<u32>, (is_opaque, look): (bool, PaintStyle)) {
        if !place.is_finite() {
            self.is_part = true;
            return;
        }
        let place = place.clipped(look.clip);
        if place.is_empty() || !self.has_room() {
            return;
        }
        self.painted += 1;
        let PaintStyle { color, is_solid, effect, is_off, annotation, object, clip_shape: clip, .. } = look;
        let (bounds, order) = (place.rounded(), self.painted);
        self.areas.push(Area {
            kind,
            bounds,
            color,
            is_opaque,
            is_solid,
            is_off,
            annotation,
            object,
            order,
            effect,
            outline,
            clip,
        });
    }

    /// Whether text was drawn where this lies.
    pub(super) fn has_text_in(&self, place: Rectangle) -> bool {
        self.runs.iter().any(|run| !place.clipped(run.bounds).is_empty())
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.room_left() > 0 && self.text.len() < TEXT;
        self.is_part |= !has_room;
        has_room
    }
}

/// Whether a text says nothing where another one has letters, or has other digits than it.
fn is_denied(own: &str, text: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    (letters(own) > 1 && letters(text) == 0) || (!digits(own).is_empty() && digits(own) != digits(text))
}
