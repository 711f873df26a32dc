//! The objects that a revision changed: those that may read differently after it, in any reader.

use std::collections::BTreeSet;

use super::equal::Pair;
use super::indeterminate::{Indeterminate, Limit};
use super::revision_range::RevisionRange;
use crate::integrity::clause::Clause;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum objects examined and maximum changed objects in one revision.
const MAX_TOUCHED: usize = 20_000;
const MAX_CHANGED: usize = 2_000;
/// Bytes prefetched for each old state.
const OLD_STATE_READ_BYTES: u64 = 1 << 10;

/// An object that a revision touched and changed.
#[derive(Debug)]
pub(crate) struct ObjectChange {
    pub(crate) number: u32,
    /// The object before the revision.
    pub(crate) old: Stored,
    /// The object after the revision.
    pub(crate) new: Stored,
    /// Whether the new entry points into an earlier revision, where a writer has no reason to write.
    pub(crate) is_repointed: bool,
    /// Whether the result of looking it up depends on the reader.
    pub(crate) is_ambiguous: bool,
    /// Whether it is another object with the same number and a higher generation (7.3.10).
    pub(crate) has_new_generation: bool,
}

/// The objects that a revision touched.
#[derive(Debug, Default)]
pub(crate) struct ObjectChanges {
    /// The changed objects.
    pub(crate) changed: Vec<ObjectChange>,
    /// The numbers of all touched objects.
    pub(crate) touched: BTreeSet<u32>,
    /// Why the list is incomplete, if it is.
    pub(crate) open: Option<Indeterminate>,
}

/// An object number whose value may change.
struct TouchedObject {
    number: u32,
    old: XrefEntry,
    new: XrefEntry,
    /// Other entries for it in the same revision.
    others: Vec<XrefEntry>,
    /// Its generations in the cross-reference before and after, if stated.
    generations: [Option<u64>; 2],
}

/// Reads the objects changed by a revision.
pub(crate) fn object_changes(document: &mut Document, range: &RevisionRange) -> Result<ObjectChanges, Fault> {
    let mut touched = touched(document, range)?;
    let limit = if touched.len() > MAX_TOUCHED { Some(Limit::Objects) } else { range.limit };
    let mut object_changes = ObjectChanges { open: limit.map(Indeterminate::Limit), ..ObjectChanges::default() };
    touched.truncate(MAX_TOUCHED);
    prefetch(document, range, &touched)?;
    let mut containers = BTreeSet::new();
    for touched in &touched {
        object_changes.compare(document, range, touched, &mut containers)?;
    }
    // Members of a rewritten object stream moved with it. Writers do not rewrite a stream with live members: readers
    // may have kept the old one.
    for number in members(document, range, &containers)? {
        let what = Clause::of(
            "revision {} writes an object stream again that has object {}",
            &[range.number.into(), number.into()],
        );
        object_changes.open = Some(Indeterminate::NotUnderstood(what));
        if !object_changes.touched.contains(&number) {
            let entry = document.entry(range.state(), number)?;
            let member = TouchedObject { number, old: entry, new: entry, others: Vec::new(), generations: [None; 2] };
            object_changes.compare(document, range, &member, &mut containers)?;
        }
    }
    Ok(object_changes)
}

impl ObjectChanges {
    /// Compares the two states of an object; collects object streams.
    fn compare(
        &mut self,
        document: &mut Document,
        range: &RevisionRange,
        touched: &TouchedObject,
        containers: &mut BTreeSet<u32>,
    ) -> Result<(), Fault> {
        let pair = Pair::of(range.before(), range.state());
        let old = document.stored(pair.old, touched.number, touched.old)?;
        let new = document.stored(pair.new, touched.number, touched.new)?;
        self.touched.insert(touched.number);
        let is_ambiguous = touched.is_ambiguous(document, pair, &old, &new)?;
        if !is_ambiguous && are_same(document, pair, &old, &new)? {
            return Ok(());
        }
        if old.body().is_some_and(is_container) {
            containers.insert(touched.number);
        }
        if self.changed.len() == MAX_CHANGED {
            self.open = Some(Indeterminate::Limit(Limit::Objects));
            return Ok(());
        }
        let is_repointed = matches!(touched.new, XrefEntry::At(offset) if offset < range.start);
        let has_new_generation = touched.has_new_generation(&old, &new);
        let number = touched.number;
        self.changed.push(ObjectChange { number, old, new, is_repointed, is_ambiguous, has_new_generation });
        Ok(())
    }
}

impl ObjectChange {
    /// Its values before and after; null if missing.
    pub(crate) fn objects(&self) -> [&Object; 2] {
        [&self.old, &self.new].map(|stored| stored.body().map_or(&Object::Null, |body| &body.object))
    }

    /// Its dictionaries before and after, also of streams.
    pub(crate) fn dictionaries(&self) -> [Option<&Dictionary>; 2] {
        self.objects().map(Object::as_dictionary)
    }

    /// Its newest body.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.new.body().or(self.old.body())
    }

    /// Whether it only ever contained other objects or the cross-reference (7.5.7, 7.5.8).
    pub(crate) fn is_wrapping(&self) -> bool {
        let is_wrapping = |body: &Body| is_container(body) || body.dictionary().is_some_and(|it| it.is_type(b"XRef"));
        let mut bodies = [&self.old, &self.new].into_iter().filter_map(Stored::body).peekable();
        bodies.peek().is_some() && bodies.all(is_wrapping)
    }
}

fn are_same(document: &mut Document, pair: Pair, old: &Stored, new: &Stored) -> Result<bool, Fault> {
    match (old, new) {
        (Stored::Absent, Stored::Absent) => Ok(true),
        (Stored::Object(old), Stored::Object(new)) => pair.same_body(document, old, new),
        _ => Ok(false),
    }
}

