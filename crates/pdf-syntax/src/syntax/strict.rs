//! Whether all readers parse a value alike (ISO 32000-1, 7.2 and 7.3).

use memchr::memmem;

use super::char_class::{hex_digit, is_regular, is_space};
use super::lexer::{Lexer, unescaped};
use super::name::Name;

/// Maximum nesting of arrays and dictionaries.
const MAX_DEPTH: usize = 32;
/// Maximum digits that every reader accepts (annex C, table C.1): before the point, and after it, where readers ignore
/// further ones.
const MAX_INTEGER_DIGITS: usize = 10;
const MAX_FRACTION_DIGITS: usize = 40;
/// The longest name (annex C, table C.1).
const MAX_NAME_BYTES: usize = 127;
/// What viewers show beside the first page (7.7.2, table 28).
const PANELS: [&[u8]; 5] = [b"UseNone", b"UseOutlines", b"UseThumbs", b"UseOC", b"UseAttachments"];
/// Maximum distance of the generation before the keyword `obj`, in bytes.
const GENERATION_MAX_DISTANCE_BYTES: usize = 16;

/// An open array or dictionary, or the top level.
struct Open {
    /// Keys so far, with their positions; none for an array.
    keys: Option<Vec<(Name, usize)>>,
    /// Whether a value is expected next, not a key.
    takes_value: bool,
}

impl Open {
    fn array() -> Self {
        Self { keys: None, takes_value: true }
    }

    fn dictionary() -> Self {
        Self { keys: Some(Vec::new()), takes_value: false }
    }

    /// Records a value; returns whether one is allowed here.
    fn take(&mut self) -> bool {
        let is_due = self.takes_value;
        self.takes_value = self.keys.is_none();
        is_due
    }

    /// Records a name at this position; returns whether it is allowed here.
    fn take_name(&mut self, name: &[u8], at: usize) -> bool {
        match &mut self.keys {
            Some(keys) if !self.takes_value => {
                self.takes_value = true;
                keys.push((unescaped(name), at));
                true
            }
            _ => self.take(),
        }
    }

    /// Whether a dictionary may end here, at `end`: of equal keys, escaped or not (7.3.5), some readers use the first,
    /// others the last. An entry that is repeated exactly, as Poppler does with fonts, is read alike, and it does not matter which
    /// panel opens beside the document, of which TCPDF writes two.
    fn ends_dictionary(self, text: &[u8], end: usize) -> bool {
        let Some(keys) = self.keys else { return false };
        let ends = keys.iter().skip(1).map(|(_, at)| *at).chain([end]);
        let entry = |at: usize, end: usize| text.get(at..end).unwrap_or_default().trim_ascii_end();
        let mut entries: Vec<_> = keys.iter().zip(ends).map(|((key, at), end)| (key, entry(*at, end))).collect();
        entries.sort_unstable_by(|(key, _), (next, _)| key.as_bytes().cmp(next.as_bytes()));
        let is_read_alike = |pair: &[(&Name, &[u8])]| match pair {
            [(key, entry), (next, other)] => {
                key != next || entry == other || [entry, other].iter().all(|it| opens_panel(it))
            }
            _ => true,
        };
        !self.takes_value && entries.windows(2).all(is_read_alike)
    }
}

/// Whether an entry only says which panel opens.
fn opens_panel(entry: &[u8]) -> bool {
    let mut words = entry.split(|&byte| byte == b'/' || is_space(byte)).filter(|word| !word.is_empty());
    words.next() == Some(b"PageMode")
        && words.next().is_some_and(|panel| PANELS.contains(&panel))
        && words.next().is_none()
}

/// Whether `text` is a single value with only white space, comments and `endobj` around it: strings and brackets are
/// closed, keys have one value, numbers are short, keywords are known.
pub fn is_strict(text: &[u8]) -> bool {
    is_one_value(text, Context::Object)
}

/// The same for members of object streams, which have no `endobj`.
pub(crate) fn is_strict_member(text: &[u8]) -> bool {
    is_one_value(text, Context::Member)
}

/// The same for structural dictionaries, such as trailers: integers have no sign or leading zeros, names have no escapes,
/// except in arrays and dictionaries in them, and there are no comments.
pub fn is_canonical(text: &[u8]) -> bool {
    is_one_value(text, Context::Trailer)
}

