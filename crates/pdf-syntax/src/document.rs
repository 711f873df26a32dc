//! An open PDF: its cross-reference, its encryption, its objects.

mod bodies;
pub mod form;
pub mod header;
pub mod objects;
pub mod pages;
mod prefetch;
mod repair;
pub mod trace;
pub mod view;

use crate::budget::{Budget, TimeLimit};
use crate::encryption::handler::SecurityHandler;
use crate::failure::{Fault, Reason};
use crate::input::reader::{HEAD, Reader};
use crate::input::source::Source;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;
use crate::xref::{Xref, chain};
use header::Header;
use objects::Cache;
use trace::Trace;
use view::ResolvedDictionary;

/// A PDF whose objects can be read once its cross-reference is loaded.
pub struct Document<'s> {
    /// Reads ranges of the file.
    pub reader: Reader<'s>,
    /// The file's remaining budget.
    pub budget: Budget,
    /// The header and its offset.
    pub header: Header,
    /// The cross-reference of all revisions.
    pub xref: Xref,
    /// The security handler of an encrypted file.
    pub security: Option<SecurityHandler>,
    cache: Cache,
    trace: Trace,
}

impl<'s> Document<'s> {
    /// Reads head and tail and finds the header.
    pub fn open(source: &'s dyn Source, deadline: TimeLimit) -> Result<Self, Fault> {
        let mut reader = Reader::open(source, deadline)?;
        let no_header = if source.is_empty() { Reason::Empty } else { Reason::NotAPdf };
        let header = Header::find(reader.view(0, HEAD)?).ok_or(Fault::Rejected(no_header))?;
        let (budget, cache) = (Budget::new(deadline), Cache::new());
        let (xref, security, trace) = (Xref::default(), None, Trace::default());
        Ok(Self { reader, budget, header, xref, security, cache, trace })
    }

    /// Loads the cross-reference and unlocks the file.
    pub fn load(&mut self, password: Option<&str>) -> Result<(), Fault> {
        self.xref = chain::load(&mut self.reader, &mut self.budget, self.header.offset)?;
        self.prefetch_roots()?;
        self.unlock(password)
    }

    /// Starts over with another cross-reference.
    pub(crate) fn replace_xref(&mut self, xref: Xref) {
        self.xref = xref;
        self.cache = Cache::new();
    }

    /// Unlocks the file if its trailer has `/Encrypt`.
    pub fn unlock(&mut self, password: Option<&str>) -> Result<(), Fault> {
        self.security = None;
        let (encrypt, file_id) = (self.xref.trailer.get(b"Encrypt").clone(), self.xref.trailer.get(b"ID").clone());
        let mut view = self.newest();
        let encrypt = view.dictionary(&encrypt)?;
        // a reference to nothing, or to another type, encrypts nothing
        if !encrypt.has(b"Filter") && !encrypt.has(b"O") {
            return Ok(());
        }
        let mut resolved = Dictionary::default();
        for (key, value) in encrypt.iter() {
            resolved.push(key.clone(), view.resolve(value)?.into_owned());
        }
        // crypt filters have any names (7.6.5)
        let mut filters = Dictionary::default();
        if let Some(named) = resolved.get(b"CF").as_dictionary() {
            for (name, filter) in named.iter() {
                filters.push(name.clone(), view.resolve(filter)?.into_owned());
            }
        }
        resolved.push(Name::new(b"CF"), Object::Dictionary(filters));
        let file_id = view.resolve(&file_id)?.into_owned();
        self.security = Some(SecurityHandler::unlock(&resolved, &file_id, password)?);
        // objects cached so far were not decrypted
        self.cache = Cache::new();
        Ok(())
    }

    /// The document catalog (7.7.2).
    ///
    /// # Errors
    /// `Damaged` if the trailer leads to none.
    pub fn catalog(&mut self) -> Result<ResolvedDictionary<'static>, Fault> {
        let mut view = self.newest();
        let catalog = view.catalog()?;
        if !catalog.has(b"Pages") {
            return Err(self.no_pages());
        }
        view.prefetch([b"Pages".as_slice(), b"Metadata", b"AcroForm", b"Names"].map(|key| catalog.get(key)))?;
        Ok(catalog)
    }

    /// Returns why there are no pages: possibly only a wrong cross-reference.
    pub fn no_pages(&self) -> Fault {
        if self.xref.is_repaired() { Fault::Rejected(Reason::NoPages) } else { Fault::Damaged }
    }
}
