//! Signatures in the Cryptographic Message Syntax (RFC 5652, 5), in every form that readers have to take, and in some
//! that they must not.

use super::certificate::Certificate;
use super::der::{element, identifier, octets, sequence, set, small};
use super::hash::Hash;
use super::key::Scheme;

const DATA: &str = "1.2.840.113549.1.7.1";
const SIGNED_DATA: &str = "1.2.840.113549.1.7.2";
const TIME_STAMP_INFO: &str = "1.2.840.113549.1.9.16.1.4";

/// A signature to be made.
#[derive(Debug, Clone)]
pub struct Cms {
    /// The signer's certificate, whose key signs.
    pub certificate: Certificate,
    /// How an RSA key signs.
    pub scheme: Scheme,
    /// The hash of the content, and of the value where the key leaves it open.
    pub hash: Hash,
    /// The hash of the value, if it is another one.
    pub value_hash: Option<Hash>,
    /// What the message holds beside the signature.
    pub inside: Inside,
    /// How the signer names his certificate in what he signs.
    pub reference: Reference,
    /// When the signer says that he signed, as a `UTCTime`.
    pub signed_at: Option<String>,
    /// Whether there are signed attributes at all.
    pub has_attributes: bool,
    /// Whether the certificate is picked by its key's identifier, not by issuer and number.
    pub by_key_identifier: bool,
    /// The certificates in the message, if not just the signer's.
    pub certificates: Option<Vec<Vec<u8>>>,
    /// Lists of revoked certificates and answers about them in the message.
    pub revocations: Vec<Vec<u8>>,
    /// The same in what the signer signs (`adbe-revocationInfoArchival`, ISO 32000-1, 12.8.3.3.2): lists and responses.
    pub archive: [Vec<Vec<u8>>; 2],
    /// How it is encoded.
    pub encoding: Encoding,
    /// How many signers there are.
    pub signers: usize,
    /// A further signer, whose certificate and content are his own.
    pub further: Option<Box<Self>>,
    /// Who says when the value existed.
    pub time_stamp: Option<Box<Cms>>,
}

/// What a message holds beside the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inside {
    /// Nothing: the content is elsewhere.
    Nothing,
    /// The digest of the content by SHA-1.
    Sha1,
    /// The statement that the content existed at a time, as a `GeneralizedTime` (RFC 3161, 2.4.2).
    TimeStamp(String),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// How a signer names his certificate in what he signs (RFC 5035, 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Not at all.
    Nothing,
    /// By its SHA-1.
    Old,
    /// By its SHA-256, which goes without saying.
    New,
    /// By its SHA-512.
    NewBy512,
}

/// How a message is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// By DER.
    Der,
    /// With indefinite lengths around the outer elements and content in pieces.
    Ber,
    /// With indefinite lengths, those of the signed attributes too.
    BerThroughout,
    /// By DER but for the signed attributes, which are out of order, and signed so.
    Unsorted,
    /// No message at all: the value as an octet string (ISO 32000-1, 12.8.3.2).
    Pkcs1,
}

impl Cms {
    /// A detached signature by SHA-256, with the certificate and its digest.
    #[must_use]
    pub fn new(certificate: Certificate) -> Self {
        Self {
            certificate,
            scheme: Scheme::Usual,
            hash: Hash::Sha256,
            value_hash: None,
            inside: Inside::Nothing,
            reference: Reference::New,
            signed_at: Some("261104081500Z".to_owned()),
            has_attributes: true,
            by_key_identifier: false,
            certificates: None,
            revocations: Vec::new(),
            archive: [Vec::new(), Vec::new()],
            encoding: Encoding::Der,
            signers: 1,
            further: None,
            time_stamp: None,
        }
    }

    /// A time-stamp token.
    #[must_use]
    pub fn time_stamp(certificate: Certificate, at: &str) -> Self {
        Self { inside: Inside::TimeStamp(at.to_owned()), signed_at: None, ..Self::new(certificate) }
    }

    /// The `ContentInfo` with the signature of these bytes.
    #[must_use]
    pub fn make(&self, bytes: &[u8]) -> Vec<u8> {
        if self.encoding == Encoding::Pkcs1 {
            return octets(&self.certificate.key.sign(self.scheme, self.hash, bytes));
        }
        let inside = self.content(bytes);
        let signed = inside.as_deref().unwrap_or(bytes);
        let signer = self.signer(signed);
        let further = self.further.as_ref().map_or_else(Vec::new, |further| further.signer(bytes));
        let content_type = identifier(self.content_type());
        let encapsulated = match &inside {
            Some(content) if self.is_ber() => {
                let (one, other) = content.split_at(content.len() / 2);
                let pieces = self.outer(0x24, &[&octets(one), &octets(other)]);
                self.outer(0x30, &[&content_type, &self.outer(0xa0, &[&pieces])])
            }
            Some(content) => sequence(&[&content_type, &element(0xa0, &[&octets(content)])]),
            None => sequence(&[&content_type]),
        };
        let certificates = self.certificates.clone().unwrap_or_else(|| vec![self.certificate.make()]);
        let certificates =
            if certificates.is_empty() { Vec::new() } else { self.outer(0xa0, &[&certificates.concat()]) };
        let revocations =
            if self.revocations.is_empty() { Vec::new() } else { element(0xa1, &[&self.revocations.concat()]) };
        let data = self.outer(
            0x30,
            &[
                &small(1),
                &set(vec![self.hash.info()]),
                &encapsulated,
                &certificates,
                &revocations,
                &self.outer(0x31, &[&signer.repeat(self.signers), &further]),
            ],
        );
        self.outer(0x30, &[&identifier(SIGNED_DATA), &self.outer(0xa0, &[&data])])
    }

