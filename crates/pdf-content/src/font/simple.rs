//! Simple fonts (9.6): Type 1, MMType1, TrueType and Type 3. A byte is a code, the encoding maps it to a glyph name,
//! and that to characters.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::cmap::CMap;
use super::descriptor::Descriptor;
use super::drawn::Drawn;
use super::expected::{Drawing, ExpectedGlyph, GlyphSource};
use super::meaning::{Code, Kept, Meaning};
use super::name_of;
use super::program::{self, ProgramGlyph};
use super::table::{self, Encoding, FontMetrics};
use super::type1;
use crate::reading::Reading;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of a `/ToUnicode`: a simple font has 256 codes.
const MAX_TO_UNICODE_BYTES: usize = 128 << 10;
/// Default advance width, in font sizes.
const DEFAULT_ADVANCE_EM: f64 = 0.5;
/// Maximum elements of `/Differences`: a number and a name for each code, and some more.
const MAX_DIFFERENCES: usize = 1024;

/// A simple font. Codes are decoded lazily: pages use a few dozen of the 256.
#[derive(Debug)]
pub(crate) struct Simple {
    names: GlyphNames,
    /// Whether viewers read its encoding differently.
    pub(super) is_irregular: bool,
    to_unicode: CMap,
    /// Whether viewers draw the glyphs of its names, in a font of their own.
    is_drawn_by_name: bool,
    /// Whether it uses the glyph names of ZapfDingbats, which no other font has.
    is_dingbat: bool,
    /// Advances by code, from `/Widths`.
    widths: Vec<Option<f64>>,
    /// Standard font whose metrics apply where the file gives none.
    metrics: Option<FontMetrics>,
    /// Advance of the others.
    missing_width: f64,
    scale: f64,
    glyphs: Vec<OnceCell<SimpleGlyph>>,
}

/// A decoded code.
#[derive(Debug, Default)]
struct SimpleGlyph {
    advance: f64,
    meaning: Kept,
    text: String,
    drawn: Option<Drawn>,
}

/// Glyph names by code; empty where there is none.
#[derive(Debug)]
struct GlyphNames(Vec<Cow<'static, str>>);

impl Default for GlyphNames {
    fn default() -> Self {
        Self(vec![Cow::Borrowed(""); 256])
    }
}

impl Default for Simple {
    fn default() -> Self {
        Self {
            names: GlyphNames::default(),
            is_irregular: false,
            to_unicode: CMap::default(),
            is_drawn_by_name: false,
            is_dingbat: false,
            widths: Vec::new(),
            metrics: None,
            missing_width: DEFAULT_ADVANCE_EM,
            scale: 1.0,
            glyphs: std::iter::repeat_with(OnceCell::new).take(256).collect(),
        }
    }
}

impl Simple {
    pub(super) fn read(
        view: &mut View,
        font: &Dictionary,
        (name, reading): (&str, Reading),
        descriptor: &Descriptor,
    ) -> Result<Self, Fault> {
        let metrics = if descriptor.is_embedded { None } else { FontMetrics::of(name) };
        let to_unicode = CMap::read(view, font.get(b"ToUnicode"), MAX_TO_UNICODE_BYTES)?;
        let (mut widths, is_like) = widths(view, font)?;
        let is_told = to_unicode.as_ref().is_some_and(|(cmap, _)| cmap.size() > 0);
        let (encoding, base) = GlyphNames::encoding(view, font)?;
        let program = match is_like || (base.is_none() && !is_told) {
            true => program::glyphs(view, &descriptor.program)?,
            false => Vec::new(),
        };
        if is_like && !program.is_empty() {
            widths.resize(256, None);
        }
        for (code, glyph) in &program {
            if let Some(width) = widths.get_mut(usize::from(*code)).filter(|_| is_like) {
                *width = glyph.width;
            }
        }
        let mut names = GlyphNames::default();
        match base {
            Some(base) => names.set_all(base),
            None => names.set_own(view, font, name, (descriptor, program))?,
        }
        let is_irregular = names.set_differences(view, &encoding, reading)?;
        // viewers draw what the encoding says
        let to_unicode = to_unicode.filter(|_| !is_irregular || reading.is_lenient());
        Ok(Self {
            names,
            is_irregular,
            to_unicode: to_unicode.map(|(cmap, _)| cmap).unwrap_or_default(),
            // what viewers draw for an unknown font of symbols is not known
            is_drawn_by_name: !descriptor.is_embedded && (metrics.is_some() || !descriptor.is_symbolic),
            is_dingbat: metrics == Some(FontMetrics::ZapfDingbats) || name.ends_with("ZapfDingbats"),
            widths,
            metrics: is_like.then(|| metrics.unwrap_or(FontMetrics::ANY)),
            missing_width: descriptor.missing_width,
            scale: descriptor.scale,
            ..Self::default()
        })
    }

    pub(super) fn code(&self, byte: u8) -> Code<'_> {
        let glyph = self.glyphs.get(usize::from(byte)).map(|glyph| glyph.get_or_init(|| self.glyph(byte)));
        let meaning = glyph.map_or(Meaning::Undecoded, |glyph| glyph.meaning.among(&glyph.text));
        let advance = glyph.map_or(0.0, |glyph| glyph.advance);
        let drawn = glyph.and_then(|glyph| glyph.drawn);
        Code { meaning, drawn, number: u32::from(byte), advance, origin: (0.0, 0.0), is_space: byte == b' ' }
    }

    fn glyph(&self, byte: u8) -> SimpleGlyph {
        let name = self.names.0.get(usize::from(byte)).map_or("", |name| name);
        let mut text = String::new();
        let meaning = match self.to_unicode.meaning(u32::from(byte)) {
            Some(Meaning::Undecoded) => Kept::Undecoded,
            Some(Meaning::Char(character)) => Kept::Char(character),
            Some(Meaning::Text(characters)) => Kept::of(characters.chars(), &mut text),
            // a line end in a string, for which the standard fonts have no glyph
            None if name.is_empty() && self.metrics.is_some() && byte.is_ascii_whitespace() => Kept::Char(' '),
            None if name.is_empty() => Kept::Undecoded,
            None => table::characters(name, self.is_dingbat, &mut text),
        };
        let standard = || self.metrics?.width(name);
        let width = self.widths.get(usize::from(byte)).copied().flatten().or_else(standard);
        // more precision would be false
        let advance = f64::from((width.unwrap_or(self.missing_width) * self.scale) as f32);
        SimpleGlyph { advance, drawn: self.drawn(name, &meaning, &text), meaning, text }
    }

    /// Returns what the glyph of this name draws, if it is something else than it is said to be.
    fn drawn(&self, name: &str, said: &Kept, text: &str) -> Option<Drawn> {
        if !self.is_drawn_by_name || name.is_empty() || self.to_unicode.size() == 0 {
            return None;
        }
        let said = match *said {
            Kept::Char(said) => said.to_string(),
            Kept::Undecoded => return None,
            _ => text.to_owned(),
        };
        let Kept::Char(drawn) = table::characters(name, self.is_dingbat, &mut String::new()) else { return None };
        Drawn::instead_of(&said, drawn)
    }

    /// Returns its glyph names by code; empty where there is none.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.0.iter().map(|name| &**name)
    }

    /// Whether it exceeded a limit.
    pub(super) fn is_cut(&self) -> bool {
        self.to_unicode.is_cut()
    }

    /// Returns its size in the cache, in ranges of codes.
    pub(super) fn size(&self) -> usize {
        1024 + self.to_unicode.size()
    }
}

