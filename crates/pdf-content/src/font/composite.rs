//! Composite fonts (9.7): codes of one to four bytes, which a CMap maps to CIDs of a CIDFont.

use std::collections::BTreeSet;

use super::cmap::CMap;
use super::collection::{self, Predefined};
use super::descriptor::Descriptor;
use super::expected::{Drawing, ExpectedGlyph, GlyphSource};
use super::meaning::{Code, Meaning, character};
use super::program;
use super::widths::GlyphWidths;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of a CMap.
const MAX_CMAP_BYTES: usize = 1 << 20;

/// Characters of a font program by glyph index, ascending.
type Characters = Vec<(u16, char)>;

/// A Type 0 font with its descendant.
#[derive(Debug)]
pub(crate) struct Composite {
    encoding: CompositeEncoding,
    to_unicode: CMap,
    /// From CIDs to characters, where the collection is known.
    collection: Option<Predefined>,
    /// Characters of CIDs by the font program (9.7.4.2), unless defined otherwise: characters by glyph index, and the
    /// mapping from CIDs to glyph indices in byte pairs, empty for the identity.
    program: Characters,
    glyphs: Vec<u8>,
    widths: GlyphWidths<1>,
    default_width: f64,
    /// Vertical metrics: advance, and the origin across and up.
    vertical: GlyphWidths<3>,
    /// Default vertical origin and advance.
    default_vertical: [f64; 2],
    /// Whether its descendant font is unreadable.
    is_lost: bool,
}

/// The mapping from codes to CIDs.
#[derive(Debug)]
enum CompositeEncoding {
    Embedded(CMap),
    Predefined(Predefined),
    /// Embedded, with a predefined one as fallback.
    Extended(CMap, Predefined),
}

impl Composite {
    pub(super) fn read(view: &mut View, font: &Dictionary) -> Result<(Self, Descriptor), Fault> {
        let descendants = view.resolve(font.get(b"DescendantFonts"))?;
        let descendant = view.dictionary(descendants.elements().first().unwrap_or(&Object::Null))?;
        let descriptor = Descriptor::read(view, &descendant)?;
        let encoding = CompositeEncoding::read(view, font.get(b"Encoding"))?;
        let to_unicode = match CMap::read(view, font.get(b"ToUnicode"), MAX_CMAP_BYTES)? {
            Some((cmap, _)) => cmap,
            None => match view.resolve(font.get(b"ToUnicode"))?.as_name() {
                Some(b"Identity-H" | b"Identity-V") => CMap::unicode(),
                _ => CMap::default(),
            },
        };
        // codes that `/ToUnicode` lacks, but a collection defines
        let system = view.dictionary(descendant.get(b"CIDSystemInfo"))?;
        let (registry, ordering) = (view.resolve(system.get(b"Registry"))?, view.resolve(system.get(b"Ordering"))?);
        let collection = match (registry.as_string(), ordering.as_string()) {
            (Some(registry), Some(ordering)) if to_unicode.size() == 0 => {
                Predefined::of_collection(view, registry, ordering)?
            }
            _ => None,
        };
        let is_told = to_unicode.size() > 0 || collection.is_some();
        let (program, glyphs) = if is_told { Default::default() } else { own(view, &descendant, &descriptor)? };
        let [up, advance] = match view.resolve(descendant.get(b"DW2"))?.elements() {
            [up, advance] => [up.as_number().unwrap_or(880.0), advance.as_number().unwrap_or(-1000.0)],
            _ => [880.0, -1000.0],
        };
        let vertical = if encoding.is_vertical() { descendant.get(b"W2") } else { &Object::Null };
        let composite = Self {
            collection,
            program,
            glyphs,
            widths: GlyphWidths::read(view, descendant.get(b"W"))?,
            default_width: view.number(descendant.get(b"DW"))?.unwrap_or(1000.0),
            vertical: GlyphWidths::read(view, vertical)?,
            default_vertical: [up, advance],
            is_lost: descendant.is_empty(),
            encoding,
            to_unicode,
        };
        Ok((composite, descriptor))
    }

    pub(super) fn is_vertical(&self) -> bool {
        self.encoding.is_vertical()
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_lost || self.encoding.is_cut() || self.to_unicode.is_cut() || self.widths.is_cut || self.vertical.is_cut
    }

