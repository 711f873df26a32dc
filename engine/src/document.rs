//! An open PDF: finds, reads, decrypts and decodes single objects.

pub(crate) mod header;
mod mention;
mod prefetch;
mod repair;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use crate::budget::{Budget, Deadline};
use crate::document::header::Header;
use crate::encryption::handler::Crypt;
use crate::failure::{Fault, Reason};
use crate::input::reader::{HEAD, Reader};
use crate::input::source::Source;
use crate::stream::body as stream;
use crate::stream::body::Placed;
use crate::stream::filter;
use crate::stream::object_stream::Container;
use crate::syntax::key::Key;
use crate::syntax::object::{Dictionary, Id, Object};
use crate::xref::chain;
use crate::xref::{Entry, Xref};

/// How many references may lead from one to the next.
const HOPS: usize = 16;
/// Decoded object streams kept at a time; when there are more, all go.
const KEPT: usize = 24 << 20;

/// A PDF from which objects can be had once its cross-reference is known.
pub(crate) struct File<'s> {
    pub(crate) reader: Reader<'s>,
    pub(crate) budget: Budget,
    pub(crate) header: Header,
    pub(crate) xref: Xref,
    pub(crate) crypt: Option<Crypt>,
    /// Object streams decoded so far, by their numbers.
    pub(crate) containers: BTreeMap<u32, Rc<Container>>,
    kept: usize,
}

impl<'s> File<'s> {
    /// Reads head and tail and finds the header.
    pub(crate) fn open(source: &'s dyn Source, deadline: Option<Instant>) -> Result<Self, Fault> {
        let deadline = Deadline(deadline);
        let mut reader = Reader::open(source, deadline)?;
        let header = Header::find(reader.view(0, HEAD as usize)?).ok_or(Fault::Rejected(Reason::NotAPdf))?;
        Ok(Self {
            reader,
            budget: Budget::new(deadline),
            header,
            xref: Xref::default(),
            crypt: None,
            containers: BTreeMap::new(),
            kept: 0,
        })
    }

    /// Follows the cross-reference and unlocks the file.
    pub(crate) fn load(&mut self, password: Option<&str>) -> Result<(), Fault> {
        self.xref = chain::load(&mut self.reader, &mut self.budget, self.header.offset)?;
        self.prefetch_roots()?;
        self.unlock(password)
    }

    /// Starts over with another cross-reference.
    pub(crate) fn replace_xref(&mut self, xref: Xref) {
        self.xref = xref;
        self.containers.clear();
        self.kept = 0;
    }

    /// Unlocks the file if its trailer says that it is encrypted.
    pub(crate) fn unlock(&mut self, password: Option<&str>) -> Result<(), Fault> {
        self.crypt = None;
        let encrypt = self.xref.trailer.get(b"Encrypt").clone();
        let encrypt = self.resolve(&encrypt)?.into_owned();
        // What leads nowhere, or to something else, encrypts nothing.
        let is_handler = |encrypt: &&Dictionary| encrypt.has(b"Filter") || encrypt.has(b"O");
        let Some(encrypt) = encrypt.as_dictionary().filter(is_handler) else { return Ok(()) };
        let encrypt = self.resolve_entries(encrypt)?;
        let file_id = self.xref.trailer.get(b"ID").clone();
        let file_id = self.resolve(&file_id)?.into_owned();
        self.crypt = Some(Crypt::unlock(&encrypt, &file_id, password)?);
        Ok(())
    }

    /// The document catalog (7.7.2).
    ///
    /// # Errors
    /// `Damaged` if the trailer leads to none.
    pub(crate) fn catalog(&mut self) -> Result<Dictionary, Fault> {
        let root = self.xref.trailer.get(b"Root").clone();
        let catalog = self.dictionary(&root)?.into_owned();
        if !catalog.has(b"Pages") {
            return Err(self.no_pages());
        }
        self.prefetch([b"Pages".as_slice(), b"Metadata", b"AcroForm", b"Names"].iter().map(|key| catalog.get(key)))?;
        Ok(catalog)
    }

    /// Why there are no pages: perhaps only because the cross-reference is wrong.
    pub(crate) fn no_pages(&self) -> Fault {
        if self.xref.is_repaired() { Fault::Rejected(Reason::NoPages) } else { Fault::Damaged }
    }

    /// The object itself, or what it refers to; null if that is missing.
    pub(crate) fn resolve<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Object>, Fault> {
        let mut resolved = Cow::Borrowed(object);
        for _ in 0..HOPS {
            match resolved.as_reference() {
                Some(id) => resolved = Cow::Owned(self.object(id)?),
                None => return Ok(resolved),
            }
        }
        Ok(Cow::Owned(Object::Null))
    }

    /// The dictionary that this is or refers to; an empty one for anything else.
    pub(crate) fn dictionary<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Dictionary>, Fault> {
        Ok(match self.resolve(object)? {
            Cow::Borrowed(Object::Dictionary(dictionary)) => Cow::Borrowed(dictionary),
            Cow::Owned(Object::Dictionary(dictionary)) => Cow::Owned(dictionary),
            _ => Cow::Owned(Dictionary::default()),
        })
    }

