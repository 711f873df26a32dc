//! Whether a save is written by the letter: its objects, one section that lists them and nothing else, a trailer that leads
//! on to the save before (ISO 32000-1, 7.5.4 to 7.5.8). What is not plain some readers repair, and see another file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use memchr::memmem;

use super::span::Span;
use crate::document::Document;
use crate::document::objects::{State, Stored};
use crate::failure::Fault;
use crate::syntax::char_class::is_space;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Object;
use crate::syntax::parser::parse_object;
use crate::syntax::strict::is_strict;
use crate::xref::entries::{LINE, XrefEntry};

/// The highest object number that all readers take.
const HIGHEST: u32 = 4_194_303;
/// The longest table that is read by the letter, with its trailer, in bytes.
const TABLE: usize = 16 << 20;
/// What may stand between objects at most for it to be looked at, in bytes.
const GAP: usize = 64 << 10;
/// The widest type of an entry that all readers take, in bytes (7.5.8.2, `/W`).
const KIND: usize = 4;
/// Enough for what ends an object or a save.
const END: usize = 128;

/// Something of a save that is not by the letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Oddity {
    /// More stands in it than its objects and its section.
    Layout,
    /// Lines, counts or numbers of its section.
    Table,
    /// An entry leads elsewhere than to its object.
    Entry,
    /// What its trailer says.
    Trailer,
    /// Part of its objects, by a `/Size` that is too small for them.
    Size,
    /// A stream's `/Length`.
    Length,
    /// Where its section starts: within a number, which some readers take for another one.
    Start,
    /// An entry or a reference by another generation than its object has, which some readers take for none (7.3.10).
    Generation,
}

impl Oddity {
    /// Whether what counts of the save depends on who reads it, and cannot be found out by reading it in their ways.
    pub(crate) fn parts_readers(self) -> bool {
        matches!(self, Self::Length | Self::Start | Self::Generation)
    }
}

/// A row of a section.
struct SectionRow {
    number: u32,
    entry: XrefEntry,
    generation: u64,
}

/// A section as it stands in the file.
struct PlainSection {
    rows: Vec<SectionRow>,
    trailer: Dictionary,
    /// From its first byte to behind its `%%EOF`.
    place: Range<u64>,
    /// Number of its own object, if it is a stream.
    own: Option<u32>,
}

/// What of a save is not by the letter, held against the one before it.
pub(crate) fn oddities(document: &mut Document, older: &Span, span: &Span) -> Result<BTreeSet<Oddity>, Fault> {
    let mut odd = BTreeSet::new();
    let mut note = |is_odd: bool, oddity: Oddity| {
        if is_odd {
            odd.insert(oddity);
        }
    };
    note(document.header.offset > 0 || document.header.is_missing, Oddity::Layout);
    let own = document.xref.parts.get(span.parts.clone()).unwrap_or_default();
    let [part] = own else { return Ok([Oddity::Table].into()) };
    let (offset, is_hybrid) = (part.offset, part.supplement.is_some());
    let before = document.xref.parts.get(span.parts.end).map_or(0, |part| part.offset);
    note(!document.reader.view(offset.saturating_sub(1), 1)?.first().copied().is_some_and(is_space), Oddity::Start);
    note(misleads(document, span)?, Oddity::Generation);
    let Some(section) = section(document, offset, span)? else {
        note(true, Oddity::Table);
        return Ok(odd);
    };
    note(is_hybrid || section.trailer.has(b"XRefStm"), Oddity::Table);
    note(!is_plain_trailer(document, &section.trailer, (older, span), before)?, Oddity::Trailer);
    let size = section.trailer.get(b"Size").as_integer().unwrap_or(0);
    let mut known = BTreeSet::new();
    for row in &section.rows {
        note(!known.insert(row.number) || row.number > HIGHEST, Oddity::Table);
        note(i64::from(row.number) >= size, Oddity::Size);
        note(row.number == 0 && row.entry != XrefEntry::Free, Oddity::Table);
    }
    let mut entries = Entries { document, older, span, places: vec![section.place.clone()], odd: BTreeSet::new() };
    entries.check(&section)?;
    let Entries { places, odd: found, .. } = entries;
    odd.extend(found);
    if has_more(document, older.end..span.end, places)? {
        odd.insert(Oddity::Layout);
    }
    Ok(odd)
}

