//! Named resources (7.8.3), cached.

use std::rc::Rc;

use super::blend::Blend;
use super::color::{DeviceSpaces, Space};
use super::font::Font;
use super::fonts::Fonts;
use super::stroke::Dashes;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum dashes and gaps of a line.
const MAX_DASHES: usize = 16;

/// Resources of one category by name.
type Named = Vec<(Name, Rc<Object>)>;

/// The resources of a page or a form.
#[derive(Debug, Default)]
pub(super) struct Resources {
    dictionary: Rc<Dictionary>,
    /// The page's resources, where viewers look up names that a form's resources lack.
    outer: Rc<Dictionary>,
    /// Whether the page's are not known.
    is_page_unknown: bool,
    /// Its dictionaries per category, resolved.
    kinds: Vec<(&'static [u8], Named)>,
    fonts: Vec<(Name, Rc<Font>)>,
    states: Vec<(Name, Rc<Parameters>)>,
    spaces: Vec<(Name, Rc<Space>)>,
    /// The default color spaces (8.6.5.6).
    defaults: Option<Rc<DeviceSpaces>>,
}

/// Graphics state parameters (8.4.5) that matter for visibility.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) fill_alpha: Option<f64>,
    pub(super) stroke_alpha: Option<f64>,
    pub(super) blend: Option<Blend>,
    pub(super) line_width: Option<f64>,
    pub(super) line_cap: Option<f64>,
    pub(super) line_join: Option<f64>,
    pub(super) miter_limit: Option<f64>,
    /// Dashes; the inner option is none for solid lines.
    pub(super) dashes: Option<Option<Rc<Dashes>>>,
    /// A soft mask (11.6.5.2), or `/None`.
    pub(super) mask: Option<Object>,
    pub(super) font: Option<(Rc<Font>, f64)>,
}

impl Resources {
    /// Returns the resources of a page that are not known, for an appearance that is painted alone.
    pub(super) fn unknown() -> Self {
        Self { is_page_unknown: true, ..Self::default() }
    }

    /// Adds a resource dictionary and returns its index; the first one is the page's.
    pub(super) fn keep(kept: &mut Vec<Self>, dictionary: Dictionary) -> usize {
        let outer = kept.first().map(|page| Rc::clone(&page.dictionary)).unwrap_or_default();
        let is_page_unknown = kept.first().is_some_and(|page| page.is_page_unknown);
        kept.push(Self { dictionary: Rc::new(dictionary), outer, is_page_unknown, ..Self::default() });
        kept.len() - 1
    }

    /// Returns a resource by category and name; null if there is none.
    pub(super) fn get(&mut self, view: &mut View, kind: &'static [u8], name: &[u8]) -> Result<Rc<Object>, Fault> {
        let known = self.kinds.iter().position(|(known, _)| *known == kind);
        let place = match known {
            Some(place) => place,
            None => {
                let dictionary = view.dictionary(self.dictionary.get(kind))?;
                let named = dictionary.iter().map(|(name, object)| (name.clone(), Rc::new(object.clone())));
                self.kinds.push((kind, named.collect()));
                self.kinds.len() - 1
            }
        };
        let named = self.kinds.get(place).map(|(_, named)| named.as_slice()).unwrap_or_default();
        view.work(named.len())?;
        // with duplicate names the last one counts
        let found = named.iter().rev().find(|(known, _)| known.as_bytes() == name);
        if let Some((_, object)) = found {
            return Ok(Rc::clone(object));
        }
        let outer = view.dictionary(self.outer.get(kind))?;
        view.work(outer.len())?;
        // viewers take what is missing from the page; the letters of a missing font are undecoded
        let is_known = kind == b"Font" || kind == b"ColorSpace" && (name.starts_with(b"De") || name == b"Pattern");
        view.has_missed |= self.is_page_unknown && !is_known && !outer.has(name);
        Ok(Rc::new(outer.get(name).clone()))
    }

    /// Returns a font by name; without any, one that decodes nothing.
    pub(super) fn font(&mut self, view: &mut View, fonts: &mut Fonts, name: &[u8]) -> Result<Rc<Font>, Fault> {
        view.work(self.fonts.len())?;
        if let Some((_, font)) = self.fonts.iter().find(|(known, _)| known.as_bytes() == name) {
            return Ok(Rc::clone(font));
        }
        let object = self.get(view, b"Font", name)?;
        let font = fonts.get(view, &object)?;
        self.fonts.push((Name::new(name), Rc::clone(&font)));
        Ok(font)
    }

