//! A signature with its entries, before anything is verified.

use chrono::{DateTime, FixedOffset};

use super::byte_range::{self, RangeFault, SignedRange};
use super::contents_entry;
use super::fields::FoundSignature;
use super::permission::Permission;
use super::signed_state::SignedState;
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::{date, text_string};

/// A signature with its parsed entries.
#[derive(Debug)]
pub(crate) struct ParsedSignature {
    pub(crate) found: FoundSignature,
    /// Its entries in the state that it covers.
    pub(crate) signed_state: SignedState,
    pub(crate) permission: Permission,
    pub(crate) sub_filter: Option<String>,
    pub(crate) claimed_at: Option<DateTime<FixedOffset>>,
    pub(crate) range: Result<SignedRange, RangeFault>,
    /// The value of `/Contents`; `None` if it is missing or too long, or there are too many.
    pub(crate) value: Option<Vec<u8>>,
    /// The separate certificates, `/Cert` (table 252).
    pub(crate) certificates: Vec<Vec<u8>>,
}

impl ParsedSignature {
    /// Reads the dictionary's entries (12.8.1, table 252). `left` is the number of bytes of values that may still be
    /// kept.
    pub(crate) fn read(document: &mut Document, found: FoundSignature, left: &mut usize) -> Result<Self, Fault> {
        let byte_range = document.newest().resolve(found.value.get(b"ByteRange"))?.into_owned();
        let mut range = byte_range::check(&byte_range, found.contents.range(), document.reader.file_size());
        if let Ok(signed) = &range
            && !byte_range::ends_revision(document, signed)?
        {
            range = Err(RangeFault::NoEnd);
        }
        // the coverage of an invalid range is unknown
        let covered = document.state_at(range.as_ref().map_or(u64::MAX, |signed| signed.end));
        let signed_state = SignedState::read(document, covered, &found)?;
        let mut view = document.view(covered);
        let permission = Permission::read(&mut view, &found.value, &signed_state.lock)?;
        let mut entry = |key: &[u8]| view.resolve(found.value.get(key));
        let sub_filter = entry(b"SubFilter")?.as_name().and_then(text_string::decode);
        let claimed_at = entry(b"M")?.as_string().and_then(text_string::decode);
        let beside = entry(b"Cert")?;
        let beside = beside.as_string().into_iter().chain(beside.elements().iter().filter_map(Object::as_string));
        let certificates = beside.map(<[u8]>::to_vec).collect();
        let mut value = None;
        if let Some(place) = found.contents.range()
            && let Some(rest) = left.checked_sub((place.end - place.start) as usize / 2)
        {
            *left = rest;
            value = contents_entry::read(document, place)?;
            if value.is_none() {
                range = Err(RangeFault::NoContents);
            }
        }
        let claimed_at = claimed_at.as_deref().and_then(date::parse);
        Ok(Self { found, signed_state, permission, sub_filter, claimed_at, range, value, certificates })
    }
}
