//! Trust anchors (RFC 5280, 6.1.1): certificates of issuers that the reader of a file trusts. None are built in.

use std::collections::BTreeMap;

use base64_simd::STANDARD;
use chrono::{DateTime, FixedOffset};
use thiserror::Error;

use crate::certificate::Certificate;
use crate::der::Elements;
use crate::extensions::Extensions;
use crate::report::AnchorSource;
use crate::verification::Verifications;

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";
/// Maximum length of a certificate, in bytes. Real ones have about 2,000.
const MAX_CERTIFICATE_BYTES: usize = 16_384;

/// The certificate of a trusted issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// DER of the certificate.
    pub certificate: Vec<u8>,
    /// Its subject.
    pub name: String,
    /// Its fingerprint: SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// notBefore, as the certificate states it.
    pub valid_from: Option<DateTime<FixedOffset>>,
    /// notAfter, as the certificate states it.
    pub valid_until: Option<DateTime<FixedOffset>>,
    /// Who trusts it.
    pub source: AnchorSource,
}

/// Why bytes are no anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AnchorFault {
    /// No certificate at all.
    #[error("there is no certificate in it: send certificates as PEM, each between {BEGIN} and {END}")]
    Nothing,
    /// The content between the markers is no certificate, or one without a subject.
    #[error("certificate {0} cannot be read")]
    Unreadable(usize),
    /// It may not issue certificates.
    #[error("certificate {0} is not one of an issuer (basicConstraints without CA): send the issuer's")]
    NoAuthority(usize),
}

impl Anchor {
    /// Reads all certificates of a PEM file (RFC 7468, 5), ignoring other text, or the one of a DER file.
    ///
    /// # Errors
    /// For the first certificate that is not an issuer's, counted from 1.
    pub fn read(bytes: &[u8], source: AnchorSource) -> Result<Vec<Self>, AnchorFault> {
        if bytes.first() == Some(&0x30) {
            return Ok(vec![Self::of(bytes.to_vec(), source, 1)?]);
        }
        let text = String::from_utf8_lossy(bytes);
        let mut anchors = Vec::new();
        let starts =
            text.match_indices(BEGIN).filter(|(start, _)| is_line_start(text.get(..*start).unwrap_or_default()));
        for (index, (start, _)) in starts.enumerate() {
            let number = index + 1;
            let part = text.get(start + BEGIN.len()..).unwrap_or_default();
            let (body, _) = part.split_once(END).ok_or(AnchorFault::Unreadable(number))?;
            let digits: String = body.split_whitespace().collect();
            let certificate = STANDARD.decode_to_vec(digits).map_err(|_| AnchorFault::Unreadable(number))?;
            anchors.push(Self::of(certificate, source, number)?);
        }
        if anchors.is_empty() { Err(AnchorFault::Nothing) } else { Ok(anchors) }
    }

    /// The anchor of a certificate: a CA's or a self-signed one.
    fn of(bytes: Vec<u8>, source: AnchorSource, number: usize) -> Result<Self, AnchorFault> {
        let unreadable = AnchorFault::Unreadable(number);
        let certificate = Self::parse(&bytes).filter(|certificate| certificate.raw.len() == bytes.len());
        let certificate = certificate.filter(|_| bytes.len() <= MAX_CERTIFICATE_BYTES).ok_or(unreadable)?;
        let extensions = Extensions::read(&certificate).map_err(|_| unreadable)?;
        if !extensions.is_authority && !certificate.is_self_issued() {
            return Err(AnchorFault::NoAuthority(number));
        }
        let identity = certificate.identity().ok_or(unreadable)?;
        let name = certificate.subject().ok_or(unreadable)?;
        let (valid_from, valid_until) = (identity.valid_from, identity.valid_until);
        Ok(Self { name, sha256: identity.sha256, valid_from, valid_until, source, certificate: bytes })
    }

    /// Reads the first certificate in `bytes`, DER.
    pub fn parse(bytes: &[u8]) -> Option<Certificate<'_>> {
        Certificate::read(&Elements::new(bytes).next().ok()??).ok()
    }
}

/// Anchors by subject.
#[derive(Default)]
pub struct AnchorIndex<'a> {
    all: Vec<(&'a Anchor, Certificate<'a>)>,
    /// Indexes of the anchors, by the numbers of their subjects.
    named: BTreeMap<u32, Vec<usize>>,
}

impl<'a> AnchorIndex<'a> {
    /// An index of these anchors.
    pub fn new(anchors: &'a [Anchor], verifications: &Verifications<'a>) -> Self {
        let mut index = Self::default();
        for anchor in anchors {
            let Some(certificate) = Anchor::parse(&anchor.certificate) else { continue };
            if let Some(name) = verifications.name(&certificate.subject) {
                index.named.entry(name).or_default().push(index.all.len());
            }
            index.all.push((anchor, certificate));
        }
        index
    }

    /// The anchors with this subject.
    pub fn named(&self, name: Option<u32>) -> impl Iterator<Item = &(&'a Anchor, Certificate<'a>)> {
        let places = name.and_then(|name| self.named.get(&name)).into_iter().flatten();
        places.filter_map(|place| self.all.get(*place))
    }

    /// Whether there is no anchor.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Whether the text ends at the start of a line: text within a line, such as a name, begins no certificate (RFC 7468,
/// 2).
fn is_line_start(before: &str) -> bool {
    before.trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|last| matches!(last, '\n' | '\r' | '\u{feff}'))
}