    /// Returns the first code of a string and its length; none at the end.
    pub(super) fn first_code(&self, string: &[u8]) -> Option<(Code<'_>, usize)> {
        if string.is_empty() {
            return None;
        }
        let (number, cid, length) = self.encoding.first_code(string);
        let meaning = match (self.to_unicode.meaning(number), cid, &self.collection) {
            (Some(meaning), ..) => meaning,
            (None, Some(cid), Some(collection)) => {
                // characters of a collection are hardly ever sequences
                collection.character(cid).and_then(character).map_or(Meaning::Undecoded, Meaning::Char)
            }
            (None, Some(cid), None) => self.character(cid).map_or(Meaning::Undecoded, Meaning::Char),
            _ => Meaning::Undecoded,
        };
        let width = self.width(cid);
        let is_space = length == 1 && number == 32;
        if !self.is_vertical() {
            let (advance, origin) = (width / 1000.0, (0.0, 0.0));
            return Some((Code { meaning, drawn: None, number, advance, origin, is_space }, length));
        }
        let [up, advance] = self.default_vertical;
        let [advance, across, up] = cid.and_then(|cid| self.vertical.get(cid)).unwrap_or([advance, width / 2.0, up]);
        let origin = (across / 1000.0, up / 1000.0);
        Some((Code { meaning, drawn: None, number, advance: advance / 1000.0, origin, is_space }, length))
    }

    /// Returns the CID of a code.
    fn cid_of(&self, code: u32) -> Option<u32> {
        let bytes = code.to_be_bytes();
        [2, 1, 3, 4].into_iter().find_map(|length| {
            let (number, cid, read) = self.encoding.first_code(bytes.get(bytes.len() - length..)?);
            cid.filter(|_| number == code && read == length)
        })
    }

    /// Returns the horizontal advance of a CID, in thousandths.
    fn width(&self, cid: Option<u32>) -> f64 {
        cid.and_then(|cid| self.widths.get(cid)).map_or(self.default_width, |[width]| width)
    }

    /// Returns the glyph index of a CID.
    fn glyph(&self, cid: u32) -> Option<u16> {
        let cid = usize::try_from(cid).ok()?;
        match self.glyphs.get(2 * cid..2 * cid + 2) {
            Some(bytes) => Some(u16::from_be_bytes(bytes.try_into().ok()?)),
            None if self.glyphs.is_empty() => u16::try_from(cid).ok(),
            None => None,
        }
    }

    /// Returns the character of a CID by the font program.
    fn character(&self, cid: u32) -> Option<char> {
        let glyph = self.glyph(cid)?;
        let place = self.program.binary_search_by_key(&glyph, |(number, _)| *number).ok()?;
        self.program.get(place).map(|(_, character)| *character)
    }

    pub(super) fn size(&self) -> usize {
        let collection = if self.collection.is_some() { collection::RANGES } else { 0 };
        self.encoding.size()
            + self.to_unicode.size()
            + collection
            + self.widths.len()
            + self.vertical.len()
            + self.program.len()
    }
}

/// Whether a font has a program. Without one there is nothing to check, and the predefined CMaps, which are large, need
/// not be loaded again.
pub(super) fn is_embedded(view: &mut View, font: &Dictionary) -> Result<bool, Fault> {
    let descendants = view.resolve(font.get(b"DescendantFonts"))?;
    let descendant = view.dictionary(descendants.elements().first().unwrap_or(&Object::Null))?;
    Ok(Descriptor::read(view, &descendant)?.is_embedded)
}

/// Returns whether the program draws what `/ToUnicode` says.
pub(super) fn drawing(view: &mut View, font: &Dictionary, shown: &BTreeSet<u32>) -> Result<Drawing, Fault> {
    let (program, glyphs) = expected(view, font, shown)?;
    program::drawing(view, &program, &glyphs)
}

