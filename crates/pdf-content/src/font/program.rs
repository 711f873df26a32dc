//! Embedded font programs (9.9): built-in encodings, glyph names and advances. Type 1 programs are read in `type1`.

use std::borrow::Cow;
use std::collections::HashMap;

use ttf_parser::cmap::{Subtable, Table as CmapTable};
use ttf_parser::head::IndexToLocationFormat;
use ttf_parser::{Face, GlyphId, OutlineBuilder, PlatformId, RawFace, cff};

use super::expected::{ExpectedGlyph, GlyphSource, differ};
use super::table::Encoding;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of a font program.
const MAX_PROGRAM_BYTES: usize = 2 << 20;
/// Maximum glyph names of a program (linear search).
const MAX_NAMES: usize = 1 << 15;
/// Minimum gaps among ASCII codes, and number of codes of a complete font.
const ASCII_MIN_GAPS: u8 = 4;
const COMPLETE_FONT_CODES: usize = 88;
/// Minimum size of a hole, as a share of the largest contour.
const MIN_HOLE_PART: f32 = 0.02;
/// Minimum area of a glyph that is seen, as a share of the em square: less than a point has.
const MIN_INK_PART: f32 = 0.001;
/// Units of the em square of programs that do not say.
const DEFAULT_UNITS_PER_EM: f32 = 1000.0;
/// Offsets of codes in a TrueType font's symbolic table (9.6.6.4).
const SYMBOLIC_OFFSETS: [u32; 4] = [0, 0xf000, 0xf100, 0xf200];
/// Characters that are looked up: the Basic Multilingual Plane without surrogates and private use.
const LOOKED_UP_CHARACTERS: [std::ops::Range<u32>; 2] = [0x20..0xd800, 0xf900..0xffff];

/// A glyph of a simple font.
#[derive(Debug)]
pub(super) struct ProgramGlyph {
    /// Its name, or a name that gives its character.
    pub name: Cow<'static, str>,
    /// Its advance, in thousandths.
    pub(super) width: Option<f64>,
}

/// Reads a font program; none if it is missing or too large.
fn read(view: &mut View, program: &Object) -> Result<Option<Vec<u8>>, Fault> {
    Ok(view.stream(program, MAX_PROGRAM_BYTES)?.filter(|stream| !stream.is_part).map(|stream| stream.content))
}

/// Returns the glyphs of a simple font that the program has, by code.
pub(super) fn glyphs(view: &mut View, program: &Object) -> Result<Vec<(u8, ProgramGlyph)>, Fault> {
    let Some(data) = read(view, program)? else { return Ok(Vec::new()) };
    let (face, table) = parts(&data);
    if let Some(cff) = table {
        view.work(256 * usize::from(cff.number_of_glyphs()) / 16)?;
        return Ok((0..=u8::MAX).filter_map(|code| Some((code, of_cff(&cff, code)?))).collect());
    }
    let Some(face) = face else { return Ok(Vec::new()) };
    let names = face.tables().post.map_or(0, |post| post.names().take(MAX_NAMES).count());
    view.work(256 * (names + 16))?;
    let reverse = reverse(view, &face)?;
    let is_ascii = has_ascii_codes(&face);
    let glyph = |code: u8| {
        let mut glyph = of_truetype(&face, names, &reverse, code)?;
        if glyph.name.is_empty() && is_ascii && matches!(code, 0x20..=0x7e) {
            glyph.name = Cow::Borrowed(Encoding::MacRoman.names().get(usize::from(code)).copied().unwrap_or_default());
        }
        Some((code, glyph))
    };
    Ok((0..=u8::MAX).filter_map(glyph).collect())
}

