//! The changed entries of a form field (ISO 32000-1, 12.7): each is classified once, and both what is reported and what is
//! recognized follow from that.

use super::button_value::{button_state, button_value, is_chosen};
use super::calculation::{Calculation, calculation};
use super::field_appearance;
use super::field_state::{FieldState, is_inherited};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::EventKind;
use crate::integrity::revision::entry_change::EntryChange::{self, Operation, Same, Unknown};
use crate::integrity::revision::evidence_text::{self, says_nothing};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::{draws_nothing, has_normal_appearance};
use crate::integrity::revision::structure::links::links;
use crate::integrity::revision::vocabulary::{
    has_same_characteristics, is_among, is_hiding, is_housekeeping, is_off, is_private, is_sign_flags, is_text,
};
use pdf_content::{Border, Rectangle};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::rich_text::RichText;
use pdf_syntax::text::text_string;

/// The field flag ReadOnly (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;
/// Field flags without effect on what a field shows and whether it may be filled in: Required, NoExport, Sort,
/// DoNotSpellCheck, CommitOnSelChange (tables 221, 228 and 230).
const QUIET_FLAGS: i64 = 1 << 1 | 1 << 2 | 1 << 19 | 1 << 22 | 1 << 26;
/// Entries that are visible or interactive, but for those that are classified by themselves.
const SEEN: &str = "Subtype FT Rect A AA T TU Opt MaxLen OC Parent";

/// A field, or its widget, in both states.
pub(super) struct FieldPair<'f> {
    pub(super) number: u32,
    pub(super) old: &'f Dictionary,
    pub(super) new: &'f Dictionary,
    pub(super) state: &'f FieldState,
}

/// Classifies these changed entries, the kids excepted.
pub(super) fn classify(
    examiner: &mut Examiner,
    step: &Step,
    pair: FieldPair,
    changed: Vec<Name>,
) -> Result<Vec<(Name, EntryChange)>, Fault> {
    let mut classifier = Classifier { examiner, step, pair, appearances: None };
    // others depend on it
    if changed.iter().any(|name| name.as_bytes() == b"AP") {
        classifier.appearances = Some(classifier.appearances()?);
    }
    let others = changed.into_iter().filter(|name| name.as_bytes() != b"Kids");
    others.map(|name| Ok((name.clone(), classifier.entry(name.as_bytes())?))).collect()
}

struct Classifier<'c, 'e, 's> {
    examiner: &'c mut Examiner<'e, 's>,
    step: &'c Step,
    pair: FieldPair<'c>,
    /// What became of the appearances, if they changed.
    appearances: Option<EntryChange>,
}

