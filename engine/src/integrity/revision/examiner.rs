//! What is known while one revision is compared with the one before it, and what is told of it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::delta::Delta;
use super::equal::Pair;
use super::indeterminate::Indeterminate;
use super::show;
use super::structure::signatures::SignedField;
use super::structure::walk::Map;
use crate::content::PageText;
use crate::document::Document;
use crate::document::form::{Field, FormFields};
use crate::document::objects::{State, Stored};
use crate::document::pages::Pages;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::signal::SignalId;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::{Id, Object};

use super::structure::role::Role;
use super::structure::schema::{KeyUse, row};

/// How many annotations are held against what pages show, and fields' looks against their values, in all revisions.
const COVERS: usize = 500;
const LOOKS: usize = 1_000;
/// How many objects are visited for their roles in files that nobody signed, in all revisions.
const VISITS: usize = 100_000;
/// How often paint is held against paint.
const CHECKS: usize = 1 << 22;

/// One revision being compared with the one before it.
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
    /// Objects touched, changed or not.
    pub(super) touched: BTreeSet<u32>,
    /// Signatures before and after, by their fields' numbers.
    pub(super) signed: [BTreeMap<u32, SignedField>; 2],
    /// Fields whose values changed.
    pub(super) filled: BTreeSet<u32>,
    /// Whether viewers make the looks of fields from their values, before or after (12.7.2, `/NeedAppearances`).
    pub(super) needs_appearances: bool,
}

/// What is known while revisions are compared.
pub(super) struct Examiner<'e, 's> {
    pub(super) document: &'e mut Document<'s>,
    pub(super) map: Map,
    pub(super) events: Vec<Event>,
    /// What this revision was told of already.
    pub(super) told: BTreeSet<(SignalId, Option<u32>, Subject)>,
    /// How many annotations may still be held against what pages show.
    pub(super) covers_left: usize,
    /// How often paint may still be held against paint.
    pub(super) checks_left: usize,
    /// What the page draws that annotations were last held against, in its state and by its number.
    pub(super) drawn: Option<((State, u32), Rc<PageText>)>,
    /// Objects that are time-stamps of the document, by what they hold.
    pub(super) stamps: BTreeSet<u32>,
    /// Whether the file has signatures, for which every place counts that leads to an object.
    pub(super) is_signed: bool,
    /// How many objects may still be visited for their roles in files that nobody signed.
    pub(super) visits_left: usize,
    /// How many fields' looks may still be held against their values.
    pub(super) looks_left: usize,
    /// Whether everything could be looked at.
    pub(super) is_whole: bool,
    /// Why not, as far as that is known.
    pub(super) indeterminate: BTreeSet<Indeterminate>,
}

impl<'e, 's> Examiner<'e, 's> {
    /// Knows nothing yet. Of the `watched` objects it will remember what refers to them.
    pub(super) fn new(
        document: &'e mut Document<'s>,
        watched: BTreeSet<u32>,
        stamps: BTreeSet<u32>,
        is_signed: bool,
    ) -> Self {
        Self {
            document,
            map: Map::new(watched),
            events: Vec::new(),
            told: BTreeSet::new(),
            covers_left: COVERS,
            checks_left: CHECKS,
            drawn: None,
            looks_left: LOOKS,
            visits_left: VISITS,
            stamps,
            is_signed,
            is_whole: true,
            indeterminate: BTreeSet::new(),
        }
    }

    /// Leaves the answer open for this reason.
    pub(super) fn leave_open(&mut self, reason: Indeterminate) {
        self.is_whole = false;
        self.indeterminate.insert(reason);
    }

    /// Forgets why the answer was open: what comes next does not rest on what was before.
    pub(super) fn close(&mut self) {
        self.is_whole = true;
        self.indeterminate.clear();
    }
}

impl Examiner<'_, '_> {
    /// Tells of what this revision did, once a subject of an object.
    pub(super) fn tell(&mut self, event: Event) {
        let signal = event.kind.signal().0;
        if self.told.insert((signal, event.object, event.subject.clone())) {
            self.events.push(event);
        } else if event.is_hidden {
            let own = self.events.iter_mut().rev().take_while(|known| known.revision == event.revision);
            let is_it = |known: &&mut Event| {
                known.kind.signal().0 == signal && known.object == event.object && known.subject == event.subject
            };
            own.filter(is_it).for_each(|known| known.is_hidden = true);
        }
    }