    /// Returns graphics state parameters by name.
    pub(super) fn state(&mut self, view: &mut View, fonts: &mut Fonts, name: &[u8]) -> Result<Rc<Parameters>, Fault> {
        view.work(self.states.len())?;
        if let Some((_, state)) = self.states.iter().find(|(known, _)| known.as_bytes() == name) {
            return Ok(Rc::clone(state));
        }
        let object = self.get(view, b"ExtGState", name)?;
        let dictionary = view.dictionary(&object)?;
        let state = Rc::new(Parameters::read(view, fonts, &dictionary)?);
        self.states.push((Name::new(name), Rc::clone(&state)));
        Ok(state)
    }

    /// The default color spaces (8.6.5.6).
    pub(super) fn device_spaces(&mut self, view: &mut View) -> Result<Rc<DeviceSpaces>, Fault> {
        if let Some(known) = &self.defaults {
            return Ok(Rc::clone(known));
        }
        let mut spaces = DeviceSpaces::default();
        for (space, name) in spaces.0.iter_mut().zip([&b"DefaultGray"[..], b"DefaultRGB", b"DefaultCMYK"]) {
            let object = self.get(view, b"ColorSpace", name)?;
            if !object.is_null() {
                *space = Some(Rc::new(Space::read(view, &object)?));
            }
        }
        Ok(Rc::clone(self.defaults.insert(Rc::new(spaces))))
    }

    /// Returns a color space by name (8.6.3).
    pub(super) fn space(&mut self, view: &mut View, name: &[u8]) -> Result<Rc<Space>, Fault> {
        view.work(self.spaces.len())?;
        if let Some((_, space)) = self.spaces.iter().find(|(known, _)| known.as_bytes() == name) {
            return Ok(Rc::clone(space));
        }
        let mut object = self.get(view, b"ColorSpace", name)?;
        if object.is_null() {
            object = Rc::new(Object::Name(Name::new(name)));
        }
        let space = Rc::new(Space::read(view, &object)?);
        self.spaces.push((Name::new(name), Rc::clone(&space)));
        Ok(space)
    }
}

impl Parameters {
    fn read(view: &mut View, fonts: &mut Fonts, dictionary: &Dictionary) -> Result<Self, Fault> {
        view.work(dictionary.len())?;
        let font = view.resolve(dictionary.get(b"Font"))?;
        let font = match font.elements() {
            [font, size] => Some((fonts.get(view, font)?, view.number(size)?.unwrap_or(0.0))),
            _ => None,
        };
        // the first known mode of an array applies, otherwise Normal (11.3.5)
        let blend = view.resolve(dictionary.get(b"BM"))?;
        let modes = if blend.as_name().is_some() { std::slice::from_ref(&*blend) } else { blend.elements() };
        let known = modes.iter().find_map(|mode| Blend::named(mode.as_name()?));
        let dashes = match view.array(dictionary.get(b"D"), 2)?.elements() {
            [dashes, phase] => {
                let dashes = view.array(dashes, MAX_DASHES)?;
                let lengths: Vec<f64> = dashes.elements().iter().filter_map(Object::as_number).collect();
                Some(Dashes::read(&lengths, phase.as_number().unwrap_or(0.0)))
            }
            _ => None,
        };
        let mask = view.resolve(dictionary.get(b"SMask"))?;
        Ok(Self {
            fill_alpha: view.number(dictionary.get(b"ca"))?,
            stroke_alpha: view.number(dictionary.get(b"CA"))?,
            blend: (!blend.is_null()).then_some(known.unwrap_or(Blend::Normal)),
            line_width: view.number(dictionary.get(b"LW"))?,
            line_cap: view.number(dictionary.get(b"LC"))?,
            line_join: view.number(dictionary.get(b"LJ"))?,
            miter_limit: view.number(dictionary.get(b"ML"))?,
            dashes,
            mask: (!mask.is_null()).then(|| mask.into_owned()),
            font,
        })
    }
}