/// What the trailer says beside the save before it.
fn is_plain_trailer(
    document: &mut Document,
    trailer: &Dictionary,
    (older, span): (&Span, &Span),
    before: u64,
) -> Result<bool, Fault> {
    let leads_back = matches!(trailer.get(b"Prev"), Object::Integer(at)
        if u64::try_from(*at).is_ok_and(|at| at.saturating_add(document.xref.base) == before));
    let size = |span: &Span| document.xref.parts.get(span.parts.start).map_or(0, |part| part.size);
    let is_encrypted_alike = older.encryption == span.encryption;
    let encrypt = trailer.get(b"Encrypt").as_reference().map(|id| id.number);
    let has_own_key = encrypt.is_some_and(|number| span.numbers.contains(&number));
    Ok(leads_back
        && size(older) <= size(span)
        && trailer.get(b"Root").as_reference().is_some_and(|root| Some(root) == older.root)
        && is_encrypted_alike
        && !has_own_key)
}

/// Whether an object of the save refers to another one by a generation that this one does not have.
fn misleads(document: &mut Document, span: &Span) -> Result<bool, Fault> {
    for &number in &span.numbers {
        let Some(body) = document.view(span.state()).object(number)? else { continue };
        let mut values = vec![&body.object];
        while let Some(value) = values.pop() {
            document.budget.work(1)?;
            match value {
                Object::Array(elements) => values.extend(elements),
                Object::Dictionary(dictionary) => values.extend(dictionary.iter().map(|(_, value)| value)),
                // what has no entry is missing by any generation
                Object::Reference(id)
                    if generation(document, span.state(), id.number)?
                        .is_some_and(|generation| generation != u64::from(id.generation)) =>
                {
                    return Ok(true);
                }
                _ => {}
            }
        }
    }
    Ok(false)
}

/// The generation by which the cross-reference lists a number; none if it is not in use or in an object stream, where it is 0.
fn generation(document: &mut Document, state: State, number: u32) -> Result<Option<u64>, Fault> {
    if document.entry(state, number)? == XrefEntry::Free {
        return Ok(None);
    }
    let Document { xref, reader, budget, .. } = document;
    let listings = xref.listings(state.0..xref.parts.len(), number, reader, budget)?;
    Ok(listings.first().map(|(_, generation)| generation.unwrap_or(0)))
}

/// The section of a save, read by the letter; none if it is not written so.
fn section(document: &mut Document, offset: u64, span: &Span) -> Result<Option<PlainSection>, Fault> {
    let text = document.reader.view(offset, TABLE.min(span.end.saturating_sub(offset) as usize))?;
    document.budget.work(text.len())?;
    let text = document.reader.view(offset, TABLE.min(span.end.saturating_sub(offset) as usize))?;
    let base = document.xref.base;
    if !text.starts_with(b"xref") {
        return stream_section(document, offset, span);
    }
    let mut cursor = TextCursor { text, at: b"xref".len() };
    let mut rows = Vec::new();
    if !cursor.ends_line() {
        return Ok(None);
    }
    loop {
        cursor.skip_space();
        if cursor.takes(b"trailer") {
            break;
        }
        let (Some(start), true, Some(count), true) =
            (cursor.digits(), cursor.takes(b" "), cursor.digits(), cursor.ends_line())
        else {
            return Ok(None);
        };
        for number in start..start.saturating_add(count) {
            let (Some(row), Ok(number)) = (cursor.row(), u32::try_from(number)) else { return Ok(None) };
            let (at, generation, is_used) = row;
            // some readers take the head of the free list for object 0 whatever number it has
            if number == 1 && start == 1 && !is_used && generation == 65_535 {
                return Ok(None);
            }
            let entry = if is_used { XrefEntry::At(at.saturating_add(base)) } else { XrefEntry::Free };
            rows.push(SectionRow { number, entry, generation });
        }
    }
    let rest = text.get(cursor.at..).unwrap_or_default();
    let Ok(parsed) = parse_object(rest) else { return Ok(None) };
    let (Object::Dictionary(trailer), true) = (parsed.object, is_strict(rest.get(..parsed.end).unwrap_or_default()))
    else {
        return Ok(None);
    };
    let Some(end) = end_of_save(text, cursor.at + parsed.end, offset - base) else { return Ok(None) };
    Ok(Some(PlainSection { rows, trailer, place: offset..offset + end as u64, own: None }))
}