/// Returns the program of a font, and its glyphs by code; a program has to draw those that are shown.
pub(super) fn expected(
    view: &mut View,
    font: &Dictionary,
    shown: &BTreeSet<u32>,
) -> Result<(Object, Vec<ExpectedGlyph>), Fault> {
    let (composite, descriptor) = Composite::read(view, font)?;
    let descendants = view.resolve(font.get(b"DescendantFonts"))?.into_owned();
    let descendant = view.dictionary(descendants.elements().first().unwrap_or(&Object::Null))?.into_owned();
    let map = view.stream(descendant.get(b"CIDToGIDMap"), MAX_CMAP_BYTES)?.map(|stream| stream.content);
    let composite = Composite { glyphs: map.unwrap_or_default(), ..composite };
    let mut glyphs = Vec::new();
    view.work(1 << 12)?;
    for code in (0..=u32::from(u16::MAX)).chain(shown.iter().copied()) {
        let is_shown = descriptor.is_embedded && shown.contains(&code);
        let said = match composite.to_unicode.meaning(code) {
            Some(Meaning::Char(said)) => Some(said),
            None if is_shown => composite.cid_of(code).and_then(|cid| composite.character(cid)),
            _ => None,
        };
        if said.is_some() || is_shown {
            let cid = composite.cid_of(code);
            // the first glyph is the missing one
            let glyph = cid.and_then(|cid| composite.glyph(cid)).unwrap_or(0);
            let source = GlyphSource::Index { glyph, is_mapped: !composite.glyphs.is_empty() };
            let advance = (!composite.is_vertical()).then(|| composite.width(cid) / 1000.0);
            glyphs.push(ExpectedGlyph { code, said, named: None, source, advance, is_shown });
        }
    }
    Ok((descriptor.program, glyphs))
}

/// Reads a CIDFont program's characters and the mapping of CIDs to glyphs (9.7.4.2, `/CIDToGIDMap`).
fn own(view: &mut View, descendant: &Dictionary, descriptor: &Descriptor) -> Result<(Characters, Vec<u8>), Fault> {
    let map = descendant.get(b"CIDToGIDMap");
    let glyphs = view.stream(map, MAX_CMAP_BYTES)?.map(|stream| stream.content).unwrap_or_default();
    Ok((program::characters(view, &descriptor.program)?, glyphs))
}

impl CompositeEncoding {
    fn read(view: &mut View, object: &Object) -> Result<Self, Fault> {
        let name = view.resolve(object)?;
        if let Some(name) = name.as_name() {
            return Self::named(view, name);
        }
        let Some((cmap, stream)) = CMap::read(view, object, MAX_CMAP_BYTES)? else {
            return Ok(Self::Embedded(CMap::default()));
        };
        let base = view.resolve(stream.dictionary().get(b"UseCMap"))?;
        let base = base.as_name().or_else(|| cmap.base().map(Name::as_bytes));
        match base {
            Some(base) => match Self::named(view, base)? {
                Self::Predefined(base) => Ok(Self::Extended(cmap, base)),
                _ => Ok(Self::Embedded(cmap)),
            },
            None => Ok(Self::Embedded(cmap)),
        }
    }

    /// Returns a predefined CMap; an empty one for unknown names.
    fn named(view: &mut View, name: &[u8]) -> Result<Self, Fault> {
        match name {
            b"Identity-H" => Ok(Self::Embedded(CMap::identity(false))),
            b"Identity-V" => Ok(Self::Embedded(CMap::identity(true))),
            name => Ok(Predefined::named(view, name)?.map_or(Self::Embedded(CMap::default()), Self::Predefined)),
        }
    }

    fn is_cut(&self) -> bool {
        match self {
            Self::Embedded(cmap) | Self::Extended(cmap, _) => cmap.is_cut(),
            Self::Predefined(_) => false,
        }
    }

    fn is_vertical(&self) -> bool {
        match self {
            Self::Embedded(cmap) | Self::Extended(cmap, _) => cmap.is_vertical(),
            Self::Predefined(predefined) => predefined.is_vertical(),
        }
    }

    /// Returns the first code, its CID if there is one, and its length.
    fn first_code(&self, string: &[u8]) -> (u32, Option<u32>, usize) {
        match self {
            Self::Embedded(cmap) => {
                let (code, length) = cmap.first_code(string);
                (code, cmap.cid(code), length)
            }
            Self::Predefined(predefined) => predefined.first_code(string),
            Self::Extended(cmap, base) => {
                let (code, length) = cmap.first_code(string);
                match cmap.cid(code) {
                    Some(cid) => (code, Some(cid), length),
                    None => base.first_code(string),
                }
            }
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Embedded(cmap) => cmap.size(),
            Self::Predefined(_) => collection::RANGES,
            Self::Extended(cmap, _) => cmap.size() + collection::RANGES,
        }
    }
}
