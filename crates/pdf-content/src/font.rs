//! Fonts (9.5 to 9.10): decoding of strings to codes, advances and characters. Characters come from `/ToUnicode`,
//! otherwise from the encoding. A code without either is undecoded, never guessed.

mod cmap;
mod collection;
mod composite;
mod descriptor;
mod disguised;
pub(crate) mod drawn;
mod expected;
mod glyph_procedures;
mod meaning;
mod program;
mod shape;
mod shape_match;
mod simple;
mod standard;
mod table;
mod type1;
mod well_formed;
mod widths;

use std::collections::BTreeSet;

use self::composite::Composite;
use self::descriptor::Descriptor;
pub(super) use self::drawn::Drawn;
pub(super) use self::expected::{Drawing, is_blank, is_point};
use self::glyph_procedures::GlyphProcedures;
pub(super) use self::meaning::{Code, Meaning};
use self::simple::Simple;
pub(super) use self::simple::is_standard_glyph;
pub use self::standard::{StandardFont, max_width};
pub(super) use self::table::usual_widths;
pub(super) use self::well_formed::is_well_formed;
use super::reading::Reading;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum characters of a font's name.
const MAX_NAME_CHARACTERS: usize = 127;

/// A font, ready to read strings.
#[derive(Debug)]
pub(super) struct Font {
    /// `/BaseFont`, including the subset tag; `/Name` for Type 3 fonts.
    pub name: String,
    /// Ascent and (negative) descent, in font sizes.
    pub(super) ascent: f64,
    pub(super) descent: f64,
    /// Size of its em in font sizes: 1, except for Type 3 fonts with other matrices.
    pub(super) em: f64,
    kind: FontKind,
    /// Whether its glyphs are content streams (9.6.5).
    pub(super) is_type3: bool,
    /// What paints its glyphs, if it is a Type 3 font.
    pub(super) procedures: Option<GlyphProcedures>,
    /// Whether it exceeded a limit.
    pub(super) is_cut: bool,
    /// Codes that are said to be blanks or points, but are drawn as something else; empty unless that was checked.
    disguised: BTreeSet<u32>,
}

#[derive(Debug)]
enum FontKind {
    Simple(Box<Simple>),
    Composite(Box<Composite>),
}

/// Returns whether a font draws for each code what `/ToUnicode` or the encoding says, as far as its encoding, its program's
/// glyph names and character map, and the outlines of the codes that are shown tell.
pub(super) fn drawing(view: &mut View, font: &Dictionary, shown: &BTreeSet<u32>) -> Result<Drawing, Fault> {
    if font.get(b"Subtype").is_name(b"Type0") {
        composite::drawing(view, font, shown)
    } else {
        simple::drawing(view, font, shown)
    }
}

/// Returns the name of a font: `/BaseFont`, otherwise `/Name`.
pub(super) fn name_of(font: &Dictionary) -> String {
    let mut name = String::from_utf8_lossy(font.get(b"BaseFont").as_name().unwrap_or_default()).into_owned();
    if name.is_empty() {
        name = String::from_utf8_lossy(font.get(b"Name").as_name().unwrap_or_default()).into_owned();
    }
    name.chars().filter(|character| !character.is_control()).take(MAX_NAME_CHARACTERS).collect()
}

impl Font {
    /// Reads a font from its dictionary as a viewer does.
    pub(super) fn read(view: &mut View, font: &Dictionary, reading: Reading) -> Result<Self, Fault> {
        let subtype = font.get(b"Subtype").as_name().unwrap_or_default();
        let name = name_of(font);
        if subtype == b"Type0" {
            let (composite, descriptor) = Composite::read(view, font)?;
            return Ok(Self::new(name, &descriptor, composite.is_cut(), FontKind::Composite(Box::new(composite))));
        }
        let descriptor = match subtype {
            b"Type3" => Descriptor::of_type3(view, font)?,
            _ => Descriptor::read(view, font)?,
        };
        let simple = Simple::read(view, font, (&name, reading), &descriptor)?;
        let is_cut = simple.is_cut();
        let is_type3 = subtype == b"Type3";
        let procedures = match is_type3 {
            true => Some(GlyphProcedures::read(view, font, simple.names())?),
            false => None,
        };
        let font = Self::new(name, &descriptor, is_cut, FontKind::Simple(Box::new(simple)));
        Ok(Self { is_type3, procedures, ..font })
    }

    /// Returns the font, checked to draw nothing for blanks and points for points: other codes are undecoded.
    pub(super) fn checked(self, view: &mut View, font: &Dictionary) -> Result<Self, Fault> {
        let (program, glyphs) = match &self.kind {
            FontKind::Composite(_) if !composite::is_embedded(view, font)? => return Ok(self),
            FontKind::Composite(_) => composite::expected(view, font, &BTreeSet::new())?,
            FontKind::Simple(_) => simple::expected(view, font, &BTreeSet::new())?,
        };
        Ok(Self { disguised: disguised::disguised(view, &program, &glyphs)?, ..self })
    }

    /// Returns a font that decodes nothing.
    pub(super) fn unknown() -> Self {
        let kind = FontKind::Simple(Box::default());
        Self::new(String::new(), &Descriptor::default(), false, kind)
    }

    fn new(name: String, descriptor: &Descriptor, is_cut: bool, kind: FontKind) -> Self {
        let Descriptor { ascent, descent, em, .. } = *descriptor;
        let (is_type3, procedures, disguised) = (false, None, BTreeSet::new());
        Self { name, ascent, descent, em, kind, is_type3, procedures, is_cut, disguised }
    }

    /// Whether viewers read its encoding differently.
    pub(super) fn is_irregular(&self) -> bool {
        if let FontKind::Simple(simple) = &self.kind { simple.is_irregular } else { false }
    }

    /// Whether its writing mode is vertical.
    pub(super) fn is_vertical(&self) -> bool {
        if let FontKind::Composite(composite) = &self.kind { composite.is_vertical() } else { false }
    }

    /// Returns the codes of a string.
    pub(super) fn codes<'f>(&'f self, string: &'f [u8]) -> impl Iterator<Item = Code<'f>> {
        let mut rest = string;
        std::iter::from_fn(move || {
            let (code, length) = match &self.kind {
                FontKind::Simple(simple) => (simple.code(*rest.first()?), 1),
                FontKind::Composite(composite) => composite.first_code(rest)?,
            };
            rest = rest.get(length.max(1)..).unwrap_or_default();
            let is_disguised = !self.disguised.is_empty() && self.disguised.contains(&code.number);
            Some(if is_disguised { Code { meaning: Meaning::Undecoded, ..code } } else { code })
        })
    }

    /// Returns its size in the cache, in ranges of codes.
    pub(super) fn size(&self) -> usize {
        match &self.kind {
            FontKind::Simple(simple) => simple.size() + self.procedures.as_ref().map_or(0, GlyphProcedures::size),
            FontKind::Composite(composite) => composite.size(),
        }
    }
}