/// The same of one that is a stream (7.5.8).
fn stream_section(document: &mut Document, offset: u64, span: &Span) -> Result<Option<PlainSection>, Fault> {
    let Some((number, _)) = header_at(document, offset)? else { return Ok(None) };
    let Stored::Object(body) = document.stored(span.state(), number, XrefEntry::At(offset))? else { return Ok(None) };
    let text = document.text_of(span.state(), &body)?;
    let Some(rows) = document.decoded(span.state(), &body, usize::MAX)? else { return Ok(None) };
    let (Some(trailer), Some(place)) = (body.dictionary(), document.stream_place(span.state(), &body)?) else {
        return Ok(None);
    };
    let widths: Vec<usize> = trailer
        .get(b"W")
        .elements()
        .iter()
        .filter_map(|width| {
            width.as_integer().and_then(|width| usize::try_from(width).ok()).filter(|&width| width <= 8)
        })
        .collect();
    let [first @ ..=KIND, second, third] = widths[..] else { return Ok(None) };
    let width = first + second + third;
    let size = Object::Integer(trailer.get(b"Size").as_integer().unwrap_or(0));
    let all = [Object::Integer(0), size];
    let index = match trailer.get(b"Index").elements() {
        [] => &all,
        index => index,
    };
    let mut numbers = Vec::new();
    for pair in index.chunks(2) {
        let [start, count] = [pair.first(), pair.get(1)].map(|number| number.and_then(Object::as_integer));
        let (Some(start), Some(count)) = (start.and_then(|start| u32::try_from(start).ok()), count) else {
            return Ok(None);
        };
        let count = u32::try_from(count).ok().filter(|&count| count as usize <= rows.len());
        numbers.extend(count.map(|count| start..start.saturating_add(count)).into_iter().flatten());
    }
    if !is_strict(&text) || width == 0 || rows.len() != numbers.len() * width {
        return Ok(None);
    }
    let number_of = |bytes: &[u8]| bytes.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    let mut listed = Vec::new();
    for (&number, row) in numbers.iter().zip(rows.chunks_exact(width)) {
        let (kind, rest) = row.split_at_checked(first).unwrap_or_default();
        let (one, two) = rest.split_at_checked(second).unwrap_or_default();
        let (one, two) = (number_of(one), number_of(two));
        let entry = match if first == 0 { 1 } else { number_of(kind) } {
            0 => XrefEntry::Free,
            1 => XrefEntry::At(one.saturating_add(document.xref.base)),
            2 => match (u32::try_from(one), u32::try_from(two)) {
                (Ok(stream), Ok(index)) => XrefEntry::In { stream, index },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        listed.push(SectionRow {
            number,
            entry,
            generation: if matches!(entry, XrefEntry::In { .. }) { 0 } else { two },
        });
    }
    let (trailer, base) = (trailer.clone(), document.xref.base);
    let text = document.reader.view(place.end, END)?;
    let mut cursor = TextCursor { text, at: 0 };
    cursor.skip_space();
    let is_ended = cursor.takes(b"endstream") && {
        cursor.skip_space();
        cursor.takes(b"endobj")
    };
    let end = end_of_save(text, cursor.at, offset - base).filter(|_| is_ended);
    let Some(end) = end else { return Ok(None) };
    Ok(Some(PlainSection { rows: listed, trailer, place: offset..place.end + end as u64, own: Some(number) }))
}

/// Behind the `%%EOF` that follows `startxref` and this offset.
fn end_of_save(text: &[u8], from: usize, offset: u64) -> Option<usize> {
    let mut cursor = TextCursor { text, at: from };
    // iText writes its name there
    let is_blank = cursor.skip_comments();
    let leads_here = is_blank && cursor.takes(b"startxref") && {
        cursor.skip_space();
        cursor.digits() == Some(offset)
    };
    cursor.skip_space();
    (leads_here && cursor.takes(b"%%EOF")).then_some(cursor.at)
}

/// Number and generation of the header whose first digit stands there.
fn header_at(document: &mut Document, offset: u64) -> Result<Option<(u32, u64)>, Fault> {
    let before = document.reader.view(offset.saturating_sub(1), 1)?.first().copied();
    if offset == 0 || !before.is_some_and(is_space) {
        return Ok(None);
    }
    let mut cursor = TextCursor { text: document.reader.view(offset, 64)?, at: 0 };
    let number = cursor.digits();
    cursor.skip_space();
    let generation = cursor.digits();
    cursor.skip_space();
    Ok(match (number.and_then(|number| u32::try_from(number).ok()), generation, cursor.takes(b"obj")) {
        (Some(number), Some(generation), true) => Some((number, generation)),
        _ => None,
    })
}

/// Holding the entries of a section against what they lead to.
struct Entries<'e, 's> {
    document: &'e mut Document<'s>,
    older: &'e Span,
    span: &'e Span,
    /// What is accounted for.
    places: Vec<Range<u64>>,
    odd: BTreeSet<Oddity>,
}

impl Entries<'_, '_> {
    fn check(&mut self, section: &PlainSection) -> Result<(), Fault> {
        let (mut containers, mut members) = (BTreeSet::new(), BTreeMap::<u32, Vec<(u32, u32)>>::new());
        for row in &section.rows {
            match row.entry {
                XrefEntry::Free => {}
                XrefEntry::At(offset) if Some(row.number) == section.own && offset == section.place.start => {}
                XrefEntry::At(offset) => {
                    if self.object(row, offset)? {
                        containers.insert(row.number);
                    }
                }
                XrefEntry::In { stream, index } => members.entry(stream).or_default().push((index, row.number)),
            }
        }
        for (stream, listed) in &mut members {
            listed.sort_unstable();
            let has_all = self.document.object_stream(self.span.state(), *stream)?.is_some_and(|container| {
                let held: Vec<(u32, u32)> = (0..).zip(container.numbers()).collect();
                held == *listed
            });
            self.note(!containers.contains(stream) || !has_all, Oddity::Entry);
        }
        self.note(containers.iter().any(|container| !members.contains_key(container)), Oddity::Entry);
        Ok(())
    }

    fn note(&mut self, is_odd: bool, oddity: Oddity) {
        if is_odd {
            self.odd.insert(oddity);
        }
    }

    /// An object that stands in the file itself; whether it is an object stream.
    fn object(&mut self, row: &SectionRow, offset: u64) -> Result<bool, Fault> {
        let is_within = (self.older.end..self.span.end).contains(&offset);
        let header = header_at(self.document, offset)?;
        self.note(!is_within || header.is_none_or(|(number, _)| number != row.number), Oddity::Entry);
        self.note(header.is_some_and(|(_, generation)| generation != row.generation), Oddity::Generation);
        let before = generation(self.document, self.span.before(), row.number)?;
        self.note(before.is_some_and(|before| before != row.generation), Oddity::Table);
        let stored = self.document.stored(self.span.state(), row.number, XrefEntry::At(offset))?;
        let Stored::Object(body) = stored else {
            self.note(true, Oddity::Entry);
            return Ok(false);
        };
        let mut end = body.end;
        if body.stream.is_some() {
            match self.document.stream_place(self.span.state(), &body)? {
                Some(place) => end = place.end,
                None => self.note(true, Oddity::Length),
            }
        }
        let mut cursor = TextCursor { text: self.document.reader.view(end, END)?, at: 0 };
        cursor.skip_space();
        let is_stream_ended = body.stream.is_none() || cursor.takes(b"endstream");
        cursor.skip_space();
        let (is_ended, length) = (cursor.takes(b"endobj"), cursor.at as u64);
        self.note(!is_stream_ended, Oddity::Length);
        self.note(!is_ended, Oddity::Layout);
        self.places.push(offset..end + length);
        let dictionary = body.dictionary().filter(|_| body.stream.is_some());
        Ok(dictionary.is_some_and(|it| it.is_type(b"ObjStm") || it.has(b"First") && it.has(b"N")))
    }
}

/// Whether more than white space and comments stands between what is accounted for.
fn has_more(document: &mut Document, all: Range<u64>, mut places: Vec<Range<u64>>) -> Result<bool, Fault> {
    places.push(all.end..all.end);
    places.sort_by_key(|place| place.start);
    let mut at = all.start;
    for place in places {
        if place.start < at && at != all.start {
            return Ok(true);
        }
        let size = place.start.saturating_sub(at) as usize;
        let text = document.reader.view(at, size.min(GAP))?;
        if size > GAP || !is_blank(text) {
            return Ok(true);
        }
        document.budget.work(size)?;
        at = at.max(place.end);
    }
    Ok(false)
}

/// Whether it is white space, and comments that nobody takes for anything else.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let mut lexer = Lexer::new(text);
    lexer.skip_space();
    let words: [&[u8]; 5] = [b"obj", b"xref", b"trailer", b"%%EOF", b"stream"];
    lexer.rest().is_empty() && !words.iter().any(|word| memmem::find(text, word).is_some())
}

/// Goes through text by the letter.
struct TextCursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> TextCursor<'t> {
    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// White space and comments; whether these are none but comments.
    fn skip_comments(&mut self) -> bool {
        let start = self.at;
        self.skip_space();
        while self.rest().first() == Some(&b'%') {
            self.at += self.rest().iter().take_while(|&&byte| !matches!(byte, b'\r' | b'\n')).count();
            self.skip_space();
        }
        is_blank(self.text.get(start..self.at).unwrap_or_default())
    }

    fn takes(&mut self, word: &[u8]) -> bool {
        let is_here = self.rest().starts_with(word);
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    /// Blanks, and the end of the line.
    fn ends_line(&mut self) -> bool {
        self.at += self.rest().iter().take_while(|&&byte| byte == b' ').count();
        self.takes(b"\r\n") || self.takes(b"\n") || self.takes(b"\r")
    }

    fn digits(&mut self) -> Option<u64> {
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digits = std::str::from_utf8(self.rest().get(..length)?).ok()?.parse().ok();
        self.at += length;
        digits
    }

    /// A line of a table: offset, generation, and whether it is in use.
    fn row(&mut self) -> Option<(u64, u64, bool)> {
        let line = self.text.get(self.at..self.at + LINE)?;
        let (offset, rest) = line.split_at_checked(10)?;
        let [b' ', generation @ .., b' ', kind, end, last] = rest else { return None };
        let is_ended = matches!((end, last), (b' ', b'\n' | b'\r') | (b'\r', b'\n'));
        let number = |digits: &[u8]| {
            std::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?.parse().ok()
        };
        let row = (number(offset)?, number(generation)?, *kind == b'n');
        self.at += LINE;
        (is_ended && matches!(kind, b'n' | b'f')).then_some(row)
    }
}
