//! Stored findings: JSON, deflated (RFC 1951) with a preset dictionary of frequent words, as one binary attribute. It
//! is in the entry's row if that then takes at most one write unit, otherwise in a separate row.

use std::cell::RefCell;
use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::item::Item;
use crate::analysis::{StoredFinding, completed};
use crate::error::{Cause, Error};

/// The attribute of the finding.
pub(super) const FINDING: &str = "finding";
/// Most bytes of a row for which DynamoDB counts one write unit.
pub(super) const WRITE_UNIT: usize = 1024;

/// First byte of a finding that is plain JSON.
const PLAIN: u8 = 0;
/// First byte of a finding that is deflated with [`DICTIONARY`].
const DEFLATED: u8 = 1;
/// Frequent texts of findings, the most frequent last: closer matches take fewer bits. Stored findings cannot be read
/// without it, so a better dictionary needs another first byte, and this one is kept.
const DICTIONARY: &[u8] = include_bytes!("finding/dictionary.txt");
/// Largest JSON of a finding; the parts of an analysis or a comparison are limited to 400,000 bytes each.
const MAX_JSON: usize = 2 * 1024 * 1024;

thread_local! {
    /// Setting up a quarter of a megabyte takes longer than compressing a finding.
    static DEFLATE: RefCell<Compress> = RefCell::new(Compress::new(Compression::default(), false));
}

/// The stored JSON: two of these.
#[derive(Default, Deserialize, Serialize)]
struct Parts<'j> {
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    metadata: Option<&'j RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    seen: Option<&'j RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    files: Option<&'j RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    comparison: Option<&'j RawValue>,
}

impl<'j> Parts<'j> {
    fn of(finding: &'j StoredFinding) -> Self {
        match finding {
            StoredFinding::Analysis { metadata, seen } => {
                Self { metadata: Some(metadata), seen: seen.as_deref(), ..Self::default() }
            }
            StoredFinding::Comparison { files, comparison } => {
                Self { files: Some(files), comparison: Some(comparison), ..Self::default() }
            }
        }
    }

    fn finding(self) -> serde_json::Result<StoredFinding> {
        Ok(match self {
            Self { files: Some(files), comparison: Some(comparison), .. } => {
                StoredFinding::Comparison { files: files.to_owned(), comparison: comparison.to_owned() }
            }
            Self { metadata, seen, .. } => StoredFinding::Analysis {
                metadata: completed(metadata.map_or("", RawValue::get))?,
                seen: seen.map(ToOwned::to_owned),
            },
        })
    }
}

/// The finding as stored.
///
/// # Errors
/// [`Error::Internal`] if it cannot be compressed, which is a bug.
pub(super) fn packed(finding: &StoredFinding) -> Result<AttributeValue, Error> {
    let json = serde_json::to_vec(&Parts::of(finding)).map_err(Error::internal)?;
    // deflate adds at most 5 bytes to each 16 KB that it cannot compress
    let mut bytes = Vec::with_capacity(json.len() + json.len() / 1024 + 64);
    bytes.push(DEFLATED);
    let status = DEFLATE.with_borrow_mut(|deflate| {
        deflate.reset();
        deflate.set_dictionary(DICTIONARY)?;
        deflate.compress_vec(&json, &mut bytes, FlushCompress::Finish)
    });
    match status.map_err(Error::internal)? {
        Status::StreamEnd => Ok(AttributeValue::B(bytes.into())),
        Status::Ok | Status::BufError => Err(Error::Internal(Cause::text("a finding was not compressed completely"))),
    }
}

impl Item {
    /// The finding, if the row has one.
    ///
    /// # Errors
    /// [`Error::Internal`] if it is malformed.
    pub(super) fn finding(&self) -> Result<Option<StoredFinding>, Error> {
        if !self.has(FINDING) {
            return self.plain_finding();
        }
        let json = unpacked(self.bytes(FINDING)?)?;
        let parts: Parts<'_> = serde_json::from_slice(&json).map_err(Error::internal)?;
        parts.finding().map(Some).map_err(Error::internal)
    }

    /// The finding as earlier builds stored it: each part's JSON as a text.
    fn plain_finding(&self) -> Result<Option<StoredFinding>, Error> {
        let part =
            |name| self.optional_text(name).map(serde_json::from_str::<&RawValue>).transpose().map_err(Error::internal);
        let parts = Parts {
            metadata: part("metadata")?,
            seen: part("seen")?,
            files: part("files")?,
            comparison: part("comparison")?,
        };
        let is_there = parts.metadata.is_some() || parts.comparison.is_some();
        is_there.then(|| parts.finding()).transpose().map_err(Error::internal)
    }
}

/// The JSON of a stored finding.
///
/// # Errors
/// [`Error::Internal`] if it is malformed.
pub fn unpacked(stored: &[u8]) -> Result<Vec<u8>, Error> {
    let malformed = || Error::Internal(Cause::text("a stored finding is malformed"));
    let (kind, bytes) = stored.split_first().ok_or_else(malformed)?;
    match *kind {
        PLAIN => return Ok(bytes.to_vec()),
        DEFLATED => {}
        _ => return Err(malformed()),
    }
    let mut inflate = Decompress::new(false);
    inflate.set_dictionary(DICTIONARY).map_err(Error::internal)?;
    let mut json = Vec::with_capacity(8 * bytes.len());
    loop {
        let rest = usize::try_from(inflate.total_in()).ok().and_then(|read| bytes.get(read..)).unwrap_or_default();
        match inflate.decompress_vec(rest, &mut json, FlushDecompress::Finish).map_err(Error::internal)? {
            Status::StreamEnd if json.len() <= MAX_JSON => return Ok(json),
            // the output is full
            Status::Ok | Status::BufError if json.len() == json.capacity() && json.len() < MAX_JSON => {
                json.reserve(json.len().max(1024));
            }
            _ => return Err(malformed()),
        }
    }
}

/// The size of a row as DynamoDB counts it, rounded up: names and values.
pub(super) fn size(row: &HashMap<String, AttributeValue>) -> usize {
    row.iter().map(|(name, value)| name.len() + value_size(value)).sum()
}

fn value_size(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        // two digits a byte, one more byte for each end that is odd, and one for the sign
        AttributeValue::N(digits) => digits.len().div_ceil(2) + 2,
        AttributeValue::Bool(_) | AttributeValue::Null(_) => 1,
        AttributeValue::M(map) => 3 + map.len() + size(map),
        AttributeValue::L(list) => 3 + list.len() + list.iter().map(value_size).sum::<usize>(),
        AttributeValue::Ss(texts) => texts.iter().map(String::len).sum(),
        AttributeValue::Ns(numbers) => numbers.iter().map(|digits| digits.len().div_ceil(2) + 2).sum(),
        AttributeValue::Bs(all) => all.iter().map(|bytes| bytes.as_ref().len()).sum(),
        // a kind that this service does not store
        _ => WRITE_UNIT,
    }
}

#[cfg(test)]
mod tests;
