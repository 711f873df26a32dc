//! The texts that a note has twice: plain ones, and the same as rich text, which some viewers draw instead (ISO 32000-1,
//! 12.5.6.2 and 12.7.3.4).

use super::{Recognition, Recognizer, unknown};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Name, Quote};
use crate::integrity::revision::rules::rich_text_style::is_note_drawn_alike;
use crate::integrity::revision::signature_field_template::has_normal_appearance;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::rich_text::RichText;
use pdf_syntax::text::text_string;

/// Entries of a note by which viewers draw its text.
pub(super) const TEXT_KEYS: &str = "Contents RC DS DA AP";

impl Recognizer<'_, '_, '_> {
    /// Checks that all viewers read the text of a note that they draw, and that its rich text says the same and is drawn as that
    /// is.
    pub(super) fn note_texts(&mut self, note: &Dictionary) -> Recognition {
        let state = self.step.pair.new;
        let view = &mut self.examiner.document.view(state);
        let subtype = note.get(b"Subtype").as_name().unwrap_or_default();
        let rich = view.resolve(note.get(b"RC"))?.into_owned();
        let plain = match view.resolve(note.get(b"Contents"))?.into_owned() {
            Object::Null => Some(String::new()),
            plain => plain.as_string().and_then(text_string::comparable),
        };
        let is_drawn = subtype == b"FreeText" && !has_normal_appearance(self.examiner, state, note)?;
        if is_drawn && plain.is_none() {
            return unknown(Clause::of("viewers may read the text of a {} annotation differently", &[Name(subtype)]));
        }
        if rich.is_null() {
            return Ok(());
        }
        let rich = rich.as_string().and_then(text_string::comparable).and_then(|text| RichText::read(&text));
        let (Some(rich), Some(plain)) = (rich, plain) else {
            return unknown(Clause::of("the two texts of a {} annotation cannot be compared", &[Name(subtype)]));
        };
        if !rich.says(&plain) {
            let words = [Name(subtype), Quote(&plain), Quote(rich.text())];
            return unknown(Clause::of("a {} annotation says {} and, as rich text, {}", &words));
        }
        if is_drawn && !is_note_drawn_alike(&mut self.examiner.document.view(state), note, &rich)? {
            let words = [Quote(rich.text()), Name(subtype)];
            return unknown(Clause::of("viewers draw the text {} of a {} annotation differently", &words));
        }
        Ok(())
    }
}
