//! The encoded bodies of streams (ISO 32000-1, 7.3.8).

use memchr::memmem;

use super::placed::OBJECT;
use crate::budget::Budget;
use crate::failure::Fault;
use crate::input::reader::Reader;
use crate::syntax::lexer::Lexer;

/// Maximum encoded bytes of a body, far above real metadata and object streams.
const MAX_BODY_BYTES: usize = 8 << 20;
/// Bytes after a body that must contain `endstream`, otherwise `/Length` is ignored.
const BODY_END_BYTES: usize = 16;

/// Returns the encoded body of a stream that starts at `offset`: `length` bytes if `endstream` follows them, otherwise
/// all bytes up to the next `endstream`.
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

/// Whether `endstream` or `endobj` follows the first `length` bytes, after optional white space.
pub(crate) fn ends_at(view: &[u8], length: usize) -> bool {
    let Some(after) = view.get(length..) else { return false };
    let mut lexer = Lexer::new(after);
    lexer.take_word(b"endstream") || lexer.take_word(b"endobj")
}
