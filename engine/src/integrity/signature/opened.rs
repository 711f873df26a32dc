//! A signature with what the file says about it, before anything of that is checked.

use chrono::{DateTime, FixedOffset};

use super::contents;
use super::covered::Standing;
use super::fields::FoundSignature;
use super::permission::Permission;
use super::range::{self, RangeFault, Signed};
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::object::Object;
use crate::text::{date, text_string};

/// A signature with what the file says about it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) found: FoundSignature,
    /// What the state that it covers has of it.
    pub(crate) standing: Standing,
    pub(crate) permission: Permission,
    pub(crate) sub_filter: Option<String>,
    pub(crate) claimed_at: Option<DateTime<FixedOffset>>,
    pub(crate) range: Result<Signed, RangeFault>,
    /// The value of `/Contents`; none if there is none, it is too long, or there are too many.
    pub(crate) value: Option<Vec<u8>>,
    /// The certificates beside it, `/Cert` (table 252).
    pub(crate) certificates: Vec<Vec<u8>>,
}

impl Opened {
    /// Reads the entries of the dictionary (12.8.1, table 252). `left` says how many bytes of values may still be kept.
    pub(crate) fn read(document: &mut Document, found: FoundSignature, left: &mut usize) -> Result<Self, Fault> {
        let byte_range = document.newest().resolve(found.value.get(b"ByteRange"))?.into_owned();
        let mut range = range::check(&byte_range, found.contents.range(), document.reader.len());
        if let Ok(signed) = &range
            && !range::ends_revision(document, signed)?
        {
            range = Err(RangeFault::NoEnd);
        }
        // what a range that is wrong covers cannot be told
        let covered = document.state_at(range.as_ref().map_or(u64::MAX, |signed| signed.end));
        let standing = Standing::read(document, covered, &found)?;
        let mut view = document.view(covered);
        let permission = Permission::read(&mut view, &found.value, &standing.lock)?;
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
            value = contents::read(document, place)?;
            if value.is_none() {
                range = Err(RangeFault::NoContents);
            }
        }
        let claimed_at = claimed_at.as_deref().and_then(date::parse);
        Ok(Self { found, standing, permission, sub_filter, claimed_at, range, value, certificates })
    }
}
