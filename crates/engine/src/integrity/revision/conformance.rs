//! Whether an incremental update has exactly the bytes that serializing its parsed objects and entries again would give
//! (ISO 32000-1, 7.5.4 to 7.5.8): no viewer then has a reason to repair the file. Some viewers repair anything else and
//! show another document.

mod cursor;
mod references;
mod section;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use memchr::memmem;

use super::deviation::Deviation;
use super::equal::Pair;
use super::object_change::is_container;
use super::revision_end;
use super::revision_range::RevisionRange;
use super::stream_encoding::{is_plainly_encoded, natural};
use super::vocabulary::is_among;
use cursor::Cursor;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::filter::is_exact_zlib;
use pdf_syntax::syntax::char_class::{is_regular, is_space};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::strict::{is_blank, may_end_header};
use pdf_syntax::xref::entries::XrefEntry;
use pdf_syntax::xref::object_header::WORD;

/// The highest object number that all readers accept: Ghostscript rebuilds files with 4,000,000 and more.
const HIGHEST_NUMBER: u32 = 2_000_000;
/// Maximum white space and comments between two objects, in bytes.
const LONGEST_GAP: usize = 64 << 10;
/// Enough for the keywords that end an object or an update.
const MAX_KEYWORD_BYTES: usize = 512;
/// Tolerance in bytes: in some libraries, entries or `startxref` point to the line end before the target.
pub(super) const EARLY_ENTRY_BYTES: u64 = 2;
/// Trailer entries, including entries of cross-reference streams, which some libraries keep when they convert these to
/// tables.
const TRAILER_KEYS: &str = "\
    Size Prev Root Encrypt Info ID XRefStm Type Index W Length DL Filter DecodeParms DocChecksum AuthCode";
/// Whether an update conforms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Conformance {
    Canonical,
    Deviates(Vec<Deviation>),
}

/// Checks an update against the previous revision; `reached` are the objects that the signed state references, empty
/// for an unsigned file.
pub(crate) fn conformance(
    document: &mut Document,
    (older, range): (&RevisionRange, &RevisionRange),
    reached: &BTreeSet<u32>,
) -> Result<Conformance, Fault> {
    let (rows, beside, deviations) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    let (copies, at) = (Vec::new(), older.end);
    let mut update = Update { document, older, range, reached, rows, copies, highest: 0, beside, at, deviations };
    update.check()?;
    let deviations: Vec<Deviation> = update.deviations.into_iter().collect();
    Ok(if deviations.is_empty() { Conformance::Canonical } else { Conformance::Deviates(deviations) })
}

/// An update being checked.
struct Update<'u, 's> {
    document: &'u mut Document<'s>,
    older: &'u RevisionRange,
    range: &'u RevisionRange,
    reached: &'u BTreeSet<u32>,
    /// Entries and generations by object number.
    rows: BTreeMap<u32, (XrefEntry, u64)>,
    /// Offsets, numbers and generations of further entries for equal copies of objects.
    copies: Vec<(u64, u32, u64)>,
    /// The highest number in a cross-reference stream, which `/Size` must exceed.
    highest: u32,
    /// Offsets, numbers and generations of the streams of hybrid sections.
    beside: BTreeMap<u64, (u32, u64)>,
    /// End of the conforming bytes so far.
    at: u64,
    deviations: BTreeSet<Deviation>,
}

impl Update<'_, '_> {
    fn require(&mut self, is_so: bool, deviation: Deviation) {
        if !is_so {
            self.deviations.insert(deviation);
        }
    }

