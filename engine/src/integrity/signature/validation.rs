//! What a file brings along to validate its signatures: certificates, lists of revoked ones and answers about them, in the
//! signature itself (RFC 5652, 5.1; `adbe-revocationInfoArchival`, ISO 32000-1, 12.8.3.3.2), in its dictionary's `/Cert`
//! (table 252) and in the document security store (ISO 32000-2, 12.8.4.3).

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
    /// Whether a list or a response could not be had.
    is_unread: bool,
}

/// What there is for one signature.
#[derive(Debug, Default, Clone)]
pub(crate) struct Validation<'a> {
    pub(crate) certificates: Vec<Certificate<'a>>,
    known: BTreeSet<&'a [u8]>,
    /// Lists of revoked certificates (RFC 5280, 5.1).
    pub(crate) lists: Vec<RevocationList<'a>>,
    /// Responses about revocation (RFC 6960, 4.2.1).
    pub(crate) responses: Vec<OcspResponse<'a>>,
    /// Whether there are lists or responses that could not be read, or were too many: what they say is not known.
    pub(crate) is_unread: bool,
    /// Whether there are more certificates than are looked at.
    pub(crate) is_crowded: bool,
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
        let filled = tried(store.fill(&mut document.view_within(State(0), reserve), catalog))?;
        store.is_unread |= filled.is_none();
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
            for (kind, (key, found)) in keys.iter().zip(&mut self.found).enumerate() {
                let list = view.resolve(holder.entry(key))?.into_owned();
                for reference in list.elements() {
                    if reference.as_reference().is_some_and(|id| known.contains(&id.number)) {
                        continue;
                    }
                    let stream = match reference.as_reference() {
                        Some(id) if known.len() < STREAMS && known.insert(id.number) => view.stream(reference, left)?,
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
    /// What a store, a signature's dictionary and the signature have, with its time-stamp.
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
        if self.certificates.len() >= CERTIFICATES {
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
            // some store what is in it alone
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

    /// Takes `RevocationInfoChoices` (RFC 5652, 10.2.1).
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

    /// Takes a `RevocationInfoArchival`.
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
