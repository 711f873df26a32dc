//! Follows the cross-reference from the end of the file through all its updates (ISO 32000-1, 7.5.5 and 7.5.6).

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use memchr::memmem;

use super::entries::{Section, SectionRows};
use super::stream;
use super::table;
use super::{Part, Trailer, Xref, XrefKind};
use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::lexer::Lexer;

/// Maximum distance of `startxref` from the end: junk after `%%EOF` is common, mail and web servers append it.
const MAX_STARTXREF_DISTANCE: usize = 64 << 10;
/// Usual distance of `startxref` from the end.
const USUAL_STARTXREF_DISTANCE: usize = 60;
/// Tolerance of `startxref`; converted line ends are the usual cause of errors.
const OFFSET_TOLERANCE_BYTES: u64 = 64;
/// Bytes of a section read first: 13,000 entries of a table.
const FIRST_READ_BYTES: u64 = 256 << 10;
/// Maximum share of the file read first: one part in this many.
const FIRST_READ_DIVISOR: u64 = 400;
/// Enough for the word `xref` or an object header, with space before and in it.
const SECTION_START_BYTES: usize = 512;

/// Loads all sections, newest first. `header` is the offset of the file header.
///
/// # Errors
/// `Damaged` if any of them is not where it should be.
pub fn load(reader: &mut Reader, budget: &mut Budget, header: u64) -> Result<Xref, Fault> {
    let Start { newest, base, is_exact, word } = newest(reader, header)?;
    let mut xref = Xref { base, is_exact, is_direct: true, last_end: word, ..Xref::default() };
    let mut seen = BTreeSet::new();
    let mut next = Some(newest);
    while let Some(offset) = next.filter(|&offset| seen.insert(offset)) {
        let before = xref.sections.len();
        let (kind, trailer, beside) = section(reader, budget, offset, base, &mut xref.sections)?;
        xref.is_direct &= [Some(&trailer), beside.as_ref()].into_iter().flatten().all(is_direct);
        let trailer = trailer.dictionary;
        let [root, info] = [b"Root", b"Info"].map(|key| trailer.get(key).as_reference());
        let own = xref.sections.get(before..).unwrap_or_default();
        let is_empty = |section: &Section| section.entries() == 0 || matches!(section.rows, SectionRows::Packed(..));
        let beside = position(&trailer, b"XRefStm").filter(|_| kind == XrefKind::Hybrid && own.iter().all(is_empty));
        xref.parts.push(Part {
            offset,
            sections: before..xref.sections.len(),
            is_ordered: own.is_sorted_by(|one, next| one.first.saturating_add(one.count) <= next.first),
            root,
            info,
            encryption: encryption(&trailer),
            size: trailer.get(b"Size").as_integer().and_then(|size| u32::try_from(size).ok()).unwrap_or(0),
            supplement: beside.and_then(|offset| NonZeroU64::new(offset.saturating_add(base))),
        });
        next = position(&trailer, b"Prev").map(|offset| offset.saturating_add(base));
        xref.kind = match (xref.kind, kind) {
            (Some(XrefKind::Table), XrefKind::Hybrid) | (None, _) => Some(kind),
            (known, _) => known,
        };
        xref.updates += 1;
        if !xref.trailer.has(b"Root") {
            xref.trailer = trailer;
        }
    }
    if xref.trailer.has(b"Root") { Ok(xref) } else { Err(Fault::Damaged) }
}

/// One section of the chain: its kind, its trailer, and the dictionary of the stream beside a table.
fn section(
    reader: &mut Reader,
    budget: &mut Budget,
    offset: u64,
    base: u64,
    sections: &mut Vec<Section>,
) -> Result<(XrefKind, Trailer, Option<Trailer>), Fault> {
    let mut lexer = Lexer::new(start_of_section(reader, offset)?);
    if !lexer.take_word(b"xref") {
        let trailer = stream::read(reader, budget, offset, sections)?;
        return Ok((XrefKind::Stream, trailer, None));
    }
    let start = offset + lexer.position() as u64;
    let trailer = table::read(reader, budget, start, sections)?;
    let Some(beside) = position(&trailer.dictionary, b"XRefStm") else { return Ok((XrefKind::Table, trailer, None)) };
    let beside = stream::read(reader, budget, beside.saturating_add(base), sections)?;
    Ok((XrefKind::Hybrid, trailer, Some(beside)))
}

