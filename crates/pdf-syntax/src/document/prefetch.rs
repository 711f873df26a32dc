//! Prefetching: independent ranges are read in one round instead of one by one.

use std::ops::Range;

use super::Document;
use super::objects::State;
use crate::document::view::View;
use crate::failure::Fault;
use crate::stream::placed;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::XrefEntry;

/// Distance of object numbers around the catalog that are read speculatively.
const SPECULATIVE_NEIGHBORS: u32 = 4;
/// Maximum lookups in cross-reference sections for reading ahead; other objects are read on demand.
const MAX_SECTION_LOOKUPS: usize = 4 << 20;

impl Document<'_> {
    /// Reads the objects referenced by the trailer and, speculatively, the objects numbered around the catalog: writers
    /// number the root of the page tree and the first page next to it.
    pub(crate) fn prefetch_roots(&mut self) -> Result<(), Fault> {
        if self.reader.is_in_memory() {
            return Ok(());
        }
        let trailer = &self.xref.trailer;
        let mut wanted = [b"Root".as_slice(), b"Info", b"Encrypt"].map(|key| trailer.get(key).clone()).to_vec();
        if let Some(Id { number, generation }) = trailer.get(b"Root").as_reference() {
            let around = number.saturating_sub(SPECULATIVE_NEIGHBORS)..=number.saturating_add(SPECULATIVE_NEIGHBORS);
            wanted.extend(around.map(|number| Object::Reference(Id { number, generation })));
        }
        self.newest().prefetch(&wanted)
    }
}

impl View<'_, '_> {
    /// Reads the objects needed next in one round.
    pub fn prefetch<'o>(&mut self, objects: impl IntoIterator<Item = &'o Object>) -> Result<(), Fault> {
        self.prefetch_starts(objects, placed::OBJECT)
    }

    /// Reads the start of many objects, not all of which may be needed completely.
    pub fn prefetch_many<'o>(&mut self, objects: impl IntoIterator<Item = &'o Object>) -> Result<(), Fault> {
        self.prefetch_starts(objects, placed::SMALL_OBJECT)
    }

    fn prefetch_starts<'o>(&mut self, objects: impl IntoIterator<Item = &'o Object>, size: usize) -> Result<(), Fault> {
        if self.document.reader.is_in_memory() {
            return Ok(());
        }
        let mut places = self.starts(objects, size)?;
        let reader = &mut self.document.reader;
        places.retain(|place| reader.at_hand(place.start, size) == 0);
        reader.prefetch(&places)
    }

    /// Returns the ranges of these objects, or of their object streams. Costs no work: it is skipped for files in
    /// memory.
    pub fn starts<'o>(
        &mut self,
        objects: impl IntoIterator<Item = &'o Object>,
        size: usize,
    ) -> Result<Vec<Range<u64>>, Fault> {
        let (Document { xref, reader, .. }, State(part)) = (&mut *self.document, self.state);
        let most = MAX_SECTION_LOOKUPS / xref.sections.len().max(1);
        let numbers: Vec<u32> =
            objects.into_iter().filter_map(Object::as_reference).map(|id| id.number).take(most).collect();
        let lines = numbers.iter().filter_map(|&number| xref.line_of(part, number)).map(|at| at..at + 1);
        reader.prefetch(&lines.collect::<Vec<_>>())?;
        let mut places = Vec::new();
        for number in numbers {
            match self.document.place(self.state, number) {
                Ok(Some(offset)) => places.push(offset..offset.saturating_add(size as u64)),
                // a damaged entry matters only when its object is read
                Ok(None) | Err(Fault::Damaged) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(places)
    }
}

impl Document<'_> {
    /// Returns the offset to read for an object, or for its object stream.
    fn place(&mut self, State(part): State, number: u32) -> Result<Option<u64>, Fault> {
        let (mut entry, _) = self.xref.entry(part, number, &mut self.reader)?;
        if let XrefEntry::In { stream, .. } = entry {
            (entry, _) = self.xref.entry(part, stream, &mut self.reader)?;
            if matches!(entry, XrefEntry::At(offset) if self.has_object_stream(offset)) {
                return Ok(None);
            }
        }
        Ok(if let XrefEntry::At(offset) = entry { Some(offset) } else { None })
    }
}
