//! Reading ahead: what a few rounds of reads can bring at once need not be waited for one by one.

use std::ops::Range;

use super::Document;
use crate::failure::Fault;
use crate::stream::placed;
use crate::syntax::key::Key;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// How far from the catalog's number objects are read on the chance, in either direction.
const NEIGHBOURS: u32 = 4;

impl Document<'_> {
    /// Reads what the trailer refers to, and on the chance the objects numbered around the catalog: writers number the
    /// root of the page tree and the first page right before or after it.
    pub(crate) fn prefetch_roots(&mut self) -> Result<(), Fault> {
        if self.reader.is_in_memory() {
            return Ok(());
        }
        let trailer = &self.xref.trailer;
        let mut wanted = [Key::Root, Key::Info, Key::Encrypt].map(|key| trailer.get(key).clone()).to_vec();
        if let Some(Id { number, generation }) = trailer.get(Key::Root).as_reference() {
            let around = number.saturating_sub(NEIGHBOURS)..=number.saturating_add(NEIGHBOURS);
            wanted.extend(around.map(|number| Object::Reference(Id { number, generation })));
        }
        self.prefetch(&wanted)
    }

    /// Reads what will be needed next in one round.
    pub(crate) fn prefetch<'o>(&mut self, objects: impl IntoIterator<Item = &'o Object>) -> Result<(), Fault> {
        self.prefetch_starts(objects, placed::OBJECT)
    }

    /// The same for many objects, of which perhaps not all will be needed whole.
    pub(crate) fn prefetch_many(&mut self, objects: &[Object]) -> Result<(), Fault> {
        self.prefetch_starts(objects, placed::SMALL_OBJECT)
    }

    fn prefetch_starts<'o>(&mut self, objects: impl IntoIterator<Item = &'o Object>, size: usize) -> Result<(), Fault> {
        if self.reader.is_in_memory() {
            return Ok(());
        }
        let mut places = self.starts(objects, size)?;
        places.retain(|place| self.reader.at_hand(place.start, size) == 0);
        self.reader.prefetch(&places)
    }

    /// Where so much of each of these objects stands, or of the object stream that it is in.
    pub(crate) fn starts<'o>(
        &mut self,
        objects: impl IntoIterator<Item = &'o Object>,
        size: usize,
    ) -> Result<Vec<Range<u64>>, Fault> {
        let numbers: Vec<u32> = objects.into_iter().filter_map(Object::as_reference).map(|id| id.number).collect();
        self.budget.work(numbers.len() * self.xref.sections.len())?;
        let lines: Vec<_> =
            numbers.iter().filter_map(|&number| self.xref.line_of(number)).map(|at| at..at + 1).collect();
        self.reader.prefetch(&lines)?;
        let mut places = Vec::new();
        for number in numbers {
            match self.place(number) {
                Ok(Some(offset)) => places.push(offset..offset.saturating_add(size as u64)),
                // whether an entry can be read matters once its object is really asked for
                Ok(None) | Err(Fault::Damaged) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(places)
    }

    /// Where the file must be read for an object, or for the object stream it is in.
    fn place(&mut self, number: u32) -> Result<Option<u64>, Fault> {
        let mut entry = self.xref.entry(number, &mut self.reader, &mut self.budget)?;
        if let Entry::In { stream, .. } = entry {
            if self.object_streams.contains_key(&stream) {
                return Ok(None);
            }
            entry = self.xref.entry(stream, &mut self.reader, &mut self.budget)?;
        }
        Ok(if let Entry::At(offset) = entry { Some(offset) } else { None })
    }
}
