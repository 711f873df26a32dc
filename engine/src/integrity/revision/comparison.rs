//! Holds a revision against the one before it: what it touched, what that is there for, and what it amounts to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::delta::{Delta, Deltas, deltas};
use super::equal::Pair;
use super::examiner::{Examiner, Step};
use super::explanation::explain;
use super::indeterminate::Indeterminate;
use super::recognizer::recognize;
use super::rules::{catalog, document_info, field, page_tree, signature};
use super::span::Span;
use super::structure::role::Role;
use super::structure::schema::edges;
use super::structure::signatures::{self, SignedField};
use super::structure::walk::{CATALOG, MapPlace, Reached};
use super::touched::{self, Touched};
use crate::document::form::FormFields;
use crate::document::objects::{State, Stored};
use crate::document::pages::Pages;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::report::{Objects, Strength};
use crate::syntax::object::{Id, Object};
use crate::xref::Part;
use crate::xref::entries::XrefEntry;

/// Everything that was done since a signature, taken as one save.
#[derive(Debug)]
pub(crate) struct Since {
    /// What the signature covers: the number of the revision.
    pub(crate) revision: u32,
    /// What was done, each with the number of the newest revision.
    pub(crate) events: Vec<Event>,
    /// What it touched of pages.
    pub(super) touched: Vec<Touched>,
    /// The newest revision that has each object.
    pub(super) newest: BTreeMap<u32, u32>,
}

/// The pages of a state, and its signatures by their fields; none of these if there are too many fields.
#[derive(Clone)]
struct StateStructure {
    state: State,
    pages: Rc<Pages>,
    form: Rc<FormFields>,
    signed: Option<BTreeMap<u32, SignedField>>,
}

impl StateStructure {
    /// Reads that of a state, whose pages may be known.
    fn read(examiner: &mut Examiner, state: State, pages: Option<Rc<Pages>>) -> Result<Self, Fault> {
        let view = &mut examiner.document.view(state);
        let pages = match pages {
            Some(pages) => pages,
            None => Rc::new(Pages::read(view, usize::MAX)?),
        };
        let form = Rc::new(FormFields::read(view)?);
        let signed = signatures::signatures(view, &form, &examiner.stamps)?;
        Ok(Self { state, pages, form, signed })
    }
}

/// Revisions being held against each other, one upon the other.
pub(super) struct RevisionComparison<'e, 's> {
    pub(super) examiner: Examiner<'e, 's>,
    /// What was last looked at.
    last: Option<StateStructure>,
    /// Objects that were signatures in some state.
    pub(super) signed: BTreeSet<u32>,
    /// What was touched of pages.
    pub(super) touched: Vec<Touched>,
}

impl<'e, 's> RevisionComparison<'e, 's> {
    pub(super) fn new(examiner: Examiner<'e, 's>) -> Self {
        Self { examiner, last: None, signed: BTreeSet::new(), touched: Vec::new() }
    }

    /// Compares the newest state with what a signature covers, directly: steps that are harmless each may not be so together.
    pub(super) fn since(&mut self, covered: &Span, later: &[Span]) -> Result<Option<Since>, Fault> {
        let Some(joined) = Span::joined(later).filter(|joined| joined.is_joined) else { return Ok(None) };
        let (map, events) = (self.examiner.map.clone(), self.examiner.events.len());
        let (touched, last) = (self.touched.len(), self.last.clone());
        let compared = self.step(covered, &joined, &mut Objects::default(), true);
        (self.examiner.map, self.last) = (map, last);
        let (events, touched) = (self.examiner.events.split_off(events), self.touched.split_off(touched));
        compared?;
        let newest = later.iter().flat_map(|span| span.numbers.iter().map(|&number| (number, span.number))).collect();
        Ok(Some(Since { revision: covered.number, events, touched, newest }))
    }

