//! Goes through the revisions from the oldest to the newest and puts together what each did: every object that it touched
//! is explained at every place that leads to it, or it is a change.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::cover::COVERS;
use super::delta::{Delta, Deltas, deltas};
use super::equal::Pair;
use super::examiner::{Examiner, Step, Told};
use super::rules::document_info::{self, Save};
use super::rules::{annotation, catalog, drawn, field, form, page, page_tree, signature};
use super::span::{self, Span};
use super::structure::pages::Pages;
use super::structure::role::{Role, guess};
use super::structure::schema::edges;
use super::structure::signatures::{self, Signed};
use super::structure::walk::{Map, Place, Reached};
use super::{layout, show};
use crate::document::Document;
use crate::document::states::{State, Stored};
use crate::failure::Fault;
use crate::integrity::Given;
use crate::integrity::event::{Deed, Event, Subject};
use crate::integrity::report::{Change, ExaminedRevisions, Objects, Revision};
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// Revisions told of, and pages of each.
const TOLD: usize = 50;
/// Bytes of one revision, and of all, that are read at once where the file is not in memory.
const READ: u64 = 8 << 20;
const READ_IN_ALL: u64 = 8 << 20;
/// How much before a revision is read along: the end of the one before it.
const BEFORE: u64 = 1024;

/// What the revisions did.
#[derive(Debug)]
pub(crate) struct History {
    /// Oldest first; the newest 50.
    pub(crate) revisions: Vec<Revision>,
    /// How many there are in all.
    pub(crate) total: u32,
    /// Where each of those ends that were looked into, by its number, if its end can be relied on.
    pub(crate) ends: BTreeMap<u32, u64>,
    /// Numbers of all objects that ever were a field's signature.
    pub(crate) signed: BTreeSet<u32>,
    /// Bytes between a revision and the next one, or the end, that hold a state which nothing leads to any more.
    pub(crate) lost: Option<Range<u64>>,
    /// Everything that was done after the oldest one, in order.
    pub(crate) events: Vec<Event>,
    pub(crate) examined: ExaminedRevisions,
}

/// Compares the revisions of a file that was not repaired.
pub(crate) fn examine(document: &mut Document, given: &Given, is_signed: bool) -> Result<History, Fault> {
    let (total, mut spans) = span::spans(document)?;
    let mut is_whole = total == spans.len();
    if spans.len() > 1 {
        is_whole &= prefetch(document, &spans)?;
    }
    span::find_ends(document, &mut spans)?;
    let watched = deleted(document, &spans)?;
    let mut examiner = Examiner {
        document,
        map: Map::new(watched),
        events: Vec::new(),
        told: BTreeSet::new(),
        covers_left: COVERS,
        is_whole: true,
    };
    let mut objects = vec![Objects::default(); spans.len()];
    let (mut last, mut signed) = (None, BTreeSet::new());
    for index in 1..spans.len() {
        let (Some(older), Some(span), Some(objects)) = (spans.get(index - 1), spans.get(index), objects.get_mut(index))
        else {
            break;
        };
        let mut comparison = Comparison { examiner: &mut examiner, last: &mut last, signed: &mut signed, is_signed };
        match comparison.step(older, span, objects) {
            Ok(()) => {}
            Err(Fault::Source(error)) => return Err(Fault::Source(error)),
            Err(_) => examiner.is_whole = false,
        }
    }
    if is_signed && let Some(newest) = spans.last() {
        outside(&mut examiner, newest)?;
    }
    is_whole &= examiner.is_whole;
    let mut events = std::mem::take(&mut examiner.events);
    events.sort_by_key(|event| event.revision);
    let document = examiner.document;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let lost = layout::lost(document, &spans)?;
    let ends = spans.iter().filter(|span| span.is_closed || total == 1).map(|span| (span.number, span.end)).collect();
    let revisions = revisions(document, given, &spans, &objects, &events)?;
    let examined = if is_whole { ExaminedRevisions::All } else { ExaminedRevisions::Newest };
    Ok(History { revisions, total: total as u32, ends, signed, lost, events, examined })
}

