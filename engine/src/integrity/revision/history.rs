//! Goes through the revisions from the oldest to the newest and puts together what each did.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::Pair;
use super::cover::COVERS;
use super::delta::{Delta, deltas};
use super::document_info::Told;
use super::page_tree;
use super::role::{Role, edges, guess};
use super::signed::{self, Signed};
use super::span::{self, Span};
use super::walk::{Known, Map};
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::Given;
use crate::integrity::event::{Deed, Event};
use crate::integrity::report::{Change, Evidence, ExaminedRevisions, Objects, Revision};
use crate::syntax::object::Id;

/// Revisions told of, and pages of each.
const TOLD: usize = 50;
/// Bytes of one revision, and of all, that are read at once where the file is not in memory.
const READ: u64 = 2 << 20;
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
    /// Everything that was done after the oldest one, in order.
    pub(crate) events: Vec<Event>,
    pub(crate) examined: ExaminedRevisions,
}

/// One revision being compared with the one before it.
pub(super) struct Step {
    pub(super) revision: u32,
    pub(super) pair: Pair,
    /// The document information dictionary before.
    pub(super) info: Option<Id>,
    /// Numbers of the page objects, in order, before and after; none where they cannot be told.
    pub(super) pages: [Option<Vec<u32>>; 2],
    /// Objects touched, changed or not.
    pub(super) touched: BTreeSet<u32>,
    /// Signatures before and after, by their fields' numbers.
    pub(super) signed: [BTreeMap<u32, Signed>; 2],
}

/// What is known while revisions are compared.
pub(super) struct Examiner<'e, 's> {
    pub(super) document: &'e mut Document<'s>,
    pub(super) map: Map,
    pub(super) events: Vec<Event>,
    /// Objects that an event of this revision tells of already.
    pub(super) told: BTreeSet<(u32, u32)>,
    /// How many annotations may still be held against what pages show.
    pub(super) covers_left: usize,
    is_walked: bool,
    is_whole: bool,
}

