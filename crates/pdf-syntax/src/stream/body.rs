//! The encoded bodies of streams (ISO 32000-1, 7.3.8).

use memchr::memmem;

use super::placed::OBJECT;
use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::lexer::Lexer;

/// The longest encoded body that is read. Metadata and object streams stay far below.
const MAX_BODY_BYTES: usize = 8 << 20;
/// Bytes behind a body in which `endstream` must stand for `/Length` to be believed.
const BODY_END_BYTES: usize = 16;

/// The encoded body of a stream that starts at `offset`: `length` bytes if `endstream` follows them, else all up to
/// the next `endstream`.
pub fn body<'r>(
    reader: &'r mut Reader,
    budget: &mut Budget,
    offset: u64,
    length: Option<i64>,
) -> Result<&'r [u8], Fault> {
    let length = length.and_then(|length| usize::try_from(length).ok()).filter(|&length| length <= MAX_BODY_BYTES);
    if let Some(length) = length {
        let view = reader.view(offset, length + BODY_END_BYTES)?;
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
        if end.is_some() || view.len() < size || size >= MAX_BODY_BYTES {
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
