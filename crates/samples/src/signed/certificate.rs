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
    /// From when until when it is good, as `UTCTime`s; far on both sides if nothing is said.
    pub validity: Option<[&'static str; 2]>,
    /// Further extensions, encoded.
    pub extensions: Vec<Vec<u8>>,
    /// 1 to 3.
    pub version: u8,
    /// Names of holder and issuer, encoded, in place of those of a common name.
    pub names: [Option<Vec<u8>>; 2],
}

/// A list of revoked certificates to be made (RFC 5280, 5.1).
#[derive(Debug, Clone)]
pub struct RevocationList {
    /// The certificate of whoever makes it.
    pub by: Certificate,
    /// The name of its issuer, encoded, if that is not the maker's.
    pub issuer: Option<Vec<u8>>,
    /// Its entries, encoded.
    pub entries: Vec<Vec<u8>>,
    /// Its extensions, encoded.
    pub extensions: Vec<Vec<u8>>,
    /// When it was made, and until when it holds, as `UTCTime`s.
    pub validity: [String; 2],
}

impl RevocationList {
    /// A list without entries.
    #[must_use]
    pub fn of(by: &Certificate, made: &str, until: &str) -> Self {
        let validity = [made.to_owned(), until.to_owned()];
        Self { by: by.clone(), issuer: None, entries: Vec::new(), extensions: Vec::new(), validity }
    }

    /// The same with an entry for a number, revoked at a time, with these extensions.
    #[must_use]
    pub fn revoking(mut self, serial: u8, at: &str, extensions: &[Vec<u8>]) -> Self {
        let extensions = if extensions.is_empty() { Vec::new() } else { sequence(&[&extensions.concat()]) };
        self.entries.push(sequence(&[&[2, 1, serial], &element(0x17, &[at.as_bytes()]), &extensions]));
        self
    }

    /// The same with these extensions.
    #[must_use]
    pub fn with(mut self, extensions: &[Vec<u8>]) -> Self {
        self.extensions.extend_from_slice(extensions);
        self
    }

    /// The list, encoded.
    #[must_use]
    pub fn make(&self) -> Vec<u8> {
        let time = |time: &str| element(0x17, &[time.as_bytes()]);
        let algorithm = self.by.key.algorithm(Scheme::Usual, Hash::Sha256);
        let issuer = self.issuer.clone().unwrap_or_else(|| self.by.subject());
        let optional = |tag: Option<u8>, parts: &[Vec<u8>]| match (parts.is_empty(), tag) {
            (true, _) => Vec::new(),
            (false, None) => sequence(&[&parts.concat()]),
            (false, Some(tag)) => element(tag, &[&sequence(&[&parts.concat()])]),
        };
        let [made, until] = &self.validity;
        let signed = sequence(&[
            &[2, 1, 1],
            &algorithm,
            &issuer,
            &time(made),
            &time(until),
            &optional(None, &self.entries),
            &optional(Some(0xa0), &self.extensions),
        ]);
        let value = self.by.key.sign(Scheme::Usual, Hash::Sha256, &signed);
        sequence(&[&signed, &algorithm, &bits(&value)])
    }
}

impl Certificate {
    /// One that a key's holder has made himself.
    #[must_use]
    pub fn self_signed(key: Key, subject: &str) -> Self {
        Self {
            key,
            subject: subject.to_owned(),
            issuer: subject.to_owned(),
            issuer_key: key,
            serial: 1,
            validity: None,
            extensions: Vec::new(),
            version: 3,
            names: [None, None],
        }
    }

    /// The same, issued by another key.
    #[must_use]
    pub fn issued_by(self, issuer: &str, issuer_key: Key) -> Self {
        Self { issuer: issuer.to_owned(), issuer_key, ..self }
    }

    /// The same with these extensions.
    #[must_use]
    pub fn with(self, extensions: &[Vec<u8>]) -> Self {
        Self { extensions: extensions.to_vec(), ..self }
    }

    /// An authority's, which issues itself.
    #[must_use]
    pub fn authority(key: Key, name: &str) -> Self {
        Self::self_signed(key, name).with(&[authority(None), key_usage(0x06)])
    }

    /// A list of revoked certificates by their numbers, which this one's holder makes (RFC 5280, 5.1).
    #[must_use]
    pub fn revocations(&self, revoked: &[(u8, &str)], made: &str, until: &str) -> Vec<u8> {
        let time = |time: &str| element(0x17, &[time.as_bytes()]);
        let entries: Vec<_> = revoked.iter().map(|(serial, at)| sequence(&[&[2, 1, *serial], &time(at)])).collect();
        self.list(&entries, made, until)
    }

    /// A list of certificates with these numbers behind a byte, all revoked when it was made.
    #[must_use]
    pub(crate) fn long_list(&self, revoked: &[u32], made: &str, until: &str) -> Vec<u8> {
        let at = element(0x17, &[made.as_bytes()]);
        let number = |serial: &u32| element(2, &[&[1], &serial.to_be_bytes()]);
        let entries: Vec<_> = revoked.iter().map(|serial| sequence(&[&number(serial), &at])).collect();
        self.list(&entries, made, until)
    }

    fn list(&self, entries: &[Vec<u8>], made: &str, until: &str) -> Vec<u8> {
        RevocationList { entries: entries.to_vec(), ..RevocationList::of(self, made, until) }.make()
    }

