//! Which objects a revision touched: those that may read differently after it, by any reader.

use std::collections::BTreeSet;

use super::equal::Pair;
use super::indeterminate::{Indeterminate, Limit};
use super::span::Span;
use crate::document::Document;
use crate::document::objects::{Body, Stored};
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use crate::xref::entries::XrefEntry;

/// Objects that are looked at in one revision, and how many of them may have changed.
const TOUCHED: usize = 20_000;
const CHANGED: usize = 2_000;
/// What is read of each old state in one round, in bytes.
const OLD: u64 = 1 << 10;

/// An object that a revision touched and that is not as it was.
#[derive(Debug)]
pub(crate) struct Delta {
    pub(crate) number: u32,
    /// As the revision found it.
    pub(crate) old: Stored,
    /// As the revision left it.
    pub(crate) new: Stored,
    /// Whether the new place lies inside an earlier revision, where nobody writes any more.
    pub(crate) is_repointed: bool,
    /// Whether other readers may find something else, or nothing, under its number.
    pub(crate) is_ambiguous: bool,
}

/// What a revision touched.
#[derive(Debug, Default)]
pub(crate) struct Deltas {
    /// What is not as it was.
    pub(crate) changed: Vec<Delta>,
    /// Numbers of all that was touched.
    pub(crate) touched: BTreeSet<u32>,
    /// Why that is not all, if it is not.
    pub(crate) open: Option<Indeterminate>,
}

/// A number that may read differently.
struct TouchedObject {
    number: u32,
    old: XrefEntry,
    new: XrefEntry,
    /// What else the revision's own parts say of it.
    others: Vec<XrefEntry>,
    /// Its generations by the cross-reference, before and after, as far as that is told.
    generations: [Option<u64>; 2],
}

/// What a revision touched.
pub(crate) fn deltas(document: &mut Document, span: &Span) -> Result<Deltas, Fault> {
    let mut touched = touched(document, span)?;
    let limit = if touched.len() > TOUCHED { Some(Limit::Objects) } else { span.limit };
    let mut deltas = Deltas { open: limit.map(Indeterminate::Limit), ..Deltas::default() };
    touched.truncate(TOUCHED);
    prefetch(document, span, &touched)?;
    let mut containers = BTreeSet::new();
    for touched in &touched {
        deltas.compare(document, span, touched, &mut containers)?;
    }
    // What stands in an object stream that was written anew moved along with it. Nobody writes one anew as long as
    // something in it counts: readers may have kept the old one.
    for number in members(document, span, &containers)? {
        let what = format!("revision {} writes an object stream again that has object {number}", span.number);
        deltas.open = Some(Indeterminate::NotUnderstood(what));
        if !deltas.touched.contains(&number) {
            let entry = document.entry(span.state(), number)?;
            let member = TouchedObject { number, old: entry, new: entry, others: Vec::new(), generations: [None; 2] };
            deltas.compare(document, span, &member, &mut containers)?;
        }
    }
    Ok(deltas)
}

impl Deltas {
    /// Compares the two states of an object, and takes note of object streams.
    fn compare(
        &mut self,
        document: &mut Document,
        span: &Span,
        touched: &TouchedObject,
        containers: &mut BTreeSet<u32>,
    ) -> Result<(), Fault> {
        let pair = Pair { old: span.before(), new: span.state() };
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
        if self.changed.len() == CHANGED {
            self.open = Some(Indeterminate::Limit(Limit::Objects));
            return Ok(());
        }
        let is_repointed = matches!(touched.new, XrefEntry::At(offset) if offset < span.start);
        self.changed.push(Delta { number: touched.number, old, new, is_repointed, is_ambiguous });
        Ok(())
    }
}

impl Delta {
    /// Its values before and after; null where there is none.
    pub(crate) fn objects(&self) -> [&Object; 2] {
        [&self.old, &self.new].map(|stored| stored.body().map_or(&Object::Null, |body| &body.object))
    }

    /// Its dictionaries before and after, if it is one or a stream.
    pub(crate) fn dictionaries(&self) -> [Option<&Dictionary>; 2] {
        self.objects().map(Object::as_dictionary)
    }

    /// Its newest body.
    pub(crate) fn body(&self) -> Option<&Body> {
        self.new.body().or(self.old.body())
    }

