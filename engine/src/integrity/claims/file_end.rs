//! What follows the file's end (ISO 32000-1, 7.5.5).

use memchr::memmem;

use crate::document::Document;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::syntax::char_class::is_space;
use crate::xref::object_header::starts_with_object;

/// Where the end nearly always stands, and where it is looked for at most, in bytes from the end.
const NEAR: u64 = 64;
const FAR: u64 = 32 << 10;
/// Bytes of junk that are let pass.
const FEW: usize = 16;
/// How far before the end a copy is looked for that a buffer left behind it, in bytes: buffers are that large at most.
const BUFFER: u64 = 128 << 10;
/// Bytes shown.
const SHOWN: usize = 32;

pub(super) fn examine(document: &mut Document, findings: &mut Findings) -> Result<(), Fault> {
    let len = document.reader.len();
    for size in [NEAR, FAR] {
        let from = len.saturating_sub(size);
        let tail = document.reader.view(from, size as usize)?;
        let Some(end) = memmem::rfind(tail, b"%%EOF") else { continue };
        let after = tail.get(end + b"%%EOF".len()..).unwrap_or_default();
        let count = after.iter().filter(|&&byte| !is_space(byte)).count();
        if count <= FEW {
            return Ok(());
        }
        let behind = from + (end + b"%%EOF".len()) as u64;
        let is_new = starts_with_object(after) && !is_repeated(document, behind)?;
        let strength = if is_new { Strength::Strong } else { Strength::Weak };
        let tail = document.reader.view(from, size as usize)?;
        let after = tail.get(end + b"%%EOF".len()..).unwrap_or_default();
        let shown = after.trim_ascii_start();
        let shown = shown.get(..SHOWN).unwrap_or(shown);
        let place = format!("{} bytes from offset {behind}", after.len());
        let shown = String::from_utf8_lossy(shown).escape_debug().to_string();
        let evidence = Evidence::of(place, None, Some(&shown));
        findings.add(SignalId::BytesAfterEnd, strength, evidence);
        return Ok(());
    }
    Ok(())
}

/// Whether what follows the end stands once more before it: who copies a file by a buffer and writes all of that at the last
/// turn, too, leaves behind the end what the turn before left there.
fn is_repeated(document: &mut Document, behind: u64) -> Result<bool, Fault> {
    /// Bytes by which a copy is found.
    const BEGINNING: usize = 64;
    let length = document.reader.len();
    let from = behind.saturating_sub(BUFFER);
    let view = document.reader.view(from, (length - from) as usize)?;
    let Some((before, after)) = view.split_at_checked((behind - from) as usize) else { return Ok(false) };
    // the line that the end stands on ends first
    let after = after.trim_ascii_start();
    let beginning = after.get(..BEGINNING.min(after.len())).unwrap_or_default();
    // the copy may run on into what it is a copy of
    let is_copy = |start: usize| view.get(start..start + after.len()) == Some(after);
    Ok(!beginning.is_empty() && memmem::find_iter(before, beginning).any(is_copy))
}