/// Reads the later revisions at once, the newest first, as far as they are not too large; whether that was all.
fn prefetch(document: &mut Document, spans: &[Span]) -> Result<bool, Fault> {
    if document.reader.is_in_memory() {
        return Ok(true);
    }
    let (mut left, mut ranges, mut is_whole) = (READ_IN_ALL, Vec::new(), true);
    for span in spans.iter().skip(1).rev() {
        let size = span.end.saturating_sub(span.start);
        if size > READ.min(left) {
            is_whole = false;
            continue;
        }
        left -= size;
        ranges.push(span.start.saturating_sub(BEFORE)..span.end);
    }
    document.reader.prefetch(&ranges)?;
    Ok(is_whole)
}

/// Numbers of objects that a later revision deletes: it matters what refers to them.
fn deleted(document: &mut Document, spans: &[Span]) -> Result<BTreeSet<u32>, Fault> {
    let mut deleted = BTreeSet::new();
    for span in spans.iter().skip(1) {
        for &number in &span.numbers {
            if document.entry_in(span.state(), number)? == Entry::Free {
                deleted.insert(number);
            }
        }
    }
    Ok(deleted)
}

/// What the file says outside of its revisions: where its cross-reference starts, and what follows its end.
fn outside(examiner: &mut Examiner, newest: &Span) -> Result<(), Fault> {
    let is_exact = examiner.document.xref.is_exact && newest.is_closed;
    if newest.number > 1 && !is_exact {
        examiner.is_whole = false;
    }
    let Some(loose) = layout::behind(examiner.document, newest)? else { return Ok(()) };
    examiner.is_whole = false;
    if loose.has_objects {
        let event = Event {
            revision: newest.number + 1,
            deed: Deed::Unexplained,
            subject: Subject::Bytes(loose.place.into()),
            object: None,
            page: None,
            bounds: None,
            before: None,
            after: None,
            field: None,
            is_hidden: true,
        };
        examiner.events.push(event);
    }
    Ok(())
}

/// The newest revisions as they are told.
fn revisions(
    document: &mut Document,
    given: &Given,
    spans: &[Span],
    objects: &[Objects],
    events: &[Event],
) -> Result<Vec<Revision>, Fault> {
    let shown = spans.len().saturating_sub(TOLD);
    let mut revisions = Vec::new();
    let mut before = None;
    for (index, (span, objects)) in spans.iter().zip(objects).enumerate().skip(shown.saturating_sub(1)) {
        let is_newest = index + 1 == spans.len();
        let save = match is_newest {
            true => Save { saved_at: given.layers.saved_at(), producer: given.layers.producer().map(str::to_owned) },
            false => Save::read(document, span)?,
        };
        if index >= shown {
            let own = match &before {
                Some(before) => save.clone().own(before),
                None => save.clone(),
            };
            revisions.push(revision(document, given, span, (*objects, is_newest), own, events)?);
        }
        before = Some(save);
    }
    Ok(revisions)
}

fn revision(
    document: &mut Document,
    given: &Given,
    span: &Span,
    (objects, is_newest): (Objects, bool),
    save: Save,
    events: &[Event],
) -> Result<Revision, Fault> {
    let own = || events.iter().filter(|event| event.revision == span.number);
    let changes: BTreeSet<Change> = own().filter_map(|event| event.deed.change()).collect();
    let pages: BTreeSet<u32> = own().filter_map(|event| event.page).collect();
    let mut signed =
        own().any(|event| matches!(event.deed, Deed::Signature | Deed::VisibleSignature | Deed::TimeStamp));
    if span.number == 1 && (given.is_signed || !is_newest) {
        let signatures = signatures::signatures(document, span.state(), span.root, &Map::default())?;
        signed = signatures.is_none_or(|signatures| !signatures.is_empty());
    }
    Ok(Revision {
        number: span.number,
        end: span.end,
        saved_at: save.saved_at,
        producer: save.producer,
        objects,
        changes: changes.into_iter().collect(),
        pages: pages.into_iter().take(TOLD).collect(),
        signed,
    })
}

