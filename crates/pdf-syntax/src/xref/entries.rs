//! Cross-reference entries, packed as in the file and decoded on demand.

use bytes::Bytes;

use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::object::Object;

/// Length of a table entry (7.5.4), line end included.
pub const LINE: usize = 20;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XrefEntry {
    /// Deleted or never used: reads as null.
    Free,
    /// An object with its header at this offset.
    At(u64),
    /// The `index`th object of object stream `stream`.
    In {
        /// Number of the object stream.
        stream: u32,
        /// Index of the object within it.
        index: u32,
    },
}

/// A run of consecutive object numbers.
#[derive(Debug)]
pub struct Section {
    /// The first object number.
    pub first: u32,
    /// How many there are.
    pub count: u32,
    /// Their rows.
    pub rows: SectionRows,
}

/// The entries of a section, still encoded.
#[derive(Debug)]
pub enum SectionRows {
    /// Lines of 20 bytes from this offset of the file on.
    Lines(u64),
    /// Decoded rows of a cross-reference stream.
    Packed(Bytes, Widths),
    /// Entries sorted by number: of a nonconforming table, or found by scanning the file.
    Listed(Vec<(u32, XrefEntry)>),
}

/// Widths of a row's three fields in bytes (table 17, `/W`).
#[derive(Debug, Clone, Copy)]
pub struct Widths([usize; 3]);

impl Section {
    /// Returns the index of the entry for the object `number`, if it has one.
    pub(crate) fn index_of(&self, number: u32) -> Option<u32> {
        number.checked_sub(self.first).filter(|&index| index < self.count)
    }

    /// Returns a section of individual entries, sorted by number, with gaps.
    pub fn listed(entries: Vec<(u32, XrefEntry)>) -> Self {
        Self { first: 0, count: u32::MAX, rows: SectionRows::Listed(entries) }
    }

    /// Whether object 0, the head of the free list, is among the entries.
    pub(crate) fn has_zero(&self) -> bool {
        match &self.rows {
            SectionRows::Listed(entries) => entries.first().is_some_and(|(number, _)| *number == 0),
            _ => self.first == 0 && self.count > 0,
        }
    }

    /// Returns the object numbers that it lists.
    pub fn numbers(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match &self.rows {
            SectionRows::Listed(entries) => Box::new(entries.iter().map(|(number, _)| *number)),
            _ => Box::new(self.first..self.first.saturating_add(self.count)),
        }
    }

    /// The number of objects that it lists.
    pub fn entries(&self) -> u64 {
        match &self.rows {
            SectionRows::Listed(entries) => entries.len() as u64,
            _ => u64::from(self.count),
        }
    }

    /// Returns the end offset of its lines, if it has any.
    pub fn end(&self) -> Option<u64> {
        match self.rows {
            SectionRows::Lines(start) => Some(start + u64::from(self.count) * LINE as u64),
            _ => None,
        }
    }
}

impl SectionRows {
    /// The row of object `number`, the `index`th of the run; none if it is not listed.
    ///
    /// # Errors
    /// `Damaged` if the row cannot be read.
    pub fn entry(&self, number: u32, index: u32, reader: &mut Reader) -> Result<Option<XrefEntry>, Fault> {
        match self {
            Self::Lines(start) => {
                let offset = start + u64::from(index) * LINE as u64;
                let line = reader.view(offset, LINE)?;
                parse_line(line).map(Some).ok_or(Fault::Damaged)
            }
            Self::Packed(rows, widths) => Ok(widths.entry(rows, index)),
            Self::Listed(entries) => {
                let place = entries.binary_search_by_key(&number, |(number, _)| *number);
                Ok(place.ok().and_then(|place| entries.get(place)).map(|(_, entry)| *entry))
            }
        }
    }

    /// Returns the row's generation (7.5.4, 7.5.8.3); none if it is not stored.
    pub fn generation(&self, index: u32, reader: &mut Reader) -> Result<Option<u64>, Fault> {
        Ok(match self {
            Self::Lines(start) => {
                let line = reader.view(start + u64::from(index) * LINE as u64, LINE)?;
                line.get(11..16).and_then(digits)
            }
            Self::Packed(rows, widths) => Some(widths.generation(rows, index)),
            Self::Listed(_) => None,
        })
    }
}

/// Parses `0000000016 00000 n` with its line end.
pub(crate) fn parse_line(line: &[u8]) -> Option<XrefEntry> {
    let (offset, [b' ', _, _, _, _, _, b' ', kind, _, _]) = line.split_at_checked(10)? else { return None };
    let offset = digits(offset)?;
    match kind {
        b'n' if offset > 0 => Some(XrefEntry::At(offset)),
        b'n' | b'f' => Some(XrefEntry::Free),
        _ => None,
    }
}

fn digits(text: &[u8]) -> Option<u64> {
    text.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u64::from(byte - b'0')))
}

impl Widths {
    /// Reads `/W` (7.5.8.2).
    pub fn parse(object: &Object) -> Option<Self> {
        let mut widths = [0; 3];
        for (width, element) in widths.iter_mut().zip(object.elements()) {
            *width = usize::try_from(element.as_integer()?).ok().filter(|&width| width <= 8)?;
        }
        let [_, second, _] = widths;
        (object.elements().len() >= 3 && second > 0).then_some(Self(widths))
    }

    /// Length of a row in bytes; at least 1.
    pub fn row(self) -> usize {
        self.0.iter().sum()
    }

    /// Returns the type of a row (table 18), 1 by default.
    pub fn kind(self, row: &[u8]) -> u64 {
        let [width, _, _] = self.0;
        if width == 0 { 1 } else { big_endian(row.get(..width).unwrap_or_default()) }
    }

    /// The entry in row `index`; none if there is no such row.
    fn entry(self, rows: &[u8], index: u32) -> Option<XrefEntry> {
        let start = index as usize * self.row();
        let row = rows.get(start..start + self.row())?;
        let [kind_width, second_width, _] = self.0;
        let (second, third) = row.get(kind_width..)?.split_at_checked(second_width)?;
        Some(match (self.kind(row), big_endian(second)) {
            (1, offset) if offset > 0 => XrefEntry::At(offset),
            (2, stream) => XrefEntry::In { stream: u32::try_from(stream).ok()?, index: big_endian(third) as u32 },
            _ => XrefEntry::Free,
        })
    }

    /// Returns the generation in the third field of row `index`; 0 for objects in object streams.
    fn generation(self, rows: &[u8], index: u32) -> u64 {
        let [first, second, third] = self.0;
        let start = index as usize * self.row();
        let row = rows.get(start..start + self.row()).unwrap_or_default();
        let field = row.get(first + second..first + second + third).unwrap_or_default();
        if self.kind(row) == 1 { big_endian(field) } else { 0 }
    }
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
