//! Embedded font programs (9.9): built-in encodings, glyph names and advances. Type 1 programs are read in `type1`.

use std::borrow::Cow;
use std::collections::HashMap;

use ttf_parser::cmap::{Subtable, Table as CmapTable};
use ttf_parser::head::IndexToLocationFormat;
use ttf_parser::{Face, GlyphId, PlatformId, RawFace, Tag, cff};

use super::expected::{Drawing, ExpectedGlyph, GlyphSource, differ, is_blank};
use super::shape::{Outline, Shape};
use super::shape_match::{Match, compare};
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
/// How far ink may reach beyond the advance of its glyph, in font sizes, as that of slanted letters does.
const MAX_OVERHANG_EM: f32 = 0.25;
/// Maximum difference of the factors of a matrix.
const MATRIX_TOLERANCE: f32 = 1e-6;
/// Work per piece of an outline and per comparison with the reference shapes, in steps.
const SHAPE_STEPS: usize = 16;
const COMPARE_STEPS: usize = 1 << 13;
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

/// Returns whether a program draws these glyphs as what they are said to be: by its character map, and by the outlines of
/// those that are shown.
pub(super) fn drawing(view: &mut View, program: &Object, glyphs: &[ExpectedGlyph]) -> Result<Drawing, Fault> {
    let is_any_shown = glyphs.iter().any(|glyph| glyph.is_shown);
    // Type 1 programs are not interpreted
    let Some(data) = read(view, program)? else {
        return Ok(if is_any_shown { Drawing::Otherwise } else { Drawing::Unknown });
    };
    view.work(glyphs.len() + data.len() / 16)?;
    let program = Outlines::of(&data);
    let unicode = program.unicode();
    let mapped: Vec<(GlyphId, char)> =
        (' '..='~').filter_map(|letter| Some((unicode?.glyph_index(u32::from(letter))?, letter))).collect();
    let mut drawing = if is_any_shown && program.is_unambiguous() { Drawing::AsSaid } else { Drawing::Unknown };
    for expected in glyphs {
        let Some(glyph) = program.find(expected) else {
            drawing = if expected.is_shown { Drawing::Otherwise } else { drawing };
            continue;
        };
        let drawn = || mapped.iter().filter(|(known, _)| *known == glyph).map(|(_, letter)| *letter);
        if expected.said.is_some_and(|said| drawn().next().is_some() && drawn().all(|drawn| differ(said, drawn))) {
            return Ok(Drawing::Otherwise);
        }
        if expected.is_shown {
            drawing = drawing.max(program.shown(view, expected, glyph)?);
        }
    }
    Ok(drawing)
}

