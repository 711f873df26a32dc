//! What a file brings along to validate its signatures: certificates, lists of revoked ones and answers about them, in the
//! signature itself (RFC 5652, 5.1; `adbe-revocationInfoArchival`, ISO 32000-1, 12.8.3.3.2), in its dictionary's `/Cert`
//! (table 252) and in the document security store (ISO 32000-2, 12.8.4.3).

use std::collections::BTreeSet;

use super::certificate::Certificate;
use super::cms::SignedData;
use super::der::{DerError, Element, Elements, tag};
use crate::document::Document;
use crate::document::objects::State;
use crate::document::view::View;
use crate::failure::{Fault, tried};
use crate::syntax::dictionary::Dictionary;

/// Streams of a store that are read, and their bytes in all.
const STREAMS: usize = 200;
const BYTES: usize = 4 << 20;
/// Certificates that are looked at.
const CERTIFICATES: usize = 200;
/// What the store calls certificates, lists and answers of all signatures, and of one.
const OF_ALL: [&[u8]; 3] = [b"Certs", b"CRLs", b"OCSPs"];
const OF_ONE: [&[u8]; 3] = [b"Cert", b"CRL", b"OCSP"];
/// Answers about revocation among other information of the kind (RFC 5940, 2.1).
const ANSWER: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 16, 2];

/// What the document security store has, as it stands.
#[derive(Debug, Default)]
pub(crate) struct ValidationStore {
    /// Certificates, lists of revoked ones, answers about them.
    found: [Vec<Vec<u8>>; 3],
}

/// What there is for one signature.
#[derive(Debug, Default, Clone)]
pub(crate) struct Validation<'a> {
    pub(crate) certificates: Vec<Certificate<'a>>,
    /// Lists of revoked certificates (RFC 5280, 5.1).
    pub(crate) lists: Vec<Element<'a>>,
    /// Answers about revocation (RFC 6960, 4.2.1).
    pub(crate) answers: Vec<Element<'a>>,
}

impl ValidationStore {
    /// Reads the newest one. What cannot be read of it, or takes more than half of what may be spent, is not there.
    ///
    /// # Errors
    /// Only when the source cannot be read.
    pub(crate) fn read(document: &mut Document, catalog: &Dictionary) -> Result<Self, Fault> {
        let mut store = Self::default();
        if !catalog.has(b"DSS") {
            return Ok(store);
        }
        let reserve = document.budget.steps_left() / 2;
        tried(store.fill(&mut document.view_within(State(0), reserve), catalog))?;
        Ok(store)
    }

    fn fill(&mut self, view: &mut View, catalog: &Dictionary) -> Result<(), Fault> {
        let own = view.resolve(catalog.get(b"DSS"))?.into_owned();
        // single signatures may name what the store's own lists leave out
        let singles = view.resolve(own.entry(b"VRI"))?.into_owned();
        let singles = singles.as_dictionary().unwrap_or(Dictionary::empty());
        let mut holders = vec![(own.clone(), OF_ALL)];
        for (_, single) in singles.iter().take(STREAMS) {
            holders.push((view.resolve(single)?.into_owned(), OF_ONE));
        }
        let (mut known, mut left) = (BTreeSet::new(), BYTES);
        for (holder, keys) in &holders {
            for (key, found) in keys.iter().zip(&mut self.found) {
                let list = view.resolve(holder.entry(key))?.into_owned();
                for reference in list.elements() {
                    if known.len() < STREAMS
                        && reference.as_reference().is_some_and(|id| known.insert(id.number))
                        && let Some(stream) = view.stream(reference, left)?
                        && !stream.is_part
                    {
                        left -= stream.content.len();
                        found.push(stream.content);
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> Validation<'a> {
    /// What a store, a signature's dictionary and the signature have, with its time-stamp.
    pub(crate) fn gather(store: &'a ValidationStore, own: &'a [Vec<u8>], messages: &[&SignedData<'a>]) -> Self {
        let mut gathered = Self::default();
        for message in messages {
            gathered.take_message(message);
        }
        let [certificates, lists, answers] = &store.found;
        for bytes in own.iter().chain(certificates) {
            if let Ok(Some(element)) = Elements::new(bytes).next() {
                gathered.take_certificate(&element);
            }
        }
        let elements = |kind: &'a [Vec<u8>]| kind.iter().filter_map(|bytes| Elements::new(bytes).next().ok().flatten());
        gathered.lists.extend(elements(lists));
        gathered.answers.extend(elements(answers));
        gathered
    }

    fn take_certificate(&mut self, element: &Element<'a>) {
        let is_new =
            self.certificates.len() < CERTIFICATES && self.certificates.iter().all(|known| known.raw != element.raw);
        self.certificates.extend(Certificate::read(element).ok().filter(|_| is_new));
    }

    fn take_message(&mut self, message: &SignedData<'a>) {
        let mut certificates = message.certificates();
        while let Ok(Some(element)) = certificates.next() {
            self.take_certificate(&element);
        }
        // what cannot be read is not there
        let _ = self.take_revocations(message.revocations());
        if let Some(archive) = message.archive() {
            let _ = self.take_archive(archive);
        }
    }

    /// Takes `RevocationInfoChoices` (RFC 5652, 10.2.1).
    fn take_revocations(&mut self, mut choices: Elements<'a>) -> Result<(), DerError> {
        while let Some(choice) = choices.next()? {
            if choice.tag == tag::SEQUENCE {
                self.lists.push(choice);
            } else if choice.tag == tag::context(1) {
                let mut fields = choice.elements()?;
                if fields.identifier()? == ANSWER {
                    self.answers.extend(fields.next()?);
                }
            }
        }
        Ok(())
    }

    /// Takes a `RevocationInfoArchival`.
    fn take_archive(&mut self, archive: Element<'a>) -> Result<(), DerError> {
        let mut fields = archive.elements()?;
        for (number, kind) in [(0, &mut self.lists), (1, &mut self.answers)] {
            if let Some(field) = fields.optional(tag::context(number))? {
                let mut elements = field.elements()?.enter(tag::SEQUENCE)?;
                while let Some(element) = elements.next()? {
                    kind.push(element);
                }
            }
        }
        Ok(())
    }
}
