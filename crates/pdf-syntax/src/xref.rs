//! The cross-reference (ISO 32000-1, 7.5.4 to 7.5.8): locations of objects. Sections stay in the file's format and are
//! read on demand, so that a large table is free until then.

pub mod chain;
pub mod entries;
pub mod headers;
pub mod object_header;
mod part_index;
pub mod scan;
pub mod stream;
mod table;

use std::cell::OnceCell;
use std::num::NonZeroU64;
use std::ops::Range;

use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Id;
use serde::Serialize;
use utoipa::ToSchema;

use entries::{LINE, Section, SectionRows, XrefEntry};
use part_index::PartIndex;

/// How the newest section of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum XrefKind {
    /// A classic table (7.5.4).
    Table,
    /// A cross-reference stream (7.5.8).
    Stream,
    /// A classic table with a stream for newer readers beside it (7.5.8.4).
    Hybrid,
}

/// All sections of a file, newest first.
#[derive(Debug, Default)]
pub struct Xref {
    /// The sections, the newest first.
    pub sections: Vec<Section>,
    /// The steps of the chain of `/Prev`, newest first, each with its sections; one with all of them if the file was repaired.
    pub parts: Vec<Part>,
    /// The newest trailer.
    pub trailer: Dictionary,
    /// Added to every offset: the junk before the header, where offsets count from the header.
    pub base: u64,
    /// None if the file was repaired.
    pub kind: Option<XrefKind>,
    /// Number of sections in the `/Prev` chain.
    pub updates: u32,
    /// Whether the last `startxref` is the exact offset of the newest section.
    pub is_exact: bool,
    /// Whether none of the entries needed to read its sections is a reference, which only some readers follow (7.5.5,
    /// 7.5.8.2).
    pub is_direct: bool,
    /// Offset of the last `startxref`.
    pub last_end: u64,
    /// The parts by object number, once an object was looked up.
    index: OnceCell<PartIndex>,
}

/// The trailer of a section, or the dictionary of its stream.
struct Trailer {
    dictionary: Dictionary,
    /// Whether tokens were skipped, which other readers may read as a part of it.
    has_stray_tokens: bool,
}

/// A step of the chain of `/Prev`: one table or stream, or both of a hybrid file.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Its offset.
    pub offset: u64,
    /// Its range of all sections, and whether these are in ascending order without overlap.
    pub sections: Range<usize>,
    pub(crate) is_ordered: bool,
    /// `/Root` of its trailer.
    pub root: Option<Id>,
    /// `/Info` of its trailer.
    pub info: Option<Id>,
    /// Fingerprint of the encryption entries of its trailer (7.6.1); 0 if not encrypted.
    pub encryption: u32,
    /// `/Size` of its trailer (7.5.5); 0 without one.
    pub size: u32,
    /// Offset of the stream referenced by an empty hybrid table; it lists objects that an older table hides (7.5.8.4),
    /// as some programs write both tables in one revision.
    pub supplement: Option<NonZeroU64>,
}

impl Xref {
    /// Entries found by scanning a damaged file.
    pub(crate) fn repaired(entries: Vec<(u32, XrefEntry)>, trailer: Dictionary) -> Self {
        let part = Part { sections: 0..1, ..Part::default() };
        Self { sections: vec![Section::listed(entries)], parts: vec![part], trailer, ..Self::default() }
    }

    /// Returns the entry of an object in the revision that starts at `part`, and the number of steps to find it.
    pub(crate) fn entry(&self, part: usize, number: u32, reader: &mut Reader) -> Result<(XrefEntry, usize), Fault> {
        let mut steps = 0;
        for part in self.parts_about(part, number) {
            steps += 1;
            let mut is_free = false;
            for section in self.sections_about(part, number) {
                steps += 1;
                let Some(index) = section.index_of(number) else { continue };
                match section.rows.entry(number, index, reader)? {
                    // a hybrid file's table hides from old readers what its stream lists (7.5.8.4)
                    Some(XrefEntry::Free) => is_free = true,
                    Some(XrefEntry::At(offset)) => return Ok((XrefEntry::At(offset.saturating_add(self.base)), steps)),
                    Some(found) => return Ok((found, steps)),
                    None => {}
                }
            }
            if is_free {
                break;
            }
        }
        Ok((XrefEntry::Free, steps))
    }