/// Whether text is white space and comments that contain no keyword, which some readers find there.
pub fn is_blank(text: &[u8]) -> bool {
    let mut lexer = Lexer::new(text);
    lexer.skip_space();
    let words: [&[u8]; 5] = [b"endobj", b"stream", b"xref", b"trailer", b"%%EOF"];
    let has_header = || memmem::find_iter(text, b"obj").any(|word| may_end_header(text, word));
    // the last comment has to end before the next token
    let comment = text.iter().rposition(|&byte| byte == b'%').and_then(|at| text.get(at..));
    let is_ended = comment.is_none_or(|comment| comment.iter().any(|byte| matches!(byte, b'\r' | b'\n')));
    let has_word = || words.iter().any(|word| memmem::find(text, word).is_some());
    lexer.rest().is_empty() && is_ended && !has_word() && !has_header()
}

/// Whether some reader may find an object header (7.3.10) that ends with the `obj` at this position: a digit is near,
/// no letter directly before, and no word between them on its line. A comment with that word would contain the `obj`.
pub fn may_end_header(text: &[u8], word: usize) -> bool {
    let before = text.get(word.saturating_sub(GENERATION_MAX_DISTANCE_BYTES)..word).unwrap_or_default();
    let Some(digit) = before.iter().rposition(u8::is_ascii_digit) else { return false };
    let between = before.get(digit..).unwrap_or_default();
    let line = between.rsplit(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let has_word = line.windows(2).any(|pair| matches!(pair, [b' ' | b'%', letter] if letter.is_ascii_alphabetic()));
    !has_word && !before.last().is_some_and(u8::is_ascii_alphabetic)
}

/// Where a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Object,
    Member,
    Trailer,
}

fn is_one_value(text: &[u8], context: Context) -> bool {
    let is_canonical = context == Context::Trailer;
    let mut lexer = Lexer::new(text);
    let (mut open, mut values) = (vec![Open::array()], 0_usize);
    loop {
        let start = lexer.position();
        lexer.skip_space();
        let skipped = text.get(start..lexer.position()).unwrap_or_default();
        if skipped.contains(&b'%') && (is_canonical || !is_blank(skipped)) {
            return false;
        }
        let (is_outermost, is_nested) = (open.len() == 1, open.len() > 2);
        let Some(current) = open.last_mut() else { return false };
        let is_right = match lexer.rest() {
            [] => return is_outermost && values == 1,
            [b'<', b'<', ..] => {
                lexer.at += 2;
                let is_due = current.take();
                open.push(Open::dictionary());
                is_due && open.len() <= MAX_DEPTH
            }
            [b'[', ..] => {
                lexer.at += 1;
                let is_due = current.take();
                open.push(Open::array());
                is_due && open.len() <= MAX_DEPTH
            }
            [b'>', b'>', ..] => {
                let end = lexer.at;
                lexer.at += 2;
                open.pop().is_some_and(|closed| closed.ends_dictionary(text, end))
            }
            [b']', ..] => {
                lexer.at += 1;
                !is_outermost && open.pop().is_some_and(|closed| closed.keys.is_none())
            }
            [b'/', ..] => {
                let at = lexer.at;
                let name = lexer.skip_name();
                let may_escape = !is_canonical || is_nested;
                is_strict_name(name) && (may_escape || !name.contains(&b'#')) && current.take_name(name, at)
            }
            [b'(', ..] => take_literal(&mut lexer) && current.take(),
            [b'<', ..] => take_hexadecimal(&mut lexer) && current.take(),
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => take_number(&mut lexer, is_canonical) && current.take(),
            _ => match take_word(&mut lexer) {
                b"true" | b"false" | b"null" => current.take(),
                b"endobj" | b"stream" => return is_outermost && values == 1 && context != Context::Member,
                _ => false,
            },
        };
        if !is_right {
            return false;
        }
        values += usize::from(is_outermost);
    }
}

/// Takes a number, or a reference (7.3.10).
fn take_number(lexer: &mut Lexer, is_canonical: bool) -> bool {
    let number = take_word(lexer);
    if is_canonical && matches!(number, [b'+', ..] | [b'0', _, ..] | [b'-', b'0', ..]) {
        return false;
    }
    if is_natural(number) {
        let mut ahead = lexer.clone();
        take_blanks(&mut ahead);
        let generation = take_word(&mut ahead);
        take_blanks(&mut ahead);
        if is_natural(generation) && take_word(&mut ahead) == b"R" {
            *lexer = ahead;
        }
    }
    is_strict_number(number)
}

/// Takes white space, but no comments.
fn take_blanks(lexer: &mut Lexer) {
    let rest = lexer.rest();
    lexer.at += rest.iter().take_while(|&&byte| is_space(byte)).count();
}

fn is_natural(word: &[u8]) -> bool {
    is_strict_number(word) && word.iter().all(u8::is_ascii_digit)
}

