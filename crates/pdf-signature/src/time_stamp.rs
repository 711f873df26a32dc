//! Time-stamp tokens (RFC 3161, 2.4.2): signed statements that data existed at a time.

use chrono::{DateTime, FixedOffset};

use crate::algorithm::Identifier;
use crate::cms::{Content, SignedData};
use crate::der::{DerError, Elements, tag};
use crate::hash::Hash;
use crate::text;
use crate::verification::Verifications;

/// `id-ct-TSTInfo`.
const TIME_STAMP_INFO: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 1, 4];

/// The content of a token.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeStamp<'a> {
    /// The hash of the imprint; `None` if unknown.
    pub hash: Option<Hash>,
    /// The digest of the time-stamped data.
    pub imprint: &'a [u8],
    /// Its time, if it can be read.
    pub at: Option<DateTime<FixedOffset>>,
}

impl<'a> TimeStamp<'a> {
    /// Reads the `TSTInfo` in a token.
    pub fn read(token: &'a SignedData) -> Result<Self, DerError> {
        let info = token.content.as_ref().filter(|_| token.content_type == TIME_STAMP_INFO);
        let mut fields = Elements::new(info.ok_or(DerError::Unexpected)?).enter(tag::SEQUENCE)?;
        fields.expect(tag::INTEGER)?;
        fields.identifier()?;
        let mut imprint = fields.enter(tag::SEQUENCE)?;
        let hash = Identifier::read(&mut imprint)?.hash();
        let imprint = imprint.expect(tag::OCTET_STRING)?.content;
        fields.expect(tag::INTEGER)?;
        let at = text::time(&fields.expect(tag::GENERALIZED_TIME)?);
        Ok(Self { hash, imprint, at })
    }
}

/// The time at which the token proves that `value` existed, with the token; `None` if it is about other data or not
/// intact.
pub fn verified<'a>(
    token: &'a [u8],
    value: &[u8],
    verifications: &Verifications,
) -> Option<(DateTime<FixedOffset>, SignedData<'a>)> {
    let token = SignedData::read(token).ok()?;
    let time_stamp = TimeStamp::read(&token).ok()?;
    let is_about_value = time_stamp.hash?.digest(value)? == time_stamp.imprint;
    let is_intact = token.check(Content::Bytes(token.content.as_ref()?), verifications).is_ok();
    let at = time_stamp.at.filter(|_| is_about_value && is_intact)?;
    Some((at, token))
}
