//! Objects and stream bodies at known offsets of the file.

use memchr::memmem;

use crate::budget::Budget;
use crate::failure::{Fault, Reason};
use crate::input::reader::Reader;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::{Indirect, ParseError, parse_any_keys, parse_indirect};

/// What is read for an object at first; most take less than this.
pub(crate) const OBJECT: usize = 4 << 10;
/// What is read at first for each of many objects at a time.
pub(crate) const SMALL_OBJECT: usize = 512;
/// The longest object that is read: a dictionary with 400,000 references. Stream bodies are apart.
const LONGEST_OBJECT: usize = 8 << 20;
/// The longest encoded body that is read. Metadata and object streams stay far below.
const LONGEST_BODY: usize = 8 << 20;
/// Bytes behind a body in which `endstream` must stand for `/Length` to be believed.
const BODY_END: usize = 16;

/// An object with its header at a place of the file.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) id: Id,
    pub(crate) object: Object,
    /// Offset of its body in the file, if it is a stream.
    pub(crate) body: Option<u64>,
}

/// Reads the object whose header stands at `offset`, white space aside.
///
/// # Errors
/// `Damaged` if there is none.
pub(crate) fn indirect_at(reader: &mut Reader, budget: &mut Budget, offset: u64) -> Result<Placed, Fault> {
    parsed_at(reader, budget, offset, parse_indirect)
}

/// The same for a dictionary that may have any keys.
pub(crate) fn any_keys_at(reader: &mut Reader, budget: &mut Budget, offset: u64) -> Result<Placed, Fault> {
    parsed_at(reader, budget, offset, parse_any_keys)
}

fn parsed_at(
    reader: &mut Reader,
    budget: &mut Budget,
    offset: u64,
    parse: fn(&[u8], bool) -> Result<Indirect, ParseError>,
) -> Result<Placed, Fault> {
    let most = if reader.is_in_memory() { LONGEST_OBJECT } else { OBJECT };
    // What has been read already may do.
    let mut size = match reader.at_hand(offset, most) {
        0 => OBJECT,
        at_hand => at_hand,
    };
    loop {
        let view = reader.view(offset, size)?;
        // Once nothing more can be had, what is there has to do.
        let whole = view.len() < size || size >= LONGEST_OBJECT;
        match parse(view, whole) {
            Ok(parsed) => {
                budget.work(parsed.end)?;
                let body = parsed.body.map(|body| offset + body as u64);
                return Ok(Placed { id: parsed.id, object: parsed.object, body });
            }
            Err(ParseError::Incomplete) => {
                budget.work(size)?;
                size = (size * 8).clamp(OBJECT, LONGEST_OBJECT);
            }
            Err(ParseError::Malformed) => return Err(Fault::Damaged),
            Err(ParseError::TooLarge) => return Err(Fault::Rejected(Reason::TooComplex)),
        }
    }
}

/// The encoded body of a stream that starts at `offset`: `length` bytes if `endstream` follows them, else all up to
/// the next `endstream`.
pub(crate) fn body<'r>(
    reader: &'r mut Reader,
    budget: &mut Budget,
    offset: u64,
    length: Option<i64>,
) -> Result<&'r [u8], Fault> {
    let length = length.and_then(|length| usize::try_from(length).ok()).filter(|&length| length <= LONGEST_BODY);
    if let Some(length) = length {
        let view = reader.view(offset, length + BODY_END)?;
        if ends_at(view, length) {
            let view = reader.view(offset, length)?;
            return Ok(view);
        }
    }
    let mut size = OBJECT;
    loop {
        budget.work(size)?;
        let view = reader.view(offset, size)?;
        let end = memmem::find(view, b"endstream");
        if end.is_some() || view.len() < size || size >= LONGEST_BODY {
            let end = end.unwrap_or(view.len());
            return reader.view(offset, end);
        }
        size *= 8;
    }
}

/// Whether `endstream`, or at least the object's end, comes right after the first `length` bytes.
pub(crate) fn ends_at(view: &[u8], length: usize) -> bool {
    let Some(after) = view.get(length..) else { return false };
    let mut lexer = Lexer::new(after);
    lexer.take_word(b"endstream") || lexer.take_word(b"endobj")
}
