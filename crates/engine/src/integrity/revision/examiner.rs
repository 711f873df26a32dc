//! The state of the comparison of one revision with the previous one, and the events that it reports.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::entry_change::EntryChange;
use super::indeterminate::Indeterminate;
use super::revision_range::RevisionRange;
pub(super) use super::step::{Follows, Step};
use super::structure::graph::{ObjectGraph, Roots, Use};
use super::structure::role::Role;
use super::structure::schema::{EntryRelevance, row};
use super::structure::walk::CumulativeUses;
use crate::integrity::clause::Clause;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::signal::SignalId;
use pdf_content::PageText;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;

/// Maximum annotations compared with page content, and appearances compared with field values, in all revisions.
const MAX_OVERLAP_CHECKS: usize = 500;
const MAX_APPEARANCE_CHECKS: usize = 1_000;
/// Maximum objects visited for their roles in unsigned files, in all revisions.
const MAX_VISITS: usize = 100_000;
/// Maximum comparisons of painted areas.
const MAX_PAINT_CHECKS: usize = 1 << 22;

/// A page with its annotations, and the state and the object number that it was read by.
type PaintedPage = ((State, u32), Rc<PageText>);

/// The state of the comparison of all revisions.
pub(super) struct Examiner<'e, 's> {
    pub(super) document: &'e mut Document<'s>,
    pub(super) map: CumulativeUses,
    /// The object graph that was last read.
    graph: Option<(Roots, Rc<ObjectGraph>)>,
    pub(super) events: Vec<Event>,
    /// Events reported for this revision.
    pub(super) reported: BTreeSet<(SignalId, Option<u32>, Subject)>,
    /// The changed entries of fields and widgets in this revision, by their objects.
    pub(super) field_entries: BTreeMap<u32, Vec<(Name, EntryChange)>>,
    /// The changed objects of which fields are composed, and whether an operation writes them.
    pub(super) field_parts: BTreeMap<u32, bool>,
    /// Annotations that may still be compared with page content.
    pub(super) overlap_checks_left: usize,
    /// Painted areas that may still be compared.
    pub(super) paint_checks_left: usize,
    /// The pages that annotations were last compared with, before and after, by state and object number.
    pub(super) drawn: [Option<PaintedPage>; 2],
    /// Pages whose new annotations were compared together, with the state that has them.
    pub(super) composed: BTreeSet<(State, u32)>,
    /// Objects that are document time-stamps, by their content.
    pub(super) stamps: BTreeSet<u32>,
    /// Whether the file has signatures, so that every place that references an object counts.
    pub(super) is_signed: bool,
    /// Objects that may still be visited for their roles in unsigned files.
    pub(super) visits_left: usize,
    /// Appearances that may still be compared with field values.
    pub(super) appearance_checks_left: usize,
    /// Whether everything could be examined.
    pub(super) is_complete: bool,
    /// The known reasons why not.
    pub(super) indeterminate: BTreeSet<Indeterminate>,
}

impl<'e, 's> Examiner<'e, 's> {
    /// Starts without results; records the references to the `watched` objects.
    pub(super) fn new(
        document: &'e mut Document<'s>,
        watched: BTreeSet<u32>,
        stamps: BTreeSet<u32>,
        is_signed: bool,
    ) -> Self {
        Self {
            document,
            map: CumulativeUses::new(watched),
            graph: None,
            events: Vec::new(),
            reported: BTreeSet::new(),
            field_entries: BTreeMap::new(),
            field_parts: BTreeMap::new(),
            overlap_checks_left: MAX_OVERLAP_CHECKS,
            paint_checks_left: MAX_PAINT_CHECKS,
            drawn: [None, None],
            composed: BTreeSet::new(),
            appearance_checks_left: MAX_APPEARANCE_CHECKS,
            visits_left: MAX_VISITS,
            stamps,
            is_signed,
            is_complete: true,
            indeterminate: BTreeSet::new(),
        }
    }

