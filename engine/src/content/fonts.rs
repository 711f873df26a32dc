//! The fonts that were read, kept for other pages and for content that sets them again and again.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::font::Font;
use super::view::View;
use crate::document::states::State;
use crate::failure::Fault;
use crate::syntax::object::Object;

/// How much is kept, in ranges of codes at 16 bytes or so; when there is more, all go.
const KEPT: usize = 1 << 18;

/// Fonts by their states and the numbers of their objects.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    known: BTreeMap<(State, u32), Rc<Font>>,
    kept: usize,
    unknown: Option<Rc<Font>>,
    /// Whether one of them says more than it may.
    pub(super) is_cut: bool,
}

impl Fonts {
    /// The font that this is or refers to; one that knows no character, if that is no font.
    pub(super) fn get(&mut self, view: &mut View, object: &Object) -> Result<Rc<Font>, Fault> {
        let key = object.as_reference().map(|id| (view.state, id.number));
        if let Some(font) = key.and_then(|key| self.known.get(&key)) {
            return Ok(Rc::clone(font));
        }
        let object = view.resolve(object)?;
        let Some(dictionary) = object.as_whole() else { return Ok(self.unknown()) };
        let font = Rc::new(Font::read(view, dictionary)?);
        self.is_cut |= font.is_cut;
        if self.kept + font.size() > KEPT {
            self.known.clear();
            self.kept = 0;
        }
        self.kept += font.size();
        if let Some(key) = key {
            self.known.insert(key, Rc::clone(&font));
        }
        Ok(font)
    }

    /// A font that knows no character, for text that is shown in none.
    pub(super) fn unknown(&mut self) -> Rc<Font> {
        Rc::clone(self.unknown.get_or_insert_with(|| Rc::new(Font::unknown())))
    }
}
