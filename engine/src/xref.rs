//! The cross-reference (ISO 32000-1, 7.5.4 to 7.5.8): which object stands where. Sections are kept as the file
//! holds them and looked into on demand, so that a large table costs nothing until it is asked.

pub(crate) mod chain;
pub(crate) mod scan;
pub(crate) mod stream;
pub(crate) mod table;

use bytes::Bytes;

use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::object::Dictionary;
use crate::xref::stream::Widths;
use crate::xref::table as xref_table;

/// How the newest section of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum XrefKind {
    /// A classic table (7.5.4).
    Table,
    /// A cross-reference stream (7.5.8).
    Stream,
    /// A classic table with a stream for newer readers beside it (7.5.8.4).
    Hybrid,
}

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Deleted or never used: reads as null.
    Free,
    /// At this offset of the file, behind its header.
    At(u64),
    /// The `index`th object of object stream `stream`.
    In { stream: u32, index: u32 },
}

/// A run of consecutive object numbers.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) rows: Rows,
}

/// The entries of a section, still encoded.
#[derive(Debug)]
pub(crate) enum Rows {
    /// Lines of 20 bytes from this offset of the file on.
    Lines(u64),
    /// Decoded rows of a cross-reference stream.
    Packed(Bytes, Widths),
    /// Entries by number, sorted: of a table that breaks the format, or found by scanning the file.
    Listed(Vec<(u32, Entry)>),
}

/// All sections of a file, newest first.
#[derive(Debug, Default)]
pub(crate) struct Xref {
    pub(crate) sections: Vec<Section>,
    pub(crate) trailer: Dictionary,
    /// Added to every offset: the junk before the header, where offsets count from the header.
    pub(crate) base: u64,
    /// None if the file was repaired.
    pub(crate) kind: Option<XrefKind>,
    /// How many sections the chain of `/Prev` has.
    pub(crate) updates: u32,
}

impl Xref {
    pub(crate) fn is_repaired(&self) -> bool {
        self.kind.is_none()
    }

    /// The entry of the object `number`: the newest one that is not free in favour of a hybrid file's stream.
    pub(crate) fn entry(&self, number: u32, reader: &mut Reader, budget: &mut Budget) -> Result<Entry, Fault> {
        let mut entry = Entry::Free;
        for section in &self.sections {
            budget.work(1)?;
            let Some(index) = number.checked_sub(section.first).filter(|&index| index < section.count) else {
                continue;
            };
            let found = section.rows.entry(number, index, reader)?;
            match found {
                Some(Entry::Free) if self.kind == Some(XrefKind::Hybrid) => entry = Entry::Free,
                Some(Entry::At(offset)) => return Ok(Entry::At(offset.saturating_add(self.base))),
                Some(found) => return Ok(found),
                None => {}
            }
        }
        Ok(entry)
    }

    /// How many objects the file has at most: entries, but no more than the highest number.
    pub(crate) fn objects(&self) -> u64 {
        let entries: u64 = self.sections.iter().map(Section::entries).sum();
        let end = self.sections.iter().map(|section| u64::from(section.first) + u64::from(section.count)).max();
        let zero = u64::from(self.sections.iter().any(Section::has_zero));
        entries.min(end.unwrap_or(0)).saturating_sub(zero)
    }

    /// Takes the entries out of a cross-reference that lists them one by one.
    pub(crate) fn take_listed(&mut self) -> Vec<(u32, Entry)> {
        let sections = std::mem::take(&mut self.sections);
        let listed =
            |section| if let Section { rows: Rows::Listed(entries), .. } = section { entries } else { Vec::new() };
        sections.into_iter().next().map(listed).unwrap_or_default()
    }

    /// Where in the file the line about the object `number` is, if it has one.
    pub(crate) fn line_of(&self, number: u32) -> Option<u64> {
        self.sections.iter().find_map(|section| {
            let index = number.checked_sub(section.first).filter(|&index| index < section.count)?;
            match section.rows {
                Rows::Lines(start) => Some(start + u64::from(index) * xref_table::LINE as u64),
                _ => None,
            }
        })
    }
}

impl Section {
    /// Entries found one by one, sorted by number, which may be any numbers.
    pub(crate) fn listed(entries: Vec<(u32, Entry)>) -> Self {
        Self { first: 0, count: u32::MAX, rows: Rows::Listed(entries) }
    }

    /// Whether object 0, the head of the free list, is among the entries.
    fn has_zero(&self) -> bool {
        match &self.rows {
            Rows::Listed(entries) => entries.first().is_some_and(|(number, _)| *number == 0),
            _ => self.first == 0 && self.count > 0,
        }
    }

    fn entries(&self) -> u64 {
        match &self.rows {
            Rows::Listed(entries) => entries.len() as u64,
            _ => u64::from(self.count),
        }
    }
}

impl Rows {
    fn entry(&self, number: u32, index: u32, reader: &mut Reader) -> Result<Option<Entry>, Fault> {
        match self {
            Self::Lines(start) => {
                let offset = start + u64::from(index) * xref_table::LINE as u64;
                let line = reader.view(offset, xref_table::LINE)?;
                xref_table::parse_line(line).map(Some).ok_or(Fault::Damaged)
            }
            Self::Packed(rows, widths) => Ok(widths.entry(rows, index)),
            Self::Listed(entries) => {
                let place = entries.binary_search_by_key(&number, |(number, _)| *number);
                Ok(place.ok().and_then(|place| entries.get(place)).map(|(_, entry)| *entry))
            }
        }
    }
}
