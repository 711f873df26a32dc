//! Objects at known offsets of the file (ISO 32000-1, 7.3.10).

use crate::budget::{Budget, TOO_LARGE};
use crate::failure::{Fault, Reason};
use crate::input::reader::Reader;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{ParseError, parse_indirect};

/// What is read for an object at first; most take less than this.
pub const OBJECT: usize = 4 << 10;
/// What is read at first for each of many objects at a time.
pub const SMALL_OBJECT: usize = 512;
/// The longest object that is read: a dictionary with 400,000 references. Stream bodies are apart.
const MAX_OBJECT_BYTES: usize = 8 << 20;

/// An object with its header at a place of the file.
#[derive(Debug)]
pub struct Placed {
    /// Its number and generation.
    pub id: Id,
    /// Its value; of a stream, the dictionary.
    pub object: Object,
    /// Offset of its body in the file, if it is a stream.
    pub body: Option<u64>,
    /// Offset behind its value, and behind the word `stream` with its line end if it is one.
    pub end: u64,
    /// How much it holds, at some 64 bytes each.
    pub size: usize,
}

/// Reads the object whose header stands at `offset`, white space aside. What it spends does not depend on how much was
/// read before.
///
/// # Errors
/// `Damaged` if there is none.
pub fn object_at(reader: &mut Reader, budget: &mut Budget, offset: u64) -> Result<Placed, Fault> {
    let most = if reader.is_in_memory() { MAX_OBJECT_BYTES } else { OBJECT };
    // what has been read already may do
    let mut size = match reader.at_hand(offset, most) {
        0 => OBJECT,
        at_hand => at_hand,
    };
    loop {
        let view = reader.view(offset, size)?;
        // once nothing more can be had, what is there has to do
        let whole = view.len() < size || size >= MAX_OBJECT_BYTES;
        match parse_indirect(view, whole) {
            Ok(parsed) => {
                budget.work(parsed.end)?;
                let body = parsed.body.map(|body| offset + body as u64);
                let end = offset + parsed.end as u64;
                return Ok(Placed { id: parsed.id, object: parsed.object, body, end, size: parsed.size });
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