/// Compares the revisions of a file that was not repaired.
pub(crate) fn examine(document: &mut Document, given: &Given) -> Result<History, Fault> {
    let (total, mut spans) = span::spans(document)?;
    let mut is_whole = total == spans.len();
    let mut examiner = Examiner {
        document,
        map: Map::new(),
        events: Vec::new(),
        told: BTreeSet::new(),
        covers_left: COVERS,
        is_walked: false,
        is_whole: true,
    };
    let mut objects = vec![Objects::default(); spans.len()];
    if spans.len() > 1 {
        is_whole &= prefetch(examiner.document, &spans)?;
    }
    span::find_ends(examiner.document, &mut spans)?;
    for index in 1..spans.len() {
        let (Some(older), Some(span), Some(objects)) = (spans.get(index - 1), spans.get(index), objects.get_mut(index))
        else {
            break;
        };
        match examiner.step(older, span, objects) {
            Ok(()) => {}
            Err(Fault::Source(error)) => return Err(Fault::Source(error)),
            Err(_) => examiner.is_whole = false,
        }
    }
    is_whole &= examiner.is_whole;
    let mut events = std::mem::take(&mut examiner.events);
    events.sort_by_key(|event| event.revision);
    let document = examiner.document;
    if let Some(oldest) = objects.first_mut() {
        oldest.added = document.xref.objects().min(u64::from(u32::MAX)) as u32;
    }
    let mut revisions = Vec::new();
    for (span, objects) in spans.iter().zip(objects).rev().take(TOLD) {
        revisions.push(revision(document, given, span, (objects, span.number as usize == total), &events)?);
    }
    revisions.reverse();
    let examined = if is_whole { ExaminedRevisions::All } else { ExaminedRevisions::Newest };
    Ok(History { revisions, total: total as u32, events, examined })
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

fn revision(
    document: &mut Document,
    given: &Given,
    span: &Span,
    (objects, is_newest): (Objects, bool),
    events: &[Event],
) -> Result<Revision, Fault> {
    let own = || events.iter().filter(|event| event.revision == span.number);
    let changes: BTreeSet<Change> = own().filter_map(|event| event.deed.change()).collect();
    let pages: BTreeSet<u32> = own().filter_map(|event| event.evidence.page).collect();
    let mut signed =
        own().any(|event| event.deed == Deed::Signature || event.evidence.after.as_deref() == Some("DocTimeStamp"));
    if span.number == 1 && (given.is_signed || !is_newest) {
        signed = !signed::signatures(document, span.state(), span.root)?.is_empty();
    }
    let told = match is_newest {
        true => Told { saved_at: given.layers.saved_at(), producer: given.layers.producer().map(str::to_owned) },
        false => Told::read(document, span)?,
    };
    Ok(Revision {
        number: span.number,
        end: span.end,
        saved_at: told.saved_at,
        producer: told.producer,
        objects,
        changes: changes.into_iter().collect(),
        pages: pages.into_iter().take(TOLD).collect(),
        signed,
    })
}

impl Examiner<'_, '_> {
    /// Compares one revision with the one before it.
    fn step(&mut self, older: &Span, span: &Span, objects: &mut Objects) -> Result<(), Fault> {
        let pair = Pair { old: span.before(), new: span.state() };
        let (all, is_whole) = deltas(self.document, span)?;
        self.is_whole &= is_whole;
        let touched = all.iter().map(|delta| delta.number).collect();
        let mut changed = Vec::new();
        for delta in all {
            let is_same = match (&delta.old, &delta.new) {
                (Some(old), Some(new)) => pair.same_body(self.document, old, new)?,
                _ => false,
            };
            if is_same {
                continue;
            }
            let count = match (&delta.old, &delta.new) {
                (None, _) => &mut objects.added,
                (_, None) => &mut objects.removed,
                _ => &mut objects.changed,
            };
            *count += 1;
            changed.push(delta);
        }
        let mut step = Step {
            revision: span.number,
            pair,
            info: older.info,
            pages: [None, None],
            touched,
            signed: [BTreeMap::new(), BTreeMap::new()],
        };
        self.told.clear();
        self.document_info(&step, older.info, span.info, &changed)?;
        let is_only_info = changed.iter().all(|delta| Some(delta.number) == span.info.map(|info| info.number));
        if is_only_info && older.root == span.root {
            return Ok(());
        }
        self.walk(&step, older.root)?;
        self.follow(&step, &changed, span.root)?;
        step.pages = [
            page_tree::leaves(self.document, pair.old, older.root)?,
            page_tree::leaves(self.document, pair.new, span.root)?,
        ];
        step.signed = [
            signed::signatures(self.document, pair.old, older.root)?,
            signed::signatures(self.document, pair.new, span.root)?,
        ];
        self.signatures(&step);
        self.page_tree(&step)?;
        self.catalog(&step, older.root, span.root, &changed)?;
        for delta in &changed {
            self.classify(&step, delta)?;
        }
        for delta in changed.iter().filter(|delta| delta.new.is_none()) {
            self.map.forget(delta.number);
        }
        Ok(())
    }

    /// Learns what the objects of the oldest state are there for.
    fn walk(&mut self, step: &Step, root: Option<Id>) -> Result<(), Fault> {
        if self.is_walked {
            return Ok(());
        }
        self.is_walked = true;
        let root = root.map(|root| (root.number, Known { role: Role::Catalog, owner: 0 }));
        self.map.follow(self.document, step.pair.old, root)
    }

    /// Learns what new objects are there for, from the changed ones that lead to them.
    fn follow(&mut self, step: &Step, changed: &[Delta], root: Option<Id>) -> Result<(), Fault> {
        let mut from = Vec::new();
        for delta in changed {
            let (Some(known), Some(new)) = (self.map.get(delta.number), &delta.new) else { continue };
            let below = edges(known.role, &new.object).into_iter();
            from.extend(below.map(|(number, role)| (number, Known { role, owner: known.owner })));
        }
        from.extend(root.map(|root| (root.number, Known { role: Role::Catalog, owner: 0 })));
        self.map.follow(self.document, step.pair.new, from)
    }

    fn classify(&mut self, step: &Step, delta: &Delta) -> Result<(), Fault> {
        let known = match self.map.get(delta.number) {
            Some(known) => known,
            // nothing leads to it
            None if self.map.is_complete => return Ok(()),
            None => Known { role: delta.body().map_or(Role::Dull, guess), owner: 0 },
        };
        match known.role {
            Role::Page => self.page(step, delta),
            Role::Content => self.content(step, delta, known.owner),
            Role::Annotations => self.annotation_list(step, delta, known.owner),
            Role::Annotation => self.annotation(step, delta, known.owner),
            Role::Field => self.field(step, delta, known.owner),
            Role::Form => self.form(step, delta),
            Role::Names => self.names(step, delta),
            Role::Metadata => self.metadata(step, delta),
            Role::Document(key) => self.catalog_value(step, key, delta),
            Role::Structure => {
                let evidence = Evidence {
                    object: Some(delta.number),
                    place: Some("StructTreeRoot".to_owned()),
                    ..Evidence::default()
                };
                self.tell(step, Deed::Structure, delta.number, evidence);
                Ok(())
            }
            Role::Signature => {
                self.signature_value(step, delta);
                Ok(())
            }
            Role::Node | Role::Catalog | Role::FormResource | Role::Validation | Role::Dull => Ok(()),
        }
    }

    /// Tells of a deed, once an object.
    pub(super) fn tell(&mut self, step: &Step, deed: Deed, object: u32, evidence: Evidence) {
        self.tell_of_field(step, deed, object, evidence, None);
    }

    /// The same, of a form field.
    pub(super) fn tell_of_field(
        &mut self,
        step: &Step,
        deed: Deed,
        object: u32,
        evidence: Evidence,
        field: Option<String>,
    ) {
        let kind = deed.signal().0 as u32;
        if self.told.insert((kind, object)) {
            self.events.push(Event { revision: step.revision, deed, evidence, field, is_hidden: false });
        }
    }
}

impl Examiner<'_, '_> {
    /// Marks what was just told of an object of this revision as something that hides what was there, if it does.
    pub(super) fn mark_hidden(&mut self, step: &Step, object: u32, hides: bool) {
        let mut own = self.events.iter_mut().rev().take_while(|event| event.revision == step.revision);
        if let Some(event) = own.find(|event| hides && event.evidence.object == Some(object)) {
            event.is_hidden = true;
        }
    }
}

impl Step {
    /// Which page it is, from 1, before or after.
    pub(super) fn page_number(&self, object: u32) -> Option<u32> {
        let [before, after] = &self.pages;
        let place = |pages: &Option<Vec<u32>>| pages.as_ref()?.iter().position(|&page| page == object);
        place(after).or_else(|| place(before)).map(|index| index as u32 + 1)
    }

    /// Whether the page with this number is in the document after the revision; if that cannot be told, it is.
    pub(super) fn has_page(&self, object: u32) -> bool {
        let [_, after] = &self.pages;
        after.as_ref().is_none_or(|pages| pages.contains(&object))
    }

    /// Whether it adds a signature or a time-stamp.
    pub(super) fn signs(&self) -> bool {
        let [before, after] = &self.signed;
        after.iter().any(|(field, signed)| before.get(field) != Some(signed))
    }

    /// The state as it was found.
    pub(super) fn old(&self) -> State {
        self.pair.old
    }
}