/// Whether a program draws any of these glyphs as another letter or digit than the one given, by its character map or the
/// holes of digits, or draws nothing for one that is shown.
pub(super) fn draws_otherwise(view: &mut View, program: &Object, glyphs: &[ExpectedGlyph]) -> Result<bool, Fault> {
    // Type 1 programs are not interpreted
    let Some(data) = read(view, program)? else { return Ok(glyphs.iter().any(|glyph| glyph.is_shown)) };
    view.work(glyphs.len() + data.len() / 16)?;
    let program = Outlines::of(&data);
    let unicode = program.unicode();
    let mapped: Vec<(GlyphId, char)> =
        (' '..='~').filter_map(|letter| Some((unicode?.glyph_index(u32::from(letter))?, letter))).collect();
    Ok(glyphs.iter().any(|expected| {
        let Some(glyph) = program.find(expected) else { return expected.is_shown };
        if expected.is_shown && !program.outline(glyph).is_some_and(|outline| outline.has_ink(program.em)) {
            return true;
        }
        let Some(said) = expected.said else { return false };
        let drawn = || mapped.iter().filter(|(known, _)| *known == glyph).map(|(_, letter)| *letter);
        let is_other = drawn().next().is_some() && drawn().all(|drawn| differ(said, drawn));
        is_other || has_hole(said).is_some_and(|hole| program.outline(glyph).is_some_and(|it| it.has_hole() != hole))
    }))
}

/// Returns the height above the baseline of the ink of each of these glyphs, in font sizes; none for those without ink,
/// and for all of a program that is not interpreted.
pub(super) fn ink_heights(view: &mut View, program: &Object, glyphs: &[ExpectedGlyph]) -> Result<Vec<f32>, Fault> {
    let Some(data) = read(view, program)? else { return Ok(vec![0.0; glyphs.len()]) };
    view.work(glyphs.len() + data.len() / 16)?;
    let program = Outlines::of(&data);
    let height = |glyph: &ExpectedGlyph| {
        let outline = program.outline(program.find(glyph)?)?;
        outline.has_ink(program.em).then(|| outline.top / program.em)
    };
    Ok(glyphs.iter().map(|glyph| height(glyph).unwrap_or_default()).collect())
}

/// The outlines of a program by the codes of a font.
struct Outlines<'d> {
    face: Option<Face<'d>>,
    table: Option<cff::Table<'d>>,
    /// Glyphs of a CID-keyed program by CID (9.7.4.2); none in others, whose CIDs are glyph indices.
    by_cid: HashMap<u16, GlyphId>,
    /// Units of the em square.
    em: f32,
}

impl<'d> Outlines<'d> {
    fn of(data: &'d [u8]) -> Self {
        let (face, table) = parts(data);
        let em = match (&table, &face) {
            (Some(table), _) => table.matrix().sx.recip(),
            (None, Some(face)) => f32::from(face.units_per_em()),
            (None, None) => DEFAULT_UNITS_PER_EM,
        };
        let by_cid = table.as_ref().map_or_else(HashMap::new, |table| {
            let glyphs = (0..table.number_of_glyphs()).map(GlyphId);
            glyphs.filter_map(|glyph| Some((table.glyph_cid(glyph)?, glyph))).collect()
        });
        Self { face, table, by_cid, em }
    }

    /// Returns its character map.
    fn unicode(&self) -> Option<Subtable<'_>> {
        self.face.as_ref().and_then(|face| subtables(face).find(Subtable::is_unicode))
    }

    /// Returns the glyph that a font shows, unless it is the missing one.
    fn find(&self, expected: &ExpectedGlyph) -> Option<GlyphId> {
        let glyph = match (&expected.source, &self.face, &self.table) {
            (GlyphSource::Index(cid), _, Some(_)) if !self.by_cid.is_empty() => self.by_cid.get(cid).copied(),
            (GlyphSource::Index(glyph), ..) => Some(GlyphId(*glyph)),
            (GlyphSource::Code { name, .. }, _, Some(table)) => table.glyph_index_by_name(name),
            (GlyphSource::Code { code, is_symbolic, .. }, Some(face), None) => {
                let by_code = glyph(face, *code);
                let letter = expected.named.or(expected.said);
                let by_letter = letter.and_then(|letter| self.unicode()?.glyph_index(u32::from(letter)));
                if *is_symbolic { by_code.or(by_letter) } else { by_letter.or(by_code) }
            }
            _ => None,
        };
        glyph.filter(|glyph| glyph.0 != 0)
    }

    /// Returns the outline of a glyph; none if it is empty or unreadable.
    fn outline(&self, glyph: GlyphId) -> Option<Contours> {
        let mut contours = Contours::default();
        match (&self.table, &self.face) {
            (Some(table), _) => table.outline(glyph, &mut contours).ok().map(|_| ()),
            (None, Some(face)) => face.outline_glyph(glyph, &mut contours).map(|_| ()),
            (None, None) => None,
        }?;
        Some(contours)
    }
}

