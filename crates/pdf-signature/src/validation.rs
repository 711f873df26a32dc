//! Validation data in a file: certificates, CRLs and OCSP responses in the signature (RFC 5652, 5.1;
//! `adbe-revocationInfoArchival`, ISO 32000-1, 12.8.3.3.2), in its dictionary's `/Cert` (table 252) and in the document
//! security store (ISO 32000-2, 12.8.4.3).

use std::collections::BTreeSet;

use crate::certificate::Certificate;
use crate::cms::SignedData;
use crate::crl::RevocationList;
use crate::der::{DerError, Element, Elements, tag};
use crate::ocsp::OcspResponse;

/// Maximum certificates examined.
const MAX_CERTIFICATES: usize = 200;
/// OCSP responses among other revocation information (RFC 5940, 2.1).
const ANSWER: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 16, 2];

/// The data of the document security store, undecoded.
#[derive(Debug, Default)]
pub struct StoredValidation {
    /// Certificates, CRLs, OCSP responses.
    pub found: [Vec<Vec<u8>>; 3],
    /// Whether a CRL or a response could not be read.
    pub is_unread: bool,
}

/// The validation data for one signature.
#[derive(Debug, Default, Clone)]
pub struct Validation<'a> {
    /// Certificates, each once.
    pub certificates: Vec<Certificate<'a>>,
    known: BTreeSet<&'a [u8]>,
    /// CRLs (RFC 5280, 5.1).
    pub lists: Vec<RevocationList<'a>>,
    /// OCSP responses (RFC 6960, 4.2.1).
    pub responses: Vec<OcspResponse<'a>>,
    /// Whether there are unreadable or too many CRLs or responses, whose statements are unknown.
    pub is_unread: bool,
    /// Whether there are more certificates than are examined.
    pub is_crowded: bool,
}

impl<'a> Validation<'a> {
    /// The data of a store, a signature's dictionary and the signature, with its time-stamp.
    pub fn gather(store: &'a StoredValidation, own: &'a [Vec<u8>], messages: &[&SignedData<'a>]) -> Self {
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