    /// What `responder` answers about this certificate of `issuer` (RFC 6960, 4.2.1), as information in a signature (RFC 5940,
    /// 2.1): good, or revoked since a time.
    #[must_use]
    pub fn answer(&self, issuer: &Self, responder: &Self, revoked: Option<&str>, made: &str, until: &str) -> Vec<u8> {
        let by = element(0xa2, &[&octets(&responder.key_identifier())]);
        let data = self.response_data(issuer, &by, revoked, made, until);
        let algorithm = responder.key.algorithm(Scheme::Usual, Hash::Sha256);
        let value = bits(&responder.key.sign(Scheme::Usual, Hash::Sha256, &data));
        let certificates = element(0xa0, &[&sequence(&[&responder.make()])]);
        let basic = octets(&sequence(&[&data, &algorithm, &value, &certificates]));
        let bytes = element(0xa0, &[&sequence(&[&identifier("1.3.6.1.5.5.7.48.1.1"), &basic])]);
        let response = sequence(&[&[0x0a, 1, 0], &bytes]);
        element(0xa1, &[&identifier("1.3.6.1.5.5.7.16.2"), &response])
    }

    /// What a responder who is named so signs about this certificate of `issuer` (RFC 6960, 4.2.1).
    pub(crate) fn response_data(
        &self,
        issuer: &Self,
        responder: &[u8],
        revoked: Option<&str>,
        made: &str,
        until: &str,
    ) -> Vec<u8> {
        let time = |time: &str| element(0x18, &[time.as_bytes()]);
        let of = |bytes: &[u8]| octets(&Hash::Sha1.of(bytes));
        let identifier_of =
            sequence(&[&Hash::Sha1.info(), &of(&self.issuer()), &of(&issuer.key.public()), &self.serial()]);
        let status = revoked.map_or_else(|| element(0x80, &[]), |at| element(0xa1, &[&time(at)]));
        let single = sequence(&[&identifier_of, &status, &time(made), &element(0xa0, &[&time(until)])]);
        sequence(&[responder, &time(made), &sequence(&[&single])])
    }

    /// The identifier of its key as an extension (RFC 5280, 4.2.1.2).
    pub(crate) fn identifier_extension(&self) -> Vec<u8> {
        extension("2.5.29.14", false, &octets(&self.key_identifier()))
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
        let validity = match self.validity {
            Some([from, until]) => sequence(&[&element(0x17, &[from.as_bytes()]), &element(0x17, &[until.as_bytes()])]),
            None => sequence(&[&element(0x17, &[b"200101000000Z"]), &element(0x18, &[b"20991231235959Z"])]),
        };
        let identifier_of_key = octets(&octets(&self.key_identifier()));
        let extension = sequence(&[&identifier("2.5.29.14"), &identifier_of_key]);
        let version = if self.version == 1 { Vec::new() } else { element(0xa0, &[&[2, 1, self.version - 1]]) };
        let extensions = sequence(&[&extension, &self.extensions.concat()]);
        let extensions = if self.version == 3 { element(0xa3, &[&extensions]) } else { Vec::new() };
        let signed = sequence(&[
            &version,
            &self.serial(),
            &algorithm,
            &self.issuer(),
            &validity,
            &self.subject(),
            &self.key.info(),
            &extensions,
        ]);
        let value = self.issuer_key.sign(Scheme::Usual, Hash::Sha256, &signed);
        sequence(&[&signed, &algorithm, &bits(&value)])
    }

    pub(super) fn serial(&self) -> Vec<u8> {
        vec![2, 1, self.serial]
    }

    pub(super) fn issuer(&self) -> Vec<u8> {
        self.names[1].clone().unwrap_or_else(|| name(&self.issuer))
    }

    /// Its holder's name, encoded.
    #[must_use]
    pub fn subject(&self) -> Vec<u8> {
        self.names[0].clone().unwrap_or_else(|| name(&self.subject))
    }

    /// The digest of the key (RFC 5280, 4.2.1.2).
    pub(super) fn key_identifier(&self) -> Vec<u8> {
        Hash::Sha1.of(&self.key.public())
    }
}

/// An extension (RFC 5280, 4.2).
#[must_use]
pub fn extension(id: &str, is_critical: bool, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = if is_critical { &[1, 1, 0xff] } else { &[] };
    sequence(&[&identifier(id), critical, &octets(value)])
}

/// That it may issue others, so many authorities deep (4.2.1.9).
#[must_use]
pub fn authority(path_length: Option<u8>) -> Vec<u8> {
    let length: Vec<u8> = path_length.map_or_else(Vec::new, |length| vec![2, 1, length]);
    extension("2.5.29.19", true, &sequence(&[&[1, 1, 0xff], &length]))
}

/// What its key may be used for, the first eight bits (4.2.1.3).
#[must_use]
pub fn key_usage(usage: u8) -> Vec<u8> {
    extension("2.5.29.15", true, &[3, 2, 0, usage])
}

/// What it is for (4.2.1.12).
#[must_use]
pub fn purpose(id: &str) -> Vec<u8> {
    extension("2.5.29.37", false, &sequence(&[&identifier(id)]))
}

/// A name with a country and a common name.
#[must_use]
pub fn name(common: &str) -> Vec<u8> {
    let part = |kind: &str, tag: u8, text: &str| {
        element(0x31, &[&sequence(&[&identifier(kind), &element(tag, &[text.as_bytes()])])])
    };
    sequence(&[&part("2.5.4.6", 0x13, "DE"), &part("2.5.4.3", 0x0c, common)])
}
