//! Data after the end of the file (ISO 32000-1, 7.5.5).

use memchr::memmem;

use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::revision::is_repeated;
use crate::integrity::signal::SignalId;
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::is_space;
use pdf_syntax::xref::object_header::starts_with_object;

/// The usual distance of `%%EOF` from the end of the file, and the farthest that is searched, in bytes.
const USUAL_END_BYTES: u64 = 64;
const MAX_END_SEARCH_BYTES: u64 = 32 << 10;
/// Trailing bytes that are ignored.
const MAX_IGNORED_BYTES: usize = 16;
/// Maximum bytes quoted.
const MAX_SHOWN_BYTES: usize = 32;

pub(super) fn examine(document: &mut Document, findings: &mut Findings) -> Result<(), Fault> {
    let len = document.reader.file_size();
    for size in [USUAL_END_BYTES, MAX_END_SEARCH_BYTES] {
        let from = len.saturating_sub(size);
        let tail = document.reader.view(from, size as usize)?;
        let Some(end) = memmem::rfind(tail, b"%%EOF") else { continue };
        let after = tail.get(end + b"%%EOF".len()..).unwrap_or_default();
        let count = after.iter().filter(|&&byte| !is_space(byte)).count();
        if count <= MAX_IGNORED_BYTES {
            return Ok(());
        }
        let has_objects = starts_with_object(after);
        let own = len - after.trim_ascii_start().len() as u64;
        let shown = after.trim_ascii_start();
        let shown = shown.get(..MAX_SHOWN_BYTES).unwrap_or(shown);
        let start = from + (end + b"%%EOF".len()) as u64;
        let place = format!("{} bytes from offset {start}", after.len());
        let shown = String::from_utf8_lossy(shown).escape_debug().to_string();
        let evidence = Evidence::of(place, None, Some(&shown));
        let strength = match (is_repeated(document, &(own..len))?, has_objects) {
            (true, _) => Strength::Neutral,
            (false, true) => Strength::Strong,
            (false, false) => Strength::Weak,
        };
        findings.add(SignalId::BytesAfterEnd, strength, evidence);
        return Ok(());
    }
    Ok(())
}
