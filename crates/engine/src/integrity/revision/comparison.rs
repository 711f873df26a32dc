//! Compares a revision with the previous one: the changed objects, their roles, and the resulting events.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::equal::Pair;
use super::examiner::{Examiner, Follows, Step};
use super::explanation::explain;
use super::indeterminate::Indeterminate;
use super::object_change::{ObjectChange, ObjectChanges, object_changes};
use super::recognizer::recognize;
use super::revision_range::RevisionRange;
use super::rules::{catalog, document_info, field, page_tree, signature};
use super::state_structure::{Known, StateStructure, keeps_form, keeps_pages};
use super::structure::graph::{Roots, Use};
use super::structure::role::Role;
use super::structure::walk::uses_below;
use super::touched_pages::{self, TouchedPages};
use crate::integrity::clause::Clause;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{Objects, Strength};
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::Stored;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::{Id, Object};
use pdf_syntax::xref::Part;
use pdf_syntax::xref::entries::XrefEntry;

/// All changes since a signature, compared as one update.
#[derive(Debug)]
pub(crate) struct CumulativeDiff {
    /// Number of the revision that the signature covers.
    pub(crate) revision: u32,
    /// The events, each with the number of the newest revision.
    pub(crate) events: Vec<Event>,
    /// The page parts that were changed.
    pub(super) touched: Vec<TouchedPages>,
    /// The newest revision that has each object.
    pub(super) newest: BTreeMap<u32, u32>,
}

/// The comparison of consecutive revisions.
pub(super) struct RevisionComparison<'e, 's> {
    pub(super) examiner: Examiner<'e, 's>,
    /// The structure of the state that was last read.
    last: Option<StateStructure>,
    /// Objects that were signatures in any state.
    pub(super) signed: BTreeSet<u32>,
    /// The page parts that were changed.
    pub(super) touched: Vec<TouchedPages>,
}

impl<'e, 's> RevisionComparison<'e, 's> {
    pub(super) fn new(examiner: Examiner<'e, 's>) -> Self {
        Self { examiner, last: None, signed: BTreeSet::new(), touched: Vec::new() }
    }

    /// Compares the newest state directly with the signed one: individually harmless updates may not be harmless
    /// together.
    pub(super) fn since(
        &mut self,
        covered: &RevisionRange,
        later: &[RevisionRange],
    ) -> Result<Option<CumulativeDiff>, Fault> {
        let Some(joined) = RevisionRange::joined(later).filter(|joined| joined.is_joined) else { return Ok(None) };
        let (map, events) = (self.examiner.map.clone(), self.examiner.events.len());
        let (touched, last) = (self.touched.len(), self.last.clone());
        let compared = self.step(covered, &joined, &mut Objects::default(), Follows::SignedToNewest);
        (self.examiner.map, self.last) = (map, last);
        let (events, touched) = (self.examiner.events.split_off(events), self.touched.split_off(touched));
        compared?;
        let newest =
            later.iter().flat_map(|range| range.numbers.iter().map(|&number| (number, range.number))).collect();
        Ok(Some(CumulativeDiff { revision: covered.number, events, touched, newest }))
    }

    /// Compares one revision with the previous one. After a signed state every change must be understood.
    pub(super) fn step(
        &mut self,
        older: &RevisionRange,
        range: &RevisionRange,
        objects: &mut Objects,
        follows: Follows,
    ) -> Result<(), Fault> {
        let ObjectChanges { mut changed, touched, open } = object_changes(self.examiner.document, range)?;
        let renewed = self.renewed(range, &mut changed)?;
        let is_truncated = open.is_some();
        open.into_iter().for_each(|reason| self.examiner.mark_indeterminate(reason));
        count(&changed, objects);
        self.examiner.reported.clear();
        self.examiner.field_entries.clear();
        self.examiner.field_parts.clear();
        let first = self.examiner.events.len();
        let mut step = Step {
            revision: range.number,
            pair: Pair::of(range.before(), range.state()),
            roots: [older.root, range.root],
            info: older.last_info,
            pages: [Rc::default(), Rc::default()],
            forms: [Rc::default(), Rc::default()],
            touched,
            changed: changed.iter().map(|change| change.number).collect(),
            renewed,
            signed: [BTreeMap::new(), BTreeMap::new()],
            filled: BTreeSet::new(),
            needs_appearances: false,
            follows,
        };
        self.trailer(&step, (older, range), &changed)?;
        document_info::changed(&mut self.examiner, &step, range.info, &changed)?;
        if self.is_only_info(older, range, &changed) {
            return Ok(());
        }
        let places = self.prepare(&mut step, older, range, &changed)?;
        let examiner = &mut self.examiner;
        signature::fields(examiner, &step)?;
        page_tree::changed(examiner, &step)?;
        catalog::changed(examiner, &step)?;
        for (change, places) in changed.iter().zip(places) {
            explain(&mut self.examiner, &step, change, places)?;
        }
        let events = self.examiner.events.get(first..).unwrap_or_default();
        let is_changed = events.iter().any(|event| event.kind.signal().1 == Strength::Conclusive);
        if follows == Follows::SignedToNewest || !self.examiner.is_signed && !is_changed {
            let unknown = recognize(&mut self.examiner, &step, (older, range), &changed)?;
            self.examiner.is_complete &= unknown.is_empty() && !is_truncated;
            self.examiner.events.extend(unknown);
        }
        let events = self.examiner.events.get(first..).unwrap_or_default();
        self.touched.extend(touched_pages::touched(&self.examiner, &step, events));
        for change in changed.iter().filter(|change| change.new.is_absent()) {
            self.examiner.map.forget(change.number);
        }
        Ok(())
    }