    /// Whether all it ever did was to hold other objects, or the cross-reference (7.5.7, 7.5.8).
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
    /// Whether readers may differ: who goes by generations or by another entry of the number finds something else, and so
    /// does who takes what stands in the middle of a number for another one.
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
        for &other in &self.others {
            let other = document.stored(pair.new, self.number, other)?;
            if !are_same(document, pair, old, &other)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Numbers whose entries differ, or of which a revision says more than one thing.
fn touched(document: &mut Document, span: &Span) -> Result<Vec<TouchedObject>, Fault> {
    let mut touched = Vec::new();
    for &number in span.numbers.iter().filter(|&&number| number > 0) {
        touched.extend(look(document, span, number)?);
        if touched.len() > TOUCHED {
            break;
        }
    }
    Ok(touched)
}

/// What a revision says of a number, if that may be news.
fn look(document: &mut Document, span: &Span, number: u32) -> Result<Option<TouchedObject>, Fault> {
    let new = document.entry(span.state(), number)?;
    let old = document.entry(span.before(), number)?;
    let (xref, reader, budget) = (&document.xref, &mut document.reader, &mut document.budget);
    // of several saves each may have its own entry
    let own = if span.is_joined { span.parts.start..span.parts.start + 1 } else { span.parts.clone() };
    let own = xref.listings(own, number, reader, budget)?;
    let others: Vec<XrefEntry> = own.iter().map(|(entry, _)| *entry).filter(|&entry| entry != new).collect();
    let generation = |listings: &[(XrefEntry, Option<u64>)], wanted: XrefEntry| {
        listings.iter().find(|(entry, _)| *entry == wanted).and_then(|(_, generation)| *generation)
    };
    let mut generations = [None, generation(&own, new)];
    if old != XrefEntry::Free && new != XrefEntry::Free {
        generations[0] = xref.generation(span.parts.end, number, |entry| entry == old, (reader, budget))?;
    }
    let is_raised = matches!(generations, [Some(before), Some(after)] if before != after);
    let is_moved = match (old, new) {
        // its container may be another by the same number
        (XrefEntry::In { stream, .. }, XrefEntry::In { .. }) if old == new => {
            document.entry(span.before(), stream)? != document.entry(span.state(), stream)?
        }
        _ => old != new,
    };
    Ok((is_moved || is_raised || !others.is_empty()).then_some(TouchedObject { number, old, new, others, generations }))
}

/// The numbers of what stands in these object streams after the revision.
fn members(document: &mut Document, span: &Span, containers: &BTreeSet<u32>) -> Result<BTreeSet<u32>, Fault> {
    let mut listed = BTreeSet::new();
    let parts = document.xref.parts.get(span.parts.start..).filter(|_| !containers.is_empty());
    let sections = parts.unwrap_or_default().iter();
    let sections: Vec<usize> = sections.flat_map(|part| part.sections.clone()).collect();
    for section in sections.into_iter().filter_map(|index| document.xref.sections.get(index)) {
        for number in section.numbers() {
            document.budget.work(1)?;
            let index = number.saturating_sub(section.first);
            let found = section.rows.entry(number, index, &mut document.reader)?;
            if matches!(found, Some(XrefEntry::In { stream, .. }) if containers.contains(&stream))
                && listed.len() <= TOUCHED
            {
                listed.insert(number);
            }
        }
    }
    let mut members = BTreeSet::new();
    for number in listed {
        let entry = document.entry(span.state(), number)?;
        if matches!(entry, XrefEntry::In { stream, .. } if containers.contains(&stream)) {
            members.insert(number);
        }
    }
    Ok(members)
}

/// Reads the old states in one round.
fn prefetch(document: &mut Document, span: &Span, touched: &[TouchedObject]) -> Result<(), Fault> {
    if document.reader.is_in_memory() {
        return Ok(());
    }
    let mut places = Vec::new();
    for touched in touched {
        let entry = match touched.old {
            XrefEntry::In { stream, .. } => document.entry(span.before(), stream)?,
            entry => entry,
        };
        if let XrefEntry::At(offset) = entry {
            places.push(offset..offset.saturating_add(OLD));
        }
    }
    document.reader.prefetch(&places)
}

fn is_container(body: &Body) -> bool {
    body.stream.is_some() && body.dictionary().is_some_and(|dictionary| dictionary.is_type(b"ObjStm"))
}
