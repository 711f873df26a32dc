//! Objects at known offsets of the file (ISO 32000-1, 7.3.10).

use crate::budget::{Budget, TOO_LARGE};
use crate::failure::{Fault, Reason};
use crate::input::reader::Reader;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{ParseError, parse_indirect};

/// Bytes first read for an object; most objects are smaller.
pub const OBJECT: usize = 4 << 10;
/// Bytes first read for each object when many are read together.
pub const SMALL_OBJECT: usize = 512;
/// Maximum bytes of an object without its stream body: a dictionary with 400,000 references.
const MAX_OBJECT_BYTES: usize = 8 << 20;

/// An object with its header at an offset of the file.
#[derive(Debug)]
pub struct Placed {
    /// Its number and generation.
    pub id: Id,
    /// Its value; the dictionary if it is a stream.
    pub object: Object,
    /// Offset of its body in the file, if it is a stream.
    pub body: Option<u64>,
    /// End offset of its value or, for a stream, of the keyword `stream` with its line end.
    pub end: u64,
    /// Number of its values, at some 64 bytes each.
    pub size: usize,
    /// Whether tokens were skipped, which other readers may read as a part of it.
    pub has_stray_tokens: bool,
}

/// Reads the object whose header is at `offset`, after optional white space. Its cost does not depend on cached bytes.
///
/// # Errors
/// `Damaged` if there is none.
pub fn object_at(reader: &mut Reader, budget: &mut Budget, offset: u64) -> Result<Placed, Fault> {
    let most = if reader.is_in_memory() { MAX_OBJECT_BYTES } else { OBJECT };
    // cached bytes may be enough
    let mut size = match reader.at_hand(offset, most) {
        0 => OBJECT,
        at_hand => at_hand,
    };
    loop {
        let view = reader.view(offset, size)?;
        // at the file's end or the size limit, the available bytes have to suffice
        let whole = view.len() < size || size >= MAX_OBJECT_BYTES;
        match parse_indirect(view, whole) {
            Ok(parsed) => {
                budget.work(parsed.end)?;
                let body = parsed.body.map(|body| offset + body as u64);
                let end = offset + parsed.end as u64;
                let (id, object, size) = (parsed.id, parsed.object, parsed.size);
                return Ok(Placed { id, object, body, end, size, has_stray_tokens: parsed.has_stray_tokens });
            }
            Err(ParseError::Incomplete) => size = (size * 8).clamp(OBJECT, MAX_OBJECT_BYTES),
            Err(ParseError::Malformed) => return Err(Fault::Damaged),
            Err(ParseError::TooLarge) => {
                budget.work(TOO_LARGE)?;
                return Err(Fault::Rejected(Reason::TooComplex));
            }
        }
    }
}
