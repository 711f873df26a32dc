//! Simple fonts (9.6): Type 1, MMType1, TrueType and Type 3. A byte is a code, a code has a glyph by the encoding, and the
//! glyph's name says what it stands for.

use std::borrow::Cow;

use super::cmap::CMap;
use super::descriptor::Descriptor;
use super::meaning::{Code, Kept, Meaning};
use super::table::{self, Encoding, Metrics};
use super::type1;
use crate::content::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;

/// Bytes that are read of a `/ToUnicode`: a simple font has 256 codes.
const TO_UNICODE: usize = 128 << 10;
/// How far a glyph goes of which nothing is known.
const ADVANCE: f32 = 0.5;
/// Elements that `/Differences` may have: a number and a name for each code, and some more.
const DIFFERENCES: usize = 1024;

/// A simple font: its 256 codes.
#[derive(Debug)]
pub(crate) struct Simple {
    advances: [f32; 256],
    meanings: [Kept; 256],
    texts: String,
    pub(super) is_cut: bool,
}

/// The names of the glyphs by their codes; empty where a code has none.
struct Names(Vec<Cow<'static, str>>);

impl Default for Simple {
    fn default() -> Self {
        let meanings = std::array::from_fn(|_| Kept::Undecoded);
        Self { advances: [ADVANCE; 256], meanings, texts: String::new(), is_cut: false }
    }
}

impl Simple {
    pub(super) fn read(view: &mut View, font: &Whole, name: &str, descriptor: &Descriptor) -> Result<Self, Fault> {
        let metrics = if descriptor.is_embedded { None } else { Metrics::of(name) };
        let names = Names::read(view, font, name, descriptor)?;
        let to_unicode = CMap::read(view, font.get(b"ToUnicode"), TO_UNICODE)?;
        let to_unicode = to_unicode.map(|(cmap, _)| cmap).unwrap_or_default();
        let mut simple = Self { is_cut: to_unicode.is_cut(), ..Self::default() };
        simple.read_widths(view, font, descriptor, metrics, &names)?;
        let is_dingbat = metrics == Some(Metrics::ZapfDingbats) || name.ends_with("ZapfDingbats");
        for ((code, meaning), name) in (0..).zip(&mut simple.meanings).zip(&names.0) {
            *meaning = match to_unicode.meaning(code) {
                Some(Meaning::Undecoded) => Kept::Undecoded,
                Some(Meaning::Char(character)) => Kept::Char(character),
                Some(Meaning::Text(text)) => Kept::of(text.chars(), &mut simple.texts),
                None if name.is_empty() => Kept::Undecoded,
                None => table::characters(name, is_dingbat, &mut simple.texts),
            };
        }
        Ok(simple)
    }

    /// The widths (9.6.2.1, `/Widths`), else those of a standard font.
    fn read_widths(
        &mut self,
        view: &mut View,
        font: &Whole,
        descriptor: &Descriptor,
        metrics: Option<Metrics>,
        names: &Names,
    ) -> Result<(), Fault> {
        let first = view.number(font.get(b"FirstChar"))?.unwrap_or(0.0);
        let widths = view.resolve(font.get(b"Widths"))?;
        // without any widths, readers take those of a font that is like it
        let is_like = widths.elements().is_empty() && !font.get(b"Subtype").is_name(b"Type3");
        let metrics = metrics.unwrap_or(Metrics::ANY);
        for (advance, name) in self.advances.iter_mut().zip(&names.0) {
            let width = if is_like { metrics.width(name) } else { None };
            *advance = (width.unwrap_or(descriptor.missing_width) * descriptor.scale) as f32;
        }
        if !(0.0..256.0).contains(&first) {
            return Ok(());
        }
        for (advance, width) in self.advances.iter_mut().skip(first as usize).zip(widths.elements()) {
            if let Some(width) = view.number(width)? {
                *advance = (width * descriptor.scale) as f32;
            }
        }
        Ok(())
    }

    pub(super) fn code(&self, byte: u8) -> Code<'_> {
        let place = usize::from(byte);
        let meaning = self.meanings.get(place).map_or(Meaning::Undecoded, |kept| kept.among(&self.texts));
        let advance = self.advances.get(place).copied().map_or(0.0, f64::from);
        Code { meaning, number: u32::from(byte), advance, origin: (0.0, 0.0), is_space: byte == b' ' }
    }
}

impl Names {
    /// The names by the font's encoding (9.6.6): a predefined one, the program's own, and what differs from it.
    fn read(view: &mut View, font: &Whole, name: &str, descriptor: &Descriptor) -> Result<Self, Fault> {
        let mut names = Self(vec![Cow::Borrowed(""); 256]);
        let encoding = view.resolve(font.get(b"Encoding"))?;
        let base = match &*encoding {
            Object::Whole(dictionary) => view.resolve(dictionary.get(b"BaseEncoding"))?,
            encoding => Cow::Borrowed(encoding),
        };
        match base.as_name().and_then(predefined) {
            Some(encoding) => names.set_all(encoding),
            None => names.set_own(view, font, name, descriptor)?,
        }
        if let Object::Whole(dictionary) = &*encoding {
            let differences = view.resolve(dictionary.get(b"Differences"))?;
            names.set_differences(view, &differences)?;
        }
        Ok(names)
    }

    fn set_all(&mut self, encoding: Encoding) {
        encoding.each(|code, name| self.set(usize::from(code), Cow::Borrowed(name)));
    }

    fn set(&mut self, code: usize, name: Cow<'static, str>) {
        if let Some(place) = self.0.get_mut(code) {
            *place = name;
        }
    }

    /// The encoding of the font itself, where the file names none (9.6.6.1, 9.6.6.4).
    fn set_own(&mut self, view: &mut View, font: &Whole, name: &str, descriptor: &Descriptor) -> Result<(), Fault> {
        if !descriptor.type1.is_null() {
            for (code, name) in type1::encoding(view, &descriptor.type1)? {
                self.set(usize::from(code), name);
            }
            return Ok(());
        }
        let metrics = Metrics::of(name).filter(|_| !descriptor.is_embedded);
        let is_truetype = font.get(b"Subtype").is_name(b"TrueType");
        match metrics {
            Some(metrics) => self.set_all(metrics.encoding()),
            // what an embedded program has, or a symbolic font that is not there, only its own tables would tell
            None if descriptor.is_symbolic || (descriptor.is_embedded && !is_truetype) => {}
            None => self.set_all(Encoding::Standard),
        }
        Ok(())
    }

    /// Codes, each followed by the names of its glyph and of those that come after it.
    fn set_differences(&mut self, view: &mut View, differences: &Object) -> Result<(), Fault> {
        let mut code = 0;
        for element in differences.elements().iter().take(DIFFERENCES) {
            match &*view.resolve(element)? {
                Object::Name(name) => {
                    self.set(code, Cow::Owned(String::from_utf8_lossy(name.as_bytes()).into_owned()));
                    code += 1;
                }
                object => code = object.as_integer().and_then(|code| usize::try_from(code).ok()).unwrap_or(code),
            }
        }
        Ok(())
    }
}

fn predefined(name: &[u8]) -> Option<Encoding> {
    match name {
        b"StandardEncoding" => Some(Encoding::Standard),
        b"MacRomanEncoding" => Some(Encoding::MacRoman),
        b"WinAnsiEncoding" => Some(Encoding::WinAnsi),
        _ => None,
    }
}