/// The pages of a state, and its signatures by their fields; none of these if there are too many fields.
struct Looked {
    state: State,
    pages: Rc<Pages>,
    signed: Option<BTreeMap<u32, Signed>>,
}

/// A revision being held against the one before it.
struct Comparison<'c, 'e, 's> {
    examiner: &'c mut Examiner<'e, 's>,
    /// What was last looked at.
    last: &'c mut Option<Looked>,
    /// Objects that were signatures in some state.
    signed: &'c mut BTreeSet<u32>,
    is_signed: bool,
}

impl Comparison<'_, '_, '_> {
    /// Compares one revision with the one before it.
    fn step(&mut self, older: &Span, span: &Span, objects: &mut Objects) -> Result<(), Fault> {
        let Deltas { changed, touched, is_cut } = deltas(self.examiner.document, span)?;
        self.examiner.is_whole &= !is_cut;
        count(&changed, objects);
        self.examiner.told.clear();
        let mut step = Step {
            revision: span.number,
            pair: Pair { old: span.before(), new: span.state() },
            roots: [older.root, span.root],
            info: older.info,
            pages: [Rc::default(), Rc::default()],
            touched,
            signed: [BTreeMap::new(), BTreeMap::new()],
            filled: BTreeSet::new(),
            needs_appearances: false,
        };
        self.trailer(&step, older, span)?;
        document_info::changed(self.examiner, &step, span.info, &changed)?;
        if self.is_only_info(older, span, &changed) {
            return Ok(());
        }
        let places = self.prepare(&mut step, older, span, &changed)?;
        let examiner = &mut *self.examiner;
        signature::fields(examiner, &step)?;
        page_tree::changed(examiner, &step)?;
        catalog::changed(examiner, &step)?;
        for (delta, places) in changed.iter().zip(places) {
            self.explain(&step, delta, places)?;
        }
        for delta in changed.iter().filter(|delta| delta.new.is_absent()) {
            self.examiner.map.forget(delta.number);
        }
        Ok(())
    }

    /// Whether nothing but the document information dictionary was written. In a signed file that takes a closer look: it
    /// may be something else as well.
    fn is_only_info(&self, older: &Span, span: &Span, changed: &[Delta]) -> bool {
        let is_info = |delta: &Delta| {
            let is_plain = |stored: &Stored| stored.body().is_none_or(|body| body.stream.is_none());
            let numbers = [older.info, span.info].map(|info| info.map(|info| info.number));
            numbers[1] == Some(delta.number)
                && (delta.old.is_absent() || numbers[0] == numbers[1])
                && !delta.is_ambiguous
                && is_plain(&delta.old)
                && is_plain(&delta.new)
        };
        older.root == span.root && changed.iter().all(|delta| delta.is_wrapping() || !self.is_signed && is_info(delta))
    }

    /// What the trailer says, and what stands loose beside it.
    fn trailer(&mut self, step: &Step, older: &Span, span: &Span) -> Result<(), Fault> {
        if older.encryption != span.encryption {
            self.examiner.tell(step, Deed::Unexplained, Subject::Encryption, Told::default());
        }
        if !self.is_signed {
            return Ok(());
        }
        let is_closed = older.is_closed && span.is_closed;
        if !is_closed || layout::is_too_small(self.examiner.document, older, span)? {
            self.examiner.is_whole = false;
        }
        for loose in layout::loose(self.examiner.document, older, span)? {
            self.examiner.is_whole = false;
            if loose.has_objects {
                let told = Told { is_hidden: true, ..Told::default() };
                self.examiner.tell(step, Deed::Unexplained, Subject::Bytes(loose.place.into()), told);
            }
        }
        Ok(())
    }

    /// Learns what the objects are there for, and what has to be known before any of them is explained: the places that led
    /// to each before the revision. Other places are new in those that lead there, and explained with these.
    fn prepare(
        &mut self,
        step: &mut Step,
        older: &Span,
        span: &Span,
        changed: &[Delta],
    ) -> Result<Vec<Vec<Place>>, Fault> {
        let root = |root: Option<Id>| {
            root.map(|root| Reached { number: root.number, place: Place { role: Role::Catalog, owner: 0 }, from: 0 })
        };
        let examiner = &mut *self.examiner;
        examiner.map.follow(examiner.document, step.pair.old, root(older.root))?;
        let before = match self.last.take() {
            Some(last) if last.state == step.pair.old => last,
            _ => Looked {
                state: step.pair.old,
                pages: Rc::new(Pages::read(examiner.document, step.pair.old, older.root, &examiner.map)?),
                signed: signatures::signatures(examiner.document, step.pair.old, older.root, &examiner.map)?,
            },
        };
        let is_tree_touched = older.root != span.root
            || changed.iter().any(|delta| {
                let places = examiner.map.places(delta.number);
                places.iter().any(|place| matches!(place.role, Role::Catalog | Role::Node | Role::Page))
            });
        let known: Vec<Vec<Place>> = changed.iter().map(|delta| examiner.map.places(delta.number).to_vec()).collect();
        self.follow(step, changed, root(span.root))?;
        let examiner = &mut *self.examiner;
        let pages = match is_tree_touched || before.pages.is_cut {
            true => Rc::new(Pages::read(examiner.document, step.pair.new, span.root, &examiner.map)?),
            false => Rc::clone(&before.pages),
        };
        let signed = signatures::signatures(examiner.document, step.pair.new, span.root, &examiner.map)?;
        examiner.is_whole &= before.signed.is_some() && signed.is_some();
        step.pages = [before.pages, Rc::clone(&pages)];
        step.signed = [before.signed.unwrap_or_default(), signed.clone().unwrap_or_default()];
        *self.last = Some(Looked { state: step.pair.new, pages, signed });
        self.signed.extend(step.signed.iter().flat_map(BTreeMap::values).map(|signed| signed.value));
        for (state, root) in [(step.pair.old, older.root), (step.pair.new, span.root)] {
            let form = signatures::form(examiner.document, state, root)?;
            step.needs_appearances |= form.get(b"NeedAppearances") == &Object::Boolean(true);
        }
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
        let examiner = &mut *self.examiner;
        let mut from: Vec<Reached> = root.into_iter().collect();
        for delta in changed {
            let Some(new) = delta.new.body() else { continue };
            for &place in examiner.map.places(delta.number) {
                let role = place.role.refined(new.dictionary());
                let below = edges(role, &new.object, new.stream.is_some()).into_iter();
                from.extend(below.map(|(number, role)| {
                    let owner = if role == Role::Node { 0 } else { place.owner };
                    Reached { number, place: Place { role, owner }, from: delta.number }
                }));
            }
        }
        examiner.map.follow(examiner.document, step.pair.new, from)
    }

    /// Explains an object at every place that led to it.
    fn explain(&mut self, step: &Step, delta: &Delta, mut places: Vec<Place>) -> Result<(), Fault> {
        let examiner = &mut *self.examiner;
        if places.is_empty() && examiner.map.is_cut {
            // something may lead to it that was not looked at
            let guessed = delta.body().and_then(guess);
            examiner.is_whole &= guessed.is_some_and(|_| !self.is_signed);
            places.extend(guessed.map(|role| Place { role, owner: 0 }));
        }
        let examiner = &mut *self.examiner;
        examiner.is_whole &= !(self.is_signed && examiner.map.is_cut);
        if places.is_empty() {
            let is_tag = delta.body().and_then(guess) == Some(Role::Structure);
            if is_tag || self.is_signed && is_tagged(examiner, step, delta)? {
                catalog::tags(examiner, step, delta);
            }
            let is_info = step.info.is_some_and(|info| info.number == delta.number);
            return if is_info { doubt(examiner, step, delta) } else { Ok(()) };
        }
        if delta.new.is_absent() && !is_referred_to(examiner, step, delta.number)? {
            return Ok(());
        }
        let told = examiner.events.len();
        if !delta.old.is_unreadable() && !delta.new.is_unreadable() {
            for place in places {
                rule(examiner, step, delta, place)?;
            }
        }
        if examiner.events.len() == told {
            doubt(examiner, step, delta)?;
        }
        Ok(())
    }
}

