//! Classic cross-reference tables (ISO 32000-1, 7.5.4).

use super::Trailer;
use super::entries::{LINE, Section, SectionRows, XrefEntry, parse_line};
use crate::budget::{Budget, SECTION};
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::object::Object;
use crate::syntax::parser::{Value, parse_object};

/// Enough for a subsection's first line, with comments and blank lines before it.
const SUBSECTION_HEADER_BYTES: usize = 256;
/// Maximum bytes read of a nonconforming table: 200,000 entries. A larger one requires repair.
const MAX_NONCONFORMING_BYTES: usize = 4 << 20;
/// Bytes read for the trailer dictionary. Real ones have some hundred bytes.
pub(crate) const TRAILER: usize = 8 << 10;

/// Reads the table that starts at `start`, directly after the keyword `xref`, appends its subsections to `sections` and
/// returns its trailer.
pub(super) fn read(
    reader: &mut Reader,
    budget: &mut Budget,
    start: u64,
    sections: &mut Vec<Section>,
) -> Result<Trailer, Fault> {
    let before = sections.len();
    let mut offset = start;
    loop {
        budget.work(SUBSECTION_HEADER_BYTES)?;
        match heading(reader.view(offset, SUBSECTION_HEADER_BYTES)?) {
            Heading::Trailer(length) => return trailer(reader, budget, offset + length as u64),
            Heading::Section { first, count, length } => {
                let lines = offset + length as u64;
                let Some(section) = regular(reader, first, count, lines)? else { break };
                budget.entries(SECTION)?;
                sections.push(section);
                offset = lines + u64::from(count) * LINE as u64;
            }
            Heading::Other => break,
        }
    }
    sections.truncate(before);
    irregular(reader, budget, start, sections)
}

/// The start of a subsection or of the trailer, and its length.
enum Heading {
    Section { first: u32, count: u32, length: usize },
    Trailer(usize),
    Other,
}

fn heading(data: &[u8]) -> Heading {
    let mut lexer = Lexer::new(data);
    if lexer.take_word(b"trailer") {
        return Heading::Trailer(lexer.position());
    }
    let numbers = lexer.take_integer().zip(lexer.take_integer());
    let Some((Ok(first), Ok(count))) = numbers.map(|(first, count)| (u32::try_from(first), u32::try_from(count)))
    else {
        return Heading::Other;
    };
    if count > 0 {
        lexer.skip_space();
    }
    Heading::Section { first, count, length: lexer.position() }
}

/// A subsection with conforming first and last rows; the rows between are checked on demand.
fn regular(reader: &mut Reader, first: u32, count: u32, lines: u64) -> Result<Option<Section>, Fault> {
    let mut first = first;
    if let Some(last) = count.checked_sub(1) {
        let head = parse_line(reader.view(lines, LINE)?);
        // a common error: the subsection starts with the head of the free list, object 0, but its first number is 1
        if first == 1 && head == Some(XrefEntry::Free) && reader.view(lines, LINE)?.starts_with(b"0000000000 65535 f") {
            first = 0;
        }
        let tail = parse_line(reader.view(lines + u64::from(last) * LINE as u64, LINE)?);
        if head.is_none() || tail.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(Section { first, count, rows: SectionRows::Lines(lines) }))
}

/// Reads a table token by token: lines of other lengths, wrong counts, missing spaces.
fn irregular(
    reader: &mut Reader,
    budget: &mut Budget,
    start: u64,
    sections: &mut Vec<Section>,
) -> Result<Trailer, Fault> {
    let view = reader.view(start, MAX_NONCONFORMING_BYTES)?;
    let mut lexer = Lexer::new(view);
    while !lexer.take_word(b"trailer") {
        let first = lexer.take_integer().and_then(|first| u32::try_from(first).ok()).ok_or(Fault::Damaged)?;
        let count = lexer.take_integer().and_then(|count| u32::try_from(count).ok()).ok_or(Fault::Damaged)?;
        let begin = lexer.position();
        let entries = entries(&mut lexer, first, count);
        budget.work(lexer.position() - begin + LINE)?;
        budget.entries(entries.len() + SECTION)?;
        if entries.len() < count as usize && !lexer.clone().take_word(b"trailer") {
            return Err(Fault::Damaged);
        }
        sections.push(Section::listed(entries));
    }
    let length = lexer.position();
    trailer(reader, budget, start + length as u64)
}

/// Up to `count` entries; fewer if another subsection or the trailer comes earlier.
fn entries(lexer: &mut Lexer, first: u32, count: u32) -> Vec<(u32, XrefEntry)> {
    let mut entries = Vec::new();
    let mut number = first;
    while entries.len() < count as usize {
        let start = lexer.position();
        let offset = lexer.take_integer().and_then(|offset| u64::try_from(offset).ok());
        let generation = lexer.take_integer();
        let entry = match (offset, lexer.token()) {
            (Some(0), Token::Keyword(b"n")) | (Some(_), Token::Keyword(b"f")) => XrefEntry::Free,
            (Some(offset), Token::Keyword(b"n")) => XrefEntry::At(offset),
            _ => {
                lexer.set_position(start);
                break;
            }
        };
        if number == 1 && entries.is_empty() && entry == XrefEntry::Free && generation == Some(65_535) {
            number = 0;
        }
        entries.push((number, entry));
        number = number.saturating_add(1);
    }
    entries
}

fn trailer(reader: &mut Reader, budget: &mut Budget, offset: u64) -> Result<Trailer, Fault> {
    budget.work(SUBSECTION_HEADER_BYTES)?;
    match parse_object(reader.view(offset, TRAILER)?) {
        Ok(Value { object: Object::Dictionary(dictionary), has_stray_tokens, .. }) => {
            Ok(Trailer { dictionary, has_stray_tokens })
        }
        _ => Err(Fault::Damaged),
    }
}