    /// Compares one revision with the one before it. What is done from a signed state to the newest one has to be understood.
    pub(super) fn step(
        &mut self,
        older: &Span,
        span: &Span,
        objects: &mut Objects,
        is_since_signing: bool,
    ) -> Result<(), Fault> {
        let Deltas { changed, touched, open } = deltas(self.examiner.document, span)?;
        let is_cut = open.is_some();
        open.into_iter().for_each(|reason| self.examiner.leave_open(reason));
        count(&changed, objects);
        self.examiner.told.clear();
        let first = self.examiner.events.len();
        let mut step = Step {
            revision: span.number,
            pair: Pair { old: span.before(), new: span.state() },
            roots: [older.root, span.root],
            info: older.last_info,
            pages: [Rc::default(), Rc::default()],
            forms: [Rc::default(), Rc::default()],
            touched,
            signed: [BTreeMap::new(), BTreeMap::new()],
            filled: BTreeSet::new(),
            needs_appearances: false,
        };
        self.trailer(&step, (older, span), &changed)?;
        document_info::changed(&mut self.examiner, &step, span.info, &changed)?;
        if self.is_only_info(older, span, &changed) {
            return Ok(());
        }
        let places = self.prepare(&mut step, older, span, &changed)?;
        let examiner = &mut self.examiner;
        signature::fields(examiner, &step)?;
        page_tree::changed(examiner, &step)?;
        catalog::changed(examiner, &step)?;
        for (delta, places) in changed.iter().zip(places) {
            explain(&mut self.examiner, &step, delta, places)?;
        }
        let events = self.examiner.events.get(first..).unwrap_or_default();
        let is_changed = events.iter().any(|event| event.kind.signal().1 == Strength::Conclusive);
        if is_since_signing || !self.examiner.is_signed && !is_changed {
            let unknown = recognize(&mut self.examiner, &step, (older, span), &changed)?;
            self.examiner.is_whole &= unknown.is_empty() && !is_cut;
            self.examiner.events.extend(unknown);
        }
        let events = self.examiner.events.get(first..).unwrap_or_default();
        self.touched.extend(touched::touched(&self.examiner, &step, events));
        for delta in changed.iter().filter(|delta| delta.new.is_absent()) {
            self.examiner.map.forget(delta.number);
        }
        Ok(())
    }

    /// Whether nothing but the document information dictionary was written. In a signed file, or where it holds more than
    /// texts, that takes a closer look: it may be something else as well.
    fn is_only_info(&self, older: &Span, span: &Span, changed: &[Delta]) -> bool {
        let is_info = |delta: &Delta| {
            let is_plain = |stored: &Stored| stored.body().is_none_or(|body| body.stream.is_none());
            let numbers = [older.last_info, span.info].map(|info| info.map(|info| info.number));
            numbers[1] == Some(delta.number)
                && (delta.old.is_absent() || numbers[0] == numbers[1])
                && !delta.is_ambiguous
                && is_plain(&delta.old)
                && is_plain(&delta.new)
                && delta.dictionaries().into_iter().flatten().all(document_info::holds_texts)
        };
        let wraps =
            |delta: &Delta| delta.is_wrapping() && delta.old.is_absent() && self.is_in_use(span, changed, delta);
        older.root == span.root
            && (changed.is_empty()
                || !self.examiner.is_signed && changed.iter().all(|delta| wraps(delta) || is_info(delta)))
    }

    /// Whether a new object is really the cross-reference of its revision, or holds another one that is new: what only
    /// says that it is one may be what a page had referred to all the time.
    fn is_in_use(&self, span: &Span, changed: &[Delta], delta: &Delta) -> bool {
        let entry = |delta: &Delta| delta.new.body().map(|body| body.entry);
        let Some(XrefEntry::At(at)) = entry(delta) else { return false };
        let parts = self.examiner.document.xref.parts.get(span.parts.clone()).unwrap_or_default();
        let is_cross_reference =
            |part: &Part| part.offset == at || part.supplement.is_some_and(|supplement| supplement.get() == at);
        let is_within =
            |other: &Delta| matches!(entry(other), Some(XrefEntry::In { stream, .. }) if stream == delta.number);
        parts.iter().any(is_cross_reference) || changed.iter().any(is_within)
    }

    /// What the trailer says, and what stands loose beside it.
    fn trailer(&mut self, step: &Step, (older, span): (&Span, &Span), changed: &[Delta]) -> Result<(), Fault> {
        if older.encryption != span.encryption || self.is_encrypted_by(step, changed)? {
            self.examiner.tell(step.event(EventKind::Unexplained, Subject::Encryption));
        }
        if !self.examiner.is_signed {
            return Ok(());
        }
        if !older.is_closed || !span.is_closed {
            let what = format!("revision {} or the one before it has no end of its own", span.number);
            self.examiner.leave_open(Indeterminate::NotUnderstood(what));
        }
        Ok(())
    }