/// Whether no reference determines the contents of a section or the next one (tables 15 and 17), in any reader.
fn is_direct(Trailer { dictionary, has_stray_tokens }: &Trailer) -> bool {
    let keys: [&[u8]; 5] = [b"W", b"Index", b"Size", b"Prev", b"XRefStm"];
    let mut values = keys.into_iter().map(|key| dictionary.get(key));
    !has_stray_tokens
        && !values.any(|value| [value].into_iter().chain(value.elements()).any(|value| value.as_reference().is_some()))
}

/// Returns an offset in a trailer; none for 0, which some writers use for none.
fn position(trailer: &Dictionary, key: &[u8]) -> Option<u64> {
    trailer.get(key).as_integer().and_then(|offset| u64::try_from(offset).ok()).filter(|&offset| offset > 0)
}

/// Returns a fingerprint of a trailer's encryption (7.6.1): the dictionary, and the part of the file identifier that
/// keys depend on; 0 without encryption.
fn encryption(trailer: &Dictionary) -> u32 {
    let encrypt = trailer.get(b"Encrypt");
    if encrypt.is_null() {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    format!("{encrypt:?} {:?}", trailer.get(b"ID").elements().first()).hash(&mut hasher);
    hasher.finish() as u32 | 1
}

/// Start of the chain.
struct Start {
    /// Offset of the newest section.
    newest: u64,
    /// Correction of the offsets in the file.
    base: u64,
    /// Whether the section is where `startxref` says.
    is_exact: bool,
    /// Offset of `startxref`.
    word: u64,
}

fn newest(reader: &mut Reader, header: u64) -> Result<Start, Fault> {
    let length = reader.file_size();
    let tail = reader.view(length.saturating_sub(MAX_STARTXREF_DISTANCE as u64), MAX_STARTXREF_DISTANCE)?;
    let word = last_word(tail).ok_or(Fault::Damaged)?;
    let at = length.saturating_sub(MAX_STARTXREF_DISTANCE as u64) + word as u64;
    let mut lexer = Lexer::new(tail.get(word..).unwrap_or_default());
    lexer.take_word(b"startxref");
    let offset = lexer.take_integer().and_then(|offset| u64::try_from(offset).ok()).ok_or(Fault::Damaged)?;
    for base in [0, header] {
        let start = offset.saturating_add(base);
        if is_section(start_of_section(reader, start)?) {
            return Ok(Start { newest: start, base, is_exact: true, word: at });
        }
    }
    let from = offset.saturating_sub(OFFSET_TOLERANCE_BYTES);
    let near = reader.view(from, 2 * OFFSET_TOLERANCE_BYTES as usize)?;
    let place =
        memmem::find_iter(near, b"xref").find(|&at| !near.get(..at).is_some_and(|before| before.ends_with(b"t")));
    let place = place.ok_or(Fault::Damaged)?;
    Ok(Start { newest: from + place as u64, base: 0, is_exact: false, word: at })
}

/// Returns the last `startxref`. The search runs forward if it is far from the end, which is several times as fast.
fn last_word(tail: &[u8]) -> Option<usize> {
    let near = tail.len().saturating_sub(USUAL_STARTXREF_DISTANCE);
    let usual = memmem::rfind(tail.get(near..)?, b"startxref").map(|at| near + at);
    usual.or_else(|| memmem::find_iter(tail, b"startxref").last())
}

/// Returns the first bytes of a section. Reads the complete section if it is a small part of the file, so that entries
/// need no separate reads.
fn start_of_section<'r>(reader: &'r mut Reader, offset: u64) -> Result<&'r [u8], Fault> {
    if reader.at_hand(offset, SECTION_START_BYTES) == 0 {
        let size = (reader.file_size() / FIRST_READ_DIVISOR).min(FIRST_READ_BYTES);
        reader.view(offset, size as usize)?;
    }
    reader.view(offset, SECTION_START_BYTES)
}

fn is_section(view: &[u8]) -> bool {
    let mut lexer = Lexer::new(view);
    lexer.take_word(b"xref")
        || (lexer.take_integer().is_some() && lexer.take_integer().is_some() && lexer.take_word(b"obj"))
}