    fn content_type(&self) -> &'static str {
        if matches!(self.inside, Inside::TimeStamp(_)) { TIME_STAMP_INFO } else { DATA }
    }

    fn content(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        match &self.inside {
            Inside::Nothing => None,
            Inside::Sha1 => Some(Hash::Sha1.of(bytes)),
            Inside::Bytes(bytes) => Some(bytes.clone()),
            Inside::TimeStamp(at) => {
                let imprint = sequence(&[&self.hash.info(), &octets(&self.hash.of(bytes))]);
                let at = element(0x18, &[at.as_bytes()]);
                Some(sequence(&[&small(1), &identifier("1.2.3.4"), &imprint, &small(9), &at]))
            }
        }
    }

    fn signer(&self, signed: &[u8]) -> Vec<u8> {
        let certificate = if self.by_key_identifier {
            element(0x80, &[&self.certificate.key_identifier()])
        } else {
            sequence(&[&self.certificate.issuer(), &self.certificate.serial()])
        };
        let hash = self.value_hash.unwrap_or(self.hash);
        let attributes = self.attributes(signed);
        let message = if self.has_attributes { element(0x31, &[&attributes.concat()]) } else { signed.to_vec() };
        let value = self.certificate.key.sign(self.scheme, hash, &message);
        let attributes = match self.encoding {
            _ if !self.has_attributes => Vec::new(),
            Encoding::BerThroughout => self.outer(0xa0, &[&attributes.concat()]),
            _ => element(0xa0, &[&attributes.concat()]),
        };
        let unsigned = match &self.time_stamp {
            Some(cms) => element(0xa1, &[&attribute("1.2.840.113549.1.9.16.2.14", &cms.make(&value))]),
            None => Vec::new(),
        };
        sequence(&[
            &small(1),
            &certificate,
            &self.hash.info(),
            &attributes,
            &self.certificate.key.algorithm(self.scheme, hash),
            &octets(&value),
            &unsigned,
        ])
    }

    fn attributes(&self, signed: &[u8]) -> Vec<Vec<u8>> {
        let certificate = self.certificate.make();
        let reference = |name: &str, parts: &[&[u8]]| attribute(name, &sequence(&[&sequence(&[&sequence(parts)])]));
        let mut attributes = vec![
            attribute("1.2.840.113549.1.9.3", &identifier(self.content_type())),
            attribute("1.2.840.113549.1.9.4", &octets(&self.hash.of(signed))),
        ];
        attributes.extend(
            self.signed_at.as_ref().map(|at| attribute("1.2.840.113549.1.9.5", &element(0x17, &[at.as_bytes()]))),
        );
        match self.reference {
            Reference::Nothing => {}
            Reference::Old => {
                let digest = octets(&Hash::Sha1.of(&certificate));
                attributes.push(reference("1.2.840.113549.1.9.16.2.12", &[&digest]));
            }
            Reference::New => {
                let digest = octets(&Hash::Sha256.of(&certificate));
                attributes.push(reference("1.2.840.113549.1.9.16.2.47", &[&digest]));
            }
            Reference::NewBy512 => {
                let digest = octets(&Hash::Sha512.of(&certificate));
                attributes.push(reference("1.2.840.113549.1.9.16.2.47", &[&Hash::Sha512.info(), &digest]));
            }
        }
        let [lists, responses] = &self.archive;
        let kinds = [(0xa0, lists), (0xa1, responses)].into_iter().filter(|(_, all)| !all.is_empty());
        let kinds: Vec<Vec<u8>> = kinds.map(|(tag, all)| element(tag, &[&sequence(&[&all.concat()])])).collect();
        if !kinds.is_empty() {
            attributes.push(attribute("1.2.840.113583.1.1.8", &sequence(&[&kinds.concat()])));
        }
        attributes.sort();
        if self.encoding == Encoding::Unsorted {
            attributes.reverse();
        }
        attributes
    }

    fn is_ber(&self) -> bool {
        matches!(self.encoding, Encoding::Ber | Encoding::BerThroughout)
    }

    /// An element that may go without a length.
    fn outer(&self, tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        if self.is_ber() { [&[tag, 0x80], &parts.concat()[..], &[0, 0]].concat() } else { element(tag, parts) }
    }
}

fn attribute(name: &str, value: &[u8]) -> Vec<u8> {
    sequence(&[&identifier(name), &element(0x31, &[value])])
}
