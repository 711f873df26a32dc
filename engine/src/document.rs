//! An open PDF: its cross-reference, its keys, and from there its objects.

mod abridged;
pub(crate) mod body;
pub(crate) mod header;
mod objects;
mod peek;
mod prefetch;
mod repair;
pub(crate) mod states;
pub(crate) mod trace;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Options;
use crate::budget::{Budget, TimeLimit};
use crate::encryption::handler::SecurityHandler;
use crate::failure::{Fault, Reason};
use crate::input::reader::{HEAD, Reader};
use crate::input::source::Source;
use crate::stream::object_stream::ObjectStream;
use crate::stream::placed;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Object;
use crate::xref::entries::Entry;
use crate::xref::{Xref, chain};
use body::Bodies;
use header::Header;
use trace::Trace;

pub(crate) use abridged::{Kids, Node};

/// A PDF from which objects can be had once its cross-reference is known.
pub(crate) struct Document<'s> {
    pub(crate) reader: Reader<'s>,
    pub(crate) budget: Budget,
    pub(crate) header: Header,
    pub(crate) xref: Xref,
    pub(crate) security: Option<SecurityHandler>,
    /// Object streams decoded so far, by their numbers.
    pub(crate) object_streams: BTreeMap<u32, Rc<ObjectStream>>,
    kept: usize,
    /// Those that stand at these offsets, as earlier states of the file have them.
    older_streams: BTreeMap<u64, Rc<ObjectStream>>,
    older_kept: usize,
    bodies: Bodies,
    trace: Trace,
}

impl<'s> Document<'s> {
    /// Reads head and tail and finds the header.
    pub(crate) fn open(source: &'s dyn Source, options: &Options<'_>) -> Result<Self, Fault> {
        let deadline = TimeLimit::of(options);
        let mut reader = Reader::open(source, deadline)?;
        let header = Header::find(reader.view(0, HEAD as usize)?).ok_or(Fault::Rejected(Reason::NotAPdf))?;
        Ok(Self {
            reader,
            budget: Budget::new(deadline),
            header,
            xref: Xref::default(),
            security: None,
            object_streams: BTreeMap::new(),
            kept: 0,
            older_streams: BTreeMap::new(),
            older_kept: 0,
            bodies: Bodies::default(),
            trace: Trace::default(),
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
        self.object_streams.clear();
        self.kept = 0;
        self.older_streams.clear();
        self.older_kept = 0;
        self.bodies = Bodies::default();
    }

    /// Unlocks the file if its trailer says that it is encrypted.
    pub(crate) fn unlock(&mut self, password: Option<&str>) -> Result<(), Fault> {
        self.security = None;
        let encrypt = self.xref.trailer.get(Key::Encrypt).clone();
        let encrypt = self.resolve(&encrypt)?.into_owned();
        // what leads nowhere, or to something else, encrypts nothing
        let is_handler = |encrypt: &&Picked| encrypt.has(Key::Filter) || encrypt.has(Key::O);
        let Some(encrypt) = encrypt.as_dictionary().filter(is_handler) else { return Ok(()) };
        let encrypt = self.resolve_entries(encrypt)?;
        let file_id = self.xref.trailer.get(Key::ID).clone();
        let file_id = self.resolve(&file_id)?.into_owned();
        self.security = Some(SecurityHandler::unlock(&encrypt, &file_id, password)?);
        Ok(())
    }

    /// The document catalog (7.7.2).
    ///
    /// # Errors
    /// `Damaged` if the trailer leads to none.
    pub(crate) fn catalog(&mut self) -> Result<Picked, Fault> {
        let root = self.xref.trailer.get(Key::Root).clone();
        let catalog = self.dictionary(&root)?.into_owned();
        if !catalog.has(Key::Pages) {
            return Err(self.no_pages());
        }
        self.prefetch([Key::Pages, Key::Metadata, Key::AcroForm, Key::Names].map(|key| catalog.get(key)))?;
        Ok(catalog)
    }

    /// Why there are no pages: perhaps only because the cross-reference is wrong.
    pub(crate) fn no_pages(&self) -> Fault {
        if self.xref.is_repaired() { Fault::Rejected(Reason::NoPages) } else { Fault::Damaged }
    }

    /// The dictionary with its values resolved.
    fn resolve_entries(&mut self, dictionary: &Picked) -> Result<Picked, Fault> {
        let mut resolved = Picked::default();
        for (key, value) in dictionary.iter() {
            let is_filters = key == Key::CF;
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
        match placed::whole_object_at(&mut self.reader, &mut self.budget, offset) {
            Err(Fault::Damaged) if self.xref.is_repaired() => Ok(Object::Null),
            placed => placed.map(|placed| placed.object),
        }
    }
}