/// Returns `/Widths` by code (9.6.2.1), in thousandths, and whether they are missing: readers then use the widths of a
/// similar font.
fn widths(view: &mut View, font: &Dictionary) -> Result<(Vec<Option<f64>>, bool), Fault> {
    let first = view.number(font.get(b"FirstChar"))?.unwrap_or(0.0);
    let object = view.resolve(font.get(b"Widths"))?;
    let is_like = object.elements().is_empty() && !font.get(b"Subtype").is_name(b"Type3");
    if !(0.0..256.0).contains(&first) {
        return Ok((Vec::new(), is_like));
    }
    let first = first as usize;
    let mut widths = vec![None; first];
    for width in object.elements().iter().take(256 - first) {
        widths.push(view.number(width)?);
    }
    Ok((widths, is_like))
}

impl GlyphNames {
    /// Returns the font's encoding (9.6.6): its differences and the predefined base encoding.
    fn encoding(view: &mut View, font: &Dictionary) -> Result<(Object, Option<Encoding>), Fault> {
        let encoding = view.resolve(font.get(b"Encoding"))?;
        let Object::Dictionary(dictionary) = &*encoding else {
            return Ok((Object::Null, encoding.as_name().and_then(predefined)));
        };
        let base = view.resolve(dictionary.get(b"BaseEncoding"))?;
        let base = base.as_name().and_then(predefined);
        Ok((view.resolve(dictionary.get(b"Differences"))?.into_owned(), base))
    }

    fn set_all(&mut self, encoding: Encoding) {
        self.0 = encoding.names().iter().map(|name| Cow::Borrowed(*name)).collect();
    }

    fn set(&mut self, code: usize, name: Cow<'static, str>) {
        if let Some(place) = self.0.get_mut(code) {
            *place = name;
        }
    }

    /// Sets the font's built-in encoding, where the file names none (9.6.6.1, 9.6.6.4).
    fn set_own(
        &mut self,
        view: &mut View,
        font: &Dictionary,
        name: &str,
        (descriptor, program): (&Descriptor, Vec<(u8, ProgramGlyph)>),
    ) -> Result<(), Fault> {
        if !descriptor.type1.is_null() {
            for (code, name) in type1::encoding(view, &descriptor.type1)? {
                self.set(usize::from(code), name);
            }
            return Ok(());
        }
        if !program.is_empty() {
            for (code, glyph) in program {
                self.set(usize::from(code), glyph.name);
            }
            return Ok(());
        }
        let metrics = FontMetrics::of(name).filter(|_| !descriptor.is_embedded);
        let is_truetype = font.get(b"Subtype").is_name(b"TrueType");
        match metrics {
            Some(metrics) => self.set_all(metrics.encoding()),
            // the built-in encoding of an embedded program or a missing symbolic font is unknown here
            None if descriptor.is_symbolic || (descriptor.is_embedded && !is_truetype) => {}
            None => self.set_all(Encoding::Standard),
        }
        Ok(())
    }