    /// Takes note of what is not understood of a revision, as a clause.
    pub(super) fn inconclusive(&mut self, step: &Step, page: Option<u32>, what: String) {
        self.is_whole &= !self.is_signed;
        self.tell(Event { page, ..step.event(EventKind::Ambiguous, Subject::Inconclusive(what)) });
    }

    /// The keys of two states of a dictionary whose values differ and matter in this role.
    pub(super) fn differing(
        &mut self,
        step: &Step,
        role: Role,
        old: &Stored,
        new: &Stored,
    ) -> Result<Vec<Name>, Fault> {
        let (Some(old), Some(new)) = (old.body(), new.body()) else { return Ok(Vec::new()) };
        let (Some(before), Some(after)) = (old.dictionary(), new.dictionary()) else { return Ok(Vec::new()) };
        let is_stream = old.stream.is_some() && new.stream.is_some();
        let mut differing = step.pair.differing(self.document, before, after)?;
        differing.retain(|name| match row(role, name.as_bytes(), is_stream) {
            KeyUse::Housekeeping => false,
            KeyUse::Points => !self.is_known(old.id.number, name.as_bytes(), before, after),
            KeyUse::Follow(_) | KeyUse::Seen(_) | KeyUse::Value(_) => true,
        });
        Ok(differing)
    }

    /// Whether an annotation now says of itself only what is known anyway: that it is one, and on which page.
    fn is_known(&self, number: u32, key: &[u8], before: &Dictionary, after: &Dictionary) -> bool {
        let after = after.get(key);
        match key {
            b"Type" => before.get(key).is_null() && after.is_name(b"Annot"),
            b"P" => after.as_reference().is_some_and(|page| Some(page.number) == self.map.page(number)),
            _ => false,
        }
    }

    /// Whether two states differ in anything that matters in this role.
    pub(super) fn matters(&mut self, step: &Step, role: Role, old: &Stored, new: &Stored) -> Result<bool, Fault> {
        let (Some(before), Some(after)) = (old.body(), new.body()) else { return Ok(true) };
        if before.dictionary().is_none()
            || after.dictionary().is_none()
            || !self.differing(step, role, old, new)?.is_empty()
        {
            return Ok(true);
        }
        Ok(!step.pair.same_stream(self.document, before, after)?
            || !step.pair.are_strict(self.document, before, after)?)
    }
}

impl Step {
    /// What it did to a subject, of which nothing more is known.
    pub(super) fn event(&self, kind: EventKind, subject: Subject) -> Event {
        Event::of(self.revision, kind, subject)
    }

    /// The same of an object, with both of its states.
    pub(super) fn event_of(&self, delta: &Delta, kind: EventKind, subject: Subject) -> Event {
        let (before, after) = (show::body(delta.old.body()), show::body(delta.new.body()));
        Event { object: Some(delta.number), before, after, ..self.event(kind, subject) }
    }

    /// The same of a value that became another one.
    pub(super) fn event_between(&self, (old, new): (&Object, &Object), kind: EventKind, subject: Subject) -> Event {
        Event { before: show::show(old), after: show::show(new), ..self.event(kind, subject) }
    }

    /// Which page it is, from 1, after or else before.
    pub(super) fn page_number(&self, object: u32) -> Option<u32> {
        let [before, after] = &self.pages;
        after.number(object).or_else(|| before.number(object))
    }

    /// Whether the page with this number is in the document after the revision; if that cannot be told, it is.
    pub(super) fn has_page(&self, object: u32) -> bool {
        let [_, after] = &self.pages;
        after.is_cut || after.number(object).is_some()
    }

    /// Whether what belonged to this page, if to any, went with it.
    pub(super) fn is_gone(&self, owner: u32) -> bool {
        owner > 0 && !self.has_page(owner)
    }

    /// Whether all fields are signature fields, before and after.
    pub(super) fn has_signatures_alone(&self) -> bool {
        self.forms.iter().all(|form| !form.is_cut && form.fields.iter().all(Field::is_signature))
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