    /// Returns all entries of these revisions for an object, with generations as far as known.
    pub fn listings(
        &self,
        parts: Range<usize>,
        number: u32,
        reader: &mut Reader,
        budget: &mut Budget,
    ) -> Result<Vec<(XrefEntry, Option<u64>)>, Fault> {
        let mut listings = Vec::new();
        for part in self.parts.get(parts).unwrap_or_default() {
            budget.work(1)?;
            self.push_listings(part, number, (reader, budget), &mut listings)?;
        }
        Ok(listings)
    }

    /// The generation of the newest entry, from the part `from` on, that `is_wanted` and is for the object `number`.
    pub fn generation(
        &self,
        from: usize,
        number: u32,
        is_wanted: impl Fn(XrefEntry) -> bool,
        (reader, budget): (&mut Reader, &mut Budget),
    ) -> Result<Option<u64>, Fault> {
        let mut listings = Vec::new();
        for part in self.parts_about(from, number) {
            budget.work(1)?;
            self.push_listings(part, number, (reader, budget), &mut listings)?;
            if let Some((_, generation)) = listings.drain(..).find(|(entry, _)| is_wanted(*entry)) {
                return Ok(generation);
            }
        }
        Ok(None)
    }

    fn push_listings(
        &self,
        part: &Part,
        number: u32,
        (reader, budget): (&mut Reader, &mut Budget),
        listings: &mut Vec<(XrefEntry, Option<u64>)>,
    ) -> Result<(), Fault> {
        for section in self.sections_about(part, number) {
            budget.work(1)?;
            let Some(index) = section.index_of(number) else { continue };
            let Some(entry) = section.rows.entry(number, index, reader)? else { continue };
            let entry =
                if let XrefEntry::At(offset) = entry { XrefEntry::At(offset.saturating_add(self.base)) } else { entry };
            listings.push((entry, section.rows.generation(index, reader)?));
        }
        Ok(())
    }

    /// Returns the parts from `from` on that may list an object.
    fn parts_about(&self, from: usize, number: u32) -> impl Iterator<Item = &Part> {
        // nothing is looked up before the chain is complete
        let index = self.index.get_or_init(|| PartIndex::new(&self.parts, &self.sections));
        index.about(number).skip_while(move |part| *part < from).filter_map(|part| self.parts.get(part))
    }

    /// Returns the sections of a revision that may list an object: at most one if sorted, as nearly all are. A revision
    /// may have hundreds, with an object each.
    fn sections_about(&self, part: &Part, number: u32) -> &[Section] {
        let own = self.sections.get(part.sections.clone()).unwrap_or_default();
        if !part.is_ordered {
            return own;
        }
        let place = own.partition_point(|section| section.first <= number);
        own.get(place.saturating_sub(1)..place).unwrap_or_default()
    }

    /// Whether it was rebuilt by scanning the file.
    pub fn is_repaired(&self) -> bool {
        self.kind.is_none()
    }

    /// Returns the maximum number of objects: entries, but no more than the highest number.
    pub fn objects(&self) -> u64 {
        let entries: u64 = self.sections.iter().map(Section::entries).sum();
        let end = self.sections.iter().map(|section| u64::from(section.first) + u64::from(section.count)).max();
        let zero = u64::from(self.sections.iter().any(Section::has_zero));
        entries.min(end.unwrap_or(0)).saturating_sub(zero)
    }

    /// Takes the entries of a cross-reference that was rebuilt.
    pub(crate) fn take_listed(&mut self) -> Vec<(u32, XrefEntry)> {
        let sections = std::mem::take(&mut self.sections);
        let listed = |section| {
            if let Section { rows: SectionRows::Listed(entries), .. } = section { entries } else { Vec::new() }
        };
        sections.into_iter().next().map(listed).unwrap_or_default()
    }

    /// Returns the offset of an object's table row in the revision that starts at `part`, if there is one.
    pub(crate) fn line_of(&self, part: usize, number: u32) -> Option<u64> {
        let mut sections = self.parts_about(part, number).flat_map(|part| self.sections_about(part, number));
        sections.find_map(|section| {
            let index = section.index_of(number)?;
            match section.rows {
                SectionRows::Lines(start) => Some(start + u64::from(index) * LINE as u64),
                _ => None,
            }
        })
    }
}