    /// Leaves out ambiguous changes of objects that the newer state of a signed file does not reach. Numbers that were
    /// freed and used for another object, with a higher generation in all references, are returned: these objects are
    /// new. Poppler writes both.
    fn renewed(&mut self, range: &RevisionRange, changed: &mut Vec<ObjectChange>) -> Result<BTreeSet<u32>, Fault> {
        let mut renewed = BTreeSet::new();
        let roots =
            Roots::after(range).filter(|_| self.examiner.is_signed && changed.iter().any(|change| change.is_ambiguous));
        let Some(roots) = roots else { return Ok(renewed) };
        let graph = self.examiner.graph(roots)?;
        changed.retain(|change| !change.is_ambiguous || graph.may_reach(change.number));
        for change in changed.iter_mut().filter(|change| change.has_new_generation) {
            let Some(id) = change.new.body().map(|body| body.id) else { continue };
            let is_root = [range.root, range.last_info].into_iter().flatten().any(|root| root.number == id.number);
            if !is_root && graph.has_one_generation(self.examiner.document, range.state(), id)? {
                (change.old, change.is_ambiguous) = (Stored::Absent, false);
                renewed.insert(change.number);
            }
        }
        Ok(renewed)
    }

    /// Whether only the document information dictionary was written. A signed file, or a dictionary with other values
    /// than text, needs the full comparison, as the object may have other uses.
    fn is_only_info(&self, older: &RevisionRange, range: &RevisionRange, changed: &[ObjectChange]) -> bool {
        let is_info = |change: &ObjectChange| {
            let is_plain = |stored: &Stored| stored.body().is_none_or(|body| body.stream.is_none());
            let numbers = [older.last_info, range.info].map(|info| info.map(|info| info.number));
            numbers[1] == Some(change.number)
                && (change.old.is_absent() || numbers[0] == numbers[1])
                && !change.is_ambiguous
                && is_plain(&change.old)
                && is_plain(&change.new)
                && change.dictionaries().into_iter().flatten().all(document_info::holds_texts)
        };
        let wraps = |change: &ObjectChange| {
            change.is_wrapping() && change.old.is_absent() && self.is_in_use(range, changed, change)
        };
        older.root == range.root
            && (changed.is_empty()
                || !self.examiner.is_signed && changed.iter().all(|change| wraps(change) || is_info(change)))
    }

    /// Whether a new object is the revision's cross-reference or contains another new object: an object that only
    /// claims to be one may be the target of an older reference.
    fn is_in_use(&self, range: &RevisionRange, changed: &[ObjectChange], change: &ObjectChange) -> bool {
        let entry = |change: &ObjectChange| change.new.body().map(|body| body.entry);
        let Some(XrefEntry::At(at)) = entry(change) else { return false };
        let parts = self.examiner.document.xref.parts.get(range.parts.clone()).unwrap_or_default();
        let is_cross_reference =
            |part: &Part| part.offset == at || part.supplement.is_some_and(|supplement| supplement.get() == at);
        let is_within = |other: &ObjectChange| matches!(entry(other), Some(XrefEntry::In { stream, .. }) if stream == change.number);
        parts.iter().any(is_cross_reference) || changed.iter().any(is_within)
    }

    /// Compares the trailers and checks that both revisions end properly.
    fn trailer(
        &mut self,
        step: &Step,
        (older, range): (&RevisionRange, &RevisionRange),
        changed: &[ObjectChange],
    ) -> Result<(), Fault> {
        if older.encryption != range.encryption || self.is_encrypted_by(step, changed)? {
            self.examiner.report(step.event(EventKind::Document, Subject::Encryption));
        }
        if !self.examiner.is_signed {
            return Ok(());
        }
        if !older.is_closed || !range.is_closed {
            let what = Clause::of("revision {} or the one before it has no end of its own", &[range.number.into()]);
            self.examiner.mark_indeterminate(Indeterminate::NotUnderstood(what));
        }
        Ok(())
    }

