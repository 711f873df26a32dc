//! Rebuilds the cross-reference of a damaged file by scanning it. The last object with a number counts.

use std::collections::BTreeMap;

use super::Document;
use super::objects::State;
use crate::failure::Fault;
use crate::stream::object_stream::{self, ObjectStream};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::{Id, Object};
use crate::xref::Xref;
use crate::xref::entries::XrefEntry;
use crate::xref::scan::{self, Scan};
use crate::xref::stream as xref_stream;

impl Document<'_> {
    /// Scans the file, unlocks it and makes every object found accessible.
    pub fn repair(&mut self, password: Option<&str>) -> Result<(), Fault> {
        let mut scan = scan::scan(&mut self.reader, &mut self.budget)?;
        let objects = newest(std::mem::take(&mut scan.objects), &scan.object_streams);
        self.replace_entries(objects, newest_with(&scan.trailers, b"Encrypt"));
        self.unlock(password)?;
        let contained = self.contained_objects(&scan)?;
        let mut objects = self.xref.take_listed();
        objects.extend(contained);
        self.replace_entries(newest(objects, &scan.object_streams), Dictionary::default());
        self.xref.trailer = self.choose_trailer(&scan)?;
        Ok(())
    }

    fn replace_entries(&mut self, entries: Vec<(u32, XrefEntry)>, trailer: Dictionary) {
        self.replace_xref(Xref::repaired(entries, trailer));
    }

    /// Returns the objects in all object streams. Objects in an undecodable stream are missing.
    fn contained_objects(&mut self, scan: &Scan) -> Result<Vec<(u32, XrefEntry)>, Fault> {
        let mut contained = Vec::new();
        for &stream in scan.object_streams.keys() {
            let Some(body) = self.newest().object(stream)? else { continue };
            let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
            let head = match self.decoded(State(0), &body, object_stream::first(dictionary)) {
                Err(Fault::Damaged) | Ok(None) => continue,
                Ok(Some(head)) => head,
                Err(fault) => return Err(fault),
            };
            let object_stream = ObjectStream::new(dictionary, head, &mut self.budget)?;
            let entries =
                (0..).zip(object_stream.numbers()).map(|(index, number)| (number, XrefEntry::In { stream, index }));
            contained.extend(entries);
        }
        Ok(contained)
    }

    /// Chooses the last trailer with a catalog that has pages; otherwise creates a trailer for the last catalog.
    fn choose_trailer(&mut self, scan: &Scan) -> Result<Dictionary, Fault> {
        let info = self.newest_info(scan)?;
        if scan.trailers.iter().all(|(_, stream)| stream.is_some()) {
            for (trailer, stream) in &scan.trailers {
                self.check(trailer, *stream)?;
            }
        }
        for (trailer, _) in scan.trailers.iter().rev() {
            if self.leads_to_pages(trailer.get(b"Root"))? {
                let mut trailer = trailer.clone();
                trailer.push(Name::new(b"Info"), info);
                return Ok(trailer);
            }
        }
        for &catalog in scan.catalogs.iter().rev() {
            let root = Object::Reference(catalog);
            if self.leads_to_pages(&root)? {
                let mut trailer = newest_with(&scan.trailers, b"Info");
                trailer.push(Name::new(b"Info"), info);
                trailer.push(Name::new(b"Root"), root);
                return Ok(trailer);
            }
        }
        Err(Fault::Damaged)
    }

    /// Returns `/Info` of the newest trailer with a non-empty document information dictionary; null if there is none.
    fn newest_info(&mut self, scan: &Scan) -> Result<Object, Fault> {
        for (trailer, _) in scan.trailers.iter().rev() {
            let info = trailer.get(b"Info");
            if !self.newest().dictionary(info)?.is_empty() {
                return Ok(info.clone());
            }
        }
        Ok(Object::Null)
    }

    fn leads_to_pages(&mut self, root: &Object) -> Result<bool, Fault> {
        Ok(self.newest().dictionary(root)?.has(b"Pages"))
    }

    /// Rejects a file that has only cross-reference streams, if these are garbage or have an unknown encoding: its
    /// other streams are then unreliable too. A truncated one is accepted.
    fn check(&mut self, trailer: &Dictionary, stream: Option<Id>) -> Result<(), Fault> {
        let Some(id) = stream else { return Ok(()) };
        let Some(body) = self.newest().object(id.number)? else { return Ok(()) };
        let rows = self.rows(State(0), &body)?;
        let is_garbage = rows.is_some_and(|rows| xref_stream::is_garbage(trailer, &rows));
        if is_garbage { Err(Fault::Damaged) } else { Ok(()) }
    }
}

/// The last trailer with this key; an empty one if there is none.
fn newest_with(trailers: &[(Dictionary, Option<Id>)], key: &[u8]) -> Dictionary {
    let found = trailers.iter().rev().find(|(trailer, _)| trailer.has(key));
    found.map(|(trailer, _)| trailer.clone()).unwrap_or_default()
}

/// Returns the last entry of each number in file order, sorted by number. An object in an object stream has the
/// position of that stream.
fn newest(mut entries: Vec<(u32, XrefEntry)>, object_streams: &BTreeMap<u32, u64>) -> Vec<(u32, XrefEntry)> {
    let place = |&(number, entry): &(u32, XrefEntry)| {
        let offset = match entry {
            XrefEntry::Free => 0,
            XrefEntry::At(offset) => offset,
            XrefEntry::In { stream, .. } => object_streams.get(&stream).copied().unwrap_or(0),
        };
        (number, offset)
    };
    // looking up object streams is slower than comparing, and most files have none
    if entries.iter().any(|(_, entry)| matches!(entry, XrefEntry::In { .. })) {
        entries.sort_by_cached_key(place);
    } else {
        entries.sort_by_key(place);
    }
    entries.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        if is_same {
            *earlier = *later;
        }
        is_same
    });
    entries
}