    /// Follows all references of a revision.
    pub(super) fn map_places(&mut self, range: &RevisionRange) -> Result<(), Fault> {
        let reached = range.root.map(|root| (root.number, Use::CATALOG));
        self.map.follow(self.document, range.state(), reached)
    }

    /// Follows all references of the newest revision, unless places are known already.
    pub(super) fn map_newest(&mut self, ranges: &[RevisionRange]) -> Result<(), Fault> {
        match ranges.last().filter(|_| self.map.is_empty()) {
            Some(newest) => self.map_places(newest),
            None => Ok(()),
        }
    }

    /// The object graph of a state.
    pub(super) fn graph(&mut self, roots: Roots) -> Result<Rc<ObjectGraph>, Fault> {
        if let Some((_, graph)) = self.graph.as_ref().filter(|(known, _)| *known == roots) {
            return Ok(Rc::clone(graph));
        }
        let graph = Rc::new(ObjectGraph::read(self.document, &roots)?);
        self.graph = Some((roots, Rc::clone(&graph)));
        Ok(graph)
    }

    /// Marks the result as indeterminate for this reason.
    pub(super) fn mark_indeterminate(&mut self, reason: Indeterminate) {
        self.is_complete = false;
        self.indeterminate.insert(reason);
    }

    /// Discards the reasons so far: the following comparison does not depend on the earlier ones.
    pub(super) fn discard_reasons(&mut self) {
        self.is_complete = true;
        self.indeterminate.clear();
    }
}

impl Examiner<'_, '_> {
    /// Reports an event, once per subject and object.
    pub(super) fn report(&mut self, event: Event) {
        let signal = event.kind.signal().0;
        if self.reported.insert((signal, event.object, event.subject.clone())) {
            self.events.push(event);
        } else if event.is_hidden {
            let own = self.events.iter_mut().rev().take_while(|known| known.revision == event.revision);
            let is_it = |known: &&mut Event| {
                known.kind.signal().0 == signal && known.object == event.object && known.subject == event.subject
            };
            own.filter(is_it).for_each(|known| known.is_hidden = true);
        }
    }

    /// Records whether an operation writes a part of a field, as one of several fields that have it.
    pub(super) fn take_part(&mut self, number: u32, is_operation: bool) {
        *self.field_parts.entry(number).or_insert(true) &= is_operation;
    }

    /// Records an inconclusive part of a revision.
    pub(super) fn inconclusive(&mut self, step: &Step, page: Option<u32>, what: Clause) {
        self.is_complete &= !self.is_signed;
        self.report(Event { page, ..step.event(EventKind::Ambiguous, Subject::Inconclusive(what)) });
    }

    /// A field, or a widget outside of the form, with its ancestors in a state.
    pub(super) fn ancestry(
        &mut self,
        step: &Step,
        state: State,
        (number, field): (u32, &Dictionary),
    ) -> Result<Field, Fault> {
        let [before, after] = &step.forms;
        let form = if state == step.pair.old { before } else { after };
        form.field_of(&mut self.document.view(state), number, field)
    }

    /// The keys of a dictionary whose values differ between its states and matter in this role.
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
            EntryRelevance::Housekeeping => false,
            EntryRelevance::Points => !self.is_known(old.id.number, name.as_bytes(), before, after),
            EntryRelevance::Owns(_) | EntryRelevance::Seen(_) => true,
        });
        Ok(differing)
    }

    /// Whether an annotation only adds known entries: its type and its page.
    fn is_known(&self, number: u32, key: &[u8], before: &Dictionary, after: &Dictionary) -> bool {
        let after = after.get(key);
        match key {
            b"Type" => before.get(key).is_null() && after.is_name(b"Annot"),
            b"P" => after.as_reference().is_some_and(|page| Some(page.number) == self.map.page(number)),
            _ => false,
        }
    }

    /// Whether two states differ in a way that matters in this role.
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
