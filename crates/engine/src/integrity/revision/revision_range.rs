//! The byte range of each revision and its cross-reference sections (ISO 32000-1, 7.5.6).

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::ops::Range;

use memchr::memmem;

use super::indeterminate::Limit;
use super::revision_end;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::lexer::Lexer;
use pdf_syntax::syntax::object::Id;
use pdf_syntax::xref::entries::{Section, XrefEntry};
use pdf_syntax::xref::object_header::{WORD, starts_with_object};

/// Maximum revisions examined: the newest ones.
pub(crate) const MAX_REVISIONS: usize = 256;
/// Maximum object numbers examined in one revision. Real updates change hundreds.
const MAX_OBJECT_NUMBERS: usize = 50_000;
/// Maximum distance of the last `startxref` from the last section or table row, in bytes, if nothing is between them.
const STARTXREF_DISTANCE_BYTES: u64 = 1 << 10;
/// Maximum distance of a signature's end before the end of its revision (the line end after `%%EOF`), and after it
/// (padding to a disk block).
const LINE_END: u64 = 2;
const MAX_PADDING_BYTES: u64 = 512;
/// Bytes before a revision's first object that contain the previous revision's end.
const END_SEARCH_BYTES: u64 = 1024;
/// Maximum bytes from the cross-reference of a revision to the next one in which an end is searched.
const MAX_OPEN_BYTES: u64 = 1 << 20;

/// A revision's place in the file.
#[derive(Debug)]
pub(crate) struct RevisionRange {
    /// 1 for the oldest.
    pub(crate) number: u32,
    /// The indexes of its cross-reference sections.
    pub(crate) parts: Range<usize>,
    /// Object numbers in its sections, in order. Empty for the oldest examined revision.
    pub(crate) numbers: Vec<u32>,
    /// Offset of its first byte.
    pub(crate) start: u64,
    /// Offset after its last byte, which ends the line of its `%%EOF`.
    pub(crate) end: u64,
    /// Whether `startxref` and `%%EOF` directly follow its cross-reference and point to it.
    pub(crate) is_closed: bool,
    pub(crate) root: Option<Id>,
    pub(crate) info: Option<Id>,
    /// The newest document information dictionary in this or an earlier trailer.
    pub(crate) last_info: Option<Id>,
    /// A hash of the encryption parameters.
    pub(crate) encryption: u32,
    /// The limit that was reached, if there are more revisions.
    pub(crate) limit: Option<Limit>,
    /// Whether it joins several updates.
    pub(crate) is_joined: bool,
}

impl RevisionRange {
    /// Joins consecutive updates, oldest first, into one; `None` without any.
    pub(crate) fn joined(ranges: &[Self]) -> Option<Self> {
        let (first, last) = (ranges.first()?, ranges.last()?);
        let numbers: BTreeSet<u32> = ranges.iter().flat_map(|range| range.numbers.iter().copied()).collect();
        Some(Self {
            number: last.number,
            parts: last.parts.start..first.parts.end,
            numbers: numbers.into_iter().collect(),
            start: first.start,
            end: last.end,
            is_closed: ranges.iter().all(|range| range.is_closed),
            root: last.root,
            info: last.info,
            last_info: last.last_info,
            encryption: last.encryption,
            limit: ranges.iter().find_map(|range| range.limit),
            is_joined: ranges.len() > 1,
        })
    }

    /// Whether a signature whose last range ends there covers exactly this revision.
    pub(crate) fn ends_with(&self, signed: u64) -> bool {
        self.is_closed && is_covered(self.end, signed)
    }

    /// The file as of this revision.
    pub(crate) fn state(&self) -> State {
        State(self.parts.start)
    }

    /// Whether it follows the state whose signature's last range ends there.
    pub(crate) fn follows(&self, signed: u64) -> bool {
        self.start + LINE_END >= signed
    }

    /// Its byte range, including the previous revision's end.
    pub(crate) fn place(&self) -> Range<u64> {
        self.start.saturating_sub(END_SEARCH_BYTES)..self.end
    }

    /// The file as of the previous revision.
    pub(crate) fn before(&self) -> State {
        State(self.parts.end)
    }
}