impl Classifier<'_, '_, '_> {
    fn entry(&mut self, key: &[u8]) -> Result<EntryChange, Fault> {
        let FieldPair { number, old, new, state } = self.pair;
        let FieldState { field, is_signed, is_filled } = state;
        let (before, after) = (old.get(key), new.get(key));
        let page = self.examiner.map.page(number).unwrap_or(0);
        Ok(match key {
            _ if is_housekeeping(page, key, before, after) => Same,
            b"M" | b"NM" | b"StructParent" => Unknown(None, None),
            _ if is_inherited(self.examiner, self.step, key, (old, new), field)? => Same,
            // names and labels in another text encoding (7.9.2.2), or none
            b"TU" | b"TM" | b"Contents" if evidence_text::is_same_label(before, after) => Same,
            b"T" | b"V" | b"DV" if evidence_text::same_texts(before, after) => Same,
            b"V" if self.is_written() && self.resolved(key).iter().all(says_nothing) => Same,
            b"Opt" if self.offers_same() => Same,
            // the same parent in another form, or an omitted one
            b"Parent" if self.has_same_parent() && before.is_null() => Unknown(None, None),
            b"Parent" if self.has_same_parent() => Same,
            b"F" if *is_signed && is_sign_flags(before, after) => Same,
            b"F" | b"Ff" => self.flags(key)?,
            b"MK" if has_same_characteristics(before, after) => Same,
            b"Rect" if *is_signed && self.is_withdrawn()? => Same,
            // reported as a signature
            b"V" if field.is_signature() => {
                let is_signature = *is_signed && before.is_null() && after.as_reference().is_some();
                EntryChange::operation_if(is_signature, None)
            }
            // what a reset restores is what is shown
            b"DV" if *is_filled && after == new.get(b"V") && after.as_reference().is_none() => {
                Operation(Some(EventKind::View))
            }
            // in an encoding that some readers do not know
            b"T" | b"V" | b"DV" | b"Opt" if evidence_text::has_same_characters(before, after) => {
                Unknown(Some(EventKind::View), None)
            }
            b"V" => EntryChange::operation_if(*is_filled, Some(self.value()?)),
            b"AS" => self.appearance_state()?,
            b"I" | b"TI" | b"RV" | b"DS" => self.dependent(key)?,
            // an entry of a field in a mere widget of it
            b"Opt" | b"MaxLen" if self.examiner.is_signed && !new.has(b"T") && new.has(b"Parent") => {
                Unknown(Some(EventKind::View), None)
            }
            b"AP" => self.appearances.clone().unwrap_or(Unknown(None, None)),
            b"Lock" | b"SV" | b"DR" if *is_signed => Operation(None),
            b"MK" | b"BS" | b"Border" | b"Q" | b"DA" | b"H" => self.characteristics(key)?,
            _ if is_private(key) => Unknown(None, None),
            _ if is_among(SEEN, key) => Unknown(Some(EventKind::Field), None),
            // invisible and of unknown purpose
            _ => Unknown(Some(EventKind::View), None),
        })
    }

    /// Whether its value is a text that it shows.
    fn is_written(&self) -> bool {
        let field = &self.pair.state.field;
        field.is_text() || field.is_choice()
    }

    /// Its own values of an entry, or those that it inherits (12.7.3.1).
    fn resolved(&self, key: &[u8]) -> [Object; 2] {
        let above = self.pair.state.field.line.get(1..).unwrap_or_default();
        let [old, new] = [(self.pair.old, &self.step.forms[0]), (self.pair.new, &self.step.forms[1])];
        [old, new].map(|(own, form)| match own.get(key) {
            Object::Null => form.inherited(above, key).clone(),
            own => own.clone(),
        })
    }

    /// Whether it resolves to the options that it had (12.7.4.4).
    fn offers_same(&self) -> bool {
        let [before, after] = &self.step.forms;
        self.pair.state.field.line.first().is_some_and(|&number| match (before.field(number), after.field(number)) {
            (Some(before), Some(after)) => before.offers_same(after),
            _ => false,
        })
    }

    fn has_same_parent(&self) -> bool {
        let line = &self.pair.state.field.line;
        let known = line.first().and_then(|&field| self.examiner.map.parent(field));
        let parent = |field: &Dictionary| field.get(b"Parent").as_reference().map(|parent| parent.number);
        known.is_some()
            && parent(self.pair.new) == known
            && parent(self.pair.old).is_none_or(|parent| Some(parent) == known)
    }

    /// Whether a field without an appearance, which drew at most the box to sign in, was signed without one: some programs
    /// reduce it to a point.
    fn is_withdrawn(&mut self) -> Result<bool, Fault> {
        let FieldPair { old, new, .. } = self.pair;
        let is_point =
            Rectangle::read(new.get(b"Rect")).is_some_and(|place| place.width() == 0.0 && place.height() == 0.0);
        Ok(is_point && !old.has(b"AP") && (!new.has(b"AP") || draws_nothing(self.examiner, self.step.pair.new, new)?))
    }

    /// The flags of the field or of its widget.
    fn flags(&mut self, key: &[u8]) -> Result<EntryChange, Fault> {
        // a widget has those of its field, unless it has its own
        let [before, after] = &match key {
            b"Ff" => self.resolved(key),
            _ => [self.pair.old.get(key).clone(), self.pair.new.get(key).clone()],
        };
        let was = self.examiner.document.view(self.step.pair.old).integer(before)?.unwrap_or(0);
        let is = self.examiner.document.view(self.step.pair.new).integer(after)?.unwrap_or(0);
        // indirect flags may be replaced later
        let is_direct = after.as_reference().is_none() || before == after;
        let is_plain = [before, after].iter().all(|flags| matches!(flags, Object::Null | Object::Integer(_)));
        let kind = match was ^ is {
            // flags without set bits equal missing ones
            0 if is_direct && is_plain => return Ok(Same),
            0 if is_direct => return Ok(Unknown(None, None)),
            // locking a field is part of signing or filling it in
            READ_ONLY if key == b"Ff" && is & READ_ONLY != 0 && is_direct => EventKind::Value,
            changed if key == b"Ff" && changed & !QUIET_FLAGS == 0 && is_direct => EventKind::View,
            _ => EventKind::Field,
        };
        let FieldState { is_signed, is_filled, .. } = self.pair.state;
        let is_locked = *is_filled && kind == EventKind::Value || *is_signed && matches!(after, Object::Integer(0 | 1));
        Ok(EntryChange::operation_if(key == b"Ff" && is_plain && is_locked, Some(kind)))
    }

    /// The kind of a value change: filling in a fillable field, if nothing forbids it.
    fn value(&mut self) -> Result<EventKind, Fault> {
        let field = &self.pair.state.field;
        let value = self.examiner.document.view(self.step.pair.new).resolve(self.pair.new.get(b"V"))?;
        let is_fitting = match &*value {
            Object::Null => true,
            // MuPDF writes the state of a button as a string
            Object::String(_) => !field.is_signature() && !field.is_push_button(),
            Object::Array(_) => field.is_choice(),
            Object::Name(_) => field.is_button() && !field.is_push_button(),
            _ => false,
        };
        let calculation = match field.is_read_only() {
            true => calculation(self.examiner, self.step, field)?,
            false => Calculation::Result,
        };
        if is_fitting && calculation == Calculation::Unknown {
            let what = "the value that a script of the form gave the field {} cannot be calculated";
            self.examiner.inconclusive(self.step, None, Clause::of(what, &[Quote(&field.name)]));
        }
        Ok(if is_fitting && calculation != Calculation::None { EventKind::Value } else { EventKind::Field })
    }

    /// The state that selects the appearance of a widget.
    fn appearance_state(&mut self) -> Result<EntryChange, Fault> {
        let FieldPair { old, new, state, .. } = self.pair;
        let FieldState { field, is_filled, .. } = state;
        let is_name = new.get(b"AS").as_name().is_some();
        if !field.is_button() && field_appearance::is_single(self.examiner, self.step.pair.new, new)? {
            return Ok(EntryChange::operation_if(is_name, None));
        }
        if is_off(old) && is_off(new) {
            if *is_filled && is_name || self.is_off_to_all()? {
                return Ok(Operation(None));
            }
            let what = Clause::of("viewers may show another state of the button {}", &[Quote(&field.name)]);
            return Ok(Unknown(None, Some(what)));
        }
        let is_chosen = is_chosen(self.examiner, self.step, new, field)?;
        let kind = match is_chosen {
            true if self.step.fills(field) => EventKind::Value,
            // the state that the signed value names
            true if self.examiner.is_signed && old.get(b"AS").is_null() => EventKind::View,
            _ => EventKind::Field,
        };
        Ok(EntryChange::operation_if(*is_filled && is_name, Some(kind)))
    }

    /// Whether all viewers draw nothing for a button that comes to name the state Off or no longer names one: some do not take
    /// a string for a name; without one, PDFium draws the state that the value names, and Poppler a single state.
    fn is_off_to_all(&mut self) -> Result<bool, Fault> {
        let after = self.pair.new.get(b"AS");
        let [old, new] = [(self.step.pair.old, self.pair.old), (self.step.pair.new, self.pair.new)];
        let (named, unnamed) = if self.pair.old.has(b"AS") { (old, new) } else { (new, old) };
        let appearances = self.examiner.document.view(unnamed.0).dictionary(unnamed.1.get(b"AP"))?.into_owned();
        let states = self.examiner.document.view(unnamed.0).dictionary(appearances.get(b"N"))?.len();
        // PDFium writes a string where it draws all states of a button that had no appearance
        let is_drawn_again = matches!(self.appearances, Some(Operation(_)));
        Ok((after.is_null() || after.as_name().is_some() || is_drawn_again)
            && states != 1
            && self.is_off_by_value()?
            && draws_nothing(self.examiner, named.0, named.1)?)
    }

    /// Whether a button's value names no other state than Off.
    fn is_off_by_value(&mut self) -> Result<bool, Fault> {
        let [form, _] = self.step.forms.clone();
        let value = button_value(&form, &self.pair.state.field);
        let value = self.examiner.document.view(self.step.pair.old).resolve(value)?;
        Ok(button_state(&value).is_none_or(|state| state.is_empty() || state == b"Off"))
    }

    /// An entry that depends on the value.
    fn dependent(&mut self, key: &[u8]) -> Result<EntryChange, Fault> {
        let FieldState { field, is_filled, .. } = self.pair.state;
        let after = self.pair.new.get(key);
        let kind = match key {
            b"DS" => Some(EventKind::View),
            _ if self.step.fills(field) => Some(EventKind::Value),
            b"RV" => Some(EventKind::Field),
            // what is chosen and seen first in a list is no value; an appearance that changes with it is compared
            _ => None,
        };
        let is_operation = match key {
            // a plain value needs no rich text, nor its style
            b"RV" | b"DS" if *is_filled && after.is_null() => {
                let [_, form] = &self.step.forms;
                form.inherited(&field.line, b"RV").is_null() && self.has_appearance()?
            }
            b"RV" => *is_filled && self.is_rich_value()?,
            b"DS" => false,
            _ if *is_filled && links(after).is_empty() => true,
            // the value and the appearance say what is chosen
            b"I" => after.is_null() && self.has_appearance()?,
            _ => matches!(after, Object::Null | Object::Integer(_)) && self.has_appearance()?,
        };
        Ok(EntryChange::operation_if(is_operation, kind))
    }

    /// Whether viewers draw its appearance stream, regardless of other entries.
    fn has_appearance(&mut self) -> Result<bool, Fault> {
        field_appearance::has_appearance(self.examiner, self.step, self.pair.new)
    }

    /// Whether a rich text has the words of the field's value (12.7.3.4).
    fn is_rich_value(&mut self) -> Result<bool, Fault> {
        let view = &mut self.examiner.document.view(self.step.pair.new);
        let rich = view.resolve(self.pair.new.get(b"RV"))?.as_string().map(text_string::characters);
        let value = view.resolve(self.pair.new.get(b"V"))?.as_string().map(text_string::characters);
        let (Some(rich), Some(value)) = (rich, value) else { return Ok(false) };
        Ok(RichText::read(&rich).is_some_and(|rich| rich.says(&value)))
    }

    /// The appearances of a widget.
    fn appearances(&mut self) -> Result<EntryChange, Fault> {
        let FieldPair { number, old, new, state } = self.pair;
        let FieldState { field, is_signed, is_filled } = state;
        if *is_signed {
            if let Some(words) = field_appearance::words_before_signing(self.examiner, self.step, number)? {
                let words = [Quote(&field.name), Quote(&words)];
                let what = Clause::of("the signature field {} showed {} before it was signed", &words);
                return Ok(Unknown(None, Some(what)));
            }
            let is_drawn = new.has(b"AP") || self.keeps_drawing_nothing()?;
            return Ok(EntryChange::operation_if(is_drawn, None));
        }
        if field.is_signature() {
            return Ok(Unknown(Some(EventKind::Field), None));
        }
        // viewers generate one from the value
        if !new.has(b"AP") && self.step.fills(field) && self.is_written() {
            return Ok(EntryChange::operation_if(*is_filled, Some(EventKind::Value)));
        }
        let kind = field_appearance::appearances(self.examiner, self.step, (old, new), field)?;
        Ok(EntryChange::operation_if(state.writes(kind), Some(kind)))
    }

    /// Whether a signature field drew nothing, and viewers draw nothing for it without an appearance.
    fn keeps_drawing_nothing(&mut self) -> Result<bool, Fault> {
        Ok(draws_nothing(self.examiner, self.step.pair.old, self.pair.old)? && !self.draws_characteristics()?)
    }

    /// Whether viewers draw a widget by its appearance characteristics (12.5.6.19).
    fn draws_characteristics(&mut self) -> Result<bool, Fault> {
        let (widget, state) = (self.pair.new, self.step.pair.new);
        if has_normal_appearance(self.examiner, state, widget)? || widget.get(b"F").as_integer().is_some_and(is_hiding)
        {
            return Ok(false);
        }
        let has_area =
            Rectangle::read(widget.get(b"Rect")).is_some_and(|place| place.width() > 0.0 && place.height() > 0.0);
        let characteristics = self.examiner.document.view(state).dictionary(widget.get(b"MK"))?.into_owned();
        let is_colored = |key: &[u8]| !characteristics.get(key).elements().is_empty();
        let has_caption = characteristics.get(b"CA").as_string().is_some_and(|caption| !caption.is_empty());
        Ok(has_area && (is_colored(b"BG") || is_colored(b"BC") || has_caption))
    }

    /// An entry that a field without an appearance stream is drawn with.
    fn characteristics(&mut self, key: &[u8]) -> Result<EntryChange, Fault> {
        let FieldState { field, is_signed, is_filled } = self.pair.state;
        let (is_signed, is_filled, fills) = (*is_signed, *is_filled, self.step.fills(field));
        let after = self.pair.new.get(key);
        let has_appearance = self.has_appearance()?;
        let kind = match key {
            // viewers draw a box of these colors, and a caption
            b"MK" if self.examiner.is_signed && !fills && self.draws_characteristics()? => Some(EventKind::Field),
            // signing software sets these in the signed field
            _ if is_signed => None,
            b"H" => Some(EventKind::View),
            b"MK" | b"DA" if fills && has_appearance => Some(EventKind::Value),
            b"BS" | b"Border" | b"Q" if fills => Some(EventKind::Value),
            // how viewers are to draw it, which they do differently
            _ if self.examiner.is_signed => Some(EventKind::View),
            _ => Some(EventKind::Field),
        };
        let is_redrawn = self.is_written() && matches!(self.appearances, Some(Operation(_)));
        let is_operation = match key {
            b"DA" if is_signed => is_text(after),
            b"Q" if is_filled && matches!(after, Object::Integer(_)) => true,
            b"BS" | b"Border" if is_filled && !self.has_wide_border()? => true,
            b"H" => is_signed && has_appearance,
            _ if has_appearance && (is_signed || is_filled || is_redrawn) => true,
            // where viewers draw the value with it, what they draw is compared
            b"DA" if is_filled && self.is_written() => is_text(after),
            // the mark of its state is an appearance stream, which is compared
            b"DA" if is_filled && field.is_button() && is_text(after) => {
                has_normal_appearance(self.examiner, self.step.pair.new, self.pair.new)?
            }
            _ => false,
        };
        Ok(EntryChange::operation_if(is_operation, kind))
    }

    fn has_wide_border(&mut self) -> Result<bool, Fault> {
        Ok(Border::read(&mut self.examiner.document.view(self.step.pair.new), self.pair.new)?.is_wide())
    }
}
