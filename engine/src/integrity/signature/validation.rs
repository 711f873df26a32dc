//! Validation data in a file: certificates, CRLs and OCSP responses in the signature (RFC 5652, 5.1;
//! `adbe-revocationInfoArchival`, ISO 32000-1, 12.8.3.3.2), in its dictionary's `/Cert` (table 252) and in the document
//! security store (ISO 32000-2, 12.8.4.3).

use std::collections::BTreeSet;

use super::certificate::Certificate;
use super::cms::SignedData;
use super::crl::RevocationList;
use super::der::{DerError, Element, Elements, tag};
use super::ocsp::OcspResponse;
use crate::document::Document;
use crate::document::objects::State;
use crate::document::view::View;
use crate::failure::{Fault, tried};
use crate::syntax::dictionary::Dictionary;

/// Maximum streams of a store that are read, and their bytes in all.
const MAX_STREAMS: usize = 200;
const MAX_BYTES: usize = 4 << 20;
/// Maximum certificates examined.
const MAX_CERTIFICATES: usize = 200;
/// The store's keys of certificates, CRLs and OCSP responses, for all signatures and in a VRI dictionary.
const STORE_KEYS: [&[u8]; 3] = [b"Certs", b"CRLs", b"OCSPs"];
const VRI_KEYS: [&[u8]; 3] = [b"Cert", b"CRL", b"OCSP"];
/// OCSP responses among other revocation information (RFC 5940, 2.1).
const ANSWER: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 16, 2];

/// The data of the document security store, undecoded.
#[derive(Debug, Default)]
pub(crate) struct ValidationStore {
    /// Certificates, CRLs, OCSP responses.
    found: [Vec<Vec<u8>>; 3],
    /// Whether a CRL or a response could not be read.
    is_unread: bool,
}

/// The validation data for one signature.
#[derive(Debug, Default, Clone)]
pub(crate) struct Validation<'a> {
    pub(crate) certificates: Vec<Certificate<'a>>,
    known: BTreeSet<&'a [u8]>,
    /// CRLs (RFC 5280, 5.1).
    pub(crate) lists: Vec<RevocationList<'a>>,
    /// OCSP responses (RFC 6960, 4.2.1).
    pub(crate) responses: Vec<OcspResponse<'a>>,
    /// Whether there are unreadable or too many CRLs or responses, whose statements are unknown.
    pub(crate) is_unread: bool,
    /// Whether there are more certificates than are examined.
    pub(crate) is_crowded: bool,
}

impl ValidationStore {
    /// Reads the newest store. Unreadable data, and data beyond half of the remaining budget, is skipped.
    ///
    /// # Errors
    /// Only if the source cannot be read.
    pub(crate) fn read(document: &mut Document, catalog: &Dictionary) -> Result<Self, Fault> {
        let mut store = Self::default();
        if !catalog.has(b"DSS") {
            return Ok(store);
        }
        let reserve = document.budget.steps_left() / 2;
        let filled = tried(store.fill(&mut document.view_within(State(0), reserve), catalog))?;
        store.is_unread |= filled.is_none();
        Ok(store)
    }

