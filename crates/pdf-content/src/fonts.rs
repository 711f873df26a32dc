//! Cache of fonts across pages, content streams and revisions.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::font::Font;
use super::reading::Reading;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::trace::Lookups;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum size of the cache, in ranges of codes at about 16 bytes; beyond, it is cleared.
const MAX_CACHED_RANGES: usize = 1 << 18;

/// Fonts by object number.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    known: BTreeMap<u32, KnownFont>,
    kept: usize,
    unknown: Option<Rc<Font>>,
    /// Whether a font exceeded a limit.
    pub(super) is_cut: bool,
    /// Whether viewers decrypt the streams of a font differently.
    pub(super) are_decrypted_differently: bool,
    /// Whether blanks and points are checked to be drawn as such.
    pub(super) checks_blanks: bool,
    /// The viewer that reads them.
    reading: Reading,
}

/// A font of a revision.
#[derive(Debug)]
struct KnownFont {
    font: Rc<Font>,
    state: State,
    lookups: Option<Lookups>,
}

impl KnownFont {
    /// Whether another revision has the same font.
    fn is_in(&self, view: &mut View) -> Result<bool, Fault> {
        if self.state == view.state {
            view.document.note_again(self.lookups.as_ref());
            return Ok(true);
        }
        self.lookups.as_ref().map_or(Ok(false), |lookups| view.document.finds(view.state, lookups))
    }
}

impl Fonts {
    /// Returns an empty cache of fonts as a viewer reads them.
    pub(super) fn as_read(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }

    /// Returns the font that `object` is or refers to; if invalid, one that decodes nothing.
    pub(super) fn get(&mut self, view: &mut View, object: &Object) -> Result<Rc<Font>, Fault> {
        let number = object.as_reference().map(|id| id.number);
        if let Some(known) = number.and_then(|number| self.known.get(&number))
            && known.is_in(view)?
        {
            return Ok(Rc::clone(&known.font));
        }
        let mark = view.document.begin_trace();
        let font = self.read(view, object);
        let lookups = view.document.end_trace(mark);
        let Some(font) = font? else { return Ok(self.unknown()) };
        self.is_cut |= font.is_cut || view.has_missed;
        self.are_decrypted_differently |= view.has_decrypted_differently;
        if self.kept + font.size() > MAX_CACHED_RANGES {
            self.known.clear();
            self.kept = 0;
        }
        self.kept += font.size();
        if let Some(number) = number {
            self.known.insert(number, KnownFont { font: Rc::clone(&font), state: view.state, lookups });
        }
        Ok(font)
    }

    fn read(&self, view: &mut View, object: &Object) -> Result<Option<Rc<Font>>, Fault> {
        let object = view.resolve(object)?;
        let Some(dictionary) = object.as_dictionary() else { return Ok(None) };
        let font = Font::read(view, dictionary, self.reading)?;
        Ok(Some(Rc::new(if self.checks_blanks { font.checked(view, dictionary)? } else { font })))
    }

    /// Returns a font that decodes nothing, for text shown without a font.
    pub(super) fn unknown(&mut self) -> Rc<Font> {
        Rc::clone(self.unknown.get_or_insert_with(|| Rc::new(Font::unknown())))
    }
}
