//! A look at an object's text, which costs a fraction of parsing it.

use memchr::memchr;
use memchr::memmem::{self, Finder};

use crate::document::File;
use crate::failure::Fault;
use crate::stream::body as stream;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::Object;
use crate::xref::Entry;

impl File<'_> {
    /// Whether the dictionary that is referred to may have any of these words as key or name. Only a plain look at it can
    /// tell that it has not.
    pub(crate) fn may_mention(&mut self, object: &Object, words: &[Finder]) -> Result<bool, Fault> {
        let Some(id) = object.as_reference() else { return Ok(true) };
        let text = match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::Free => None,
            Entry::At(offset) => {
                let size = self.reader.at_hand(offset, stream::OBJECT);
                body(self.reader.view(offset, size)?, id.number)
            }
            Entry::In { stream, index } => {
                let container = self.container(stream)?;
                return Ok(container.is_none_or(|container| {
                    container.text(id.number, index).is_none_or(|text| mentions(text, words))
                }));
            }
        };
        Ok(text.is_none_or(|text| mentions(text, words)))
    }
}

/// What stands between the header of object `number` and its end, if that is plain to see.
fn body(view: &[u8], number: u32) -> Option<&[u8]> {
    let mut lexer = Lexer::new(view);
    let is_it = lexer.take_integer() == Some(i64::from(number)) && lexer.take_integer().is_some();
    if !is_it || !lexer.take_word(b"obj") {
        return None;
    }
    lexer.skip_space();
    let body = lexer.rest();
    body.get(..memmem::find(body, b"endobj")?)
}

/// Whether the words are in a text, or it is not the dictionary that it should be. Names with escapes may be any.
fn mentions(text: &[u8], words: &[Finder]) -> bool {
    let text = text.trim_ascii();
    !text.starts_with(b"<<")
        || !text.ends_with(b">>")
        || memchr(b'#', text).is_some()
        || words.iter().any(|word| word.find(text).is_some())
}