/// Returns the height above the baseline of the ink of each of these glyphs, in font sizes; none for those without ink,
/// and for all of a program that is not interpreted.
pub(super) fn ink_heights(view: &mut View, program: &Object, glyphs: &[ExpectedGlyph]) -> Result<Vec<f32>, Fault> {
    let Some(data) = read(view, program)? else { return Ok(vec![0.0; glyphs.len()]) };
    view.work(glyphs.len() + data.len() / 16)?;
    let program = Outlines::of(&data);
    let height = |glyph: &ExpectedGlyph| {
        let outline = program.outline(program.find(glyph)?)?;
        outline.has_ink(program.em).then(|| outline.top() / program.em)
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
            (GlyphSource::Index { glyph: cid, .. }, _, Some(_)) if !self.by_cid.is_empty() => {
                self.by_cid.get(cid).copied()
            }
            (GlyphSource::Index { glyph, .. }, ..) => Some(GlyphId(*glyph)),
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

    /// Returns all glyphs that viewers may find for a code, whichever table they read first.
    fn candidates(&self, expected: &ExpectedGlyph) -> Vec<GlyphId> {
        let mut found: Vec<GlyphId> = self.find(expected).into_iter().collect();
        let (GlyphSource::Code { code, name, is_symbolic }, Some(face), None) =
            (&expected.source, &self.face, &self.table)
        else {
            return found;
        };
        let letters = || expected.named.into_iter().chain(expected.said).map(u32::from);
        let unicode = subtables(face).filter(Subtable::is_unicode);
        found.extend(unicode.flat_map(|table| letters().filter_map(move |letter| table.glyph_index(letter))));
        found.extend(face.glyph_index_by_name(name));
        let macintosh = Encoding::MacRoman.names().iter().position(|known| known == name);
        let macintosh = macintosh.and_then(|code| u8::try_from(code).ok()).filter(|_| !name.is_empty());
        let codes = is_symbolic.then_some(*code).into_iter().chain(macintosh);
        found.extend(codes.flat_map(|code| symbolic(face, code).into_iter().chain(by_macintosh(face, code))));
        found.retain(|glyph| glyph.0 != 0);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether viewers read the program alike: it has one kind of outlines, which its matrix only scales (9.6.2).
    fn is_unambiguous(&self) -> bool {
        let raw = self.face.as_ref().map(Face::raw_face);
        let Some(table) = &self.table else { return raw.is_some() };
        let matrix = table.matrix();
        let is_scale = [matrix.ky, matrix.kx, matrix.tx, matrix.ty, matrix.sx - matrix.sy];
        is_scale.iter().all(|factor| factor.abs() <= MATRIX_TOLERANCE)
            && matrix.sx > 0.0
            // the fonts of a CID-keyed program have matrices of their own
            && self.by_cid.is_empty()
            && raw.is_none_or(|raw| raw.table(Tag::from_bytes(b"glyf")).is_none())
    }

    /// Returns whether the outline of a glyph that is shown is that of its letter.
    fn shown(&self, view: &mut View, expected: &ExpectedGlyph, glyph: GlyphId) -> Result<Drawing, Fault> {
        let has_ink = |glyph| self.outline(glyph).is_some_and(|outline| outline.has_ink(self.em));
        match expected.said {
            Some(said) if is_blank(said) => {
                let is_drawn = self.candidates(expected).into_iter().any(has_ink);
                return Ok(if is_drawn { Drawing::Otherwise } else { Drawing::AsSaid });
            }
            _ if !has_ink(glyph) => return Ok(Drawing::Otherwise),
            None => return Ok(Drawing::Unknown),
            Some(_) => {}
        }
        let mut drawing = Drawing::AsSaid;
        for glyph in self.candidates(expected) {
            drawing = drawing.max(self.compared(view, expected, glyph)?);
        }
        Ok(drawing)
    }

    fn compared(&self, view: &mut View, expected: &ExpectedGlyph, glyph: GlyphId) -> Result<Drawing, Fault> {
        let Some(outline) = self.outline(glyph) else { return Ok(Drawing::Unknown) };
        // not all viewers apply a map to a CFF program
        let is_mapped = matches!(expected.source, GlyphSource::Index { is_mapped: true, .. }) && self.table.is_some();
        view.work(outline.len() * SHAPE_STEPS)?;
        let (Some(said), Some(shape)) = (expected.said, Shape::of(&outline, self.em)) else {
            return Ok(Drawing::Unknown);
        };
        view.work(COMPARE_STEPS)?;
        let is_inside = expected.advance.is_some_and(|advance| {
            shape.left >= -MAX_OVERHANG_EM && shape.left + shape.width <= advance as f32 + MAX_OVERHANG_EM
        });
        Ok(match compare(said, &shape) {
            Match::Same if is_inside && !is_mapped => Drawing::AsSaid,
            Match::Other(_) => Drawing::Otherwise,
            Match::Same | Match::Unknown => Drawing::Unknown,
        })
    }

    /// Returns the outline of a glyph; none if it is empty or unreadable.
    fn outline(&self, glyph: GlyphId) -> Option<Outline> {
        let mut outline = Outline::default();
        match (&self.table, &self.face) {
            (Some(table), _) => table.outline(glyph, &mut outline).ok().map(|_| ()),
            (None, Some(face)) => face.outline_glyph(glyph, &mut outline).map(|_| ()),
            (None, None) => None,
        }?;
        Some(outline)
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
    let of_opentype = || cff::Table::parse(RawFace::parse(data, 0).ok()?.table(Tag::from_bytes(b"CFF "))?);
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
    symbolic(face, code).or_else(|| by_macintosh(face, code)).filter(|glyph| glyph.0 != 0)
}

fn symbolic(face: &Face, code: u8) -> Option<GlyphId> {
    let table = subtable(face, PlatformId::Windows, 0)?;
    SYMBOLIC_OFFSETS.iter().find_map(|base| table.glyph_index(base + u32::from(code)))
}

fn by_macintosh(face: &Face, code: u8) -> Option<GlyphId> {
    subtable(face, PlatformId::Macintosh, 0)?.glyph_index(u32::from(code))
}

fn subtable<'f>(face: &Face<'f>, platform: PlatformId, encoding: u16) -> Option<Subtable<'f>> {
    subtables(face).find(|table| table.platform_id == platform && table.encoding_id == encoding)
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
    let Some(places) = tables.table(Tag::from_bytes(b"loca")) else { return false };
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