    /// The object with this identity; null if the file has none.
    ///
    /// # Errors
    /// `Damaged` if the cross-reference says that there is one and it is not there.
    pub(crate) fn object(&mut self, id: Id) -> Result<Object, Fault> {
        match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::Free => Ok(Object::Null),
            Entry::At(offset) => Ok(self.placed(id.number, offset)?.map_or(Object::Null, |placed| placed.object)),
            Entry::In { stream, index } => self.contained(id.number, stream, index),
        }
    }

    /// The dictionary and decoded body of a stream; none if this does not refer to one.
    pub(crate) fn stream(&mut self, object: &Object) -> Result<Option<(Dictionary, Vec<u8>)>, Fault> {
        self.stream_start(object, usize::MAX)
    }

    /// Like `stream`, but the body may end soon after `wanted` bytes.
    pub(crate) fn stream_start(
        &mut self,
        object: &Object,
        wanted: usize,
    ) -> Result<Option<(Dictionary, Vec<u8>)>, Fault> {
        let Some(id) = object.as_reference() else { return Ok(None) };
        let Entry::At(offset) = self.xref.entry(id.number, &mut self.reader, &mut self.budget)? else {
            return Ok(None);
        };
        let Some(Placed { id, object: Object::Dictionary(dictionary), body: Some(body) }) =
            self.placed(id.number, offset)?
        else {
            return Ok(None);
        };
        let length = self.length(dictionary.get(b"Length"))?;
        let coding = self.coding(&dictionary)?;
        let encoded = stream::body(&mut self.reader, &mut self.budget, body, length)?;
        let decoded = match self.crypt.as_ref().filter(|crypt| crypt.applies_to(&dictionary)) {
            Some(crypt) => {
                let plain = crypt.decrypt_body(id, encoded);
                filter::decode(&coding, &plain, wanted, &mut self.budget)?
            }
            None => filter::decode(&coding, encoded, wanted, &mut self.budget)?,
        };
        Ok(Some((dictionary, decoded)))
    }

    /// The object at `offset`, decrypted. A repaired file may well have none there any more.
    fn placed(&mut self, number: u32, offset: u64) -> Result<Option<Placed>, Fault> {
        let placed = match stream::indirect_at(&mut self.reader, &mut self.budget, offset) {
            Ok(placed) if placed.id.number == number => Ok(placed),
            Ok(_) => Err(Fault::Damaged),
            Err(fault) => Err(fault),
        };
        let mut placed = match placed {
            Err(Fault::Damaged) if self.xref.is_repaired() => return Ok(None),
            placed => placed?,
        };
        if let Some(crypt) = &self.crypt {
            crypt.decrypt_strings(placed.id, &mut placed.object);
        }
        Ok(Some(placed))
    }

    /// A stream's length; looked up in the file only where that cannot lead back to the stream.
    fn length(&mut self, length: &Object) -> Result<Option<i64>, Fault> {
        let Some(id) = length.as_reference() else { return Ok(length.as_integer()) };
        match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::At(offset) => Ok(self.placed(id.number, offset)?.and_then(|placed| placed.object.as_integer())),
            _ => Ok(None),
        }
    }

    /// What a stream's dictionary says of its coding, without references.
    fn coding(&mut self, dictionary: &Dictionary) -> Result<Dictionary, Fault> {
        let mut coding = Dictionary::default();
        for key in [b"Filter".as_slice(), b"DecodeParms"] {
            let value = self.resolve(dictionary.get(key))?.into_owned();
            coding.push(Key::known(key), value);
        }
        Ok(coding)
    }

    /// The dictionary with its values resolved.
    fn resolve_entries(&mut self, dictionary: &Dictionary) -> Result<Dictionary, Fault> {
        let mut resolved = Dictionary::default();
        for (key, value) in dictionary.iter() {
            let is_filters = key == Key::known(b"CF");
            let value = if is_filters { self.crypt_filters(value)? } else { self.resolve(value)?.into_owned() };
            resolved.push(key, value);
        }
        Ok(resolved)
    }

    /// The crypt filters, which may have any names (7.6.5), wherever they are.
    fn crypt_filters(&mut self, filters: &Object) -> Result<Object, Fault> {
        let entry = match filters.as_reference() {
            Some(id) => self.xref.entry(id.number, &mut self.reader, &mut self.budget)?,
            None => Entry::Free,
        };
        let Entry::At(offset) = entry else { return Ok(filters.clone()) };
        match stream::any_keys_at(&mut self.reader, &mut self.budget, offset) {
            Err(Fault::Damaged) if self.xref.is_repaired() => Ok(Object::Null),
            placed => placed.map(|placed| placed.object),
        }
    }

    fn contained(&mut self, number: u32, stream: u32, index: u32) -> Result<Object, Fault> {
        match self.container(stream)? {
            Some(container) => container.object(number, index, &mut self.budget),
            None if self.xref.is_repaired() => Ok(Object::Null),
            None => Err(Fault::Damaged),
        }
    }

    /// The object stream with this number.
    pub(crate) fn container(&mut self, number: u32) -> Result<Option<Rc<Container>>, Fault> {
        if let Some(container) = self.containers.get(&number) {
            return Ok(Some(Rc::clone(container)));
        }
        let id = Id { number, generation: 0 };
        let Some((dictionary, data)) = self.stream(&Object::Reference(id))? else { return Ok(None) };
        let container = Rc::new(Container::new(&dictionary, data, &mut self.budget)?);
        if self.kept + container.len() > KEPT {
            self.containers.clear();
            self.kept = 0;
        }
        self.kept += container.len();
        self.containers.insert(number, Rc::clone(&container));
        Ok(Some(container))
    }
}
