//! What a page draws, in painting order: runs of text and areas.

use std::ops::Range;

use super::color::Color;
use super::geometry::Rectangle;

/// Runs and areas that the pages of a file may have, in all; and bytes of the text of one.
pub(super) const THINGS: usize = 50_000;
const TEXT: usize = 4 << 20;
/// Fonts that are told apart; each is looked for among the others whenever it shows text.
const FONTS: usize = 256;

/// What codes are multiplied by in their checksum.
const MIXING: u32 = 16_777_619;

/// How far shapes may be apart that are one, in points.
const BESIDE: f64 = 3.0;

/// How far runs of one line may be off it, in sizes of the font.
const OFF_LINE: f64 = 0.1;

/// What one page draws, in painting order.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    /// Width and height of the page before it is turned, in points: those of its crop box (14.11.2), in whose lower left
    /// corner all places are counted from.
    pub size: [f64; 2],
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
    /// How many of its codes stand for no character that is sure; each is U+FFFD in the text.
    pub undecoded: u32,
    /// A checksum of these codes, which tells such texts apart.
    pub(super) codes: u32,
    /// `[left, bottom, right, top]`, in points, rounded to 0.01.
    pub bounds: [f64; 4],
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
    pub clip: [f64; 4],
    /// Whether it belongs to optional content that is off (8.11).
    pub is_off: bool,
    /// Whether its text is `/ActualText` (14.9.4) instead of what its glyphs stand for.
    pub is_actual: bool,
    /// The number of the annotation to whose appearance it belongs; none if it is the page's own.
    pub annotation: Option<u32>,
    /// Its place in the painting order of runs and areas.
    pub order: u32,
    pub(super) line: Baseline,
    /// Whether blanks come before or after it.
    pub(super) after_blank: bool,
    pub(super) before_blank: bool,
}

impl Run {
    /// A checksum of those of its codes that stand for no character that is sure, and how many there are.
    pub(crate) fn unread(&self) -> (u32, u32) {
        (self.undecoded, self.codes)
    }
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
}

impl Baseline {
    /// How far a point lies along this line from its start, and how far off it.
    pub(super) fn measure(&self, point: (f64, f64)) -> (f64, f64) {
        let (x, y) = (point.0 - self.start.0, point.1 - self.start.1);
        let (across, up) = self.direction;
        (x * across + y * up, y * across - x * up)
    }

    /// Whether another one goes on in the same direction on the same line.
    pub(super) fn is_followed_by(&self, other: &Self) -> bool {
        let same_direction = self.direction.0 * other.direction.0 + self.direction.1 * other.direction.1 > 0.999;
        let (_, off) = self.measure(other.start);
        same_direction && off.abs() <= OFF_LINE * self.em.max(other.em)
    }
}

/// What kind of thing fills an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaKind {
    /// A path whose outline is a rectangle, or one of a few; or a straight line as wide as that.
    Rectangle,
    /// Other paths, one or several that were filled one after the other, of which not all of the box is filled.
    Shape,
    /// An image.
    Image,
    /// A shading (8.7.4.2).
    Shading,
}

/// Something filled.
#[derive(Debug, Clone)]
pub struct Area {
    /// What fills it.
    pub kind: AreaKind,
    /// `[left, bottom, right, top]`, in points, rounded to 0.01; within its clip.
    pub bounds: [f64; 4],
    /// Red, green and blue of what is filled; none for patterns, and for what has several or only a profile would tell.
    pub color: Option<[u8; 3]>,
    /// Whether nothing beneath shines through: no transparency, no blend mode, no mask, all of the box filled.
    pub is_opaque: bool,
    /// The same, but for that perhaps not all of the box is filled.
    pub is_solid: bool,
    /// Whether it belongs to optional content that is off.
    pub is_off: bool,
    /// The number of the annotation to whose appearance it belongs; none if it is the page's own.
    pub annotation: Option<u32>,
    /// The number of the image; none of what is none, or stands in the content itself.
    pub object: Option<u32>,
    /// Its place in the painting order of runs and areas.
    pub order: u32,
}

/// Whether two boxes meet or stand close to each other.
fn meet([left, bottom, right, top]: [f64; 4], other: [f64; 4]) -> bool {
    let [other_left, other_bottom, other_right, other_top] = other;
    let is_near = |start: f64, end: f64| start <= end + BESIDE;
    is_near(left, other_right) && is_near(other_left, right) && is_near(bottom, other_top) && is_near(other_bottom, top)
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
    Redact(Vec<[f64; 4]>),
}

/// A checksum with one more code in it.
pub(super) fn mixed(codes: u32, code: u32) -> u32 {
    codes.wrapping_mul(MIXING).wrapping_add(code).wrapping_add(1)
}

/// How things are painted that look alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaintStyle {
    pub(super) color: Color,
    pub(super) alpha: f32,
    pub(super) clip: Rectangle,
    pub(super) is_off: bool,
    pub(super) annotation: Option<u32>,
    pub(super) object: Option<u32>,
}

impl PageText {
    /// With room for so many runs and areas.
    pub(super) fn with_room(room: usize) -> Self {
        Self { room, ..Self::default() }
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
        self.text.get(run.text.start as usize..run.text.end as usize).unwrap_or_default()
    }

    /// A checksum of those codes of runs that stand for no character that is sure.
    pub(crate) fn codes(&self, runs: &[usize]) -> u32 {
        runs.iter()
            .filter_map(|place| self.runs.get(*place))
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
            run.bounds = Rectangle::from(run.bounds).with(other.bounds.into()).rounded();
            run.before_blank = other.before_blank;
            if run.line.is_followed_by(&other.line) {
                run.line.end = other.line.end;
            }
        }
        self.runs.truncate(first + 1);
    }

    /// Adds shapes; to those before, if nothing was painted in between and they lie beside them.
    pub(super) fn push_shape(&mut self, place: Rectangle, is_solid: bool, look: PaintStyle) {
        let painted = self.painted;
        let last = self.areas.last_mut().filter(|last| {
            last.kind == AreaKind::Shape
                && last.order == painted
                && (last.is_off, last.annotation) == (look.is_off, look.annotation)
        });
        let place = place.clipped(look.clip);
        match last {
            Some(last) if !place.is_empty() && place.is_finite() && meet(last.bounds, place.rounded()) => {
                last.bounds = Rectangle::from(last.bounds).with(place).rounded();
                last.color = last.color.filter(|color| Some(*color) == look.color);
                last.is_solid |= is_solid;
            }
            _ => self.push_area(AreaKind::Shape, place, (false, is_solid), look),
        }
    }

    /// Adds an area, as far as it is not clipped away.
    pub(super) fn push_area(
        &mut self,
        kind: AreaKind,
        place: Rectangle,
        (is_opaque, is_solid): (bool, bool),
        look: PaintStyle,
    ) {
        if !place.is_finite() {
            self.is_part = true;
            return;
        }
        let place = place.clipped(look.clip);
        if place.is_empty() || !self.has_room() {
            return;
        }
        self.painted += 1;
        let PaintStyle { color, is_off, annotation, object, .. } = look;
        let (bounds, order) = (place.rounded(), self.painted);
        self.areas.push(Area { kind, bounds, color, is_opaque, is_solid, is_off, annotation, object, order });
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.room_left() > 0 && self.text.len() < TEXT;
        self.is_part |= !has_room;
        has_room
    }
}