    fn fill(&mut self, view: &mut View, catalog: &Dictionary) -> Result<(), Fault> {
        let own = view.resolve(catalog.get(b"DSS"))?.into_owned();
        // VRI dictionaries may reference data that the store's own arrays omit
        let singles = view.resolve(own.entry(b"VRI"))?.into_owned();
        let singles = singles.as_dictionary().unwrap_or(Dictionary::empty());
        let mut holders = vec![(own.clone(), STORE_KEYS)];
        for (_, single) in singles.iter().take(MAX_STREAMS) {
            holders.push((view.resolve(single)?.into_owned(), VRI_KEYS));
        }
        let (mut known, mut left) = (BTreeSet::new(), MAX_BYTES);
        for (holder, keys) in &holders {
            for (kind, (key, found)) in keys.iter().zip(&mut self.found).enumerate() {
                let list = view.resolve(holder.entry(key))?.into_owned();
                for reference in list.elements() {
                    if reference.as_reference().is_some_and(|id| known.contains(&id.number)) {
                        continue;
                    }
                    let stream = match reference.as_reference() {
                        Some(id) if known.len() < MAX_STREAMS && known.insert(id.number) => {
                            view.stream(reference, left)?
                        }
                        _ => None,
                    };
                    match stream.filter(|stream| !stream.is_part) {
                        Some(stream) => {
                            left -= stream.content.len();
                            found.push(stream.content);
                        }
                        None => self.is_unread |= kind > 0,
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> Validation<'a> {
    /// The data of a store, a signature's dictionary and the signature, with its time-stamp.
    pub(crate) fn gather(store: &'a ValidationStore, own: &'a [Vec<u8>], messages: &[&SignedData<'a>]) -> Self {
        let mut gathered = Self::default();
        for message in messages {
            gathered.take_message(message);
        }
        let [certificates, lists, responses] = &store.found;
        for bytes in own.iter().chain(certificates) {
            if let Ok(Some(element)) = Elements::new(bytes).next() {
                gathered.take_certificate(&element);
            }
        }
        gathered.is_unread |= store.is_unread;
        for list in lists {
            gathered.take_list(list);
        }
        for response in responses {
            gathered.take_response(response);
        }
        gathered
    }

    fn take_certificate(&mut self, element: &Element<'a>) {
        if self.certificates.len() >= MAX_CERTIFICATES {
            self.is_crowded |= !self.known.contains(element.raw);
        } else if self.known.insert(element.raw) {
            self.certificates.extend(Certificate::read(element).ok());
        }
    }

    fn take_list(&mut self, raw: &'a [u8]) {
        if !self.known.insert(raw) {
            return;
        }
        match RevocationList::read(raw) {
            Ok(list) => self.lists.push(list),
            Err(_) => self.is_unread = true,
        }
    }

    fn take_response(&mut self, raw: &'a [u8]) {
        if !self.known.insert(raw) {
            return;
        }
        match OcspResponse::read(raw) {
            Ok(response) => self.responses.extend(response),
            // some writers store the inner response only
            Err(_) => match OcspResponse::basic(raw, raw) {
                Ok(response) => self.responses.push(response),
                Err(_) => self.is_unread = true,
            },
        }
    }

    fn take_message(&mut self, message: &SignedData<'a>) {
        let mut certificates = message.certificates();
        while let Ok(Some(element)) = certificates.next() {
            self.take_certificate(&element);
        }
        self.is_unread |= self.take_revocations(message.revocations()).is_err();
        if let Some(archive) = message.archive() {
            self.is_unread |= self.take_archive(&archive).is_err();
        }
    }

    /// Reads `RevocationInfoChoices` (RFC 5652, 10.2.1).
    fn take_revocations(&mut self, mut choices: Elements<'a>) -> Result<(), DerError> {
        while let Some(choice) = choices.next()? {
            if choice.tag == tag::SEQUENCE {
                self.take_list(choice.raw);
            } else if choice.tag == tag::context(1) {
                let mut fields = choice.elements()?;
                if fields.identifier()? == ANSWER {
                    self.take_response(fields.next()?.ok_or(DerError::Unexpected)?.raw);
                }
            }
        }
        Ok(())
    }

    /// Reads a `RevocationInfoArchival`.
    fn take_archive(&mut self, archive: &Element<'a>) -> Result<(), DerError> {
        let mut fields = archive.elements()?;
        for (number, take) in [(0, Self::take_list as fn(&mut Self, &'a [u8])), (1, Self::take_response)] {
            if let Some(field) = fields.optional(tag::context(number))? {
                let mut elements = field.elements()?.enter(tag::SEQUENCE)?;
                while let Some(element) = elements.next()? {
                    take(self, element.raw);
                }
            }
        }
        Ok(())
    }
}
