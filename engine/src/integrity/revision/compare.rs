//! Whether two states of an object say the same, however they are written.

use crate::document::Document;
use crate::document::states::{Body, State};
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::name::Name;
use crate::syntax::object::Object;
use crate::text::text_string;
use crate::xref::entries::Entry;

/// How many references on end are followed where one state refers to what the other holds itself.
const DEPTH: usize = 4;
/// The longest encoded streams that are decoded to be compared, in bytes.
const ENCODED: usize = 2 << 20;
/// Dictionaries with more entries must be the same to the letter, for comparing them takes the square of that.
const ENTRIES: usize = 1_000;
/// What of a decoded stream is compared, in bytes.
const DECODED: usize = 8 << 20;
/// How a stream is encoded is no part of what it says.
const CODING: [&[u8]; 4] = [b"Length", b"Filter", b"DecodeParms", b"DL"];

/// Whether a text says that it is Unicode; without that it may be the same text all the same (7.9.2.2).
fn is_unicode(text: &[u8]) -> bool {
    text.starts_with(&[0xfe, 0xff]) || text.starts_with(&[0xef, 0xbb, 0xbf])
}

/// An earlier and a later state of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) old: State,
    pub(crate) new: State,
}

impl Pair {
    /// Whether both bodies say the same, streams included.
    pub(crate) fn same_body(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        self.same_body_deep(document, old, new, DEPTH)
    }

    fn same_body_deep(self, document: &mut Document, old: &Body, new: &Body, depth: usize) -> Result<bool, Fault> {
        if matches!(old.entry, Entry::At(_)) && old.entry == new.entry {
            return Ok(true);
        }
        match (&old.object, &new.object, old.stream.is_some(), new.stream.is_some()) {
            (Object::Whole(before), Object::Whole(after), true, true) => {
                Ok(self.differing_deep(document, before, after, &CODING, depth)?.is_empty()
                    && self.same_stream(document, old, new)?)
            }
            (before, after, false, false) => self.same_deep(document, before, after, depth),
            _ => Ok(false),
        }
    }

    /// Whether the bodies of two streams are the same once decoded.
    pub(crate) fn same_stream(self, document: &mut Document, old: &Body, new: &Body) -> Result<bool, Fault> {
        let Some(before) = document.encoded_in(self.old, old, ENCODED)? else { return Ok(false) };
        let Some(after) = document.encoded_in(self.new, new, ENCODED)? else { return Ok(false) };
        let is_encrypted = document.security.is_some();
        let filter = |body: &Body| body.dictionary().map(|dictionary| dictionary.get(b"Filter").clone());
        if !is_encrypted && filter(old) == filter(new) && before == after {
            return Ok(true);
        }
        drop((before, after));
        let (Some(before), Some(after)) =
            (self.decoded(document, old, self.old)?, self.decoded(document, new, self.new)?)
        else {
            return Ok(false);
        };
        // where a stream without a usable length ends is anybody's guess, by a line end or so
        Ok(before.trim_ascii_end() == after.trim_ascii_end())
    }

    fn decoded(self, document: &mut Document, body: &Body, state: State) -> Result<Option<Vec<u8>>, Fault> {
        let Entry::At(offset) = body.entry else { return Ok(None) };
        Ok(document.stream_at(state, body.id.number, offset, DECODED)?.map(|(_, decoded)| decoded))
    }

    /// Whether both values say the same. Objects referred to by the same number are compared where they are touched.
    pub(crate) fn same(self, document: &mut Document, old: &Object, new: &Object) -> Result<bool, Fault> {
        self.same_deep(document, old, new, DEPTH)
    }

    fn same_deep(self, document: &mut Document, old: &Object, new: &Object, depth: usize) -> Result<bool, Fault> {
        document.budget.work(1)?;
        Ok(match (old, new) {
            (Object::Reference(before), Object::Reference(after)) => {
                if before.number == after.number {
                    return Ok(true);
                }
                let Some(depth) = depth.checked_sub(1) else { return Ok(false) };
                let before = document.body_in(self.old, before.number)?;
                let after = document.body_in(self.new, after.number)?;
                match (before, after) {
                    (Some(before), Some(after)) => self.same_body_deep(document, &before, &after, depth)?,
                    (None, None) => true,
                    _ => false,
                }
            }
            (Object::Reference(_), _) | (_, Object::Reference(_)) => {
                let Some(depth) = depth.checked_sub(1) else { return Ok(false) };
                let before = document.resolve_in(self.old, old)?;
                let after = document.resolve_in(self.new, new)?;
                self.same_deep(document, &before, &after, depth)?
            }
            (Object::Array(before), Object::Array(after)) => {
                if before.len() != after.len() {
                    return Ok(false);
                }
                for (before, after) in before.iter().zip(after) {
                    if !self.same_deep(document, before, after, depth)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Object::Whole(before), Object::Whole(after)) => {
                self.differing_deep(document, before, after, &[], depth)?.is_empty()
            }
            (Object::Integer(_) | Object::Real(_), Object::Integer(_) | Object::Real(_)) => {
                let apart = old.as_number().unwrap_or(0.0) - new.as_number().unwrap_or(0.0);
                apart.abs() < 1e-3
            }
            (Object::String(before), Object::String(after)) if is_unicode(before) != is_unicode(after) => {
                text_string::decode(before) == text_string::decode(after)
            }
            (before, after) => before == after,
        })
    }

    /// The keys whose values say something else, in the order of the old state and then of the new one.
    pub(crate) fn differing(
        self,
        document: &mut Document,
        old: &Whole,
        new: &Whole,
        ignored: &[&[u8]],
    ) -> Result<Vec<Name>, Fault> {
        self.differing_deep(document, old, new, ignored, DEPTH)
    }

    fn differing_deep(
        self,
        document: &mut Document,
        old: &Whole,
        new: &Whole,
        ignored: &[&[u8]],
        depth: usize,
    ) -> Result<Vec<Name>, Fault> {
        let mut differing: Vec<Name> = Vec::new();
        if old.len().max(new.len()) > ENTRIES {
            let first = new.iter().chain(old.iter()).next().filter(|_| old != new);
            return Ok(first.map(|(name, _)| name.clone()).into_iter().collect());
        }
        let is_ignored = |name: &Name| ignored.contains(&name.as_bytes());
        for (name, before) in old.iter().filter(|(name, _)| !is_ignored(name)) {
            if !self.same_deep(document, before, new.get(name.as_bytes()), depth)? {
                differing.push(name.clone());
            }
        }
        for (name, after) in new.iter().filter(|(name, _)| !is_ignored(name)) {
            let is_new = !old.iter().any(|(known, _)| known == name);
            if is_new && !self.same_deep(document, &Object::Null, after, depth)? {
                differing.push(name.clone());
            }
        }
        Ok(differing)
    }
}
