//! The fonts that were read, kept for other pages, for content that sets them again and again, and for other states of the
//! file that have them in the same place.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::font::Font;
use crate::document::objects::State;
use crate::document::trace::Lookups;
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::object::Object;

/// How much is kept, in ranges of codes at 16 bytes or so; when there is more, all go.
const KEPT: usize = 1 << 18;

/// Fonts by the numbers of their objects.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    known: BTreeMap<u32, KnownFont>,
    kept: usize,
    unknown: Option<Rc<Font>>,
    /// Whether one of them says more than it may.
    pub(super) is_cut: bool,
}

/// A font as a state has it.
#[derive(Debug)]
struct KnownFont {
    font: Rc<Font>,
    state: State,
    lookups: Option<Lookups>,
}

impl KnownFont {
    /// Whether another state has the same font.
    fn is_in(&self, view: &mut View) -> Result<bool, Fault> {
        if self.state == view.state {
            view.document.note_again(self.lookups.as_ref());
            return Ok(true);
        }
        self.lookups.as_ref().map_or(Ok(false), |lookups| view.document.finds(view.state, lookups))
    }
}

fn read(view: &mut View, object: &Object) -> Result<Option<Rc<Font>>, Fault> {
    let object = view.resolve(object)?;
    let Some(dictionary) = object.as_dictionary() else { return Ok(None) };
    Ok(Some(Rc::new(Font::read(view, dictionary)?)))
}

impl Fonts {
    /// The font that this is or refers to; one that knows no character, if that is no font.
    pub(super) fn get(&mut self, view: &mut View, object: &Object) -> Result<Rc<Font>, Fault> {
        let number = object.as_reference().map(|id| id.number);
        if let Some(known) = number.and_then(|number| self.known.get(&number))
            && known.is_in(view)?
        {
            return Ok(Rc::clone(&known.font));
        }
        let mark = view.document.begin_trace();
        let font = read(view, object);
        let lookups = view.document.end_trace(mark);
        let Some(font) = font? else { return Ok(self.unknown()) };
        self.is_cut |= font.is_cut || view.has_missed;
        if self.kept + font.size() > KEPT {
            self.known.clear();
            self.kept = 0;
        }
        self.kept += font.size();
        if let Some(number) = number {
            self.known.insert(number, KnownFont { font: Rc::clone(&font), state: view.state, lookups });
        }
        Ok(font)
    }

    /// A font that knows no character, for text that is shown in none.
    pub(super) fn unknown(&mut self) -> Rc<Font> {
        Rc::clone(self.unknown.get_or_insert_with(|| Rc::new(Font::unknown())))
    }
}