/// Whether an object that was there before is part of how the document is tagged.
fn is_tagged(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<bool, Fault> {
    if delta.old.is_absent() || delta.is_wrapping() {
        return Ok(false);
    }
    examiner.map.follow_tags(examiner.document, step.pair.old)?;
    Ok(examiner.map.is(delta.number, Role::Tag))
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

/// Whether anything still refers to an object that was deleted.
fn is_referred_to(examiner: &mut Examiner, step: &Step, number: u32) -> Result<bool, Fault> {
    let referrers: Vec<u32> = examiner.map.referrers(number).collect();
    for referrer in referrers {
        if referrer == 0 {
            return Ok(true);
        }
        let Some(body) = examiner.document.body_in(step.pair.new, referrer)? else { continue };
        for place in examiner.map.places(referrer) {
            let edges = edges(place.role, &body.object, body.stream.is_some());
            if edges.iter().any(|(below, _)| *below == number) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Applies the rule of a place.
fn rule(examiner: &mut Examiner, step: &Step, delta: &Delta, place: Place) -> Result<(), Fault> {
    let Place { role, owner } = place;
    // what was missing shows only now what it is
    let [old, new] = [&delta.old, &delta.new].map(|stored| stored.body().and_then(|body| body.dictionary()));
    let role = if old.is_none() { role.refined(new) } else { role };
    match role {
        Role::Catalog => Ok(()),
        Role::Node => page::node(examiner, step, delta),
        Role::Page => page::changed(examiner, step, delta),
        Role::Drawn => drawn::changed(examiner, step, delta, owner),
        Role::Annotations => annotation::list(examiner, step, delta, owner),
        Role::Annotation | Role::Attached => annotation::changed(examiner, step, delta, (role, owner)),
        Role::Form => form::changed(examiner, step, delta),
        Role::FormResources | Role::ResourceNames => form::resources(examiner, step, delta, role),
        Role::FormPart => form::part(examiner, step, delta),
        Role::Xfa => form::packet(examiner, step, delta),
        Role::Field => field::changed(examiner, step, delta, owner),
        Role::FieldValue | Role::Appearance | Role::FieldPart => field::part(examiner, step, delta, (role, owner)),
        Role::Signature | Role::Permissions => {
            signature::value(examiner, step, delta);
            Ok(())
        }
        Role::Names => catalog::names(examiner, step, delta),
        Role::Metadata => document_info::metadata(examiner, step, delta),
        Role::Document(key) => catalog::value(examiner, step, key, delta),
        Role::Validation => {
            catalog::validation(examiner, step, delta);
            Ok(())
        }
        Role::Structure | Role::Tag => {
            catalog::tags(examiner, step, delta);
            Ok(())
        }
    }
}

/// Tells of an object of which no rule had anything to say although it is not as it was: one that cannot be read, or that
/// readers may take for different things.
fn doubt(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<(), Fault> {
    let is_strict = match (delta.old.body(), delta.new.body()) {
        (Some(old), Some(new)) => step.pair.are_strict(examiner.document, old, new)?,
        _ => !delta.old.is_unreadable() && !delta.new.is_unreadable(),
    };
    if is_strict && !delta.is_ambiguous {
        return Ok(());
    }
    let told = Told {
        object: Some(delta.number),
        before: show::body(delta.old.body()),
        after: show::body(delta.new.body()),
        is_hidden: true,
        ..Told::default()
    };
    let deed = if delta.is_ambiguous { Deed::Unexplained } else { Deed::Ambiguous };
    examiner.is_whole = false;
    examiner.tell(step, deed, Subject::Object, told);
    Ok(())
}