impl TouchedObject {
    /// Whether lookup is reader-dependent: by generations, by another entry of the number, or by an offset within a
    /// number.
    fn is_ambiguous(&self, document: &mut Document, pair: Pair, old: &Stored, new: &Stored) -> Result<bool, Fault> {
        if let Some(new) = new.body() {
            let [before, after] = self.generations;
            let own = u64::from(new.id.generation);
            let was = old.body().map_or(own, |old| u64::from(old.id.generation));
            if !document.is_exact(pair.new, new)?
                || was != own
                || [before, after].into_iter().flatten().any(|other| other != own)
            {
                return Ok(true);
            }
        }
        let again = Pair::of(pair.new, pair.new);
        for &other in &self.others {
            let other = document.stored(pair.new, self.number, other)?;
            // a copy that is equal to the object is read alike
            if !are_same(document, pair, old, &other)? && !are_same(document, again, new, &other)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether its only new entry and its header raise the generation.
    fn has_new_generation(&self, old: &Stored, new: &Stored) -> bool {
        let (Some(old), Some(new)) = (old.body(), new.body()) else { return false };
        let [before, after] = [old, new].map(|body| u64::from(body.id.generation));
        self.others.is_empty() && before < after && self.generations == [Some(before), Some(after)]
    }
}

/// Numbers whose entries differ or that a revision lists more than once.
fn touched(document: &mut Document, range: &RevisionRange) -> Result<Vec<TouchedObject>, Fault> {
    let mut touched = Vec::new();
    for &number in range.numbers.iter().filter(|&&number| number > 0) {
        touched.extend(inspect(document, range, number)?);
        if touched.len() > MAX_TOUCHED {
            break;
        }
    }
    Ok(touched)
}

/// Inspects the entries of a number; `None` if nothing can have changed.
fn inspect(document: &mut Document, range: &RevisionRange, number: u32) -> Result<Option<TouchedObject>, Fault> {
    let new = document.entry(range.state(), number)?;
    let old = document.entry(range.before(), number)?;
    let (xref, reader, budget) = (&document.xref, &mut document.reader, &mut document.budget);
    // each of several updates may have its own entry
    let own = if range.is_joined { range.parts.start..range.parts.start + 1 } else { range.parts.clone() };
    let own = xref.listings(own, number, reader, budget)?;
    let others: Vec<XrefEntry> = own.iter().map(|(entry, _)| *entry).filter(|&entry| entry != new).collect();
    let generation = |listings: &[(XrefEntry, Option<u64>)], wanted: XrefEntry| {
        listings.iter().find(|(entry, _)| *entry == wanted).and_then(|(_, generation)| *generation)
    };
    let mut generations = [None, generation(&own, new)];
    if range.is_joined && generations[1].is_none() && new != XrefEntry::Free {
        generations[1] = xref.generation(range.parts.start, number, |entry| entry == new, (reader, budget))?;
    }
    if old != XrefEntry::Free && new != XrefEntry::Free {
        generations[0] = xref.generation(range.parts.end, number, |entry| entry == old, (reader, budget))?;
    }
    let is_raised = matches!(generations, [Some(before), Some(after)] if before != after);
    let is_moved = match (old, new) {
        // its object stream may be another one with the same number
        (XrefEntry::In { stream, .. }, XrefEntry::In { .. }) if old == new => {
            document.entry(range.before(), stream)? != document.entry(range.state(), stream)?
        }
        _ => old != new,
    };
    Ok((is_moved || is_raised || !others.is_empty()).then_some(TouchedObject { number, old, new, others, generations }))
}

/// The members of these object streams after the revision.
fn members(document: &mut Document, range: &RevisionRange, containers: &BTreeSet<u32>) -> Result<BTreeSet<u32>, Fault> {
    let mut listed = BTreeSet::new();
    let parts = document.xref.parts.get(range.parts.start..).filter(|_| !containers.is_empty());
    let sections = parts.unwrap_or_default().iter();
    let sections: Vec<usize> = sections.flat_map(|part| part.sections.clone()).collect();
    for section in sections.into_iter().filter_map(|index| document.xref.sections.get(index)) {
        for number in section.numbers() {
            document.budget.work(1)?;
            let index = number.saturating_sub(section.first);
            let found = section.rows.entry(number, index, &mut document.reader)?;
            if matches!(found, Some(XrefEntry::In { stream, .. }) if containers.contains(&stream))
                && listed.len() <= MAX_TOUCHED
            {
                listed.insert(number);
            }
        }
    }
    let mut members = BTreeSet::new();
    for number in listed {
        let entry = document.entry(range.state(), number)?;
        if matches!(entry, XrefEntry::In { stream, .. } if containers.contains(&stream)) {
            members.insert(number);
        }
    }
    Ok(members)
}

/// Prefetches the old states in one round.
fn prefetch(document: &mut Document, range: &RevisionRange, touched: &[TouchedObject]) -> Result<(), Fault> {
    if document.reader.is_in_memory() {
        return Ok(());
    }
    let mut places = Vec::new();
    for touched in touched {
        let entry = match touched.old {
            XrefEntry::In { stream, .. } => document.entry(range.before(), stream)?,
            entry => entry,
        };
        if let XrefEntry::At(offset) = entry {
            places.push(offset..offset.saturating_add(OLD_STATE_READ_BYTES));
        }
    }
    document.reader.prefetch(&places)
}

/// Whether it is an object stream (7.5.7).
pub(super) fn is_container(body: &Body) -> bool {
    body.stream.is_some() && body.dictionary().is_some_and(|dictionary| dictionary.is_type(b"ObjStm"))
}