/// Whether a signature whose last range ends there covers exactly a revision with this end.
pub(crate) fn is_covered(end: u64, signed: u64) -> bool {
    (end.saturating_sub(LINE_END)..=end.saturating_add(MAX_PADDING_BYTES)).contains(&signed)
}

/// The sections of each revision, newest first.
fn groups(document: &Document) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, part) in document.xref.parts.iter().enumerate() {
        let newer = index.checked_sub(1).and_then(|newer| document.xref.parts.get(newer));
        // An update follows the revision that it updates. A section before it was written with it: the first-page
        // section of a linearized file (annex F) or the stream of a hybrid section.
        let is_same = newer.is_some_and(|newer| newer.supplement.map_or(newer.offset, NonZeroU64::get) < part.offset);
        match groups.last_mut() {
            Some(group) if is_same => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// The number of revisions, and the newest of them, oldest first.
pub(crate) fn ranges(document: &mut Document) -> Result<(usize, Vec<RevisionRange>), Fault> {
    let groups = groups(document);
    let total = groups.len();
    let mut ranges = Vec::new();
    let oldest = |range: &Range<usize>| range.end == document.xref.parts.len();
    let is_alone = groups.first().is_some_and(oldest);
    // one more, as the oldest examined revision is compared with it
    for (index, parts) in groups.into_iter().enumerate().take(MAX_REVISIONS + 1) {
        // a trailer without the entry inherits the previous one's
        let all = document.xref.parts.get(parts.start..).unwrap_or_default();
        let root = all.iter().find_map(|part| part.root);
        let info = all.first().and_then(|part| part.info);
        let last_info = all.iter().find_map(|part| part.info);
        let encryption = all.first().map_or(0, |part| part.encryption);
        let number = (total - index) as u32;
        let (numbers, start, end) = (Vec::new(), 0, 0);
        ranges.push(RevisionRange {
            number,
            parts,
            numbers,
            start,
            end,
            is_closed: false,
            root,
            info,
            last_info,
            encryption,
            limit: None,
            is_joined: false,
        });
    }
    for index in 0..ranges.len() {
        let is_last = index + 1 == ranges.len();
        let end = match index.checked_sub(1).and_then(|newer| ranges.get(newer)) {
            Some(newer) => newer.start,
            None => document.reader.file_size(),
        };
        let Some(range) = ranges.get_mut(index) else { break };
        range.end = end;
        if !is_last && !is_alone {
            numbers(document, range)?;
            locate(document, range)?;
        }
    }
    ranges.reverse();
    Ok((total, ranges))
}

/// Finds the end offsets, with prefetching.
pub(crate) fn find_ends(document: &mut Document, ranges: &mut [RevisionRange], is_signed: bool) -> Result<(), Fault> {
    // if the end directly follows the newest section, nothing is between
    let is_alone = !is_signed && ranges.len() == 1 && follows_at_once(document)?;
    for range in ranges {
        if !is_alone && let Some(end) = revision_end::behind(document, range.parts.clone())? {
            range.end = end;
            range.is_closed = true;
            continue;
        }
        let from = range.end.saturating_sub(END_SEARCH_BYTES).max(range.start);
        let view = document.reader.view(from, (range.end - from) as usize)?;
        // trailing junk, or none before an update's first object
        let Some(place) = memmem::rfind(view, b"%%EOF") else { continue };
        let behind = place + b"%%EOF".len();
        range.end = from + behind as u64 + revision_end::line_end(view.get(behind..).unwrap_or_default());
    }
    Ok(())
}

/// Joins each revision with the previous one if that has no end, so that it never was a file, and nothing of it is
/// overridden: one save wrote both. Returns how many.
pub(crate) fn join_open(document: &mut Document, ranges: &mut Vec<RevisionRange>) -> Result<usize, Fault> {
    let before = ranges.len();
    let mut index = 1;
    while let [older, newer] = ranges.get(index - 1..=index).unwrap_or_default() {
        if older.root != newer.root || has_end(document, older, newer)? || overrides(document, newer, older)? {
            index += 1;
            continue;
        }
        let mut older = ranges.remove(index - 1);
        let Some(joined) = ranges.get_mut(index - 1) else { break };
        // those of the oldest revision are not listed
        older.numbers.append(&mut joined.numbers);
        joined.numbers = if older.number == 1 { Vec::new() } else { older.numbers };
        joined.numbers.sort_unstable();
        (joined.parts.end, joined.start) = (older.parts.end, older.start);
        ranges.iter_mut().skip(index - 1).for_each(|range| range.number -= 1);
    }
    Ok(before - ranges.len())
}

/// Whether a revision lists an object of an older one in another place.
fn overrides(document: &mut Document, newer: &RevisionRange, older: &RevisionRange) -> Result<bool, Fault> {
    for &number in &newer.numbers {
        let was = document.entry(older.state(), number)?;
        if was != XrefEntry::Free && was != document.entry(newer.state(), number)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a revision has an end, or that is not examined.
fn has_end(document: &mut Document, older: &RevisionRange, newer: &RevisionRange) -> Result<bool, Fault> {
    let from = document.xref.parts.get(older.parts.start).map_or(0, |part| part.offset);
    let size = newer.start.saturating_sub(from);
    if older.is_closed || size > MAX_OPEN_BYTES {
        return Ok(true);
    }
    Ok(memmem::find(document.reader.view(from, size as usize)?, b"%%EOF").is_some())
}

/// Whether the last `startxref` directly follows the newest section, without another object or end between. Those bytes
/// are read anyway.
fn follows_at_once(document: &mut Document) -> Result<bool, Fault> {
    let from = last_row(document);
    let size = document.xref.last_end.saturating_sub(from);
    if size >= STARTXREF_DISTANCE_BYTES {
        return Ok(false);
    }
    let view = document.reader.view(from, size as usize)?;
    // a cross-reference stream has an object header
    let mut lexer = Lexer::new(view);
    let is_stream = lexer.take_integer().is_some() && lexer.take_integer().is_some() && lexer.take_word(WORD);
    let others = if is_stream { lexer.rest() } else { view };
    let ends: [&[u8]; 2] = [b"startxref", b"%%EOF"];
    Ok(!starts_with_object(others) && ends.iter().all(|word| memmem::find(others, word).is_none()))
}

/// The end of the last table row, or the start of the last section if it has no rows.
fn last_row(document: &Document) -> u64 {
    let lines = document.xref.sections.iter().filter_map(Section::end);
    document.xref.parts.iter().map(|part| part.offset).chain(lines).max().unwrap_or(0)
}

/// Reads the object numbers in a revision's sections.
fn numbers(document: &mut Document, range: &mut RevisionRange) -> Result<(), Fault> {
    for part in document.xref.parts.get(range.parts.clone()).unwrap_or_default() {
        for section in document.xref.sections.get(part.sections.clone()).unwrap_or_default() {
            let left = MAX_OBJECT_NUMBERS - range.numbers.len().min(MAX_OBJECT_NUMBERS);
            let before = range.numbers.len();
            range.numbers.extend(section.numbers().take(left));
            document.budget.work(range.numbers.len() - before)?;
            if section.entries() > left as u64 {
                range.limit = Some(Limit::Entries);
            }
        }
    }
    range.numbers.sort_unstable();
    range.numbers.dedup();
    Ok(())
}

/// Sets the start of a revision: its first object after all older data.
fn locate(document: &mut Document, range: &mut RevisionRange) -> Result<(), Fault> {
    let older = document.xref.parts.get(range.parts.end..).unwrap_or_default();
    let floor = older.iter().map(|part| part.offset).max().unwrap_or(0);
    let own = document.xref.parts.get(range.parts.clone()).unwrap_or_default();
    let places = own.iter().flat_map(|part| [Some(part.offset), part.supplement.map(NonZeroU64::get)]).flatten();
    let mut start = places.filter(|&offset| offset > floor).min().unwrap_or(range.end);
    let state = range.state();
    for &number in &range.numbers {
        if let XrefEntry::At(offset) = document.entry(state, number)?
            && offset > floor
        {
            start = start.min(offset);
        }
    }
    range.start = start;
    Ok(())
}