/// Whether it is a number with at most one sign, at most one point and few digits (7.3.3).
pub(super) fn is_strict_number(word: &[u8]) -> bool {
    let unsigned = match word {
        [b'+' | b'-', rest @ ..] => rest,
        all => all,
    };
    let point = unsigned.iter().position(|&byte| byte == b'.').unwrap_or(unsigned.len());
    let (whole, fraction) = (unsigned.get(..point).unwrap_or_default(), unsigned.get(point + 1..).unwrap_or_default());
    !(whole.is_empty() && fraction.is_empty())
        && whole.len() <= MAX_INTEGER_DIGITS
        && fraction.len() <= MAX_FRACTION_DIGITS
        && whole.iter().chain(fraction).all(u8::is_ascii_digit)
}

/// Takes the bytes up to the next delimiter.
pub(super) fn take_word<'a>(lexer: &mut Lexer<'a>) -> &'a [u8] {
    let rest = lexer.rest();
    let length = rest.iter().position(|&byte| !is_regular(byte)).unwrap_or(rest.len());
    lexer.at += length;
    rest.get(..length).unwrap_or_default()
}

pub(super) fn is_strict_name(name: &[u8]) -> bool {
    let is_escape =
        |rest: &[u8]| matches!(rest, [_, high, low, ..] if hex_digit(*high).is_some() && hex_digit(*low).is_some());
    name.len() <= MAX_NAME_BYTES
        && name.iter().enumerate().all(|(at, &byte)| byte != b'#' || name.get(at..).is_some_and(is_escape))
}

/// Takes a literal string (7.3.4.2); returns whether it is closed.
pub(super) fn take_literal(lexer: &mut Lexer) -> bool {
    let mut depth = 0_usize;
    let mut bytes = lexer.rest().iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'(' => depth += 1,
            b')' if depth == 1 => {
                lexer.at += at + 1;
                return true;
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Takes a hexadecimal string (7.3.4.3); returns whether it is closed and has only digits.
pub(super) fn take_hexadecimal(lexer: &mut Lexer) -> bool {
    let rest = lexer.rest().get(1..).unwrap_or_default();
    let length = rest.iter().position(|&byte| hex_digit(byte).is_none() && !is_space(byte)).unwrap_or(rest.len());
    lexer.at += length + 2;
    rest.get(length) == Some(&b'>')
}

#[cfg(test)]
mod tests {
    use super::{is_blank, is_canonical, is_strict};

    #[test]
    fn what_every_reader_reads_alike_is_strict() {
        for text in [
            "<< /A 1 /B [1 2 3] /C << /D (x) >> >>",
            "<</A/B/C 12 0 R/D[1 0 R 2 0 R 3]/E null/F true>> endobj",
            "<< /Length 5 >> stream\n",
            "[0 0 595.28 -841.89 .5 +3 4.]",
            "[0 0 595.2799999999999727 841.8899999999999864]",
            "[1 0 R 2 3 0 R 4 5 6 7]",
            "(a (nested) \\) string)",
            "<00fF 1>",
            "12",
            "12 0 R",
            "12 0 R endobj",
            "/Name#20x",
            "<< /A 1 % a comment\n /B 2 >>",
            "true",
            "<</PageMode /UseNone /B 2/PageMode/UseOutlines>>",
        ] {
            assert!(is_strict(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_readers_may_take_for_different_things_is_not() {
        for text in [
            "",
            "<< /A 1 /A 2 >>",
            "<< /#41 1 /A 2 >>",
            "<< /PageMode /UseNone /PageMode /FullScreen >>",
            "<< /PageMode /UseNone /PageMode 5 0 R >>",
            "<< /A >>",
            "<< /A 1",
            "<< /A 1 2 >>",
            "<< /A 1 2 3 >>",
            "<< 1 /A >>",
            "<< /A foo >>",
            "<< /A 1 ] >>",
            "[1 2 >>",
            "[--5]",
            "[1.2.3]",
            "[5-6]",
            "[12abc]",
            "[12345678901]",
            "[.]",
            "[R]",
            "[1 R]",
            "(open",
            "(open \\)",
            "<0g>",
            "<00",
            "/A#",
            "<< /A 1 >> << /B 2 >>",
            "1 2",
            "1 2 3",
            "{ }",
            ")",
            "]",
        ] {
            assert!(!is_strict(text.as_bytes()), "{text}");
        }
        for text in ["<< /Size +5 >>", "<< /Size 05 >>", "<< /#53ize 5 >>", "<< /Size 5 % five\n >>", "-0"] {
            assert!(is_strict(text.as_bytes()) && !is_canonical(text.as_bytes()), "{text}");
        }
        assert!(!is_strict(b"<< /A 1 % 4 0 obj\n >>"));
        assert!(is_blank(b" % a comment\n") && !is_blank(b" % a comment ") && !is_blank(b"% xref\n"));
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert!(!is_strict(deep.as_bytes()));
    }
}