    /// Whether any of these objects belongs to the encryption (7.6.1): the dictionary, the file identifier, or what
    /// these reference.
    fn is_encrypted_by(&mut self, step: &Step, changed: &[ObjectChange]) -> Result<bool, Fault> {
        let document = &mut *self.examiner.document;
        let encrypt = document.xref.trailer.get(b"Encrypt");
        if encrypt.is_null() {
            return Ok(false);
        }
        let mut values = vec![encrypt.clone(), document.xref.trailer.get(b"ID").clone()];
        let mut seen = BTreeSet::new();
        while let Some(value) = values.pop() {
            document.budget.work(1)?;
            if let Some(id) = value.as_reference().filter(|id| seen.insert(id.number)) {
                for state in [step.pair.old, step.pair.new] {
                    values.extend(document.view(state).object(id.number)?.map(|body| body.object.clone()));
                }
            }
            values.extend(value.elements().iter().cloned());
            values.extend(value.as_dictionary().into_iter().flat_map(|it| it.iter().map(|(_, value)| value.clone())));
        }
        Ok(changed.iter().any(|change| seen.contains(&change.number)))
    }

    /// Determines the roles of the objects and the facts needed before any is explained: the places that referenced
    /// each object before the revision. New places are explained with the objects that now contain the reference.
    fn prepare(
        &mut self,
        step: &mut Step,
        older: &RevisionRange,
        range: &RevisionRange,
        changed: &[ObjectChange],
    ) -> Result<Vec<Vec<Use>>, Fault> {
        let root = |root: Option<Id>| root.map(|root| (root.number, Use::CATALOG));
        let examiner = &mut self.examiner;
        examiner.map.follow(examiner.document, step.pair.old, root(older.root))?;
        let before = match self.last.take() {
            Some(last) if last.state == step.pair.old => last,
            _ => StateStructure::read(examiner, step.pair.old, Known::default())?,
        };
        let is_kept = |keeps: fn(&ObjectChange, Role) -> bool| {
            let is_kept = |change: &ObjectChange| {
                examiner.map.places(change.number).iter().all(|place| keeps(change, place.role))
            };
            older.root == range.root && changed.iter().all(is_kept)
        };
        let has_same_pages = is_kept(keeps_pages) && !before.pages.is_cut;
        let has_same_form = is_kept(keeps_form) && !before.form.is_cut && !examiner.map.is_truncated;
        let known: Vec<Vec<Use>> = changed.iter().map(|change| examiner.map.places(change.number).to_vec()).collect();
        self.follow(step, changed, root(range.root))?;
        let examiner = &mut self.examiner;
        let same = Known {
            pages: has_same_pages.then(|| Rc::clone(&before.pages)),
            form: has_same_form.then(|| (Rc::clone(&before.form), before.signed.clone())),
        };
        let after = StateStructure::read(examiner, step.pair.new, same)?;
        examiner.is_complete &= before.signed.is_some() && after.signed.is_some();
        step.pages = [before.pages, Rc::clone(&after.pages)];
        step.forms = [before.form, Rc::clone(&after.form)];
        step.signed = [before.signed.unwrap_or_default(), after.signed.clone().unwrap_or_default()];
        self.last = Some(after);
        self.signed.extend(step.signed.iter().flat_map(BTreeMap::values).map(|signed| signed.value));
        let needs = |form: &Rc<FormFields>| form.dictionary.get(b"NeedAppearances") == &Object::Boolean(true);
        step.needs_appearances = step.forms.iter().any(needs);
        for (change, places) in changed.iter().zip(&known) {
            for place in places {
                let is_filled = match place.role {
                    Role::Field => field::is_filled(examiner, step, change)?,
                    role => role == Role::FieldValue,
                };
                step.filled.extend(is_filled.then_some(place.owner));
            }
        }
        Ok(known)
    }

    /// Determines the roles of new objects from the changed objects that reference them.
    fn follow(&mut self, step: &Step, changed: &[ObjectChange], root: Option<(u32, Use)>) -> Result<(), Fault> {
        let examiner = &mut self.examiner;
        let mut from: Vec<(u32, Use)> = root.into_iter().collect();
        for change in changed {
            let Some(new) = change.new.body() else { continue };
            for &place in examiner.map.places(change.number) {
                let role = place.role.refined(new.dictionary());
                from.extend(uses_below(change.number, Use { role, ..place }, new));
            }
        }
        examiner.map.follow(examiner.document, step.pair.new, from)
    }
}

fn count(changed: &[ObjectChange], objects: &mut Objects) {
    for change in changed.iter().filter(|change| !change.is_wrapping()) {
        let count = match (change.old.is_absent(), change.new.is_absent()) {
            (true, _) => &mut objects.added,
            (false, true) => &mut objects.removed,
            (false, false) => &mut objects.changed,
        };
        *count += 1;
    }
}
