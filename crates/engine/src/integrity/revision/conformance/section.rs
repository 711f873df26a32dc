//! The cross-reference sections of an update, read strictly.

use std::collections::BTreeSet;

use super::cursor::Cursor;
use super::{HIGHEST_NUMBER, MAX_KEYWORD_BYTES, Update};
use crate::integrity::revision::deviation::Deviation;
use crate::integrity::revision::equal::Pair;
use crate::integrity::revision::stream_encoding::{is_plainly_encoded, natural};
use pdf_syntax::document::objects::Stored;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_object;
use pdf_syntax::syntax::strict::is_canonical;
use pdf_syntax::xref::entries::XrefEntry;

/// The longest cross-reference table with its trailer, in bytes.
const LONGEST_TABLE: usize = 16 << 20;
/// The widest fields of an entry that all readers accept, in bytes (7.5.8.2, `/W`).
const MAX_FIELD_WIDTHS: [usize; 3] = [1, 8, 8];

/// A parsed section with its trailer.
pub(super) struct Section {
    pub(super) trailer: Dictionary,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Update<'_, '_> {
    /// Reads a table line by line (7.5.4), and its trailer.
    pub(super) fn table(&mut self, start: u64) -> Result<Option<Section>, Fault> {
        let size = LONGEST_TABLE.min(self.range.end.saturating_sub(start) as usize);
        self.document.budget.work(size)?;
        let text = self.document.reader.view(start, size)?;
        let mut cursor = Cursor { text, at: 0 };
        let mut rows = Vec::new();
        if !(cursor.takes(b"xref") && cursor.ends_line()) {
            return Ok(None);
        }
        loop {
            cursor.skip_space();
            if cursor.takes(b"trailer") {
                break;
            }
            let (Some(first), true, Some(count), true) =
                (cursor.digits(), cursor.takes(b" "), cursor.digits(), cursor.ends_line())
            else {
                return Ok(None);
            };
            if first > u64::from(HIGHEST_NUMBER) {
                return Ok(None);
            }
            for number in first..first.saturating_add(count) {
                let (Some((offset, generation, is_used)), Ok(number)) = (cursor.row(), u32::try_from(number)) else {
                    return Ok(None);
                };
                // some readers take the head of the free list for object 0 regardless of its number
                if number == 1 && first == 1 && !is_used && generation == 65_535 {
                    return Ok(None);
                }
                rows.push((number, if is_used { XrefEntry::At(offset) } else { XrefEntry::Free }, generation));
            }
        }
        let rest = cursor.rest();
        let Ok(parsed) = parse_object(rest) else { return Ok(None) };
        let (Object::Dictionary(trailer), true) =
            (parsed.object, is_canonical(rest.get(..parsed.end).unwrap_or_default()))
        else {
            return Ok(None);
        };
        let end = start + (cursor.at + parsed.end) as u64;
        Ok(self.add_rows(rows)?.then_some(Section { trailer, start, end }))
    }

    /// Reads a cross-reference stream (7.5.8).
    pub(super) fn stream(&mut self, offset: u64) -> Result<Option<Section>, Fault> {
        let state = self.range.state();
        let header = self.document.reader.view(offset, MAX_KEYWORD_BYTES)?;
        let mut cursor = Cursor { text: header, at: 0 };
        let Some(number) = cursor.digits().and_then(|number| u32::try_from(number).ok()) else { return Ok(None) };
        let Stored::Object(body) = self.document.stored(state, number, XrefEntry::At(offset))? else {
            return Ok(None);
        };
        let rows = self.document.rows(state, &body)?;
        let is_canonical = self.document.with_text(state, &body, is_canonical)?;
        let (Some(dictionary), Some(rows), true) = (body.dictionary(), rows, is_canonical) else {
            return Ok(None);
        };
        let widths: Vec<usize> = dictionary.get(b"W").elements().iter().filter_map(natural).collect();
        let [kind, second, third] = widths[..] else { return Ok(None) };
        let width = kind + second + third;
        let is_narrow = widths.iter().zip(MAX_FIELD_WIDTHS).all(|(width, widest)| *width <= widest);
        let Some(numbers) = numbers(dictionary, rows.len()) else { return Ok(None) };
        let is_complete = dictionary.get(b"W").elements().len() == widths.len()
            && is_narrow
            && second > 0
            && rows.len() == numbers.len() * width
            && (dictionary.is_type(b"XRef") || !dictionary.has(b"Type"))
            && !dictionary.has(b"XRefStm")
            && is_plainly_encoded(dictionary, width)
            && self.is_exactly_encoded(&body)?;
        if !is_complete {
            return Ok(None);
        }
        self.require(dictionary.has(b"Type"), Deviation::UntypedSection);
        let big_endian = |bytes: &[u8]| bytes.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        let mut listed = Vec::new();
        for (number, row) in numbers.into_iter().zip(rows.chunks_exact(width)) {
            let (first, rest) = row.split_at_checked(kind).unwrap_or_default();
            let (one, two) = rest.split_at_checked(second).unwrap_or_default();
            let (one, two) = (big_endian(one), big_endian(two));
            listed.push(match if kind == 0 { 1 } else { big_endian(first) } {
                0 => (number, XrefEntry::Free, two),
                1 => (number, XrefEntry::At(one), two),
                2 => match (u32::try_from(one), u32::try_from(two)) {
                    (Ok(stream), Ok(index)) => (number, XrefEntry::In { stream, index }, 0),
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            });
        }
        let at = std::mem::replace(&mut self.at, offset);
        self.object(number, 0, offset)?;
        let end = std::mem::replace(&mut self.at, at);
        // its own entry may be missing or free
        let is_own = |entry: XrefEntry| entry == XrefEntry::At(offset) || entry == XrefEntry::Free;
        self.highest = listed.iter().map(|(number, ..)| *number).fold(self.highest, u32::max);
        listed.retain(|&(listed, entry, _)| !(listed == number && is_own(entry)));
        Ok(self.add_rows(listed)?.then(|| Section { trailer: dictionary.clone(), start: offset, end }))
    }

    /// Reads the stream of a hybrid section (7.5.8.4), which has entries for other objects than the table.
    pub(super) fn beside(&mut self, offset: u64) -> Result<(), Fault> {
        let section = self.stream(offset)?;
        self.require(section.is_some(), Deviation::Section);
        let mut cursor = Cursor { text: self.document.reader.view(offset, MAX_KEYWORD_BYTES)?, at: 0 };
        let number = cursor.digits().and_then(|number| u32::try_from(number).ok());
        self.beside.extend(number.map(|number| (offset, (number, 0))));
        Ok(())
    }

    /// Adds entries. A number may have several only if they lead to equal copies of its object, which PDFBox writes: then
    /// it does not matter which one a reader takes.
    fn add_rows(&mut self, rows: Vec<(u32, XrefEntry, u64)>) -> Result<bool, Fault> {
        for (number, entry, generation) in rows {
            if number > HIGHEST_NUMBER || number == 0 && entry != XrefEntry::Free {
                return Ok(false);
            }
            let Some((other, own)) = self.rows.insert(number, (entry, generation)) else { continue };
            if own != generation || !self.are_copies(number, other, entry)? {
                return Ok(false);
            }
            let counts = self.document.entry(self.range.state(), number)?;
            let (kept, copy) = if counts == entry { (entry, other) } else { (other, entry) };
            self.rows.insert(number, (kept, generation));
            if let XrefEntry::At(offset) = copy {
                self.copies.push((offset, number, generation));
            }
        }
        Ok(true)
    }

    /// Whether entries lead to two objects that are equal.
    fn are_copies(&mut self, number: u32, one: XrefEntry, other: XrefEntry) -> Result<bool, Fault> {
        let (state, [XrefEntry::At(first), XrefEntry::At(second)]) = (self.range.state(), [one, other]) else {
            return Ok(false);
        };
        let (one, other) = (self.document.stored(state, number, one)?, self.document.stored(state, number, other)?);
        let (Stored::Object(one), Stored::Object(other)) = (one, other) else { return Ok(false) };
        Ok(first != second && Pair::of(state, state).same_body(self.document, &one, &other)?)
    }
}

/// The object numbers of a cross-reference stream's entries, each once (table 17, `/Index`). Syncfusion lists them in the
/// order of its objects, which no reader minds.
fn numbers(dictionary: &Dictionary, rows: usize) -> Option<Vec<u32>> {
    let all = [Object::Integer(0), dictionary.get(b"Size").clone()];
    let index = if dictionary.has(b"Index") { dictionary.get(b"Index").elements() } else { &all };
    let mut numbers = Vec::new();
    for pair in index.chunks(2) {
        let [first, count] = [pair.first()?, pair.get(1)?].map(natural);
        let (first, count) = (first?, count.filter(|count| (1..=rows).contains(count))?);
        numbers.extend((first..first.checked_add(count)?).map_while(|number| u32::try_from(number).ok()));
    }
    let distinct: BTreeSet<u32> = numbers.iter().copied().collect();
    (distinct.len() == numbers.len()).then_some(numbers)
}
