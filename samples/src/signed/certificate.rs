//! Certificates (RFC 5280, 4.1).

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::der::{bits, element, identifier, octets, sequence};
use super::hash::Hash;
use super::key::{Key, Scheme};

/// A certificate to be made.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The key that it is about.
    pub key: Key,
    /// Common name of its holder.
    pub subject: String,
    /// Common name of the issuer.
    pub issuer: String,
    /// The issuer's key.
    pub issuer_key: Key,
    /// Its number.
    pub serial: u8,
}

impl Certificate {
    /// One that a key's holder has made himself.
    #[must_use]
    pub fn self_signed(key: Key, subject: &str) -> Self {
        Self { key, subject: subject.to_owned(), issuer: subject.to_owned(), issuer_key: key, serial: 1 }
    }

    /// The same, issued by another key.
    #[must_use]
    pub fn issued_by(self, issuer: &str, issuer_key: Key) -> Self {
        Self { issuer: issuer.to_owned(), issuer_key, ..self }
    }

    /// The certificate, encoded: always the same, although some keys never sign the same way twice.
    ///
    /// # Panics
    /// Never, unless another thread did.
    #[must_use]
    pub fn make(&self) -> Vec<u8> {
        static MADE: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
        MADE.lock().unwrap().entry(format!("{self:?}")).or_insert_with(|| self.make_anew()).clone()
    }

    fn make_anew(&self) -> Vec<u8> {
        let algorithm = self.issuer_key.algorithm(Scheme::Usual, Hash::Sha256);
        let validity = sequence(&[&element(0x17, &[b"200101000000Z"]), &element(0x18, &[b"20991231235959Z"])]);
        let identifier_of_key = octets(&octets(&self.key_identifier()));
        let extension = sequence(&[&identifier("2.5.29.14"), &identifier_of_key]);
        let signed = sequence(&[
            &element(0xa0, &[&[2, 1, 2]]),
            &self.serial(),
            &algorithm,
            &self.issuer(),
            &validity,
            &name(&self.subject),
            &self.key.info(),
            &element(0xa3, &[&sequence(&[&extension])]),
        ]);
        let value = self.issuer_key.sign(Scheme::Usual, Hash::Sha256, &signed);
        sequence(&[&signed, &algorithm, &bits(&value)])
    }

    pub(super) fn serial(&self) -> Vec<u8> {
        vec![2, 1, self.serial]
    }

    pub(super) fn issuer(&self) -> Vec<u8> {
        name(&self.issuer)
    }

    /// The digest of the key (RFC 5280, 4.2.1.2).
    pub(super) fn key_identifier(&self) -> Vec<u8> {
        Hash::Sha1.of(&self.key.public())
    }
}

/// A name with a country and a common name.
fn name(common: &str) -> Vec<u8> {
    let part = |kind: &str, tag: u8, text: &str| {
        element(0x31, &[&sequence(&[&identifier(kind), &element(tag, &[text.as_bytes()])])])
    };
    sequence(&[&part("2.5.4.6", 0x13, "DE"), &part("2.5.4.3", 0x0c, common)])
}
