//! Rebuilds the cross-reference of a damaged file from what a scan finds; of each object the last one counts.

use crate::extract::container::{self, Container};
use crate::extract::failure::Fault;
use crate::extract::file::File;
use crate::extract::name::Name;
use crate::extract::object::{Dictionary, Id, Object};
use crate::extract::scan::{self, Scan};
use crate::extract::xref::{Entry, Rows, Section, Xref};
use crate::extract::xref_stream;

/// An object's number, the offset by which it is newer or older than others of that number, and its place.
type Found = (u32, u64, Entry);

impl File<'_> {
    /// Scans the file, unlocks it and makes every object found accessible.
    pub(crate) fn repair(&mut self, password: Option<&str>) -> Result<(), Fault> {
        let scan = scan::scan(&mut self.reader, &mut self.budget)?;
        let mut found: Vec<Found> =
            scan.objects.iter().map(|&(number, offset)| (number, offset, Entry::At(offset))).collect();
        self.replace_xref(repaired(&mut found, any(&scan.trailers, b"Encrypt")));
        self.unlock(password)?;
        let trailer = std::mem::take(&mut self.xref.trailer);
        for &(stream, offset) in &scan.containers {
            self.add_contained(stream, offset, &mut found)?;
        }
        self.replace_xref(repaired(&mut found, trailer));
        self.xref.trailer = self.choose_trailer(&scan)?;
        Ok(())
    }

    /// Adds the objects in an object stream.
    fn add_contained(&mut self, stream: u32, offset: u64, found: &mut Vec<Found>) -> Result<(), Fault> {
        let reference = Object::Reference(Id { number: stream, generation: 0 });
        // Of two streams with one number only the newer can be asked for.
        let Some((dictionary, head)) = self.container_head(&reference)? else { return Ok(()) };
        let container = Container::new(&dictionary, head, &mut self.budget)?;
        for (index, number) in (0..).zip(container.numbers()) {
            self.budget.entries(1)?;
            found.push((number, offset, Entry::In { stream, index }));
        }
        Ok(())
    }

    fn container_head(&mut self, reference: &Object) -> Result<Option<(Dictionary, Vec<u8>)>, Fault> {
        let dictionary = self.dictionary(reference)?.into_owned();
        match self.stream_start(reference, container::first(&dictionary)) {
            // An object stream that cannot be decoded costs its objects, not the file.
            Err(Fault::Damaged) => Ok(None),
            stream => stream,
        }
    }

    /// The last trailer that leads to a catalog with pages; without one, a trailer made up for the last catalog.
    fn choose_trailer(&mut self, scan: &Scan) -> Result<Dictionary, Fault> {
        let info = any(&scan.trailers, b"Info");
        if scan.trailers.iter().all(|(_, stream)| stream.is_some()) {
            for (trailer, stream) in &scan.trailers {
                self.check(trailer, *stream)?;
            }
        }
        for (trailer, _) in scan.trailers.iter().rev() {
            if self.leads_to_pages(trailer.get(b"Root"))? {
                let mut trailer = trailer.clone();
                trailer.inherit(&info, &[b"Info"]);
                return Ok(trailer);
            }
        }
        for &catalog in scan.catalogs.iter().rev() {
            let root = Object::Reference(catalog);
            if self.leads_to_pages(&root)? {
                let mut trailer = info;
                trailer.push(Name::new(b"Root"), root);
                return Ok(trailer);
            }
        }
        Err(Fault::Damaged)
    }

    fn leads_to_pages(&mut self, root: &Object) -> Result<bool, Fault> {
        Ok(self.dictionary(root)?.has(b"Pages"))
    }

    /// Refuses a file whose cross-reference streams, which are all it has, hold garbage or are encoded in a way we do not
    /// know: what else is in it cannot be relied on either. (One that breaks off is fine.)
    fn check(&mut self, trailer: &Dictionary, stream: Option<Id>) -> Result<(), Fault> {
        let Some(id) = stream else { return Ok(()) };
        let crypt = self.crypt.take();
        let stream = self.stream(&Object::Reference(id));
        self.crypt = crypt;
        let is_garbage = stream?.is_some_and(|(_, rows)| xref_stream::is_garbage(trailer, &rows));
        if is_garbage { Err(Fault::Damaged) } else { Ok(()) }
    }
}

/// The last trailer with this key; an empty one if there is none.
fn any(trailers: &[(Dictionary, Option<Id>)], key: &[u8]) -> Dictionary {
    let found = trailers.iter().rev().find(|(trailer, _)| trailer.has(key));
    found.map(|(trailer, _)| trailer.clone()).unwrap_or_default()
}

/// A cross-reference of the newest object of each number.
fn repaired(found: &mut [Found], trailer: Dictionary) -> Xref {
    found.sort_by_key(|&(number, offset, _)| (number, offset));
    let mut entries: Vec<(u32, Entry)> = Vec::with_capacity(found.len());
    for &(number, _, entry) in found.iter() {
        match entries.last_mut() {
            Some(last) if last.0 == number => *last = (number, entry),
            _ => entries.push((number, entry)),
        }
    }
    let all = Section { first: 0, count: u32::MAX, rows: Rows::Listed(entries) };
    Xref { sections: vec![all], trailer, ..Xref::default() }
}
