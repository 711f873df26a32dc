//! The structure of the file.

use memchr::memmem;

use crate::metadata::{DocumentId, Structure};
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::input::reader::HEAD;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_indirect;
use pdf_syntax::xref::object_header::starts_with_object;

/// Maximum offset of the linearization dictionary (annex F.3.1).
const LINEARIZATION_MAX_OFFSET: usize = 1024;

/// Usual and maximum distance of `%%EOF` from the end, in bytes.
const USUAL_END_DISTANCE_BYTES: u64 = 1024;
const MAX_END_DISTANCE_BYTES: u64 = 32 << 10;

/// Describes the file's own structure.
pub(crate) fn describe(document: &mut Document) -> Result<Structure, Fault> {
    let linearization = linearization(document)?;
    let file_id = document.xref.trailer.get(b"ID").clone();
    let file_id = document.newest().resolve(&file_id)?;
    let part = |index| file_id.elements().get(index).and_then(Object::as_string).and_then(hexadecimal);
    // a linearized file's two sections were written together
    let pair = u32::from(linearization.is_some());
    let truncated = is_truncated(document, linearization.as_ref())?;
    Ok(Structure {
        truncated,
        linearized: linearization.is_some_and(|dictionary| is_length(document, dictionary.get(b"L"))),
        revisions: document.xref.updates.saturating_sub(pair).max(1),
        xref: document.xref.kind,
        objects: document.xref.objects(),
        document_id: DocumentId { original: part(0), current: part(1) },
        header_offset: document.header.offset,
        repaired: document.xref.is_repaired(),
    })
}

/// The linearization dictionary (annex F.3), which is the first object of the file.
fn linearization(document: &mut Document) -> Result<Option<Dictionary>, Fault> {
    let header = document.header.offset;
    let head = document.reader.view(header, HEAD)?;
    // most files have none: search the word before parsing
    if memmem::find(head.get(..LINEARIZATION_MAX_OFFSET).unwrap_or(head), b"/Linearized").is_none() {
        return Ok(None);
    }
    Ok(match parse_indirect(head, true).map(|first| first.object) {
        Ok(Object::Dictionary(dictionary)) if dictionary.has(b"Linearized") => Some(dictionary),
        _ => None,
    })
}

/// Returns the page count of the linearization dictionary; 0 if there is none.
pub(crate) fn linearized_pages(document: &mut Document) -> Result<u64, Fault> {
    let pages = linearization(document)?.and_then(|dictionary| dictionary.get(b"N").as_integer());
    Ok(pages.and_then(|pages| u64::try_from(pages).ok()).unwrap_or(0))
}

/// Whether the claimed length is the file's, with or without the junk before its header.
fn is_length(document: &Document, length: &Object) -> bool {
    let actual = document.reader.file_size();
    let length = length.as_integer().and_then(|length| u64::try_from(length).ok());
    length.is_some_and(|length| length == actual || length == actual - document.header.offset)
}

/// Whether the file is truncated: a linearized file is shorter than its `/L` (annex F.3.1), objects follow the last end
/// marker, or there is none. Some programs write no `%%EOF`, so a readable cross-reference is sufficient.
fn is_truncated(document: &mut Document, linearization: Option<&Dictionary>) -> Result<bool, Fault> {
    let length = document.reader.file_size();
    let is_repaired = document.xref.is_repaired();
    let claimed = linearization.and_then(|dictionary| dictionary.get(b"L").as_integer());
    if is_repaired && claimed.and_then(|claimed| u64::try_from(claimed).ok()).is_some_and(|claimed| claimed > length) {
        return Ok(true);
    }
    for size in [USUAL_END_DISTANCE_BYTES, MAX_END_DISTANCE_BYTES] {
        let tail = document.reader.view(length.saturating_sub(size), size as usize)?;
        if let Some(end) = memmem::rfind(tail, b"%%EOF") {
            return Ok(starts_with_object(tail.get(end + b"%%EOF".len()..).unwrap_or_default()));
        }
    }
    if !is_repaired {
        return Ok(false);
    }
    let tail = document.reader.view(length.saturating_sub(MAX_END_DISTANCE_BYTES), MAX_END_DISTANCE_BYTES as usize)?;
    Ok(memmem::find(tail, b"startxref").is_none())
}

fn hexadecimal(bytes: &[u8]) -> Option<String> {
    /// Maximum bytes of an identifier. Real ones have 16.
    const MAX_IDENTIFIER_BYTES: usize = 64;
    let bytes = bytes.get(..MAX_IDENTIFIER_BYTES).unwrap_or(bytes);
    let mut digits = String::with_capacity(2 * bytes.len());
    for nibble in bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
        digits.push(char::from(if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 }));
    }
    (!digits.is_empty()).then_some(digits)
}
