//! The end of a revision: `startxref`, the place of its cross-reference, and `%%EOF` (ISO 32000-1, 7.5.5).

use std::ops::Range;

use memchr::memmem;

use pdf_syntax::document::Document;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::stream::{body, placed};
use pdf_syntax::syntax::char_class::is_space;
use pdf_syntax::syntax::lexer::Lexer;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_object;
use pdf_syntax::xref::Part;
use pdf_syntax::xref::entries::Section;

/// Bytes searched for a trailer and its end marker.
pub(super) const MAX_TRAILER_BYTES: usize = 8 << 10;
/// Maximum distance of a table's trailer from its entries, in bytes.
const MAX_TRAILER_DISTANCE_BYTES: usize = 512;
/// Enough for `startxref`, a number and `%%EOF` with white space between them.
const MAX_END_BYTES: usize = 128;

/// Offset after the line of the `%%EOF` that ends the revision with these parts; `None` if it does not directly follow
/// the cross-reference or its `startxref` points elsewhere.
pub(crate) fn behind(document: &mut Document, parts: Range<usize>) -> Result<Option<u64>, Fault> {
    let own = document.xref.parts.get(parts).unwrap_or_default();
    // the end marker of a linearized file's first part is not an end of a revision (annex F)
    let (Some(newest), Some(last)) = (own.first(), own.iter().max_by_key(|part| part.offset)) else { return Ok(None) };
    let (start, last) = (newest.offset.saturating_sub(document.xref.base), last.clone());
    let Some(at) = behind_section(document, &last)? else { return Ok(None) };
    let view = document.reader.view(at, MAX_END_BYTES)?;
    let mut lexer = Lexer::new(view);
    let leads_here =
        lexer.take_word(b"startxref") && lexer.take_integer().and_then(|to| u64::try_from(to).ok()) == Some(start);
    let rest = lexer.rest();
    let blanks = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let Some(after) = rest.get(blanks..).and_then(|rest| rest.strip_prefix(b"%%EOF")).filter(|_| leads_here) else {
        return Ok(None);
    };
    let end = lexer.position() + blanks + b"%%EOF".len();
    Ok(Some(at + end as u64 + line_end(after)))
}

/// The length of a line end at the start of a text, or 0.
pub(crate) fn line_end(text: &[u8]) -> u64 {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Offset after a table's trailer or after a stream's object.
pub(crate) fn behind_section(document: &mut Document, part: &Part) -> Result<Option<u64>, Fault> {
    if is_table(document, part)? {
        Ok(table_trailer(document, part)?.map(|(_, end)| end))
    } else {
        behind_stream(document, part.offset)
    }
}

/// The trailer of a section (7.5.5), or the dictionary of a cross-reference stream.
pub(crate) fn trailer(document: &mut Document, part: &Part) -> Result<Option<Object>, Fault> {
    if is_table(document, part)? {
        return Ok(table_trailer(document, part)?.map(|(trailer, _)| trailer));
    }
    let placed = tried(placed::object_at(&mut document.reader, &mut document.budget, part.offset))?;
    Ok(placed.map(|placed| placed.object))
}

fn is_table(document: &mut Document, part: &Part) -> Result<bool, Fault> {
    Ok(Lexer::new(document.reader.view(part.offset, MAX_TRAILER_DISTANCE_BYTES)?).take_word(b"xref"))
}

/// A table's trailer and the offset after it.
fn table_trailer(document: &mut Document, part: &Part) -> Result<Option<(Object, u64)>, Fault> {
    let sections = document.xref.sections.get(part.sections.clone()).unwrap_or_default().iter();
    let from = sections.filter_map(Section::end).max().unwrap_or(part.offset);
    let view = document.reader.view(from, MAX_TRAILER_DISTANCE_BYTES + MAX_TRAILER_BYTES)?;
    let Some(word) = memmem::find(view, b"trailer") else { return Ok(None) };
    let start = word + b"trailer".len();
    let parsed = parse_object(view.get(start..).unwrap_or_default());
    Ok(parsed.ok().map(|parsed| (parsed.object, from + (start + parsed.end) as u64)))
}

/// Offset after the object at an offset, including its stream and `endobj`, which a cross-reference stream may lack;
/// `None` if it does not end properly.
pub(crate) fn behind_stream(document: &mut Document, offset: u64) -> Result<Option<u64>, Fault> {
    let placed = tried(placed::object_at(&mut document.reader, &mut document.budget, offset))?;
    let Some(placed) = placed else { return Ok(None) };
    let mut at = placed.end;
    if let Some(start) = placed.body {
        let length = placed.object.as_dictionary().and_then(|dictionary| dictionary.get(b"Length").as_integer());
        let encoded = body::body(&mut document.reader, &mut document.budget, start, length)?;
        at = start + encoded.len() as u64;
    }
    let mut lexer = Lexer::new(document.reader.view(at, MAX_END_BYTES)?);
    if placed.body.is_some() && !lexer.take_word(b"endstream") {
        return Ok(None);
    }
    let end = at + lexer.position() as u64;
    Ok(if lexer.take_word(b"startxref") {
        Some(end)
    } else {
        lexer.take_word(b"endobj").then_some(at + lexer.position() as u64)
    })
}