    fn check(&mut self) -> Result<(), Fault> {
        let header = self.document.header;
        self.require(header.offset == 0 && !header.is_missing, Deviation::FileHeader);
        let own = self.document.xref.parts.get(self.range.parts.clone()).unwrap_or_default().to_vec();
        // Acrobat 7 writes a second, empty table, whose trailer refers to the hybrid section's stream
        let is_one = own.len() == 1 || own.len() == 2 && own.first().is_some_and(|first| first.supplement.is_some());
        let mut sections = Vec::new();
        for part in own.iter().rev().filter(|_| is_one) {
            let blanks = self.blanks(part.offset)?;
            let start = part.offset + if blanks <= EARLY_ENTRY_BYTES { blanks } else { 0 };
            let is_table = self.document.reader.view(start, b"xref".len())? == b"xref";
            self.require(!is_table || start == part.offset, Deviation::EarlySection);
            let section = if is_table { self.table(start)? } else { self.stream(part.offset)? };
            sections.extend(section);
            let beside = sections.last().and_then(|section| natural(section.trailer.get(b"XRefStm")));
            if let Some(offset) = beside.filter(|_| is_table) {
                self.beside(offset as u64)?;
            }
        }
        let (Some(first), Some(newest)) = (sections.first(), sections.last()) else {
            self.require(false, Deviation::Section);
            return Ok(());
        };
        let (first, end) = (first.start, newest.start);
        let listed = own.first().map_or(end, |part| part.offset);
        let previous = self.document.xref.parts.get(self.range.parts.end).map_or(0, |part| part.offset);
        for (section, previous) in sections.iter().zip([previous, first]) {
            self.trailer(&section.trailer, previous)?;
        }
        self.objects(first)?;
        for section in &sections {
            self.gap(section.start)?;
            self.at = section.end;
        }
        self.end(listed)?;
        self.references()
    }

    /// Compares the trailer with the previous one (7.5.5).
    fn trailer(&mut self, trailer: &Dictionary, previous: u64) -> Result<(), Fault> {
        let size = self.document.xref.parts.get(self.range.parts.end).map_or(0, |part| part.size);
        let encrypt = trailer.get(b"Encrypt").as_reference().map(|id| id.number);
        let is_encrypted_alike = self.older.encryption == self.range.encryption
            && match encrypt.filter(|number| self.rows.contains_key(number)) {
                Some(number) => self.is_written_again(number)?,
                None => true,
            };
        let mut is_known = true;
        for (key, value) in trailer.iter().filter(|(key, _)| !is_among(TRAILER_KEYS, key.as_bytes())) {
            is_known = is_known && (self.repeats(key, value)? || self.leads_nowhere(value)?);
        }
        let root = trailer.get(b"Root").as_reference();
        self.require(is_known, Deviation::TrailerKeys);
        self.require(trailer.get(b"Prev") == &Object::Integer(previous as i64), Deviation::Trailer("Prev"));
        self.require(root.is_some() && root == self.older.root, Deviation::Trailer("Root"));
        self.require(is_encrypted_alike, Deviation::Trailer("Encrypt"));
        let info = trailer.get(b"Info");
        self.require(info.is_null() || info.as_reference().is_some(), Deviation::Trailer("Info"));
        let id = trailer.get(b"ID");
        let strings = id.elements().iter().filter(|part| part.as_string().is_some()).count();
        self.require(id.is_null() || strings == 2 && id.elements().len() == 2, Deviation::Trailer("ID"));
        let highest = self.rows.keys().next_back().map_or(self.highest, |&number| number.max(self.highest));
        let least = i64::from(size.max(highest + 1));
        match trailer.get(b"Size") {
            // pyHanko counts reserved numbers that it did not use
            Object::Integer(size) if (least..=i64::from(HIGHEST_NUMBER)).contains(size) => {}
            Object::Integer(size) if (1..least).contains(size) => self.require(false, Deviation::SmallSize),
            _ => self.require(false, Deviation::Trailer("Size")),
        }
        Ok(())
    }

    /// Whether an object has the value that it had before.
    fn is_written_again(&mut self, number: u32) -> Result<bool, Fault> {
        let [old, new] = [self.range.before(), self.range.state()];
        let [before, after] = [old, new].map(|state| self.document.view(state).object(number));
        let (Some(before), Some(after)) = (before?, after?) else { return Ok(false) };
        Pair::of(old, new).same_body(self.document, &before, &after)
    }