    /// Applies `/Differences`: codes, each followed by the glyph names from there on. Returns whether viewers do so
    /// differently: PDFium takes all other elements as codes, MuPDF and Poppler ignore all but integers.
    fn set_differences(&mut self, view: &mut View, differences: &Object, reading: Reading) -> Result<bool, Fault> {
        let (mut code, mut is_irregular) = (0, false);
        for element in differences.elements().iter().take(MAX_DIFFERENCES) {
            match &*view.resolve(element)? {
                Object::Name(name) => {
                    self.set(code, Cow::Owned(String::from_utf8_lossy(name.as_bytes()).into_owned()));
                    code += 1;
                }
                Object::Integer(given) => code = usize::try_from(*given).unwrap_or(code),
                object => {
                    is_irregular = true;
                    code = match reading {
                        Reading::Pdfium => Some(object.as_number().map_or(0, |given| given as usize)),
                        Reading::MuPdf | Reading::Poppler => None,
                        _ => object.as_integer().and_then(|given| usize::try_from(given).ok()),
                    }
                    .unwrap_or(code);
                }
            }
        }
        Ok(is_irregular)
    }
}

/// Returns whether the program draws what `/ToUnicode` and the encoding say.
pub(super) fn drawing(view: &mut View, font: &Dictionary, shown: &BTreeSet<u32>) -> Result<Drawing, Fault> {
    let (program, glyphs) = expected(view, font, shown)?;
    // viewers draw it in a font of their own
    let is_embedded = Descriptor::read(view, font)?.is_embedded;
    let substitute = (!is_embedded).then(|| FontMetrics::substitute(&name_of(font)));
    let is_missing = |glyph: &ExpectedGlyph| match &glyph.source {
        GlyphSource::Code { name, .. } => {
            shown.contains(&glyph.code) && substitute.is_some_and(|metrics| metrics.width(name).is_none())
        }
        GlyphSource::Index { .. } => false,
    };
    if glyphs.iter().any(|glyph| glyph.is_named_otherwise() || is_missing(glyph)) {
        return Ok(Drawing::Otherwise);
    }
    program::drawing(view, &program, &glyphs)
}

/// Returns the program of a font, and its glyphs by code; a program has to draw those that are shown.
pub(super) fn expected(
    view: &mut View,
    font: &Dictionary,
    shown: &BTreeSet<u32>,
) -> Result<(Object, Vec<ExpectedGlyph>), Fault> {
    let to_unicode = CMap::read(view, font.get(b"ToUnicode"), MAX_TO_UNICODE_BYTES)?.map(|(cmap, _)| cmap);
    let descriptor = Descriptor::read(view, font)?;
    let (encoding, base) = GlyphNames::encoding(view, font)?;
    let mut names = GlyphNames::default();
    match base {
        Some(base) => names.set_all(base),
        None => {
            let program = program::glyphs(view, &descriptor.program)?;
            names.set_own(view, font, &name_of(font), (&descriptor, program))?;
        }
    }
    names.set_differences(view, &encoding, Reading::default())?;
    let is_symbolic = descriptor.is_symbolic;
    let (widths, _) = widths(view, font)?;
    let glyphs = (0..=u8::MAX).zip(names.0).map(|(byte, name)| {
        let mut text = String::new();
        let named = if name.is_empty() { Kept::Undecoded } else { table::characters(&name, false, &mut text) };
        let named = if let Kept::Char(named) = named { Some(named) } else { None };
        let code = u32::from(byte);
        let said = match to_unicode.as_ref().and_then(|cmap| cmap.meaning(code)) {
            Some(Meaning::Char(said)) => Some(said),
            Some(_) => None,
            None => named,
        };
        let source = GlyphSource::Code { code: byte, name: name.into_owned(), is_symbolic };
        let is_shown = descriptor.is_embedded && shown.contains(&code);
        let width = widths.get(usize::from(byte)).copied().flatten();
        let advance = width.map(|width| width * descriptor.scale);
        ExpectedGlyph { code, said, named, source, advance, is_shown }
    });
    Ok((descriptor.program, glyphs.collect()))
}

/// Whether it names an encoding that all readers know (9.6.6.1).
pub(crate) fn is_predefined(name: &[u8]) -> bool {
    predefined(name).is_some()
}

/// Whether the standard Latin fonts have a glyph of this name (annex D).
pub(crate) fn is_standard_glyph(name: &str) -> bool {
    name == ".notdef" || FontMetrics::ANY.width(name).is_some()
}

fn predefined(name: &[u8]) -> Option<Encoding> {
    match name {
        b"StandardEncoding" => Some(Encoding::Standard),
        b"MacRomanEncoding" => Some(Encoding::MacRoman),
        b"WinAnsiEncoding" => Some(Encoding::WinAnsi),
        _ => None,
    }
}
