//! Earlier copies of content streams, as left by programs that change a file in place.

use std::collections::BTreeSet;
use std::ops::Range;

use super::MAX_REPORTED;
use super::drawings::{MAX_DECODED_BYTES, shows_text};
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::xref::entries::XrefEntry;
use pdf_syntax::xref::headers::Headers;

/// Bytes searched at once.
const PIECE_BYTES: usize = 64 << 10;

/// Returns earlier copies of content streams in use that no cross-reference lists and that are in no other stream, in these
/// ranges of the file.
pub(super) fn find(
    document: &mut Document,
    ranges: &[Range<u64>],
    reached: &BTreeSet<u32>,
) -> Result<Vec<(u32, Vec<u8>)>, Fault> {
    let mut headers = Vec::new();
    for range in ranges {
        let mut part = Headers::starting_at(range.start);
        for start in range.clone().step_by(PIECE_BYTES) {
            part.feed(document.reader.view(start, PIECE_BYTES.min((range.end - start) as usize))?);
        }
        headers.extend(part.all());
    }
    let mut found = Vec::new();
    // the end of the last listed object's data
    let mut end = 0;
    for (number, offset) in headers {
        document.budget.work(1)?;
        if offset < end {
            continue;
        }
        let entry = XrefEntry::At(offset);
        let Document { xref, reader, budget, .. } = &mut *document;
        let mut listings = xref.listings(0..xref.parts.len(), number, reader, budget)?.into_iter();
        let is_listed =
            listings.any(|(listed, _)| listed == entry) || xref.parts.iter().any(|part| part.offset == offset);
        if !is_listed && (!reached.contains(&number) || found.len() == MAX_REPORTED) {
            continue;
        }
        let Stored::Object(body) = document.stored(State(0), number, entry)? else { continue };
        if is_listed {
            end = document.stream_place(State(0), &body)?.map_or(end, |place| place.end);
            continue;
        }
        let is_content = |dictionary: &Dictionary| !dictionary.has(b"Type") && !dictionary.has(b"Subtype");
        if body.stream.is_none() || !body.dictionary().is_some_and(is_content) {
            continue;
        }
        let Some(content) = document.newest().content(body, MAX_DECODED_BYTES)? else { continue };
        if !content.is_part && shows_text(&content.content) {
            found.push((number, content.content));
        }
    }
    Ok(found)
}
