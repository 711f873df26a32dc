//! Earlier copies of content streams, forms, fields and notes, as left by programs that change a file in place.

use std::collections::BTreeSet;
use std::ops::Range;

use super::MAX_REPORTED;
use super::drawings::{MAX_DECODED_BYTES, shows_text};
use super::values;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{State, Stored};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::xref::entries::XrefEntry;
use pdf_syntax::xref::headers::Headers;

/// Bytes searched at once.
const PIECE_BYTES: usize = 64 << 10;

/// An earlier copy of a stream that shows text.
#[derive(Debug)]
pub(super) struct ContentCopy {
    pub(super) number: u32,
    pub(super) content: Vec<u8>,
    /// The resources of a form (8.10); none if it has those of a page.
    pub(super) form: Option<Object>,
}

/// Earlier copies of objects in use.
#[derive(Debug, Default)]
pub(super) struct Copies {
    pub(super) contents: Vec<ContentCopy>,
    /// Texts of fields and notes that have another one now.
    pub(super) values: Vec<(u32, String)>,
}

/// Returns earlier copies of objects in use that no cross-reference lists and that are in no other stream, in these ranges
/// of the file.
pub(super) fn find(document: &mut Document, ranges: &[Range<u64>], reached: &BTreeSet<u32>) -> Result<Copies, Fault> {
    let mut headers = Vec::new();
    for range in ranges {
        let mut part = Headers::starting_at(range.start);
        for start in range.clone().step_by(PIECE_BYTES) {
            part.feed(document.reader.view(start, PIECE_BYTES.min((range.end - start) as usize))?);
        }
        headers.extend(part.all());
    }
    let mut found = Copies::default();
    // the end of the last listed object's data
    let mut end = 0;
    for (number, offset) in headers {
        document.budget.work(1)?;
        if offset < end {
            continue;
        }
        let entry = XrefEntry::At(offset);
        let Document { xref, reader, budget, .. } = &mut *document;
        let mut is_listed = xref.parts.iter().any(|part| part.offset == offset);
        for part in 0..xref.parts.len() {
            // of a hybrid file, what its stream lists counts only if its table does not (7.5.8.4)
            let listings = xref.listings(part..part + 1, number, reader, budget)?;
            let mut used = listings.into_iter().filter(|(listed, _)| *listed != XrefEntry::Free);
            is_listed |= used.next().is_some_and(|(listed, _)| listed == entry);
        }
        if !is_listed && (!reached.contains(&number) || found.count() == MAX_REPORTED) {
            continue;
        }
        let Stored::Object(body) = document.stored(State(0), number, entry)? else { continue };
        if is_listed {
            end = document.stream_place(State(0), &body)?.map_or(end, |place| place.end);
            continue;
        }
        let Some(dictionary) = body.dictionary() else { continue };
        if body.stream.is_none() {
            let text = values::replaced(document, State(0), number, dictionary)?;
            found.values.extend(text.map(|text| (number, text)));
            continue;
        }
        let is_form = dictionary.get(b"Subtype").is_name(b"Form");
        if !is_form && (dictionary.has(b"Type") || dictionary.has(b"Subtype")) {
            continue;
        }
        let form = is_form.then(|| dictionary.get(b"Resources").clone());
        let Some(content) = document.newest().content(body, MAX_DECODED_BYTES)? else { continue };
        if !content.is_part && shows_text(&content.content) {
            found.contents.push(ContentCopy { number, content: content.content, form });
        }
    }
    Ok(found)
}

impl Copies {
    fn count(&self) -> usize {
        self.contents.len() + self.values.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count() == 0
    }
}
