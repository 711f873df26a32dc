//! One revision being compared with the previous one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::equal::Pair;
use super::evidence_text;
use super::object_change::ObjectChange;
use super::structure::signatures::SignedField;
use crate::integrity::event::{Event, EventKind, Subject};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::pages::Pages;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};

/// The state that a revision follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    /// One that no signature covers, nor any before it.
    Unsigned,
    /// An update of one that a signature covers.
    Updated,
    /// One that a signature covers.
    Signed,
    /// One that a signature covers, and the revision is the newest.
    SignedToNewest,
}

impl Follows {
    /// Whether a signature covers an older state.
    pub(super) fn is_after_signature(self) -> bool {
        self != Self::Unsigned
    }

    /// Whether a signature covers the state itself.
    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::Signed | Self::SignedToNewest)
    }
}

/// One revision being compared with the previous one.
pub(super) struct Step {
    pub(super) revision: u32,
    pub(super) pair: Pair,
    /// The catalogs before and after.
    pub(super) roots: [Option<Id>; 2],
    /// The document information dictionary before.
    pub(super) info: Option<Id>,
    /// The pages before and after.
    pub(super) pages: [Rc<Pages>; 2],
    /// The forms before and after.
    pub(super) forms: [Rc<FormFields>; 2],
    /// Touched objects, changed or not.
    pub(super) touched: BTreeSet<u32>,
    /// Objects that are changed.
    pub(super) changed: BTreeSet<u32>,
    /// Numbers that were freed and used for new objects.
    pub(super) renewed: BTreeSet<u32>,
    /// Signatures before and after, by their fields' numbers.
    pub(super) signed: [BTreeMap<u32, SignedField>; 2],
    /// Fields with changed values.
    pub(super) filled: BTreeSet<u32>,
    /// Whether viewers generate appearances from values, before or after (12.7.2, `/NeedAppearances`).
    pub(super) needs_appearances: bool,
    pub(super) follows: Follows,
}

impl Step {
    /// An event without further details.
    pub(super) fn event(&self, kind: EventKind, subject: Subject) -> Event {
        Event::of(self.revision, kind, subject)
    }

    /// An event of an object with both of its states.
    pub(super) fn event_of(&self, change: &ObjectChange, kind: EventKind, subject: Subject) -> Event {
        let (before, after) = (evidence_text::body(change.old.body()), evidence_text::body(change.new.body()));
        Event { object: Some(change.number), before, after, ..self.event(kind, subject) }
    }

    /// An event of a changed value.
    pub(super) fn event_between(&self, (old, new): (&Object, &Object), kind: EventKind, subject: Subject) -> Event {
        Event { before: evidence_text::value(old), after: evidence_text::value(new), ..self.event(kind, subject) }
    }

    /// An object before and after; `None` if it is a dictionary in one state only.
    pub(super) fn both_states(&self, document: &mut Document, number: u32) -> Result<Option<[Dictionary; 2]>, Fault> {
        let mut read = |state| -> Result<Option<Dictionary>, Fault> {
            Ok(document.view(state).object(number)?.and_then(|body| body.dictionary().cloned()))
        };
        let (before, after) = (read(self.pair.old)?, read(self.pair.new)?);
        Ok(before.zip(after).map(|(before, after)| [before, after]))
    }

    /// The page number, from 1, after the revision, otherwise before it.
    pub(super) fn page_number(&self, object: u32) -> Option<u32> {
        let [before, after] = &self.pages;
        after.number(object).or_else(|| before.number(object))
    }

    /// Whether the document has the page with this object number after the revision, or that is inconclusive.
    pub(super) fn has_page(&self, object: u32) -> bool {
        let [_, after] = &self.pages;
        after.is_cut || after.number(object).is_some()
    }

    /// Whether the page that owns this was removed, if there is one.
    pub(super) fn is_gone(&self, owner: u32) -> bool {
        owner > 0 && !self.has_page(owner)
    }

    /// Whether all fields are signature fields, before and after.
    pub(super) fn has_signatures_alone(&self) -> bool {
        self.forms.iter().all(|form| !form.is_cut && form.fields.iter().all(Field::is_signature))
    }

    /// Whether the value of a field or of its ancestors changed.
    pub(super) fn fills(&self, field: &Field) -> bool {
        field.line.iter().any(|field| self.filled.contains(field))
    }

    /// Whether it adds a signature or a time-stamp.
    pub(super) fn signs(&self) -> bool {
        let [_, after] = &self.signed;
        after.keys().any(|&field| self.signs_field(field))
    }

    /// Whether it adds the signature of this field.
    pub(super) fn signs_field(&self, field: u32) -> bool {
        let [before, after] = &self.signed;
        after.contains_key(&field) && !before.contains_key(&field)
    }
}