/// Whether the outline of a digit has a hole; `None` if fonts differ.
fn has_hole(digit: char) -> Option<bool> {
    match digit {
        '0' | '6' | '8' | '9' => Some(true),
        '1' | '2' | '3' | '5' | '7' => Some(false),
        _ => None,
    }
}

/// The areas of a glyph's contours, with the sign of their direction, and how high they reach.
#[derive(Debug, Default)]
struct Contours {
    areas: Vec<f32>,
    top: f32,
    start: (f32, f32),
    at: (f32, f32),
}

impl Contours {
    /// Whether it draws something that is seen.
    fn has_ink(&self, em: f32) -> bool {
        self.areas.iter().any(|area| area.abs() >= MIN_INK_PART * em * em)
    }

    /// Whether a contour runs in the other direction than the largest one.
    fn has_hole(&self) -> bool {
        let largest =
            self.areas.iter().copied().fold(0.0, |one: f32, other| if other.abs() > one.abs() { other } else { one });
        self.areas.iter().any(|area| area * largest < 0.0 && area.abs() >= MIN_HOLE_PART * largest.abs())
    }
}

impl OutlineBuilder for Contours {
    fn move_to(&mut self, x: f32, y: f32) {
        self.areas.push(0.0);
        self.top = self.top.max(y);
        (self.start, self.at) = ((x, y), (x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        if let Some(area) = self.areas.last_mut() {
            *area += self.at.0 * y - self.at.1 * x;
        }
        self.top = self.top.max(y);
        self.at = (x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.line_to(x1, y1);
        self.line_to(x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.line_to(x1, y1);
        self.line_to(x2, y2);
        self.line_to(x, y);
    }

    fn close(&mut self) {
        self.line_to(self.start.0, self.start.1);
    }
}

/// Returns the characters of a CIDFont's glyphs by glyph index, ascending.
pub(super) fn characters(view: &mut View, program: &Object) -> Result<Vec<(u16, char)>, Fault> {
    let Some(data) = read(view, program)? else { return Ok(Vec::new()) };
    match parts(&data).0 {
        Some(face) => reverse(view, &face),
        None => Ok(Vec::new()),
    }
}

/// Parses a program: TrueType, or CFF, bare or in OpenType.
fn parts(data: &[u8]) -> (Option<Face<'_>>, Option<cff::Table<'_>>) {
    let bare = || cff::Table::parse(data);
    let of_opentype = || cff::Table::parse(RawFace::parse(data, 0).ok()?.table(ttf_parser::Tag::from_bytes(b"CFF "))?);
    (Face::parse(data, 0).ok(), if data.starts_with(&[1]) { bare() } else { of_opentype() })
}

fn of_cff(table: &cff::Table, code: u8) -> Option<ProgramGlyph> {
    let glyph = table.glyph_index(code).filter(|glyph| glyph.0 != 0)?;
    let name = table.glyph_name(glyph)?;
    Some(ProgramGlyph { name: Cow::Owned(name.to_owned()), width: None })
}

fn of_truetype(face: &Face, names: usize, reverse: &[(u16, char)], code: u8) -> Option<ProgramGlyph> {
    let glyph = glyph(face, code)?;
    let character = |glyph: GlyphId| {
        let place = reverse.binary_search_by_key(&glyph.0, |(number, _)| *number).ok()?;
        Some(format!("u{:04X}", u32::from(reverse.get(place)?.1)))
    };
    let named = || face.tables().post?.glyph_name(glyph).filter(|name| names < MAX_NAMES && !name.starts_with('.'));
    let name = character(glyph).or_else(|| named().map(str::to_owned)).unwrap_or_default();
    let units = f64::from(face.units_per_em());
    let width = face.tables().hmtx.and_then(|widths| widths.advance(glyph));
    Some(ProgramGlyph { name: Cow::Owned(name), width: width.map(|width| f64::from(width) * 1000.0 / units) })
}

/// Returns the glyph of a code by the symbolic or the Macintosh table (9.6.6.4).
fn glyph(face: &Face, code: u8) -> Option<GlyphId> {
    let code = u32::from(code);
    let table = |platform, encoding| {
        subtables(face).find(|table| table.platform_id == platform && table.encoding_id == encoding)
    };
    let symbolic = table(PlatformId::Windows, 0)
        .and_then(|table| SYMBOLIC_OFFSETS.iter().find_map(|base| table.glyph_index(base + code)));
    symbolic.or_else(|| table(PlatformId::Macintosh, 0)?.glyph_index(code)).filter(|glyph| glyph.0 != 0)
}

/// Whether the codes of a font are ASCII, by its Macintosh table. Subsets may number codes consecutively instead: ASCII
/// codes have gaps, and a blank at its place.
fn has_ascii_codes(face: &Face) -> bool {
    let glyphs: Vec<(u8, GlyphId)> = (0..=u8::MAX).filter_map(|code| Some((code, glyph(face, code)?))).collect();
    let (Some((first, space)), Some((last, _))) = (glyphs.first(), glyphs.last()) else { return false };
    let is_blank = *first == b' ' && is_empty(face, *space);
    let others = glyphs.iter().skip(1).filter(|(_, glyph)| is_empty(face, *glyph)).count();
    let has_gaps = glyphs.len() + usize::from(ASCII_MIN_GAPS) < usize::from(last - first) + 1
        || glyphs.len() > COMPLETE_FONT_CODES;
    is_blank && others <= 1 && has_gaps
}

/// Whether a glyph is empty, such as a blank.
fn is_empty(face: &Face, glyph: GlyphId) -> bool {
    let tables = face.raw_face();
    let Some(places) = tables.table(ttf_parser::Tag::from_bytes(b"loca")) else { return false };
    let is_long = matches!(face.tables().head.index_to_location_format, IndexToLocationFormat::Long);
    let size = if is_long { 4 } else { 2 };
    let place = |number: usize| places.get(number * size..(number + 1) * size);
    let number = usize::from(glyph.0);
    place(number).is_some() && place(number) == place(number + 1)
}

fn subtables<'f>(face: &Face<'f>) -> impl Iterator<Item = Subtable<'f>> {
    let table: Option<CmapTable> = face.tables().cmap;
    table.into_iter().flat_map(|table| table.subtables)
}

/// Returns characters by glyph from the character map; the first of several.
fn reverse(view: &mut View, face: &Face) -> Result<Vec<(u16, char)>, Fault> {
    let Some(table) = subtables(face).find(Subtable::is_unicode) else { return Ok(Vec::new()) };
    let characters = LOOKED_UP_CHARACTERS.into_iter().flatten();
    view.work(1 << 16)?;
    let mut found: Vec<(u16, char)> = characters
        .filter_map(|number| Some((table.glyph_index(number)?.0, char::from_u32(number)?)))
        .filter(|(glyph, _)| *glyph != 0)
        .collect();
    found.sort_by_key(|(glyph, _)| *glyph);
    found.dedup_by_key(|(glyph, _)| *glyph);
    Ok(found)
}
