//! The built-in encoding of a Type 1 font program (Adobe Type 1 Font Format, 2.2), in its unencrypted part.

use std::borrow::Cow;
use std::rc::Rc;

use memchr::memmem;

use super::table::Encoding;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::object::Object;

/// Maximum bytes of the unencrypted part that are searched.
const MAX_CLEAR_BYTES: usize = 32 << 10;
/// Bytes read beyond the unencrypted part (`/Length1`; 9.9, table 127): `eexec` and its white space.
const CLEAR_MARGIN_BYTES: usize = 64;
/// The start of the encrypted part.
const EEXEC: &[u8] = b"eexec";

/// Returns the codes of a font program with their glyph names; none if unreadable.
pub(super) fn encoding(view: &mut View, program: &Object) -> Result<Vec<(u8, Cow<'static, str>)>, Fault> {
    let Some(body) = view.body(program)? else { return Ok(Vec::new()) };
    let length = view.number(body.dictionary().map_or(&Object::Null, |stream| stream.get(b"Length1")))?;
    let said = length
        .map_or(MAX_CLEAR_BYTES, |length| length as usize)
        .saturating_add(CLEAR_MARGIN_BYTES)
        .min(MAX_CLEAR_BYTES);
    let mut stream = view.content(Rc::clone(&body), said)?;
    if said < MAX_CLEAR_BYTES && stream.as_ref().is_some_and(|stream| memmem::find(&stream.content, EEXEC).is_none()) {
        stream = view.content(body, MAX_CLEAR_BYTES)?;
    }
    Ok(stream.map(|stream| parse(&stream.content)).unwrap_or_default())
}

/// `/Encoding StandardEncoding def`, or `dup 65 /A put` for each of the codes.
fn parse(program: &[u8]) -> Vec<(u8, Cow<'static, str>)> {
    let mut found = Vec::new();
    let Some(start) = memmem::find(program, b"/Encoding") else { return found };
    let clear = memmem::find(program, EEXEC).and_then(|end| program.get(..end)).unwrap_or(program);
    let mut lexer = Lexer::new(clear);
    lexer.set_position(start + b"/Encoding".len());
    if lexer.take_word(b"StandardEncoding") {
        return (0..=u8::MAX).zip(Encoding::Standard.names().iter().map(|name| Cow::Borrowed(*name))).collect();
    }
    loop {
        match lexer.token() {
            Token::Keyword(b"dup") => {
                let (code, name) = (lexer.token(), lexer.token());
                let (Token::Integer(code), Token::Name(name)) = (code, name) else { continue };
                if let Ok(code) = u8::try_from(code) {
                    found.push((code, Cow::Owned(String::from_utf8_lossy(name.as_bytes()).into_owned())));
                }
            }
            Token::Keyword(b"def" | b"readonly") | Token::End => return found,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_program_names_its_glyphs_in_clear() {
        let program =
            b"%!PS-AdobeFont-1.0: CMR10\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding 256 array\n\
            0 1 255 {1 index exch /.notdef put} for\ndup 11 /ff put\ndup 65 /A put\ndup 300 /B put\nreadonly def\n\
            dup 66 /B put\ncurrentfile eexec\n";
        let found = parse(program);
        assert_eq!(found.iter().map(|(code, name)| (*code, &**name)).collect::<Vec<_>>(), [(11, "ff"), (65, "A")]);
        let standard = parse(b"/Encoding StandardEncoding def");
        assert!(standard.iter().any(|(code, name)| (*code, &**name) == (0o47, "quoteright")));
        for nothing in [&b""[..], b"/Encoding", b"/Encoding dup dup dup", b"eexec /Encoding dup 65 /A put"] {
            assert!(parse(nothing).is_empty(), "{}", nothing.escape_ascii());
        }
    }
}