    /// Whether the last trailer before that has an entry of this key has the same: some programs leave out what others
    /// repeat from the first trailer.
    fn repeats(&mut self, key: &Name, value: &Object) -> Result<bool, Fault> {
        let previous = self.document.xref.parts.get(self.range.parts.end..).unwrap_or_default().to_vec();
        for part in previous {
            self.document.budget.work(MAX_KEYWORD_BYTES)?;
            let trailer = revision_end::trailer(self.document, &part)?.unwrap_or_default();
            match trailer.entry(key.as_bytes()) {
                Object::Null => {}
                known => return Ok(known == value),
            }
        }
        Ok(false)
    }

    /// Whether an entry refers to missing objects alone, now and in the newest state, so that it says nothing: PDFBox gives
    /// these references numbers of their own.
    fn leads_nowhere(&mut self, value: &Object) -> Result<bool, Fault> {
        let parts = if value.elements().is_empty() { std::slice::from_ref(value) } else { value.elements() };
        let is_listed = parts.iter().all(|part| part.as_reference().is_some() || part.as_name().is_some());
        let mut numbers = parts.iter().filter_map(Object::as_reference).map(|id| id.number).peekable();
        if !is_listed || numbers.peek().is_none() {
            return Ok(false);
        }
        for number in numbers {
            for state in [self.range.state(), State(0)] {
                if self.document.entry(state, number)? != XrefEntry::Free {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Checks all listed objects in file order, and the members of object streams.
    fn objects(&mut self, section: u64) -> Result<(), Fault> {
        let mut alone = std::mem::take(&mut self.beside);
        let mut members = BTreeMap::<u32, Vec<(u32, u32)>>::new();
        for (number, (entry, generation)) in std::mem::take(&mut self.rows) {
            self.rows.insert(number, (entry, generation));
            let before = self.document.entry(self.range.before(), number)?;
            if let (XrefEntry::At(_), XrefEntry::At(_)) = (before, entry) {
                let before = generation_of(self.document, self.range.before(), number)?;
                self.require(before == Some(generation), Deviation::Generation(number));
            }
            // an unchanged entry may be repeated
            if entry == XrefEntry::Free || entry == before {
                continue;
            }
            match entry {
                XrefEntry::In { stream, index } => members.entry(stream).or_default().push((index, number)),
                XrefEntry::At(offset) => self.place((offset, number, generation), section, &mut alone)?,
                XrefEntry::Free => {}
            }
        }
        for copy in std::mem::take(&mut self.copies) {
            self.place(copy, section, &mut alone)?;
        }
        for (offset, (number, generation)) in alone {
            if offset < self.at || offset >= self.range.end {
                self.require(false, Deviation::Entry(number));
                continue;
            }
            self.superseded(offset)?;
            self.gap(offset)?;
            let Some(body) = self.object(number, generation, offset)? else { continue };
            if is_container(&body) {
                let listed = members.remove(&number).unwrap_or_default();
                self.object_stream(number, &body, listed)?;
            }
        }
        for (_, listed) in members {
            listed.iter().for_each(|(_, number)| self.require(false, Deviation::Entry(*number)));
        }
        Ok(())
    }

    /// Adds an object at the offset of its entry, which must be its own and in the update.
    fn place(
        &mut self,
        (offset, number, generation): (u64, u32, u64),
        section: u64,
        alone: &mut BTreeMap<u64, (u32, u64)>,
    ) -> Result<(), Fault> {
        let start = offset + self.blanks(offset)?;
        let is_within = offset >= self.older.end.saturating_sub(EARLY_ENTRY_BYTES) && start < self.range.end;
        self.require(is_within && start - offset <= EARLY_ENTRY_BYTES, Deviation::Entry(number));
        self.require(start == offset, Deviation::EarlyEntry(number));
        let is_alone = alone.insert(start, (number, generation)).is_none();
        self.require(is_alone && start != section, Deviation::Entry(number));
        Ok(())
    }

    /// Reads objects before this offset that the same update writes again behind them, as readers do that rebuild the
    /// cross-reference: the last one counts.
    fn superseded(&mut self, before: u64) -> Result<(), Fault> {
        loop {
            let mut cursor = Cursor { text: self.document.reader.view(self.at, MAX_KEYWORD_BYTES)?, at: 0 };
            cursor.skip_space();
            let start = self.at + cursor.at as u64;
            let (number, is_apart, generation) = (cursor.digits(), cursor.takes(b" "), cursor.digits());
            let is_header = is_apart && cursor.takes(b" obj") && start < before;
            let Some(number) = number.filter(|_| is_header).and_then(|number| u32::try_from(number).ok()) else {
                return Ok(());
            };
            let Some(&(XrefEntry::At(last), own)) = self.rows.get(&number) else { return Ok(()) };
            if last <= start || generation != Some(own) {
                return Ok(());
            }
            self.gap(start)?;
            if self.object(number, own, start)?.is_none() {
                return Ok(());
            }
        }
    }

    /// The number of white-space bytes at this offset.
    fn blanks(&mut self, offset: u64) -> Result<u64, Fault> {
        let text = self.document.reader.view(offset, EARLY_ENTRY_BYTES as usize + 1)?;
        Ok(text.iter().take_while(|&&byte| is_space(byte)).count() as u64)
    }

    /// Skips white space and comments up to the next token.
    fn gap(&mut self, offset: u64) -> Result<(), Fault> {
        let from = self.at.min(offset.saturating_sub(1));
        let size = (offset - from) as usize;
        self.document.budget.work(size.min(LONGEST_GAP))?;
        let text = self.document.reader.view(from, size.min(LONGEST_GAP))?;
        let own = text.get(self.at.saturating_sub(from) as usize..).unwrap_or_default();
        let is_gap = self.at <= offset
            && size <= LONGEST_GAP
            && is_blank(own)
            && text.last().is_some_and(|&byte| is_space(byte));
        let is_joined = self.at == offset && offset == self.older.end && self.ends_with_marker(offset)?;
        self.require(is_gap || is_joined, Deviation::Bytes(self.at));
        self.require(!is_joined, Deviation::NoLineEnd);
        self.at = offset;
        Ok(())
    }

    /// Whether `%%EOF` ends at this offset.
    fn ends_with_marker(&mut self, offset: u64) -> Result<bool, Fault> {
        let marker = b"%%EOF";
        let start = offset.saturating_sub(marker.len() as u64);
        Ok(self.document.reader.view(start, marker.len())? == marker)
    }

    /// Checks that an object with its header is serialized canonically (7.3.10).
    fn object(&mut self, number: u32, generation: u64, offset: u64) -> Result<Option<Rc<Body>>, Fault> {
        let header = format!("{number} {generation} obj");
        let view = self.document.reader.view(offset, header.len() + 1)?;
        let behind = view.strip_prefix(header.as_bytes());
        let is_exact = behind.is_some_and(|behind| !behind.first().is_some_and(|&byte| is_regular(byte)));
        let state = self.range.state();
        let stored = self.document.stored(state, number, XrefEntry::At(offset))?;
        let (true, Stored::Object(body)) = (is_exact, stored) else {
            self.require(false, Deviation::Entry(number));
            return Ok(None);
        };
        let is_value = self.document.is_strict(state, &body)?;
        self.require(is_value, Deviation::Object(number));
        let mut end = body.end;
        if let Some(start) = body.stream {
            let word = self.document.reader.view(start.saturating_sub(8), 8)?;
            let is_begun = word.ends_with(b"stream\n") || word.ends_with(b"stream\r\n");
            let place = self.document.stream_place(state, &body)?;
            self.require(is_begun && place.is_some(), Deviation::Stream(number));
            end = place.map_or(end, |place| place.end);
        }
        let mut cursor = Cursor { text: self.document.reader.view(end, MAX_KEYWORD_BYTES)?, at: 0 };
        cursor.skip_space();
        let is_stream_ended = body.stream.is_none() || cursor.takes(b"endstream");
        cursor.skip_space();
        let is_ended = cursor.takes(b"endobj");
        self.at = end + cursor.at as u64;
        let is_section = self.document.xref.parts.iter().any(|part| part.offset == offset);
        let is_open = is_section && is_stream_ended && cursor.rest().starts_with(b"startxref");
        self.require(is_stream_ended, Deviation::Stream(number));
        self.require(is_ended, if is_open { Deviation::OpenSection } else { Deviation::Object(number) });
        self.hidden_header(offset + header.len() as u64)?;
        Ok(Some(body))
    }

    /// Reports an object header in skipped data, however it is written.
    fn hidden_header(&mut self, from: u64) -> Result<(), Fault> {
        let size = self.at.saturating_sub(from) as usize;
        self.document.budget.work(size / 8)?;
        let text = self.document.reader.view(from, size)?;
        let found = memmem::find_iter(text, WORD).find(|&word| may_end_header(text, word));
        if let Some(at) = found {
            self.require(false, Deviation::Header(from + at as u64));
        }
        Ok(())
    }

    /// Checks an object stream (7.5.7), whose members must be listed once each, or one that is repeated unchanged.
    fn object_stream(&mut self, number: u32, body: &Body, mut listed: Vec<(u32, u32)>) -> Result<(), Fault> {
        listed.sort_unstable();
        let container = self.document.object_stream(self.range.state(), number)?;
        // written again unchanged: the entries of its members are still the previous ones
        let is_again = listed.is_empty()
            && container.is_some()
            && self.document.object_stream(self.range.before(), number)? == container;
        let is_canonical = container.zip(body.dictionary()).is_some_and(|(container, dictionary)| {
            (is_again || (0..).zip(container.numbers()).eq(listed.iter().copied()))
                && container.is_canonical(dictionary)
                && !dictionary.has(b"Extends")
                && is_plainly_encoded(dictionary, 0)
        });
        let is_exact = is_canonical && self.has_exact_members(body)?;
        self.require(is_exact, Deviation::ObjectStream(number));
        Ok(())
    }

    /// Whether every reader decrypts an object stream, and its data is complete.
    fn has_exact_members(&mut self, body: &Body) -> Result<bool, Fault> {
        if self.document.security.is_none() {
            return self.is_exactly_encoded(body);
        }
        let Some(encoded) = self.document.exactly_decrypted(self.range.state(), body)? else { return Ok(false) };
        Ok(is_unfiltered(body) || is_exact_zlib(&encoded))
    }

    /// Whether the data of a stream that is not encrypted, with a filter that every reader decodes, is complete.
    fn is_exactly_encoded(&mut self, body: &Body) -> Result<bool, Fault> {
        let Some(place) = self.document.stream_place(self.range.state(), body)? else { return Ok(false) };
        Ok(is_unfiltered(body)
            || is_exact_zlib(self.document.reader.view(place.start, (place.end - place.start) as usize)?))
    }

    /// Checks the end of the update: `startxref`, the section's offset, and `%%EOF` (7.5.5). iText writes its name
    /// before that.
    fn end(&mut self, section: u64) -> Result<(), Fault> {
        let mut cursor = Cursor { text: self.document.reader.view(self.at, MAX_KEYWORD_BYTES)?, at: 0 };
        let is_ended = cursor.skip_comments()
            && cursor.takes(b"startxref")
            && cursor.ends_line()
            && cursor.digits() == Some(section)
            && cursor.ends_line()
            && cursor.takes(b"%%EOF");
        let is_here = self.at + cursor.at as u64 <= self.range.end && self.range.is_closed;
        self.require(is_ended && is_here, Deviation::End);
        Ok(())
    }
}

fn is_unfiltered(body: &Body) -> bool {
    body.dictionary().is_none_or(|dictionary| dictionary.get(b"Filter").is_null())
}

/// The generation that the cross-reference has for an object; `None` if it is not in use.
fn generation_of(document: &mut Document, state: State, number: u32) -> Result<Option<u64>, Fault> {
    if document.entry(state, number)? == XrefEntry::Free {
        return Ok(None);
    }
    let Document { xref, reader, budget, .. } = document;
    Ok(Some(xref.generation(state.0, number, |_| true, (reader, budget))?.unwrap_or(0)))
}