    /// Whether any of these objects tells how the file is encrypted (7.6.1): the dictionary, the file identifier, or what
    /// these refer to.
    fn is_encrypted_by(&mut self, step: &Step, changed: &[Delta]) -> Result<bool, Fault> {
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
        Ok(changed.iter().any(|delta| seen.contains(&delta.number)))
    }

    /// Learns what the objects are there for, and what has to be known before any of them is explained: the places that led
    /// to each before the revision. Other places are new in those that lead there, and explained with these.
    fn prepare(
        &mut self,
        step: &mut Step,
        older: &Span,
        span: &Span,
        changed: &[Delta],
    ) -> Result<Vec<Vec<MapPlace>>, Fault> {
        let root = |root: Option<Id>| root.map(|root| Reached { number: root.number, place: CATALOG, from: 0 });
        let examiner = &mut self.examiner;
        examiner.map.follow(examiner.document, step.pair.old, root(older.root))?;
        let before = match self.last.take() {
            Some(last) if last.state == step.pair.old => last,
            _ => StateStructure::read(examiner, step.pair.old, None)?,
        };
        let is_tree_touched = older.root != span.root
            || changed.iter().any(|delta| {
                let places = examiner.map.places(delta.number);
                places.iter().any(|place| matches!(place.role, Role::Catalog | Role::Node | Role::Page))
            });
        let known: Vec<Vec<MapPlace>> =
            changed.iter().map(|delta| examiner.map.places(delta.number).to_vec()).collect();
        self.follow(step, changed, root(span.root))?;
        let examiner = &mut self.examiner;
        let known_pages = (!is_tree_touched && !before.pages.is_cut).then(|| Rc::clone(&before.pages));
        let after = StateStructure::read(examiner, step.pair.new, known_pages)?;
        examiner.is_whole &= before.signed.is_some() && after.signed.is_some();
        step.pages = [before.pages, Rc::clone(&after.pages)];
        step.forms = [before.form, Rc::clone(&after.form)];
        step.signed = [before.signed.unwrap_or_default(), after.signed.clone().unwrap_or_default()];
        self.last = Some(after);
        self.signed.extend(step.signed.iter().flat_map(BTreeMap::values).map(|signed| signed.value));
        let needs = |form: &Rc<FormFields>| form.dictionary.get(b"NeedAppearances") == &Object::Boolean(true);
        step.needs_appearances = step.forms.iter().any(needs);
        for (delta, places) in changed.iter().zip(&known) {
            for place in places {
                let is_filled = match place.role {
                    Role::Field => field::is_filled(examiner, step, delta)?,
                    role => role == Role::FieldValue,
                };
                step.filled.extend(is_filled.then_some(place.owner));
            }
        }
        Ok(known)
    }

    /// Learns what new objects are there for, from the changed ones that lead to them.
    fn follow(&mut self, step: &Step, changed: &[Delta], root: Option<Reached>) -> Result<(), Fault> {
        let examiner = &mut self.examiner;
        let mut from: Vec<Reached> = root.into_iter().collect();
        for delta in changed {
            let Some(new) = delta.new.body() else { continue };
            for &place in examiner.map.places(delta.number) {
                let role = place.role.refined(new.dictionary());
                let below = edges(role, &new.object, new.stream.is_some()).into_iter();
                from.extend(below.map(|(number, role)| {
                    let owner = if role == Role::Node { 0 } else { place.owner };
                    Reached { number, place: MapPlace { role, owner }, from: delta.number }
                }));
            }
        }
        examiner.map.follow(examiner.document, step.pair.new, from)
    }
}

fn count(changed: &[Delta], objects: &mut Objects) {
    for delta in changed.iter().filter(|delta| !delta.is_wrapping()) {
        let count = match (delta.old.is_absent(), delta.new.is_absent()) {
            (true, _) => &mut objects.added,
            (false, true) => &mut objects.removed,
            (false, false) => &mut objects.changed,
        };
        *count += 1;
    }
}
